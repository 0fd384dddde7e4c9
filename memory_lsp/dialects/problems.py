"""Problems of a record, said in one way: whose, what, where (file and line), and what to do."""

from __future__ import annotations

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
