// How the extension lives: settings that change, a server that dies, the restart command.
const vscode = require('vscode');
const assert = require('node:assert');
const fs = require('node:fs');
const { codes, file, findings, messages, open, replace, run, servers, status, told, until } = require('./support.cjs');

let gateway;

exports.run = run({
  async 'a cited function changes'() {
    gateway = await open('payments/gateway.py');
    await replace(gateway, 'range(MAX_ATTEMPTS)', 'range(MAX_ATTEMPTS + 2)');
    await gateway.save();
    await codes(gateway, ['memory-changed']);
    await status(/Memory: 1 to re-verify/);
  },
  async 'settings: a code is switched off and on again'() {
    const settings = vscode.workspace.getConfiguration('memoryLsp');
    await settings.update('severity', { 'memory-changed': 'off' }, vscode.ConfigurationTarget.Workspace);
    await codes(gateway, []);
    await settings.update('severity', { 'memory-changed': { code: 'error' } }, vscode.ConfigurationTarget.Workspace);
    const [finding] = await codes(gateway, ['memory-changed']);
    assert.strictEqual(finding.severity, vscode.DiagnosticSeverity.Error);
    await settings.update('severity', undefined, vscode.ConfigurationTarget.Workspace);
    await until('the default again', () => findings(gateway)[0]?.severity === vscode.DiagnosticSeverity.Information);
  },
  async 'what only the project\'s file says holds: a default of the editor does not win over it'() {
    fs.writeFileSync(file('.memory-lsp/config.toml'), '[severity]\nmemory-changed = "off"\n');
    await codes(gateway, []);
    fs.rmSync(file('.memory-lsp/config.toml'));
    await codes(gateway, ['memory-changed']);
  },
  async 'the server dies: it is started again, findings come back'() {
    const [pid, ...more] = servers();
    assert.deepStrictEqual(more, []);
    process.kill(pid, 'SIGKILL');
    await until('another server', () => { const now = servers(); return now.length === 1 && now[0] !== pid; });
    await status(/Memory: 1 to re-verify/);
    await codes(gateway, ['memory-changed']);
    assert.deepStrictEqual(await messages(), []);
  },
  async 'the restart command makes a new server'() {
    const [pid] = servers();
    await vscode.commands.executeCommand('memoryLsp.restart');
    await until('another server', () => { const now = servers(); return now.length === 1 && now[0] !== pid; });
    await codes(gateway, ['memory-changed']);
  },
  async 'a server that dies again and again: one message, and the restart command still works'() {
    for (let turn = 0; turn < 4; turn++) {
      const [pid] = await until('a server', () => { const now = servers(); return now.length === 1 && now; });
      await status(/Memory: 1 to re-verify/);
      process.kill(pid, 'SIGKILL');
      await until('it is gone', () => !servers().includes(pid));
    }
    await status(/Memory: stopped/);
    await told(/Memory: the server ended again and again/);
    assert.deepStrictEqual(servers(), []);
    await vscode.commands.executeCommand('memoryLsp.restart');
    await status(/Memory: 1 to re-verify/);
    await codes(gateway, ['memory-changed']);
  },
  async 'no server is left behind'() {
    assert.strictEqual(servers().length, 1);
  },
});
