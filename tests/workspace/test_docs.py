"""The pages in docs/ say what the tables say, and every code of the table has a check."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_lsp.core.codes import CODES
from memory_lsp.workspace.pages import PAGES

ROOT = Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_page_is_the_table(name: str) -> None:
    assert (ROOT / "docs" / name).read_text("utf-8") == PAGES[name], "run `python -m memory_lsp.workspace.pages`"


def test_every_code_has_a_check_of_its_name() -> None:
    files = {path.stem for path in (ROOT / "memory_lsp/checks").glob("*.py")} - {"__init__", "subject"}
    assert {f"memory-{name.replace('_', '-')}" for name in files} == CODES.keys()


def test_every_code_has_a_fixture_of_its_name() -> None:
    fixtures = {path.stem for path in (ROOT / "tests/features/diagnostics").glob("*.txt")}
    assert CODES.keys() - fixtures == set()
