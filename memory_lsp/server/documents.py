"""Open documents: their text as the client sees it, and whether it is what is on disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from memory_lsp.core.text import LineIndex
from memory_lsp.workspace.files import Files


@dataclass(slots=True)
class Document:
    """One open document under the client's own URI.

    ``root`` is the key of its root (``None``: no store is responsible) and ``path`` its path there. ``saved`` is the
    text on disk as far as known, without byte order mark, ``None`` if there is no such file; ``audited`` is the saved text
    that the audit log explains, or the one found when the document was opened. ``opened`` is the text that the client opened
    it with, until a save was explained: what is found on disk may already be what the client saves next.
    """

    uri: str
    version: int
    text: str
    root: str | None = None
    path: str = ""
    saved: str | None = None
    audited: str | None = None
    opened: str | None = None
    _lines: LineIndex | None = field(default=None, repr=False)

    @property
    def lines(self) -> LineIndex:
        """The line index of the text, made when first needed."""
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines

    def change(self, text: str, version: int) -> None:
        """Replace the text."""
        self.text, self.version, self._lines = text, version, None


def text_on_disk(root: str, path: str) -> str | None:
    """The text of a file of a root, ``None`` if there is none to read."""
    data = Files.of(Path(root)).read(path).data
    if data is None:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")  # what most editors take it for


def without_mark(text: str | None) -> str | None:
    """A text without byte order mark, which editors do not show."""
    return text.removeprefix("\ufeff") if text is not None else None
