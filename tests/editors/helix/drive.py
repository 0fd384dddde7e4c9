#!/usr/bin/env python3
"""Run one scenario in the real Helix, on a terminal of its own (tmux), in a copy of a workspace.

usage: drive.py --hx HX --languages LANGUAGES.toml --workspace FOLDER --file NAME --scenario SCENARIO.py [--show]
                [-- SERVER [ARGUMENT...]]

LANGUAGES.toml is what a user copies; only the server's command in it is replaced. Without `-- SERVER` that command is
$LSP_COMMAND (a JSON array). SCENARIO.py defines run(helix), with the class below. --show prints the screen at every
step. Helix sees no user configuration; no tmux but the one started here is touched.

Exit codes: 0 passed, 1 failed, 2 usage, 3 tmux is missing.
"""

import argparse
import json
import os
import re
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path

# Every diagnostic is shown on the screen, where a scenario can read it.
SETTINGS = """
[editor]
end-of-line-diagnostics = "hint"
[editor.inline-diagnostics]
cursor-line = "hint"
other-lines = "hint"
[editor.lsp]
display-messages = true
"""


class Helix:
    """A Helix on a screen of 110 x 30, driven by keys and read as text."""

    def __init__(self, binary, languages, workspace, file, scratch, show=False):
        self.workspace, self.show, self.steps = workspace, show, 0
        self.log = scratch / "helix.log"
        self._socket = str(scratch / "tmux")
        self._started = time.monotonic()
        config = scratch / "config" / "helix"
        config.mkdir(parents=True)
        (config / "languages.toml").write_text(languages, encoding="utf-8")
        (config / "config.toml").write_text(SETTINGS, encoding="utf-8")
        homes = {f"XDG_{name}_HOME": str(scratch / name.lower()) for name in ("CONFIG", "CACHE", "DATA", "STATE")}
        environment = {**os.environ, **homes, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        environment.pop("TMUX", None)
        command = [binary, "-v", "--log", str(self.log), str(workspace / file)]
        size = ["-x", "110", "-y", "30", "-c", str(workspace)]
        self._tmux("-u", "new-session", "-d", "-s", "helix", *size, shlex.join(command), env=environment)

    def _tmux(self, *arguments, **options):
        command = ["tmux", "-S", self._socket, "-f", os.devnull, *arguments]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, encoding="utf-8", timeout=10, **options
        ).stdout

    def screen(self):
        return self._tmux("capture-pane", "-p", "-t", "helix")

    def keys(self, *keys):
        """Press keys by tmux's names: "Space", "Enter", "Escape", "C-s", or one character each."""
        self._tmux("send-keys", "-t", "helix", *keys)

    def type(self, text):
        self._tmux("send-keys", "-t", "helix", "-l", text)

    def read(self, name):
        """A file's text; None where there is none (Helix moves a file away for a moment while it saves it)."""
        try:
            return (self.workspace / name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def ok(self, what):
        self.steps += 1
        print(f"ok - {what} (at {(time.monotonic() - self._started) * 1000:.0f} ms)", flush=True)

    def until(self, what, predicate, timeout=15.0):
        """Wait until predicate() answers something true and return that."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if value := predicate():
                self.ok(what)
                return value
            time.sleep(0.03)
        raise AssertionError(f"timeout: {what}\n{self.screen().rstrip()}")

    def sees(self, what, pattern, timeout=15.0):
        """Wait until the screen matches the pattern; returns the screen."""
        screen = self.until(what, lambda: (text := self.screen()) and re.search(pattern, text) and text, timeout)
        if self.show:
            print("\n".join("    |" + line for line in screen.rstrip().splitlines()), flush=True)
        return screen

    def gone(self, what, pattern, timeout=15.0):
        """Wait until the screen no longer matches the pattern."""
        self.until(what, lambda: not re.search(pattern, self.screen()), timeout)

    def close(self):
        """Leave Helix as a user does (the server gets its `shutdown`), then end this tmux server and nothing else."""
        try:
            self.keys("Escape", "Escape", ":")
            self.type("quit-all!")
            self.keys("Enter")
            end = time.monotonic() + 3
            while time.monotonic() < end and self._tmux("list-panes", "-a"):
                time.sleep(0.05)
            self._tmux("kill-server")
        except subprocess.SubprocessError:
            pass  # the server went with its last window, as it should


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("hx", "languages", "workspace", "file", "scenario"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("server", nargs="*")
    options = parser.parse_args()
    server = options.server or json.loads(os.environ.get("LSP_COMMAND", "[]"))
    if not server:
        parser.error("no server: give -- SERVER or $LSP_COMMAND")
    if not shutil.which("tmux"):
        print("drive.py: needs 'tmux'", file=sys.stderr)
        return 3

    languages = Path(options.languages).read_text(encoding="utf-8")
    for own, given in (('command = "memory-lsp"', server[0]), ('args = ["serve"]', server[1:])):
        if languages.count(own) != 1:
            parser.error(f"{options.languages} does not hold {own} once")
        languages = languages.replace(own, f"{own.split()[0]} = {json.dumps(given)}")
    scenario = runpy.run_path(options.scenario)["run"]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))

    with tempfile.TemporaryDirectory(prefix="hx-", ignore_cleanup_errors=True) as scratch:
        scratch = Path(scratch).resolve()
        workspace = Path(shutil.copytree(options.workspace, scratch / "workspace"))
        for path in (workspace, *workspace.rglob("*")):
            path.chmod(path.stat().st_mode | 0o200)
        helix = Helix(str(Path(options.hx).resolve()), languages, workspace, options.file, scratch, options.show)
        failed = 0
        try:
            scenario(helix)
        except Exception as problem:
            failed = 1
            text = problem if isinstance(problem, AssertionError) else traceback.format_exc()
            print(f"not ok - {text}", flush=True)
            if helix.log.exists():
                print(*helix.log.read_text(errors="replace").splitlines()[-15:], sep="\n", file=sys.stderr)
        finally:
            helix.close()
        print(f"{helix.steps} passed, {failed} failed")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
