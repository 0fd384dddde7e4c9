"""Status x verdict: whether a memory is served, and why not (design section 4)."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from memory_lsp.core.model import CodePlace, Judgement, Memory, Span, Status, Verdict, worst


@dataclass(frozen=True, slots=True)
class State:
    """What is true of a memory now: ``served`` is "served", "unverified" or "withheld", ``reason`` says why in words.

    ``withheld`` is the status or verdict under which a withheld memory is counted (``invalid``: its record cannot be read),
    else empty.
    """

    verdict: Verdict
    served: str
    reason: str = ""
    withheld: str = ""


@dataclass(frozen=True, slots=True)
class StaleWhen:
    """What one machine predicate of a memory says; ``span`` is its place in the record.

    ``possible``: only a manifest speaks for it, so it is reported and withholds nothing. ``problem``: it cannot be read.
    ``gaps`` are files that could not be looked at.
    """

    text: str
    span: Span
    holds: bool = False
    possible: bool = False
    message: str = ""
    place: CodePlace | None = None
    gaps: tuple[str, ...] = ()
    problem: str = ""


def moment(text: str) -> datetime | None:
    """An ISO 8601 date or time as a moment (UTC where it names no zone; a date is its first moment); ``None`` if it is none."""
    text = text.strip()
    try:
        found = datetime.fromisoformat(text[:-1] + "+00:00" if text[-1:] in "Zz" and text else text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=timezone.utc)


def expiries(memory: Memory) -> tuple[tuple[datetime, str, str], ...]:
    """When the record says that the memory expires: ``(moment, field, reason)``, soonest first."""
    found = []
    for field, said in (("stale_after", memory.stale_after.strip()), ("valid_until", memory.valid_until.strip())):
        last = moment(said) if said else None
        if last is not None:
            with contextlib.suppress(OverflowError):
                whole_day = timedelta(days=1 if len(said) <= 10 else 0)
                found.append((last + whole_day, field, f"{field.replace('_', ' ')} {said}"))
    verified = moment(memory.last_verified_at) if memory.ttl_days is not None and memory.last_verified_at else None
    if verified is not None and memory.ttl_days is not None:
        with contextlib.suppress(OverflowError):
            found.append(
                (
                    verified + timedelta(days=memory.ttl_days),
                    "ttl_days",
                    f"{memory.ttl_days} days passed since it was last verified",
                )
            )
    return tuple(sorted(found))


def state_of(
    memory: Memory, judgements: tuple[Judgement, ...], now: datetime, stale_when: tuple[StaleWhen, ...] = ()
) -> State:
    """The state of a memory whose citations were judged as ``judgements`` and whose predicates say ``stale_when``, at ``now``."""
    if memory.unreadable:
        return State(Verdict.UNCHECKED, "withheld", "invalid: cannot be read", "invalid")
    verdicts = [judgement.verdict for judgement in judgements]
    verdict = worst(verdicts)
    decisive = next((judgement for judgement in judgements if judgement.verdict is verdict), None)
    reason = decisive.reason if decisive else "cites nothing"
    expired = next((why for at, _, why in expiries(memory) if at <= now), "")
    if not expired:
        expired = next((f"{said.text}: {said.message}" for said in stale_when if said.holds and not said.possible), "")
    if expired and Verdict.EXPIRED.rank > verdict.rank:
        verdict, reason = Verdict.EXPIRED, expired
    if memory.status is not Status.APPROVED:
        word = memory.status.value
        if memory.status is Status.SUPERSEDED and memory.superseded_by:
            return State(verdict, "withheld", f"superseded by {', '.join(memory.superseded_by)}", word)
        return State(verdict, "withheld", word, word)
    if verdict is Verdict.UNCHECKED:
        return State(verdict, "unverified", reason)
    if verdict.served:
        return State(verdict, "served", reason)
    if decisive and verdict is decisive.verdict and decisive.parts:
        reason = f"{memory.citations[judgements.index(decisive)].text}: {', '.join(decisive.parts)}" + (
            f"; {reason}" if reason else ""
        )
    return State(verdict, "withheld", reason or verdict.value, verdict.value)
