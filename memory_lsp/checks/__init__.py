"""One file per finding kind; ``check`` runs them all over one memory."""

from __future__ import annotations

from memory_lsp.checks import (
    ambiguous,
    changed,
    conflict,
    draft,
    duplicate_id,
    expired,
    missing,
    moved,
    secret,
    superseded,
    unaudited,
    unchecked,
    unresolved,
)
from memory_lsp.checks.subject import Check, Subject
from memory_lsp.core.model import Finding

CHECKS: tuple[Check, ...] = (
    duplicate_id.findings,
    unresolved.findings,
    conflict.findings,
    missing.findings,
    changed.findings,
    ambiguous.findings,
    moved.findings,
    expired.findings,
    secret.findings,
    draft.findings,
    superseded.findings,
    unchecked.findings,
    unaudited.findings,
)


def check(subject: Subject) -> tuple[Finding, ...]:
    """All findings about one memory, in the order of ``CHECKS``; of a record that cannot be read little more is said than that."""
    checks = (duplicate_id.findings,) if subject.memory.unreadable else CHECKS
    return tuple(finding for each in checks for finding in each(subject))
