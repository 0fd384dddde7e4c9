"""The audit log ``.memory-lsp/audit.jsonl``: append-only, one JSON object a line, one ``O_APPEND`` write per event.

An event is ``{at, actor, action, memory, before, after, reason, result}``; ``before`` and ``after`` are SHA-256 of the record's
bytes (empty: no record). Git merges it by union (``.memory-lsp/.gitattributes``), so the order of lines carries no meaning.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from memory_lsp.core.model import Event
from memory_lsp.workspace import clock

FOLDER = ".memory-lsp"
AUDIT_PATH = f"{FOLDER}/audit.jsonl"
MAX_LOG_BYTES = 50_000_000
_ATTRIBUTES = "audit.jsonl merge=union\ntombstones.jsonl merge=union\n"


def content_hash(text: str | None) -> str:
    """SHA-256 of a record's UTF-8 text; empty for no record."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def now_text() -> str:
    """This moment in ISO 8601, UTC, milliseconds, ``Z``."""
    return clock.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")


def line(event: Event, *, at: str, actor: str, before: str | None, after: str | None, result: str = "written") -> str:
    """One event as a line of the log, without the line end; ``before`` and ``after`` are the record's texts."""
    return json.dumps(
        {
            "at": at,
            "actor": actor,
            "action": event.action,
            "memory": event.memory,
            "before": content_hash(before),
            "after": content_hash(after),
            "reason": event.reason,
            "result": result,
        },
        ensure_ascii=False,
    )


class Log:
    """A log in ``.memory-lsp`` that is open for appending: what would keep it from being written shows before anything is."""

    def __init__(self, root: Path, name: str = "audit.jsonl") -> None:
        """Make the folder when it is first needed and open the log; ``OSError`` if either cannot be written."""
        folder = root / FOLDER
        folder.mkdir(exist_ok=True)
        if folder.is_symlink():
            raise OSError(errno.ELOOP, "a symbolic link", FOLDER)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        self._handle = os.open(folder / name, flags, 0o644)
        try:
            if not stat.S_ISREG(os.fstat(self._handle).st_mode):
                raise OSError(errno.EINVAL, "not a regular file", f"{FOLDER}/{name}")
            attributes = folder / ".gitattributes"
            if not attributes.exists():
                attributes.write_text(_ATTRIBUTES, encoding="utf-8")
        except OSError:
            os.close(self._handle)
            raise

    def append(self, lines: Iterable[str]) -> None:
        """Append all lines, each in one write, or none of them. Raises ``OSError``."""
        size, added = os.fstat(self._handle).st_size, 0
        try:
            for text in lines:
                data = (text.replace("\n", " ") + "\n").encode("utf-8", "surrogatepass")
                if not added and self._torn(size):
                    data = b"\n" + data
                written = os.write(self._handle, data)
                added += written
                if written < len(data):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError:
            # Only what this call has added is taken back, never what somebody else appended meanwhile.
            if added and os.fstat(self._handle).st_size == size + added:
                with contextlib.suppress(OSError):
                    os.ftruncate(self._handle, size)
            raise

    def _torn(self, size: int) -> bool:
        """Whether the last line has no end, so that it would swallow the next one."""
        if not size:
            return False
        os.lseek(self._handle, size - 1, os.SEEK_SET)
        return os.read(self._handle, 1) != b"\n"

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


def append(root: Path, lines: Iterable[str], name: str = "audit.jsonl") -> None:
    """Append lines to a log in ``.memory-lsp``, making the folder when it is first needed; each line is one write.

    Raises ``OSError`` if the folder is a link or cannot be written.
    """
    lines = list(lines)
    if lines:
        with Log(root, name) as log:
            log.append(lines)


def explained(text: str) -> dict[str, frozenset[str]]:
    """For each memory of the log, the contents (SHA-256) that its events left behind. Lines that are no events are passed over."""
    found: dict[str, set[str]] = {}
    for raw in text.splitlines():
        try:
            event = json.loads(raw)
        except ValueError:
            continue
        if isinstance(event, dict) and isinstance(event.get("memory"), str) and isinstance(event.get("after"), str):
            found.setdefault(event["memory"], set()).add(event["after"])
    return {memory: frozenset(hashes) for memory, hashes in found.items()}
