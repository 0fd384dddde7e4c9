"""Retire: a memory does not apply any more, and nothing takes its place."""

from __future__ import annotations

from memory_lsp.core.model import Event, Memory, Plan, Refusal, Status
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.dialects.change import Retired
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.records import change_record, refuse_waiting


def retire(memory: Memory, text: str, *, by: str, at: str, reason: str = "", form: bool = False) -> Plan | Refusal:
    """The plan that retires the memory in its record, whose text is ``text``.

    With ``form`` a placeholder stands for a reason that is not given; otherwise a reason is needed.
    """
    refusal = refuse_unknown(by) or refuse_waiting(memory)
    if refusal:
        return refusal
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return Plan(f"{memory.id} is {memory.status.value} already")
    reason = reason.strip()
    if form and not reason:
        reason = placeholder("reason")
    elif not is_filled(reason):
        return Refusal(f"{memory.id}: say why it no longer applies with --reason")
    edit = change_record(memory, text, (Retired(by, at, reason),))
    return (
        edit
        if isinstance(edit, Refusal)
        else Plan(f"Retire {memory.id}", (edit,), (Event("retire", memory.id, reason),))
    )
