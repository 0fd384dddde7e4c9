/** Actions that cannot be taken now. VS Code hides disabled ones from the menu, and their reason with them: one row says it. */
import * as vscode from 'vscode';

export const BLOCKED = 'memoryLsp.blocked';

/** The actions with one row for each reason in place of those that are disabled. */
export function enabled(actions: readonly (vscode.CodeAction | vscode.Command)[], document: vscode.TextDocument): (vscode.CodeAction | vscode.Command)[] {
  const rows = new Map<string, vscode.CodeAction>();
  const open = actions.filter(action => {
    const reason = 'disabled' in action ? action.disabled?.reason : undefined;
    if (reason === undefined) return true;
    if (!rows.has(reason)) {
      const row = new vscode.CodeAction(reason.charAt(0).toUpperCase() + reason.slice(1), 'kind' in action ? action.kind : undefined);
      row.command = { title: row.title, command: BLOCKED, arguments: [row.title, document.uri] };
      rows.set(reason, row);
    }
    return false;
  });
  return [...open, ...rows.values()];
}

/** What the row does: a file that has to be saved first is saved, any other reason is told. */
export async function unblock(reason: string, uri: vscode.Uri): Promise<void> {
  const document = vscode.workspace.textDocuments.find(one => one.uri.toString() === uri.toString());
  if (reason.startsWith('Save ') && document?.isDirty && reason.includes(vscode.workspace.asRelativePath(uri, false))) await document.save();
  else void vscode.window.showInformationMessage(`Memory: ${reason}`);
}
