"""Architecture drift: an approved decision carries rules (machine predicates), and code that contradicts one is a deviation.

A rule is written as what must not hold: ``used automapper in component_a/**/*.py`` bans a use. Only a manifest that names
the package is *possible* drift. Nothing is inferred from names of folders, and nothing is said about what is deployed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_lsp.core.model import CodePlace, Memory, Span
from memory_lsp.core.predicates import Predicate, evaluate, is_manifest, matches, read_predicate, uses

if TYPE_CHECKING:
    from datetime import datetime

    from memory_lsp.core.sources import Sources

MAX_USES = 50
INTERPRETATIONS = (
    "the code departs from the decision",
    "the decision does not cover this code",
    "the decision was revised and the revision was not recorded",
)
REQUIRED = (
    "authorise a scoped fix of the code",
    "authorise a revision of the decision, with a real approval",
)


@dataclass(frozen=True, slots=True)
class Use:
    """One place that contradicts a rule: its symbol, and its line (1-based)."""

    place: CodePlace
    symbol: str
    line: int


@dataclass(frozen=True, slots=True)
class Drift:
    """What was found about one rule of a decision; ``outcome`` is Match, Deviation or Insufficient evidence."""

    rule: str
    outcome: str
    observed: str
    confidence: str
    uses: tuple[Use, ...] = ()
    searched: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def rules_of(memory: Memory) -> tuple[Predicate, ...]:
    """The rules of a decision that can be read."""
    found = (read_predicate(text) for text, _ in memory.predicates)
    return tuple(rule for rule in found if isinstance(rule, Predicate))


def assess(rule: Predicate, sources: Sources, now: datetime) -> Drift:
    """What the code says to one rule."""
    outcome = evaluate(rule, sources, now)
    if rule.kind == "used":
        places, left_out = uses_in(rule, sources)
        if places:
            told = f"{rule.what} is used in {', '.join(dict.fromkeys(use.place.path for use in places))}"
            return Drift(rule.text, "Deviation", told, "HIGH", places, (rule.where,), left_out)
        named = declared_in(rule.what, sources)
        if named is not None:
            told = f"{named.path} names {rule.what}; no use of it was found in what was searched"
            use = Use(named, "", _line(sources, named))
            return Drift(rule.text, "Insufficient evidence", told, "LOW", (use,), (rule.where,), left_out)
        if left_out:
            return Drift(rule.text, "Insufficient evidence", outcome.message, "LOW", (), (rule.where,), left_out)
        return Drift(rule.text, "Match", outcome.message, "HIGH", (), (rule.where,))
    searched = (rule.where,) if rule.where else ()
    if outcome.gaps:
        return Drift(rule.text, "Insufficient evidence", outcome.message, "LOW", (), searched, outcome.gaps)
    found: tuple[Use, ...] = ()
    if outcome.holds and outcome.place is not None:
        found = (Use(outcome.place, "", _line(sources, outcome.place)),)
    return Drift(rule.text, "Deviation" if outcome.holds else "Match", outcome.message, "HIGH", found, searched)


def uses_in(rule: Predicate, sources: Sources) -> tuple[tuple[Use, ...], tuple[str, ...]]:
    """Every use that a ``used`` rule bans, one a line, and the files that could not be looked at."""
    found: list[Use] = []
    left_out: list[str] = []
    for path in sorted(sources.paths()):
        if not matches(rule.where, path) or is_manifest(path):
            continue
        data = sources.read(path).data
        if data is None:
            left_out.append(path)
            continue
        if rule.what.rsplit(".", 1)[-1].encode() not in data:
            continue
        outline = sources.outline(path)
        if outline is None:
            left_out.append(path)
            continue
        lines: set[int] = set()
        for span in uses(outline, rule.what):
            line = data.count(b"\n", 0, span.start) + 1
            if line not in lines and len(found) < MAX_USES:
                lines.add(line)
                group = outline.at(span.start)
                found.append(Use(CodePlace(path, span), group.path if group is not None else "", line))
    return tuple(found), tuple(left_out)


def declared_in(name: str, sources: Sources) -> CodePlace | None:
    """The first manifest of the root that declares a package."""
    from memory_lsp.core.manifests import declared

    for path in sorted(sources.paths()):
        if not is_manifest(path):
            continue
        data = sources.read(path).data
        if data is None:
            continue
        found = declared(path, data, name)
        if not isinstance(found, str) and found:
            offset = max(0, data.lower().find(name.lower().encode()))
            return CodePlace(path, Span(offset, offset + len(name.encode())))
    return None


def contradictions(memories: Mapping[str, Memory]) -> Mapping[str, tuple[str, ...]]:
    """Ids of decisions whose rules contradict: ``used X in G`` (X is banned) and ``unused X in G`` (X is required)."""
    seen: dict[tuple[str, str], dict[str, list[str]]] = {}
    for name, memory in memories.items():
        for rule in rules_of(memory):
            if rule.kind in ("used", "unused"):
                seen.setdefault((rule.what, rule.where), {}).setdefault(rule.kind, []).append(name)
    found: dict[str, tuple[str, ...]] = {}
    for kinds in seen.values():
        banned, required = kinds.get("used", []), kinds.get("unused", [])
        if banned and required:
            for own, others in ((banned, required), (required, banned)):
                for name in own:
                    rest = tuple(other for other in others if other != name)
                    if rest:
                        found[name] = tuple(dict.fromkeys((*found.get(name, ()), *rest)))
    return found


def _line(sources: Sources, place: CodePlace) -> int:
    return (sources.read(place.path).data or b"").count(b"\n", 0, place.span.start) + 1
