"""Make the example project: a copy of its files in a git repository, and its two stores by the program's own capture.

Nothing in the stores is written by hand: ``memories.json`` holds what a person would type, and the command line makes
the records, with the fingerprints of the files as they are.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from importlib.resources import as_file, files
from pathlib import Path

from memory_lsp.demo.client import Disappointed

AUTHOR = "Dana Reyes"
KAGE_STORE = ".agent_memory/packets"


def prepare(root: Path) -> dict[str, str]:
    """Make the example project in ``root`` (which must not exist yet); returns title to id of its memories."""
    with as_file(files("memory_lsp.demo") / "example") as example:
        shutil.copytree(example, root, ignore=shutil.ignore_patterns("__pycache__"))
    _git(root, "init", "--quiet", "--initial-branch=main")
    _git(root, "config", "user.name", AUTHOR)
    _git(root, "config", "user.email", "dana@example.org")
    _git(root, "config", "commit.gpgsign", "false")
    _commit(root, "Take payments")
    _expect(command(root, "init", "--write"))
    (root / KAGE_STORE).mkdir(parents=True)
    for memory in json.loads((files("memory_lsp.demo") / "memories.json").read_text(encoding="utf-8")):
        _expect(command(root, "capture", *_arguments(memory)))
    _commit(root, "Write down what we know")
    report = json.loads(_expect(command(root, "check", "--format", "json"), code=0))
    return {memory["title"]: memory["id"] for memory in report["memories"]}


def command(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this program's command line on the project, as a person would."""
    line = [sys.executable, "-m", "memory_lsp", *arguments, "--root", str(root)]
    return subprocess.run(line, capture_output=True, text=True, encoding="utf-8", stdin=subprocess.DEVNULL, timeout=60)


def _arguments(memory: dict[str, object]) -> list[str]:
    arguments = ["--store", str(memory["store"]), "--by", f"human:{AUTHOR}", "--write"]
    for option in ("title", "statement", "type", "why", "risk-if-forgotten", "rejected"):
        if option in memory:
            arguments += [f"--{option}", str(memory[option])]
    cited = memory["cite"]
    assert isinstance(cited, list)
    return arguments + [part for citation in cited for part in ("--cite", citation)]


def _expect(result: subprocess.CompletedProcess[str], code: int = 0) -> str:
    if result.returncode != code:
        what = result.args[3]
        said = (result.stderr or result.stdout).strip().splitlines()
        raise Disappointed(f"memory-lsp {what}: exit {result.returncode}, {said[-1] if said else 'nothing said'}")
    return result.stdout


def _commit(root: Path, message: str) -> None:
    _git(root, "add", "--all")
    _git(root, "commit", "--quiet", "--no-verify", "--message", message)


def _git(root: Path, *arguments: str) -> None:
    try:
        subprocess.run(["git", *arguments], cwd=root, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise Disappointed("the demo needs git on the PATH") from None
    except subprocess.CalledProcessError as problem:
        raise Disappointed(f"git {arguments[0]}: {problem.stderr.strip()}") from None
