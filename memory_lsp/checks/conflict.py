"""``memory-conflict``: an approved decision and the code disagree."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, about_memory, cited
from memory_lsp.core.display import shown
from memory_lsp.core.drift import assess, rules_of
from memory_lsp.core.kiyo_trust import POSSIBLE_DRIFT
from memory_lsp.core.model import CodePlace, Finding, Span, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation where the decision stands against the code, or per place that contradicts one of its rules."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.CONFLICT:
            why = f" ({shown(judgement.reason, 120)})" if judgement.reason else ""
            message = (
                f"{cited(citation, judgement)} disagrees with the decision {subject.id}{why}: {subject.title}. "
                "Change the code back, or supersede the decision."
            )
            found.append(about_citation("memory-conflict", subject, citation, judgement, message))
    if subject.memory.dialect == "kiyo" and subject.memory.type == "decision" and subject.first == subject.memory.path:
        found += _rules(subject)
    return tuple(found)


def _rules(subject: Subject) -> list[Finding]:
    """What the rules of an approved Kiyo decision give."""
    state = subject.state
    field = "stale_when" if "stale_when" in subject.memory.spans else "statement"
    if state.verdict is Verdict.UNCHECKED:
        return _insufficient(subject, field)
    if state.verdict is not Verdict.CONFLICT:
        return []
    found = []
    for rule, (_, span) in zip(rules_of(subject.memory), subject.memory.predicates, strict=False):
        drift = assess(rule, subject.sources, subject.now)
        if drift.outcome != "Deviation":
            continue
        for use in drift.uses:
            where = f"{shown(use.place.path, 120)}:{use.line}"
            message = (
                f"{where} disagrees with the decision {subject.id} (`{shown(rule.text, 100)}`): {subject.title}. "
                "A person authorises a scoped fix, or a revision of the decision."
            )
            found.append(_conflict(subject, field, message, span, drift.observed, use.place))
        if not drift.uses:
            message = f"{subject.id} and the code disagree ({shown(drift.observed, 160)}): {subject.title}."
            found.append(_conflict(subject, field, message, span, drift.observed, None))
    if not found:
        message = f"{subject.id} {shown(state.reason, 200)}: {subject.title}. A person decides which one holds."
        found.append(_conflict(subject, field, message, None, state.reason, None))
    return found


def _conflict(
    subject: Subject, field: str, message: str, span: Span | None, reason: str, place: CodePlace | None
) -> Finding:
    return about_memory(
        "memory-conflict",
        subject,
        field,
        message,
        span=span,
        verdict=Verdict.CONFLICT,
        reason=reason,
        place=place,
    )


def _insufficient(subject: Subject, field: str) -> list[Finding]:
    """Possible drift, an approval that is not established, or what could not be searched: reported, and nothing is withheld."""
    reason = subject.state.reason
    said = next((item for item in subject.stale_when if item.holds and item.possible), None)
    if reason == POSSIBLE_DRIFT and said is not None:
        message = (
            f"{subject.id}: possible drift, {shown(said.message, 200)}: {subject.title}. It is served as unverified."
        )
        return [
            about_memory(
                "memory-unchecked", subject, field, message, verdict=Verdict.UNCHECKED, reason=reason, span=said.span
            )
        ]
    if "approval" in reason:
        name = next((item for item in ("approval_source", "status") if item in subject.memory.spans), "id")
        message = f"{subject.id}: {shown(reason, 120)}: {subject.title}. It is served as unverified."
        return [about_memory("memory-unchecked", subject, name, message, verdict=Verdict.UNCHECKED, reason=reason)]
    if reason.startswith("insufficient evidence"):
        message = f"{subject.id}: {shown(reason, 200)}: {subject.title}."
        return [about_memory("memory-unchecked", subject, field, message, verdict=Verdict.UNCHECKED, reason=reason)]
    return []
