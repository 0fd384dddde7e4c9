"""``memory-ambiguous``: several definitions match a citation."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, cited, scope_place
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per ambiguous citation; the message lists the candidates."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.AMBIGUOUS:
            names = ", ".join(shown(name, 80) for name in judgement.candidates[:5])
            which = f" ({names})" if names else ""
            message = (
                f"{cited(citation, judgement)}, cited by {subject.id}, matches several definitions{which}: {subject.title}. "
                "Point the citation at the right one."
            )
            place = None if judgement.name else scope_place(citation, subject.sources)
            found.append(about_citation("memory-ambiguous", subject, citation, judgement, message, place))
    return tuple(found)
