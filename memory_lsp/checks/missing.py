"""``memory-missing``: the cited code is gone."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_citation, cited, scope_place
from memory_lsp.checks.unresolved import never_resolved
from memory_lsp.core.display import shown
from memory_lsp.core.model import Citation, Finding, Judgement, Verdict
from memory_lsp.core.outline import nearest


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per citation that was verified once and resolves no more; in code on what is left around it."""
    found = []
    for citation, judgement in subject.judged:
        if judgement.verdict is Verdict.MISSING and not never_resolved(citation, judgement):
            place = scope_place(citation, subject.sources)
            where = f" from {shown(citation.path, 120)}" if citation.symbol and place else ""
            message = (
                f"{cited(citation, judgement)}, cited by {subject.id}, is gone{where}: {subject.title}. "
                f"{_repoint(subject, citation, judgement)}, supersede or retire the memory."
            )
            found.append(about_citation("memory-missing", subject, citation, judgement, message, place))
    return tuple(found)


def _repoint(subject: Subject, citation: Citation, judgement: Judgement) -> str:
    """How to point the citation at what replaced it, with the definitions of its file that are nearest by name."""
    said = "Point the citation at what replaced it"
    if subject.memory.dialect == "kiyo":
        return said
    outline = subject.sources.outline(citation.path) if citation.symbol else None
    near = nearest(outline.groups, judgement.symbol or citation.symbol) if outline is not None else ()
    told = f"; nearest: {shown(', '.join(f'{citation.path}#{name}' for name in near), 240)}" if near else ""
    return f"{said} (`memory-lsp follow {subject.id} --to PATH#SYMBOL`{told})"
