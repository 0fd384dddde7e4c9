import assert from 'node:assert/strict';
import { test } from 'node:test';
import { statusView, withStatus, type RootStatus } from '../src/status.ts';

const status = (root: string, toVerify = 0, state: RootStatus['state'] = 'ready'): RootStatus =>
  ({ root, state, text: state === 'ready' ? (toVerify ? `5 memories, ${toVerify} to re-verify` : '5 memories, all fresh') : 'reading memories', memories: 5, toVerify });
const roots = (...all: RootStatus[]): Map<string, RootStatus> => new Map(all.map(one => [one.root, one]));

test('a running server without a store shows nothing', () => assert.equal(statusView('running', roots()), undefined));

test('all fresh, to re-verify, reading, error', () => {
  assert.equal(statusView('running', roots(status('file:///a')))?.text, '$(bookmark) Memory: all fresh');
  assert.equal(statusView('running', roots(status('file:///a', 2)))?.text, '$(bookmark) Memory: 2 to re-verify');
  assert.match(statusView('running', roots(status('file:///a', 0, 'indexing')))?.text ?? '', /spin.*reading/);
  const broken = statusView('running', roots(status('file:///a', 0, 'error'), status('file:///b', 2)));
  assert.ok(broken?.alarming && broken.command === 'memoryLsp.showLog');
});

test('several roots are summed up, the tooltip has each', () => {
  const view = statusView('running', roots(status('file:///w/one%20two/', 1), status('file:///w/b', 3)));
  assert.equal(view?.text, '$(bookmark) Memory: 4 to re-verify');
  assert.equal(view?.tooltip, 'one two: 5 memories, 1 to re-verify\nb: 5 memories, 3 to re-verify');
});

test('a store conflict is told in the server\'s words', () => {
  const view = statusView('running', roots({ ...status('file:///a'), text: '5 memories, store conflict' }));
  assert.equal(view?.text, '$(bookmark) 5 memories, store conflict');
});

test('a server that is missing or stopped can be started by a click', () => {
  for (const state of ['missing', 'stopped'] as const) {
    const view = statusView(state, roots());
    assert.ok(view?.command === 'memoryLsp.restart' && view.alarming);
  }
});

test('a root that closes goes, others stay', () => {
  const both = withStatus(withStatus(new Map(), status('file:///a')), status('file:///b', 1));
  assert.deepEqual([...withStatus(both, status('file:///a', 0, 'closed')).keys()], ['file:///b']);
  assert.equal(both.size, 2);
});
