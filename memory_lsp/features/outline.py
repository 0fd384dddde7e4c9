"""The outline of a record: its memories, and below each what it cites."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.display import shown
from memory_lsp.core.model import Citation, Judgement, Memory, Span
from memory_lsp.features.hover import describe
from memory_lsp.features.view import DocumentView


@dataclass(frozen=True, slots=True)
class Entry:
    """``span`` is all of it, ``place`` what a cursor goes to, within ``span`` (code points). ``children`` are the citations
    of a memory."""

    name: str
    detail: str
    span: Span
    place: Span
    children: tuple[Entry, ...] = ()


def outline_of(view: DocumentView) -> tuple[Entry, ...]:
    """The memories of a record in document order; empty for every other document."""
    record = view.snapshot.records.get(view.path)
    if record is None:
        return ()
    found = [_memory(view, memory) for memory in record.parsed.memories]
    return tuple(sorted(found, key=lambda entry: entry.span.start))


def _memory(view: DocumentView, memory: Memory) -> Entry:
    known = view.snapshot.memories.get(memory.id)
    judged = known is not None and known.path == view.path
    judgements = view.snapshot.judgements.get(memory.id, ()) if judged else ()
    children = [
        _citation(citation, judgements[index] if index < len(judgements) else None)
        for index, citation in enumerate(memory.citations)
        if memory.span.start <= citation.span.start < citation.span.end <= memory.span.end
    ]
    wanted = memory.spans.get("title") or memory.spans.get("id")
    title, identity = shown(memory.title, 80), shown(memory.id, 80)
    return Entry(
        name=title or identity,
        detail=identity if title else "",
        span=memory.span,
        place=_within(wanted, memory.span),
        children=tuple(sorted(children, key=lambda entry: entry.span.start)),
    )


def _citation(citation: Citation, judgement: Judgement | None) -> Entry:
    return Entry(
        name=shown(citation.text, 120),
        detail=describe(judgement) if judgement is not None else "",
        span=citation.span,
        place=_within(citation.spans.get("path"), citation.span),
    )


def _within(place: Span | None, span: Span) -> Span:
    """A place if it is in the span, else the start of the span."""
    if place is not None and span.start <= place.start and place.end <= span.end:
        return place
    return Span(span.start, span.start)
