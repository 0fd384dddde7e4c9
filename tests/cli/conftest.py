from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "workspace"))

from repository import Repository

from memory_lsp.cli.main import main

PAY = '''class Gateway:
    def charge(self, amount, key):
        """Charge once."""
        if key in self.seen:
            return self.seen[key]
        self.seen[key] = self.send(amount * 100, key)
        return self.seen[key]

    def refund(self, amount):
        return self.send(-amount, None)
'''


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "project")
    made.write("src/pay.py", PAY)
    made.write("src/other.py", "OTHER = 1\n")
    made.commit("start")
    return made


Run = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def run(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes], tmp_path: Path
) -> Run:
    """Run a command in the repository: ``(exit code, output, errors)``; JSON output is parsed."""
    monkeypatch.chdir(repository.root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def call(*arguments: str) -> tuple[int, Any, str]:
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
