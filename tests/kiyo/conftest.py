from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from shop import CLOCK, Run, Shop

from memory_lsp.cli.main import main


@pytest.fixture(autouse=True)
def settled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("memory_lsp.workspace.clock.now", lambda: CLOCK)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path / "shop")


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path) -> Run:
    """Run a command in the repository: ``(exit code, output, errors)``; JSON output is parsed."""

    def call(*arguments: str, at: Path | None = None) -> tuple[int, Any, str]:
        monkeypatch.chdir(at or tmp_path / "shop")
        try:
            code = main(list(arguments))
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsysbinary.readouterr()
        output: Any = captured.out.decode()
        if "json" in arguments and output:
            output = json.loads(output)
        return code, output, captured.err.decode()

    return call


@pytest.fixture
def deny(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Deny reading below a path, as the system does: opening and listing raise ``PermissionError``."""
    denied: list[str] = []
    touched: list[str] = []
    opened, listed = os.open, os.scandir

    def check(path: Any) -> None:
        touched.append(str(path))
        if any(str(path) == item or str(path).startswith(item + "/") for item in denied):
            raise PermissionError(13, "Permission denied", str(path))

    def open_(path: Any, *arguments: Any, **keywords: Any) -> int:
        check(path)
        return opened(path, *arguments, **keywords)

    def scandir(path: Any = ".") -> Any:
        check(path)
        return listed(path)

    monkeypatch.setattr(os, "open", open_)
    monkeypatch.setattr(os, "scandir", scandir)

    class Deny:
        def __call__(self, path: Path) -> list[str]:
            denied.append(os.path.realpath(path))
            touched.clear()
            return touched

        def allow(self) -> None:
            denied.clear()

    return Deny()
