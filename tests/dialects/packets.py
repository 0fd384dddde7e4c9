"""A Kage packet as another program might have laid it out, with spaces, numbers and keys that an edit must leave alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any

from memory_lsp.core.fingerprint import dump
from tests.dialects.records import SEEN

OLD, NEW = ("1a" * 32, "2b" * 32)
LOANS = b"""class Loan:
    def due(self, day):
        return next_open(day + 21)

    def fee(self, days):
        return days * 20
"""
BODY = (
    "A loan that would end on a Sunday ends on the next day that is open.\n\n`Loan.due` is the only place that knows."
)
STATE: dict[str, Any] = {
    "schema_version": 2,
    "id": "pk-loans-7",
    "title": "Loans end on an open day",
    "summary": "Loans never end while the library is closed.",
    "body": BODY,
    "type": "house_rule",
    "scope": "repo",
    "visibility": "team",
    "sensitivity": "internal",
    "status": "approved",
    "confidence": 0.75,
    "tags": ["loans", "calendar"],
    "paths": ["library/loans.py", "library/days.py"],
    "stack": ["python"],
    "source_refs": [
        {"kind": "explicit_capture", "captured_at": "2025-11-03T08:00:00.000Z"},
        {
            "kind": "reverification",
            "at": "2025-12-01T10:00:00.000Z",
            "verified_by": "human:ines",
            "evidence": "walked through the calendar",
            "changed_paths": [{"path": "library/days.py", "prior_sha256": "0c" * 32, "sha256": NEW}],
        },
    ],
    "freshness": {
        "ttl_days": 90,
        "last_verified_at": "2025-12-01T10:00:00.000Z",
        "path_fingerprints": [
            {
                "path": "library/loans.py",
                "sha256": OLD,
                "size": 115,
                "symbols": [{"name": "loan.due", "kind": "method", "sha256": "3c" * 32}],
            },
            {"path": "library/days.py", "sha256": NEW, "size": 40},
        ],
    },
    "edges": [
        {"relation": "supersedes", "to": "pk-loans-1", "evidence": "older", "created_at": "2025-11-03T08:00:00.000Z"}
    ],
    "quality": {"votes": 3},
    "created_at": "2025-11-03T08:00:00.000Z",
    "updated_at": "2025-12-01T10:00:00.000Z",
    "author_name": "Ines",
    "context": {
        "why": "Readers stood before a closed door.",
        "stale_when": "used next_open in library/**/*.py\nafter the new calendar is there",
        "rejected_alternatives": ["two extra days", "no due dates"],
    },
}
OURS = {
    "citations": [
        {
            "path": "library/loans.py",
            "symbol": "Loan.due",
            "kind": "method",
            "fingerprint": dump(SEEN),
            "blob": "4d" * 20,
            "sha256": OLD,
            "note": "kept",
        }
    ]
}


def packet(state: dict[str, Any] | None = None, line: str | None = None, **front: Any) -> str:
    """A packet's document with this state (or this line in its place), laid out with a heading, a quote and a list."""
    values = STATE if state is None else state
    head = {
        "type": "Memory",
        "title": values.get("title"),
        "description": values.get("summary"),
        "resource": "library/loans.py",
        "tags": values.get("tags"),
        "timestamp": values.get("updated_at"),
        "x-kage-id": values.get("id"),
        "x-kage-type": values.get("type"),
        "x-kage-status": values.get("status"),
        "x-kage-scope": values.get("scope"),
        "x-kage-visibility": values.get("visibility"),
        "x-kage-verified": True,
        "x-kage-paths": values.get("paths"),
    } | front
    written = "".join(f"{key}: {json.dumps(value)}\n" for key, value in head.items())
    return f"""---
{written}---

# {values.get("title")}

> {values.get("summary")}

## In full

{values.get("body")}

# Citations

1. library/loans.py
2. library/days.py

## Kage state

```json kage-state
{line if line is not None else spaced(values)}
```
"""


def spaced(values: dict[str, Any]) -> str:
    """A state on one line with odd spaces, a number in a form of its own and a key that nobody knows."""
    text = json.dumps(values, ensure_ascii=False, separators=(", ", " :  "))
    return text.replace("0.75", "7.50e-1").replace('"quality"', '"x_unknown" : {"a":1.0, "b":[ ]}, "quality"', 1)


def with_state(change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """A copy of ``STATE``, changed."""
    values: dict[str, Any] = json.loads(json.dumps(STATE))
    change(values)
    return values


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
