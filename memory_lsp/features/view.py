"""What every feature gets: one open document and the snapshot that its answer is computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memory_lsp.core.text import LineIndex
from memory_lsp.workspace.snapshot import Snapshot

Link = Callable[[str, int], str]
"""The address of a line (zero-based) in a file of the root, for links in text."""


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document at ``path`` of the root. Offsets that go in and out of features are code points of ``lines.text``."""

    snapshot: Snapshot
    path: str
    lines: LineIndex
