"""Memory impact and architecture drift of the Kiyo stores of a root, computed from one snapshot; it writes nothing.

One value per report: CONFLICT, else UPDATE_REQUIRED, else NOT_ASSESSED, else NONE; gaps are listed beside it. Records outside
the asked scope are listed as not assessed and do not change the value. The value grants no write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory_lsp.core.drift import INTERPRETATIONS, REQUIRED, Drift, assess, rules_of
from memory_lsp.core.kiyo_trust import CONFLICT, NONE, NOT_ASSESSED, PRECEDENCE, UPDATE_REQUIRED, impact_of, is_decision
from memory_lsp.core.model import Finding, Memory, Status, Verdict
from memory_lsp.dialects.kiyo_read import plain
from memory_lsp.dialects.kiyo_write import repointed
from memory_lsp.workspace import clock
from memory_lsp.workspace.kiyo_baseline import component_of
from memory_lsp.workspace.sources import View

if TYPE_CHECKING:
    from memory_lsp.workspace.snapshot import Snapshot

INDEX_FIELD = "index"
_STATES = ("partial", "pending", "waiting", "applied", "none")


@dataclass(frozen=True, slots=True)
class Impact:
    """The impact of a report: value, state, the ids that it is about, the reason, and what was not assessed, with why."""

    value: str
    state: str = "none"
    ids: tuple[str, ...] = ()
    reason: str = ""
    not_assessed: tuple[tuple[str, str], ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "state": self.state,
            "ids": list(self.ids),
            "reason": self.reason,
            "not_assessed": [{"id": name, "reason": why} for name, why in self.not_assessed],
        }


NO_STORE = Impact(NOT_ASSESSED, "none", (), "no-store")
"""What is said where there is no store."""


def kiyo_ids(snapshot: Snapshot) -> tuple[str, ...]:
    """Ids of the Kiyo memories of a root, in order."""
    return tuple(sorted(name for name, memory in snapshot.memories.items() if memory.dialect == "kiyo"))


def has_kiyo(snapshot: Snapshot) -> bool:
    """Whether a root has a Kiyo store, or has one that cannot be read."""
    return any(store.dialect == "kiyo" for store in snapshot.stores) or bool(snapshot.unreadable or snapshot.places)


def impact(snapshot: Snapshot, names: Iterable[str], *, named: bool = False, component: str = "") -> Impact:
    """The impact within a scope: the records ``names`` (all of the scope), the stores' own state where nothing is ``named``."""
    wanted = [name for name in names if name in snapshot.memories and snapshot.memories[name].dialect == "kiyo"]
    outside = sorted(set(kiyo_ids(snapshot)) - set(wanted))
    where = f"outside component {component}" if component else "outside the scope asked for"
    skipped = tuple((name, where) for name in outside) if named or component else ()
    found: dict[str, list[tuple[str, str, str]]] = {}
    if snapshot.refusal:
        found.setdefault(CONFLICT, []).append(("", "pending", snapshot.refusal))
    gaps: list[tuple[str, str]] = []
    for path in snapshot.unreadable:
        found.setdefault(NOT_ASSESSED, []).append((path, "none", "denied"))
        gaps.append((path, "denied"))
    twice = duplicated(snapshot)
    for name in wanted:
        if name in twice:
            found.setdefault(CONFLICT, []).append((name, "pending", "its id is that of several records"))
            continue
        value, state, reason = impact_of(snapshot.memories[name], snapshot.states[name])
        if value != NONE:
            found.setdefault(value, []).append((name, state, reason))
        if value == NOT_ASSESSED:
            gaps.append((name, reason))
    if not named and not component:
        for finding in index_findings(snapshot):
            found.setdefault(UPDATE_REQUIRED, []).append((finding.memory or INDEX_FIELD, "pending", finding.reason))
    value = next((item for item in PRECEDENCE if item in found), NONE)
    entries = found.get(value, [])
    states = [state for _, state, _ in entries]
    state = next((item for item in _STATES if item in states), "none")
    ids = tuple(dict.fromkeys(name for name, _, _ in entries if name))
    return Impact(value, state, ids, entries[0][2] if entries else "", (*gaps, *skipped))


def duplicated(snapshot: Snapshot) -> frozenset[str]:
    """Ids that more than one record has, or has but for case."""
    return frozenset(
        finding.memory
        for findings in snapshot.findings.values()
        for finding in findings
        if finding.code == "memory-duplicate-id" and finding.dialect == "kiyo"
    )


def index_findings(snapshot: Snapshot) -> tuple[Finding, ...]:
    """The findings about the index pages of Kiyo stores."""
    return tuple(
        finding
        for findings in snapshot.findings.values()
        for finding in findings
        if finding.dialect == "kiyo" and finding.field == INDEX_FIELD
    )


