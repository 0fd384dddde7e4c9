/** What a memory cites, then and now, in VS Code's own diff editor. */
import path from 'node:path';
import * as vscode from 'vscode';

/** One citation as the server's `memoryLsp.server.compare` tells it. */
export interface Comparison {
  path: string;
  symbol: string;
  verdict: string;
  then: string;
  now: string;
}

const SCHEME = 'memory-lsp';

/** Texts that no file holds, by URI; a text goes when its editor is closed. */
export class Texts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.workspace.onDidCloseTextDocument(document => this.#texts.delete(document.uri.toString())),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  /** The file's name comes last, so that the text has the file's language. */
  #add(side: 'then' | 'now', file: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.#count}/${side}/${path.posix.basename(file)}` });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  async show(comparison: Comparison): Promise<void> {
    this.#count += 1;
    const then = this.#add('then', comparison.path, comparison.then);
    const now = this.#add('now', comparison.path, comparison.now);
    const what = comparison.symbol === '' ? comparison.path : `${comparison.symbol} (${path.posix.basename(comparison.path)})`;
    await vscode.commands.executeCommand('vscode.diff', then, now, `${what}: when verified ↔ now`, { preview: true });
  }
}

/** Offers the comparison where a finding says that cited code changed. */
export const compareActions: vscode.CodeActionProvider = {
  provideCodeActions(_document, _range, context) {
    const memories = new Set(context.diagnostics.filter(isChanged).map(memoryOf).filter(memory => memory !== undefined));
    return [...memories].map(memory => {
      const action = new vscode.CodeAction(memories.size > 1 ? `Compare then and now: ${memory}` : 'Compare then and now', vscode.CodeActionKind.QuickFix);
      action.command = { title: action.title, command: 'memoryLsp.compare', arguments: [{ memory }] };
      return action;
    });
  },
};

function isChanged(diagnostic: vscode.Diagnostic): boolean {
  const code = typeof diagnostic.code === 'object' ? diagnostic.code.value : diagnostic.code;
  return diagnostic.source === 'memory' && code === 'memory-changed';
}

/** The server puts the memory's id into the diagnostic's data, which the language client keeps on its own diagnostics. */
export function memoryOf(diagnostic: vscode.Diagnostic): string | undefined {
  const data: unknown = 'data' in diagnostic ? diagnostic.data : undefined;
  return typeof data === 'object' && data !== null && 'memory' in data && typeof data.memory === 'string' ? data.memory : undefined;
}
