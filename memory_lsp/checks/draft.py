"""``memory-draft``: a form is not finished."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding per placeholder; in code on the symbol that the memory was captured from."""
    return tuple(
        about_memory(
            "memory-draft",
            subject,
            field,
            f"{subject.id} is a draft: fill in {shown(field, 60)}. It is withheld until nothing is left to fill in.",
            span=span,
        )
        for field, span in subject.memory.placeholders
    )