def in_component(snapshot: Snapshot, name: str, component: str) -> bool:
    """Whether a record belongs to a component: its ``repository_context`` or its approval scope names it."""
    memory = snapshot.memories[name]
    parts = [part.strip().strip("`/") for part in memory.fields.get("repository_context", "").split(";")]
    return component in parts or (
        memory.type == "decision" and component in memory.fields.get("approval_scope", "").split()
    )


def context(snapshot: Snapshot) -> dict[str, Any]:
    """The state of the working copy that was judged: it explains, it never decides."""
    view = snapshot.sources
    git = view.world.git if isinstance(view, View) else None
    base: dict[str, Any] = {"checked": clock.now().date().isoformat()}
    if git is None:
        there = any((folder / ".git").exists() for folder in (snapshot.root, *snapshot.root.parents))
        word = "UNKNOWN" if there else "NOT_APPLICABLE"
        return {**base, "branch": word, "head": word, "dirty": [], "git": False}
    branch, head = git.head()
    dirty = list(git.dirty())
    return {**base, "branch": branch or "UNKNOWN", "head": head or "UNKNOWN", "dirty": dirty, "git": True}


def drift(snapshot: Snapshot, names: Iterable[str]) -> list[dict[str, Any]]:
    """The seven fields of every rule of the approved decisions among ``names``."""
    found = []
    for name in names:
        memory = snapshot.memories.get(name)
        if (
            memory is None
            or memory.dialect != "kiyo"
            or memory.type != "decision"
            or memory.status is not Status.APPROVED
        ):
            continue
        state = snapshot.states[name]
        if "approval" in state.reason and state.verdict is Verdict.UNCHECKED:
            continue
        for rule in rules_of(memory):
            seen = assess(rule, snapshot.sources, clock.now())
            found.append(_fields(snapshot, memory, seen))
    return found


def _fields(snapshot: Snapshot, memory: Memory, seen: Drift) -> dict[str, Any]:
    scope = plain(memory.fields.get("approval_scope", ""))
    citing = {use.place.path: snapshot.citing.get(use.place.path, ()) for use in seen.uses}
    touched = sorted({name for entries in citing.values() for name, _ in entries if name != memory.id})
    confidence = seen.confidence
    if seen.outcome == "Deviation" and seen.searched and scope not in seen.searched[0] and "/" in seen.searched[0]:
        confidence = "MEDIUM"
    found: dict[str, Any] = {
        "decision": {
            "id": memory.id,
            "statement": memory.statement,
            "approval_source": memory.fields.get("approval_source", ""),
            "approval_scope": memory.fields.get("approval_scope", ""),
        },
        "outcome": seen.outcome,
        "files": [{"path": use.place.path, "symbol": use.symbol, "line": use.line} for use in seen.uses],
        "searched": list(seen.searched),
        "left_out": list(seen.left_out),
        "observed": f"{seen.rule}: {seen.observed}",
        "potential_impact": f"records about the same files: {', '.join(touched)}" if touched else "UNKNOWN",
        "confidence": confidence,
        "interpretations": list(INTERPRETATIONS) if seen.outcome == "Deviation" else [],
        "required_decision": list(REQUIRED) if seen.outcome == "Deviation" else [],
    }
    return found


def proposal(snapshot: Snapshot, name: str) -> dict[str, Any] | None:
    """What would bring a record up to date; ``None`` if nothing would, or if nothing can be proposed."""
    memory, state = snapshot.memories[name], snapshot.states[name]
    judgements = snapshot.judgements.get(name, ())
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return None
    if state.verdict is Verdict.CONFLICT:
        return {"options": list(REQUIRED)}
    if state.verdict is Verdict.MOVED:
        from memory_lsp.core.citations import parse_citation

        source = memory.fields.get("source", "")
        for citation, judgement in zip(memory.citations, judgements, strict=False):
            if judgement.verdict is Verdict.MOVED:
                source = repointed(memory, citation, parse_citation(judgement.to))
        return {"command": f"memory-lsp repair {name} --write", "fields": {"source": source}}
    if state.verdict in (Verdict.CHANGED, Verdict.EXPIRED) and not is_decision(memory):
        return {
            "command": f"memory-lsp sync {name} --set statement=... --verify --evidence ... --write",
            "fields": dict.fromkeys(
                ("statement", "verification_scope", "last_verified", "last_modified"), "to be decided"
            ),
            "note": "found by this check",
        }
    return None


def stored_of(memory: Memory) -> Mapping[str, str]:
    """What a record itself says of its state."""
    fields = memory.fields
    return {
        "status": plain(fields.get("status", "")).upper() or "UNKNOWN",
        "verification_status": plain(fields.get("verification_status", "")).upper() or "UNKNOWN",
        "last_verified": plain(fields.get("last_verified", "")) or "UNKNOWN",
    }


__all__ = [
    "Impact",
    "component_of",
    "context",
    "drift",
    "duplicated",
    "has_kiyo",
    "impact",
    "in_component",
    "index_findings",
    "kiyo_ids",
    "proposal",
    "stored_of",
]
