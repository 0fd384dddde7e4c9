"""The acts on Kiyo records, each with exactly the rights that its mode has (shared rules sections 8, 11, 12, 14).

Every act returns the whole plan: edits of the topic file, then of the index, then the sidecar. Without a delta there are no
edits: no date, no sidecar, no audit line. Nothing here reads the disk; what is around a record is a ``Desk``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from posixpath import dirname, relpath

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.content import first_refused, inventory
from memory_lsp.core.edits import file_edit
from memory_lsp.core.model import (
    Citation,
    Event,
    FileEdit,
    Judgement,
    Memory,
    Plan,
    Refusal,
    Span,
    Status,
    TextEdit,
    Verdict,
    apply_edits,
)
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.core.sources import Sources
from memory_lsp.dialects import kiyo
from memory_lsp.dialects.kiyo_index import HEADER, read_rows, row_text
from memory_lsp.dialects.kiyo_read import is_placeholder, plain, unknown
from memory_lsp.dialects.kiyo_source import read_source
from memory_lsp.dialects.kiyo_write import FILES, entry_text, repointed, source_of
from memory_lsp.operations.actors import refuse_program, refuse_unknown
from memory_lsp.operations.look import look

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


@dataclass(frozen=True, slots=True)
class Work:
    """The working copy just now: ``git`` is "yes", "none" or "unknown"; ``head`` is empty on an unborn branch."""

    git: str = "none"
    head: str = ""
    branch: str = ""
    dirty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Approval:
    """An approval as a person gave it; nothing is filled in."""

    source: str = ""
    scope: str = ""
    approver: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What an act works with: who and when (``at`` in ISO 8601), the sources, the store's folder and index, the text of files,
    the sidecar of a record (path and text), the next free id of a topic, whether a word is a record's id, and the work."""

    by: str
    at: str
    sources: Sources
    folder: str
    index: str
    text: Callable[[str], str | None]
    sidecar: Callable[[Memory, str, tuple[Citation, ...]], FileEdit]
    next_id: Callable[[str], str | Refusal]
    is_record: Callable[[str], bool]
    work: Work = Work()

    @property
    def day(self) -> str:
        """The date of the act."""
        return self.at[:10]


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be made."""

    statement: str
    citations: tuple[Citation, ...] = ()
    type: str = "observation"
    title: str = ""
    topic: str = ""
    source: str = ""
    stale_when: str = ""
    approval: Approval = Approval()
    form: bool = False
    """An empty statement becomes a placeholder that a person fills in."""


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
    refusal = refuse_unknown(desk.by) or _refuse_ended(memory) or _refuse_content((("evidence", evidence),))
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
    seen = _look_at(memory.id, memory.citations, desk)
    if isinstance(seen, Refusal):
        return seen
    fields = {"verification_status": "VERIFIED", "last_verified": desk.day, "verification_scope": evidence}
    fields |= _context(memory, seen, desk.work)
    return _changed(memory, fields, desk, "verify", evidence, seen)


def sync(
    memory: Memory,
    sets: Mapping[str, str],
    desk: Desk,
    *,
    verified: bool = False,
    evidence: str = "",
) -> Plan | Refusal:
    """The fields of an observation as a person states them; a changed claim counts as verified only with evidence."""
    refusal = refuse_unknown(desk.by) or _refuse_kind(memory, sets) or _refuse_ended(memory)
    if refusal:
        return refusal
    sets = {name: " ".join(value.split()) if name != "statement" else value for name, value in sets.items()}
    refusal = _refuse_content((*sets.items(), ("evidence", evidence)))
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
    if "statement" in changed and inventory(changed["statement"], lambda name: _named(name, after.citations, desk)):
        return _inventory(after.citations)
    fields = {**changed, "last_modified": desk.day}
    if verified and claim:
        if not is_filled(evidence):
            return Refusal(f"{memory.id}: say what you checked with --evidence")
        seen = _look_at(memory.id, after.citations, desk)
        if isinstance(seen, Refusal):
            return seen
        after = replace(after, statement=changed.get("statement", memory.statement))
        fields |= {"verification_status": "VERIFIED", "last_verified": desk.day, "verification_scope": evidence.strip()}
        fields |= _context(memory, seen, desk.work)
        return _changed(after, fields, desk, "sync", evidence.strip(), seen)
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
    return _changed(memory, fields, desk, "sync", "", None)


def repair(memory: Memory, judgements: Sequence[Judgement], desk: Desk) -> Plan | Refusal:
    """The ``source`` of a proven move; the old path is kept in it."""
    refusal = refuse_unknown(desk.by)
    if refusal:
        return refusal
    moves = [(index, item.to) for index, item in enumerate(judgements) if item.verdict is Verdict.MOVED and item.to]
    if not moves:
        open_ = [item for item in judgements if item.verdict in (Verdict.MISSING, Verdict.AMBIGUOUS, Verdict.UNCHECKED)]
        if open_:
            several = next((item.candidates for item in open_ if item.candidates), ())
            told = open_[0].reason or open_[0].verdict.value
            return Refusal(f"{memory.id}: no established target ({told}); nothing is written", several)
        return Plan(f"{memory.id}: nothing to repair")
    source = memory.fields.get("source", "")
    now = memory
    for index, target in moves:
        address = parse_citation(target)
        source = repointed(now, now.citations[index], address)
        now = _with_source(now, source)
    return _changed(memory, {"source": source, "last_modified": desk.day}, desk, "repair", "", None)


def repair_index(places: Mapping[str, tuple[str, ...]], topics: Mapping[str, str], desk: Desk) -> Plan | Refusal:
    """The index page: rows that are missing, rows that stand twice, rows that lead to another file than the record's.

    ``places`` are the files of each id, ``topics`` what a new row says of it.
    """
    refusal = refuse_unknown(desk.by)
    if refusal:
        return refusal
    before = desk.text(desk.index)
    text = before if before is not None else HEADER
    edits: list[TextEdit] = []
    seen: set[str] = set()
    rows = read_rows(text)
    for row in rows:
        end = _line_end(text, row.span.end)
        if row.id and row.id in seen:
            if any(other.text == row.text and other.span != row.span for other in rows):
                edits.append(TextEdit(row.span.start, end, ""))
            continue
        if row.id:
            seen.add(row.id)
        held = places.get(row.id, ())
        if row.id and len(held) == 1:
            file = relpath(held[0], dirname(desk.index))
            if row.file and file != row.file:
                at = text.index(row.file, row.target.start)
                edits.append(TextEdit(at, at + len(row.file), file))
    linked = {row.file for row in rows if not row.id}
    missing = [
        name
        for name, held in sorted(places.items())
        if name not in seen
        and len(held) == 1
        and held[0] != desk.index
        and relpath(held[0], dirname(desk.index)) not in linked
    ]
    after = apply_edits(text, tuple(edits))
    for name in missing:
        after = with_row(after, name, relpath(places[name][0], dirname(desk.index)), topics.get(name, ""))
    if after == before:
        return Plan("The index is in order")
    edit = file_edit(desk.index, before, after)
    return Plan(f"Repair {desk.index}", (edit,), (Event("repair", "", "index"),))


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
    refusal = refusal or _refuse_content(texts)
    if refusal is None and decided:
        refusal = _refuse_approval(new.approval, desk, supersedes)
    if refusal:
        return refusal
    seen: tuple[Citation, ...] = ()
    if new.citations or not (decided or new.source):
        looked = _look_at("not captured", new.citations, desk)
        if isinstance(looked, Refusal):
            return looked
        seen = looked
    if inventory(new.statement, lambda name: _named(name, seen, desk)):
        return _inventory(seen)
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


def repoint(memory: Memory, index: int, target: str, desk: Desk) -> Plan | Refusal:
    """A person points a citation at something else; the old path is kept, and the record is verified against it later."""
    refusal = refuse_unknown(desk.by)
    if refusal:
        return refusal
    if not 0 <= index < len(memory.citations):
        return Refusal(f"{memory.id}: there is no citation {index + 1}; it has {len(memory.citations)}")
    seen = _look_at(memory.id, (parse_citation(target),), desk)
    if isinstance(seen, Refusal):
        return seen
    source = repointed(memory, memory.citations[index], seen[0])
    return _changed(memory, {"source": source, "last_modified": desk.day}, desk, "repair", target, None)


def end(memory: Memory, desk: Desk, *, status: str, act: str, reason: str, form: bool = False) -> Plan | Refusal:
    """An observation that no longer applies is ARCHIVED, a proposal that is not accepted REJECTED. Nothing is deleted."""
    refusal = refuse_unknown(desk.by) or _refuse_content((("reason", reason),))
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
    return _changed(memory, {"status": status, "last_modified": desk.day}, desk, act, reason.strip(), None)


def together(plans: Sequence[Plan], notes: tuple[str, ...] = ()) -> Plan | Refusal:
    """Several acts as one plan; those on one file are one edit of it."""
    edits: dict[str, list[FileEdit]] = {}
    for plan in plans:
        for edit in plan.edits:
            edits.setdefault(edit.path, []).append(edit)
    merged = []
    for path, several in edits.items():
        every = tuple(
            sorted({part for edit in several for part in edit.edits}, key=lambda part: (part.start, part.end))
        )
        merged.append(FileEdit(path, several[0].before, every))
    return Plan(
        "\n".join(plan.summary for plan in plans),
        tuple(merged),
        tuple(event for plan in plans for event in plan.events),
        (*(note for plan in plans for note in plan.notes), *notes),
    )


def with_row(text: str, name: str, file: str, topic: str) -> str:
    """An index page with one more row, behind the last one (or behind the table's head)."""
    rows = [row for row in read_rows(text) if row.id]
    eol = "\r\n" if "\r\n" in text else "\n"
    line = row_text(name, file, topic)
    if rows:
        at = rows[-1].span.end
        return text[:at] + eol + line + text[at:]
    match = re.search(r"^\|[ \t:|-]+\|[ \t]*$", text, re.MULTILINE)
    if match:
        return text[: match.end()] + eol + line + text[match.end() :]
    gap = "" if not text or text.endswith(("\n", "\r")) else eol
    table = HEADER[HEADER.index("|") :].replace("\n", eol)
    return f"{text}{gap}{eol}{table}{line}{eol}"


def _changed(
    memory: Memory, fields: Mapping[str, str], desk: Desk, act: str, reason: str, seen: tuple[Citation, ...] | None
) -> Plan | Refusal:
    before = desk.text(memory.path)
    if before is None:
        return Refusal(f"{memory.path} cannot be read: nothing is written")
    edits = kiyo.set_fields(before, memory.id, fields)
    if isinstance(edits, Refusal):
        return edits
    if not edits:
        return Plan(f"{memory.id}: nothing to change")
    files = [FileEdit(memory.path, before, edits)]
    if seen is not None:
        files.append(desk.sidecar(memory, fields["last_verified"], seen))
    return Plan(f"{act.capitalize()} {memory.id}", tuple(files), (Event(act, memory.id, reason),))


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
        "git_revision": _revision(seen, desk.work),
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


def _revision(seen: tuple[Citation, ...], work: Work) -> str:
    if work.git == "none":
        return "NOT_APPLICABLE"
    if work.git == "unknown" or not work.head:
        return "UNKNOWN"
    dirty = [path for path in dict.fromkeys(item.path for item in seen) if path in work.dirty]
    return f"{work.head} (dirty: {', '.join(dirty)})" if dirty else work.head


def _context(memory: Memory, seen: tuple[Citation, ...], work: Work) -> dict[str, str]:
    """``git_revision`` and ``repository_context`` of a verification; without git both stay as they are."""
    if work.git == "none":
        return {}
    revision = _revision(seen, work)
    fields = {"git_revision": revision}
    context = memory.fields.get("repository_context", "")
    parts = [part.strip() for part in context.split(";")]
    if not unknown(context) and len(parts) in (3, 4) and work.git == "yes":
        state = "dirty" if "(dirty" in revision else "clean"
        fields["repository_context"] = "; ".join((*parts[:-2], work.branch or "UNKNOWN", state))
    return fields


def _look_at(whose: str, citations: Sequence[Citation], desk: Desk) -> tuple[Citation, ...] | Refusal:
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


def _refuse_ended(memory: Memory) -> Refusal | None:
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return Refusal(f"{memory.id} is {memory.stored}: capture it anew if it holds again")
    return None


def _refuse_content(texts: Sequence[tuple[str, str]]) -> Refusal | None:
    name, why = first_refused(texts)
    if not name:
        return None
    if name == "approver":
        why = "personal-data"
    code = "memory-secret: " if why in ("memory-secret", "personal-data") else ""
    what = {"memory-secret": "a secret"}.get(why, why)
    return Refusal(f"{code}the {name} holds {what} ({why}): nothing is written; record a safe summary with a path")


def _refuse_approval(approval: Approval, desk: Desk, old: Memory | None) -> Refusal | None:
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


def _same(memory: Memory, name: str, value: str) -> bool:
    return " ".join(memory.fields.get(name, "").split()) == " ".join(value.split())


def _with_source(memory: Memory, source: str) -> Memory:
    start = memory.spans["source"].start
    found = read_source(source, start).citations
    return replace(memory, citations=found, fields={**memory.fields, "source": source})


def _named(name: str, citations: Sequence[Citation], desk: Desk) -> bool:
    outlines = (desk.sources.outline(path) for path in dict.fromkeys(item.path for item in citations))
    return any(outline is not None and bool(outline.match(name)) for outline in outlines)


def _inventory(citations: Sequence[Citation]) -> Refusal:
    path = citations[0].path if citations else "the file"
    return Refusal(
        f"inventory: the statement lists what {path} says itself; nothing is written, cite the file by its path"
    )


def _about(citations: Sequence[Citation]) -> str:
    return next((citation.symbol or citation.path for citation in citations), "New record")


def _title(statement: str) -> str:
    words = " ".join(statement.split())
    return words if len(words) <= 60 else words[:60].rsplit(" ", 1)[0]


def _line_end(text: str, end: int) -> int:
    if text.startswith("\r\n", end):
        return end + 2
    return end + 1 if end < len(text) else end
