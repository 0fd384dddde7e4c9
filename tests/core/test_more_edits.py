"""Our own edits with the right verdict, in the form of ``tests/data/edits``: at least those kinds that a language has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.languages import language_of
from memory_lsp.core.pairs import compare

FOLDER = Path(__file__).parent / "cases"
CASES: list[dict[str, Any]] = [
    case for path in sorted(FOLDER.glob("*.json")) for case in json.loads(path.read_text("utf-8"))
]


def encoded(files: dict[str, str]) -> dict[str, bytes]:
    return {path: text.encode("utf-8") for path, text in files.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_edit(case: dict[str, Any]) -> None:
    assert language_of(case["path"]) == case["language"]
    result = compare(encoded(case["before"]), encoded(case["after"]), case["path"], case["symbol"])
    assert result.verdict.value == case["want"], case["kind_of_edit"]
    if "parts" in case:
        assert set(result.parts) == set(case["parts"]), case["kind_of_edit"]
    if "to" in case:
        assert result.to == case["to"], case["kind_of_edit"]


def test_ids_are_unique() -> None:
    ids = [case["id"] for case in CASES]
    assert len(ids) == len(set(ids))
