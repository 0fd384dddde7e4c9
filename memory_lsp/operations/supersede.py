"""Supersede: another memory holds instead of this one. Both records name each other, and the old one is withheld."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memory_lsp.core.model import Event, FileEdit, Memory, Plan, Refusal, Status
from memory_lsp.dialects.change import Superseded, Supersedes
from memory_lsp.operations.actors import refuse_program
from memory_lsp.operations.records import change_record, refuse_draft, refuse_waiting


def supersede(
    old: Memory,
    old_text: str,
    new: Memory,
    new_text: str,
    *,
    memories: Mapping[str, Memory],
    by: str,
    at: str,
    reason: str = "",
) -> Plan | Refusal:
    """The plan that puts ``new`` in the place of ``old``. ``memories`` are all that are known, by id, to find a cycle."""
    refusal = _refuse(old, by) or refuse_draft(new)
    if refusal:
        return refusal
    if old.id == new.id:
        return Refusal(f"{old.id} cannot supersede itself")
    if new.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return Refusal(f"{new.id} is {new.status.value} itself: it cannot take the place of {old.id}")
    if old.id in _successors(new, memories):
        return Refusal(f"{old.id} supersedes {new.id} already: the other way round would be a cycle")
    if old.path == new.path:
        return Refusal(f"{old.id} and {new.id} are in one record ({old.path}): give them a record each")
    old_edit = change_record(old, old_text, (Superseded(new.id, by, at, reason.strip()),))
    new_edit = change_record(new, new_text, (Supersedes(old.id, by, at, reason.strip()),))
    for edit in (old_edit, new_edit):
        if isinstance(edit, Refusal):
            return edit
    assert isinstance(old_edit, FileEdit) and isinstance(new_edit, FileEdit)
    notes = (f"{new.id} is pending: nothing is served until it is approved",) if new.status is Status.PENDING else ()
    return Plan(
        f"Supersede {old.id} by {new.id}",
        (old_edit, new_edit),
        (Event("supersede", old.id, f"superseded by {new.id}"), Event("supersede", new.id, f"supersedes {old.id}")),
        notes,
    )


def supersede_by_capture(
    old: Memory, old_text: str, captured: Plan, *, by: str, at: str, reason: str = ""
) -> Plan | Refusal:
    """The plan of a capture (whose request names ``old.id`` in ``supersedes``), and that ``old`` gives way to it."""
    refusal = _refuse(old, by)
    if refusal:
        return refusal
    new_id = captured.events[0].memory
    edit = change_record(old, old_text, (Superseded(new_id, by, at, reason.strip()),))
    if isinstance(edit, Refusal):
        return edit
    return replace(
        captured,
        summary=f"Supersede {old.id} by {new_id}",
        edits=(edit, *captured.edits),
        events=(Event("supersede", old.id, f"superseded by {new_id}"), *captured.events),
        notes=tuple(note for note in captured.notes if not note.startswith(f"{old.id} ")),
    )


def _refuse(old: Memory, by: str) -> Refusal | None:
    refusal = refuse_program(by, "supersede", old.id)
    if refusal:
        return refusal
    if old.status in (Status.DEPRECATED, Status.SUPERSEDED):
        by_whom = f" by {', '.join(old.superseded_by)}" if old.superseded_by else ""
        return Refusal(f"{old.id} is {old.status.value} already{by_whom}")
    return refuse_waiting(old)


def _successors(memory: Memory, memories: Mapping[str, Memory]) -> set[str]:
    """The memories that hold, directly or over others, instead of this one."""
    heirs: dict[str, set[str]] = {}
    for known in memories.values():
        heirs.setdefault(known.id, set()).update(known.superseded_by)
        for older in known.supersedes:
            heirs.setdefault(older, set()).add(known.id)
    found: set[str] = set()
    waiting = [memory.id]
    while waiting:
        for heir in heirs.get(waiting.pop(), set()) - found:
            found.add(heir)
            waiting.append(heir)
    return found
