"""Looking at the disk: what changed since the last look, by ``stat`` alone.

A file that is gone is reported only at the second look: editors move a file away while they save it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memory_lsp.workspace.files import Files, Stamp
from memory_lsp.workspace.roots import find_stores, is_record
from memory_lsp.workspace.snapshot import Store

Look = dict[str, Stamp]
"""Stamps by path; of files outside the root's tree (git's) by absolute path."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look at the disk saw."""

    stores: tuple[Store, ...]
    records: Look
    files: Look
    extra: Look


@dataclass(frozen=True, slots=True)
class Changes:
    """Paths that differ from what was known; ``extra`` are git's, the settings' and the log's files."""

    stores: bool = False
    records: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    extra: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return self.stores or bool(self.records or self.files or self.extra)


def observe(
    files: Files, stores: tuple[Store, ...], wanted: str, paths: Iterable[str], extra: Iterable[str]
) -> Observation:
    """Look once. Reads nothing but directory entries, and changes nothing: it may run in a thread."""
    records = {path: stamp for store in stores for path, stamp in files.records(store.path) if is_record(store, path)}
    outside = {path: files.stamp(path) for store in stores for path in store.outside}
    records.update({path: stamp for path, stamp in outside.items() if stamp is not None})
    return Observation(
        find_stores(files.root, wanted).stores,
        records,
        {path: files.stamp(path) for path in paths},
        {path: _stamp(path) for path in extra},
    )


class Watch:
    """What is known of the disk. ``changes`` compares a look with it and takes it over."""

    def __init__(self) -> None:
        self.records: Look = {}
        self.files: Look = {}
        self.extra: Look = {}
        self._gone: set[str] = set()

    def changes(self, seen: Observation, stores: tuple[Store, ...], told: frozenset[str] | None = None) -> Changes:
        """What differs in ``seen``; it is known from now on. ``told`` (of a client) differ even if ``stat`` says the same."""
        confirm = told is None
        records = self._differing(self.records, {**dict.fromkeys(self.records), **seen.records}, confirm=confirm)
        files = self._differing(self.files, seen.files, confirm=confirm)
        for path in told or ():
            if seen.records.get(path) is not None:
                records.add(path)
            elif seen.files.get(path) is not None:
                files.add(path)
        extra = {path for path, stamp in seen.extra.items() if path in self.extra and self.extra[path] != stamp}
        self.extra.update(seen.extra)
        return Changes(seen.stores != stores, frozenset(records), frozenset(files), frozenset(extra))

    def take(self, seen: Observation) -> None:
        """Know exactly what was seen."""
        self.records, self.files, self.extra = dict(seen.records), dict(seen.files), dict(seen.extra)
        self._gone.clear()

    def _differing(self, known: Look, seen: Look, *, confirm: bool) -> set[str]:
        changed = set()
        for path, stamp in seen.items():
            before = known.get(path)
            if stamp == before:
                self._gone.discard(path)
                if path not in known:
                    known[path] = stamp
                continue
            if stamp is None and (path not in self._gone or not confirm):
                self._gone.add(path)
                continue
            self._gone.discard(path)
            changed.add(path)
            known[path] = stamp
        return changed


def _stamp(path: str) -> Stamp:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def extra_files(root: Path, heads: Iterable[Path], names: Iterable[str]) -> tuple[str, ...]:
    """The files besides records and code that a root depends on."""
    return (*(str(root / name) for name in names), *map(str, heads))
