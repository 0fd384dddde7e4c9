"""``memory-superseded``: another memory took this one's place, and whether those links hold."""

from __future__ import annotations

from memory_lsp.checks.subject import Subject, about_memory
from memory_lsp.core.display import shown
from memory_lsp.core.model import Finding, Status
from memory_lsp.dialects.kiyo import ids_in


def findings(subject: Subject) -> tuple[Finding, ...]:
    """A hint that names the newer memory; ``memory-invalid`` for links to unknown memories and for cycles."""
    memory = subject.memory
    found = []
    if memory.status is Status.SUPERSEDED:
        names = ", ".join(shown(name, 80) for name in memory.superseded_by)
        newer = f" by {names}" if names else ""
        field = "superseded_by" if "superseded_by" in memory.spans else "status"
        found.append(
            about_memory(
                "memory-superseded",
                subject,
                field,
                f"{subject.id} is superseded{newer}: {subject.title}. It is withheld.",
            )
        )
    for field, names_ in (("superseded_by", memory.superseded_by), ("supersedes", memory.supersedes)):
        for name in names_:
            if name not in subject.memories:
                message = f"{subject.id}: `{field}` names {shown(name, 80)}, which no record of this root has. Correct the id."
                found.append(about_memory("memory-invalid", subject, field, message))
    for name in ids_in(memory.fields.get("related_ids", "")) if memory.dialect == "kiyo" else ():
        if name not in subject.memories and name not in memory.superseded_by:
            message = f"{subject.id}: `related_ids` names {shown(name, 80)}, which no record of this root has. Correct the id."
            found.append(about_memory("memory-invalid", subject, "related_ids", message))
    cycle = _cycle(subject)
    if cycle:
        path = " -> ".join(shown(name, 80) for name in cycle)
        message = f"{subject.id} supersedes itself in a circle ({path}): no memory of it can be served. Remove one of the links."
        found.append(about_memory("memory-invalid", subject, "superseded_by", message))
    return tuple(found)


def _cycle(subject: Subject) -> tuple[str, ...]:
    """The way along ``superseded_by`` from the memory back to itself, if there is one."""
    start = subject.memory.id
    ways: list[tuple[str, ...]] = [(start, name) for name in subject.memory.superseded_by]
    seen: set[str] = set()
    while ways:
        way = ways.pop()
        if way[-1] == start:
            return way
        if way[-1] in seen or len(way) > 50:
            continue
        seen.add(way[-1])
        newer = subject.memories.get(way[-1])
        ways += [(*way, name) for name in (newer.superseded_by if newer else ())]
    return ()
