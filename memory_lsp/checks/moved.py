"""``memory-moved``: the cited definition is unchanged, under another address."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, cited
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation whose only twin stands elsewhere."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.MOVED:
            target = shown(judgement.to, 160)
            message = (
                f"{cited(citation, judgement)}, cited by {subject.id}, is now {target}: {subject.title}. "
                f"Point the citation at it (`memory-lsp follow {subject.id}`)."
            )
            found.append(about_citation("memory-moved", subject, citation, judgement, message))
    return tuple(found)
