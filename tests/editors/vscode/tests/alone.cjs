// A window without a folder: nothing starts by itself; started by command, a single file finds the store that it lies beside.
const vscode = require('vscode');
const assert = require('node:assert');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { codes, file, findings, messages, open, person, replace, run, servers, status, told, until } = require('./support.cjs');

exports.run = run({
  async 'no folder, no store: the extension sleeps'() {
    assert.strictEqual(vscode.workspace.workspaceFolders, undefined);
    await open('payments/gateway.py');
    assert.strictEqual(vscode.extensions.getExtension('memory-lsp.memory-lsp').isActive, false);
    assert.deepStrictEqual(servers(), []);
  },
  async 'started by command: the file\'s own store is found'() {
    await vscode.commands.executeCommand('memoryLsp.restart');
    await status(/Memory: all fresh/);
    const gateway = await open('payments/gateway.py');
    await replace(gateway, 'range(MAX_ATTEMPTS)', 'range(MAX_ATTEMPTS + 2)');
    await codes(gateway, ['memory-changed']);
  },
  async 'a file beside which there is no store: silence, and a capture says why not'() {
    const elsewhere = fs.mkdtempSync(path.join(os.tmpdir(), 'elsewhere-'));
    fs.writeFileSync(path.join(elsewhere, 'a.py'), 'def f():\n    return 1\n');
    const document = await open(path.join(elsewhere, 'a.py'));
    assert.deepStrictEqual(findings(document), []);
    const done = vscode.commands.executeCommand('memoryLsp.capture');
    await person('answers', { text: 'A claim' });
    await person('answers', { text: 'A claim.' });
    await done;
    await told(/Memory: .*no store of memories/);
  },
  async 'a document that is no file: the command says what to do'() {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content: 'def f(): pass', language: 'python' }));
    void vscode.commands.executeCommand('memoryLsp.capture');
    await told(/Memory: open a file/);
    assert.deepStrictEqual(await messages(), []);
    assert.ok(fs.existsSync(file('.memory')));
    await until('one server', () => servers().length === 1);
  },
});
