"""What judging may ask of the world.

``workspace.sources`` answers from buffers, disk and git; ``compare`` and ``bench`` from dictionaries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from memory_lsp.core.model import Citation
    from memory_lsp.core.outline import Outline

MAX_SOURCE_BYTES = 2_000_000
MAX_SOURCE_LINES = 50_000
"""Larger files are not parsed: their symbols are ``unchecked``. Real code of this size takes half a second."""


@dataclass(frozen=True, slots=True)
class Source:
    """One file as it is now (an open buffer wins over the disk).

    ``data`` is ``None`` when there is nothing to read; ``problem`` then says why: ``missing``, or why it must not or
    cannot be read (``outside the root``, ``a folder``, ``not a regular file``, ``too large (N bytes)``,
    ``unreadable: ...``). Text of buffers is UTF-8 encoded.
    """

    path: str
    data: bytes | None
    problem: str = ""

    @property
    def missing(self) -> bool:
        """Whether the file is known to be absent (not merely unreadable)."""
        return self.data is None and self.problem == "missing"


def too_large(data: bytes) -> str:
    """Why a file is not parsed, else empty."""
    if len(data) > MAX_SOURCE_BYTES:
        return f"too large to parse ({len(data)} bytes)"
    lines = data.count(b"\n")
    return f"too large to parse ({lines} lines)" if lines > MAX_SOURCE_LINES else ""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A file as it was when a citation was verified, and how that version was found (``blob 1a2b3c4``, ``sha256``)."""

    path: str
    data: bytes
    baseline: str


class Sources(Protocol):
    """The files of one root, now and then. Paths are root-relative with ``/``; nothing outside the root is read."""

    def read(self, path: str) -> Source:
        """The file as it is now."""
        ...

    def outline(self, path: str) -> Outline | None:
        """The outline of ``read(path)``; ``None`` without a grammar, without data, or if it is too large."""
        ...

    def recorded(self, citation: Citation) -> Recorded | None:
        """The cited file as it was verified: by git blob, else by SHA-256; ``None`` if it cannot be found."""
        ...

    def recorded_outline(self, recorded: Recorded) -> Outline | None:
        """The outline of a recorded version (cached by content)."""
        ...

    def head(self, path: str) -> bytes | None:
        """The file at HEAD, if there is one."""
        ...

    def changed_since(self, citation: Citation) -> Iterable[str]:
        """Where a moved definition may be: files added or changed since the verification, open and untracked ones."""
        ...

    def elsewhere(self, citation: Citation) -> Iterable[str]:
        """Where a moved definition may be besides ``changed_since``: nowhere once it is known what changed since the
        verification, since what stands in an unchanged file was there already; else in all files of the language."""
        ...

    def tracked(self, language: str) -> Iterable[str]:
        """All tracked files (without git: all files) of a language."""
        ...

    def paths(self) -> Iterable[str]:
        """All files of the root that are the project's own (tracked, and new ones that are not ignored)."""
        ...

    def before(self, path: str, citation: Citation) -> bytes | None:
        """Another file as it was when the citation was verified; ``None`` if it was absent or is not known."""
        ...
