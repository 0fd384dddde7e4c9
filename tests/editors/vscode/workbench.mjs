// A VS Code server on a free port with the packaged extension installed, and a browser on it; both private and short-lived.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';

// What every run wants: nothing asks, greets, updates, phones or hides the editor.
const QUIET = {
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'workbench.startupEditor': 'none',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'security.workspace.trust.enabled': false,
  'chat.disableAIFeatures': true,
  'git.enabled': false,
  'files.autoSave': 'off',
};
const UNTRUSTED = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
  'security.workspace.trust.emptyWindow': false,
};

const OPTIONS = {
  vscode: { type: 'string' },
  playwright: { type: 'string' },
  vsix: { type: 'string' },
  workspace: { type: 'string' },
  open: { type: 'string', default: '' },
  setting: { type: 'string', multiple: true, default: [] },
  empty: { type: 'boolean', default: false },
  untrusted: { type: 'boolean', default: false },
  chromium: { type: 'string', default: process.env.CHROMIUM ?? 'chromium' },
  timeout: { type: 'string', default: '240' },
  verbose: { type: 'boolean', default: false },
};

/** The command line, or exit 2 with the usage. Paths become absolute, and all but `out` must exist. */
export function commandLine(usage, own) {
  try {
    const { values } = parseArgs({ options: { ...OPTIONS, ...own } });
    for (const name of ['vscode', 'playwright', 'vsix', 'workspace', ...Object.keys(own)]) {
      if (!values[name]) throw new Error(`--${name} is missing`);
      values[name] = path.resolve(values[name]);
      if (name !== 'out' && !fs.existsSync(values[name])) throw new Error(`--${name}: there is no ${values[name]}`);
    }
    values.settings = { ...QUIET, ...(values.untrusted ? UNTRUSTED : {}) };
    for (const pair of values.setting) {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (!key) throw new Error(`--setting ${pair}: not KEY=VALUE`);
      try { values.settings[key] = JSON.parse(value); } catch { values.settings[key] = value; }
    }
    return values;
  } catch (problem) {
    console.error(`${problem.message}\n${usage}`);
    process.exit(2);
  }
}

/** Runs BODY(run) under the time limit, cleans up whatever happens, and exits: BODY's code, 1 failed, 3 did not come up, 124 timeout. */
export async function main(options, body) {
  const run = new Run(options);
  const limit = new Promise(resolve => setTimeout(resolve, Number(options.timeout) * 1000, 124));
  const stopped = new Promise(resolve => { for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => resolve(1)); });
  const work = (async () => body(run))().catch(problem => {
    console.log(`not ok - ${problem.stack ?? problem}`);
    return problem.code === 'not-up' ? 3 : 1;
  });
  const code = await Promise.race([work, limit, stopped]);
  if (code === 124) console.log(`not ok - timeout after ${options.timeout} s`);
  if (code !== 0) console.error(run.serverOutput.split('\n').slice(-20).map(line => line.slice(0, 300)).join('\n'));
  await run.close();
  process.exit(code);
}

class Run {
  serverOutput = '';
  refused = new Set();
  #started = Date.now();

