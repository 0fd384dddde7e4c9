"""Where a cited symbol is remembered: the citations in records that cite it, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.model import Span, Verdict
from memory_lsp.features.cited import Cited, cited_in
from memory_lsp.features.definition import citations_in
from memory_lsp.features.view import DocumentView


@dataclass(frozen=True, slots=True)
class Reference:
    """``span`` (code points) is the cited path in the record at ``path``."""

    path: str
    span: Span


def references(view: DocumentView, offset: int) -> tuple[Reference, ...]:
    """The citations of the cited symbol whose name is at an offset of a code file, or that the citation at an offset of a
    record is about. Memories that are out of use are left out; elsewhere there are none."""
    if view.path in view.snapshot.records:
        here = [
            cited for _, cited in citations_in(view) if cited.citation.span.start <= offset <= cited.citation.span.end
        ]
        wanted = {(cited.path, _symbol(cited)) for cited in here}
        paths = {path for path, _ in wanted}
        found = [item for path in sorted(paths) for item, _ in cited_in(view.snapshot, path)]
        found = [item for item in found if (item.path, _symbol(item)) in wanted]
    else:
        at = view.lines.offset_to_byte(offset)
        found = [
            cited
            for cited, place in cited_in(view.snapshot, view.path)
            if place is not None and place.start <= at <= place.end and _is_here(cited)
        ]
    places = [
        Reference(cited.memory.path, cited.citation.spans.get("path", cited.citation.span))
        for cited in found
        if cited.memory.path in view.snapshot.records
    ]
    return tuple(sorted(set(places), key=lambda item: (item.path, item.span.start)))


def _is_here(cited: Cited) -> bool:
    """Whether what is cited is a symbol that is there, and not a whole file or one that is gone."""
    return bool(_symbol(cited)) and (cited.judgement.name is not None or cited.judgement.verdict is Verdict.MOVED)


def _symbol(cited: Cited) -> str:
    """The symbol that is cited, as it is called now; empty for a whole file."""
    return cited.judgement.to.partition("#")[2] or cited.judgement.symbol or cited.citation.symbol
