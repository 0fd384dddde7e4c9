/** The status item: what the server says about each root, in one line. */

/** The params of the server's `memoryLsp/status` notification that are used here. */
export interface RootStatus {
  root: string;
  state: 'indexing' | 'ready' | 'error' | 'closed';
  text: string;
  memories: number;
  toVerify: number;
}

export type ServerState = 'starting' | 'running' | 'stopped' | 'missing';

export interface StatusView {
  text: string;
  /** Plain lines; one for each root. */
  tooltip: string;
  /** What a click does. */
  command: string;
  alarming: boolean;
}

/** What to show, `undefined` for nothing: a running server without any store is silent. */
export function statusView(server: ServerState, roots: ReadonlyMap<string, RootStatus>): StatusView | undefined {
  if (server === 'starting') return { text: '$(sync~spin) Memory', tooltip: 'memory-lsp is starting', command: 'memoryLsp.showLog', alarming: false };
  if (server === 'missing') return { text: '$(warning) Memory: no server', tooltip: 'memory-lsp is not installed; click to look again', command: 'memoryLsp.restart', alarming: true };
  if (server === 'stopped') return { text: '$(error) Memory: stopped', tooltip: 'memory-lsp is not running; click to start it', command: 'memoryLsp.restart', alarming: true };
  const all = [...roots.values()];
  if (all.length === 0) return undefined;
  const tooltip = all.map(status => `${folderName(status.root)}: ${status.text}`).join('\n');
  if (all.some(status => status.state === 'error')) return { text: '$(error) Memory: error', tooltip, command: 'memoryLsp.showLog', alarming: true };
  if (all.some(status => status.state === 'indexing')) return { text: '$(sync~spin) Memory: reading', tooltip, command: 'memoryLsp.showLog', alarming: false };
  const toVerify = all.reduce((sum, status) => sum + status.toVerify, 0);
  const only = all.length === 1 ? all[0] : undefined;
  if (toVerify > 0) return { text: `$(bookmark) Memory: ${toVerify} to re-verify`, tooltip, command: 'memoryLsp.review', alarming: false };
  if (only !== undefined && !only.text.endsWith('all fresh')) return { text: `$(bookmark) ${only.text}`, tooltip, command: 'memoryLsp.review', alarming: false };
  return { text: '$(bookmark) Memory: all fresh', tooltip, command: 'memoryLsp.review', alarming: false };
}

/** Takes one notification into account. */
export function withStatus(roots: ReadonlyMap<string, RootStatus>, status: RootStatus): Map<string, RootStatus> {
  const next = new Map(roots);
  if (status.state === 'closed') next.delete(status.root);
  else next.set(status.root, status);
  return next;
}

function folderName(uri: string): string {
  const name = uri.replace(/\/+$/, '').split('/').at(-1) ?? uri;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
