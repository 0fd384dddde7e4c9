"""Memories as a list to choose from: some that are named, or all that code moved away from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_lsp.features.cited import FIRST
from memory_lsp.features.status import needs_look
from memory_lsp.workspace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Listed:
    """One memory: ``path`` and ``line`` (zero-based) are where its record is, ``served`` and ``reason`` how it stands.

    ``touched`` says whether a change touches what the claim names (``None``: nothing changed, or it names nothing).
    """

    memory: str
    title: str
    path: str
    line: int
    status: str
    verdict: str
    served: str
    reason: str
    touched: bool | None


def listed(snapshot: Snapshot, named: Sequence[str] | None = None) -> tuple[Listed, ...]:
    """The ``named`` memories in that order, without those that are not there; by default all to re-verify:
    first those where the change touches what the claim names, last those where it does not, by record."""
    if named is None:
        named = sorted(
            (identity for identity in snapshot.memories if needs_look(snapshot, identity)),
            key=lambda identity: (
                FIRST[touches(snapshot, identity)],
                snapshot.memories[identity].path,
                identity,
            ),
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
                touches(snapshot, identity),
            )
        )
    return tuple(found)


def touches(snapshot: Snapshot, memory: str) -> bool | None:
    """Whether any change of what a memory cites touches what its claim names; ``None`` if that cannot be said of any."""
    said = [judgement.touched for judgement in snapshot.judgements.get(memory, ()) if judgement.touched is not None]
    return any(said) if said else None
