"""The text form of a citation: ``path``, ``path#Symbol.path``, ``path#L10`` or ``path#L10-L20`` (design section 3)."""

from __future__ import annotations

import re
import unicodedata

from memory_lsp.core.model import Citation

_LINES = re.compile(r"L(\d+)(?:-L?(\d+))?\Z")


def split_target(target: str) -> tuple[str, tuple[int, int] | None]:
    """What stands behind the ``#``: ``(symbol, None)``, or ``("", (first, last))`` for lines (1-based, inclusive), in the
    order in which they are written: backwards ones are refused, or told, where they are looked at."""
    match = _LINES.match(target)
    if not match:
        return unicodedata.normalize("NFC", target), None
    first = int(match[1])
    return "", (first, int(match[2]) if match[2] else first)


def parse_citation(text: str) -> Citation:
    """The citation that a text names; the first ``#`` ends the path. ``./`` in front of the path is dropped."""
    path, _, target = text.strip().partition("#")
    symbol, lines = split_target(target.strip())
    return Citation(path=path.strip().removeprefix("./"), symbol=symbol, lines=lines)


def target_of(citation: Citation) -> str:
    """What stands behind the ``#`` in the text form; empty for a whole file."""
    return citation.text[len(citation.path) + 1 :]
