"""One record changed as a whole plan: the topic file, then the sidecar; several plans as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_lsp.core.model import (
    Citation,
    Event,
    FileEdit,
    Memory,
    Plan,
    Refusal,
)
from memory_lsp.dialects import kiyo
from memory_lsp.dialects.kiyo_read import unknown
from memory_lsp.operations.kiyo.desk import Desk, Work


def change_fields(
    memory: Memory, fields: Mapping[str, str], desk: Desk, act: str, reason: str, seen: tuple[Citation, ...] | None
) -> Plan | Refusal:
    before = desk.text(memory.path)
    if before is None:
        return Refusal(f"{memory.path} cannot be read: nothing is written")
    edits = kiyo.set_fields(before, memory.id, fields)
    if isinstance(edits, Refusal):
        return edits
    if not edits:
        return Plan(f"{memory.id}: nothing to change")
    files = [FileEdit(memory.path, before, edits)]
    if seen is not None:
        files.append(desk.sidecar(memory, fields["last_verified"], seen))
    return Plan(f"{act.capitalize()} {memory.id}", tuple(files), (Event(act, memory.id, reason),))


def revision_text(seen: tuple[Citation, ...], work: Work) -> str:
    if work.git == "none":
        return "NOT_APPLICABLE"
    if work.git == "unknown" or not work.head:
        return "UNKNOWN"
    dirty = [path for path in dict.fromkeys(item.path for item in seen) if path in work.dirty]
    return f"{work.head} (dirty: {', '.join(dirty)})" if dirty else work.head


def context_fields(memory: Memory, seen: tuple[Citation, ...], work: Work) -> dict[str, str]:
    """``git_revision`` and ``repository_context`` of a verification; without git both stay as they are."""
    if work.git == "none":
        return {}
    revision = revision_text(seen, work)
    fields = {"git_revision": revision}
    context = memory.fields.get("repository_context", "")
    parts = [part.strip() for part in context.split(";")]
    if not unknown(context) and len(parts) in (3, 4) and work.git == "yes":
        state = "dirty" if "(dirty" in revision else "clean"
        fields["repository_context"] = "; ".join((*parts[:-2], work.branch or "UNKNOWN", state))
    return fields


def together(plans: Sequence[Plan], notes: tuple[str, ...] = ()) -> Plan | Refusal:
    """Several acts as one plan; those on one file are one edit of it."""
    edits: dict[str, list[FileEdit]] = {}
    for plan in plans:
        for edit in plan.edits:
            edits.setdefault(edit.path, []).append(edit)
    merged = []
    for path, several in edits.items():
        every = tuple(
            sorted({part for edit in several for part in edit.edits}, key=lambda part: (part.start, part.end))
        )
        merged.append(FileEdit(path, several[0].before, every))
    return Plan(
        "\n".join(plan.summary for plan in plans),
        tuple(merged),
        tuple(event for plan in plans for event in plan.events),
        (*(note for plan in plans for note in plan.notes), *notes),
    )
