"""Whether a change touches what a claim speaks of."""

from __future__ import annotations

import difflib
import re

_FENCE = re.compile(r"^(```|~~~).*?^\1[^\n]*$", re.DOTALL | re.MULTILINE)
_CODE = re.compile(r"`([^`\n]+)`|\b([A-Za-z_][\w.]*)\(|\b([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+)\b")
_WORD = re.compile(r"[^\W\d]\w*|\d[\w.]*|\"[^\"\n]*\"|'[^'\n]*'")


def named(prose: str) -> frozenset[str]:
    """The identifiers, literals and numbers that a text names in code form, outside fenced blocks."""
    words: set[str] = set()
    for match in _CODE.finditer(_FENCE.sub("", prose)):
        text = next(group for group in match.groups() if group)
        words.update(word.strip("\"'") for word in _WORD.findall(text))
    return frozenset(word for word in words if word)


def touched(prose: str, before: str | None, after: str | None) -> bool | None:
    """Whether the words that differ between two texts are among those that the claim names; ``None``: it names none.

    Unknown texts count as untouched only if one of them is known; without both nothing can be said.
    """
    names = named(prose)
    if not names or (before is None and after is None):
        return None
    old = _WORD.findall(before or "")
    new = _WORD.findall(after or "")
    changed: set[str] = set()
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            changed.update(word.strip("\"'") for word in (*old[i1:i2], *new[j1:j2]))
    return bool(changed & names)
