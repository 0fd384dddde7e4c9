"""What can be done at a place: open, approve, re-verify, narrow, supersede, retire, point elsewhere, capture.

*Invariants:* with a finding under the cursor every action answers every trigger, without one only a request that a person
made. Verification is never preferred, never bulk, never on save. The plans are computed on the text that is saved: while a
cited file has unsaved edits the actions that take fingerprints are there with the reason why they cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable

from memory_lsp.core.excerpt import enclosing
from memory_lsp.core.model import Citation, Plan, Refusal, Severity, Span
from memory_lsp.features.acts import Acts
from memory_lsp.features.cited import FIRST, Cited, cited_in, memories_of, names_in
from memory_lsp.features.listing import touches
from memory_lsp.features.memory_actions import (
    QUICK_FIX,
    CodeAction,
    capture_about,
    for_memory,
    is_draft,
    narrow_to,
    open_memory,
)
from memory_lsp.features.view import DocumentView
from memory_lsp.operations.narrow import tie_to_symbol
from memory_lsp.workspace.impact import INDEX_FIELD

MAX_MEMORIES = 3
MAX_OPENED = 10
"""Of more memories than ``MAX_MEMORIES`` at one place the others can be opened; everything else is offered there."""


def code_actions(
    view: DocumentView, start: int, end: int, acts: Acts, unsaved: Callable[[str], bool], *, invoked: bool
) -> tuple[CodeAction, ...]:
    """The actions for a range (code points). ``unsaved(path)`` says whether a file differs from what is on disk."""
    if view.path in view.snapshot.records:
        return _in_record(view, start, end, acts, unsaved, invoked)
    return _in_code(view, start, end, acts, unsaved, invoked)


def _in_record(
    view: DocumentView, start: int, end: int, acts: Acts, unsaved: Callable[[str], bool], invoked: bool
) -> tuple[CodeAction, ...]:
    findings = tuple(
        finding
        for finding in view.snapshot.findings.get(view.path, ())
        if finding.severity is not Severity.OFF and finding.span.start <= end and start <= finding.span.end
    )
    if not findings and not invoked:
        return ()
    record = view.snapshot.records[view.path]
    actions: list[CodeAction] = []
    for memory in record.parsed.memories:
        known = view.snapshot.memories.get(memory.id)
        if known is not None and known.path == view.path and memory.span.start <= end and start <= memory.span.end:
            mine = tuple(finding for finding in findings if finding.memory == memory.id)
            actions += for_memory(view, known, mine, acts, unsaved, opens=False)
    pages = tuple(finding for finding in findings if finding.field == INDEX_FIELD)
    if pages:
        result = acts.repair_index(view.path)
        plan = result if isinstance(result, Plan) else None
        told = result.message if isinstance(result, Refusal) else ""
        title = "Put the index in order"
        actions.append(CodeAction(title, QUICK_FIX, "repairIndex", {"path": view.path}, plan, told, findings=pages))
    return tuple(actions)


def _in_code(
    view: DocumentView, start: int, end: int, acts: Acts, unsaved: Callable[[str], bool], invoked: bool
) -> tuple[CodeAction, ...]:
    text = view.lines.text[start:end]
    selected = bool(text.strip())
    if selected:
        start, end = start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip())
    first, last = view.lines.offset_to_byte(start), view.lines.offset_to_byte(end)
    findings = tuple(
        finding
        for finding in view.snapshot.code_findings.get(view.path, ())
        if finding.in_code is not None
        and finding.in_code_severity is not Severity.OFF
        and finding.in_code.span.start <= last
        and first <= finding.in_code.span.end
    )
    if not findings and not invoked:
        return ()
    outline = view.snapshot.sources.outline(view.path)
    group = enclosing(outline, Span(first, last)) if outline is not None else None
    symbol = group.path if group is not None else ""
    flagged = [
        view.snapshot.memories[finding.memory] for finding in findings if finding.memory in view.snapshot.memories
    ]
    flagged.sort(key=lambda memory: FIRST[touches(view.snapshot, memory.id)])
    here = memories_of([*_at_name(view, start, end), *_around(view, symbol)])
    memories = tuple({memory.id: memory for memory in (*flagged, *here)}.values())
    actions: list[CodeAction] = []
    for memory in memories[:MAX_MEMORIES]:
        mine = tuple(finding for finding in findings if finding.memory == memory.id)
        actions += for_memory(view, memory, mine, acts, unsaved, opens=True)
    for memory in memories[MAX_MEMORIES:MAX_OPENED]:
        mine = tuple(finding for finding in findings if finding.memory == memory.id)
        actions.append(open_memory(memory, mine))
    lines = _lines(view, start, end) if selected else None
    tied = tie_to_symbol(Citation(view.path, lines=lines), view.snapshot.sources) if lines else None
    if lines and isinstance(tied, Citation) and tied.excerpt:
        for cited in _around(view, symbol):
            if cited.memory in memories[:MAX_MEMORIES] and not is_draft(cited.memory):
                actions += narrow_to(view, cited, lines, acts, unsaved)
        actions += capture_about(view, symbol, acts, unsaved, lines)
    if symbol or invoked:
        actions += capture_about(view, symbol, acts, unsaved)
    return tuple(actions)


def _lines(view: DocumentView, start: int, end: int) -> tuple[int, int]:
    """The lines (1-based, as files have them) of a selection."""
    first = view.lines.text.count("\n", 0, start) + 1
    return first, first + view.lines.text.count("\n", start, end)


def _at_name(view: DocumentView, start: int, end: int) -> list[Cited]:
    return [cited for span, found in names_in(view) if span.start <= end and start <= span.end for cited in found]


def _around(view: DocumentView, symbol: str) -> list[Cited]:
    """What cites the symbol that holds the cursor, or one that encloses it, the innermost first."""
    found = []
    while symbol:
        found += [
            cited
            for cited, _ in cited_in(view.snapshot, view.path)
            if symbol == (cited.judgement.symbol or cited.citation.symbol)
        ]
        symbol = symbol.rpartition(".")[0]
    return found
