/** The version handshake: extension and server belong together if the first two numbers of their versions are equal. */

/** What to update, in one line; `undefined` if they fit together. `server` is what it said about itself. */
export function versionProblem(extension: string, server: string | undefined): string | undefined {
  const [mine, theirs] = [numbers(extension), numbers(server ?? '')];
  if (mine === undefined) return undefined;
  if (theirs === undefined) return `the server does not tell its version; this extension (${extension}) is made for memory-lsp ${mine[0]}.${mine[1]}: update the server`;
  const older = theirs[0] < mine[0] || (theirs[0] === mine[0] && theirs[1] < mine[1]);
  const equal = theirs[0] === mine[0] && theirs[1] === mine[1];
  if (equal) return undefined;
  return older
    ? `memory-lsp ${server} is older than this extension (${extension}): update the server, pip install --upgrade memory-lsp`
    : `memory-lsp ${server} is newer than this extension (${extension}): update the extension "Memory"`;
}

function numbers(version: string): [number, number] | undefined {
  const found = /^(\d+)\.(\d+)(?:\D|$)/.exec(version);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}
