"""Reject: a person does not accept a pending memory; a tombstone keeps the claim from coming back."""

from __future__ import annotations

from memory_lsp.core.model import Event, Memory, Plan, Refusal, Status
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.dialects.change import Rejected
from memory_lsp.operations.actors import refuse_program
from memory_lsp.operations.records import change_record, refuse_waiting
from memory_lsp.operations.tombstones import bury


def reject(
    memory: Memory, text: str, *, by: str, at: str, reason: str, tombstones: str | None, form: bool = False
) -> Plan | Refusal:
    """The plan that rejects the memory in its record and buries it. ``tombstones`` is that file's text, ``None`` without one.

    With ``form`` the record alone is edited, with a placeholder for a reason that is not given: the memory is to be buried
    once the record is saved with a reason.
    """
    refusal = refuse_program(by, "reject", memory.id) or refuse_waiting(memory)
    if refusal:
        return refusal
    if memory.status is not Status.PENDING:
        return Refusal(
            f"{memory.id} is {memory.status.value}: only a pending memory can be rejected; retire it instead"
        )
    if form and not reason.strip():
        reason = placeholder("reason")
    elif not is_filled(reason):
        return Refusal(f"{memory.id}: say why it is rejected with --reason")
    edit = change_record(memory, text, (Rejected(by, at, reason.strip()),))
    if isinstance(edit, Refusal):
        return edit
    if form:
        return Plan(f"Reject {memory.id}", (edit,), (Event("reject", memory.id, reason.strip()),))
    grave = bury(memory, tombstones, by=by, at=at, reason=reason.strip())
    return Plan(f"Reject {memory.id}", (edit, grave), (Event("reject", memory.id, reason.strip()),))
