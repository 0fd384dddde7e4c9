// What can be wrong with the server. Each time one clear message, and nothing else breaks.
const vscode = require('vscode');
const assert = require('node:assert');
const fs = require('node:fs');
const { codes, file, messages, open, replace, run, servers, status, told, until } = require('./support.cjs');

const GOOD = JSON.parse(process.env.TEST_SERVER);
const settings = () => vscode.workspace.getConfiguration('memoryLsp');
const use = command => settings().update('command', command, vscode.ConfigurationTarget.Workspace);

/** The server, saying that it is of another version. */
const ofVersion = version => [...GOOD.slice(0, GOOD.indexOf('-m')), '-c',
  `import sys, memory_lsp; memory_lsp.__version__ = '${version}'; sys.argv = ['memory-lsp', 'serve']; from memory_lsp.__main__ import main; sys.exit(main())`];

function program(name, text) {
  const path = file('..', name);
  fs.writeFileSync(path, text, { mode: 0o755 });
  return path;
}

exports.run = run({
  async 'no server: the message says where it was looked for and what installs it, once'() {
    await until('activation', () => vscode.extensions.getExtension('memory-lsp.memory-lsp')?.isActive);
    await status(/Memory: no server/);
    const message = await told(/not installed: not in this workspace's Python environment \(\.venv, venv\), not on the PATH/);
    assert.match(message, /Install it with: pipx install memory-lsp/);
    await open('payments/gateway.py');
    assert.deepStrictEqual(await messages(), []);
  },
  async 'the install command is copied by a command'() {
    await vscode.commands.executeCommand('memoryLsp.copyInstallCommand');
    await until('the clipboard', async () => (await vscode.env.clipboard.readText()) === 'pipx install memory-lsp');
  },
  async 'a command of the extension without a server says so'() {
    void vscode.commands.executeCommand('memoryLsp.review');
    await told(/Memory: the server is not running/);
  },
  async 'the restart command looks again: the workspace\'s own environment has it now'() {
    fs.mkdirSync(file('.venv/bin'), { recursive: true });
    fs.writeFileSync(file('.venv/bin/memory-lsp'), `#!/bin/sh\nexec ${GOOD.map(part => `'${part}'`).join(' ')}\n`, { mode: 0o755 });
    await vscode.commands.executeCommand('memoryLsp.restart');
    await status(/Memory: all fresh/);
    assert.strictEqual(servers().length, 1);
    assert.deepStrictEqual(await messages(), []);
  },
  async 'a setting that names no program'() {
    await use(['/nowhere/memory-lsp', 'serve']);
    await told(/the setting memoryLsp\.command names "\/nowhere\/memory-lsp", which is no program here/);
    await status(/Memory: no server/);
  },
  async 'a crash at the start: the message has its last words'() {
    await use([program('crashes', '#!/bin/sh\necho "No module named memory_lsp" >&2\nexit 1\n')]);
    await told(/Memory: the server did not start \(.*crashes\): No module named memory_lsp/);
    await status(/Memory: stopped/);
  },
  async 'a program that is no language server'() {
    await use([program('babbles', '#!/bin/sh\necho "Usage: python [options]"\nexit 0\n')]);
    await told(/Memory: the server did not start \(.*babbles\)/);
    await status(/Memory: stopped/);
  },
  async 'a file that cannot be started'() {
    await use([program('broken', '#!/nowhere/python3\n')]);
    await told(/Memory: the server did not start \(.*broken\)/);
    await status(/Memory: stopped/);
  },
  async 'an old server: the message says to update the server, and it works as far as it can'() {
    await use(ofVersion('0.0.9'));
    await told(/memory-lsp 0\.0\.9 is older than this extension .*: update the server/);
    await status(/Memory: all fresh/);
  },
  async 'a newer server: the message says to update the extension'() {
    await use(ofVersion('0.2.0'));
    await told(/memory-lsp 0\.2\.0 is newer than this extension .*: update the extension/);
  },
  async 'a server that never answers: the restart command and the setting still work'() {
    await use([program('silent', '#!/bin/sh\nexec sleep 600\n')]);
    await status(/^Memory$/);
  },
  async 'the right setting again: all is well'() {
    await use(GOOD);
    await status(/Memory: all fresh/);
    const gateway = await open('payments/gateway.py');
    await replace(gateway, 'range(MAX_ATTEMPTS)', 'range(MAX_ATTEMPTS + 2)');
    await codes(gateway, ['memory-changed']);
    assert.deepStrictEqual(await messages(), []);
  },
});
