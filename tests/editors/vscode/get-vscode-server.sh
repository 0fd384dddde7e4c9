#!/usr/bin/env bash
# VS Code 1.139.1 (the open-source web workbench and its extension host) into DIR/vscode-1.139.1; prints that path.
# usage: get-vscode-server.sh DIR
# Only the inner server of npm's code-server is used: `node out/server-main.js` under Node 24 (get-node24.sh DIR is run first;
# NODE24=/path/to/node uses another). No compiler, no install script. Exit codes: ../lib/common.sh.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=../lib/common.sh
. "$here/../lib/common.sh"

[ $# -eq 1 ] || die 2 "usage: get-vscode-server.sh DIR"
only_amd64
dir=$(target "$1")
final=$dir/vscode-1.139.1

if [ ! -d "$final" ]; then
  need tar sha256sum
  node=${NODE24:-$(bash "$here/get-node24.sh" "$dir")}
  export PATH=${node%/*}:$PATH
  stage "$final"
  tarball code-server 4.139.1 75b76d3870dbcb7a4c08627f586a03344ca017be182171020c7405bdb6f2fb33 "$stage/package"
  # `npm install`, since its shrinkwrap pins everything but tslib, and `npm ci` refuses such a lock. The modules that would be compiled
  # (spdlog, node-pty, native-watchdog, kerberos, sqlite3) stay unbuilt: that costs the log files, the terminal and one logged stack trace.
  (cd -- "$stage/package/lib/vscode" && npm install --loglevel=error --omit=dev --ignore-scripts --no-audit --no-fund > /dev/null) \
    || die 1 "npm install failed"
  cp -- "$stage"/package/{LICENSE,ThirdPartyNotices.txt} "$stage/package/lib/vscode/"
  publish "$stage/package/lib/vscode" "$final"
fi
printf '%s\n' "$final"
