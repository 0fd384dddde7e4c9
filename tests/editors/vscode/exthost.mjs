#!/usr/bin/env node
// Runs a test module inside the real extension host of VS Code, with the packaged extension installed and a person at the keyboard.
import fs from 'node:fs';
import path from 'node:path';
import { commandLine, main } from './workbench.mjs';

const usage = `usage: exthost.mjs --vscode DIR --playwright DIR --vsix FILE --workspace DIR --tests FILE
  --vscode      what get-vscode-server.sh printed
  --playwright  what get-browser.sh printed
  --vsix        the packaged extension
  --workspace   the folder to open (a copy of it is opened)
  --open        a .code-workspace file in that folder to open instead
  --tests       a CommonJS module that exports run(); it fails by throwing. Printed are its console lines that begin with
                'ok', 'not ok', '#' or 'N passed' (all lines with --verbose)
  --setting     KEY=VALUE, VALUE in JSON or a plain string; any number of them
  --empty       no folder is opened; the copy of the workspace is there nevertheless
  --untrusted   the workspace is not trusted
  --timeout     seconds for the whole run (default 240)
Exit codes: 0 passed, 1 failed, 2 usage, 3 server or browser did not come up, 124 timeout.`;

const options = commandLine(usage, { tests: { type: 'string' } });
const here = import.meta.dirname;
const STATUS = '[id="memory-lsp.memory-lsp.memoryLsp.status"]';

// What a test can ask of the person: `person` in tests/support.cjs prints one line, the answer comes back as a file.
const person = page => ({
  async answers({ text }) {
    const input = page.locator('.quick-input-widget:visible input').first();
    await input.waitFor({ state: 'visible' });
    const title = await page.locator('.quick-input-widget:visible .quick-input-title').first().innerText().catch(() => '');
    await input.fill(text);
    await page.keyboard.press('Enter');
    return title;
  },
  async escapes() {
    await page.locator('.quick-input-widget:visible input').first().waitFor({ state: 'visible' });
    await page.keyboard.press('Escape');
  },
  async picks({ text }) {
    const rows = page.locator('.quick-input-list .monaco-list-row:visible');
    await rows.filter({ hasText: text }).first().waitFor({ state: 'visible' });
    const all = await rows.allInnerTexts();
    await rows.filter({ hasText: text }).first().click();
    return all;
  },
  async clicks({ selector }) { await page.locator(selector).first().click(); },
  async sees({ selector }) {
    const found = page.locator(selector).first();
    await found.waitFor({ state: 'visible' });
    return found.innerText();
  },
  async status() { return (await page.locator(STATUS).allInnerTexts())[0]?.trim() ?? ''; },
  async messages() { return page.locator('.notifications-center.visible .notification-list-item-message').allInnerTexts(); },
  async shot({ name }) { await page.screenshot({ path: name }); },
});

await main(options, async run => {
  await run.install();
  // Without this flag the workbench drops the payload below without a word, and no test ever runs.
  await run.start('--enable-smoke-test-driver');
  const page = await run.openBrowser();
  page.setDefaultTimeout(15000);
  const doing = person(page);

  async function ask({ id, act, ...argument }) {
    let answer;
    try { answer = { value: await doing[act](argument) ?? null }; } catch (problem) { answer = { problem: String(problem.message) }; }
    const file = path.join(run.scratch, `answer-${id}.json`);
    fs.writeFileSync(`${file}.new`, JSON.stringify(answer));
    fs.renameSync(`${file}.new`, file);
  }

  // The workbench calls these two when extensionTestsPath is set; they are how output and the result get out.
  await page.exposeFunction('codeAutomationLog', (type, args) => {
    const line = args.map(String).join(' ');
    if (line.startsWith('@person ')) void ask(JSON.parse(line.slice(8)));
    else if (options.verbose || /^(ok|not ok|#|\d+ passed)/.test(line)) console.log(line);
  });
  const exit = new Promise(resolve => page.exposeFunction('codeAutomationExit', resolve));

  const remote = file => `vscode-remote://127.0.0.1:${run.port}${file}`;
  const payload = [['extensionDevelopmentPath', remote(path.join(here, 'harness'))], ['extensionTestsPath', remote(options.tests)], ['skipWelcome', 'true']];
  await page.goto(run.url({ payload: JSON.stringify(payload) }));
  const code = await exit;
  console.log(`# the extension host ended the tests with ${code}; ${run.summary()}`);
  return code === 0 ? 0 : 1;
});
