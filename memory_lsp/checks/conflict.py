"""``memory-conflict``: an approved decision and the code disagree."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, cited
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation where the decision stands against the code."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.CONFLICT:
            why = f" ({shown(judgement.reason, 120)})" if judgement.reason else ""
            message = (
                f"{cited(citation, judgement)} disagrees with the decision {subject.id}{why}: {subject.title}. "
                "Change the code back, or supersede the decision."
            )
            found.append(about_citation("memory-conflict", subject, citation, judgement, message))
    return tuple(found)
