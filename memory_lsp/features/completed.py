"""What a person completed in a record between two saves: the events that the audit log gets."""

from __future__ import annotations

from collections.abc import Callable

from memory_lsp.core.model import Event, Memory, Parsed, Status

_FORM = frozenset({"title", "statement"})


def completed(
    before: Parsed | None, after: Parsed, waiting: Callable[[Memory], bool] = lambda memory: False
) -> tuple[Event, ...]:
    """The acts that are finished in ``after`` and were not in ``before`` (``None``: there was no record).

    ``waiting`` tells that a record's form is still to be finished by a person (Kage). A form with placeholders is not finished: a capture counts once its title and statement are filled in, a verification
    once its evidence is. Other changes by hand are no acts and give no events.
    """
    known = {memory.id: memory for memory in before.memories} if before is not None else {}
    events: list[Event] = []
    for memory in after.memories:
        if not waiting(memory):
            events += _events(known.get(memory.id), memory)
    return tuple(events)


def _events(before: Memory | None, after: Memory) -> list[Event]:
    if _unfinished(after):
        return []
    if before is None or _unfinished(before):
        reason = f"supersedes {', '.join(after.supersedes)}" if after.supersedes else ""
        return [Event("capture", after.id, reason)]
    if "reason" in {name for name, _ in after.placeholders}:
        return []
    events = []
    anew = after.dialect == "kiyo" and after.last_verified_at != before.last_verified_at
    if len(after.verifications) > len(before.verifications) or (anew and after.verifications):
        last = after.verifications[-1]
        events.append(Event("verify", after.id, last.evidence))
    if after.status is not before.status:
        action = {
            Status.APPROVED: "approve",
            Status.SUPERSEDED: "supersede",
            Status.DEPRECATED: "reject" if before.status is Status.PENDING else "retire",
        }.get(after.status)
        if action is not None:
            reason = f"superseded by {', '.join(after.superseded_by)}" if action == "supersede" else _reason(after)
            events.append(Event(action, after.id, reason))
    elif _reason_pending(before) and after.status is Status.DEPRECATED:
        events.append(Event("reject" if after.decision == "rejected" else "retire", after.id, _reason(after)))
    if set(after.supersedes) - set(before.supersedes):
        events.append(Event("supersede", after.id, f"supersedes {', '.join(after.supersedes)}"))
    if [citation.text for citation in after.citations] != [citation.text for citation in before.citations]:
        events.append(Event("follow", after.id, ", ".join(citation.text for citation in after.citations)))
    elif [citation.excerpt for citation in after.citations] != [citation.excerpt for citation in before.citations]:
        events.append(Event("narrow", after.id, ", ".join(citation.text for citation in after.citations)))
    return events


def _unfinished(memory: Memory) -> bool:
    return any(name in _FORM for name, _ in memory.placeholders)


def _reason_pending(memory: Memory) -> bool:
    return any(name == "reason" for name, _ in memory.placeholders)


def _reason(memory: Memory) -> str:
    return memory.context.get("reason", "")
