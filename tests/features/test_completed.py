"""Which acts a save completes: forms count once they are filled in, and nothing counts twice."""

from __future__ import annotations

import pytest

from memory_lsp.core.model import Event
from memory_lsp.dialects import parse
from memory_lsp.features.completed import completed

PATH = ".memory/mem-a.md"
BASE = """---
type: decision
id: mem-a
title: A claim
status: stable
cites:
  - path: pay.py
    symbol: cents
---

What is claimed.
"""
DRAFT = BASE.replace("A claim", '"<title: one line that names the claim>"')
ASKED = BASE.replace(
    "---\n\nWhat",
    """verified:
  - by: human:ada
    at: 2026-03-01T12:00:00.000Z
    evidence: "<evidence: what did you check?>"
---

What""",
)
VERIFIED = ASKED.replace("<evidence: what did you check?>", "read it")
RETIRING = BASE.replace("stable", "deprecated").replace(
    "---\n\nWhat",
    """reviews:
  - by: human:ada
    at: 2026-03-01T12:00:00.000Z
    decision: retired
    reason: "<reason: why does it no longer hold?>"
---

What""",
)
RETIRED = RETIRING.replace("<reason: why does it no longer hold?>", "the bank is gone")
SUPERSEDED = BASE.replace("stable", "deprecated").replace("cites:", "superseded_by: [mem-b]\ncites:")
REJECTING, REJECTED = RETIRING.replace("retired", "rejected"), RETIRED.replace("retired", "rejected")
PENDING = BASE.replace("stable", "draft")


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (None, BASE, [Event("capture", "mem-a")]),
        (None, DRAFT, []),
        (DRAFT, DRAFT, []),
        (DRAFT, BASE, [Event("capture", "mem-a")]),
        ("", BASE, [Event("capture", "mem-a")]),
        (BASE, BASE, []),
        (BASE, BASE.replace("claimed", "meant"), []),
        (BASE, ASKED, []),
        (ASKED, VERIFIED, [Event("verify", "mem-a", "read it")]),
        (BASE, VERIFIED, [Event("verify", "mem-a", "read it")]),
        (VERIFIED, VERIFIED, []),
        (BASE, RETIRING, []),
        (RETIRING, RETIRED, [Event("retire", "mem-a", "the bank is gone")]),
        (BASE, RETIRED, [Event("retire", "mem-a", "the bank is gone")]),
        (RETIRED, RETIRED, []),
        (RETIRING, BASE, []),
        (RETIRING, RETIRING, []),
        (BASE, SUPERSEDED, [Event("supersede", "mem-a", "superseded by mem-b")]),
        (PENDING, BASE, [Event("approve", "mem-a")]),
        (PENDING, RETIRED, [Event("reject", "mem-a", "the bank is gone")]),
        (PENDING, REJECTING, []),
        (REJECTING, REJECTED, [Event("reject", "mem-a", "the bank is gone")]),
        (PENDING, REJECTED, [Event("reject", "mem-a", "the bank is gone")]),
        (
            BASE,
            BASE.replace("symbol: cents", 'symbol: cents\n    excerpt: "return 1"'),
            [Event("narrow", "mem-a", "pay.py#cents")],
        ),
        (None, BASE.replace("cites:", "supersedes: [mem-o]\ncites:"), [Event("capture", "mem-a", "supersedes mem-o")]),
        (
            BASE,
            BASE.replace("cites:", "supersedes: [mem-o]\ncites:"),
            [Event("supersede", "mem-a", "supersedes mem-o")],
        ),
        (BASE, BASE.replace("symbol: cents", "symbol: to_cents"), [Event("follow", "mem-a", "pay.py#to_cents")]),
        (BASE, "torn", []),
        ("torn", BASE, [Event("capture", "mem-a")]),
    ],
)
def test_completed(before: str | None, after: str, wanted: list[Event]) -> None:
    known = parse("okf", PATH, before) if before else None
    assert list(completed(known, parse("okf", PATH, after))) == wanted


def test_a_form_that_waits_for_its_finish_is_no_act() -> None:
    assert completed(None, parse("okf", PATH, BASE), lambda memory: True) == ()
