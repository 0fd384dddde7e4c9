"""Do what docs/editors.md says, word by word, in an empty home folder, up to the first finding on the editor's screen.

usage: first_run.py neovim=NVIM helix=HX      (paths of the editors to start)
       first_run.py --print emacs             (the block of that editor's set-up, for its own scenario)

The page marks what is run by a comment above a block, which readers do not see: ``<!-- first-run: [EDITOR] WHAT -->``.
``sh`` is run in a copy of this project ("the clone"), ``project`` anywhere, ``file NAME`` is written to that file of the home
folder, ``open`` starts the editor in the project. Only pip's settings and cache are the machine's.

Exit codes: 0 passed, 1 failed, 2 usage, 3 tmux is missing. The last line is "N passed, N failed".
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from terminal import Terminal

PROJECT = Path(__file__).resolve().parents[2]
PAGE = PROJECT / "docs" / "editors.md"
MARKED = re.compile(r"<!-- first-run: (?:(neovim|helix|emacs) )?(\w+)(?: (\S+))? -->\n```\w+\n(.*?)```\n", re.DOTALL)
LIMIT = 120.0
FINDING = r"total changed"


@dataclass(frozen=True)
class Step:
    """One marked block; ``editor`` is empty for all."""

    editor: str
    what: str
    file: str
    text: str


def steps(page: str) -> list[Step]:
    """The marked blocks of the page, in its order."""
    return [Step(*(part or "" for part in found.groups())) for found in MARKED.finditer(page)]


def surroundings(home: Path, programs: list[Path]) -> dict[str, str]:
    """An environment with an empty home, and without a ``memory-lsp`` that is there already."""
    kept = [
        folder for folder in os.environ["PATH"].split(os.pathsep) if folder and not Path(folder, "memory-lsp").exists()
    ]
    theirs = ("XDG_", "PYTHON", "VIRTUAL_ENV", "NVIM", "VIM", "HELIX", "TMUX")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(theirs)}
    pip = Path.home() / ".config" / "pip" / "pip.conf"
    if pip.exists():
        environment.setdefault("PIP_CONFIG_FILE", str(pip))
    environment.setdefault("PIP_CACHE_DIR", str(Path.home() / ".cache" / "pip"))
    path = os.pathsep.join([str(home / ".local" / "bin"), *map(str, programs), *kept])
    return {**environment, "HOME": str(home), "PATH": path, "GIT_CONFIG_NOSYSTEM": "1"}


def shell(text: str, folder: Path, environment: dict[str, str]) -> None:
    """Run a block as typed into a shell.

    Raises:
        AssertionError: with its last lines, if a command fails.
    """
    result = subprocess.run(
        ["bash", "-e"],
        input=text,
        cwd=folder,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )
    if result.returncode:
        raise AssertionError("\n".join([f"exit {result.returncode} of:", text, *result.stdout.splitlines()[-8:]]))


def first_finding(editor: str, own: list[Step], clone: Path, environment: dict[str, str], scratch: Path) -> None:
    """The steps of one editor, until its screen shows the finding."""
    home = Path(environment["HOME"])
    for step in own:
        if step.what == "sh":
            shell(step.text, clone, environment)
        elif step.what == "file":
            (home / step.file).write_text(step.text, encoding="utf-8")
        elif step.what == "open":
            scratch.mkdir()
            terminal = Terminal(step.text.strip(), home / "try", scratch, environment, 100, 24)
            try:
                terminal.sees(FINDING)
            finally:
                terminal.close()
            return
    raise AssertionError(f"the page does not say how to open a file in {editor}")


def run(editors: dict[str, str]) -> int:
    """Follow the page for these editors (name to program); prints what passed, returns how many failed."""
    passed = failed = 0
    found = steps(PAGE.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory(prefix="first-", ignore_cleanup_errors=True) as name:
        scratch = Path(name).resolve()
        home, bin_folder, clone = scratch / "home", scratch / "bin", scratch / "clone"
        home.mkdir()
        bin_folder.mkdir()
        ignored = shutil.ignore_patterns(".git", ".venv", ".tools", "node_modules", "dist", "__pycache__", ".*_cache")
        shutil.copytree(PROJECT, clone, ignore=ignored)
        for editor, program in editors.items():
            (bin_folder / {"neovim": "nvim", "helix": "hx"}[editor]).symlink_to(Path(program).absolute())
        environment = surroundings(home, [bin_folder])
        try:
            started = time.monotonic()
            for step in found:
                if not step.editor:
                    shell(step.text, clone if step.what == "sh" else home, environment)
            common = time.monotonic() - started
            passed += 1
            print(f"ok - the server is installed and the project made, {common:.1f} s", flush=True)
            for editor in editors:
                started = time.monotonic()
                own = [step for step in found if step.editor == editor]
                first_finding(editor, own, clone, environment, scratch / editor)
                took = common + time.monotonic() - started
                assert took < LIMIT, f"{editor}: {took:.0f} s from nothing to the first finding"
                passed += 1
                print(f"ok - {editor}: from nothing to the first finding in {took:.1f} s", flush=True)
        except (AssertionError, OSError, subprocess.SubprocessError) as problem:
            failed = 1
            print(f"not ok - {problem}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return failed


def main(arguments: list[str]) -> int:
    """The command line."""
    if arguments[:1] == ["--print"] and len(arguments) == 2:
        texts = [step.text for step in steps(PAGE.read_text(encoding="utf-8")) if step.editor == arguments[1]]
        print("".join(texts), end="")
        return 0 if texts else 1
    editors = dict(argument.split("=", 1) for argument in arguments if "=" in argument)
    if not editors or len(editors) != len(arguments) or not editors.keys() <= {"neovim", "helix"}:
        print(__doc__, file=sys.stderr)
        return 2
    if not shutil.which("tmux"):
        print("first_run.py: needs 'tmux'", file=sys.stderr)
        return 3
    return run(editors)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
