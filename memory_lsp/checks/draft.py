"""``memory-draft``: a form is not finished."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Status

_CLAIM = frozenset({"title", "statement"})


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per placeholder; in code on the symbol that the memory was captured from."""
    return tuple(
        about_memory("memory-draft", subject, field, _message(subject, field), span=span)
        for field, span in subject.memory.placeholders
    )


def _message(subject: Subject, field: str) -> str:
    """What is missing, and what holds until it is there."""
    memory, name = subject.memory, shown(field, 60)
    if any(other in _CLAIM for other, _ in memory.placeholders):
        return f"{subject.id} is a draft: fill in {name}. It is withheld until nothing is left to fill in."
    if field == "evidence":
        return f"{subject.id} waits for the evidence of a verification: fill in {name}. Until then the previous verification judges."
    if field == "reason" and memory.decision and memory.status in (Status.APPROVED, Status.PENDING):
        return f"{subject.id} is not {memory.decision} yet: fill in {name}. Until then it is {memory.status.value} as before."
    return f"{subject.id} is not finished: fill in {name}."
