"""Findings as SARIF 2.1.0, for code scanning services. A result's partial fingerprint is its memory, code and citation."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from memory_lsp import __version__
from memory_lsp.core.codes import CODES
from memory_lsp.core.model import Finding, Severity, Span
from memory_lsp.core.text import LineIndex

if TYPE_CHECKING:
    from memory_lsp.workspace.snapshot import Snapshot

_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFORMATION: "note", Severity.HINT: "note"}
SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Iterable[Finding], snapshot: Snapshot | None) -> dict[str, Any]:
    """One run with all findings; places in code are related locations."""
    shown = [finding for finding in findings if finding.severity in _LEVELS]
    names = sorted({finding.code for finding in shown})
    rules = [
        {
            "id": name,
            "shortDescription": {"text": CODES[name].meaning},
            "help": {"text": CODES[name].remedy},
            "defaultConfiguration": {"level": _LEVELS.get(CODES[name].in_record, "none")},
        }
        for name in names
    ]
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "memory-lsp", "version": __version__, "rules": rules}},
                "columnKind": "utf16CodeUnits",
                "results": [_result(finding, names.index(finding.code), snapshot) for finding in shown],
            }
        ],
    }


def _result(finding: Finding, rule: int, snapshot: Snapshot | None) -> dict[str, Any]:
    record = snapshot.records.get(finding.path) if snapshot else None
    text = record.text if record else ""
    if record is None and snapshot is not None:
        text = (snapshot.sources.read(finding.path).data or b"").decode("utf-8", "replace")
    related = []
    if finding.in_code is not None and finding.in_code_severity is not Severity.OFF and snapshot is not None:
        data = snapshot.sources.read(finding.in_code.path).data or b""
        index = LineIndex(data.decode("utf-8", "replace"))
        place = finding.in_code.span
        span = Span(index.byte_to_offset(place.start), index.byte_to_offset(place.end))
        related.append({"id": 1, **_location(finding.in_code.path, index, span), "message": {"text": "the code"}})
    identity = "\0".join((finding.memory, finding.code, finding.path, finding.field, finding.symbol))
    if finding.in_code is not None and not finding.symbol:
        identity += f"\0{finding.in_code.path}"
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [_location(finding.path, LineIndex(text), finding.span)],
        "partialFingerprints": {
            "memoryCitation/v1": hashlib.sha256(identity.encode("utf-8", "surrogatepass")).hexdigest()
        },
    }
    if related:
        result["relatedLocations"] = related
    return result


def _location(path: str, index: LineIndex, span: Span) -> dict[str, Any]:
    start, end = index.position(span.start, "utf-16"), index.position(span.end, "utf-16")
    return {
        "physicalLocation": {
            "artifactLocation": {"uri": quote(path, safe="/~", errors="surrogatepass"), "uriBaseId": "%SRCROOT%"},
            "region": {
                "startLine": start[0] + 1,
                "startColumn": start[1] + 1,
                "endLine": end[0] + 1,
                "endColumn": end[1] + 1,
            },
        }
    }
