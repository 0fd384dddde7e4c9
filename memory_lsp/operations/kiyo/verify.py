"""Verify: somebody looked and the claim of a Kiyo record holds. Five fields move, and the sidecar."""

from __future__ import annotations

from collections.abc import Sequence

from memory_lsp.core.model import (
    Judgement,
    Memory,
    Plan,
    Refusal,
    Verdict,
)
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.kiyo.desk import Desk
from memory_lsp.operations.kiyo.gate import look_at, refuse_content, refuse_ended
from memory_lsp.operations.kiyo.record import change_fields, context_fields


def verify(
    memory: Memory,
    judgements: Sequence[Judgement],
    desk: Desk,
    *,
    evidence: str,
    conflict: bool = False,
    form: bool = False,
) -> Plan | Refusal:
    """Someone looked and the claim holds: the five fields of a verification, and the sidecar."""
    refusal = refuse_unknown(desk.by) or refuse_ended(memory) or refuse_content((("evidence", evidence),))
    if refusal:
        return refusal
    if conflict:
        return Refusal(
            f"{memory.id} and the code disagree: a person authorises a scoped fix, or a revision of the decision"
        )
    evidence = evidence.strip()
    if form and not evidence:
        evidence = placeholder("evidence")
    elif not is_filled(evidence):
        return Refusal(f"{memory.id}: say what you checked with --evidence")
    moved = next((item.to for item in judgements if item.verdict is Verdict.MOVED), "")
    if moved:
        return Refusal(
            f"{memory.id}: its code is now {moved}; correct the source first with `memory-lsp repair {memory.id}`"
        )
    seen = look_at(memory.id, memory.citations, desk)
    if isinstance(seen, Refusal):
        return seen
    fields = {"verification_status": "VERIFIED", "last_verified": desk.day, "verification_scope": evidence}
    fields |= context_fields(memory, seen, desk.work)
    return change_fields(memory, fields, desk, "verify", evidence, seen)
