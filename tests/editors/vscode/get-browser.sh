#!/usr/bin/env bash
# What drives the workbench: playwright-core 1.65.1 into DIR/playwright-1.65.1 (prints that path), and Debian's Chromium.
# usage: get-browser.sh DIR
# Chromium is taken as found (CHROMIUM=/path chooses one); if there is none, apt-get installs it, which needs root. This is the one recipe that may change the machine. Exit codes: ../lib/common.sh.
set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
# shellcheck source=../lib/common.sh
. "$here/../lib/common.sh"

[ $# -eq 1 ] || die 2 "usage: get-browser.sh DIR"
final=$(target "$1")/playwright-1.65.1

if ! command -v "${CHROMIUM:-chromium}" > /dev/null; then
  [ -z "${CHROMIUM:-}" ] || die 3 "no program '$CHROMIUM'"
  [ "$(id -u)" = 0 ] || die 3 "no chromium here, and only root can apt-get install it"
  apt-get update -qq >&2
  DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >&2
fi
if [ ! -d "$final" ]; then
  need tar sha256sum
  if ! command -v npm > /dev/null; then node=$(bash "$here/get-node24.sh" "$1"); PATH=${node%/*}:$PATH; fi
  stage "$final"
  tarball playwright-core 1.65.1 6f5a60be62a4fddfbe7d10c448d8fbd54547da3358f2f8a04211440471ee863e "$stage/node_modules/playwright-core"
  publish "$stage" "$final"
fi
say "$("${CHROMIUM:-chromium}" --version 2> /dev/null || true)"
printf '%s\n' "$final"
