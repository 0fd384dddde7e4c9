"""``memory-unchecked``: a citation that cannot be judged."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, about_memory, cited
from memory_lsp.checks.unresolved import never_resolved
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Status, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation without a verdict, with the reason; one on a memory that cites nothing."""
    memory = subject.memory
    ruled = memory.dialect == "kiyo" and bool(subject.stale_when)
    if memory.status is Status.APPROVED and not memory.citations and not ruled and subject.first == memory.path:
        message = (
            f"{subject.id} cites nothing, so no change can be noticed: {subject.title}. Cite the code that it is about."
        )
        return (
            about_memory(
                "memory-unchecked", subject, "cites", message, verdict=Verdict.UNCHECKED, reason="cites nothing"
            ),
        )
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.UNCHECKED and not never_resolved(citation, judgement):
            why = shown(judgement.reason, 120) or "it has no fingerprint"
            message = (
                f"{cited(citation, judgement)}, cited by {subject.id}, cannot be judged: {why}. {_served(subject)}"
            )
            found.append(about_citation("memory-unchecked", subject, citation, judgement, message))
    return tuple(found)


def _served(subject: Subject) -> str:
    state = subject.state
    if state.served == "unverified":
        return "The memory is served as unverified."
    if state.served == "withheld":
        return f"The memory is withheld: {shown(state.reason, 120)}."
    return "The memory is served."
