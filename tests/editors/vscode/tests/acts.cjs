// The demo's example project in the extension host: what is shown, and every action, with an answer typed in and without one.
const vscode = require('vscode');
const assert = require('node:assert');
const fs = require('node:fs');
const { action, actions, apply, code, codes, file, findings, hover, lenses, log, open, person, place, replace, run, status, told, until } = require('./support.cjs');

const GATEWAY = 'payments/gateway.py', CHARGE = 'charge(self', LOOP = 'range(MAX_ATTEMPTS)';
const EVIDENCE = 'read the log of 12 June';
let gateway;

/** Whether a text is the record with a title (which is quoted where YAML wants it). */
const titled = (text, title) => text.includes(`\ntitle: ${title}`) || text.includes(`\ntitle: "${title}`);

const record = title => {
  const name = fs.readdirSync(file('.memory')).find(one => one.endsWith('.md') && titled(fs.readFileSync(file('.memory', one), 'utf8'), title));
  assert.ok(name, `no record "${title}"`);
  return vscode.workspace.openTextDocument(file('.memory', name));
};

const shown = title => until(`the record "${title}" is shown`, () => titled(vscode.window.activeTextEditor?.document.getText() ?? '', title));

/** Changes the retry loop of `charge` by a new amount, and saves it. */
let amount = 0;
async function change() {
  const old = amount ? `range(MAX_ATTEMPTS + ${amount})` : LOOP;
  await replace(gateway, old, `range(MAX_ATTEMPTS + ${++amount})`);
  await gateway.save();
}

