"""What an act on a Kiyo record works with: the desk, the working copy, an approval as it was given, a record to be made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memory_lsp.core.model import (
    Citation,
    FileEdit,
    Memory,
    Refusal,
)
from memory_lsp.core.sources import Sources


@dataclass(frozen=True, slots=True)
class Work:
    """The working copy just now: ``git`` is "yes", "none" or "unknown"; ``head`` is empty on an unborn branch."""

    git: str = "none"
    head: str = ""
    branch: str = ""
    dirty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Approval:
    """An approval as a person gave it; nothing is filled in."""

    source: str = ""
    scope: str = ""
    approver: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True)
class Desk:
    """What an act works with: who and when (``at`` in ISO 8601), the sources, the store's folder and index, the text of files,
    the sidecar of a record (path and text), the next free id of a topic, whether a word is a record's id, and the work."""

    by: str
    at: str
    sources: Sources
    folder: str
    index: str
    text: Callable[[str], str | None]
    sidecar: Callable[[Memory, str, tuple[Citation, ...]], FileEdit]
    next_id: Callable[[str], str | Refusal]
    is_record: Callable[[str], bool]
    work: Work = Work()

    @property
    def day(self) -> str:
        """The date of the act."""
        return self.at[:10]


@dataclass(frozen=True, slots=True)
class NewRecord:
    """A record to be made."""

    statement: str
    citations: tuple[Citation, ...] = ()
    type: str = "observation"
    title: str = ""
    topic: str = ""
    source: str = ""
    stale_when: str = ""
    approval: Approval = Approval()
    form: bool = False
    """An empty statement becomes a placeholder that a person fills in."""
