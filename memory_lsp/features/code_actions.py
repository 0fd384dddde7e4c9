"""What can be done at a place: open, re-verify, supersede, retire, point elsewhere, capture.

*Invariants:* with a finding under the cursor every action answers every trigger, without one only a request that a person
made. Verification is never preferred, never bulk, never on save. The plans are computed on the text that is saved: while a
cited file has unsaved edits the actions that take fingerprints are there with the reason why they cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Memory, Plan, Refusal, Severity, Status, Verdict
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.text import LineIndex
from memory_lsp.features.acts import Acts
from memory_lsp.features.cited import Cited, cited_in, memories_of, names_in
from memory_lsp.features.view import DocumentView

QUICK_FIX = "quickfix"
REFACTOR = "refactor"
MAX_MEMORIES = 3
MAX_OPENED = 10
"""Of more memories than ``MAX_MEMORIES`` at one place the others can be opened; everything else is offered there."""
MAX_CANDIDATES = 3


@dataclass(frozen=True, slots=True)
class CodeAction:
    """One action. ``act`` names the server command ``memoryLsp.server.<act>``, ``arguments`` are its argument.

    ``plan`` are the edits of the form; ``disabled`` says why there are none. ``asks`` are the free texts that the act
    takes, by argument name, with the question for a person. ``shows`` is the record to open afterwards and
    the line (zero-based) of what is to be filled in; ``None`` for the document itself.
    """

    title: str
    kind: str
    act: str
    arguments: Mapping[str, object]
    plan: Plan | None = None
    disabled: str = ""
    asks: Mapping[str, str] = field(default_factory=dict)
    shows: tuple[str, int] | None = None
    findings: tuple[Finding, ...] = ()


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
            actions += _for_memory(view, known, mine, acts, unsaved, opens=False)
    return tuple(actions)


def _in_code(
    view: DocumentView, start: int, end: int, acts: Acts, unsaved: Callable[[str], bool], invoked: bool
) -> tuple[CodeAction, ...]:
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
    symbol = _symbol_at(outline, first, last)
    flagged = [
        view.snapshot.memories[finding.memory] for finding in findings if finding.memory in view.snapshot.memories
    ]
    here = memories_of([*_at_name(view, start, end), *_around(view, symbol)])
    memories = tuple({memory.id: memory for memory in (*flagged, *here)}.values())
    actions: list[CodeAction] = []
    for memory in memories[:MAX_MEMORIES]:
        mine = tuple(finding for finding in findings if finding.memory == memory.id)
        actions += _for_memory(view, memory, mine, acts, unsaved, opens=True)
    for memory in memories[MAX_MEMORIES:MAX_OPENED]:
        mine = tuple(finding for finding in findings if finding.memory == memory.id)
        actions.append(_open(memory, mine))
    if symbol or invoked:
        actions.append(_capture(view, symbol, acts, unsaved))
    return tuple(actions)


def _symbol_at(outline: object, first: int, last: int) -> str:
    """The innermost symbol that holds a range of bytes."""
    from memory_lsp.core.outline import Outline

    if not isinstance(outline, Outline):
        return ""
    group = outline.at(first)
    while group is not None:
        if any(definition.start <= first and last <= definition.end for definition in group.definitions):
            return group.path
        path = group.path.rpartition(".")[0]
        group = outline.find(path) if path else None
    return ""


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


def _for_memory(
    view: DocumentView,
    memory: Memory,
    findings: tuple[Finding, ...],
    acts: Acts,
    unsaved: Callable[[str], bool],
    *,
    opens: bool,
) -> list[CodeAction]:
    opened = _open(memory, findings)
    kind, name, arguments = opened.kind, _name(memory), opened.arguments
    actions = [opened] if opens else []
    dirty = next((citation.path for citation in memory.citations if unsaved(citation.path)), "")
    blocked = f"save {shown(dirty, 80)} first: fingerprints come from the saved file" if dirty else ""

    def action(
        label: str, act: str, make: Callable[[], Plan | Refusal], why_not: str, more: Mapping[str, object], **asks: str
    ) -> CodeAction:
        result = Refusal(why_not) if why_not else make()
        plan = result if isinstance(result, Plan) else None
        shows = place_to_fill(plan) if plan is not None else None
        return CodeAction(
            f"{label}: {name}",
            kind,
            act,
            {**arguments, **more},
            plan,
            result.message if isinstance(result, Refusal) else "",
            asks,
            shows if shows is not None and shows[0] != view.path else None,
            findings,
        )

    finished = acts.finish(memory)
    if isinstance(finished, Plan) and finished.edits:
        actions.append(action("Finish this memory", "finish", lambda: finished, "", {}))
    if _is_draft(memory) or memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return actions
    question = {"evidence": "What did you check, and what did you see?"} if acts.needs_evidence(memory) else {}
    actions.append(action("Still true, re-verify", "verify", lambda: acts.verify(memory), blocked, {}, **question))
    for index, judgement in enumerate(view.snapshot.judgements.get(memory.id, ())):
        targets = (judgement.to,) if judgement.to else judgement.candidates[:MAX_CANDIDATES]
        if judgement.verdict is Verdict.MISSING and not targets:
            targets = acts.nearest(memory.citations[index])[:MAX_CANDIDATES]
        if judgement.verdict in (Verdict.MOVED, Verdict.MISSING, Verdict.AMBIGUOUS):
            for target in targets:
                actions.append(
                    action(
                        f"Point the citation at {shown(target, 80)}",
                        "follow",
                        lambda index=index, target=target: acts.follow(memory, index, target),  # type: ignore[misc]
                        blocked or _dirty_target(target, unsaved),
                        {"index": index, "to": target},
                    )
                )
    actions.append(
        action(
            "No longer true, supersede",
            "supersede",
            lambda: acts.supersede(memory),
            blocked,
            {},
            title="What is true now, in one line?",
            statement="The claim as it holds now",
        )
    )
    actions.append(
        action(
            "Does not apply, retire",
            "retire",
            lambda: acts.retire(memory),
            "",
            {},
            reason="Why does it no longer hold?",
        )
    )
    return actions


def _name(memory: Memory) -> str:
    return shown(memory.title or memory.statement, 60) or shown(memory.id, 60)


def _open(memory: Memory, findings: tuple[Finding, ...]) -> CodeAction:
    kind = QUICK_FIX if findings else REFACTOR
    return CodeAction(f"Open memory: {_name(memory)}", kind, "open", {"memory": memory.id}, findings=findings)


def _dirty_target(target: str, unsaved: Callable[[str], bool]) -> str:
    path = target.partition("#")[0]
    return f"save {shown(path, 80)} first: fingerprints come from the saved file" if unsaved(path) else ""


def _is_draft(memory: Memory) -> bool:
    """Whether the form of a capture is not filled in yet: then there is nothing to verify or to replace."""
    return any(name in ("title", "statement") for name, _ in memory.placeholders)


def _capture(view: DocumentView, symbol: str, acts: Acts, unsaved: Callable[[str], bool]) -> CodeAction:
    why_not = f"save {shown(view.path, 80)} first: fingerprints come from the saved file" if unsaved(view.path) else ""
    result = Refusal(why_not) if why_not else acts.capture(view.path, symbol)
    plan = result if isinstance(result, Plan) else None
    return CodeAction(
        f"Capture a memory about {shown(symbol, 80) or 'this file'}",
        REFACTOR,
        "capture",
        {"path": view.path, "symbol": symbol},
        plan,
        result.message if isinstance(result, Refusal) else "",
        {"title": "What is the claim, in one line?", "statement": "The claim, in one or two sentences"},
        place_to_fill(plan) if plan is not None else None,
    )


def place_to_fill(plan: Plan) -> tuple[str, int] | None:
    """The record that a plan leaves to a person, the new one if it makes one, and the line of its first placeholder."""
    if not plan.edits:
        return None
    edit = next((edit for edit in plan.edits if edit.before is None), plan.edits[0])
    text = edit.after
    left = find_placeholders(text)
    return edit.path, LineIndex(text).line_of(left[0][1].start) if left else 0
