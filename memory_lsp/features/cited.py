"""Which memories cite what in a code file, and where their names stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory_lsp.core.model import Citation, Judgement, Memory, Span, Status, Verdict
from memory_lsp.features.view import DocumentView
from memory_lsp.workspace.snapshot import Snapshot


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
    return tuple(sorted(found, key=lambda item: (-item[0].judgement.verdict.rank, item[0].memory.id, item[0].index)))


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
    """The cited name at an offset, and what cites it. A cursor directly behind the name is on it."""
    found = [item for item in names_in(view) if item[0].start <= offset <= item[0].end]
    return min(found, key=lambda item: item[0].end - item[0].start) if found else None


def memories_of(cited: Sequence[Cited]) -> tuple[Memory, ...]:
    """The memories, each once, in order."""
    return tuple({item.memory.id: item.memory for item in cited}.values())
