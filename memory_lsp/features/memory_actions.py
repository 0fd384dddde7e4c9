"""The actions about one memory, and the capture of a new one, each with the edits that it makes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Judgement, Memory, Plan, Refusal, Status, Verdict
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.text import LineIndex
from memory_lsp.features.acts import Acts
from memory_lsp.features.cited import Cited
from memory_lsp.features.view import DocumentView

QUICK_FIX = "quickfix"
REFACTOR = "refactor"
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


def for_memory(
    view: DocumentView,
    memory: Memory,
    findings: tuple[Finding, ...],
    acts: Acts,
    unsaved: Callable[[str], bool],
    *,
    opens: bool,
) -> list[CodeAction]:
    """What can be done about a memory; ``opens``: its record can be opened, too. ``unsaved(path)`` says whether a file
    differs from what is on disk."""
    opened = open_memory(memory, findings)
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
    if is_draft(memory) or memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
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


def open_memory(memory: Memory, findings: tuple[Finding, ...]) -> CodeAction:
    """Show the record; with findings it answers them."""
    kind = QUICK_FIX if findings else REFACTOR
    return CodeAction(f"Open memory: {_name(memory)}", kind, "open", {"memory": memory.id}, findings=findings)


def _dirty_target(target: str, unsaved: Callable[[str], bool]) -> str:
    path = target.partition("#")[0]
    return f"save {shown(path, 80)} first: fingerprints come from the saved file" if unsaved(path) else ""


def is_draft(memory: Memory) -> bool:
    """Whether the form of a capture is not filled in yet: then there is nothing to verify or to replace."""
    return any(name in ("title", "statement") for name, _ in memory.placeholders)


def capture_about(
    view: DocumentView,
    symbol: str,
    acts: Acts,
    unsaved: Callable[[str], bool],
    lines: tuple[int, int] | None = None,
) -> list[CodeAction]:
    """A new memory about a symbol (empty: the whole file), or about some of its ``lines`` (1-based, inclusive).

    Where several stores may get it there is one action for each: the choice is the person's.
    """
    why_not = _dirty_target(view.path, unsaved)
    title = f"Capture a memory about {'these lines' if lines else shown(symbol, 80) or 'this file'}"
    arguments = {"path": view.path, "symbol": symbol, **({"lines": list(lines)} if lines else {})}
    asks = {"title": "What is the claim, in one line?", "statement": "The claim, in one or two sentences"}
    actions = []
    for store in [store.path for store in acts.stores_to_choose()] or [""]:
        result = Refusal(why_not) if why_not else acts.capture(view.path, symbol, lines=lines, store=store)
        plan = result if isinstance(result, Plan) else None
        actions.append(
            CodeAction(
                f"{title} in {shown(store, 80)}" if store else title,
                REFACTOR,
                "capture",
                {**arguments, "store": store} if store else arguments,
                plan,
                _message(result),
                asks,
                place_to_fill(plan) if plan is not None else None,
            )
        )
    return actions


def place_to_fill(plan: Plan) -> tuple[str, int] | None:
    """The record that a plan leaves to a person, the new one if it makes one, and the line of its first placeholder."""
    if not plan.edits:
        return None
    first = next((edit for edit in plan.edits if edit.before is None), plan.edits[0])
    edit = next((edit for edit in plan.edits if find_placeholders(edit.after)), first)
    text = edit.after
    left = find_placeholders(text)
    return edit.path, LineIndex(text).line_of(left[0][1].start) if left else 0


def narrow_to(
    view: DocumentView, cited: Cited, lines: tuple[int, int], acts: Acts, unsaved: Callable[[str], bool]
) -> list[CodeAction]:
    """A citation is about some lines (1-based, inclusive) of its symbol alone; nothing where it is already."""
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
