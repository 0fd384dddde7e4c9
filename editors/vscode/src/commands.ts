/** The commands: what a person chose or typed goes to the server, and what the server refuses is said once. */
import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { memoryOf, type Comparison, type Texts } from './comparison.ts';
import { memoryItems, type ListedMemory } from './memories.ts';
import { answered, isRecord, promptRequest } from './prompt.ts';

const PREFIX = 'memoryLsp.server.';

export class Commands {
  readonly #texts: Texts;
  readonly #client: () => LanguageClient | undefined;

  constructor(texts: Texts, client: () => LanguageClient | undefined) {
    this.#texts = texts;
    this.#client = client;
  }

  /** A command of the server, from a lens or an action. Where it means several memories, a person picks one. */
  async run(command: string, argument: unknown): Promise<unknown> {
    if (command === `${PREFIX}open` && isRecord(argument) && Array.isArray(argument['memories']) && argument['memories'].length > 1) {
      const memories = await this.#list({ memories: argument['memories'], root: argument['root'] });
      const chosen = await this.#pick(memories ?? [], 'Which memory?');
      return chosen && this.#execute(command, { memory: chosen.memory, root: chosen.root });
    }
    return this.#execute(command, argument);
  }

  /** The prompt command that the server puts into its actions. */
  async prompt(value: unknown): Promise<unknown> {
    const request = promptRequest(value);
    if (request === undefined) return undefined;
    const argument = await answered(request, (question, step, steps) => ask(question, step, steps));
    return argument && this.#execute(request.command, argument);
  }

  /** All that is to be re-verified: pick one to open its record. */
  async review(): Promise<void> {
    const memories = await this.#list({});
    if (memories === undefined) return;
    if (memories.length === 0) {
      void vscode.window.showInformationMessage('Memory: nothing is to be re-verified.');
      return;
    }
    const chosen = await this.#pick(memories, `${memories.length} to re-verify`);
    if (chosen !== undefined) await this.#execute(`${PREFIX}open`, { memory: chosen.memory, root: chosen.root });
  }

  /** `argument` names a memory; without one it is the one at the cursor, else one to re-verify. */
  async compare(argument: unknown): Promise<void> {
    const memory = isRecord(argument) && typeof argument['memory'] === 'string' ? argument['memory'] : await this.#memoryHere();
    if (memory === undefined) return;
    const found = (await this.#execute(`${PREFIX}compare`, { memory })) as Comparison[] | undefined;
    if (found === undefined) return;
    if (found.length === 0) {
      void vscode.window.showInformationMessage(`Memory: ${memory} has nothing to compare: what it cites is as it was, or the text of then is not in git.`);
      return;
    }
    const items = found.map(comparison => ({ label: comparison.symbol || comparison.path, description: comparison.path, detail: comparison.verdict, comparison }));
    const chosen = items.length === 1 ? items[0] : await vscode.window.showQuickPick(items, { placeHolder: 'Which citation?' });
    if (chosen !== undefined) await this.#texts.show(chosen.comparison);
  }

  /** A new memory about the code at the cursor. */
  async capture(): Promise<unknown> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || editor.document.uri.scheme !== 'file') {
      void vscode.window.showInformationMessage('Memory: open a file and put the cursor into the code that the memory is about.');
      return undefined;
    }
    const { line, character } = editor.selection.active;
    return this.prompt({
      command: `${PREFIX}capture`,
      argument: { uri: this.#client()?.code2ProtocolConverter.asUri(editor.document.uri) ?? editor.document.uri.toString(), position: { line, character } },
      asks: [
        { name: 'title', question: 'What is the claim, in one line?' },
        { name: 'statement', question: 'The claim, in one or two sentences' },
      ],
    });
  }

  async #memoryHere(): Promise<string | undefined> {
    const editor = vscode.window.activeTextEditor;
    const here = editor === undefined ? [] : vscode.languages.getDiagnostics(editor.document.uri)
      .filter(diagnostic => diagnostic.source === 'memory' && diagnostic.range.contains(editor.selection.active))
      .map(memoryOf)
      .filter(memory => memory !== undefined);
    const memories = await this.#list(here.length > 0 ? { memories: [...new Set(here)] } : {});
    if (memories === undefined) return undefined;
    if (memories.length === 0) {
      void vscode.window.showInformationMessage('Memory: nothing has changed since it was verified.');
      return undefined;
    }
    return (memories.length === 1 ? memories[0] : await this.#pick(memories, 'Compare which memory?'))?.memory;
  }

  async #list(argument: Record<string, unknown>): Promise<ListedMemory[] | undefined> {
    return (await this.#execute(`${PREFIX}list`, argument)) as ListedMemory[] | undefined;
  }

  async #pick(memories: readonly ListedMemory[], placeHolder: string): Promise<ListedMemory | undefined> {
    const chosen = await vscode.window.showQuickPick(memoryItems(memories), { placeHolder, matchOnDescription: true, matchOnDetail: true });
    return chosen?.memory;
  }

  async #execute(command: string, argument: unknown): Promise<unknown> {
    const client = this.#client();
    if (client === undefined) {
      void vscode.window.showErrorMessage('Memory: the server is not running.', 'Start').then(chosen =>
        (chosen === undefined ? undefined : vscode.commands.executeCommand('memoryLsp.restart')));
      return undefined;
    }
    try {
      return await client.sendRequest('workspace/executeCommand', { command, arguments: [argument] });
    } catch (problem) {
      void vscode.window.showErrorMessage(`Memory: ${problem instanceof Error ? problem.message : String(problem)}`);
      return undefined;
    }
  }
}

async function ask(question: string, step: number, steps: number): Promise<string | undefined> {
  return vscode.window.showInputBox({
    title: steps > 1 ? `${question} (${step} of ${steps})` : question,
    placeHolder: 'Leave it empty to write it in the record',
    ignoreFocusOut: true,
  });
}
