"""``memory-invalid``: what a dialect could not read in a record, as findings."""

from __future__ import annotations

from collections.abc import Iterable

from memory_lsp.core.codes import CODES
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Problem


def findings(path: str, dialect: str, problems: Iterable[Problem]) -> tuple[Finding, ...]:
    """One finding per problem, at its place in the record."""
    return tuple(
        Finding(
            code=problem.code,
            severity=CODES[problem.code].in_record,
            path=path,
            span=problem.span,
            message=shown(problem.message, 400),
            memory=problem.memory,
            dialect=dialect,
            field=problem.field,
        )
        for problem in problems
        if problem.code in CODES
    )
