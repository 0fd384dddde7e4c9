// Two workspace folders, each with its own store: one server, findings in both, the status is their sum.
const vscode = require('vscode');
const assert = require('node:assert');
const { codes, messages, open, person, replace, run, servers, status, until } = require('./support.cjs');

const inFolder = (index, name) => vscode.Uri.joinPath(vscode.workspace.workspaceFolders[index].uri, name).fsPath;
let first, second;

exports.run = run({
  async 'a store in any folder activates the extension'() {
    assert.strictEqual(vscode.workspace.workspaceFolders.length, 2);
    await until('activation', () => vscode.extensions.getExtension('memory-lsp.memory-lsp')?.isActive);
    await status(/Memory: all fresh/);
  },
  async 'findings in both folders'() {
    first = await open(inFolder(0, 'payments/gateway.py'));
    await replace(first, 'range(MAX_ATTEMPTS)', 'range(MAX_ATTEMPTS + 2)');
    second = await open(inFolder(1, 'payments/retry.py'));
    await replace(second, 'LONGEST_PAUSE)', 'LONGEST_PAUSE * 2)');
    await codes(first, ['memory-changed']);
    await codes(second, ['memory-changed']);
  },
  async 'one server, and a status that is their sum'() {
    assert.strictEqual(servers().length, 1);
    await status(/Memory: 2 to re-verify/);
  },
  async 'the list holds both'() {
    const listing = vscode.commands.executeCommand('memoryLsp.review');
    const rows = await person('picks', { text: 'The longest pause' });
    assert.strictEqual(rows.length, 2);
    await listing;
    await until('the record in the second folder', () => vscode.window.activeTextEditor?.document.uri.fsPath.startsWith(inFolder(1, '.memory')));
  },
  async 'a folder that is removed takes its findings with it'() {
    vscode.workspace.updateWorkspaceFolders(1, 1);
    await codes(second, []);
    await status(/Memory: 1 to re-verify/);
    await codes(first, ['memory-changed']);
  },
  async 'a folder that is added brings its own'() {
    vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(second.uri.fsPath.replace(/\/payments\/retry\.py$/, '')) });
    await codes(second, ['memory-changed']);
    await status(/Memory: 2 to re-verify/);
    assert.deepStrictEqual(await messages(), []);
  },
});
