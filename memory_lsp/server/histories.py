"""Since when, and by which commit, cited code is not what was verified: found in the background, shown when it is known.

It reads up to 200 versions of a file, so it has a thread and a view of git of its own and never touches the project's.
Only citations that an open document shows are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memory_lsp.core.model import Fingerprint, Judgement, Verdict
from memory_lsp.workspace.history import Since, first_change
from memory_lsp.workspace.snapshot import Snapshot
from memory_lsp.workspace.sources import View, World

if TYPE_CHECKING:
    import asyncio

_LOOKED_FOR = frozenset({Verdict.CHANGED, Verdict.MISSING, Verdict.AMBIGUOUS})
Key = tuple[str, int]
Seen = tuple[Verdict, tuple[str, ...], Fingerprint | None]


class Histories:
    """What is known of one root's changes, by memory id and citation index."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._world: World | None = None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="history")
        self._asked: dict[Key, Seen] = {}
        self._known: dict[Key, str] = {}
        self._head: tuple[int, ...] = ()
        self._closed = False

    @property
    def phrases(self) -> dict[Key, str]:
        """``since 2026-01-31, commit 1a2b3c4 by Ada: subject``, where it is known."""
        return self._known

    def ask(self, snapshot: Snapshot, paths: Iterable[str], loop: asyncio.AbstractEventLoop) -> None:
        """Find out about everything in these files that is not as verified and was not asked for in this state."""
        differing = tuple(_differing(snapshot, paths))
        if not differing or self._closed:
            return
        head = _stamps(snapshot)
        if head != self._head:
            self._head = head
            self._asked.clear()
            loop.run_in_executor(self._pool, self._forget_head)
        for key, judgement in differing:
            memory = snapshot.memories[key[0]]
            seen = (judgement.verdict, judgement.parts, memory.citations[key[1]].fingerprint)
            if self._asked.get(key) == seen:
                continue
            self._asked[key] = seen
            self._known.pop(key, None)
            loop.run_in_executor(self._pool, self._find, snapshot, key, judgement)

    def close(self) -> None:
        """Ask for nothing more."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._world is not None:
            self._world.close()

    def _forget_head(self) -> None:
        if self._world is not None:
            self._world.forget_head()

    def _find(self, snapshot: Snapshot, key: Key, judgement: Judgement) -> None:
        if self._world is None:
            self._world = World(self._root)
        own = replace(snapshot, sources=View(self._world, snapshot.documents))
        since = first_change(own, snapshot.memories[key[0]], key[1], judgement)
        if since is not None:
            self._known[key] = phrase(since)


def _stamps(snapshot: Snapshot) -> tuple[int, ...]:
    """What changes when HEAD does."""
    git = snapshot.sources.world.git if isinstance(snapshot.sources, View) else None
    found = []
    for path in git.head_files() if git is not None else ():
        try:
            found.append(path.stat().st_mtime_ns)
        except OSError:
            found.append(0)
    return tuple(found)


def phrase(since: Since) -> str:
    """A change in one line."""
    if not since.commit:
        return "changed in the working tree, not committed"
    return f"since {since.at[:10]}, commit {since.commit[:9]} by {since.author}: {since.subject}"


def _differing(snapshot: Snapshot, paths: Iterable[str]) -> Iterable[tuple[Key, Judgement]]:
    for path in paths:
        keys = list(snapshot.citing.get(path, ()))
        record = snapshot.records.get(path)
        for memory in record.parsed.memories if record is not None else ():
            keys += [(memory.id, index) for index in range(len(snapshot.judgements.get(memory.id, ())))]
        for key in dict.fromkeys(keys):
            judgements = snapshot.judgements.get(key[0], ())
            if key[0] in snapshot.memories and key[1] < len(judgements) and judgements[key[1]].verdict in _LOOKED_FOR:
                yield key, judgements[key[1]]
