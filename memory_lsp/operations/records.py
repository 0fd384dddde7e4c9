"""A change of a record as an edit of its file, through the record's dialect."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from memory_lsp.core.model import FileEdit, Memory, Refusal, Status, TextEdit, apply_edits
from memory_lsp.dialects import DIALECTS
from memory_lsp.dialects.change import Change

FORM_FIELDS = frozenset({"title", "statement"})
"""A memory with placeholders for these is a form that nobody has filled in yet."""


def change_record(memory: Memory, text: str, changes: Iterable[Change]) -> FileEdit | Refusal:
    """The edit of the memory's record, whose text is ``text``, that makes the changes one after the other."""
    dialect = DIALECTS.get(memory.dialect)
    if dialect is None:
        return Refusal(f"{memory.id}: records of the dialect {memory.dialect} cannot be written")
    edits: tuple[TextEdit, ...] = ()
    now, steps = text, 0
    for change in changes:
        result = dialect.edit(now, memory, change)
        if isinstance(result, Refusal):
            return result
        if result:
            edits, steps = result, steps + 1
            now = apply_edits(now, result)
    return FileEdit(memory.path, text, edits if steps < 2 else edits_between(text, now))


def edits_between(before: str, after: str) -> tuple[TextEdit, ...]:
    """Edits, line by line, that turn one text into the other."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return tuple(
        TextEdit(starts[i1], starts[i2], "".join(new[j1:j2]))
        for tag, i1, i2, j1, j2 in matcher.get_opcodes()
        if tag != "equal"
    )


def refuse_waiting(memory: Memory) -> Refusal | None:
    """A refusal while the memory's end waits for its reason: until then it is what it was."""
    if memory.decision and memory.status in (Status.APPROVED, Status.PENDING):
        return Refusal(
            f"{memory.id}: that it is {memory.decision} waits in {memory.path} for its reason; fill it in, or undo it"
        )
    return None


def refuse_draft(memory: Memory) -> Refusal | None:
    """A refusal for a form that is not filled in yet."""
    for name, _ in memory.placeholders:
        if name in FORM_FIELDS:
            return Refusal(f"{memory.id}: its {name} is still to be filled in ({memory.path}); write it first")
    return None
