"""Memories as a list to choose from: some that are named, or all that code moved away from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_lsp.features.status import needs_look
from memory_lsp.workspace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Listed:
    """One memory: ``path`` and ``line`` (zero-based) are where its record is, ``served`` and ``reason`` how it stands."""

    memory: str
    title: str
    path: str
    line: int
    status: str
    verdict: str
    served: str
    reason: str


def listed(snapshot: Snapshot, named: Sequence[str] | None = None) -> tuple[Listed, ...]:
    """The ``named`` memories in that order, without those that are not there; by default all to re-verify, by record."""
    if named is None:
        named = sorted(
            (identity for identity in snapshot.memories if needs_look(snapshot, identity)),
            key=lambda identity: (snapshot.memories[identity].path, identity),
        )
    found = []
    for identity in named:
        memory, state = snapshot.memories.get(identity), snapshot.states.get(identity)
        if memory is None or state is None:
            continue
        line = snapshot.records[memory.path].text.count("\n", 0, memory.span.start)
        found.append(
            Listed(
                identity,
                memory.title or memory.statement or identity,
                memory.path,
                line,
                memory.status.value,
                state.verdict.value,
                state.served,
                state.reason,
            )
        )
    return tuple(found)
