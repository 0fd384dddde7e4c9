"""``memory-duplicate-id``: two records carry one id."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding


def findings(subject: Subject) -> tuple[Finding, ...]:
    """One finding on every record with the id; it names another one."""
    memory = subject.memory
    others = [path for path in (subject.first, *subject.others) if path != memory.path]
    if not others:
        return ()
    used = "this one is used" if subject.first == memory.path else f"{shown(subject.first, 120)} is used"
    message = f"{subject.id} is also the id of {shown(others[0], 120)}: {used}. Give one of them an id of its own."
    return (about_memory("memory-duplicate-id", subject, "id", message),)
