"""``memory-unresolved``: a citation that never resolved."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation
from memory_lsp.core.display import shown
from memory_lsp.core.model import Citation, Finding, Judgement, Verdict

_REFUSED = ("outside the root", "not a path")


def never_resolved(citation: Citation, judgement: Judgement) -> bool:
    """Whether nothing was ever seen of the citation and what it names does not exist (or may not be looked at)."""
    if citation.fingerprint or "fingerprint" in citation.spans or citation.blob or citation.sha256 or citation.anchors:
        return False
    return judgement.verdict is Verdict.MISSING or judgement.reason in _REFUSED


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation without a fingerprint that names nothing."""
    found = []
    for citation, judgement in subject.judged:
        if never_resolved(citation, judgement):
            why = (
                judgement.reason
                if judgement.reason in _REFUSED
                else "there is no such " + ("symbol or file" if citation.symbol else "file")
            )
            near = (
                f"; did you mean {', '.join(shown(name, 80) for name in judgement.candidates)}?"
                if judgement.candidates
                else ""
            )
            message = f"{shown(citation.text, 160)}, cited by {subject.id}, never resolved: {why}{near}. Correct the citation, then verify the memory."
            found.append(about_citation("memory-unresolved", subject, citation, judgement, message))
    return tuple(found)