  constructor(options) {
    this.options = options;
    this.scratch = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'vscode-'));
    this.workspace = path.join(this.scratch, 'workspace', path.basename(options.workspace));
    fs.cpSync(options.workspace, this.workspace, { recursive: true });
    // In a remote window a setting of scope machine or machine-overridable is dropped from User some seconds after the start.
    for (const scope of ['User', 'Machine']) {
      fs.mkdirSync(path.join(this.scratch, 'server/data', scope), { recursive: true });
      fs.writeFileSync(path.join(this.scratch, 'server/data', scope, 'settings.json'), JSON.stringify(options.settings, null, 1));
    }
  }

  summary() { return `hosts that the page asked for besides this machine: ${[...this.refused].join(' ') || 'none'}; ${Date.now() - this.#started} ms in all`; }

  ok(what) { console.log(`ok - ${what} (at ${Date.now() - this.#started} ms)`); }

  #serverCommand(...own) {
    const quiet = ['--accept-server-license-terms', '--telemetry-level', 'off', '--server-data-dir', path.join(this.scratch, 'server')];
    return [path.join(this.options.vscode, 'out/server-main.js'), ...quiet, ...own];
  }

  /** No gallery, and sockets and temporary files where close() removes them (the server itself leaves a socket behind at every start). */
  get #environment() {
    return { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}', XDG_RUNTIME_DIR: this.scratch, TMPDIR: this.scratch, TEST_ANSWERS: this.scratch,
      TEST_WORKSPACE: this.workspace };
  }

  async install() {
    await promisify(execFile)(process.execPath, this.#serverCommand('--install-extension', this.options.vsix), { env: this.#environment, timeout: 60000 });
  }

  /** Starts the server; this.port is the free port that the system chose. */
  async start(...own) {
    // A process group of its own: its extension host and the language server are ended with it, and nothing else is.
    const where = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--disable-telemetry', '--force-disable-user-env'];
    if (!this.options.untrusted) where.push('--disable-workspace-trust');
    const server = spawn(process.execPath, this.#serverCommand(...where, ...own), { env: this.#environment, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    this.server = server;
    this.port = await new Promise((resolve, reject) => {
      const fail = why => reject(Object.assign(new Error(`the VS Code server did not start: ${why}`), { code: 'not-up' }));
      const hear = data => {
        this.serverOutput += data;
        if (this.options.verbose) process.stderr.write(data);
        const found = /Extension host agent listening on (\d+)/.exec(this.serverOutput);
        if (found) resolve(Number(found[1]));
      };
      server.stdout.on('data', hear);
      server.stderr.on('data', hear);
      server.on('error', problem => fail(problem.message));
      server.on('exit', code => fail(`exit ${code}`));
    });
  }

  /** A page in Chromium. It can reach this machine's loopback address and nothing else. */
  async openBrowser() {
    const { chromium } = createRequire(path.join(this.options.playwright, 'index.js'))('playwright-core');
    const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
      '--disable-sync', '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'];
    if (process.getuid() === 0) args.push('--no-sandbox');
    this.browser = await chromium.launchPersistentContext(path.join(this.scratch, 'browser'),
      { executablePath: which(this.options.chromium), headless: true, viewport: { width: 1280, height: 800 }, args, env: this.#environment,
        permissions: ['clipboard-read', 'clipboard-write'],
        handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false })   // main() sees to these
      .catch(problem => { throw Object.assign(problem, { code: 'not-up' }); });
    const page = this.browser.pages()[0] ?? await this.browser.newPage();
    page.on('request', request => { const { hostname } = new URL(request.url()); if (hostname && hostname !== '127.0.0.1') this.refused.add(hostname); });
    if (this.options.verbose) page.on('console', message => console.error(`${message.type()}: ${message.text().slice(0, 400)}`));
    return page;
  }

  /** The workbench on the workspace's folder, on a .code-workspace file in it, or on nothing. */
  url(parameters = {}) {
    const target = this.options.empty ? { ew: 'true' } : this.options.open ? { workspace: path.join(this.workspace, this.options.open) } : { folder: this.workspace };
    return `http://127.0.0.1:${this.port}/?${new URLSearchParams({ ...target, ...parameters })}`;
  }

  async close() {
    await Promise.race([this.browser?.close().catch(() => {}), new Promise(resolve => setTimeout(resolve, 5000))]);
    const gone = () => this.server.exitCode !== null || this.server.signalCode !== null;
    for (const signal of this.server?.pid ? ['SIGTERM', 'SIGKILL'] : []) {
      try { process.kill(-this.server.pid, signal); } catch { break; }   // no process is left in the group
      for (let turn = 0; turn < 50 && !gone(); turn++) await new Promise(resolve => setTimeout(resolve, 100));
    }
    fs.rmSync(this.scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}

function which(name) {
  if (name.includes('/')) return name;
  for (const folder of (process.env.PATH ?? '').split(path.delimiter)) {
    const file = path.join(folder, name);
    try { fs.accessSync(file, fs.constants.X_OK); return file; } catch { /* next */ }
  }
  throw Object.assign(new Error(`no program '${name}' (see get-browser.sh)`), { code: 'not-up' });
}
