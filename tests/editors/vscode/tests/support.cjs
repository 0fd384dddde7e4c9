// What the tests inside the extension host share. Waits are for what is expected, never for a time.
const vscode = require('vscode');
const fs = require('node:fs');
const path = require('node:path');

exports.file = (...parts) => path.join(process.env.TEST_WORKSPACE, ...parts);

exports.until = async (what, probe, limit = 20000) => {
  let last;
  for (const end = Date.now() + limit; ;) {
    last = await probe();
    if (last) return last;
    if (Date.now() > end) throw new Error(`timeout: ${typeof what === 'function' ? what() : what}`);
    await new Promise(resolve => setTimeout(resolve, 30));
  }
};

let asked = 0;
/** The person at the keyboard (see exthost.mjs): person('answers', { text }), 'escapes', 'picks', 'clicks', 'sees', 'status', 'messages'. */
exports.person = async (act, argument = {}) => {
  const id = ++asked;
  console.log(`@person ${JSON.stringify({ id, act, ...argument })}`);
  const file = path.join(process.env.TEST_ANSWERS, `answer-${id}.json`);
  await exports.until(`the person ${act}`, () => fs.existsSync(file), 30000);
  const answer = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (answer.problem) throw new Error(`the person ${act} ${JSON.stringify(argument)}: ${answer.problem}`);
  return answer.value;
};

/** Waits until the status item's text matches. */
exports.status = async pattern => {
  let last = '';
  return exports.until(() => `status item ${pattern}, it is ${JSON.stringify(last)}`, async () => pattern.test(last = await exports.person('status')));
};

// The packages that this VS Code is made of hold no TypeScript server; a slow start shows its progress.
const FOREIGN = /^VS Code's tsserver was deleted|^Activating Extensions/;

/** All messages that were shown and not dismissed. They are read in the notification center: this mode of the workbench has no toasts. */
exports.messages = async () => {
  await vscode.commands.executeCommand('notifications.showList');
  const all = (await exports.person('messages')).filter(message => !FOREIGN.test(message));
  await vscode.commands.executeCommand('notifications.hideList');
  return all;
};

/** Waits until a message is there and no other one, and dismisses it. (The center shows rows twice while it draws: a second look decides.) */
exports.told = async pattern => {
  let last = [];
  await exports.until(() => `one message, ${pattern}, there are ${JSON.stringify(last)}`,
    async () => (last = await exports.messages()).length === 1 && pattern.test(last[0]));
  await vscode.commands.executeCommand('notifications.clearAll');
  await exports.until('the message is dismissed', async () => (await exports.messages()).length === 0);
  return last[0];
};

exports.open = async name => {
  const document = await vscode.workspace.openTextDocument(path.isAbsolute(name) ? name : exports.file(name));
  await vscode.window.showTextDocument(document);
  return document;
};

/** Our findings of a document. */
exports.findings = document => vscode.languages.getDiagnostics(document.uri).filter(one => one.source === 'memory');

/** A finding's code; the server may link it to a page or a place. */
exports.code = finding => finding.code?.value ?? finding.code;

/** Waits until a document's findings have exactly these codes (sorted), and returns the findings. */
exports.codes = async (document, wanted) => {
  let last = [];
  await exports.until(() => `${path.basename(document.uri.fsPath)} has ${JSON.stringify(wanted)}, it has ${JSON.stringify(last)}`, () => {
    last = exports.findings(document).map(exports.code).sort();
    return JSON.stringify(last) === JSON.stringify(wanted);
  });
  return exports.findings(document);
};

/** The place of WORDS in a document. */
exports.place = (document, words) => {
  const offset = document.getText().indexOf(words);
  if (offset < 0) throw new Error(`${JSON.stringify(words)} is not in ${document.uri.fsPath}:\n${document.getText()}`);
  return document.positionAt(offset);
};

exports.replace = async (document, old, words) => {
  const start = exports.place(document, old);
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(start, document.positionAt(document.offsetAt(start) + old.length)), words);
  if (!await vscode.workspace.applyEdit(edit)) throw new Error('the edit was not applied');
};

exports.hover = async (document, words) => {
  const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, exports.place(document, words));
  return hovers.flatMap(hover => hover.contents.map(content => content.value ?? content)).join('\n');
};

exports.lenses = document => vscode.commands.executeCommand('vscode.executeCodeLensProvider', document.uri, 100);

/** All actions at WORDS. Asked again while empty: VS Code cancels the question when some extension registers a provider meanwhile. */
exports.actions = (document, words) => exports.until(`actions at ${words}`, async () => {
  const at = exports.place(document, words);
  const all = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, new vscode.Range(at, at));
  return all.length > 0 && all;
});

exports.action = async (document, words, title) => {
  let all = [];
  return exports.until(() => `the action "${title}", there are ${JSON.stringify(all.map(one => one.title))}`,
    async () => (all = await exports.actions(document, words)).find(one => one.title.startsWith(title)));
};

/** Does what the menu does with a chosen action; the command's own result comes back. */
exports.apply = async action => {
  if (action.disabled) throw new Error(`"${action.title}" is disabled: ${action.disabled.reason}`);
  if (action.edit && !await vscode.workspace.applyEdit(action.edit)) throw new Error(`the edit of "${action.title}" was not applied`);
  return action.command && vscode.commands.executeCommand(action.command.command, ...action.command.arguments ?? []);
};

exports.log = () => {
  try { return fs.readFileSync(exports.file('.memory-lsp/audit.jsonl'), 'utf8').trim().split('\n').map(line => JSON.parse(line)); } catch { return []; }
};

/** The language servers of this extension host, by process id. */
exports.servers = () => fs.readdirSync('/proc').filter(name => /^\d+$/.test(name)).map(Number).filter(pid => {
  try {
    const parent = Number(/^PPid:\s*(\d+)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);
    const state = /^State:\s*(\w)/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1];
    return parent === process.pid && state !== 'Z' && /memory[-_]lsp/.test(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch { return false; }
});

/** Runs tests one after the other; a failed one does not stop the rest. */
exports.run = tests => async () => {
  console.log(`# VS Code ${vscode.version}, node ${process.version}, appHost ${vscode.env.appHost}, remote ${vscode.env.remoteName ? 'yes' : 'no'}`);
  let passed = 0, failed = 0;
  for (const [name, test] of Object.entries(tests)) {
    const started = Date.now();
    try { await test(); passed++; console.log(`ok - ${name} (${Date.now() - started} ms)`); }
    catch (problem) { failed++; console.log(`not ok - ${name}: ${problem.stack}`); }
  }
  console.log(`${passed} passed, ${failed} failed`);
  if (failed) throw new Error(`${failed} failed`);
};
