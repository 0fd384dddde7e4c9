"""Reading records: from a buffer or the disk to what a dialect makes of them."""

from __future__ import annotations

from dataclasses import replace

from memory_lsp.core.model import Parsed, Problem, Span
from memory_lsp.dialects import parse
from memory_lsp.workspace.files import MAX_RECORD_BYTES, Files
from memory_lsp.workspace.kiyo_baseline import Baselines
from memory_lsp.workspace.snapshot import OpenDocument, Record, Store


def read_record(files: Files, store: Store, path: str, document: OpenDocument | None) -> Record | None:
    """The record at ``path``; ``None`` if there is none. What cannot be read is a record with a problem.

    A document that is open and has no text yet is one that is about to be written: nothing is wrong with it.
    """
    if document is not None:
        text = document.text
        parsed = parse(store.dialect, path, text) if text.strip("\ufeff \t\r\n") else Parsed()
        return Record(path, store.dialect, text, parsed, document.version)
    source = files.read(path, MAX_RECORD_BYTES)
    if source.missing:
        return None
    if source.data is None and store.dialect == "kiyo" and "Permission denied" in source.problem:
        return Record(path, store.dialect, "", Parsed(), denied=True)
    if source.data is None:
        return _unreadable(path, store, "", f"{path}: the record is {source.problem}. Correct or remove the file.")
    try:
        text = source.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = source.data.count(b"\n", 0, error.start) + 1
        text = source.data.decode("utf-8", "replace")
        return _unreadable(path, store, text, f"{path}: line {line} is not UTF-8. Save the record as UTF-8.")
    return Record(path, store.dialect, text, parse(store.dialect, path, text))


def resolved_record(record: Record, baselines: Baselines) -> Record:
    """A Kiyo record whose citations are as the repository and its history have them."""
    memories = tuple(baselines.resolved(memory) for memory in record.parsed.memories)
    return replace(record, parsed=Parsed(memories, record.parsed.problems))


def _unreadable(path: str, store: Store, text: str, message: str) -> Record:
    return Record(path, store.dialect, text, Parsed((), (Problem("memory-invalid", message, Span(0, 0)),)))
