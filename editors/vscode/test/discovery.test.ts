import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { findServer, installCommand, type Surroundings } from '../src/discovery.ts';

const FOLDER = path.resolve('/project');
const inside = (...parts: string[]): string => path.join(FOLDER, ...parts);

function around(executables: string[], more: Partial<Surroundings> = {}): Surroundings {
  return {
    configured: [],
    trusted: true,
    folders: [FOLDER],
    chosenEnvironment: async () => undefined,
    searchPath: ['/usr/bin', '/home/ada/bin'].join(path.delimiter),
    windows: false,
    isExecutable: file => executables.includes(file),
    ...more,
  };
}

test('the setting comes first', async () => {
  const found = await findServer(around(['/opt/it', inside('.venv/bin/memory-lsp')], { configured: ['/opt/it', 'serve', '--log-level', 'debug'] }));
  assert.deepEqual(found, { found: true, command: '/opt/it', arguments: ['serve', '--log-level', 'debug'], origin: 'the setting memoryLsp.command' });
});

test('a setting without arguments serves, a name is found on the PATH, ${workspaceFolder} is the first folder', async () => {
  const named = await findServer(around(['/usr/bin/memory-lsp'], { configured: ['memory-lsp'] }));
  assert.deepEqual(named.found && [named.command, named.arguments], ['/usr/bin/memory-lsp', ['serve']]);
  const own = await findServer(around([inside('tools/python')], { configured: ['${workspaceFolder}/tools/python', '-m', 'memory_lsp', 'serve'] }));
  assert.deepEqual(own.found && [own.command, own.arguments], [inside('tools/python'), ['-m', 'memory_lsp', 'serve']]);
});

test('a setting that names nothing is told, and nothing else is tried', async () => {
  for (const command of ['/opt/gone', 'nowhere', './relative']) {
    const found = await findServer(around(['/usr/bin/memory-lsp', inside('relative')], { configured: [command] }));
    assert.ok(!found.found);
    assert.match(found.problem, /memoryLsp\.command/);
    assert.ok(found.problem.includes(command));
  }
});

test('the workspace\'s environment comes before the PATH, .venv before venv', async () => {
  const found = await findServer(around(['/usr/bin/memory-lsp', inside('venv/bin/memory-lsp'), inside('.venv/bin/memory-lsp')]));
  assert.ok(found.found && found.command === inside('.venv/bin/memory-lsp'));
  const second = await findServer(around(['/usr/bin/memory-lsp', inside('venv/bin/memory-lsp')]));
  assert.ok(second.found && second.command === inside('venv/bin/memory-lsp'));
});

test('an untrusted workspace\'s environment is not used', async () => {
  const executables = ['/usr/bin/memory-lsp', inside('.venv/bin/memory-lsp'), inside('.venv/bin/python')];
  const found = await findServer(around(executables, { trusted: false, chosenEnvironment: async () => inside('.venv') }));
  assert.ok(found.found && found.command === '/usr/bin/memory-lsp' && found.origin === 'the PATH');
  const none = await findServer(around(executables.slice(1), { trusted: false }));
  assert.ok(!none.found && none.problem.includes('untrusted') && none.install === 'pipx install memory-lsp');
});

test('what the Python extension has chosen is an interpreter or a folder', async () => {
  for (const chosen of ['/envs/a', '/envs/a/bin/python', '/envs/a/bin/python3.12']) {
    const found = await findServer(around(['/envs/a/bin/memory-lsp'], { chosenEnvironment: async () => chosen }));
    assert.ok(found.found && found.command === path.join('/envs/a/bin/memory-lsp'), chosen);
  }
});

test('relative entries of the PATH name programs of the workspace: they are left out', async () => {
  const searchPath = ['', '.', 'bin'].join(path.delimiter);
  const found = await findServer(around(['memory-lsp', 'bin/memory-lsp', './memory-lsp'], { searchPath }));
  assert.ok(!found.found);
});

test('without a server the message says where it was looked for and what installs it', async () => {
  const none = await findServer(around([]));
  assert.ok(!none.found);
  assert.match(none.problem, /not installed: not in this workspace's Python environment \(\.venv, venv\), not on the PATH/);
  assert.equal(none.install, 'pipx install memory-lsp');
});

test('the install command uses the workspace\'s own environment, quoted where it must be', async () => {
  assert.equal(await installCommand(around([inside('.venv/bin/python')])), `${inside('.venv/bin/python')} -m pip install memory-lsp`);
  const spaced = path.resolve("/my project's");
  const python = path.join(spaced, 'venv/bin/python');
  assert.equal(await installCommand(around([python], { folders: [spaced] })), `'${python.replace("'", "'\\''")}' -m pip install memory-lsp`);
  assert.equal(await installCommand(around(['/envs/a/bin/python'], { chosenEnvironment: async () => '/envs/a' })), '/envs/a/bin/python -m pip install memory-lsp');
});

test('on Windows programs end in .exe and lie in Scripts', async () => {
  const file = path.join(FOLDER, '.venv', 'Scripts', 'memory-lsp.exe');
  const found = await findServer(around([file], { windows: true }));
  assert.ok(found.found && found.command === file);
  const onPath = await findServer(around(['/usr/bin/memory-lsp.exe'], { windows: true }));
  assert.ok(onPath.found && onPath.command === '/usr/bin/memory-lsp.exe');
});
