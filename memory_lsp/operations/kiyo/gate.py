"""What is refused before anything is planned: content that must not be kept, decisions without an approval, code that is not there."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_lsp.core.content import first_refused
from memory_lsp.core.model import (
    Citation,
    Memory,
    Refusal,
    Status,
)
from memory_lsp.dialects import kiyo
from memory_lsp.dialects.kiyo_read import plain, unknown
from memory_lsp.operations.kiyo.desk import Approval, Desk
from memory_lsp.operations.look import look


def refuse_ended(memory: Memory) -> Refusal | None:
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return Refusal(f"{memory.id} is {memory.stored}: capture it anew if it holds again")
    return None


def refuse_content(texts: Sequence[tuple[str, str]]) -> Refusal | None:
    name, why = first_refused(texts)
    if not name:
        return None
    if name == "approver":
        why = "personal-data"
    code = "memory-secret: " if why in ("memory-secret", "personal-data") else ""
    what = {"memory-secret": "a secret"}.get(why, why)
    return Refusal(f"{code}the {name} holds {what} ({why}): nothing is written; record a safe summary with a path")


def refuse_approval(approval: Approval, desk: Desk, old: Memory | None) -> Refusal | None:
    offered = "a proposal can be captured instead (--type proposal)"
    if not desk.by.startswith("human:"):
        return Refusal(f"{desk.by} is a program, and a program cannot approve a decision; {offered}")
    for name, value in (("--approval-source", approval.source), ("--approval-scope", approval.scope)):
        if unknown(value):
            return Refusal(f"a decision needs a recorded approval: give {name}; {offered}")
    if approval.approver and re.search(r"\s", approval.approver.strip()):
        return Refusal(f"the approver is a role or a record, as in role:architecture-board; {offered}")
    if approval.date and not kiyo.is_date(approval.date):
        return Refusal("--approval-date is no date: write YYYY-MM-DD")
    word = plain(approval.source).partition("#")[0]
    if old is not None and word == old.id:
        return Refusal(f"the approval source is the record itself; {offered}")
    if desk.is_record(word):
        return None
    if desk.sources.read(word).data is None:
        return Refusal(f"the approval source {word} does not resolve to a file or a record; {offered}")
    if old is not None and word == old.path:
        return Refusal(f"the approval source is the record itself; {offered}")
    return None


def look_at(whose: str, citations: Sequence[Citation], desk: Desk) -> tuple[Citation, ...] | Refusal:
    if not citations:
        return Refusal(
            f"{whose}: no path is cited, so there is nothing to check; cite the code with --source or --cite"
        )
    seen = []
    for citation in citations:
        if citation.candidates:
            return Refusal(f"{whose}: {citation.path} may be {' or '.join(citation.candidates)}", citation.candidates)
        found = look(citation, desk.sources)
        if isinstance(found, Refusal):
            told = "denied" if "Permission denied" in found.message else found.message
            return Refusal(f"{whose}: {told}", found.candidates)
        seen.append(found)
    return tuple(seen)


def named(name: str, citations: Sequence[Citation], desk: Desk) -> bool:
    outlines = (desk.sources.outline(path) for path in dict.fromkeys(item.path for item in citations))
    return any(outline is not None and bool(outline.match(name)) for outline in outlines)


def inventory_refusal(citations: Sequence[Citation]) -> Refusal:
    path = citations[0].path if citations else "the file"
    return Refusal(
        f"inventory: the statement lists what {path} says itself; nothing is written, cite the file by its path"
    )
