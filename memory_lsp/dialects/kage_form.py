"""The Markdown part of a Kage packet: the frontmatter, the text of the form, and where the state stands.

Everything here is a place in the document or a value as it is written there; what it means is for ``kage_parse`` to say.
Offsets are code points of the whole document. Nothing raises, and all of it is linear in the length of the text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from memory_lsp.core.model import Span

HEADING = "## Kage state"
CITATIONS = "# Citations"
FENCE = "```json kage-state"
OURS = "The text above is the form of this memory. memory-lsp keeps the line below in step with it."
"""Stands under the heading of a packet that this program laid out: the body is all between frontmatter and citations."""

_OPENING = re.compile(r"\ufeff?---[ \t]*(?:\r\n|\n|\r)")
_CLOSING = re.compile(r"(?<![^\r\n])---[ \t]*(?:\r\n|\n|\r|\Z)")
_FRONT_LINE = re.compile(r"(?<![^\r\n])([A-Za-z_][\w.-]*)[ \t]*:([^\r\n]*)")
_FENCE_END = re.compile(r"(?<![^\r\n])```[ \t]*(?=[\r\n]|\Z)")
_LINE = re.compile(r"(?<![^\r\n])(evidence|reason):[ \t]*([^\r\n]*)(?:\r\n|\n|\r|\Z)")
_NEWLINE = re.compile(r"\r\n|\n|\r")


class Written(NamedTuple):
    """A value and where it is written. ``readable`` is false for what looks like JSON and is none."""

    value: Any
    span: Span
    readable: bool = True


class FormLine(NamedTuple):
    """A line that a person fills in above the fence: its text, where that is, and the whole line with its line end."""

    text: str
    span: Span
    line: Span


@dataclass(frozen=True, slots=True)
class Form:
    """One Markdown document as a form.

    ``front`` are the frontmatter's values by key, ``repeated`` the keys given twice; ``fronted`` tells that there is closed
    frontmatter at all. ``body`` is what stands between it and the citations (or the heading of the state), ``citations``
    their section. ``fence`` is the line that opens the state, ``state`` what it encloses (both ``None`` without one),
    ``closed`` whether the fence ends. ``headed`` tells that the heading of the state stands above it. ``lines`` are the
    lines that a person fills in, ``ours`` tells that this program made the layout.
    """

    front: Mapping[str, Written]
    repeated: tuple[str, ...]
    fronted: bool
    body: Span
    citations: Span
    fence: Span | None
    state: Span | None
    closed: bool
    headed: bool
    lines: Mapping[str, FormLine]
    ours: bool
    newline: str

    @property
    def markdown(self) -> Span:
        """All that a person reads: from the frontmatter to the fence."""
        return Span(self.body.start, self.fence.start if self.fence else self.citations.end)


def read_form(text: str) -> Form:
    """The places of a packet's document. The last fence counts: what a body quotes stands before it."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    front: dict[str, Written] = {}
    repeated: list[str] = []
    begin = 0
    if opening:
        behind = closing.start() if closing else len(text)
        for match in _FRONT_LINE.finditer(text, opening.end(), behind):
            if match[1] in front:
                repeated.append(match[1])
            front[match[1]] = _written(text, match.start(2), match.end(2))
        begin = closing.end() if closing else len(text)
    fence = _last(FENCE, text, begin, len(text))
    inside = _behind_line_end(text, fence.end) if fence else len(text)
    end = _FENCE_END.search(text, inside) if fence else None
    below = fence.start if fence else len(text)
    heading = _last(HEADING, text, begin, below)
    above = heading.start if heading else below
    cited = _last(CITATIONS, text, begin, above)
    tail = Span(heading.end, below) if heading else Span(below, below)
    newline = _NEWLINE.search(text)
    return Form(
        front,
        tuple(repeated),
        closing is not None,
        Span(begin, cited.start if cited else above),
        Span(cited.end if cited else above, above),
        fence,
        Span(inside, end.start() if end else len(text)) if fence else None,
        end is not None,
        heading is not None,
        {
            match[1]: FormLine(match[2].strip(), Span(match.start(2), match.end(2)), Span(match.start(), match.end()))
            for match in _LINE.finditer(text, tail.start, tail.end)
        },
        OURS in text[tail.start : tail.end],
        newline[0] if newline else "\n",
    )


def _last(line: str, text: str, start: int, end: int) -> Span | None:
    """The last line that reads so, between two offsets."""
    at = text.rfind(line, start, end)
    while at >= 0:
        behind = at + len(line)
        while behind < end and text[behind] in " \t":
            behind += 1
        if (at == 0 or text[at - 1] in "\r\n") and (behind >= end or text[behind] in "\r\n"):
            return Span(at, behind)
        at = text.rfind(line, start, at)
    return None


def _behind_line_end(text: str, at: int) -> int:
    return at + 2 if text.startswith("\r\n", at) else min(at + 1, len(text))


def _written(text: str, start: int, end: int) -> Written:
    """The value of a frontmatter line: JSON, or a plain word as a person writes it."""
    while start < end and text[start] in " \t":
        start += 1
    while end > start and text[end - 1] in " \t":
        end -= 1
    span, raw = Span(start, end), text[start:end]
    if not raw:
        return Written(None, span)
    if raw[0] == '"' and raw[-1] == '"' and raw.count('"') == 2 and "\\" not in raw:
        return Written(raw[1:-1], span)
    try:
        return Written(json.loads(raw), span)
    except (ValueError, RecursionError):
        pass
    if raw[0] == "'" and raw[-1] == "'" and len(raw) > 1:
        return Written(raw[1:-1].replace("''", "'"), span)
    return Written(raw, span, raw[0] not in "\"'[{|>&*!")
