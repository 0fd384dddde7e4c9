"""What a Kiyo record is worth: its state, and the outcome and impact that Kiyo has for it (shared rules sections 7, 9, 10)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from memory_lsp.core.model import Judgement, Memory, Status, Verdict
from memory_lsp.core.trust import StaleWhen, State, state_of

NONE, UPDATE_REQUIRED, CONFLICT, NOT_ASSESSED = "NONE", "UPDATE_REQUIRED", "CONFLICT", "NOT_ASSESSED"
PRECEDENCE = (CONFLICT, UPDATE_REQUIRED, NOT_ASSESSED, NONE)
NOT_RECORDED = "approval not recorded"
POSSIBLE_DRIFT = "possible drift"
_MATCHES = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.MOVED})


@dataclass(frozen=True, slots=True)
class Around:
    """What other records and the repository say about one: ``approval`` is why its approval is not established (empty: it
    is), ``heirs`` are the records that supersede it, ``against`` approved decisions with a contradicting rule."""

    approval: str = ""
    heirs: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


def is_decision(memory: Memory) -> bool:
    """Whether a record is judged as a decision (a proposal is, without drift)."""
    return memory.type in ("decision", "proposal")


def kiyo_state(
    memory: Memory, judgements: tuple[Judgement, ...], now: datetime, stale_when: tuple[StaleWhen, ...], around: Around
) -> State:
    """The state of a Kiyo memory."""
    if around.heirs and memory.status is not Status.SUPERSEDED:
        memory = replace(memory, status=Status.SUPERSEDED, superseded_by=around.heirs)
    rules = () if is_decision(memory) else stale_when
    state = state_of(memory, judgements, now, rules)
    if memory.status is not Status.APPROVED:
        return state
    if memory.type == "decision":
        state = _decided(memory, state, stale_when, around)
    stored = memory.fields.get("verification_status", "").strip("` ").upper()
    if stored == "STALE" and state.served != "withheld":
        return replace(state, served="withheld", reason="stored as STALE", withheld="stale")
    return state


def _decided(memory: Memory, state: State, rules: tuple[StaleWhen, ...], around: Around) -> State:
    if around.approval:
        if Verdict.UNCHECKED.rank >= state.verdict.rank:
            return State(Verdict.UNCHECKED, "unverified", around.approval)
        return state
    if around.against:
        told = f"its rule contradicts {', '.join(around.against)}"
        return State(Verdict.CONFLICT, "withheld", told, Verdict.CONFLICT.value)
    broken = next((rule for rule in rules if rule.holds and not rule.possible), None)
    if broken is not None:
        return State(Verdict.CONFLICT, "withheld", f"{broken.text}: {broken.message}", Verdict.CONFLICT.value)
    if Verdict.UNCHECKED.rank >= state.verdict.rank:
        possible = next((rule for rule in rules if rule.holds and rule.possible), None)
        if possible is not None:
            return State(Verdict.UNCHECKED, "unverified", POSSIBLE_DRIFT)
        gap = next((rule for rule in rules if rule.gaps or rule.problem), None)
        if gap is not None:
            return State(Verdict.UNCHECKED, "unverified", f"insufficient evidence: {gap.message or gap.problem}")
        if rules and not memory.citations:
            return State(Verdict.FRESH, "served")
    return state


def outcome_of(memory: Memory, state: State) -> str:
    """Kiyo's outcome: VERIFIED, STALE, UNVERIFIED or Architecture Drift."""
    if memory.type == "decision" and state.verdict is Verdict.CONFLICT:
        return "Architecture Drift"
    if state.withheld == "stale":
        return "STALE"
    if state.verdict in _MATCHES:
        return "VERIFIED"
    if not is_decision(memory) and state.verdict in (Verdict.CHANGED, Verdict.EXPIRED):
        return "STALE"
    return "UNVERIFIED"


def impact_of(memory: Memory, state: State) -> tuple[str, str, str]:
    """``(value, state, reason)`` of one record."""
    verdict = state.verdict
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED) or state.withheld in ("superseded", "deprecated"):
        return NONE, "none", ""
    if verdict is Verdict.CONFLICT:
        return CONFLICT, "pending", state.reason
    if verdict is Verdict.MISSING:
        return UPDATE_REQUIRED, "waiting", state.reason or "its code is gone"
    if verdict is Verdict.MOVED:
        return UPDATE_REQUIRED, "pending", "pointer"
    if verdict in (Verdict.CHANGED, Verdict.EXPIRED):
        if is_decision(memory):
            return NOT_ASSESSED, "none", "the decision's code changed"
        return UPDATE_REQUIRED, "pending", state.reason or verdict.value
    if state.withheld == "stale":
        return UPDATE_REQUIRED, "pending", state.reason
    if verdict in (Verdict.UNCHECKED, Verdict.AMBIGUOUS):
        return NOT_ASSESSED, "none", state.reason or verdict.value
    return NONE, "none", ""
