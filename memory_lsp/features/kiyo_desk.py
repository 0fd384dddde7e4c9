"""The desk at which an act on a Kiyo store is worked out, from one snapshot: for the editor and the command line alike."""

from __future__ import annotations

from memory_lsp.core.model import Citation, FileEdit, Memory
from memory_lsp.core.sources import Sources
from memory_lsp.operations.kiyo import Desk, Work
from memory_lsp.workspace.kiyo_desk import next_id, sidecar_edit, text_of, working_copy
from memory_lsp.workspace.snapshot import Snapshot, Store


def desk_of(snapshot: Snapshot, store: Store, *, by: str, at: str, sources: Sources | None = None) -> Desk:
    """What an act on a store works with; ``sources`` are the files that are looked at (default: the snapshot's)."""
    git, head, branch, dirty = working_copy(snapshot)

    def sidecar(memory: Memory, last_verified: str, seen: tuple[Citation, ...]) -> FileEdit:
        return sidecar_edit(snapshot, memory, last_verified, seen)

    return Desk(
        by=by,
        at=at,
        sources=sources or snapshot.sources,
        folder=store.path,
        index=store.index,
        text=lambda path: text_of(snapshot, path),
        sidecar=sidecar,
        next_id=lambda code: next_id(snapshot, store, code),
        is_record=lambda word: word in snapshot.memories,
        work=Work(git, head, branch, dirty),
    )
