"""``memory-lsp demo`` as a stranger meets it: what it prints, and what it says when something is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "memory_lsp", "demo", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", timeout=120, env={**os.environ, **environment}
    )


def test_the_story_is_played_and_drawn(tmp_path: Path) -> None:
    picture = tmp_path / "demo.svg"
    result = run("--svg", str(picture))
    assert result.returncode == 0, result.stderr
    for words in (
        "memory-changed",
        "memory-draft",
        "Still true",
        "memory-moved",
        "Gateway.chargeback",
        "7 memories: 7 served",
    ):
        assert words in result.stdout
    drawn = picture.read_text(encoding="utf-8")
    assert "memory-changed" in drawn
    assert "@font-face" not in drawn, "a picture must need nothing from the network"
    assert "memory-lsp-demo-" not in drawn, "nor name a folder of the machine that made it"


def test_kept_project_says_how_to_open_it(tmp_path: Path) -> None:
    result = run("--keep", TMPDIR=str(tmp_path))
    assert result.returncode == 0, result.stderr
    assert "nvim payments/gateway.py" in result.stdout
    kept = next(tmp_path.glob("memory-lsp-demo-*/parcel"))
    assert (kept / ".memory").is_dir()
    assert (kept / ".agent_memory" / "packets").is_dir()


def test_without_git_it_says_what_is_missing(tmp_path: Path) -> None:
    result = run(PATH=str(tmp_path), TMPDIR=str(tmp_path))
    assert result.returncode == 1
    assert result.stderr.splitlines() == ["memory-lsp demo: the demo needs git on the PATH"]
    assert not any(tmp_path.iterdir())
