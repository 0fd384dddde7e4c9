"""Edits found by the precision benchmarks get their verdict; the files have the form of tests/data/edits."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.pairs import compare

CASES: list[dict[str, Any]] = [
    case
    for path in sorted((Path(__file__).parent / "cases").glob("*-precision.json"))
    for case in json.loads(path.read_text("utf-8"))
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    before, after = ({path: text.encode("utf-8") for path, text in case[side].items()} for side in ("before", "after"))
    result = compare(before, after, case["path"], case["symbol"])
    assert result.verdict.value == case["want"], f"{case['kind_of_edit']}: {case['why']}"
    if "parts" in case:
        assert set(result.parts) == set(case["parts"]), case["kind_of_edit"]
    if "to" in case:
        assert result.to == case["to"], case["kind_of_edit"]
