"""``check --format sarif``: valid against the schema of SARIF 2.1.0, with fingerprints that outlive moves in the record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
from shop import CONVENTIONS, INDEX, Run, Shop

SCHEMA = json.loads((Path(__file__).parent.parent / "data/sarif-2.1.0.json").read_text("utf-8"))


def log(run: Run, *arguments: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run("check", "--format", "sarif", *arguments)[1])
    jsonschema.validate(found, SCHEMA)
    return found


def fingerprints(found: dict[str, Any]) -> set[tuple[str, str]]:
    results = found["runs"][0]["results"]
    return {(item["ruleId"], item["partialFingerprints"]["memoryCitation/v1"]) for item in results}


def test_the_log_is_valid(shop: Shop, run: Run) -> None:
    shop.clamp_changed()
    shop.change(INDEX, "| MEM-CONV-0002 |", "| MEM-CONV-0099 |")
    shop.change(CONVENTIONS, "- status: ACTIVE", "- status: MAYBE")
    found = log(run)
    results = found["runs"][0]["results"]
    assert {item["ruleId"] for item in results} == {"memory-changed", "memory-invalid"}
    assert {item["level"] for item in results} <= {"error", "warning", "note"}


def test_without_findings_and_without_a_store(shop: Shop, run: Run, tmp_path: Path) -> None:
    assert log(run)["runs"][0]["results"] == []
    (tmp_path / "bare").mkdir()
    assert log(run, "--root", str(tmp_path / "bare"))["runs"][0]["results"] == []


def test_a_fingerprint_does_not_depend_on_lines(shop: Shop, run: Run) -> None:
    shop.clamp_changed()
    before = log(run)
    shop.change(CONVENTIONS, "# Conventions\n", "# Conventions\n\nA new line of mine.\n")
    after = log(run)
    assert fingerprints(before) == fingerprints(after) and len(fingerprints(after)) == 1
    places = [item["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"] for item in (before, after)]
    assert places[1]["startLine"] == places[0]["startLine"] + 2
    code = after["runs"][0]["results"][0]["relatedLocations"][0]["physicalLocation"]
    assert (code["artifactLocation"]["uri"], code["region"]["startLine"]) == ("rates.py", 4)
