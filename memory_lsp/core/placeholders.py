"""Placeholders: what a person still has to write into a prefilled record (design section 6, the document is the form).

A placeholder reads ``<evidence: what did you check?>``: an angle bracket, the name of the field, a colon, what to fill
in, and the closing bracket, on one line. Records are made with them and read for them; a field that holds one does not
count.
"""

from __future__ import annotations

import re

from memory_lsp.core.model import Span

QUESTIONS = {
    "title": "one line that names the claim",
    "statement": "the claim, in one or two sentences",
    "why": "why is it so?",
    "evidence": "what did you check?",
    "reason": "why does it no longer hold?",
}
"""What each field asks for."""

_BRACKETED = re.compile(r"<[^<>]*>")
_PLACEHOLDER = re.compile(r"<([a-z_]+): ([^<>\r\n]+)>")


def placeholder(field: str) -> str:
    """The placeholder of a field, for example ``<evidence: what did you check?>``."""
    return f"<{field}: {QUESTIONS[field]}>"


def find_placeholders(text: str, start: int = 0, end: int | None = None) -> tuple[tuple[str, Span], ...]:
    """Field name and span (code points of ``text``) of every placeholder in ``text[start:end]``.

    Only fields of ``QUESTIONS`` count, so that ``<key: value>`` in prose is no placeholder.
    """
    limit = len(text) if end is None else end
    return tuple(
        (match[1], Span(match.start(), match.end()))
        for match in _PLACEHOLDER.finditer(text, start, limit)
        if match[1] in QUESTIONS
    )


def is_filled(text: str) -> bool:
    """Whether a value is something a person wrote: it holds a letter or a digit, no placeholder, and is not one as a whole."""
    said = any(character.isalnum() for character in text)
    return said and not find_placeholders(text) and not _BRACKETED.fullmatch(text.strip())
