"""The prose of a record: its text without fenced blocks, and the names that it writes in code form."""

from __future__ import annotations

import re

MAX_NAMES = 200
"""More names than this are not taken from one record."""

_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})([^\r\n]*)", re.MULTILINE)
_LINE = re.compile(r"([^\r\n]*)(?:\r\n|\r|\n|\Z)")
_INLINE_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)([^\r\n]+?)(?<!`)\1(?!`)")
_IDENTIFIER = r"[^\W\d][\w$]*"
_QUALIFIED = rf"{_IDENTIFIER}(?:(?:\.|::){_IDENTIFIER})+"
_NAME = re.compile(rf"{_IDENTIFIER}(?:(?:\.|::){_IDENTIFIER})*")
_WHOLE_NAME = re.compile(rf"({_IDENTIFIER}(?:(?:\.|::|#){_IDENTIFIER})*)(?:\(.*\))?[;,]?\Z")
_CODE_FORM = re.compile(rf"(?<![\w./$-])({_QUALIFIED}|{_IDENTIFIER}(?=\((?!s\))))(?![/\w-])")


def blank_fences(text: str) -> str:
    """``text`` with fenced code blocks (CommonMark) replaced by spaces; offsets and line ends stay."""
    if "```" not in text and "~~~" not in text:
        return text
    pieces: list[str] = []
    position = 0
    lines = text.replace("\r", "\n")
    while opening := _FENCE.search(text, position):
        mark = opening[1]
        if mark[0] == "`" and "`" in opening[2]:
            pieces.append(text[position : opening.end()])
            position = opening.end()
            continue
        closing = re.compile(rf"^ {{0,3}}{mark[0]}{{{len(mark)},}}[ \t]*$", re.MULTILINE).search(lines, opening.end())
        end = closing.end() if closing else len(text)
        pieces.append(text[position : opening.start()])
        pieces.append(re.sub(r"[^\r\n]", " ", text[opening.start() : end]))
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def code_names(text: str) -> tuple[str, ...]:
    """Names that a text writes in code form, in order, once each: in backticks, as a call, or qualified.

    ``text`` is prose without fenced blocks. They are candidates: whether a definition has such a name is for the engine
    to say. ``::`` and ``#`` between levels are written ``.``.
    """
    names: dict[str, None] = {}
    for match in _INLINE_CODE.finditer(text):
        code = match[2].strip()
        whole = _WHOLE_NAME.match(code)
        if whole:
            names.setdefault(_dotted(whole[1]))
        elif "/" not in code:
            for found in _CODE_FORM.finditer(code):
                names.setdefault(_dotted(found[1]))
    for found in _CODE_FORM.finditer(_INLINE_CODE.sub(" ", text)):
        names.setdefault(_dotted(found[1]))
    return tuple(names)[:MAX_NAMES]


def first_paragraph(markdown: str) -> tuple[int, int]:
    """Start and end of the first paragraph that is no heading, quote or fenced block; ``(0, 0)`` if there is none."""
    start, end, quoted = -1, 0, False
    for line in _LINE.finditer(blank_fences(markdown)):
        text = line[1].strip()
        if not text or text.startswith("#"):
            if start >= 0 and not quoted:
                break
            start = -1
            continue
        if start < 0:
            start, quoted = line.start(1), text.startswith(">")
        end = line.end(1)
    return (start, end) if start >= 0 and not quoted else (0, 0)


def _dotted(name: str) -> str:
    return name.replace("::", ".").replace("#", ".")
