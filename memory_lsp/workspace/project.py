"""One root, kept up to date: the object that the server and the command line use.

*Invariants:* there is one writer and it is not thread safe; every change makes a new immutable ``Snapshot``; an edit of a
cited file judges the citations of that file again and no others (besides those whose definition is being searched for), an
edit of a record parses that record alone. Reading never writes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path

from memory_lsp.checks import store_conflict
from memory_lsp.core.model import Finding, Memory
from memory_lsp.core.trust import State
from memory_lsp.dialects import parse
from memory_lsp.workspace import audit, clock, kiyo_index_check, watch
from memory_lsp.workspace.index import Index
from memory_lsp.workspace.judging import Judging
from memory_lsp.workspace.kiyo_baseline import ANCHORS, Baselines
from memory_lsp.workspace.records import read_record, resolved_record
from memory_lsp.workspace.report import Report
from memory_lsp.workspace.roots import find_root, find_stores, is_record
from memory_lsp.workspace.settings import CONFIG_PATH, Settings, configured, merge
from memory_lsp.workspace.snapshot import OpenDocument, Record, Snapshot, Store
from memory_lsp.workspace.sources import View, World
from memory_lsp.workspace.verdicts import Verdicts

__all__ = ["OpenDocument", "Project", "Record", "Snapshot", "State", "Store", "find_root"]

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
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """Load and judge everything below ``root``. Explicit ``settings`` stand in for the client's and the file's."""
        self.root = root
        self._fixed = settings
        self._trusted = trusted
        self._now = now or (lambda: clock.now())
        self._client: Mapping[str, object] = {}
        self._world = World(root)
        self._judging = Judging()
        self._watch = watch.Watch()
        self._documents: dict[str, OpenDocument] = {}
        self._revision = 0
        self._problems: tuple[str, ...] = ()
        self._indexed: _Indexed | None = None
        self._pages: tuple[Index, int, tuple[Finding, ...]] | None = None
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
        paths.update(self._verdicts.candidates)
        return watch.observe(self._world.files, self._stores, self._settings.store, paths, self._extra())

    def apply(self, seen: watch.Observation, told: frozenset[str] | None = None) -> bool:
        """Take over what ``look`` saw; whether ``snapshot`` is a new one.

        ``told`` are paths of which a client says that they changed; such a look, right after an event, confirms no absence.
        """
        before = self.snapshot
        kiyo = False
        changes = self._watch.changes(seen, self._stores, told)
        if changes.stores or str(self.root / CONFIG_PATH) in changes.extra:
            self._load()
            return True
        if changes.extra.intersection(map(str, self._heads())):
            self._world.forget_head()
            self._verdicts.head_moved()
            for baselines in self._baselines.values():
                baselines.forget()
            kiyo = True
        if str(self.root / audit.AUDIT_PATH) in changes.extra:
            self._read_audit()
            self._verdicts.dirty.update(self._index.records)
        records = changes.records - self._documents.keys()
        if str(self.root / ANCHORS) in changes.extra:
            for baselines in self._baselines.values():
                baselines.forget()
            kiyo = True
        if kiyo:
            # What a Kiyo record was verified on is in history, or in a sidecar.
            records |= {path for path, record in self._index.records.items() if record.dialect == "kiyo"}
        if changes.files or records:
            self._world.forget_files(changes.files | changes.records)
            self._update(records, changes.files)
        caught_up = self._verdicts.catch_up(self._view)
        self._verdicts.expire(self._view)
        if caught_up or self._verdicts.dirty:
            self._watch_candidates()
            self._publish()
        return self.snapshot is not before

    def refresh(self, paths: Iterable[str] | None = None) -> Snapshot:
        """A client says that these files changed on disk (``None``: anything may have).

        A file that is gone is taken as gone by the next ``poll`` only, unless everything is read anew.
        """
        if paths is None:
            self._world.close()
            self._world = World(self.root)
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
            self._verdicts.dirty.update(self._index.records)
            self._publish()
        return self.snapshot

    def _load(self) -> None:
        self._read_settings()
        found = find_stores(self.root, self._settings.store)
        self._stores, self._conflict, self._places = found.stores, found.conflict, found.places
        self._denied, self._notices = found.denied, found.notices
        closed = (store.path for store in found.stores if not self._world.files.can_list(store.path))
        self._unreadable = tuple(dict.fromkeys((*closed, *found.denied)))
        self._index = Index()
        index = self._index
        self._baselines = {
            store: Baselines(self._world, store.path, lambda word: word in index.memories)
            for store in found.stores
            if store.dialect == "kiyo"
        }
        self._verdicts = Verdicts(self._index, self._world, self._judging, self._now)
        self._report = Report(self._index)
        self._read_audit()
        self._view = View(self._world, dict(self._documents))
        seen = watch.observe(self._world.files, self._stores, self._settings.store, (), self._extra())
        documents = (path for path in self._documents if self._store_of(path))
        for path in sorted({*seen.records, *documents}):
            record = self._read(path)
            if record is not None:
                self._index.put(path, record)
        self._watch.take(seen)
        self._watch.files.update({path: self._world.files.stamp(path) for path in self._index.citing})
        self._verdicts.judge_all(self._view)
        self._watch_candidates()
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
        self._report.explained = (
            None if source.data is None else audit.explained(source.data.decode("utf-8", "replace"))
        )

    def _read(self, path: str) -> Record | None:
        store = self._store_of(path)
        record = read_record(self._world.files, store, path, self._documents.get(path)) if store else None
        baselines = self._baselines.get(store) if store else None
        return record if record is None or baselines is None else resolved_record(record, baselines)

    def _store_of(self, path: str) -> Store | None:
        return next((store for store in self._stores if is_record(store, path)), None)

    def _heads(self) -> tuple[Path, ...]:
        return self._world.git.head_files() if self._world.git is not None else ()

    def _extra(self) -> tuple[str, ...]:
        return watch.extra_files(self.root, self._heads(), (CONFIG_PATH, audit.AUDIT_PATH, ANCHORS))

    def _buffer(self, path: str, document: OpenDocument | None) -> Snapshot:
        if document is None:
            self._documents.pop(path, None)
            self._world.forget_files((path,))
        else:
            self._documents[path] = document
        self._update((path,) if self._store_of(path) else (), (path,))
        return self.snapshot

    def _update(self, records: Iterable[str], files: Iterable[str]) -> None:
        """Bring everything up to date after records and files changed, and publish."""
        self._view = self._view.next(dict(self._documents), files)
        renewed: dict[str, None] = {}
        for path in sorted(records):
            changed, affected = self._index.put(path, self._read(path))
            self._verdicts.dirty |= affected
            renewed.update(dict.fromkeys(sorted(changed)))
        for name in renewed:
            memory = self._index.memories.get(name)
            for citation in memory.citations if memory else ():
                self._watch.files[citation.path] = self._world.files.stamp(citation.path)
        self._verdicts.judge_changed(renewed, files, self._view)
        self._verdicts.expire(self._view)
        self._publish()

    def _watch_candidates(self) -> None:
        for path in self._verdicts.candidates:
            if path not in self._watch.files:
                self._watch.files[path] = self._world.files.stamp(path)

    def _denied_records(self) -> tuple[str, ...]:
        """Files of Kiyo stores that may not be read."""
        if not self._baselines:
            return ()
        return tuple(path for path, record in sorted(self._index.records.items()) if record.denied)

    def _index_findings(self) -> tuple[Finding, ...]:
        """What is wrong with the index pages of Kiyo stores; worked out anew when a record is another one."""
        if self._pages is None or self._pages[0] is not self._index or self._pages[1] != self._index.version:
            found = [
                finding
                for store in self._baselines
                if store.path not in self._unreadable
                for finding in kiyo_index_check.findings(self._world.files, store, self._index.records)
            ]
            self._pages = (self._index, self._index.version, tuple(found))
        shown = (configured(finding, self._settings) for finding in self._pages[2])
        return tuple(finding for finding in shown if finding is not None)

    def _publish(self) -> None:
        """Make the next snapshot."""
        dirty, self._verdicts.dirty = self._verdicts.dirty, set()
        tables = self._verdicts.tables
        self._report.update(dirty, self._verdicts, self._settings, self._view, self._now())
        findings = self._report.findings
        for page in self._index_findings():
            findings = {**findings, page.path: (*findings.get(page.path, ()), page)}
        if self._conflict and self._places:
            for path, span in self._places:
                conflict = configured(store_conflict.finding(path, "kiyo", self._conflict, span), self._settings)
                findings = {**findings, path: (*((conflict,) if conflict else ()), *findings.get(path, ()))}
        elif self._conflict and self._stores:
            store = self._stores[0]
            conflict = configured(store_conflict.finding(store.path, store.dialect, self._conflict), self._settings)
            findings = {**findings, store.path: (conflict,) if conflict else ()}
        if self._indexed is None or self._indexed[0] is not self._index or self._indexed[1] != self._index.version:
            index = self._index
            self._indexed = (index, index.version, dict(index.records), dict(index.memories), dict(index.citing))
        _, _, records, memories, citing = self._indexed
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
            judgements=tables[0],
            states=tables[1],
            findings=findings,
            code_findings=self._report.in_code,
            documents=self._view.documents,
            refusal=self._conflict,
            problems=self._problems,
            unreadable=(*self._unreadable, *self._denied_records()),
            places=self._places,
            notices=self._notices,
        )
