"""Edits of Kiyo entries: the value of a field is replaced, or a line is put after the last field; nothing else moves."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory_lsp.core.model import Citation, Memory, Refusal, Span, Status, TextEdit
from memory_lsp.dialects.change import (
    Approved,
    Change,
    Draft,
    Rejected,
    Repointed,
    Retired,
    Superseded,
    Supersedes,
    Verified,
)
from memory_lsp.dialects.kiyo_read import FIELDS, Entry, lines_of, read_entries, unknown

FILES = {
    "project": "PROJ",
    "architecture": "ARCH",
    "conventions": "CONV",
    "decisions": "DEC",
    "domain": "DOM",
    "integrations": "INT",
    "known-issues": "ISSUE",
}
"""The topics with the code of their ids."""


def set_fields(text: str, memory_id: str, wanted: Mapping[str, str]) -> tuple[TextEdit, ...] | Refusal:
    """Edits that give the entry with this id these values; fields that have them already are left as they are."""
    entries = [entry for entry in read_entries(text) if entry.id.casefold() == memory_id.casefold()]
    if len(entries) != 1:
        why = "is not in this file any more" if not entries else f"is the id of {len(entries)} entries"
        return Refusal(f"{memory_id} {why}: nothing is written")
    entry = entries[0]
    twice = {key for key, _ in entry.again}.intersection(wanted)
    if twice:
        return Refusal(f"{memory_id}: `{sorted(twice)[0]}` stands twice in its entry; remove one of them first")
    edits: list[TextEdit] = []
    new: list[tuple[str, str]] = []
    for name, value in wanted.items():
        value = " ".join(value.split())
        known = entry.fields.get(name)
        if known is None:
            new.append((name, value))
        elif known.value != value:
            lead = " " if known.span.start and text[known.span.start - 1] == ":" and value else ""
            edits.append(TextEdit(known.span.start, known.span.end, lead + value))
    if new:
        edits.append(_added(text, entry, new))
    return tuple(edits)


def _added(text: str, entry: Entry, new: list[tuple[str, str]]) -> TextEdit:
    """Lines after the last field, written as that one is."""
    last = entry.last
    assert last is not None
    lines = lines_of(text)
    own = next(line for line in lines if line.start <= last.key.start <= line.end)
    ending = next((line for line in lines if line.end == last.end), own)
    eol = ending.eol or next((line.eol for line in reversed(lines) if line.eol), "\n")
    bullet = text[own.start : last.key.start]
    after = text[last.key.end : last.key.end + 3]
    close = ":**" if after.startswith(":**") else "**:" if after.startswith("**:") else ":"
    added = "".join(f"{eol}{bullet}{name}{close} {value}" for name, value in _ordered(new))
    return TextEdit(last.end, last.end, added)


def _ordered(new: list[tuple[str, str]]) -> list[tuple[str, str]]:
    return sorted(new, key=lambda item: FIELDS.index(item[0]) if item[0] in FIELDS else len(FIELDS))


def edits_for(memory: Memory, change: Change) -> dict[str, str] | Refusal:
    """The values that a change gives to fields of the memory's entry."""
    day = change.verification.at[:10] if isinstance(change, Verified) else change.at[:10]
    if isinstance(change, Verified):
        wanted = {"verification_status": "VERIFIED", "last_verified": day}
        if change.verification.evidence:
            wanted["verification_scope"] = change.verification.evidence
        return wanted
    if isinstance(change, Approved):
        return Refusal(
            f"{memory.id}: approving a Kiyo proposal writes a new decision; use `memory-lsp approve` with --approval-source and --approval-scope"
        )
    if isinstance(change, Rejected):
        if memory.type != "proposal":
            return Refusal(f"{memory.id}: only a proposal can be rejected")
        return {} if memory.stored == "REJECTED" else {"status": "REJECTED", "last_modified": day}
    if isinstance(change, Retired):
        if memory.type != "observation":
            return Refusal(
                f"{memory.id} is a {memory.type or 'record without a type'}: it ends by a revision with a real approval (`memory-lsp supersede`)"
            )
        return {} if memory.stored == "ARCHIVED" else {"status": "ARCHIVED", "last_modified": day}
    if isinstance(change, Superseded):
        status = "ARCHIVED" if memory.type == "observation" else "SUPERSEDED"
        related = memory.fields.get("related_ids", "")
        links = change.by_memory if unknown(related) else f"{related}, {change.by_memory}"
        if memory.stored == status and change.by_memory in related:
            return {}
        return {"status": status, "related_ids": links, "last_modified": day}
    if isinstance(change, Supersedes):
        if change.old_id in memory.supersedes:
            return {}
        links = ", ".join((*memory.supersedes, change.old_id))
        return {"supersedes": links, "last_modified": day}
    return _repointed(memory, change, day)


