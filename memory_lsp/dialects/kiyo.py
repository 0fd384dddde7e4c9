"""The dialect ``kiyo``: Markdown entries of project memory, many to a file (Kiyo's rules KIYO-MEM-002 to 008).

A record has no fingerprint: what was verified is found in history (``workspace.kiyo_baseline``). So ``parse`` reads what a
record says and ``source`` by its form alone; the workspace reads it again with what it knows of the repository.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from posixpath import basename

from memory_lsp.core.content import kept_badly
from memory_lsp.core.model import Memory, Parsed, Problem, Refusal, Span, Status, TextEdit, Verification
from memory_lsp.core.predicates import is_predicate
from memory_lsp.dialects.change import Change
from memory_lsp.dialects.kiyo_read import Entry, is_placeholder, plain, read_entries, spans_of, unknown
from memory_lsp.dialects.kiyo_source import read_source
from memory_lsp.dialects.kiyo_write import create, edits_for, set_fields
from memory_lsp.dialects.problems import invalid

__all__ = ["NAME", "create", "edit", "parse", "recognise", "set_fields"]

NAME = "kiyo"
TYPES = ("observation", "proposal", "decision")
STATUSES = {
    "observation": ("ACTIVE", "ARCHIVED"),
    "proposal": ("PROPOSED", "REJECTED", "SUPERSEDED"),
    "decision": ("APPROVED", "SUPERSEDED", "REVOKED"),
}
VERIFICATIONS = ("VERIFIED", "STALE", "UNVERIFIED")
_STATUS = {
    "ACTIVE": Status.APPROVED,
    "APPROVED": Status.APPROVED,
    "PROPOSED": Status.PENDING,
    "ARCHIVED": Status.DEPRECATED,
    "REJECTED": Status.DEPRECATED,
    "REVOKED": Status.DEPRECATED,
    "SUPERSEDED": Status.SUPERSEDED,
}
_DATES = ("observed_date", "last_modified", "last_verified", "approval_date")
_PERSON = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+|\+?\d[\d ()/-]{6,}\d")


def recognise(path: str, text: str) -> bool:
    """Whether a Markdown file of a Kiyo store holds entries."""
    return path.endswith(".md") and bool(read_entries(text))


def parse(path: str, text: str) -> Parsed:
    """The memories of one file, with everything that is wrong with them. Never raises."""
    entries = read_entries(text)
    memories = tuple(_memory(path, text, entry) for entry in entries if entry.id)
    problems: list[Problem] = []
    for entry in entries:
        problems += _problems(path, text, entry)
    problems += _duplicates(path, text, entries)
    return Parsed(memories, tuple(problems))


def edit(text: str, memory: Memory, change: Change) -> tuple[TextEdit, ...] | Refusal:
    """Minimal edits of the file's current ``text`` that make ``change`` in the memory's entry; empty for no change."""
    wanted = edits_for(memory, change)
    return wanted if isinstance(wanted, Refusal) else set_fields(text, memory.id, wanted)


def is_date(value: str) -> bool:
    """Whether a value is a date as the format has it: ISO 8601, a date or a date and time."""
    try:
        datetime.fromisoformat(value.strip().replace("Z", "+00:00"))
    except ValueError:
        return False
    return bool(re.match(r"\d{4}-\d{2}-\d{2}", value.strip()))


def ids_in(value: str) -> tuple[str, ...]:
    """The ids that a value lists."""
    if unknown(value):
        return ()
    words = (
        plain(word)
        for word in re.split(r"[,;\s]+", re.sub(r"\]\([^)]*\)", "]", value).replace("[", "").replace("]", ""))
    )
    return tuple(dict.fromkeys(word for word in words if word and word.upper() not in ("UNKNOWN", "NONE")))


def _memory(path: str, text: str, entry: Entry) -> Memory:
    kind = plain(entry.get("record_type")).lower()
    stored = plain(entry.get("status")).upper()
    status = _STATUS.get(stored, Status.PENDING)
    statement = entry.get("statement")
    spans = dict(spans_of(entry))
    if "id" not in spans:
        spans["id"] = entry.heading_span
    source = entry.fields.get("source")
    verified = plain(entry.get("last_verified"))
    fields = {name: item.value for name, item in entry.fields.items()}
    related = ids_in(entry.get("related_ids"))
    memory = Memory(
        id=entry.id,
        dialect=NAME,
        path=path,
        status=status,
        stored=stored,
        title=entry.title or statement[:100],
        type=kind,
        statement=statement,
        context={name: fields[name] for name in ("stale_when",) if name in fields},
        prose=f"{entry.title}\n{statement}",
        supersedes=ids_in(entry.get("supersedes")),
        superseded_by=related if status is Status.SUPERSEDED else (),
        recorded_at=plain(entry.get("observed_date")) if is_date(plain(entry.get("observed_date"))) else "",
        verifications=_verified(entry, verified),
        last_verified_at=verified if is_date(verified) else "",
        predicates=tuple(_predicates(text, entry)),
        placeholders=tuple((name, item.span) for name, item in entry.fields.items() if is_placeholder(item.value)),
        span=Span(entry.start, entry.end),
        spans=spans,
        fields=fields,
    )
    if source is None:
        return memory
    # As written, wrapped lines included: the spans of the citations count in it.
    fields["source"] = text[source.span.start : source.span.end]
    return replace(memory, citations=read_source(fields["source"], source.span.start).citations)


def _verified(entry: Entry, verified: str) -> tuple[Verification, ...]:
    """The last verification, as far as the record tells of it; one whose evidence is still to be filled in is none."""
    scope = entry.get("verification_scope")
    stored = plain(entry.get("verification_status")).upper()
    if not is_date(verified) or stored == "UNVERIFIED" or is_placeholder(scope):
        return ()
    return (Verification("", verified, "" if unknown(scope) else scope),)


def _predicates(text: str, entry: Entry) -> Iterable[tuple[str, Span]]:
    item = entry.fields.get("stale_when")
    if item is None:
        return
    raw = text[item.span.start : item.span.end]
    for match in re.finditer(r"[^;\r\n]+", raw):
        piece = match[0].strip().strip("`")
        at = item.span.start + match.start() + match[0].find(piece)
        if is_predicate(piece):
            yield piece, Span(at, at + len(piece))


def _problems(path: str, text: str, entry: Entry) -> Iterable[Problem]:
    name = entry.id

    def wrong(field: str, what: str, remedy: str, span: Span | None = None) -> Problem:
        place = span or (entry.fields[field].span if field in entry.fields else entry.heading_span)
        return invalid(path, text, what, remedy, place, field=field, memory=name)

    if not name:
        yield wrong(
            "id", "this entry has no id", "give it one, as in `- id: MEM-CONV-0001`", Span(entry.start, entry.start)
        )
        return
    if any(letter.isspace() for letter in name):
        yield wrong("id", f"the id `{name}` holds white space", "write it without")
    if entry.heading_id and "id" in entry.fields and entry.heading_id != name:
        yield wrong(
            "id", f"the heading says {entry.heading_id}, the field {name}: the field counts", "make them the same"
        )
    for key, item in entry.again:
        yield wrong(key, f"`{key}` stands twice: the first one counts", "remove one of them", item.key)
    kind = plain(entry.get("record_type")).lower()
    if "record_type" in entry.fields and kind not in TYPES and not is_placeholder(entry.get("record_type")):
        yield wrong("record_type", f"`{kind}` is no record type", f"use one of {', '.join(TYPES)}")
    stored = plain(entry.get("status")).upper()
    if stored and not unknown(stored) and not is_placeholder(entry.get("status")):
        if stored not in _STATUS:
            yield wrong("status", f"`{stored}` is no status", f"use one of {', '.join(_STATUS)}")
        elif kind in STATUSES and stored not in STATUSES[kind]:
            allowed = ", ".join(STATUSES[kind])
            yield wrong("status", f"{stored} is no status of a {kind}", f"use one of {allowed}")
    checked = plain(entry.get("verification_status")).upper()
    if checked and not unknown(checked) and checked not in VERIFICATIONS:
        yield wrong(
            "verification_status", f"`{checked}` is no verification status", f"use one of {', '.join(VERIFICATIONS)}"
        )
    if checked == "VERIFIED" and unknown(entry.get("last_verified")):
        yield wrong("verification_status", "VERIFIED without `last_verified`", "say when, or write UNVERIFIED")
    for field in _DATES:
        value = plain(entry.get(field))
        if not unknown(value) and not is_date(value):
            yield wrong(field, f"`{field}` is no date", "write YYYY-MM-DD, or UNKNOWN")
    for field, item in entry.fields.items():
        person = field == "approver" and _PERSON.search(item.value)
        if person or kept_badly(item.value):
            remedy = (
                "write a role, as in `role:architecture-board`"
                if field == "approver"
                else "remove it, here and in history"
            )
            told = f"{name}: `{field}` holds a secret or personal data; {remedy}"
            yield Problem("memory-secret", told, item.span, field, name)


def _duplicates(path: str, text: str, entries: list[Entry]) -> Iterable[Problem]:
    by_name: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.id:
            by_name.setdefault(entry.id.casefold(), []).append(entry)
    for same in by_name.values():
        for entry in same if len(same) > 1 else ():
            place = entry.fields["id"].span if "id" in entry.fields else entry.heading_span
            message = f"{entry.id} is the id of {len(same)} entries of {basename(path)}: nothing is written to them. Give each an id of its own."
            yield Problem("memory-duplicate-id", message, place, "id", entry.id)
