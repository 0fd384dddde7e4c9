/** Activation: find the server, start it, keep it running, and register the commands. */
import { accessSync, constants, statSync } from 'node:fs';
import * as vscode from 'vscode';
import { State } from 'vscode-languageclient/node';
import { BLOCKED, unblock } from './blocked.ts';
import { makeClient, PROMPT, type Client } from './client.ts';
import { compareActions, Texts } from './comparison.ts';
import { findServer, installCommand, type Surroundings } from './discovery.ts';
import { Commands } from './commands.ts';
import { Restarts } from './restarts.ts';
import { statusView, withStatus, type RootStatus, type ServerState } from './status.ts';
import { versionProblem } from './version.ts';

let running: Extension | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const extension = new Extension(context);
  running = extension;
  await extension.start();
}

export async function deactivate(): Promise<void> {
  await running?.stop();
  running = undefined;
}

class Extension {
  readonly #manifest: vscode.ExtensionContext['extension']['packageJSON'];
  readonly #log = vscode.window.createOutputChannel('Memory', { log: true });
  readonly #item = vscode.window.createStatusBarItem('memoryLsp.status', vscode.StatusBarAlignment.Left, 1);
  readonly #restarts = new Restarts();
  readonly #commands: Commands;
  readonly #told = new Set<string>();
  #client: Client | undefined;
  #state: ServerState = 'stopped';
  #roots: ReadonlyMap<string, RootStatus> = new Map();
  /** One start or stop at a time. */
  #turn: Promise<void> = Promise.resolve();

