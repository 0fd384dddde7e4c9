#!/usr/bin/env bash
# The extension for VS Code: types, tests without an editor, the package, and the package in the real editor.
# usage: run.sh DIR     what it fetches (pinned: Node 24, VS Code's server, playwright-core; 730 MB) goes to DIR and is used again
#   PYTHON   the Python that memory-lsp is installed in (default: .venv/bin/python)
#   SHOTS    where screenshots go (default: DIR/shots)
#   ONLY     one step: node, acts, life, kage, alone, folders, untrusted, bad or person
# Chromium is taken as found, or installed by apt-get, for which it has to be root. What cannot be had counts as failed.
# The last line is "N passed, N failed". Exit codes: 0 all passed, 1 some failed, 2 usage.
set -uo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
project=$(cd -- "$here/../../.." && pwd -P)
[ $# -eq 1 ] || { sed -n '2,8s/^# //p' "$0" >&2; exit 2; }
python=$(command -v -- "${PYTHON:-$project/.venv/bin/python}") || { echo "no Python: set PYTHON" >&2; exit 2; }
mkdir -p -- "$1"
dir=$(cd -- "$1" && pwd -P)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
passed=0 failed=0

# step NAME COMMAND...: what it prints is shown; its last "N passed, N failed" is added, without one its exit code counts.
step() {
  local name=$1 code=0 good=0 bad=0 counts; shift
  if [ -n "${ONLY:-}" ] && [ "$ONLY" != "$name" ]; then return; fi
  printf -- '--- vscode %s\n' "$name"
  "$@" > "$work/out" 2> "$work/problems" || code=$?
  cat "$work/out"
  counts=$(grep -Eo '^[0-9]+ passed, [0-9]+ failed$' "$work/out" | tail -n 1)
  if [ -n "$counts" ]; then
    good=${counts%% *} counts=${counts#*, } bad=${counts%% *}
    if [ "$code" != 0 ] && [ "$bad" = 0 ]; then bad=1; fi
  elif [ "$code" = 0 ]; then good=1; else bad=1; fi
  if [ "$code" != 0 ]; then echo "not ok - $name ended with exit code $code"; tail -n 30 "$work/problems"; fi
  passed=$((passed + good)) failed=$((failed + bad))
}

finish() {
  printf '%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" = 0 ]
  exit
}

missing() {
  echo "not ok - $1 could not be fetched"
  failed=$((failed + 1))
  finish
}

# in_node COMMAND...: in the extension's folder, with Node 24 and the extension's own programs. npm's settings come from the project alone.
in_node() { (cd -- "$project/editors/vscode" && PATH=${node%/*}:$PATH "$@"); }

unit_tests() {
  in_node node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test --test-reporter=tap 'test/*.test.ts' > "$work/tap" || { cat "$work/tap"; return 1; }
  grep -E '^(not )?ok ' "$work/tap"
  printf '%s passed, %s failed\n' "$(sed -n 's/^# pass //p' "$work/tap")" "$(sed -n 's/^# fail //p' "$work/tap")"
}

# host TESTS WORKSPACE ARGUMENTS...: a test module in the extension host.
host() {
  local tests=$1 workspace=$2; shift 2
  "$node" "$here/exthost.mjs" --vscode "$vscode" --playwright "$playwright" --vsix "$vsix" --tests "$here/tests/$tests.cjs" \
    --workspace "$work/workspaces/$workspace" --setting memoryLsp.store=.memory "$@"
}

node=$("$here/get-node24.sh" "$dir") || missing "Node 24"
step install in_node npm ci --silent --ignore-scripts --no-audit --no-fund
[ "$failed" = 0 ] || finish
step types in_node npm run --silent check
step node unit_tests
vsix=$project/editors/vscode/dist/memory-lsp.vsix
step package in_node npm run --silent package
[ "$failed" = 0 ] || finish
[ "${ONLY:-}" != node ] || finish

vscode=$("$here/get-vscode-server.sh" "$dir") || missing "VS Code's server"
playwright=$("$here/get-browser.sh" "$dir") || missing "a browser"
"$python" "$here/workspaces.py" "$work/workspaces" || { echo "not ok - the workspaces could not be made"; failed=$((failed + 1)); finish; }
TEST_SERVER="[\"$python\", \"-m\", \"memory_lsp\", \"serve\"]"
export TEST_SERVER
command="memoryLsp.command=$TEST_SERVER"
# For the untrusted workspace the server is on the PATH, for the bad ones it is nowhere.
mkdir -p "$work/bin"
printf '#!/bin/sh\nexec "%s" -m memory_lsp "$@"\n' "$python" > "$work/bin/memory-lsp"
chmod +x "$work/bin/memory-lsp"
plain=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

step acts host acts parcel --setting "$command"
step life host life parcel --setting "$command"
step kage host kage parcel --setting memoryLsp.store=kage --setting "$command"
step alone host alone parcel --empty --setting "$command"
step folders host folders two --open two.code-workspace --setting "$command"
PATH=$work/bin:$plain step untrusted host untrusted untrusted --untrusted
PATH=$plain step bad host bad parcel
step person "$node" "$here/person.mjs" --vscode "$vscode" --playwright "$playwright" --vsix "$vsix" --workspace "$work/workspaces/parcel" \
  --out "${SHOTS:-$dir/shots}" --setting memoryLsp.store=.memory --setting "$command"
finish
