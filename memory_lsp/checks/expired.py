"""``memory-expired``: the date or the time to live in the record has passed."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Status, Verdict
from memory_lsp.core.trust import expiries


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per field that says so."""
    if subject.memory.status in (Status.DEPRECATED, Status.SUPERSEDED) or subject.first != subject.memory.path:
        return ()
    return tuple(
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
    )
