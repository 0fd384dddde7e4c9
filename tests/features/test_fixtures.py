"""Plays every marker fixture; ``--update`` writes what was found into it (``tests/features/fixture.py`` has the format)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_lsp.core.codes import CODES
from tests.features.fixture import Fixture

HERE = Path(__file__).parent
LATER = {"memory-conflict", "memory-secret"}
"""Codes that nothing gives yet."""

FIXTURES = sorted(HERE.glob("*/*.txt"))


@pytest.mark.parametrize("path", FIXTURES, ids=[str(path.relative_to(HERE)) for path in FIXTURES])
def test_fixture(path: Path, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    root = tmp_path / "project"
    root.mkdir()
    wanted = path.read_text("utf-8")
    found = Fixture(wanted, root).play()
    if request.config.getoption("--update") and found != wanted:
        path.write_text(found, "utf-8")
    else:
        assert found == wanted


def test_every_code_has_its_fixture() -> None:
    shown = {path.stem: path.read_text("utf-8") for path in (HERE / "diagnostics").glob("memory-*.txt")}
    for code in CODES.keys() - LATER:
        assert f"{code} " in shown[code]
