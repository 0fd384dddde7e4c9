"""Repair: pointers of a Kiyo store. Nothing about truth changes: no date of verification, no status."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from posixpath import dirname, relpath

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.edits import file_edit
from memory_lsp.core.model import (
    Event,
    Judgement,
    Memory,
    Plan,
    Refusal,
    TextEdit,
    Verdict,
    apply_edits,
)
from memory_lsp.dialects.kiyo_index import HEADER, read_rows, row_text
from memory_lsp.dialects.kiyo_source import read_source
from memory_lsp.dialects.kiyo_write import repointed
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.kiyo.desk import Desk
from memory_lsp.operations.kiyo.gate import look_at
from memory_lsp.operations.kiyo.record import change_fields


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
    return change_fields(memory, {"source": source, "last_modified": desk.day}, desk, "repair", "", None)


def repoint(memory: Memory, index: int, target: str, desk: Desk) -> Plan | Refusal:
    """A person points a citation at something else; the old path is kept, and the record is verified against it later."""
    refusal = refuse_unknown(desk.by)
    if refusal:
        return refusal
    if not 0 <= index < len(memory.citations):
        return Refusal(f"{memory.id}: there is no citation {index + 1}; it has {len(memory.citations)}")
    seen = look_at(memory.id, (parse_citation(target),), desk)
    if isinstance(seen, Refusal):
        return seen
    source = repointed(memory, memory.citations[index], seen[0])
    return change_fields(memory, {"source": source, "last_modified": desk.day}, desk, "repair", target, None)


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


def _with_source(memory: Memory, source: str) -> Memory:
    start = memory.spans["source"].start
    found = read_source(source, start).citations
    return replace(memory, citations=found, fields={**memory.fields, "source": source})


def _line_end(text: str, end: int) -> int:
    if text.startswith("\r\n", end):
        return end + 2
    return end + 1 if end < len(text) else end
