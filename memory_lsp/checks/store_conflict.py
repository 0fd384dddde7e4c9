"""``memory-store-conflict``: the stores of a root contradict each other."""

from __future__ import annotations

from memory_lsp.core.codes import CODES
from memory_lsp.core.model import Finding, Span


def finding(path: str, dialect: str, conflict: str, span: Span | None = None) -> Finding:
    """The finding on a store's folder, or on the line that declares one, for why nothing may be written."""
    code = "memory-store-conflict"
    return Finding(
        code,
        CODES[code].in_record,
        path,
        span or Span(0, 0),
        conflict[:1].upper() + conflict[1:],
        dialect=dialect,
        reason=conflict,
    )
