#!/usr/bin/env node
// The packaged extension in the workbench, used as a person would, in Chromium; screenshots are kept.
import fs from 'node:fs';
import path from 'node:path';
import { commandLine, main } from './workbench.mjs';

const usage = `usage: person.mjs --vscode DIR --playwright DIR --vsix FILE --workspace DIR --out DIR
  --vscode      what get-vscode-server.sh printed
  --playwright  what get-browser.sh printed
  --vsix        the packaged extension
  --workspace   the example project (a copy of it is opened)
  --out         where screenshots go: vscode-*.png, and failure.png
  --setting     KEY=VALUE, VALUE in JSON or a plain string; any number of them
  --timeout     seconds for the whole run (default 240)
Exit codes: 0 passed, 1 failed, 2 usage, 3 server or browser did not come up, 124 timeout.`;

const options = commandLine(usage, { out: { type: 'string' } });
// For the pictures: room for what they show.
Object.assign(options.settings, { 'editor.minimap.enabled': false, 'editor.hover.above': false });
const STATUS = '[id="memory-lsp.memory-lsp.memoryLsp.status"]';

class Editor {
  constructor(page, run) { Object.assign(this, { page, run, passed: 0 }); }

  ok(what) { this.passed++; this.run.ok(what); }

  /** Waits until a Playwright selector is visible. */
  async sees(what, selector, timeout = 30000) {
    await this.page.locator(selector).first().waitFor({ state: 'visible', timeout });
    this.ok(what);
  }

  /** Waits until PROBE() answers something true. */
  async until(what, probe, timeout = 15000) {
    for (const end = Date.now() + timeout; !await probe();) {
      if (Date.now() > end) throw new Error(`timeout: ${what}`);
      await new Promise(resolve => setTimeout(resolve, 50));
    }
    this.ok(what);
  }

  press(keys) { return this.page.keyboard.press(keys); }

  /** Opens a file of the workspace by name, through quick open. */
  async open(name) {
    await this.press('Control+p');
    await this.page.locator('.quick-input-widget input').first().waitFor({ state: 'visible' });
    await this.page.keyboard.type(name);
    await this.page.locator(`.quick-input-list .monaco-list-row:has-text("${name}")`).first().waitFor({ timeout: 30000 });
    await this.press('Enter');
    await this.sees(`${name} is open`, `.tab.active:has-text("${name}")`);
  }

  /** Runs a command from the palette. */
  async command(title) {
    await this.press('F1');
    const input = this.page.locator('.quick-input-widget input').first();
    await input.waitFor({ state: 'visible' });
    await input.fill(`>${title}`);
    await this.page.locator(`.quick-input-list .monaco-list-row:has-text("${title}")`).first().click();
  }

  /** Goes to a line and column (from 1). */
  async goTo(line, column = 1) {
    await this.press('Control+g');
    await this.page.locator('.quick-input-widget input').first().waitFor({ state: 'visible' });
    await this.page.keyboard.type(`${line}:${column}`);
    await this.press('Enter');
  }

  /** The rows of the Problems panel: one for the file, one for each finding. */
  async problems() {
    return (await this.page.locator('.markers-panel .monaco-list-row').allInnerTexts()).map(text => text.replace(/\s+/g, ' '));
  }

  async status() { return (await this.page.locator(STATUS).allInnerTexts())[0] ?? ''; }

  read(...name) { return fs.readFileSync(path.join(this.run.workspace, ...name), 'utf8'); }

  /** A picture of the window, taken when nothing moves any more. */
  async shot(name, clip) {
    await this.page.waitForTimeout(400);
    await this.page.screenshot({ path: path.join(options.out, `${name}.png`), ...(clip ? { clip } : {}) });
  }
}