exports.run = run({
  async 'a store activates the extension'() {
    await until('activation', () => vscode.extensions.getExtension('memory-lsp.memory-lsp')?.isActive);
  },
  async 'the status item says that all is fresh'() {
    await status(/Memory: all fresh/);
  },
  async 'an edit that is not saved yet: a finding on the name, in UTF-16 units'() {
    gateway = await open(GATEWAY);
    await codes(gateway, []);
    await replace(gateway, LOOP, 'range(MAX_ATTEMPTS + 9)');
    const [finding] = await codes(gateway, ['memory-changed']);
    const start = place(gateway, CHARGE);
    assert.deepStrictEqual(finding.range, new vscode.Range(start, start.translate(0, 'charge'.length)));
    assert.strictEqual(finding.severity, vscode.DiagnosticSeverity.Information);
    assert.match(finding.message, /changed/);
    assert.match(finding.relatedInformation[0].location.uri.fsPath, /\.memory\/.+\.md$/);
  },
  async 'the status item counts it'() {
    await status(/Memory: 1 to re-verify/);
  },
  async 'hover tells the claim and the change'() {
    const text = await hover(gateway, CHARGE);
    assert.match(text, /at most three times/);
    assert.match(text, /MAX\\?_ATTEMPTS \+ 9/);
    assert.match(text, /The processor bills what it has accepted/);
  },
  async 'nothing where there is no memory: no hover, no action for an automatic request'() {
    assert.strictEqual(await hover(gateway, 'class PaymentFailed'), '');
  },
  async 'a lens above the name'() {
    const titles = (await lenses(gateway)).map(lens => lens.command.title);
    assert.ok(titles.includes('1 memory, 1 to re-verify'), JSON.stringify(titles));
  },
  async 'while the file is not saved, the actions that take fingerprints are one that saves it'() {
    const titles = (await actions(gateway, CHARGE)).map(one => one.title.replace(/:.*/, ''));
    assert.deepStrictEqual(titles.sort(), ['Compare then and now', 'Does not apply, retire', 'Open memory', 'Save payments/gateway.py first']);
    const text = gateway.getText();
    await apply(await action(gateway, CHARGE, 'Save payments/gateway.py first'));
    assert.ok(!gateway.isDirty);
    assert.strictEqual(fs.readFileSync(gateway.uri.fsPath, 'utf8'), text);
  },
  async 'the actions on a finding; none of them is preferred'() {
    const all = await until('all actions', async () => {
      const offered = await actions(gateway, CHARGE);
      return offered.some(one => one.title.startsWith('Still true')) && offered;
    });
    const titles = all.filter(one => one.kind.value === 'quickfix').map(one => one.title.replace(/:.*/, ''));
    assert.deepStrictEqual(titles.sort(), ['Compare then and now', 'Does not apply, retire', 'No longer true, supersede', 'Open memory', 'Still true, re-verify']);
    assert.ok(all.every(one => !one.isPreferred));
  },
  async 'compare then and now opens the diff editor'() {
    await apply(await action(gateway, CHARGE, 'Compare then and now'));
    const tab = await until('a diff tab', () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.input instanceof vscode.TabInputTextDiff && activeTab;
    });
    assert.match(tab.label, /Gateway\.charge \(gateway\.py\)/);
    const [then, now] = await Promise.all([tab.input.original, tab.input.modified].map(uri => vscode.workspace.openTextDocument(uri)));
    assert.ok(then.getText().includes(LOOP) && now.getText().includes('range(MAX_ATTEMPTS + 9)'));
    assert.deepStrictEqual([then.languageId, now.languageId], ['python', 'python']);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  },
  async 'the same by the command, at the cursor'() {
    const editor = await vscode.window.showTextDocument(gateway);
    editor.selection = new vscode.Selection(place(gateway, CHARGE), place(gateway, CHARGE));
    await vscode.commands.executeCommand('memoryLsp.compare');
    await until('a diff tab', () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  },
  async 'the list of what is to be re-verified opens the record'() {
    const listing = vscode.commands.executeCommand('memoryLsp.review');
    const [row, ...more] = await person('picks', { text: 'Three attempts' });
    assert.deepStrictEqual(more, []);
    assert.match(row, /changed/);
    await listing;
    await shown('Three attempts');
  },
  async 'an edit taken back: nothing is left'() {
    await replace(gateway, 'range(MAX_ATTEMPTS + 9)', LOOP);
    await codes(gateway, []);
    await status(/Memory: all fresh/);
    await gateway.save();
  },
  async 'still true, with evidence typed in: verified, and in the audit log once saved'() {
    await change();
    await codes(gateway, ['memory-changed']);
    const done = apply(await action(gateway, CHARGE, 'Still true'));
    assert.match(await person('answers', { text: EVIDENCE }), /What did you check/);
    await done;
    const document = await record('Three attempts');
    await until('the evidence in the record', () => document.getText().includes(EVIDENCE));
    assert.ok(document.isDirty, 'the editor writes the record, not the server');
    await until('the record is shown', () => vscode.window.activeTextEditor?.document === document);
    await codes(gateway, []);
    await document.save();
    await until('the audit log', () => log().some(event => event.action === 'verify'));
  },
  async 'escape: nothing happens'() {
    await change();
    await codes(gateway, ['memory-changed']);
    const done = apply(await action(gateway, CHARGE, 'Still true'));
    await person('escapes');
    await done;
    assert.ok(!(await record('Three attempts')).isDirty);
    await codes(gateway, ['memory-changed']);
  },
  async 'still true, left empty: the record is the form'() {
    const done = apply(await action(gateway, CHARGE, 'Still true'));
    await person('answers', { text: '' });
    await done;
    const document = await record('Three attempts');
    await codes(document, ['memory-changed', 'memory-draft']);
    await codes(gateway, ['memory-changed', 'memory-draft']);
    const draft = findings(document).find(one => code(one) === 'memory-draft');
    assert.match(document.getText(draft.range), /^<evidence:/);
    await replace(document, document.getText(draft.range), 'looked at the retry loop');
    await codes(document, []);
    await document.save();
    await codes(gateway, []);
  },
  async 'capture, with the claim typed in'() {
    const done = apply(await action(gateway, 'def idempotency_key', 'Capture a memory about idempotency_key'));
    await person('answers', { text: 'One order, one key' });
    await person('answers', { text: 'The key is made of the order alone.' });
    await done;
    const document = await until('the new record', () => vscode.workspace.textDocuments.find(one => one.getText().includes('One order, one key')));
    assert.match(document.uri.fsPath, /\.memory\/.+\.md$/);
    assert.match(document.getText(), /path: payments\/gateway\.py\n +symbol: idempotency_key/);
    await document.save();
    await codes(document, []);
    await until('the hover', async () => (await hover(gateway, 'idempotency_key(order: Order)')).includes('One order, one key'));
    await until('the audit log', () => log().some(event => event.action === 'capture' && event.reason !== undefined));
  },
  async 'capture by the command, left empty: a form whose placeholders are findings'() {
    const editor = await vscode.window.showTextDocument(gateway);
    editor.selection = new vscode.Selection(place(gateway, 'key = idempotency_key'), place(gateway, 'key = idempotency_key'));
    const done = vscode.commands.executeCommand('memoryLsp.capture');
    await person('answers', { text: '' });
    await person('answers', { text: '' });
    await done;
    const document = await until('a form', () => vscode.workspace.textDocuments.find(one => one.isDirty && one.getText().includes('<title:')));
    await until('its findings', () => findings(document).length > 1 && findings(document).every(one => code(one) === 'memory-draft'));
    for (let left = findings(document).length; left > 0; left = findings(document).length) {
      const [draft] = findings(document);
      assert.strictEqual(code(draft), 'memory-draft', `${draft.message}\n${document.getText()}`);
      await replace(document, document.getText(draft.range), 'Written in the record');
      await until('one finding less', () => findings(document).length < left);
    }
    await document.save();
  },
  async 'a lens on two memories asks which one is meant'() {
    const lens = await until('a lens on two memories', async () =>
      (await lenses(gateway)).find(one => one.command.title.startsWith('2 memories')));
    const done = vscode.commands.executeCommand(lens.command.command, ...lens.command.arguments);
    const rows = await person('picks', { text: 'Three attempts' });
    assert.strictEqual(rows.length, 2);
    await done;
    await shown('Three attempts');
  },
  async 'open memory shows the record'() {
    await vscode.window.showTextDocument(gateway);
    await apply(await action(gateway, 'idempotency_key(order: Order)', 'Open memory: One order, one key'));
    await shown('One order, one key');
  },
  async 'no longer true, with the new claim typed in: the old record names the new one'() {
    const document = await open('payments/retry.py');
    await replace(document, 'LONGEST_PAUSE)', 'LONGEST_PAUSE * 2)');
    await document.save();
    await codes(document, ['memory-changed']);
    const done = apply(await action(document, 'backoff(attempt', 'No longer true'));
    await person('answers', { text: 'The longest pause is sixteen seconds' });
    await person('answers', { text: '`backoff` never waits longer than 16 seconds.' });
    await done;
    const old = await record('The longest pause is eight seconds');
    await until('the old record is superseded', () => /superseded/.test(old.getText()));
    const next = await until('the new record', () => vscode.workspace.textDocuments.find(one => one.getText().includes('sixteen seconds') && one !== old));
    await Promise.all([old.save(), next.save()]);
    await codes(document, []);
    const told = () => log().filter(event => /supersede/.test(event.action + event.reason)).map(event => event.action).sort();
    await until(() => `both in the audit log, it has ${JSON.stringify(told())}, saved: ${!old.isDirty} ${!next.isDirty}`, () => JSON.stringify(told()) === '["capture","supersede"]');
  },
  async 'a definition moves: point the citation at it'() {
    const [retry, timing] = [await open('payments/retry.py'), await open('payments/timing.py')];
    const text = retry.getText(), start = text.indexOf('def backoff('), end = text.indexOf('def worth_retrying(');
    const moved = text.slice(start, end).trimEnd();
    await replace(retry, text.slice(start, end), '');
    await replace(timing, 'CHECKOUT_PATIENCE = 30.0\n', `CHECKOUT_PATIENCE = 30.0\nLONGEST_PAUSE = 8.0\n\n\n${moved}\n`);
    await Promise.all([retry.save(), timing.save()]);
    const place = await until('memory-moved', () => [retry, timing].find(document => findings(document).some(one => code(one) === 'memory-moved')));
    const follow = await action(place, place.getText(findings(place)[0].range), 'Point the citation at payments/timing.py#backoff');
    await apply(follow);
    const document = await record('The longest pause is sixteen seconds');
    await until('the new address', () => document.getText().includes('path: payments/timing.py'));
    await document.save();
    await Promise.all([codes(retry, []), codes(timing, [])]);
  },
  async 'does not apply, with the reason typed in, on a finding in the record'() {
    const checkout = await open('web/src/checkout.ts');
    await replace(checkout, 'disabled = true', 'disabled = !basket.cents');
    await checkout.save();
    const document = await record('Disable the button before the request');
    await vscode.window.showTextDocument(document);
    const [finding] = await codes(document, ['memory-changed']);
    assert.strictEqual(finding.severity, vscode.DiagnosticSeverity.Warning);
    const done = apply(await action(document, document.getText(finding.range), 'Does not apply'));
    await person('answers', { text: 'The button is gone' });
    await done;
    await until('the reason in the record', () => document.getText().includes('The button is gone'));
    await document.save();
    await codes(checkout, []);
    await until('the audit log', () => log().some(event => event.action === 'retire'));
  },
  async 'what the server refuses is said once'() {
    await vscode.commands.executeCommand('memoryLsp.server.open', { memory: 'mem-nobody' });
    await told(/Memory: .*mem-nobody/);
  },
});
