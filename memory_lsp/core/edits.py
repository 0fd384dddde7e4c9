"""Edits worked out from two texts."""

from __future__ import annotations

from memory_lsp.core.model import FileEdit, TextEdit


def file_edit(path: str, before: str | None, after: str) -> FileEdit:
    """The smallest single replacement that turns one text into the other."""
    if before is None:
        return FileEdit(path, None, (TextEdit(0, 0, after),))
    start = 0
    limit = min(len(before), len(after))
    while start < limit and before[start] == after[start]:
        start += 1
    end = 0
    while end < limit - start and before[len(before) - 1 - end] == after[len(after) - 1 - end]:
        end += 1
    if start == len(before) == len(after):
        return FileEdit(path, before, ())
    return FileEdit(path, before, (TextEdit(start, len(before) - end, after[start : len(after) - end]),))
