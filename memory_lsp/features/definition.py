"""From a citation in a record to its code, as it is now."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.model import CodePlace, Memory, Span
from memory_lsp.features.cited import Cited, excerpt_of
from memory_lsp.features.view import DocumentView


@dataclass(frozen=True, slots=True)
class Target:
    """``span`` is the citation in the record (code points), ``place`` the cited name in the code (bytes)."""

    span: Span
    place: CodePlace


def definition(view: DocumentView, offset: int) -> tuple[Target, ...]:
    """Where the citation at an offset of a record leads; empty if there is none or its file is gone."""
    found = []
    for memory, cited in citations_in(view):
        citation = memory.citations[cited.index]
        if citation.span.start <= offset <= citation.span.end:
            place = code_place(view, cited)
            if place is not None:
                found.append(Target(citation.span, place))
    return tuple(found)


def citations_in(view: DocumentView) -> tuple[tuple[Memory, Cited], ...]:
    """The citations of a record that are judged, in document order."""
    record = view.snapshot.records.get(view.path)
    if record is None:
        return ()
    found = []
    for memory in record.parsed.memories:
        known = view.snapshot.memories.get(memory.id)
        if known is None or known.path != view.path:
            continue
        judgements = view.snapshot.judgements.get(memory.id, ())
        found += [
            (memory, Cited(memory, index, judgement))
            for index, judgement in zip(range(len(memory.citations)), judgements, strict=False)
        ]
    return tuple(sorted(found, key=lambda item: item[0].citations[item[1].index].span.start))


def code_place(view: DocumentView, cited: Cited) -> CodePlace | None:
    """The lines of a narrow citation, the cited name, the first of the cited lines, or the start of the file; ``None`` if there is nothing to read."""
    data = view.snapshot.sources.read(cited.path).data
    if data is None:
        return None
    narrow = excerpt_of(view.snapshot, cited)
    if narrow is not None:
        return CodePlace(cited.path, narrow.span)
    if cited.judgement.name is not None:
        return CodePlace(cited.path, cited.judgement.name)
    if cited.citation.lines:
        start = 0
        for _ in range(cited.citation.lines[0] - 1):
            end = data.find(b"\n", start)
            if end < 0:
                break
            start = end + 1
        return CodePlace(cited.path, Span(start, start))
    return CodePlace(cited.path, Span(0, 0))
