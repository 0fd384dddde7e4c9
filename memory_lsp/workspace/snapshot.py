"""The state of one root at one moment, as immutable values: everything a feature may look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from memory_lsp.core.model import Finding, Judgement, Memory, Parsed, Span
from memory_lsp.core.sources import Sources
from memory_lsp.core.trust import State
from memory_lsp.workspace.files import Files
from memory_lsp.workspace.settings import Settings

EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Store:
    """A folder of records in one dialect; ``path`` is relative to the root, and so is the ``index`` of a Kiyo store."""

    dialect: str
    path: str
    index: str = ""
    outside: tuple[str, ...] = ()
    """Files that rows of the index name and that are not below ``path``."""

    def holds(self, path: str) -> bool:
        """Whether a file lies in the store."""
        return path.startswith(self.path + "/") or path in self.outside


@dataclass(frozen=True, slots=True)
class Record:
    """One document of a store: its text (buffer or disk), what the dialect read in it, the buffer's version if it is open,
    and whether a Kiyo file may not be read."""

    path: str
    dialect: str
    text: str
    parsed: Parsed
    version: int | None = None
    denied: bool = False


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """A buffer of the editor; ``version`` is the client's."""

    text: str
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One root at one revision. Paths are relative to the root, with ``/``.

    ``memories`` and ``states`` go by memory id (of a duplicated id the first record in path order), ``judgements`` has one
    entry per citation. ``citing`` leads from a code path to ``(memory id, citation index)``. ``findings`` go by record
    path; ``code_findings`` by the path of their place in code. ``unreadable`` are stores that cannot be listed, ``places`` where two Kiyo stores are
    declared against each other, ``notices`` what a person may want to know of the stores. While ``refusal`` is not empty nothing may be written.
    """

    root: Path
    revision: int
    settings: Settings
    sources: Sources
    files: Files
    stores: tuple[Store, ...] = ()
    records: Mapping[str, Record] = field(default_factory=dict)
    memories: Mapping[str, Memory] = field(default_factory=dict)
    judgements: Mapping[str, tuple[Judgement, ...]] = field(default_factory=dict)
    states: Mapping[str, State] = field(default_factory=dict)
    citing: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    code_findings: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    documents: Mapping[str, OpenDocument] = field(default_factory=dict)
    refusal: str = ""
    problems: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()
    places: tuple[tuple[str, Span], ...] = ()
    notices: tuple[str, ...] = ()

    @property
    def writable(self) -> bool:
        """Whether operations may write to the stores."""
        return not self.refusal

    def store_of(self, path: str) -> Store | None:
        """The store that a document at ``path`` belongs to."""
        return next((store for store in self.stores if store.holds(path)), None)

    def exists(self, path: str) -> bool:
        """Whether something is at ``path`` inside the root, on disk or in a buffer."""
        return path in self.documents or self.files.exists(path)
