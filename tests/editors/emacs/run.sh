#!/usr/bin/env bash
# Runs the scenario in Emacs with eglot, in a copy of a workspace, with the set-up that docs/editors.md gives and no other.
# usage: LSP_COMMAND='["python", "-m", "memory_lsp", "serve"]' run.sh EMACS WORKSPACE
# Exit codes: 0 passed, 1 failed, 2 usage, 124 timeout.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
[ $# -eq 2 ] && [ -n "${LSP_COMMAND:-}" ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir "$work/home" "$work/bin"
cp -R -- "$2" "$work/workspace"
python=$(sed -E 's/^\["([^"]*)".*/\1/' <<< "$LSP_COMMAND")
# What the docs call `memory-lsp` is the server under test.
printf '#!/bin/sh\nexec "%s" -m memory_lsp "$@"\n' "$python" > "$work/bin/memory-lsp"
chmod +x "$work/bin/memory-lsp"
"$python" "$here/../first_run.py" --print emacs > "$work/init.el"
cd -- "$work/workspace"
HOME=$work/home PATH=$work/bin:$PATH timeout --kill-after=5 "${TIMEOUT:-90}" "$1" --batch --no-init-file \
  --eval '(package-initialize)' -l "$work/init.el" -l "$here/reverify.el"
