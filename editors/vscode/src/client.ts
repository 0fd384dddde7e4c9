/** The language client: what it announces to the server, and that it never shows a message of its own. */
import { createInterface } from 'node:readline';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, type ErrorHandler } from 'vscode-languageclient/node';
import type { Server } from './discovery.ts';
import { enabled } from './blocked.ts';
import { chosenSettings, serverSettings } from './settings.ts';

export const PROMPT = 'memoryLsp.prompt';
const SECTION = 'memoryLsp';

/** Messages go to the log; the extension itself says the one that a person needs. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export interface ClientEvents {
  /** A command of the server was chosen: in a lens, in a code action, by a key. */
  executed: (command: string, argument: unknown) => Promise<unknown>;
  /** The server died; whether it is to be started again. */
  died: () => Promise<boolean>;
}

export interface Client {
  language: LanguageClient;
  /** What the server that ended wrote to its error stream last, for a message. */
  lastWords: () => Promise<string>;
}

export function makeClient(server: Server, manifest: vscode.Extension<unknown>['packageJSON'], log: vscode.LogOutputChannel, events: ClientEvents): Client {
  let lastWords = '';
  let heard = (): void => undefined;
  const allHeard = new Promise<void>(resolve => { heard = resolve; });
  const names = serverSettings(manifest.contributes.configuration.properties);
  const errorHandler: ErrorHandler = {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: async () => ({ action: (await events.died()) ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true }),
  };
  const language = new QuietClient(
    SECTION,
    'Memory',
    // Not the workspace as working folder: `python -m` would look for modules in it.
    { command: server.command, args: server.arguments, options: { cwd: homedir() } },
    {
      documentSelector: [{ scheme: 'file' }],
      diagnosticCollectionName: 'memory',
      outputChannel: log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationOptions: () => ({ prompt: { command: PROMPT }, status: true, trusted: vscode.workspace.isTrusted }),
      initializationFailedHandler: () => false,
      errorHandler,
      stdioOptions: {
        stdout: () => undefined,
        stderr: input => createInterface({ input }).on('close', () => heard()).on('line', line => {
          if (line.trim() !== '') lastWords = line.trim();
          if (/\b(ERROR|CRITICAL)\b/.test(line)) log.error(line);
          else if (/\bWARNING\b/.test(line)) log.warn(line);
          else log.info(line);
        }),
      },
      middleware: {
        executeCommand: (command, [argument]) => events.executed(command, argument),
        provideCodeActions: async (document, range, context, token, next) => enabled(await next(document, range, context, token) ?? [], document),
        workspace: {
          configuration: params => params.items.map(item => item.section === SECTION
            ? chosenSettings(names, vscode.workspace.getConfiguration(SECTION, item.scopeUri === undefined ? null : vscode.Uri.parse(item.scopeUri)))
            : null),
        },
      },
    },
  );
  return {
    language,
    // The end of the output stream may be noticed before the last lines of the other one are read.
    lastWords: async () => {
      await Promise.race([allHeard, new Promise(resolve => setTimeout(resolve, 1000))]);
      return lastWords;
    },
  };
}
