"""Approve, supersede, retire, reject: what a person decides about a Kiyo record. Nothing is ever deleted."""

from __future__ import annotations

from dataclasses import replace

from memory_lsp.core.model import (
    Memory,
    Plan,
    Refusal,
    Status,
)
from memory_lsp.core.placeholders import is_filled
from memory_lsp.dialects import kiyo
from memory_lsp.operations.actors import refuse_program, refuse_unknown
from memory_lsp.operations.kiyo.capture import capture
from memory_lsp.operations.kiyo.desk import Approval, Desk, NewRecord
from memory_lsp.operations.kiyo.gate import refuse_content
from memory_lsp.operations.kiyo.record import change_fields


def approve(memory: Memory, approval: Approval, desk: Desk) -> Plan | Refusal:
    """A person approves a proposal: a new decision that supersedes it."""
    refusal = refuse_program(desk.by, "approve", memory.id)
    if refusal:
        return refusal
    if memory.status is Status.SUPERSEDED:
        return Refusal(f"{memory.id} is superseded already by {', '.join(memory.superseded_by)}")
    if memory.type != "proposal" or memory.status is not Status.PENDING:
        return Refusal(f"{memory.id} is {memory.stored or 'UNKNOWN'}: only a proposal can be approved")
    new = NewRecord(
        memory.statement,
        type="decision",
        title=memory.title,
        source=" ".join(memory.fields.get("source", "").split()),
        stale_when=" ".join(memory.fields.get("stale_when", "").split()),
        approval=approval,
    )
    return capture(new, desk, memory, "approve")


def supersede(memory: Memory, new: NewRecord, desk: Desk) -> Plan | Refusal:
    """A revision: a new record with a new id, linked both ways; the older one keeps its text, dates and approval."""
    refusal = refuse_program(desk.by, "supersede", memory.id)
    if refusal:
        return refusal
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        by = f" by {', '.join(memory.superseded_by)}" if memory.superseded_by else ""
        return Refusal(f"{memory.id} is {memory.stored} already{by}")
    kind = memory.type if memory.type in kiyo.TYPES else "observation"
    if kind == "decision" and not new.citations and not new.source and new.approval.source:
        new = replace(new, source=f"accepted record; {new.approval.source}")
    return capture(replace(new, type=kind), desk, memory, "supersede")


def end(memory: Memory, desk: Desk, *, status: str, act: str, reason: str, form: bool = False) -> Plan | Refusal:
    """An observation that no longer applies is ARCHIVED, a proposal that is not accepted REJECTED. Nothing is deleted."""
    refusal = refuse_unknown(desk.by) or refuse_content((("reason", reason),))
    if refusal is None and act == "reject":
        refusal = refuse_program(desk.by, act, memory.id)
    if refusal:
        return refusal
    wanted = "proposal" if act == "reject" else "observation"
    if memory.type != wanted:
        return Refusal(f"{memory.id} is a {memory.type or 'record without a type'}: only {wanted}s can be {status}")
    if memory.stored == status:
        return Plan(f"{memory.id} is {status} already")
    if not form and not is_filled(reason):
        return Refusal(f"{memory.id}: say why with --reason")
    return change_fields(memory, {"status": status, "last_modified": desk.day}, desk, act, reason.strip(), None)
