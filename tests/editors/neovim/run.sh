#!/usr/bin/env bash
# Runs one scenario in a headless Neovim that has this project's plugin and no user configuration, in a copy of a workspace.
# usage: LSP_COMMAND='["python", "-m", "memory_lsp", "serve"]' run.sh NVIM SCENARIO.lua WORKSPACE
#   PLAIN     not empty: without the plugin's setup(), lsp/memory_lsp.lua alone
#   TIMEOUT   seconds for the whole run (default 90)
# Exit codes: 0 passed, 1 failed, 2 usage, 124 timeout.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
[ $# -eq 3 ] && [ -n "${LSP_COMMAND:-}" ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }

nvim=$(realpath -- "$1")
SCENARIO=$(realpath -- "$2")
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cp -R -- "$3" "$work/workspace"
PLUGIN=$work/plugin
cp -R -- "$here/../../../editors/neovim" "$PLUGIN" # what is written there (help tags) stays there
export SCENARIO PLUGIN XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state XDG_CACHE_HOME=$work/cache
unset NVIM NVIM_APPNAME NVIM_LOG_FILE VIMINIT EXINIT

code=0
(cd -- "$work/workspace" && exec timeout --kill-after=5 "${TIMEOUT:-90}" "$nvim" --headless \
  -u "$here/init.lua" -c "luafile $here/drive.lua") < /dev/null || code=$?
if [ "$code" != 0 ]; then tail -n 20 "$work"/state/nvim/lsp.log >&2 2> /dev/null || true; fi
exit "$code"
