"""Finish: a form is filled in, and the machine's part of the record is put in step with it (Kage packets)."""

from __future__ import annotations

from memory_lsp.core.model import Event, FileEdit, Memory, Plan, Refusal
from memory_lsp.dialects import kage
from memory_lsp.operations.actors import refuse_unknown


def finish(memory: Memory, text: str, *, by: str, at: str) -> Plan | Refusal:
    """The plan that finishes the memory's record, whose text is ``text``; without edits if there is nothing to finish."""
    refusal = refuse_unknown(by)
    if refusal:
        return refusal
    if memory.dialect != kage.NAME:
        return Plan(f"{memory.id} is finished as it is filled in")
    edits = kage.finish(text, memory, by=by, at=at)
    if isinstance(edits, Refusal):
        return edits
    if not edits:
        return Plan(f"{memory.id} is finished already")
    return Plan(f"Finish {memory.id}", (FileEdit(memory.path, text, edits),), (Event("finish", memory.id),))
