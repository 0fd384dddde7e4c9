"""``memory-expired``: the date or the time to live in the record has passed, or one of its predicates holds."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Status, Verdict
from memory_lsp.core.trust import StaleWhen, expiries


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per field that says so."""
    if subject.memory.status in (Status.DEPRECATED, Status.SUPERSEDED) or subject.first != subject.memory.path:
        return ()
    found = [
        about_memory(
            "memory-expired",
            subject,
            field,
            f"{subject.id} expired ({shown(why, 80)}): {subject.title}. Check the claim and re-verify it, or retire the memory.",
            verdict=Verdict.EXPIRED,
            reason=why,
        )
        for at, field, why in expiries(subject.memory)
        if at <= subject.now
    ]
    decision = subject.memory.dialect == "kiyo" and subject.memory.type != "observation"
    for said in subject.stale_when:
        if decision and not said.problem:
            # A rule of a decision is no date of expiry: ``memory-conflict`` tells of it.
            continue
        finding = _predicate(subject, said)
        if finding is not None:
            found.append(finding)
    return tuple(found)


def _predicate(subject: Subject, said: StaleWhen) -> Finding | None:
    """What one predicate of ``stale_when`` gives: it holds, may hold, cannot be read, or could not be evaluated."""
    text = shown(said.text, 100)
    if said.problem:
        message = f"{subject.id}: `{text}` cannot be read: {shown(said.problem, 160)}. Correct it, or begin the line with another word if it is prose."
        return about_memory("memory-invalid", subject, "stale_when", message, span=said.span)
    if said.holds:
        may = "may be stale" if said.possible else "expired"
        message = (
            f"{subject.id} {may} (stale when `{text}`: {shown(said.message, 160)}): {subject.title}. "
            "Check the claim and re-verify it, or retire the memory."
        )
        verdict = None if said.possible else Verdict.EXPIRED
        return about_memory(
            "memory-expired",
            subject,
            "stale_when",
            message,
            span=said.span,
            verdict=verdict,
            reason=said.message,
            place=said.place,
        )
    if said.gaps:
        message = f"{subject.id}: `{text}` cannot be evaluated: {shown(said.message, 160)}."
        return about_memory("memory-unchecked", subject, "stale_when", message, span=said.span, reason=said.message)
    return None
