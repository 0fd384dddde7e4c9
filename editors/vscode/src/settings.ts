/** Which settings the server is told: those that somebody chose. A default would win over the project's own file. */

/** The part of `vscode.WorkspaceConfiguration` that is needed. */
export interface Configuration {
  get(name: string): unknown;
  inspect(name: string): Partial<Record<string, unknown>> | undefined;
}

const CHOSEN = ['globalValue', 'workspaceValue', 'workspaceFolderValue'];
const SECTION = 'memoryLsp.';

/** The server's settings by name, from the extension's manifest: all but the extension's own. */
export function serverSettings(properties: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(properties)
    .map(name => name.slice(SECTION.length))
    .filter(name => name !== 'command' && !name.startsWith('trace.'));
}

export function chosenSettings(names: readonly string[], configuration: Configuration): Record<string, unknown> {
  const chosen: Record<string, unknown> = {};
  for (const name of names) {
    const known = configuration.inspect(name) ?? {};
    // `get` is asked for the value, since it merges objects over all scopes.
    if (CHOSEN.some(scope => known[scope] !== undefined)) chosen[name] = configuration.get(name);
  }
  return chosen;
}
