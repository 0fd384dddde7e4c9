"""Verdicts that real histories once got wrong, or that look wrong in them and are not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.pairs import compare

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "history.json").read_text("utf-8"))


def encoded(files: dict[str, str]) -> dict[str, bytes]:
    return {path: text.encode("utf-8") for path, text in files.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_history(case: dict[str, Any]) -> None:
    result = compare(encoded(case["before"]), encoded(case["after"]), case["path"], case["symbol"])
    assert result.verdict.value == case["want"], case["kind_of_edit"]
    if "parts" in case:
        assert set(result.parts) == set(case["parts"]), case["kind_of_edit"]
    if "to" in case:
        assert result.to == case["to"], case["kind_of_edit"]
