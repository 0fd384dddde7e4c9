"""Records and memories of a root by path, id, cited path and reference; the single writer of a project keeps one."""

from __future__ import annotations

from collections.abc import Iterable

from memory_lsp.core.model import Memory, Status
from memory_lsp.workspace.snapshot import Record


class Index:
    """The mutable index behind snapshots. ``put`` costs what one record holds, never what the store does."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.memories: dict[str, Memory] = {}
        self.citing: dict[str, tuple[tuple[str, int], ...]] = {}
        self.version = 0
        self._owners: dict[str, tuple[str, ...]] = {}
        self._referring: dict[str, set[str]] = {}

    def put(self, path: str, record: Record | None) -> tuple[set[str], set[str]]:
        """Replace the record at ``path`` (``None``: it is gone).

        Returns the ids whose memory is another one now, and the paths of all records whose findings may differ.
        """
        self.version += 1
        before = self.records.get(path)
        old = before.parsed.memories if before else ()
        new = record.parsed.memories if record else ()
        touched = {memory.id for memory in (*old, *new)}
        affected = self._linked(touched)
        if record is None:
            self.records.pop(path, None)
        else:
            self.records[path] = record
        for memory in old:
            self._refer(memory, path, add=False)
            rest = tuple(owner for owner in self._owners.get(memory.id, ()) if owner != path)
            if rest:
                self._owners[memory.id] = rest
            else:
                self._owners.pop(memory.id, None)
        for memory in new:
            self._refer(memory, path, add=True)
            owners = self._owners.get(memory.id, ())
            if path not in owners:
                self._owners[memory.id] = tuple(sorted((*owners, path))) if owners else (path,)
        changed = {name for name in touched if self._select(name)}
        affected |= self._linked(touched)
        return changed, affected | {path}

    def owners(self, memory_id: str) -> tuple[str, ...]:
        """Paths of the records that carry an id, the one that counts first."""
        return self._owners.get(memory_id, ())

    def heirs(self, memory_id: str) -> tuple[str, ...]:
        """Ids of the Kiyo records that name this one in ``supersedes`` and are in force."""
        return tuple(
            sorted(
                memory.id
                for path in self._referring.get(memory_id, ())
                for memory in self.records[path].parsed.memories
                if memory.dialect == "kiyo"
                and memory_id in memory.supersedes
                and memory.id != memory_id
                and memory.status is not Status.PENDING
            )
        )

    def _select(self, name: str) -> bool:
        """Choose the memory that counts for an id; whether it is another one now."""
        before = self.memories.get(name)
        owners = self._owners.get(name)
        after = None
        if owners:
            after = next((memory for memory in self.records[owners[0]].parsed.memories if memory.id == name), None)
        if before is not None:
            for cited in {citation.path for citation in before.citations}:
                rest = tuple(entry for entry in self.citing.get(cited, ()) if entry[0] != name)
                if rest:
                    self.citing[cited] = rest
                else:
                    self.citing.pop(cited, None)
        if after is None:
            self.memories.pop(name, None)
        else:
            self.memories[name] = after
            for number, citation in enumerate(after.citations):
                self.citing[citation.path] = (*self.citing.get(citation.path, ()), (name, number))
        return before is not after

    def _refer(self, memory: Memory, path: str, *, add: bool) -> None:
        for name in (*memory.supersedes, *memory.superseded_by):
            if add:
                self._referring.setdefault(name, set()).add(path)
            else:
                self._referring.get(name, set()).discard(path)

    def _linked(self, names: Iterable[str]) -> set[str]:
        """Records that carry one of the ids, refer to it, or are linked to it by superseding."""
        paths: set[str] = set()
        seen: set[str] = set()
        waiting = list(names)
        while waiting and len(seen) < 200:
            name = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            paths.update(self._owners.get(name, ()), self._referring.get(name, ()))
            memory = self.memories.get(name)
            if memory is not None:
                waiting += (*memory.superseded_by, *memory.supersedes)
        return {path for path in paths if path in self.records}