async function scenario(editor) {
  const { page } = editor;
  const lines = editor.read('payments/gateway.py').split('\n');
  const charge = lines.findIndex(line => line.includes('def charge(')) + 1, loop = lines.findIndex(line => line.includes('range(MAX_ATTEMPTS)')) + 1;
  await editor.press('Control+b'); // the side bar goes

  await editor.open('gateway.py');
  await editor.until('the status item says that all is fresh', async () => /all fresh/.test(await editor.status()), 30000);
  await editor.sees('a lens above the cited function', '.codelens-decoration:has-text("1 memory")');

  await editor.goTo(loop, lines[loop - 1].indexOf('MAX_ATTEMPTS') + 1);
  await editor.press('Control+Shift+ArrowRight');
  await page.keyboard.type('5');
  await editor.goTo(charge, 5);
  await editor.sees('a squiggle under its name, before anything is saved', '.squiggly-info');
  await editor.sees('the lens says so', '.codelens-decoration:has-text("1 memory, 1 to re-verify")');
  await editor.until('the status item counts it', async () => /1 to re-verify/.test(await editor.status()));

  await page.locator('.view-line:has-text("def charge") >> text=charge').first().hover();
  await editor.sees('the hover tells the claim', '.monaco-hover:visible:has-text("at most three times")');
  await editor.sees('and shows the change', '.monaco-hover:visible:has-text("range(5)")');
  await editor.shot('vscode-hover', { x: 48, y: 0, width: 1232, height: 720 });
  await page.mouse.move(900, 700);

  await editor.press('Control+Shift+m');
  await editor.until('the Problems panel lists the file and the finding', async () => (await editor.problems()).length >= 2);
  await editor.sees('with the memory\'s id', '.markers-panel .monaco-list-row:has-text("mem-")');
  await editor.sees('and its code', '.markers-panel .monaco-list-row:has-text("memory-changed")');
  await editor.shot('vscode-problems');
  await editor.press('Control+Shift+m');

  await editor.goTo(charge, 9);
  await editor.press('Control+s');
  await editor.until('the file is saved', () => editor.read('payments/gateway.py').includes('range(5)'));
  await editor.press('Control+.');
  for (const title of ['Open memory', 'Still true, re-verify', 'No longer true, supersede', 'Does not apply, retire', 'Compare then and now']) {
    await editor.sees(`the menu has "${title}"`, `.action-widget:has-text("${title}")`);
  }
  await editor.shot('vscode-actions', { x: 48, y: 0, width: 1232, height: 720 });

  await page.locator('.action-widget .monaco-list-row:has-text("Compare then and now")').first().click();
  await editor.sees('then and now in the diff editor', '.diff-editor, .monaco-diff-editor');
  await editor.sees('with what changed', '.monaco-diff-editor .view-line:has-text("range(5)")');
  await editor.shot('vscode-compare', { x: 48, y: 0, width: 1232, height: 520 });
  await editor.command('View: Close Editor');

  await editor.sees('the file again', '.tab.active[aria-label^="gateway.py"]');
  await editor.goTo(charge, 9);
  await editor.press('Control+.');
  await page.locator('.action-widget .monaco-list-row:has-text("Still true, re-verify")').first().click();
  await editor.sees('evidence is asked for', '.quick-input-widget:visible:has-text("What did you check")');
  await page.keyboard.type("Read the processor's log of 12 June: five attempts under one key, billed once.");
  await editor.shot('vscode-evidence', { x: 48, y: 0, width: 1232, height: 400 });
  await editor.press('Enter');
  await editor.sees('the record is shown', '.tab.active:has-text("three-attempts")');
  await editor.sees('with the evidence in it', '.view-line:has-text("Read the processor")');
  await editor.until('the status item says that all is fresh', async () => /all fresh/.test(await editor.status()));
  await editor.press('Control+s');
  await editor.until('the audit log tells of it', () => editor.read('.memory-lsp/audit.jsonl').includes('"verify"'));
  await editor.shot('vscode-record');

  await editor.command('Memory: List What Is to Be Re-verified');
  await editor.sees('nothing is left to re-verify', '.notification-toast:has-text("nothing is to be re-verified")');
}

await main(options, async run => {
  fs.mkdirSync(options.out, { recursive: true });
  await run.install();
  run.ok('the extension is installed');
  await run.start();
  const page = await run.openBrowser();
  const editor = new Editor(page, run);
  let failed = 0;
  try {
    await page.goto(run.url());
    await editor.sees('the workbench is up', '.monaco-workbench .part.statusbar', 60000);
    await scenario(editor);
  } catch (problem) {
    failed = 1;
    console.log(`not ok - ${problem.stack}`);
    await editor.shot('failure').catch(() => {});
  }
  console.log(`# ${run.summary()}`);
  console.log(`${editor.passed} passed, ${failed} failed`);
  return failed;
});
