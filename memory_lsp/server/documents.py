"""Open documents: their text as the client sees it, and whether it is what is on disk."""

from __future__ import annotations

from dataclasses import dataclass, field

from memory_lsp.core.text import LineIndex


@dataclass(slots=True)
class Document:
    """One open document under the client's own URI.

    ``root`` is the key of its root (``None``: no store is responsible) and ``path`` its path there. ``saved`` is the
    text on disk as far as known, without byte order mark, ``None`` if there is no such file; ``audited`` is the saved text
    that the audit log explains, or the one found when the document was opened.
    """

    uri: str
    version: int
    text: str
    root: str | None = None
    path: str = ""
    saved: str | None = None
    audited: str | None = None
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
