// A capture into the Kage store: the form is the Markdown part, and an action puts the machine's part in step.
const vscode = require('vscode');
const assert = require('node:assert');
const { action, actions, apply, code, codes, findings, hover, log, open, person, run, status, until } = require('./support.cjs');

let ledger, packet;
const drafts = () => findings(packet).filter(one => code(one) === 'memory-draft');

exports.run = run({
  async 'a capture left empty is a form in the packets'() {
    ledger = await open('ledger/ledger.go');
    await status(/Memory: all fresh/);
    const done = apply(await action(ledger, 'Balance(', 'Capture a memory about Ledger.Balance'));
    await person('answers', { text: '' });
    await person('answers', { text: '' });
    await done;
    packet = await until('the form', () => vscode.workspace.textDocuments.find(one => /agent_memory\/packets/.test(one.uri.fsPath) && one.isDirty));
    await until('its findings', () => drafts().length > 1 && drafts().length === findings(packet).length);
  },
  async 'its placeholders are filled in; the findings say that the packet is still to be finished'() {
    const empty = () => drafts().filter(one => packet.getText(one.range).startsWith('<'));
    for (let left = empty().length; left > 0; left = empty().length) {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(packet.uri, empty()[0].range, 'A balance is summed up on demand');
      await vscode.workspace.applyEdit(edit);
      await until('one placeholder less', () => empty().length < left);
    }
    await until('what is left to do', () => drafts().length > 0 && drafts().every(one => one.message.includes('Finish this memory')));
  },
  async 'an action finishes it; saved, it is a memory'() {
    const finish = await until('the action', async () => {
      await vscode.window.showTextDocument(packet);
      return (await actions(packet, 'A balance is summed up on demand')).find(one => one.title.startsWith('Finish this memory'));
    });
    await apply(finish);
    await packet.save();
    await codes(packet, []);
    await until('the hover', async () => (await hover(ledger, 'Balance(account')).includes('A balance is summed up on demand'));
    const before = 7; // the captures that made the example project
    await until(() => `the audit log, it has ${JSON.stringify(log().slice(before))}`, () => log().slice(before).some(event => event.action === 'capture'));
    assert.ok(!packet.isDirty);
  },
});
