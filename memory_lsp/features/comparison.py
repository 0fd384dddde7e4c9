"""What is cited, then and now, for an editor's own view of differences."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Memory, Verdict
from memory_lsp.workspace.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Comparison:
    """One citation: ``then`` is its text at the last verification, ``now`` today's (empty: it is gone)."""

    path: str
    symbol: str
    verdict: str
    language: str
    then: str
    now: str


def comparisons(snapshot: Snapshot, memory: Memory) -> tuple[Comparison, ...]:
    """The citations of ``memory`` that are not as they were, where the text of then is known."""
    found = []
    for citation, judgement in zip(memory.citations, snapshot.judgements.get(memory.id, ()), strict=False):
        if judgement.verdict in (Verdict.FRESH, Verdict.UNCHECKED) or judgement.then is None:
            continue
        found.append(
            Comparison(
                citation.path,
                judgement.symbol or citation.symbol,
                judgement.verdict.value,
                language_of(citation.path) or "",
                judgement.then,
                judgement.now or "",
            )
        )
    return tuple(found)
