"""Stores' record formats: documents in, memories and text edits out. Every dialect is a module with the same functions.

``NAME``; ``recognise(path, text) -> bool``; ``parse(path, text) -> Parsed``, which never raises;
``edit(text, memory, change) -> tuple[TextEdit, ...] | Refusal``; ``create(draft, folder, existing) -> (path, text)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

from memory_lsp.core.model import Memory, Parsed, Refusal, TextEdit
from memory_lsp.dialects import kage, kiyo, okf
from memory_lsp.dialects.change import Change, Draft


class Dialect(Protocol):
    """The functions of a dialect's module."""

    @property
    def NAME(self) -> str: ...

    def recognise(self, path: str, text: str) -> bool: ...

    def parse(self, path: str, text: str) -> Parsed: ...

    def edit(self, text: str, memory: Memory, change: Change) -> tuple[TextEdit, ...] | Refusal: ...

    def create(self, draft: Draft, folder: str, existing: Callable[[str], bool]) -> tuple[str, str]: ...


DIALECTS: Mapping[str, Dialect] = MappingProxyType({okf.NAME: okf, kage.NAME: kage, kiyo.NAME: kiyo})
"""The dialects by name."""


def parse(dialect: str, path: str, text: str) -> Parsed:
    """What a dialect reads from a document; nothing for a dialect that is not known."""
    known = DIALECTS.get(dialect)
    return known.parse(path, text) if known else Parsed()
