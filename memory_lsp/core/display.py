"""Text of records and of code is untrusted: what a message may show of it."""

from __future__ import annotations

import unicodedata

_REMOVED = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


def shown(text: str, limit: int = 160) -> str:
    """One line of ``text``, at most ``limit`` code points, that cannot steer a terminal or reorder a line.

    White space and line ends become single spaces; control, format (bidirectional overrides, zero width), surrogate
    and private characters are dropped; a cut is marked by an ellipsis.
    """
    head = text[: limit * 4]
    if head.isascii() and head.isprintable() and len(text) <= limit and "  " not in head:
        return head.strip()
    pieces = []
    for character in head:
        if character.isspace():
            pieces.append(" ")
        elif unicodedata.category(character) not in _REMOVED:
            pieces.append(character)
    line = " ".join("".join(pieces).split())
    if len(line) > limit or len(text) > len(head):
        line = line[: limit - 1].rstrip() + "…"
    return line
