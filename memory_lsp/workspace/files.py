"""Safe reads inside one root.

*Invariant:* a path from a record never leads outside the root, whatever it says and whatever links lie on the way, and only
regular files are opened. What must not or cannot be read is a ``Source`` with a problem in words, never an exception.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory_lsp.core.sources import Source

MAX_FILE_BYTES = 50_000_000
"""Larger files are not read at all."""
MAX_RECORD_BYTES = 1_000_000
"""A larger record is a finding, not a record."""
MAX_RECORDS = 100_000
MAX_DEPTH = 12

_DRIVE = re.compile(r"^[A-Za-z]:")
_SKIPPED = frozenset({"node_modules", "__pycache__", "venv", "target", "dist", "build", "site-packages"})

Stamp = tuple[int, int, int] | None
"""What ``stat`` says of a file: ``(mtime_ns, size, inode)``; ``None`` when it is not there."""


def refused(path: str) -> str:
    """Why ``path`` is no path inside the root, or the empty string. Judged by its text alone."""
    if not path or "\0" in path or "\n" in path:
        return "not a path"
    if path.startswith(("/", "\\", "~")) or _DRIVE.match(path):
        return "outside the root"
    if ".." in path.replace("\\", "/").split("/"):
        return "outside the root"
    return ""


@dataclass(frozen=True, slots=True)
class Files:
    """The files of ``root`` on disk. ``real`` is the root with its links resolved."""

    root: Path
    real: str

    @classmethod
    def of(cls, root: Path) -> Files:
        """The files below ``root``."""
        return cls(root, os.path.realpath(root))

    def read(self, path: str, limit: int = MAX_FILE_BYTES) -> Source:
        """The file at ``path``, at most ``limit`` bytes of it, or why there is nothing to read."""
        problem = refused(path)
        if problem:
            return Source(path, None, problem)
        full = os.path.join(self.real, path)
        try:
            real = os.path.realpath(full)
            if not self._inside(real):
                return Source(path, None, "outside the root")
            # O_NONBLOCK: opening a FIFO must not wait for a writer; O_NOFOLLOW: a link put there since realpath is refused.
            handle = os.open(
                real,
                os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0),
            )
        except (FileNotFoundError, NotADirectoryError):
            return Source(path, None, "missing")
        except IsADirectoryError:
            return Source(path, None, "a folder")
        except (OSError, ValueError) as error:
            return Source(path, None, "a folder" if os.path.isdir(full) else f"unreadable: {_reason(error)}")
        try:
            found = os.fstat(handle)
            if stat.S_ISDIR(found.st_mode):
                return Source(path, None, "a folder")
            if not stat.S_ISREG(found.st_mode):
                return Source(path, None, "not a regular file")
            if found.st_size > limit:
                return Source(path, None, f"too large ({found.st_size} bytes)")
            with os.fdopen(handle, "rb", closefd=False) as file:
                data = file.read(limit + 1)
            return Source(path, data) if len(data) <= limit else Source(path, None, f"too large (over {limit} bytes)")
        except OSError as error:
            return Source(path, None, f"unreadable: {_reason(error)}")
        finally:
            os.close(handle)

    def exists(self, path: str) -> bool:
        """Whether anything is at ``path`` (inside the root)."""
        return not refused(path) and os.path.lexists(os.path.join(self.real, path))

    def is_file(self, path: str) -> bool:
        """Whether a file is at ``path`` inside the root, links followed."""
        real = self.writable_path(path)
        return real is not None and os.path.isfile(real)

    def stamp(self, path: str) -> Stamp:
        """What ``stat`` says of the file at ``path``; never follows a refused path."""
        if refused(path):
            return None
        try:
            found = os.stat(os.path.join(self.real, path))
        except (OSError, ValueError):
            return None
        return found.st_mtime_ns, found.st_size, found.st_ino

    def writable_path(self, path: str) -> str | None:
        """The absolute path to write ``path`` at, links resolved; ``None`` if it leads outside the root."""
        if refused(path):
            return None
        real = os.path.realpath(os.path.join(self.real, path))
        return real if self._inside(real) else None

    def records(self, folder: str) -> Iterator[tuple[str, Stamp]]:
        """``(path, stamp)`` of all files below ``folder``, without hidden ones; a linked folder is not entered."""
        count = 0
        stack = [(folder, 0)]
        while stack:
            current, depth = stack.pop()
            try:
                entries = list(os.scandir(os.path.join(self.real, current)))
            except OSError:
                continue
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                path = f"{current}/{entry.name}"
                try:
                    if entry.is_dir(follow_symlinks=False):
                        if depth < MAX_DEPTH:
                            stack.append((path, depth + 1))
                        continue
                    found = entry.stat()
                except OSError:
                    continue
                if stat.S_ISDIR(found.st_mode):
                    continue
                count += 1
                if count > MAX_RECORDS:
                    return
                yield path, (found.st_mtime_ns, found.st_size, found.st_ino)

    def can_list(self, folder: str) -> bool:
        """Whether the entries of a folder can be read."""
        try:
            os.scandir(os.path.join(self.real, folder)).close()
        except OSError:
            return False
        return True

    def all(self, limit: int) -> Iterator[str]:
        """At most ``limit`` files of the root, without hidden and dependency folders: what stands in for git's index."""
        count = 0
        for folder, names, files in os.walk(self.real):
            names[:] = sorted(name for name in names if not name.startswith(".") and name not in _SKIPPED)
            relative = os.path.relpath(folder, self.real).replace(os.sep, "/")
            for name in sorted(files):
                count += 1
                if count > limit:
                    return
                yield name if relative == "." else f"{relative}/{name}"

    def _inside(self, real: str) -> bool:
        return real == self.real or real.startswith(self.real.rstrip(os.sep) + os.sep)


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
