"""Problems of a record, said in one way: whose, what, where (file and line), and what to do."""

from __future__ import annotations

import re
from functools import lru_cache

from memory_lsp.core.model import Problem, Span
from memory_lsp.core.text import LineIndex


@lru_cache(maxsize=1)
def _lines(text: str) -> LineIndex:
    return LineIndex(text)


def invalid(path: str, text: str, what: str, remedy: str, span: Span, *, field: str = "", memory: str = "") -> Problem:
    """A ``memory-invalid`` problem at ``span`` (code points of ``text``) of the record at ``path``."""
    line = _lines(text).line_of(span.start) + 1
    whose = f"{memory}: " if memory else ""
    return Problem("memory-invalid", f"{whose}{what} ({path}:{line}); {remedy}", span, field, memory)


def unreadable(text: str) -> str:
    """Why nothing is made of what stands for a fingerprint in a record, and what to do."""
    other = re.match(r"\s*v(\d+)/", text)
    why = "was made by another version of memory-lsp" if other and other[1] != "1" else "cannot be read"
    return f"the fingerprint {why}: verify it again"
