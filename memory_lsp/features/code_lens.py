"""A line above each cited symbol: ``2 memories, 1 to re-verify``."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.model import Span
from memory_lsp.features.cited import memories_of, names_in
from memory_lsp.features.status import needs_look
from memory_lsp.features.view import DocumentView


@dataclass(frozen=True, slots=True)
class CodeLens:
    """``span`` is the cited name (code points); ``memories`` are ids, those to re-verify first."""

    span: Span
    title: str
    memories: tuple[str, ...]


def code_lenses(view: DocumentView) -> tuple[CodeLens, ...]:
    """One lens for each cited name in a code document."""
    if view.path in view.snapshot.records:
        return ()
    lenses = []
    for span, cited in names_in(view):
        ids = [memory.id for memory in memories_of(cited)]
        looks = [identity for identity in ids if needs_look(view.snapshot, identity)]
        title = "1 memory" if len(ids) == 1 else f"{len(ids)} memories"
        if looks:
            title += f", {len(looks)} to re-verify"
        lenses.append(CodeLens(span, title, (*looks, *(identity for identity in ids if identity not in looks))))
    return tuple(lenses)
