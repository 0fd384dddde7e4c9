"""What an act on a Kiyo store works with, taken from a project: texts, the next free id, the working copy, the sidecar."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from memory_lsp.core.edits import file_edit
from memory_lsp.core.model import Citation, FileEdit, Memory, Plan, Refusal
from memory_lsp.dialects.kiyo_index import read_rows
from memory_lsp.dialects.kiyo_read import read_entries
from memory_lsp.workspace.files import MAX_RECORD_BYTES
from memory_lsp.workspace.git import NUMBERED
from memory_lsp.workspace.kiyo_baseline import ANCHORS, read_sidecar, sidecar_path, sidecar_text
from memory_lsp.workspace.kiyo_stores import DECLARING
from memory_lsp.workspace.snapshot import Snapshot, Store
from memory_lsp.workspace.sources import View, World


def world_of(snapshot: Snapshot) -> World:
    """Disk and git behind a snapshot."""
    assert isinstance(snapshot.sources, View)
    return snapshot.sources.world


def text_of(snapshot: Snapshot, path: str) -> str | None:
    """The text of a file as the snapshot has it, else as it is on disk; ``None`` if it is not there or no UTF-8."""
    record = snapshot.records.get(path)
    if record is not None:
        return record.text
    data = world_of(snapshot).files.read(path, MAX_RECORD_BYTES).data
    try:
        return None if data is None else data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def working_copy(snapshot: Snapshot) -> tuple[str, str, str, tuple[str, ...]]:
    """``(git, head, branch, dirty)``; git is "yes", "none", or "unknown" where it is there and does not answer."""
    git = world_of(snapshot).git
    if git is None:
        there = any((folder / ".git").exists() for folder in (snapshot.root, *snapshot.root.parents))
        return ("unknown" if there else "none"), "", "", ()
    branch, head = git.head()
    return "yes", head, branch, git.dirty()


def sidecar_edit(snapshot: Snapshot, memory: Memory, last_verified: str, seen: tuple[Citation, ...]) -> FileEdit:
    """The sidecar of a verification; rules that it holds stay."""
    path = sidecar_path(memory.id)
    rules = read_sidecar(world_of(snapshot), memory.id).rules
    return file_edit(path, text_of(snapshot, path), sidecar_text(memory, last_verified, seen, rules))


def next_id(snapshot: Snapshot, store: Store, code: str) -> str | Refusal:
    """The next free id of a topic: above every one that was ever used, in records, rows, references, sidecars and history."""
    git = world_of(snapshot).git
    for record in snapshot.records.values():
        broken = any(problem.span.end == 0 and not problem.memory for problem in record.parsed.problems)
        if record.dialect == "kiyo" and broken:
            return Refusal(f"{record.path} cannot be read, so no id is known to be free: nothing is written")
    if working_copy(snapshot)[0] == "unknown":
        return Refusal("git does not answer, so no id is known to be free: nothing is written")
    texts = [record.text for record in snapshot.records.values() if record.dialect == "kiyo"]
    texts += [path for path, _ in world_of(snapshot).files.records(ANCHORS)]
    highest = 0
    if git is not None:
        used = git.numbers_used(store.path)
        if isinstance(used, str):
            return Refusal(f"{used}, so no id is known to be free: nothing is written")
        highest = used.get(code.upper(), 0)
    numbers = (int(match[2]) for text in texts for match in NUMBERED.finditer(text) if match[1].upper() == code.upper())
    return f"MEM-{code}-{max(highest, *numbers, 0) + 1:04d}"


def guard(snapshot: Snapshot, ids: Iterable[str], plan: Plan) -> tuple[object, ...]:
    """All that a plan depends on: an overlap with any of it is a conflict (KIYO-MEM-005)."""
    made = {event.memory for event in plan.events if event.memory}
    names = sorted({*ids, *made})
    kept: list[object] = [tuple(text_of(snapshot, file) for file in DECLARING), working_copy(snapshot)[2]]
    kept.append(tuple((store.path, store.index) for store in snapshot.stores if store.dialect == "kiyo"))
    paths: set[str] = set()
    for name in names:
        for record in snapshot.records.values():
            for entry in read_entries(record.text) if record.dialect == "kiyo" else ():
                if entry.id == name:
                    paths.add(record.path)
                    kept.append(
                        (record.path, entry.heading, tuple((key, item.value) for key, item in entry.fields.items()))
                    )
        memory = snapshot.memories.get(name)
        for citation in memory.citations if memory else ():
            data = snapshot.sources.read(citation.path).data
            kept.append((citation.path, None if data is None else hashlib.sha256(data).hexdigest()))
    for store in snapshot.stores:
        for row in read_rows(text_of(snapshot, store.index) or "") if store.index else ():
            if row.id in names:
                kept.append(row.text)
    kept += [(edit.path, world_of(snapshot).files.exists(edit.path)) for edit in plan.edits if edit.before is None]
    return tuple(kept)
