"""Which memories cite what in a code file, and where their names stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from memory_lsp.core.excerpt import Excerpt, excerpt_now
from memory_lsp.core.model import Citation, Judgement, Memory, Span, Status, Verdict
from memory_lsp.features.view import DocumentView
from memory_lsp.workspace.snapshot import Snapshot

FIRST: Mapping[bool | None, int] = MappingProxyType({True: 0, None: 1, False: 2})
"""The order of memories by whether a change touches what their claim names."""


@dataclass(frozen=True, slots=True)
class Cited:
    """One citation of one memory, with its verdict."""

    memory: Memory
    index: int
    judgement: Judgement

    @property
    def citation(self) -> Citation:
        """The citation itself."""
        return self.memory.citations[self.index]

    @property
    def path(self) -> str:
        """The file in which the cited code is now: where it moved to, else where it was cited."""
        moved = self.judgement.verdict is Verdict.MOVED and self.judgement.to
        return self.judgement.to.partition("#")[0] if moved else self.citation.path


def cited_in(snapshot: Snapshot, path: str) -> tuple[tuple[Cited, Span | None], ...]:
    """What is cited in a code file, with the name's place in bytes (``None``: a whole file, or a symbol that is gone).

    A definition that moved here counts here and not where it was. Memories that are out of use are left out.
    """
    keys = list(snapshot.citing.get(path, ()))
    for finding in snapshot.code_findings.get(path, ()):
        if finding.verdict is Verdict.MOVED:
            keys += [(finding.memory, index) for index in range(len(snapshot.judgements.get(finding.memory, ())))]
    found = []
    for identity, index in dict.fromkeys(keys):
        memory = snapshot.memories.get(identity)
        judgements = snapshot.judgements.get(identity, ())
        if memory is None or index >= len(memory.citations) or index >= len(judgements):
            continue
        cited = Cited(memory, index, judgements[index])
        if memory.status in (Status.APPROVED, Status.PENDING) and cited.path == path:
            found.append((cited, cited.judgement.name or _finding_place(snapshot, path, cited)))
    return tuple(sorted(found, key=lambda item: (*urgency(item[0].judgement), item[0].memory.id, item[0].index)))


def urgency(judgement: Judgement) -> tuple[int, int]:
    """What a person looks at first is less: the worse verdict, then a change that touches what the claim names."""
    return -judgement.verdict.rank, FIRST[judgement.touched]


def _finding_place(snapshot: Snapshot, path: str, cited: Cited) -> Span | None:
    for finding in snapshot.code_findings.get(path, ()):
        if finding.memory == cited.memory.id and finding.in_code is not None:
            return finding.in_code.span
    return None


def names_in(view: DocumentView) -> tuple[tuple[Span, tuple[Cited, ...]], ...]:
    """The places (code points) where cited names stand in a document, in document order, with what cites them there.

    A whole file, and a symbol that is gone, stand where their finding stands, else at the first line. The worst verdict
    comes first.
    """
    places: dict[Span, list[Cited]] = {}
    for cited, name in cited_in(view.snapshot, view.path):
        if name is None:
            place = Span(0, view.lines.end(0))
        else:
            place = Span(view.lines.byte_to_offset(name.start), view.lines.byte_to_offset(name.end))
        places.setdefault(place, []).append(cited)
    return tuple((span, tuple(places[span])) for span in sorted(places, key=lambda span: (span.start, span.end)))


def cited_at(view: DocumentView, offset: int) -> tuple[Span, tuple[Cited, ...]] | None:
    """The cited name at an offset, and what cites it; else what cites the changed lines there. A cursor directly behind
    is on it."""
    found = [item for item in (*names_in(view), *_lines_in(view)) if item[0].start <= offset <= item[0].end]
    return min(found, key=lambda item: item[0].end - item[0].start) if found else None


def _lines_in(view: DocumentView) -> Iterator[tuple[Span, tuple[Cited, ...]]]:
    """The places (code points) of findings on lines that a narrow citation is about."""
    narrow = {
        (item.memory.id, item.judgement.symbol): item
        for item, _ in cited_in(view.snapshot, view.path)
        if item.citation.excerpt
    }
    for finding in view.snapshot.code_findings.get(view.path, ()) if narrow else ():
        item = narrow.get((finding.memory, finding.symbol))
        if item is not None and finding.in_code is not None:
            place = finding.in_code.span
            yield Span(view.lines.byte_to_offset(place.start), view.lines.byte_to_offset(place.end)), (item,)


def excerpt_of(snapshot: Snapshot, cited: Cited) -> Excerpt | None:
    """What a narrow citation is about as it stands now, else what is most like it; ``None`` for other citations, and where
    there is nothing like it."""
    outline = snapshot.sources.outline(cited.path) if cited.citation.excerpt else None
    moved = cited.judgement.to.partition("#")[2]
    group = outline.find(moved or cited.judgement.symbol or cited.citation.symbol) if outline is not None else None
    return excerpt_now(outline, group, cited.citation) if outline is not None and group is not None else None


def lines_of(snapshot: Snapshot, cited: Cited) -> tuple[int, int, str] | None:
    """The first and last line (1-based) of what a narrow citation is about, and its text, as ``excerpt_of`` finds it."""
    outline, found = snapshot.sources.outline(cited.path), excerpt_of(snapshot, cited)
    if outline is None or found is None:
        return None
    first = outline.data.count(b"\n", 0, found.span.start) + 1
    return first, first + outline.data.count(b"\n", found.span.start, found.span.end), found.text


def memories_of(cited: Sequence[Cited]) -> tuple[Memory, ...]:
    """The memories, each once, in order."""
    return tuple({item.memory.id: item.memory for item in cited}.values())
