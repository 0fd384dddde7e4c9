"""Approve: a person accepts a pending memory, and it is served from then on by its verdict."""

from __future__ import annotations

from memory_lsp.core.model import Event, Memory, Plan, Refusal, Status
from memory_lsp.dialects.change import Approved
from memory_lsp.operations.actors import refuse_program
from memory_lsp.operations.records import change_record, refuse_draft, refuse_waiting


def approve(memory: Memory, text: str, *, by: str, at: str) -> Plan | Refusal:
    """The plan that approves the memory in its record, whose text is ``text``; without edits if it is approved already."""
    refusal = refuse_program(by, "approve", memory.id) or refuse_draft(memory) or refuse_waiting(memory)
    if refusal:
        return refusal
    if memory.status is Status.APPROVED:
        return Plan(f"{memory.id} is approved already")
    if memory.status is not Status.PENDING:
        if memory.decision == "rejected":
            return Refusal(
                f"{memory.id} was rejected, and only a pending memory can be approved; "
                "a person captures the claim once more with `memory-lsp capture --again`"
            )
        return Refusal(f"{memory.id} is {memory.status.value}: only a pending memory can be approved; capture it anew")
    edit = change_record(memory, text, (Approved(by, at),))
    return edit if isinstance(edit, Refusal) else Plan(f"Approve {memory.id}", (edit,), (Event("approve", memory.id),))
