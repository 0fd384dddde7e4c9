"""``memory-missing``: the cited code is gone."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, cited, scope_place
from memory_lsp.checks.unresolved import never_resolved
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation that was verified once and resolves no more; in code on what is left around it."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.MISSING and not never_resolved(citation, judgement):
            place = scope_place(citation, subject.sources)
            where = f" from {shown(citation.path, 120)}" if citation.symbol and place else ""
            message = (
                f"{cited(citation, judgement)}, cited by {subject.id}, is gone{where}: {subject.title}. "
                "Point the citation at what replaced it, supersede or retire the memory."
            )
            found.append(about_citation("memory-missing", subject, citation, judgement, message, place))
    return tuple(found)
