"""What the machine predicates of memories say (design section 4), evaluated again when a file that they look at changes.

One that names a file is evaluated at once; one with a glob waits for the next look at the disk, since it may read many files.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta, timezone

from memory_lsp.core.model import Memory, Status
from memory_lsp.core.predicates import Outcome, Predicate, evaluate, matches, read_predicate
from memory_lsp.core.trust import StaleWhen
from memory_lsp.workspace.index import Index
from memory_lsp.workspace.sources import View

_PER_LOOK = 16
"""Memories whose predicates one look at the disk evaluates."""


class Predicates:
    """The outcomes by memory id. ``view`` is a root's newest one."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._known: dict[str, tuple[tuple[Predicate | str, StaleWhen], ...]] = {}
        self._waiting: set[str] = set()

    def of(self, name: str) -> tuple[StaleWhen, ...]:
        """What the predicates of a memory say."""
        return tuple(said for _, said in self._known.get(name, ()))

    @property
    def names(self) -> frozenset[str]:
        """Ids of the memories that have predicates."""
        return frozenset(self._known)

    def evaluate(self, names: Iterable[str], view: View, now: datetime) -> set[str]:
        """Evaluate the predicates of memories; the ids for which the answer is another one."""
        changed = set()
        for name in names:
            memory = self._index.memories.get(name)
            before = self.of(name)
            self._waiting.discard(name)
            if memory is None or not memory.predicates:
                self._known.pop(name, None)
            else:
                self._known[name] = tuple(_evaluated(memory, view, now))
            if self.of(name) != before:
                changed.add(name)
        return changed

    def touched(self, files: Iterable[str]) -> set[str]:
        """Ids of memories that name one of ``files``; those with a glob that it matches wait for the next look."""
        found = set()
        for name, known in self._known.items():
            for predicate, _ in known:
                if isinstance(predicate, Predicate) and predicate.where:
                    if predicate.where in files:
                        found.add(name)
                    elif any(matches(predicate.where, path) for path in files):
                        self._waiting.add(name)
        return found

    def wait(self, names: Iterable[str] | None = None) -> None:
        """These memories (``None``: all with predicates) are evaluated at the next look at the disk."""
        self._waiting.update(self._known if names is None else names)

    def waiting(self) -> list[str]:
        """Ids of the memories to evaluate in this look at the disk."""
        return sorted(self._waiting)[:_PER_LOOK]

    def files(self, view: View) -> list[str]:
        """The files that predicates look at."""
        patterns = {
            predicate.where
            for known in self._known.values()
            for predicate, _ in known
            if isinstance(predicate, Predicate)
        }
        patterns.discard("")
        globs = {pattern for pattern in patterns if any(character in pattern for character in "*?[{")}
        found = sorted(patterns - globs)
        if globs:
            found += [path for path in view.paths() if any(matches(pattern, path) for pattern in globs)]
        return found

    def next_date(self, name: str, now: datetime) -> datetime | None:
        """When an ``after`` of a memory comes true, if that is to come."""
        dates = [
            datetime.combine(date.fromisoformat(predicate.value), time(), timezone.utc) + timedelta(days=1)
            for predicate, _ in self._known.get(name, ())
            if isinstance(predicate, Predicate) and predicate.kind == "after"
        ]
        return min((at for at in dates if at > now), default=None)


def _rule(predicate: Predicate, outcome: Outcome, view: View) -> Outcome:
    """What a rule of a decision says: a package that only a manifest of the root names may be used."""
    from memory_lsp.core.drift import declared_in

    if predicate.kind != "used" or outcome.holds or outcome.gaps:
        return outcome
    place = declared_in(predicate.what, view)
    if place is None:
        return outcome
    message = f"{place.path} names {predicate.what}, no use of it was found in {predicate.where}"
    return Outcome(True, message, place, possible=True)


def _evaluated(memory: Memory, view: View, now: datetime) -> Iterable[tuple[Predicate | str, StaleWhen]]:
    for text, span in memory.predicates:
        predicate = read_predicate(text)
        if isinstance(predicate, str):
            yield predicate, StaleWhen(text, span, problem=predicate)
            continue
        outcome = evaluate(predicate, view, now)
        if memory.type == "decision" and memory.dialect == "kiyo" and memory.status is Status.APPROVED:
            outcome = _rule(predicate, outcome, view)
        yield (
            predicate,
            StaleWhen(
                text,
                span,
                holds=outcome.holds,
                possible=outcome.possible,
                message=outcome.message,
                place=outcome.place,
                gaps=outcome.gaps,
            ),
        )
