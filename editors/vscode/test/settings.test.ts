import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { chosenSettings, serverSettings, type Configuration } from '../src/settings.ts';

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

function configuration(chosen: Record<string, Record<string, unknown>>): Configuration {
  return {
    get: name => Object.assign({}, ...Object.values(chosen[name] ?? {}).map(value => ({ value })))['value'],
    inspect: name => ({ defaultValue: 'the default', ...chosen[name] }),
  };
}

test('the server is told its own settings only', () => {
  const names = serverSettings(manifest.contributes.configuration.properties);
  assert.ok(names.includes('severity') && names.includes('actor'));
  assert.ok(!names.includes('command') && !names.includes('trace.server'));
});

test('a default is not told, it would win over the project\'s file', () => {
  assert.deepEqual(chosenSettings(['actor', 'poll'], configuration({})), {});
});

test('what is chosen in any scope is told, false and zero too', () => {
  const found = chosenSettings(['actor', 'poll', 'store'], configuration({
    actor: { globalValue: 'human:ada' }, poll: { workspaceValue: 0 }, store: { globalValue: 'okf', workspaceFolderValue: 'kage' },
  }));
  assert.deepEqual(found, { actor: 'human:ada', poll: 0, store: 'kage' });
});
