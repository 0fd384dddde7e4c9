"""``memory-changed``: the cited code is not what was verified."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, cited, lines_place
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Verdict


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per changed citation; the message says which part changed."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.CHANGED:
            parts = ", ".join(judgement.parts) or judgement.reason
            lines = "The cited lines of " if citation.excerpt else ""
            what = f"{lines}{cited(citation, judgement)} changed" + (f" ({shown(parts, 120)})" if parts else "")
            message = (
                f"{what} since {subject.id} was verified: {subject.title}. Still true: re-verify with evidence; "
                "no longer true: supersede; does not apply: retire."
            )
            place = lines_place(citation, judgement, subject.sources)
            found.append(about_citation("memory-changed", subject, citation, judgement, message, place))
    return tuple(found)
