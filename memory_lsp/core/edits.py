"""Edits worked out from two texts."""

from __future__ import annotations

import difflib

from memory_lsp.core.model import FileEdit, TextEdit


def file_edit(path: str, before: str | None, after: str) -> FileEdit:
    """The edit that turns one text of a file into the other, line by line; ``before`` is ``None`` for a new file."""
    if before is None:
        return FileEdit(path, None, (TextEdit(0, 0, after),))
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = 0
    limit = min(len(old), len(new))
    while first < limit and old[first] == new[first]:
        first += 1
    last = 0
    while last < limit - first and old[len(old) - 1 - last] == new[len(new) - 1 - last]:
        last += 1
    position = sum(map(len, old[:first]))
    middle, wanted = old[first : len(old) - last], new[first : len(new) - last]
    starts = [position]
    for line in middle:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, middle, wanted, autojunk=False)
    edits = tuple(
        TextEdit(starts[i1], starts[i2], "".join(wanted[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )
    return FileEdit(path, before, edits)
