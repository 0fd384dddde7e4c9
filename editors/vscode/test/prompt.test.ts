import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answered, promptRequest } from '../src/prompt.ts';

const REQUEST = {
  command: 'memoryLsp.server.supersede',
  argument: { memory: 'mem-1', root: 'file:///project' },
  asks: [{ name: 'title', question: 'What is true now?' }, { name: 'statement', question: 'The claim' }],
};

test('answers go into the argument under their names, in order', async () => {
  const asked: unknown[] = [];
  const argument = await answered(REQUEST, async (...question) => {
    asked.push(question);
    return ` answer ${asked.length} `;
  });
  assert.deepEqual(asked, [['What is true now?', 1, 2], ['The claim', 2, 2]]);
  assert.deepEqual(argument, { memory: 'mem-1', root: 'file:///project', title: 'answer 1', statement: 'answer 2' });
  assert.deepEqual(REQUEST.argument, { memory: 'mem-1', root: 'file:///project' });
});

test('what is left empty is left out, so that the record has a placeholder for it', async () => {
  const answers = ['A title', '  '];
  assert.deepEqual(await answered(REQUEST, async () => answers.shift()), { ...REQUEST.argument, title: 'A title' });
});

test('who escapes is asked nothing more, and nothing happens', async () => {
  let asked = 0;
  assert.equal(await answered(REQUEST, async () => { asked += 1; return undefined; }), undefined);
  assert.equal(asked, 1);
});

test('only commands of the server are run, only requests of the right shape are taken', () => {
  assert.deepEqual(promptRequest({ ...REQUEST, more: 1 }), REQUEST);
  for (const wrong of [
    undefined, 'x', [REQUEST], { ...REQUEST, command: 'workbench.action.quit' }, { ...REQUEST, command: 'memoryLsp.server.x.y' },
    { ...REQUEST, argument: [] }, { ...REQUEST, asks: 'x' }, { ...REQUEST, asks: [{ name: 1, question: 'x' }] },
  ]) assert.equal(promptRequest(wrong), undefined);
});
