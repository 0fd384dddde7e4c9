"""``memory-secret``: a credential or an e-mail address stands in a record (the Kiyo dialect finds its own while it reads)."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.content import kept_badly
from memory_lsp.core.model import Finding


def findings(subject: Subject) -> tuple[Finding, ...]:
    """An error on each field that holds one; what it is is not repeated."""
    memory = subject.memory
    if memory.dialect == "kiyo" or not kept_badly("\n".join((memory.title, memory.statement, memory.prose))):
        return ()
    texts = {"title": memory.title, "statement": memory.statement}
    texts.update({f"context.{facet}": text for facet, text in memory.context.items()})
    fields = [field for field, text in texts.items() if kept_badly(text)] or ["body"]
    return tuple(
        about_memory(
            "memory-secret",
            subject,
            field,
            f"{subject.id} holds a credential or an e-mail address in `{field}`: take it out, change the credential, "
            "and write the role instead of the person.",
        )
        for field in fields
    )
