"""Judgements and states of all memories of a root, kept up to date; the single writer of a project keeps one.

*Invariants:* a citation whose definition is there is judged at its address alone. Where one is gone, its twin is searched for
everywhere once; after that an edit looks at the edited file, at open ones and where it was found last, and only a look at the
disk searches everywhere again, a few citations at a time.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime

from memory_lsp.core.drift import contradictions
from memory_lsp.core.kiyo_trust import NOT_RECORDED, Around, kiyo_state
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Judgement, Memory, Status, Verdict
from memory_lsp.core.trust import StaleWhen, State, expiries, state_of
from memory_lsp.dialects.kiyo_read import unknown
from memory_lsp.workspace.index import Index
from memory_lsp.workspace.judging import Judging, by_names
from memory_lsp.workspace.sources import View, World
from memory_lsp.workspace.stale_when import Predicates

_SEARCHING = frozenset({Verdict.MISSING, Verdict.MOVED, Verdict.AMBIGUOUS})
_SETTLED = frozenset({Verdict.FRESH, Verdict.COSMETIC})
_SEARCHED_PER_EDIT = 32
"""Citations without their definition that an edit elsewhere judges again at once; the next look at the disk judges the rest."""
_SEARCHED_PER_LOOK = 64
"""Citations that one look at the disk searches for everywhere; the next one goes on."""
_WATCHED = 2_000
"""Files that are looked at, besides the cited ones, while a definition is searched for."""

Entry = tuple[str, int]
"""One citation: memory id and index."""


class Verdicts:
    """What is known of every memory of ``index``. ``dirty`` collects the records whose findings may differ now."""

    def __init__(self, index: Index, world: World, judging: Judging, now: Callable[[], datetime]) -> None:
        self._index = index
        self._world = world
        self._judging = judging
        self._predicates = Predicates(index)
        self._now = now
        self._judgements: dict[str, tuple[Judgement, ...]] = {}
        self._states: dict[str, State] = {}
        self._shared = False
        self._searching: set[Entry] = set()
        self._behind: set[Entry] = set()
        self._folders: frozenset[str] = frozenset()
        self._next_expiry: datetime | None = None
        self.candidates: tuple[str, ...] = ()
        self.dirty: set[str] = set()

    @property
    def tables(self) -> tuple[Mapping[str, tuple[Judgement, ...]], Mapping[str, State]]:
        """Judgements and states as they are now; what was given out is never changed."""
        self._shared = True
        return self._judgements, self._states

    def stale_when(self, name: str) -> tuple[StaleWhen, ...]:
        """What the machine predicates of a memory say."""
        return self._predicates.of(name)

    @property
    def elsewhere(self) -> frozenset[str]:
        """Ids of the memories whose findings may stand in files that they do not cite."""
        return frozenset(name for name, _ in self._searching) | self._predicates.names

    def judge_all(self, view: View) -> None:
        """Judge everything, file by file: each is read and parsed once, however many memories cite it."""
        ordered = [entry for path in sorted(self._index.citing) for entry in self._index.citing[path]]
        together = {name for name, memory in self._index.memories.items() if by_names(memory)}
        self._judge([entry for entry in ordered if entry[0] not in together], view, wide=True)
        self._world.load_histories(citation for name in together for citation in self._index.memories[name].citations)
        self._judge(sorted(entry for entry in ordered if entry[0] in together), view, wide=True)
        self._predicates.evaluate(self._index.memories, view, self._now())
        for name in self._index.memories:
            self._settle(name)
        self.dirty.update(self._index.records)
        self._watch(view)

    def judge_changed(self, renewed: Iterable[str], files: Iterable[str], view: View) -> None:
        """Memories ``renewed`` are others now, or gone; ``files`` changed, on disk or in a buffer."""
        entries: dict[Entry, None] = {}
        for name in renewed:
            self._drop(name)
            memory = self._index.memories.get(name)
            if memory is not None:
                entries.update(((name, number), None) for number in range(len(memory.citations)))
                self.dirty.update(self._index.owners(name))
        for path in files:
            entries.update(dict.fromkeys(self._index.citing.get(path, ())))
        entries.update(dict.fromkeys(self._may_be_found(files, view)))
        for name in {name for name, _ in entries}:
            memory = self._index.memories[name]
            if by_names(memory):
                entries.update(((name, number), None) for number in range(len(memory.citations)))
        self._judge(entries, view.within(files), wide=False)
        self._evaluate({*renewed, *self._predicates.touched(files)}, view)
        if not self._folders.isdisjoint(files):
            self._predicates.wait()
        self._predicates.wait(name for name in renewed if self._predicates.of(name))
        for name in {*renewed, *(name for name, _ in entries)}:
            self._settle(name)

    def head_moved(self) -> None:
        """HEAD is another commit: what was not settled may be now."""
        self._predicates.wait()
        for name, judgements in self._judgements.items():
            for number, judgement in enumerate(judgements):
                if judgement.verdict not in _SETTLED:
                    self._behind.add((name, number))

    def catch_up(self, view: View) -> bool:
        """Search everywhere for some of the citations and predicates that wait for it; whether there were any."""
        entries = sorted(self._behind)[:_SEARCHED_PER_LOOK]
        waiting = self._predicates.waiting()
        if not entries and not waiting:
            return False
        self._evaluate(waiting, view)
        self._judge(entries, view, wide=True)
        for name in {name for name, _ in entries}:
            self._settle(name)
        self._watch(view)
        return True

    def expire(self, view: View) -> None:
        """Settle all memories again if a date has passed since it was done last."""
        if self._next_expiry is not None and self._next_expiry <= self._now():
            self._next_expiry = None
            self._evaluate(self._index.memories, view)
            for name in self._index.memories:
                self._settle(name)

    def _may_be_found(self, files: Iterable[str], view: View) -> Iterable[Entry]:
        """Citations whose definition is searched for and may stand in one of ``files`` now, or was found there before."""
        if not self._searching:
            return ()
        files = set(files)
        if not self._folders.isdisjoint(files):
            # A folder has a new entry: which one, only a search everywhere tells.
            self._behind |= self._searching
        wanted = [
            entry
            for entry in sorted(self._searching)
            if any(view.may_hold(path, self._citation(entry)) for path in files)
        ]
        lost = [entry for entry in sorted(self._searching) if not files.isdisjoint(self._found_in(entry))]
        # What stood there may be gone: then a search everywhere tells where it is now.
        self._behind.update(lost)
        wanted = list(dict.fromkeys((*lost, *wanted)))
        self._behind.update(wanted[_SEARCHED_PER_EDIT:])
        return wanted[:_SEARCHED_PER_EDIT]

    def _found_in(self, entry: Entry) -> tuple[str, ...]:
        """The files in which the twins of a citation were found last."""
        name, number = entry
        known = self._judgements.get(name, ())
        if number >= len(known):
            return ()
        return tuple(target.partition("#")[0] for target in (known[number].to, *known[number].candidates) if target)

    def _judge(self, entries: Iterable[Entry], view: View, *, wide: bool) -> None:
        """Judge citations; ``wide``: ``view`` searches everywhere."""
        pending: dict[str, dict[int, Judgement]] = {}
        for entry in entries:
            name, number = entry
            memory, citation = self._index.memories[name], self._citation(entry)
            self._world.verified(citation, _verified_at(memory))
            judgement = self._judging.judge(memory, number, view, is_open=citation.path in view.documents)
            pending.setdefault(name, {})[number] = judgement
            if wide or judgement.verdict not in _SEARCHING:
                self._behind.discard(entry)
            elif entry not in self._searching:
                self._behind.add(entry)
            if judgement.verdict in _SEARCHING:
                self._searching.add(entry)
                self._world.found(citation, (judgement.to, *judgement.candidates))
                # Its place in code may be another one though the judgement is the same.
                self.dirty.update(self._index.owners(name)[:1])
            else:
                self._searching.discard(entry)
        for name, found in pending.items():
            known = self._judgements.get(name, ())
            count = len(self._index.memories[name].citations)
            judgements = tuple(found[number] if number in found else known[number] for number in range(count))
            if judgements != known:
                self._own()
                self._judgements[name] = judgements
                self.dirty.update(self._index.owners(name)[:1])

    def _evaluate(self, names: Iterable[str], view: View) -> None:
        for name in self._predicates.evaluate(names, view, self._now()):
            self._settle(name)
            self.dirty.update(self._index.owners(name)[:1])

    def _citation(self, entry: Entry) -> Citation:
        return self._index.memories[entry[0]].citations[entry[1]]

    def _settle(self, name: str) -> None:
        """Work out a memory's state from its judgements."""
        memory = self._index.memories.get(name)
        if memory is None:
            return
        now = self._now()
        if memory.dialect == "kiyo":
            around = self._around(memory)
            state = kiyo_state(memory, self._judgements.get(name, ()), now, self._predicates.of(name), around)
        else:
            state = state_of(memory, self._judgements.get(name, ()), now, self._predicates.of(name))
        dates = [at for at, _, _ in expiries(memory)]
        next_date = self._predicates.next_date(name, now)
        for at in (*dates, next_date) if next_date else dates:
            if at > now and (self._next_expiry is None or at < self._next_expiry):
                self._next_expiry = at
        if self._states.get(name) != state:
            self._own()
            self._states[name] = state
            self.dirty.update(self._index.owners(name)[:1])

    def _around(self, memory: Memory) -> Around:
        """What other records and the repository say about a Kiyo record."""
        heirs = self._index.heirs(memory.id)
        if memory.type != "decision" or memory.status is not Status.APPROVED:
            return Around(heirs=heirs)
        gap = self.approval_gap(memory)
        decided = {
            name: known
            for name in self._predicates.names
            if (known := self._index.memories.get(name)) is not None
            and known.dialect == "kiyo"
            and known.type == "decision"
            and known.status is Status.APPROVED
            and not self.approval_gap(known)
        }
        return Around(gap, heirs, contradictions(decided).get(memory.id, ()))

    def approval_gap(self, memory: Memory) -> str:
        """Why a decision's approval is not established, empty if it is: a source that resolves, and a scope."""
        source = memory.fields.get("approval_source", "")
        if unknown(source) or unknown(memory.fields.get("approval_scope", "")):
            return NOT_RECORDED
        for word in re.split(r"[;,\s]+", source):
            link = re.fullmatch(r"\[[^\]]*\]\(([^)]*)\)", word)
            word = (link[1] if link else word).strip("`").partition("#")[0]
            if word == memory.id:
                continue
            if word in self._index.memories or (word and self._world.files.is_file(word)):
                return ""
        return "its approval source does not resolve"

    def _drop(self, name: str) -> None:
        """Forget a memory that is another one now, or gone; what is known of its text that parsed stays with ``Judging``."""
        self._own()
        self._judgements.pop(name, None)
        self._states.pop(name, None)
        self._searching = {entry for entry in self._searching if entry[0] != name}
        self._behind = {entry for entry in self._behind if entry[0] != name}
        if name not in self._index.memories:
            self._judging.forget(name)

    def _own(self) -> None:
        """Before a table is written: copy what a snapshot holds."""
        if self._shared:
            self._judgements, self._states = dict(self._judgements), dict(self._states)
            self._shared = False

    def _watch(self, view: View) -> None:
        """While a definition is searched for, the files where it may turn up are looked at too."""
        languages = {language_of(self._citation(entry).path) for entry in self._searching}
        found = [path for language in sorted(filter(None, languages)) for path in view.tracked(language)]
        # Where a twin was found last is looked at until it is known to be gone.
        last = [path for entry in sorted(self._searching) for path in self._found_in(entry)]
        found = list(dict.fromkeys((*last, *found, *self._predicates.files(view))))[:_WATCHED]
        # A new file may come where the definition was, too, though no other file of its language is left there.
        cited = (self._citation(entry).path for entry in self._searching)
        self._folders = frozenset(path.rpartition("/")[0] or "." for path in (*found, *cited))
        self.candidates = (*found, *sorted(self._folders))


def _verified_at(memory: Memory) -> str:
    """When a memory was verified last; a capture counts as the first time."""
    at = memory.last_verified_at or (memory.verifications[-1].at if memory.verifications else "")
    return at or memory.recorded_at
