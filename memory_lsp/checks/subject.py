"""What a check looks at: one memory, its judgements, and what is known around it. Checks are pure functions of this."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from memory_lsp.core.codes import CODES
from memory_lsp.core.display import shown
from memory_lsp.core.excerpt import excerpt_now
from memory_lsp.core.model import Citation, CodePlace, Finding, Judgement, Memory, Span, Status, Verdict
from memory_lsp.core.sources import Sources
from memory_lsp.core.trust import StaleWhen, State


@dataclass(frozen=True, slots=True)
class Subject:
    """One memory as it is checked.

    ``first`` is the path of the first record that carries its id (its own unless the id is taken), ``others`` are all
    further records with that id. ``memories`` are those of the root by id. ``unaudited`` says that the audit log does not
    explain the record's content. ``judgements`` are empty for a memory whose id is taken.
    """

    memory: Memory
    judgements: tuple[Judgement, ...]
    state: State
    now: datetime
    sources: Sources
    memories: Mapping[str, Memory]
    first: str
    others: tuple[str, ...] = ()
    stale_when: tuple[StaleWhen, ...] = ()
    unaudited: bool = False

    @property
    def title(self) -> str:
        """The claim in one line, safe to show, without a full stop: a message goes on after it."""
        return shown(self.memory.title or self.memory.statement, 100).removesuffix(".")

    @property
    def id(self) -> str:
        """The memory's id, safe to show."""
        return shown(self.memory.id, 80)

    @property
    def judged(self) -> tuple[tuple[Citation, Judgement], ...]:
        """Citations with their judgements; none for a retired or superseded memory, which gets no findings about code."""
        if self.memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
            return ()
        return tuple(zip(self.memory.citations, self.judgements, strict=False))


Check = Callable[[Subject], "tuple[Finding, ...]"]


def cited(citation: Citation, judgement: Judgement) -> str:
    """How a message names a citation: the symbol if it has one, else the path; safe to show."""
    if citation.lines:
        return shown(citation.text, 120)
    return shown(judgement.symbol or citation.symbol or citation.path, 120)


def about_citation(
    code: str, subject: Subject, citation: Citation, judgement: Judgement, message: str, place: CodePlace | None = None
) -> Finding:
    """A finding on a citation in the record, with its twin in code at ``place`` (default: the cited symbol's name)."""
    field = "symbol" if "symbol" in citation.spans and citation.symbol else "path"
    entry = CODES[code]
    place = place or name_place(citation, judgement, subject.sources)
    return Finding(
        code=code,
        severity=entry.in_record,
        path=subject.memory.path,
        span=citation.spans.get(field, citation.span),
        message=message,
        memory=subject.memory.id,
        dialect=subject.memory.dialect,
        field=field,
        symbol=judgement.symbol or citation.symbol,
        verdict=judgement.verdict,
        parts=judgement.parts,
        reason=judgement.reason,
        in_code=place,
        in_code_severity=entry.in_code,
    )


def about_memory(
    code: str,
    subject: Subject,
    field: str,
    message: str,
    *,
    span: Span | None = None,
    verdict: Verdict | None = None,
    reason: str = "",
    place: CodePlace | None = None,
) -> Finding:
    """A finding on a field of the record (else on its id, else on its start); in code, where the code is shown there, on the first cited name."""
    memory = subject.memory
    entry = CODES[code]
    if entry.in_code.rank and place is None:
        places = (
            name_place(citation, judgement, subject.sources)
            for citation, judgement in zip(memory.citations, subject.judgements, strict=False)
        )
        place = next((found for found in places if found), None)
    return Finding(
        code=code,
        severity=entry.in_record,
        path=memory.path,
        span=span or memory.spans.get(field) or memory.spans.get("id") or Span(memory.span.start, memory.span.start),
        message=message,
        memory=memory.id,
        dialect=memory.dialect,
        field=field,
        verdict=verdict,
        reason=reason,
        in_code=place,
        in_code_severity=entry.in_code,
    )


def name_place(citation: Citation, judgement: Judgement, sources: Sources) -> CodePlace | None:
    """Where a finding belongs in code: the cited symbol's name, where it was cited or where it moved to; for a whole file its first line."""
    if judgement.verdict is Verdict.MOVED and judgement.to:
        path, _, symbol = judgement.to.partition("#")
        outline = sources.outline(path) if symbol else None
        group = outline.find(symbol) if outline is not None else None
        if group is not None and group.definitions:
            return CodePlace(path, Span(group.definitions[0].name_start, group.definitions[0].name_end))
        return first_line(path, sources)
    if judgement.name is not None:
        return CodePlace(citation.path, judgement.name)
    return None if citation.symbol else first_line(citation.path, sources)


def lines_place(citation: Citation, judgement: Judgement, sources: Sources) -> CodePlace | None:
    """For a narrow citation: the first of its lines, as they stand now or as what is most like them; ``None``: there are none."""
    outline = sources.outline(citation.path) if citation.excerpt else None
    group = outline.find(judgement.symbol or citation.symbol) if outline is not None else None
    excerpt = excerpt_now(outline, group, citation) if outline is not None and group is not None else None
    if outline is None or excerpt is None:
        return None
    start, end = excerpt.span.start, outline.data.find(b"\n", excerpt.span.start, excerpt.span.end)
    line = outline.data[start : end if end >= 0 else excerpt.span.end]
    return CodePlace(citation.path, Span(start, start + len(line.rstrip())))


def first_line(path: str, sources: Sources) -> CodePlace | None:
    """The text of a file's first line; ``None`` if the file cannot be read."""
    data = sources.read(path).data
    if data is None:
        return None
    end = data.find(b"\n")
    end = len(data) if end < 0 else end
    start = 3 if data.startswith(b"\xef\xbb\xbf") else 0
    return CodePlace(path, Span(start, max(start, end - (data[end - 1 : end] == b"\r"))))


def scope_place(citation: Citation, sources: Sources) -> CodePlace | None:
    """For a symbol that is gone: the name of the innermost enclosing scope that is left, else the first line; ``None`` if the file is gone."""
    if sources.read(citation.path).data is None:
        return None
    outline = sources.outline(citation.path)
    scope = citation.symbol
    while outline is not None and "." in scope:
        scope = scope.rpartition(".")[0]
        group = outline.find(scope)
        if group is not None and group.definitions:
            definition = group.definitions[0]
            return CodePlace(citation.path, Span(definition.name_start, definition.name_end))
    return first_line(citation.path, sources)