  constructor(context: vscode.ExtensionContext) {
    this.#manifest = context.extension.packageJSON;
    const texts = new Texts();
    this.#commands = new Commands(texts, () => (this.#client?.language.state === State.Running ? this.#client.language : undefined));
    this.#item.name = 'Memory';
    context.subscriptions.push(
      this.#log,
      this.#item,
      texts.register(),
      vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, compareActions, { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
      vscode.commands.registerCommand('memoryLsp.restart', () => this.#restart()),
      vscode.commands.registerCommand('memoryLsp.showLog', () => this.#log.show()),
      vscode.commands.registerCommand('memoryLsp.copyInstallCommand', () => this.#copyInstallCommand()),
      vscode.commands.registerCommand('memoryLsp.review', () => this.#commands.review()),
      vscode.commands.registerCommand('memoryLsp.compare', (argument?: unknown) => this.#commands.compare(argument)),
      vscode.commands.registerCommand('memoryLsp.capture', () => this.#commands.capture()),
      vscode.commands.registerCommand(BLOCKED, unblock),
      vscode.commands.registerCommand(PROMPT, (request: unknown) => this.#commands.prompt(request)),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#restart()),
      vscode.workspace.onDidChangeConfiguration(event => {
        if (event.affectsConfiguration('memoryLsp.command')) void this.#restart();
      }),
    );
  }

  start(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#start()).catch((problem: unknown) => this.#log.error(String(problem)));
    return this.#turn;
  }

  stop(): Promise<void> {
    this.#turn = this.#turn.then(() => this.#stop()).catch((problem: unknown) => this.#log.error(String(problem)));
    return this.#turn;
  }

  async #restart(): Promise<void> {
    this.#told.clear();
    this.#restarts.forget();
    const starting = this.#client;
    if (starting?.language.state === State.Starting) {
      // It may never answer, and a client that starts cannot be stopped otherwise.
      this.#client = undefined;
      starting.language.serverProcess?.kill('SIGKILL');
    }
    await this.stop();
    await this.start();
  }

  async #stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#roots = new Map();
    this.#show('stopped');
    if (client !== undefined) await client.language.dispose();
  }

  async #start(): Promise<void> {
    const server = await findServer(this.#surroundings());
    if (!server.found) {
      this.#show('missing');
      this.#log.error(server.problem);
      this.#tell(`Memory: ${server.problem}. Install it with: ${server.install}`, {
        'Copy Install Command': () => vscode.env.clipboard.writeText(server.install),
        'Look Again': () => this.#restart(),
        'Open Settings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'memoryLsp.command'),
      });
      return;
    }
    this.#log.info(`starting ${[server.command, ...server.arguments].join(' ')} (found by ${server.origin})`);
    const client = makeClient(server, this.#manifest, this.#log, {
      executed: (command, argument) => this.#commands.run(command, argument),
      died: () => this.#died(),
    });
    this.#client = client;
    client.language.onDidChangeState(({ newState }) => {
      if (this.#client !== client) return;
      if (newState === State.Running) this.#started(client);
      else this.#show(newState === State.Starting ? 'starting' : 'stopped');
    });
    client.language.onNotification('memoryLsp/status', (status: RootStatus) => {
      this.#roots = withStatus(this.#roots, status);
      this.#show(this.#state);
    });
    try {
      await client.language.start();
    } catch (problem) {
      if (this.#client !== client) return;
      this.#show('stopped');
      const said = (await client.lastWords()) || (problem instanceof Error ? problem.message : String(problem));
      this.#tell(`Memory: the server did not start (${server.command}): ${said}`, this.#afterwards);
    }
  }

  #started(client: Client): void {
    this.#show('running');
    const theirs = client.language.initializeResult?.serverInfo?.version;
    this.#log.info(`memory-lsp ${theirs ?? 'of an unknown version'} is running`);
    const problem = versionProblem(this.#manifest.version, theirs);
    if (problem !== undefined) this.#tell(`Memory: ${problem}`, this.#afterwards);
  }

  /** The server's process is gone without being told to go; whether it is started again. */
  async #died(): Promise<boolean> {
    this.#roots = new Map();
    // One that dies before it could answer would die again: `start` says what it said.
    if (this.#state !== 'running') return false;
    if (this.#restarts.allowed(Date.now())) {
      this.#log.warn('the server ended; it is started again');
      return true;
    }
    const said = (await this.#client?.lastWords()) ?? '';
    this.#tell(`Memory: the server ended again and again${said === '' ? '' : `: ${said}`}`, this.#afterwards);
    return false;
  }

  readonly #afterwards = {
    'Show Log': () => this.#log.show(),
    'Restart': () => this.#restart(),
  };

  /** One message for one thing, until somebody restarts. */
  #tell(message: string, actions: Record<string, () => unknown>): void {
    this.#log.error(message);
    if (this.#told.has(message)) return;
    this.#told.add(message);
    void vscode.window.showErrorMessage(message, ...Object.keys(actions)).then(chosen => (chosen === undefined ? undefined : actions[chosen]?.()));
  }

  #show(state: ServerState): void {
    this.#state = state;
    void vscode.commands.executeCommand('setContext', 'memoryLsp.running', state === 'running');
    const view = statusView(state, this.#roots);
    if (view === undefined) {
      this.#item.hide();
      return;
    }
    this.#item.text = view.text;
    this.#item.tooltip = view.tooltip;
    this.#item.command = view.command;
    this.#item.backgroundColor = view.alarming ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.show();
  }

  async #copyInstallCommand(): Promise<void> {
    const command = await installCommand(this.#surroundings());
    await vscode.env.clipboard.writeText(command);
    vscode.window.setStatusBarMessage(`Copied: ${command}`, 5000);
  }

  #surroundings(): Surroundings {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(folder => folder.uri.scheme === 'file');
    return {
      configured: configuredCommand(),
      trusted: vscode.workspace.isTrusted,
      folders: folders.map(folder => folder.uri.fsPath),
      chosenEnvironment: () => chosenEnvironment(folders[0]?.uri),
      searchPath: process.env['PATH'] ?? '',
      windows: process.platform === 'win32',
      isExecutable,
    };
  }
}

function configuredCommand(): string[] {
  const command = vscode.workspace.getConfiguration('memoryLsp').get<unknown>('command');
  return Array.isArray(command) ? command.filter(part => typeof part === 'string') : [];
}

/** What the Python extension says, if it is there (its public interface: `environments.getActiveEnvironmentPath`). */
async function chosenEnvironment(folder: vscode.Uri | undefined): Promise<string | undefined> {
  try {
    const python = vscode.extensions.getExtension('ms-python.python');
    const api: unknown = await python?.activate();
    const found: unknown = (api as { environments?: { getActiveEnvironmentPath?: (folder?: vscode.Uri) => { path?: unknown } } } | undefined)
      ?.environments?.getActiveEnvironmentPath?.(folder)?.path;
    return typeof found === 'string' && found !== '' ? found : undefined;
  } catch {
    return undefined;
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
