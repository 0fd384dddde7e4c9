// A workspace that nobody trusts: it brings a program that is called memory-lsp and settings that name another one. Both only leave a mark.
const vscode = require('vscode');
const assert = require('node:assert');
const fs = require('node:fs');
const { codes, file, findings, messages, open, person, replace, run, servers, status, until } = require('./support.cjs');

const marks = () => fs.readdirSync(file('..')).filter(name => name.startsWith('mark-'));
let gateway;

exports.run = run({
  async 'the workspace is not trusted, the extension works'() {
    assert.strictEqual(vscode.workspace.isTrusted, false);
    await until('activation', () => vscode.extensions.getExtension('memory-lsp.memory-lsp')?.isActive);
    await status(/Memory: all fresh/);
  },
  async 'findings, and actions'() {
    gateway = await open('payments/gateway.py');
    await replace(gateway, 'range(MAX_ATTEMPTS)', 'range(MAX_ATTEMPTS + 2)');
    await codes(gateway, ['memory-changed']);
  },
  async 'nothing of the workspace was started'() {
    assert.deepStrictEqual(marks(), []);
    assert.strictEqual(servers().length, 1);
  },
  async 'the project\'s file sets severities and nothing else, the folder\'s settings neither'() {
    // .memory-lsp/config.toml names an actor and makes the finding a warning; .vscode/settings.json switches polling off.
    assert.strictEqual(findings(gateway)[0].severity, vscode.DiagnosticSeverity.Warning);
    assert.strictEqual(vscode.workspace.getConfiguration('memoryLsp').get('poll'), 2);
    assert.deepStrictEqual(await messages(), []);
  },
  async 'once it is trusted, its own settings decide: the server is started anew'() {
    const [before] = servers();
    void vscode.commands.executeCommand('workbench.trust.manage');
    await person('clicks', { selector: '.workspace-trust-editor .monaco-button:has-text("Trust")' });
    await until('trust', () => vscode.workspace.isTrusted);
    await until('the mark', () => marks().includes('mark-setting'));
    await until('another server', () => !servers().includes(before));
  },
});
