"""What can be done at a place: open, re-verify, supersede, retire, point elsewhere, capture.

*Invariants:* with a finding under the cursor every action answers every trigger, without one only a request that a person
made. Verification is never preferred, never bulk, never on save. The plans are computed on the text that is saved: while a
cited file has unsaved edits the actions that take fingerprints are there with the reason why they cannot be taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory_lsp.core.display import shown
from memory_lsp.core.excerpt import enclosing
from memory_lsp.core.model import Citation, Finding, Judgement, Memory, Plan, Refusal, Severity, Span, Status, Verdict
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.text import LineIndex
from memory_lsp.features.acts import Acts
from memory_lsp.features.cited import Cited, cited_in, memories_of, names_in
from memory_lsp.features.view import DocumentView
from memory_lsp.operations.narrow import tie_to_symbol

QUICK_FIX = "quickfix"
REFACTOR = "refactor"
MAX_MEMORIES = 3
MAX_OPENED = 10
"""Of more memories than ``MAX_MEMORIES`` at one place the others can be opened; everything else is offered there."""
MAX_CANDIDATES = 3
EVIDENCE = "What did you check, and what did you see?"


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
    here = memories_of([*_at_name(view, start, end), *_around(view, symbol)])
    memories = tuple({memory.id: memory for memory in (*flagged, *here)}.values())
    actions: list[CodeAction] = []
    for memory in memories[:MAX_MEMORIES]:
        mine = tuple(finding for finding in findings if finding.memory == memory.id)
        actions += _for_memory(view, memory, mine, acts, unsaved, opens=True)
    for memory in memories[MAX_MEMORIES:MAX_OPENED]:
        mine = tuple(finding for finding in findings if finding.memory == memory.id)
        actions.append(_open(memory, mine))
    lines = _lines(view, start, end) if selected else None
    tied = tie_to_symbol(Citation(view.path, lines=lines), view.snapshot.sources) if lines else None
    if lines and isinstance(tied, Citation) and tied.excerpt:
        for cited in _around(view, symbol):
            if cited.memory in memories[:MAX_MEMORIES] and not _is_draft(cited.memory):
                actions += _narrow(view, cited, lines, acts, unsaved)
        actions.append(_capture(view, symbol, acts, unsaved, lines))
    if symbol or invoked:
        actions.append(_capture(view, symbol, acts, unsaved))
    return tuple(actions)


def _lines(view: DocumentView, start: int, end: int) -> tuple[int, int]:
    """The lines (1-based, as files have them) of a selection."""
    first = view.lines.text.count("\n", 0, start) + 1
    return first, first + view.lines.text.count("\n", start, end)


def _narrow(
    view: DocumentView, cited: Cited, lines: tuple[int, int], acts: Acts, unsaved: Callable[[str], bool]
) -> list[CodeAction]:
    why_not = _dirty_target(cited.path, unsaved)
    result = Refusal(why_not) if why_not else acts.narrow(cited.memory, cited.index, lines)
    plan = result if isinstance(result, Plan) else None
    if plan is not None and not plan.edits:
        return []
    arguments = {"memory": cited.memory.id, "index": cited.index, "lines": list(lines)}
    title = f"Narrow to these lines: {_name(cited.memory)}"
    return [CodeAction(title, REFACTOR, "narrow", arguments, plan, _message(result), _asks(plan), _shows(view, plan))]


def _message(result: Plan | Refusal) -> str:
    return result.message if isinstance(result, Refusal) else ""


def _asks(plan: Plan | None) -> dict[str, str]:
    """The question for evidence, if a plan leaves a place for it."""
    for edit in plan.edits if plan is not None else ():
        before = len(find_placeholders(edit.before or ""))
        if (
            any(name == "evidence" for name, _ in find_placeholders(edit.after))
            and len(find_placeholders(edit.after)) > before
        ):
            return {"evidence": EVIDENCE}
    return {}


def _shows(view: DocumentView, plan: Plan | None) -> tuple[str, int] | None:
    """The record to show afterwards; ``None`` for the document itself."""
    shows = place_to_fill(plan) if plan is not None else None
    return shows if shows is not None and shows[0] != view.path else None


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
        return CodeAction(
            f"{label}: {name}",
            kind,
            act,
            {**arguments, **more},
            plan,
            _message(result),
            asks,
            _shows(view, plan),
            findings,
        )

    finished = acts.finish(memory)
    waits = isinstance(finished, Plan) and bool(finished.edits)
    if waits:
        actions.append(action("Finish this memory", "finish", lambda: finished, "", {}))
    if _is_draft(memory) or memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return actions
    if memory.status is Status.PENDING and not waits:
        actions.append(action("Approve", "approve", lambda: acts.approve(memory), "", {}))
        why = "Why is it not accepted?"
        actions.append(action("Reject", "reject", lambda: acts.reject(memory), "", {}, reason=why))
    question = {"evidence": EVIDENCE} if acts.needs_evidence(memory) else {}
    actions.append(action("Still true, re-verify", "verify", lambda: acts.verify(memory), blocked, {}, **question))
    for index, judgement in enumerate(view.snapshot.judgements.get(memory.id, ())):
        member = only_member(judgement)
        if member:
            actions.append(
                action(
                    f"Narrow to the member {shown(member, 80)}",
                    "narrow",
                    lambda index=index, member=member: acts.narrow(memory, index, member=member),  # type: ignore[misc]
                    blocked,
                    {"index": index, "member": member},
                    evidence=EVIDENCE,
                )
            )
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


def only_member(judgement: Judgement) -> str:
    """The direct member that alone changed in what is cited; empty if there is not exactly one."""
    parts = [part for part in judgement.parts if part != "documentation"]
    if judgement.verdict is not Verdict.CHANGED or len(parts) != 1 or not parts[0].startswith("member:"):
        return ""
    return parts[0].removeprefix("member:")


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


def _capture(
    view: DocumentView,
    symbol: str,
    acts: Acts,
    unsaved: Callable[[str], bool],
    lines: tuple[int, int] | None = None,
) -> CodeAction:
    why_not = _dirty_target(view.path, unsaved)
    result = Refusal(why_not) if why_not else acts.capture(view.path, symbol, lines=lines)
    plan = result if isinstance(result, Plan) else None
    return CodeAction(
        f"Capture a memory about {'these lines' if lines else shown(symbol, 80) or 'this file'}",
        REFACTOR,
        "capture",
        {"path": view.path, "symbol": symbol, **({"lines": list(lines)} if lines else {})},
        plan,
        _message(result),
        {"title": "What is the claim, in one line?", "statement": "The claim, in one or two sentences"},
        place_to_fill(plan) if plan is not None else None,
    )


def place_to_fill(plan: Plan) -> tuple[str, int] | None:
    """The record that a plan leaves to a person, the new one if it makes one, and the line of its first placeholder."""
    if not plan.edits:
        return None
    first = next((edit for edit in plan.edits if edit.before is None), plan.edits[0])
    edit = next((edit for edit in plan.edits if find_placeholders(edit.after)), first)
    text = edit.after
    left = find_placeholders(text)
    return edit.path, LineIndex(text).line_of(left[0][1].start) if left else 0
