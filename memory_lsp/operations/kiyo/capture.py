"""Capture: a new Kiyo record and its index row; an older record gives way to it by supersede and approve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from posixpath import dirname, relpath

from memory_lsp.core.content import inventory
from memory_lsp.core.edits import file_edit
from memory_lsp.core.model import (
    Citation,
    Event,
    Memory,
    Plan,
    Refusal,
    apply_edits,
)
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.dialects import kiyo
from memory_lsp.dialects.kiyo_index import HEADER
from memory_lsp.dialects.kiyo_read import unknown
from memory_lsp.dialects.kiyo_write import FILES, entry_text, source_of
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.kiyo.desk import Desk, NewRecord
from memory_lsp.operations.kiyo.gate import inventory_refusal, look_at, named, refuse_approval, refuse_content
from memory_lsp.operations.kiyo.record import revision_text
from memory_lsp.operations.kiyo.repair import with_row


def capture(new: NewRecord, desk: Desk, supersedes: Memory | None = None, act: str = "capture") -> Plan | Refusal:
    """A new record and its index row; with ``supersedes`` the older record gives way to it."""
    if new.form and not new.statement.strip():
        new = replace(new, statement=placeholder("statement"), title=new.title or _about(new.citations))
    kind = new.type.strip().lower()
    decided = kind == "decision"
    refusal = refuse_unknown(desk.by)
    if refusal is None and kind not in kiyo.TYPES:
        refusal = Refusal(f"`{kind}` is no record type: use one of {', '.join(kiyo.TYPES)}", kiyo.TYPES)
    if refusal is None and not new.form and not is_filled(new.statement):
        refusal = Refusal("a memory needs a statement: give it with --statement")
    texts = (
        ("statement", new.statement),
        ("title", new.title),
        ("source", new.source),
        ("approver", new.approval.approver),
    )
    refusal = refusal or refuse_content(texts)
    if refusal is None and decided:
        refusal = refuse_approval(new.approval, desk, supersedes)
    if refusal:
        return refusal
    seen: tuple[Citation, ...] = ()
    if new.citations or not (decided or new.source):
        looked = look_at("not captured", new.citations, desk)
        if isinstance(looked, Refusal):
            return looked
        seen = looked
    if inventory(new.statement, lambda name: named(name, seen, desk)):
        return inventory_refusal(seen)
    topic = new.topic or ("decisions" if kind in ("decision", "proposal") else "project")
    path = supersedes.path if supersedes is not None and not new.topic else f"{desk.folder}/{topic}.md"
    code = FILES.get(topic) or re.sub(r"[^A-Z0-9]", "", topic.upper())[:8] or "PROJ"
    if supersedes is not None and (match := re.fullmatch(r"MEM-([A-Z0-9]+)-\d+", supersedes.id)):
        code = match[1]
    name = desk.next_id(code)
    if isinstance(name, Refusal):
        return name
    title = " ".join(new.title.split()) or _title(new.statement)
    before = desk.text(path)
    if before is None and desk.sources.read(path).data is not None:
        return Refusal(f"{path} cannot be read: nothing is written")
    text = before if before is not None else f"# {topic.replace('-', ' ').capitalize()}\n"
    if supersedes is not None:
        given = _given_way(
            text if path == supersedes.path else desk.text(supersedes.path) or "", supersedes, name, desk
        )
        if isinstance(given, Refusal):
            return given
        text = given if path == supersedes.path else text
    eol = "\r\n" if "\r\n" in text else "\n"
    text = text + ("" if text.endswith(("\n", "\r")) else eol) + eol
    text += entry_text(name, title, _new_fields(name, kind, new, seen, desk, supersedes), eol)
    index_before = desk.text(desk.index)
    row = with_row(
        index_before if index_before is not None else HEADER, name, relpath(path, dirname(desk.index)), title
    )
    edits = [file_edit(path, before, text)]
    if path != desk.index:
        edits.append(file_edit(desk.index, index_before, row))
    events = [Event(act, name, f"supersedes {supersedes.id}" if supersedes is not None else "")]
    told = f" in the place of {supersedes.id}" if supersedes is not None else ""
    return Plan(f"{act.capitalize()} {name} in {path}{told}", tuple(edits), tuple(events))


def _given_way(text: str, old: Memory, new_id: str, desk: Desk) -> str | Refusal:
    related = old.fields.get("related_ids", "")
    fields = {
        "status": "ARCHIVED" if old.type == "observation" else "SUPERSEDED",
        "related_ids": new_id if unknown(related) else f"{related}, {new_id}",
        "last_modified": desk.day,
    }
    edits = kiyo.set_fields(text, old.id, fields)
    return edits if isinstance(edits, Refusal) else apply_edits(text, edits)


def _new_fields(
    name: str, kind: str, new: NewRecord, seen: tuple[Citation, ...], desk: Desk, old: Memory | None
) -> dict[str, str]:
    status = {"observation": "ACTIVE", "proposal": "PROPOSED", "decision": "APPROVED"}[kind]
    fields = {
        "id": name,
        "record_type": kind,
        "status": status,
        "statement": new.statement,
        "source": new.source or source_of(seen),
        "observed_date": desk.day,
        "last_modified": desk.day,
        "last_verified": "UNKNOWN",
        "verification_status": "UNVERIFIED",
        "verification_scope": "UNKNOWN",
        "uncertainty": "UNKNOWN",
        "repository_context": "UNKNOWN",
        "git_revision": revision_text(seen, desk.work),
    }
    if kind == "decision":
        given = (
            ("approval_source", new.approval.source),
            ("approver", new.approval.approver),
            ("approval_scope", new.approval.scope),
            ("approval_date", new.approval.date),
        )
        fields |= {field: value for field, value in given if value}
    if old is not None:
        fields["supersedes"] = old.id
    if new.stale_when:
        fields["stale_when"] = new.stale_when
    return fields


def _title(statement: str) -> str:
    words = " ".join(statement.split())
    return words if len(words) <= 60 else words[:60].rsplit(" ", 1)[0]


def _about(citations: Sequence[Citation]) -> str:
    return next((citation.symbol or citation.path for citation in citations), "New record")
