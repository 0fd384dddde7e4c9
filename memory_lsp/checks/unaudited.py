"""``memory-unaudited``: the audit log does not explain a record's content."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.model import Finding


def findings(subject: Subject) -> tuple[Finding, ...]:
    """A hint on the record's id."""
    if not subject.unaudited:
        return ()
    message = f"{subject.id} was changed without an event in .memory-lsp/audit.jsonl: {subject.title}. Find out who changed it, then verify it."
    return (about_memory("memory-unaudited", subject, "id", message),)
