import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Restarts } from '../src/restarts.ts';
import { versionProblem } from '../src/version.ts';
import { memoryItems } from '../src/memories.ts';

test('versions that differ in the last number only fit together', () => {
  assert.equal(versionProblem('0.1.0', '0.1.7'), undefined);
  assert.equal(versionProblem('1.4.0', '1.4.0rc1'), undefined);
});

test('the message says which one to update', () => {
  assert.match(versionProblem('0.2.0', '0.1.9') ?? '', /older.*update the server/);
  assert.match(versionProblem('0.2.0', '0.3.0') ?? '', /newer.*update the extension/);
  assert.match(versionProblem('1.0.0', '0.9.0') ?? '', /older/);
  assert.match(versionProblem('0.9.0', '1.0.0') ?? '', /newer/);
  assert.match(versionProblem('0.1.0', undefined) ?? '', /does not tell its version.*0\.1/);
});

test('a server that dies is started three times within three minutes', () => {
  const restarts = new Restarts();
  const minute = 60_000;
  assert.deepEqual([0, 1, 2, 3].map(moment => restarts.allowed(moment)), [true, true, true, false]);
  restarts.forget();
  assert.ok(restarts.allowed(10));
  const slow = new Restarts();
  assert.deepEqual([0, 1, 2, 3, 4, 5].map(moment => slow.allowed(moment * minute)), [true, true, true, true, true, true]);
});

test('a row has the claim, the id, how it stands and where its record is', () => {
  const memory = { memory: 'mem-1', title: 'Three attempts', path: '.memory/a.md', status: 'approved', verdict: 'changed', served: 'withheld', reason: 'body', root: 'file:///p', uri: 'file:///p/.memory/a.md', line: 0 };
  const [changed, fresh, pending] = memoryItems([memory, { ...memory, verdict: 'fresh', served: 'served', reason: '' }, { ...memory, status: 'pending', verdict: 'fresh', reason: '' }]);
  assert.deepEqual([changed?.label, changed?.description, changed?.detail], ['$(warning) Three attempts', 'mem-1', 'changed: body · .memory/a.md']);
  assert.deepEqual([fresh?.label, fresh?.detail], ['$(pass) Three attempts', 'fresh · .memory/a.md']);
  assert.equal(pending?.detail, 'pending, fresh · .memory/a.md');
});
