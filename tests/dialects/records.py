"""Records for the tests of the dialects: what a person or a tool might have written, and ways to break it."""

from __future__ import annotations

from hypothesis import strategies as st

from memory_lsp.core.fingerprint import dump, fingerprint_file, load
from memory_lsp.core.model import Fingerprint, Parsed

NOW = "2026-03-04T05:06:07.008Z"


def _stored(data: bytes) -> Fingerprint:
    """A fingerprint as it reads back from a record."""
    fingerprint = load(dump(fingerprint_file("python", data)))
    assert fingerprint is not None
    return fingerprint


SEEN = _stored(b"def a():\n    return 1\n")
SEEN_ANEW = _stored(b"def a():\n    return 2\n")
OKF = f"""---
# who decided what
type: decision
id: mem-k3x9q2m7wd
title: "Charges are idempotent"   # shown in lists
x-team:   payments
description: Every attempt of `charge` has the same key.
status:  draft
tags: [pay, "two words"]
generated: {{by: human:ann, at: 2026-01-02T03:04:05Z}}

cites:
  - path: src/pay.py
    symbol: Gateway.charge
    fingerprint: "{dump(SEEN)}"
    blob: 8300e997ed4f4f1b3b44affb3c3e104062ce3335
    # the timeout
  - {{path: "config/pay.toml", symbol: "processor.timeout"}}
context:
  why: >
    The processor bills
    what it has accepted.
  stale_when:
  - the processor changes
  - when: used requests in src/**/*.py
verified:
- by: human:bo
  at: 2026-02-03T00:00:00Z
  evidence: read it
---

# Charges

Every attempt has the same key.

```python
# <evidence: what did you check?>
```
"""

CHUNKS = st.sampled_from(
    [
        "\n", "\r", "\r\n", "---\n", "...", "```\n", "~~~", "<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n", "- ", ": ", "  ",
        "\t", "{", "}", "[", "]", "*a", "&a ", "!!python/object:x ", "|", ">", "'", '"', "\\", "\ufeff", "\u2028", "\x85", "\x00",
        "\ud83d", "\U0001f600", "id: x\n", "status: stable\n", "cites:\n", "verified:\n", "<title: ", "#", "null", "~", "\\ud800",
        "```json kage-state\n", "## Kage state\n", "# Citations\n", "evidence: ", '"id":', "NaN", "1e999", ",",
    ]
)  # fmt: skip
ANYTHING = st.lists(st.one_of(CHUNKS, st.text(max_size=6)), max_size=30).map("".join)


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """A record with up to three pieces cut out, put in, or cut off."""
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        length = draw(st.sampled_from([0, 1, 2, 7, 40, 100_000]))
        text = text[:start] + "".join(draw(st.lists(CHUNKS, max_size=3))) + text[start + length :]
    return text


def check_spans(parsed: Parsed, text: str) -> None:
    """Everything that a parse points at lies in the document."""
    for memory in parsed.memories:
        spans = [memory.span, *memory.spans.values(), *(span for _, span in (*memory.placeholders, *memory.predicates))]
        for citation in memory.citations:
            spans += [citation.span, *citation.spans.values()]
        assert all(0 <= span.start <= span.end <= len(text) for span in spans)
    assert all(0 <= problem.span.start <= problem.span.end <= len(text) for problem in parsed.problems)
