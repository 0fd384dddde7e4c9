"""What is wrong with the index page of a Kiyo store: findings, each with a remedy by ``repair --index``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from posixpath import dirname, normpath

from memory_lsp.core.codes import CODES
from memory_lsp.core.model import Finding, Span
from memory_lsp.dialects.kiyo_index import Row, read_rows
from memory_lsp.workspace.files import Files
from memory_lsp.workspace.snapshot import Record, Store


def findings(files: Files, store: Store, records: Mapping[str, Record]) -> tuple[Finding, ...]:
    """One finding per broken row, duplicate row and record without a row; one for an index that is not there."""
    mine = {path: record for path, record in records.items() if store.holds(path)}
    places = places_of(mine)
    if not places and store.index not in mine and not files.exists(store.index):
        return ()
    if any(record.denied for record in mine.values()):
        # What cannot be read is neither missing nor a broken row.
        return ()
    index = mine.get(store.index)
    if index is None:
        text = "" if not files.exists(store.index) else None
        if text is None:
            return ()
        told = f"{store.index} is not there: {len(places)} records are read without it; `memory-lsp repair --index --write` makes it"
        return (_finding(store.index, Span(0, 0), told, "index-missing", ""),)
    rows = read_rows(index.text)
    found = [
        _finding(
            store.index,
            row.span,
            f"{store.index}: {why}; `memory-lsp repair --index --write` corrects it",
            "index-pointer",
            row.id,
        )
        for row, why in broken(rows, store, places, files)
    ]
    named = {row.id for row in rows}
    linked = {normpath(f"{dirname(store.index)}/{row.file}") for row in rows if not row.id}
    for name, paths in sorted(places.items()):
        if name not in named and not linked.intersection(paths) and store.index not in paths:
            told = f"{name} has no row in {store.index}; `memory-lsp repair --index --write` adds it"
            found.append(_finding(store.index, Span(0, 0), told, "index-row-missing", name))
    return (*found, *_alike(places, mine))


def _alike(places: Mapping[str, tuple[str, ...]], records: Mapping[str, Record]) -> Iterable[Finding]:
    """Ids of different files that differ in case alone."""
    by_name: dict[str, list[str]] = {}
    for name in places:
        by_name.setdefault(name.casefold(), []).append(name)
    for names in by_name.values():
        for name in names if len(names) > 1 else ():
            other = next(each for each in names if each != name)
            path = places[name][0]
            memory = next(each for each in records[path].parsed.memories if each.id == name)
            code = "memory-duplicate-id"
            told = f"{name} differs from {other} ({places[other][0]}) in case alone: nothing is written to them. Give one an id of its own."
            span = memory.spans.get("id", memory.span)
            if path == places[other][0]:
                continue
            yield Finding(code, CODES[code].in_record, path, span, told, memory=name, dialect="kiyo", field="id")


def places_of(records: Mapping[str, Record]) -> dict[str, tuple[str, ...]]:
    """The files that hold each id."""
    found: dict[str, tuple[str, ...]] = {}
    for path, record in sorted(records.items()):
        for memory in record.parsed.memories:
            found[memory.id] = (*found.get(memory.id, ()), path)
    return found


def broken(
    rows: Iterable[Row], store: Store, places: Mapping[str, tuple[str, ...]], files: Files
) -> Iterable[tuple[Row, str]]:
    """Rows that lead nowhere, to another file than the record's, or stand twice."""
    seen: set[str] = set()
    for row in rows:
        target = normpath(f"{dirname(store.index)}/{row.file}") if row.file else store.index
        if row.id and row.id in seen:
            yield row, f"the row of {row.id} stands twice"
        elif row.id and row.id not in places:
            yield row, f"{row.id} leads to {row.file}, which holds no such record"
        elif row.id and target not in places[row.id]:
            yield row, f"{row.id} is in {places[row.id][0]}, the row says {row.file}"
        elif not row.id and not files.exists(target):
            yield row, f"{row.file} is not there"
        seen.add(row.id)


def _finding(path: str, span: Span, message: str, reason: str, memory: str) -> Finding:
    code = "memory-invalid"
    return Finding(
        code, CODES[code].in_record, path, span, message, memory=memory, dialect="kiyo", field="index", reason=reason
    )
