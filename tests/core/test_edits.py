"""Every edit of the corpus gets the verdict, parts and target that a perfect tool gives.

A case believed to be wrong stands in ``disputed.txt`` (an id and the argument a line); the test prints and counts them.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.languages import LANGUAGES
from memory_lsp.core.pairs import compare

DATA = Path(__file__).parent.parent / "data" / "edits"
DISPUTED = {
    line.split(None, 1)[0]: line.split(None, 1)[1]
    for line in (Path(__file__).parent / "disputed.txt").read_text("utf-8").splitlines()
    if line.strip() and not line.startswith("#")
}
CASES: list[dict[str, Any]] = [
    case
    for path in sorted(DATA.glob("*.json"))
    for case in json.loads(path.read_text("utf-8"))
    if case["language"] in LANGUAGES
]


def encoded(files: dict[str, str]) -> dict[str, bytes]:
    return {path: text.encode("utf-8") for path, text in files.items()}


@pytest.mark.parametrize("case", [case for case in CASES if case["id"] not in DISPUTED], ids=lambda case: case["id"])
def test_edit(case: dict[str, Any]) -> None:
    result = compare(encoded(case["before"]), encoded(case["after"]), case["path"], case["symbol"])
    assert result.verdict.value == case["want"], case["kind_of_edit"]
    if "parts" in case:
        assert set(result.parts) == set(case["parts"]), case["kind_of_edit"]
    if "to" in case:
        assert result.to == case["to"], case["kind_of_edit"]


def test_disputed_cases_are_counted(record_property: Any) -> None:
    record_property("disputed", len(DISPUTED))
    print(f"{len(DISPUTED)} disputed of {len(CASES)} cases")
    assert set(DISPUTED) <= {case["id"] for case in CASES}
