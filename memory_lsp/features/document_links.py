"""The cited paths of a record as links to the code."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lsp.core.model import Span
from memory_lsp.features.definition import citations_in, code_place
from memory_lsp.features.hover import describe, line_of
from memory_lsp.features.view import DocumentView


@dataclass(frozen=True, slots=True)
class DocumentLink:
    """``span`` is the cited path in the record (code points); ``line`` is zero-based in the file at ``path``."""

    span: Span
    path: str
    line: int
    tooltip: str


def document_links(view: DocumentView) -> tuple[DocumentLink, ...]:
    """One link for each citation whose file can be read."""
    links = []
    for memory, cited in citations_in(view):
        citation = memory.citations[cited.index]
        span = citation.spans.get("path", citation.span)
        if span.start < span.end and code_place(view, cited) is not None:
            tooltip = f"{citation.text}: {describe(cited.judgement)}"
            links.append(DocumentLink(span, cited.path, line_of(view, cited), tooltip))
    return tuple(links)