def _repointed(memory: Memory, change: Repointed, day: str) -> dict[str, str] | Refusal:
    if not 0 <= change.index < len(memory.citations):
        return Refusal(f"{memory.id}: there is no citation {change.index + 1}; it has {len(memory.citations)}")
    old, new = memory.citations[change.index], change.citation
    if old.text == new.text:
        return {}
    return {"source": repointed(memory, old, new), "last_modified": day}


def repointed(memory: Memory, old: Citation, new: Citation) -> str:
    """The ``source`` with one citation at its new address; the old path is kept as ``formerly <path>``."""
    raw = memory.fields.get("source", "")
    base = memory.spans["source"].start
    spans = [("path", new.path), ("symbol", new.symbol)]
    if (
        old.lines
        or old.spans.get("path") == old.spans.get("symbol")
        or "#" in _piece(raw, base, old.spans["path"])
        or (new.symbol and "symbol" not in old.spans)
    ):
        spans = [("path", new.text)]
    for name, value in reversed(spans):
        span = old.spans.get(name)
        if span is None or not value:
            continue
        piece = _piece(raw, base, span)
        tick = "`" if piece.startswith("`") and piece.endswith("`") else ""
        raw = raw[: span.start - base] + f"{tick}{value}{tick}" + raw[span.end - base :]
    former = old.path if old.symbol == new.symbol or not new.symbol else old.text
    if former != new.path and f"formerly {former}" not in raw:
        raw += f"; formerly {former}"
    return raw


def _piece(raw: str, base: int, span: Span) -> str:
    return raw[span.start - base : span.end - base]


def entry_text(name: str, title: str, fields: Mapping[str, str], eol: str = "\n") -> str:
    """A new entry: heading and fields in the format's order."""
    lines = [f"## {name} — {title}", ""]
    ordered = [(field, fields[field]) for field in FIELDS if field in fields]
    lines += [f"- {field}: {' '.join(value.split())}" for field, value in ordered]
    return eol.join(lines) + eol


def create(draft: Draft, folder: str, existing: Callable[[str], bool]) -> tuple[str, str]:
    """A new topic file with one entry (a capture into a file that exists is an edit: ``operations.kiyo_capture``)."""
    topic = "decisions" if draft.type in ("decision", "proposal") else "project"
    human = draft.author.startswith("human:")
    approved = draft.status is Status.APPROVED and human
    fields = {
        "id": draft.id,
        "record_type": draft.type if draft.type in ("observation", "proposal") else "proposal",
        "status": "ACTIVE" if draft.type == "observation" else "PROPOSED",
        "statement": draft.statement,
        "source": source_of(draft.citations),
        "observed_date": draft.at[:10],
        "last_modified": draft.at[:10],
        "last_verified": draft.at[:10] if approved and draft.evidence else "UNKNOWN",
        "verification_status": "VERIFIED" if approved and draft.evidence else "UNVERIFIED",
        "verification_scope": draft.evidence or "UNKNOWN",
        "uncertainty": "UNKNOWN",
        "repository_context": "UNKNOWN",
        "git_revision": "UNKNOWN",
    }
    return f"{folder}/{topic}.md", f"# {topic.replace('-', ' ').capitalize()}\n\n" + entry_text(
        draft.id, draft.title, fields
    )


def source_of(citations: tuple[Citation, ...]) -> str:
    """The ``source`` that names these citations."""
    if not citations:
        return "UNKNOWN"
    pieces = ["repository"]
    for citation in citations:
        if citation.lines:
            pieces.append(citation.text)
        else:
            pieces += [citation.path, *([citation.symbol] if citation.symbol else [])]
    return "; ".join(pieces)
