"""Edits that another reading of the languages found get their verdict; the file has the form of tests/data/edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.pairs import compare

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "breaker2.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    before, after = ({path: text.encode("utf-8") for path, text in case[side].items()} for side in ("before", "after"))
    result = compare(before, after, case["path"], case["symbol"])
    assert result.verdict.value == case["want"], f"{case['kind_of_edit']}: {case['why']}"
    if "parts" in case:
        assert set(result.parts) == set(case["parts"]), case["kind_of_edit"]
