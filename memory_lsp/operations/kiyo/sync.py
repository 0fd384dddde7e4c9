"""Sync: fields of an observation as a person states them. Proposals and decisions are never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memory_lsp.core.content import inventory
from memory_lsp.core.model import (
    Memory,
    Plan,
    Refusal,
    Span,
)
from memory_lsp.core.placeholders import is_filled
from memory_lsp.dialects.kiyo_read import is_placeholder, plain, unknown
from memory_lsp.dialects.kiyo_source import read_source
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.kiyo.desk import Desk
from memory_lsp.operations.kiyo.gate import inventory_refusal, look_at, named, refuse_content, refuse_ended
from memory_lsp.operations.kiyo.record import change_fields, context_fields

SETTABLE = (
    "statement",
    "source",
    "uncertainty",
    "verification_scope",
    "verification_status",
    "repository_context",
    "git_revision",
)
"""What ``sync`` may change of an observation."""


def sync(
    memory: Memory,
    sets: Mapping[str, str],
    desk: Desk,
    *,
    verified: bool = False,
    evidence: str = "",
) -> Plan | Refusal:
    """The fields of an observation as a person states them; a changed claim counts as verified only with evidence."""
    refusal = refuse_unknown(desk.by) or _refuse_kind(memory, sets) or refuse_ended(memory)
    if refusal:
        return refusal
    sets = {name: " ".join(value.split()) if name != "statement" else value for name, value in sets.items()}
    refusal = refuse_content((*sets.items(), ("evidence", evidence)))
    if refusal:
        return refusal
    changed = {name: value for name, value in sets.items() if not _same(memory, name, value)}
    if not changed:
        return Plan(f"{memory.id}: nothing to change")
    claim = bool({"statement", "source"} & changed.keys())
    after = memory
    if "source" in changed:
        start = memory.spans.get("source", Span(0, 0)).start
        after = replace(memory, citations=read_source(changed["source"], start).citations)
    if "statement" in changed and inventory(changed["statement"], lambda name: named(name, after.citations, desk)):
        return inventory_refusal(after.citations)
    fields = {**changed, "last_modified": desk.day}
    if verified and claim:
        if not is_filled(evidence):
            return Refusal(f"{memory.id}: say what you checked with --evidence")
        seen = look_at(memory.id, after.citations, desk)
        if isinstance(seen, Refusal):
            return seen
        after = replace(after, statement=changed.get("statement", memory.statement))
        fields |= {"verification_status": "VERIFIED", "last_verified": desk.day, "verification_scope": evidence.strip()}
        fields |= context_fields(memory, seen, desk.work)
        return change_fields(after, fields, desk, "sync", evidence.strip(), seen)
    if verified:
        return Refusal(f"{memory.id}: its claim is unchanged; `memory-lsp verify {memory.id}` records a verification")
    if claim:
        was = plain(memory.fields.get("last_verified", ""))
        scope = changed.get("verification_scope") or " ".join(memory.fields.get("verification_scope", "").split())
        if not unknown(was):
            scope = (
                f"{scope}; the former text was last verified {was}"
                if not unknown(scope)
                else f"the former text was last verified {was}"
            )
        fields |= {
            "verification_status": "UNVERIFIED",
            "last_verified": "UNKNOWN",
            "verification_scope": scope or "UNKNOWN",
        }
    return change_fields(memory, fields, desk, "sync", "", None)


def _refuse_kind(memory: Memory, sets: Mapping[str, str]) -> Refusal | None:
    for name, value in sets.items():
        if name not in SETTABLE:
            return Refusal(f"{memory.id}: sync does not change `{name}`: it may set {', '.join(SETTABLE)}", SETTABLE)
        if name == "verification_status" and value.strip().upper() not in ("STALE", "UNVERIFIED"):
            return Refusal(f"{memory.id}: only `verify`, or --verify with a changed claim, says VERIFIED")
        if is_placeholder(value):
            return Refusal(f"{memory.id}: `{name}` is a placeholder: write what it is")
    if memory.type != "observation":
        return Refusal(
            f"{memory.id} is a {memory.type or 'record without a type'}: sync changes observations alone; a decision is revised with a real approval (`memory-lsp supersede`)"
        )
    return None


def _same(memory: Memory, name: str, value: str) -> bool:
    return " ".join(memory.fields.get(name, "").split()) == " ".join(value.split())
