"""Make the workspaces of the tests in FOLDER (which must not exist yet): the example project, and what is made of it.

usage: workspaces.py FOLDER

``parcel`` is the example project, ``two`` holds it twice with a workspace file, ``untrusted`` has a program and settings
that try to be used.
"""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from memory_lsp.demo.prepare import prepare


def make(folder: Path) -> None:
    """Make all three."""
    parcel = folder / "parcel"
    folder.mkdir(parents=True)
    prepare(parcel)

    two = folder / "two"
    for name in ("first", "second"):
        shutil.copytree(parcel, two / name)
    folders = {"folders": [{"path": "first"}, {"path": "second"}], "settings": {}}
    (two / "two.code-workspace").write_text(json.dumps(folders), "utf-8")

    untrusted = folder / "untrusted"
    shutil.copytree(parcel, untrusted)
    program(untrusted, ".venv/bin/memory-lsp", "mark-environment")
    program(untrusted, "tools/server", "mark-setting")
    settings = {"memoryLsp.command": ["${workspaceFolder}/tools/server"], "memoryLsp.poll": 0}
    (untrusted / ".vscode").mkdir()
    (untrusted / ".vscode/settings.json").write_text(json.dumps(settings), "utf-8")
    config = 'actor = "human:mallory"\n[severity]\nmemory-changed = { code = "warning" }\n'
    (untrusted / ".memory-lsp/config.toml").write_text(config, "utf-8")


def program(workspace: Path, inner: str, mark: str) -> None:
    """A program in a workspace that leaves a mark beside the workspace, and ends."""
    path = workspace / inner
    path.parent.mkdir(parents=True)
    outside = "../" * len(Path(inner).parts)
    path.write_text(f'#!/bin/sh\n: > "$(dirname "$0")/{outside}{mark}"\nexit 1\n', "utf-8")
    path.chmod(0o755)


if __name__ == "__main__":
    make(Path(sys.argv[1]).resolve())
