"""One root, kept up to date: the object that the server and the command line use.

*Invariants:* there is one writer and it is not thread safe; every change makes a new immutable ``Snapshot``; an edit of a
cited file judges the citations of that file again and no others (besides those whose definition is being searched for), an
edit of a record parses that record alone. Reading never writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timezone
from pathlib import Path

from memory_lsp.checks import check, invalid, store_conflict
from memory_lsp.checks.subject import Subject
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Finding, Judgement, Memory, Verdict
from memory_lsp.core.trust import State, expiries, state_of
from memory_lsp.dialects import parse
from memory_lsp.workspace import audit, watch
from memory_lsp.workspace.index import Index
from memory_lsp.workspace.judging import Judging, by_names
from memory_lsp.workspace.records import read_record
from memory_lsp.workspace.roots import find_root, find_stores, is_record
from memory_lsp.workspace.settings import CONFIG_PATH, Settings, configured, merge
from memory_lsp.workspace.snapshot import OpenDocument, Record, Snapshot, Store
from memory_lsp.workspace.sources import View, World

__all__ = ["OpenDocument", "Project", "Record", "Snapshot", "State", "Store", "find_root"]

_SEARCHING = frozenset({Verdict.MISSING, Verdict.MOVED, Verdict.AMBIGUOUS})
_SETTLED = frozenset({Verdict.FRESH, Verdict.COSMETIC})
_SEARCHED_PER_EDIT = 32
"""Citations without their definition that an edit elsewhere judges again at once; ``poll`` judges the rest."""
_WATCHED = 2_000
"""Files that are looked at, besides the cited ones, while a definition is searched for."""
_SEARCHED_PER_LOOK = 64
"""Citations that one ``poll`` searches for everywhere; the next one goes on."""

_Indexed = tuple[Index, int, dict[str, Record], dict[str, Memory], dict[str, tuple[tuple[str, int], ...]]]


class Project:
    """The memories of one root, judged. ``snapshot`` is always the newest."""

    snapshot: Snapshot

    def __init__(
        self,
        root: Path,
        *,
        settings: Settings | None = None,
        trusted: bool = True,
        now: Callable[[], datetime] = lambda: datetime.now(timezone.utc),
    ) -> None:
        """Load and judge everything below ``root``. Explicit ``settings`` stand in for the client's and the file's."""
        self.root = root
        self._fixed = settings
        self._trusted = trusted
        self._now = now
        self._client: Mapping[str, object] = {}
        self._world = World(root)
        self._judging = Judging()
        self._watch = watch.Watch()
        self._documents: dict[str, OpenDocument] = {}
        self._revision = 0
        self._problems: tuple[str, ...] = ()
        self._indexed: _Indexed | None = None
        self._published: Mapping[str, tuple[Judgement, ...]] | None = None
        self._load()

    @property
    def world(self) -> World:
        """Disk and git of this root."""
        return self._world

    def record_ids(self, path: str, text: str) -> frozenset[str]:
        """The ids of the memories in a document of a store."""
        store = self._store_of(path)
        return frozenset(memory.id for memory in parse(store.dialect, path, text).memories) if store else frozenset()

    def close_down(self) -> None:
        """End the processes that run for this root."""
        self._world.close()

    def open(self, path: str, text: str, version: int | None) -> Snapshot:
        """A buffer was opened or changed; ``path`` is relative to the root."""
        return self._buffer(path, OpenDocument(text, version))

    def close(self, path: str) -> Snapshot:
        """A buffer was closed: the saved file counts again."""
        return self._buffer(path, None) if path in self._documents else self.snapshot

    def poll(self) -> bool:
        """Look at the disk; whether ``snapshot`` is a new one."""
        return self.apply(self.look())

    def look(self) -> watch.Observation:
        """The part of ``poll`` that waits for the disk and changes nothing: it may run in a thread."""
        paths = set(self._index.citing)
        paths.update(self._candidates)
        return watch.observe(self._world.files, self._stores, self._settings.store, paths, self._extra())

    def apply(self, seen: watch.Observation, told: frozenset[str] | None = None) -> bool:
        """Take over what ``look`` saw; whether ``snapshot`` is a new one.

        ``told`` are paths of which a client says that they changed; such a look, right after an event, confirms no absence.
        """
        before = self.snapshot
        changes = self._watch.changes(seen, self._stores, told)
        if changes.stores or str(self.root / CONFIG_PATH) in changes.extra:
            self._load()
            return True
        heads = {str(path) for path in self._heads()}
        if changes.extra & heads:
            self._world.forget_head()
        if str(self.root / audit.AUDIT_PATH) in changes.extra:
            self._read_audit()
            self._dirty.update(self._index.records)
        if changes.extra & heads:
            self._behind.update(self._unsettled())
        if changes.files or changes.records:
            self._world.forget_files(changes.files | changes.records)
            self._update(changes.records - self._documents.keys(), changes.files)
        if self._behind:
            self._update((), (), also=sorted(self._behind)[:_SEARCHED_PER_LOOK])
            self._watch_candidates()
        elif self._dirty or (self._next_expiry is not None and self._next_expiry <= self._now()):
            self._expire()
            self._publish()
        return self.snapshot is not before

    def refresh(self, paths: Iterable[str] | None = None) -> Snapshot:
        """A client says that these files changed on disk (``None``: anything may have).

        A file that is gone is taken as gone by the next ``poll`` only, unless everything is read anew.
        """
        if paths is None:
            self._world.forget_all_files()
            self._world.forget_head()
            self._load()
        else:
            self.apply(self.look(), frozenset(paths))
        return self.snapshot

    def configure(self, client: Mapping[str, object]) -> Snapshot:
        """The client's settings changed."""
        self._client = dict(client)
        before = self._settings
        self._read_settings()
        if self._settings.store != before.store:
            self._load()
        elif self._settings != before or self._problems != self.snapshot.problems:
            self._dirty.update(self._index.records)
            self._publish()
        return self.snapshot

    def _load(self) -> None:
        self._read_settings()
        self._read_audit()
        found = find_stores(self.root, self._settings.store)
        self._stores, self._conflict = found.stores, found.conflict
        self._index = Index()
        self._candidates: tuple[str, ...] = ()
        self._folders: frozenset[str] = frozenset()
        self._judgements: dict[str, tuple[Judgement, ...]] = {}
        self._states: dict[str, State] = {}
        self._findings: dict[str, tuple[Finding, ...]] = {}
        self._in_code: dict[str, tuple[Finding, ...]] = {}
        self._dirty: set[str] = set()
        self._behind: set[tuple[str, int]] = set()
        self._searching: set[tuple[str, int]] = set()
        self._next_expiry: datetime | None = None
        self._view = View(self._world, dict(self._documents))
        seen = watch.observe(self._world.files, self._stores, self._settings.store, (), self._extra())
        documents = (path for path in self._documents if self._store_of(path))
        for path in sorted({*seen.records, *documents}):
            record = self._read(path)
            if record is not None:
                self._index.put(path, record)
        self._watch.take(seen)
        self._watch.files.update({path: self._world.files.stamp(path) for path in self._index.citing})
        # By cited path: each file is read and parsed once, however many memories cite it.
        ordered = [entry for path in sorted(self._index.citing) for entry in self._index.citing[path]]
        together = {name for name, memory in self._index.memories.items() if by_names(memory)}
        self._judge([entry for entry in ordered if entry[0] not in together], self._view)
        self._world.load_histories(citation for name in together for citation in self._index.memories[name].citations)
        self._judge(sorted(entry for entry in ordered if entry[0] in together), self._view)
        self._watch_candidates()
        for name in self._index.memories:
            self._settle(name)
        self._dirty.update(self._index.records)
        self._publish()

    def _read_settings(self) -> None:
        if self._fixed is not None:
            self._settings = self._fixed
            return
        source = self._world.files.read(CONFIG_PATH, 1_000_000)
        text = None if source.data is None else source.data.decode("utf-8", "replace")
        self._settings, self._problems = merge(self._client, text, trusted=self._trusted)

    def _read_audit(self) -> None:
        source = self._world.files.read(audit.AUDIT_PATH, audit.MAX_LOG_BYTES)
        self._explained = None if source.data is None else audit.explained(source.data.decode("utf-8", "replace"))

    def _read(self, path: str) -> Record | None:
        store = self._store_of(path)
        return read_record(self._world.files, store, path, self._documents.get(path)) if store else None

    def _store_of(self, path: str) -> Store | None:
        return next((store for store in self._stores if is_record(store, path)), None)

    def _heads(self) -> tuple[Path, ...]:
        return self._world.git.head_files() if self._world.git is not None else ()

    def _extra(self) -> tuple[str, ...]:
        return watch.extra_files(self.root, self._heads(), (CONFIG_PATH, audit.AUDIT_PATH))

    def _buffer(self, path: str, document: OpenDocument | None) -> Snapshot:
        if document is None:
            self._documents.pop(path, None)
            self._world.forget_files((path,))
        else:
            self._documents[path] = document
        self._update((path,) if self._store_of(path) else (), (path,))
        return self.snapshot

    def _update(self, records: Iterable[str], files: Iterable[str], also: Iterable[tuple[str, int]] = ()) -> None:
        """Bring everything up to date after records and files changed, and publish.

        ``also`` are citations whose definition is searched for everywhere; for the others only the changed files are searched.
        """
        self._view = self._view.next(dict(self._documents), files)
        wide = set(also)
        entries: dict[tuple[str, int], None] = dict.fromkeys(sorted(wide))
        renewed: set[str] = set()
        for path in sorted(records):
            changed, affected = self._index.put(path, self._read(path))
            self._dirty |= affected
            renewed.update(changed)
            for name in changed:
                self._drop(name)
                memory = self._index.memories.get(name)
                if memory is not None:
                    entries.update(((name, number), None) for number in range(len(memory.citations)))
                    self._dirty.update(self._index.owners(name))
                    self._watch.files.update(
                        {citation.path: self._world.files.stamp(citation.path) for citation in memory.citations}
                    )
        for path in files:
            entries.update(dict.fromkeys(self._index.citing.get(path, ())))
        entries.update(dict.fromkeys(self._searched(files)))
        for name in {name for name, _ in entries}:
            memory = self._index.memories[name]
            if by_names(memory):
                entries.update(((name, number), None) for number in range(len(memory.citations)))
        self._judge([entry for entry in entries if entry in wide], self._view)
        self._judge([entry for entry in entries if entry not in wide], self._view.within(files))
        for name in renewed | {name for name, _ in entries}:
            self._settle(name)
        self._expire()
        self._publish()

    def _searched(self, files: Iterable[str]) -> Iterable[tuple[str, int]]:
        """Citations whose definition is searched for and may stand in one of ``files`` now."""
        if not self._searching:
            return ()
        if not self._folders.isdisjoint(files):
            # A folder has a new entry: which one, only a search everywhere tells.
            self._behind |= self._searching
        wanted = []
        for entry in sorted(self._searching):
            citation = self._index.memories[entry[0]].citations[entry[1]]
            if any(self._view.may_hold(path, citation) for path in files):
                wanted.append(entry)
        self._behind.update(wanted[_SEARCHED_PER_EDIT:])
        return wanted[:_SEARCHED_PER_EDIT]

    def _unsettled(self) -> tuple[tuple[str, int], ...]:
        return tuple(
            (name, number)
            for name, judgements in self._judgements.items()
            for number, judgement in enumerate(judgements)
            if judgement.verdict not in _SETTLED
        )

    def _judge(self, entries: Iterable[tuple[str, int]], view: View) -> None:
        pending: dict[str, dict[int, Judgement]] = {}
        wide = view is self._view
        for entry in entries:
            name, number = entry
            memory = self._index.memories[name]
            citation = memory.citations[number]
            judgement = self._judging.judge(memory, number, view, is_open=citation.path in self._documents)
            pending.setdefault(name, {})[number] = judgement
            if judgement.verdict in _SEARCHING:
                if wide:
                    self._behind.discard(entry)
                elif entry not in self._searching:
                    self._behind.add(entry)
                self._searching.add(entry)
                found_in = (judgement.to, *judgement.candidates) if judgement.to else judgement.candidates
                self._world.twins[citation.path, citation.symbol] = tuple({to.partition("#")[0] for to in found_in})
            else:
                self._searching.discard(entry)
                self._behind.discard(entry)
        for name, found in pending.items():
            memory = self._index.memories[name]
            known = self._judgements.get(name, ())
            judgements = tuple(
                found[number] if number in found else known[number] for number in range(len(memory.citations))
            )
            if judgements != known:
                self._writable()
                self._judgements[name] = judgements
                self._dirty.update(self._index.owners(name)[:1])

    def _watch_candidates(self) -> None:
        """While a definition is searched for, the files where it may turn up are looked at too."""
        found = [path for language in self._searched_languages() for path in self._view.tracked(language)][:_WATCHED]
        self._folders = frozenset(path.rpartition("/")[0] or "." for path in found)
        self._candidates = (*found, *sorted(self._folders))
        for path in self._candidates:
            if path not in self._watch.files:
                self._watch.files[path] = self._world.files.stamp(path)

    def _searched_languages(self) -> tuple[str, ...]:
        """Languages of the citations whose definition is searched for."""
        found = {language_of(self._index.memories[name].citations[number].path) for name, number in self._searching}
        return tuple(sorted(language for language in found if language))

    def _writable(self) -> None:
        """Before a table is written: what a snapshot holds is never changed."""
        if self._published is self._judgements:
            self._judgements, self._states = dict(self._judgements), dict(self._states)
            self._published = None

    def _settle(self, name: str) -> None:
        """Work out a memory's state from its judgements."""
        memory = self._index.memories.get(name)
        if memory is None:
            return
        now = self._now()
        state = state_of(memory, self._judgements.get(name, ()), now)
        for at, _, _ in expiries(memory):
            if at > now and (self._next_expiry is None or at < self._next_expiry):
                self._next_expiry = at
        if self._states.get(name) != state:
            self._writable()
            self._states[name] = state
            self._dirty.update(self._index.owners(name)[:1])

    def _expire(self) -> None:
        if self._next_expiry is not None and self._next_expiry <= self._now():
            self._next_expiry = None
            for name in self._index.memories:
                self._settle(name)

    def _drop(self, name: str) -> None:
        """Forget a memory that is another one now, or gone. What a text that parsed gave stands until it is judged again."""
        self._writable()
        self._judgements.pop(name, None)
        self._states.pop(name, None)
        self._searching = {entry for entry in self._searching if entry[0] != name}
        self._behind = {entry for entry in self._behind if entry[0] != name}
        if name not in self._index.memories:
            self._judging.forget(name)

    def _check(self, path: str) -> tuple[Finding, ...]:
        """All findings of one record, with the severities of the settings."""
        record = self._index.records.get(path)
        if record is None:
            return ()
        found = list(invalid.findings(path, record.dialect, record.parsed.problems))
        for memory in record.parsed.memories:
            found += check(self._subject(memory, record))
        return tuple(
            finding for finding in (configured(finding, self._settings) for finding in found) if finding is not None
        )

    def _subject(self, memory: Memory, record: Record) -> Subject:
        first, *others = self._index.owners(memory.id)
        used = first == record.path
        return Subject(
            memory=memory,
            judgements=self._judgements.get(memory.id, ()) if used else (),
            state=self._states[memory.id],
            now=self._now(),
            sources=self._view,
            memories=self._index.memories,
            first=first,
            others=tuple(others),
            unaudited=record.version is None and self._unaudited(memory, record),
        )

    def _unaudited(self, memory: Memory, record: Record) -> bool:
        """Whether a log is kept and does not explain the record. Kage writes packets itself: those we never touched are its own."""
        if self._explained is None:
            return False
        hashes = self._explained.get(memory.id)
        if hashes is None:
            return memory.dialect != "kage"
        return audit.content_hash(record.text) not in hashes

    def _publish(self) -> None:
        """Make the next snapshot from what is dirty."""
        findings, code = self._findings, self._in_code
        moved: set[str] = set()
        updates: dict[str, tuple[Finding, ...]] = {}
        for path in self._dirty:
            old, new = findings.get(path, ()), self._check(path)
            if old != new:
                updates[path] = new
                moved.update(
                    finding.in_code.path
                    for finding in (*old, *new)
                    if finding.in_code and finding.in_code_severity.rank
                )
        self._dirty = set()
        if updates:
            findings = {**findings, **updates}
            for path in [path for path, new in updates.items() if not new]:
                del findings[path]
            code = self._code_findings(findings, code, moved)
        if self._conflict and self._stores:
            store = self._stores[0]
            conflict = configured(store_conflict.finding(store.path, store.dialect, self._conflict), self._settings)
            findings = {**findings, store.path: (conflict,) if conflict else ()}
        self._findings, self._in_code = findings, code
        if self._indexed is None or self._indexed[0] is not self._index or self._indexed[1] != self._index.version:
            index = self._index
            self._indexed = (index, index.version, dict(index.records), dict(index.memories), dict(index.citing))
        _, _, records, memories, citing = self._indexed
        self._published = self._judgements
        self._revision += 1
        self.snapshot = Snapshot(
            root=self.root,
            revision=self._revision,
            settings=self._settings,
            sources=self._view,
            files=self._world.files,
            stores=self._stores,
            records=records,
            memories=memories,
            citing=citing,
            judgements=self._judgements,
            states=self._states,
            findings=findings,
            code_findings=code,
            documents=self._view.documents,
            refusal=self._conflict,
            problems=self._problems,
            unreadable=tuple(store.path for store in self._stores if not self._world.files.can_list(store.path)),
        )

    def _code_findings(
        self, findings: Mapping[str, tuple[Finding, ...]], known: Mapping[str, tuple[Finding, ...]], paths: set[str]
    ) -> dict[str, tuple[Finding, ...]]:
        """Findings by their place in code, worked out anew for ``paths``."""
        code = dict(known)
        if len(paths) > 64:
            places: dict[str, list[Finding]] = {}
            for found in findings.values():
                for finding in found:
                    if finding.in_code and finding.in_code_severity.rank:
                        places.setdefault(finding.in_code.path, []).append(finding)
            return {path: tuple(sorted(found, key=_place)) for path, found in places.items()}
        for path in paths:
            owners = {
                self._index.owners(name)[0] for name, _ in self._index.citing.get(path, ()) if self._index.owners(name)
            }
            owners |= {self._index.owners(name)[0] for name, _ in self._searching if self._index.owners(name)}
            here = [
                finding
                for owner in owners
                for finding in findings.get(owner, ())
                if finding.in_code and finding.in_code.path == path and finding.in_code_severity.rank
            ]
            if here:
                code[path] = tuple(sorted(here, key=_place))
            else:
                code.pop(path, None)
        return code


def _place(finding: Finding) -> tuple[int, str, str]:
    return (finding.in_code.span.start if finding.in_code else 0, finding.code, finding.memory)
