"""The ``source`` of a Kiyo record as citations (shared rules section 5).

Segments are split at ``;``, a path segment once more at ``, ``, never inside backticks or links. What a word names is asked of
``Known``; without it only the form of a word decides. What names nothing is a note, never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Span
from memory_lsp.dialects.kiyo_read import is_placeholder

_EXTENSION = re.compile(r"[^/\\\s]*[^/\\\s.]\.(?P<ext>[A-Za-z][A-Za-z0-9]{0,9})(?:[:#].*)?\Z")
_OTHER = frozenset(
    [
        "adoc",
        "cfg",
        "conf",
        "config",
        "csproj",
        "csv",
        "env",
        "gradle",
        "html",
        "ini",
        "json",
        "lock",
        "md",
        "properties",
        "proto",
        "rst",
        "sln",
        "sql",
        "svg",
        "tf",
        "toml",
        "txt",
        "xml",
        "yaml",
        "yml",
        "css",
        "scss",
    ]
)
_LINES = re.compile(r"(?:lines?\s+|L)(\d+)(?:\s*[-–]\s*L?(\d+))?\Z", re.IGNORECASE)
_AT = re.compile(r"(?P<path>.+?):(?P<first>\d+)(?:-(?P<last>\d+))?\Z")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*(?:\(\))?\Z")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)\Z")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the repository: whether a path is or was a file or folder, the full symbol path of a name in a file
    (now or when it was verified; empty if there is none), and whether a word is the id of a record."""

    is_path: Callable[[str], bool] = lambda path: False
    symbol: Callable[[str, str], str] = lambda path, name: ""
    is_id: Callable[[str], bool] = lambda word: False


@dataclass(frozen=True, slots=True)
class Sourced:
    """What a ``source`` says: its kind, citations in order, ids of related records, and notes."""

    kind: str = ""
    citations: tuple[Citation, ...] = ()
    related: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


NOTHING = Known()


def read_source(value: str, start: int, known: Known = NOTHING) -> Sourced:
    """What a value (as written, wrapped lines included) says; ``start`` is where it stands in the document."""
    citations: list[Citation] = []
    related: list[str] = []
    notes: list[str] = []
    kind = ""
    path = ""
    for number, (text, span) in enumerate(_segments(value, start)):
        word, target = _word(text)
        if not word or word.upper() == "UNKNOWN" or is_placeholder(word):
            continue
        if known.is_id(word):
            related.append(word)
            continue
        if _URL.match(word):
            notes.append(word)
            continue
        if path and not target:
            inside = _inside(path, word, known)
            if inside is not None:
                _narrow(citations, inside, path, span)
                continue
        if is_path(word, known):
            cited = _cited(word, span, known)
            citations.append(cited)
            path = cited.path
            continue
        if number == 0:
            kind = word
        else:
            notes.append(word)
    return Sourced(kind, tuple(citations), tuple(related), tuple(notes))


def is_path(word: str, known: Known = NOTHING) -> bool:
    """Whether a word is a path: no white space, and known, or with a ``/`` or a known extension."""
    if re.search(r"\s", word) or word.endswith("()"):
        return False
    bare = re.split(r"[#:]", word, maxsplit=1)[0] if not re.match(r"[A-Za-z]:[\\/]", word) else word
    if "/" in word or "\\" in word or known.is_path(bare):
        return True
    match = _EXTENSION.match(word)
    return match is not None and (language_of(bare) is not None or match["ext"].lower() in _OTHER)


def _segments(value: str, start: int) -> Iterator[tuple[str, Span]]:
    """Pieces between ``;`` (and, in a segment that holds a path, between ``, ``), trimmed, with their spans."""
    for first, last in _split(value, 0, len(value), ";"):
        pieces = list(_split(value, first, last, ", "))
        if len(pieces) > 1 and not is_path(_word(_strip(value, *pieces[0])[0])[0]):
            pieces = [(first, last)]
        for left, right in pieces:
            text, offset = _strip(value, left, right)
            if text:
                yield re.sub(r"\s+", " ", text), Span(start + offset, start + offset + len(text))


def _strip(value: str, first: int, last: int) -> tuple[str, int]:
    text = value[first:last]
    return text.strip(), first + len(text) - len(text.lstrip())


def _split(value: str, first: int, last: int, mark: str) -> Iterator[tuple[int, int]]:
    ticks = False
    brackets = parens = 0
    at = first
    position = first
    while position < last:
        letter = value[position]
        if letter == "`":
            ticks = not ticks
        elif not ticks:
            if letter == "[":
                brackets += 1
            elif letter == "]":
                brackets = max(0, brackets - 1)
            elif letter == "(" and value[position - 1 : position] == "]":
                parens += 1
            elif letter == ")" and parens:
                parens -= 1
            elif not brackets and not parens and value.startswith(mark, position):
                yield at, position
                position += len(mark)
                at = position
                continue
        position += 1
    yield at, last


def _word(text: str) -> tuple[str, bool]:
    """A segment without backticks; a link counts by its target, else by its text. Whether it was a target."""
    link = _LINK.match(text)
    if link:
        target = link[2].strip()
        return (target, True) if target else (link[1].strip().strip("`"), False)
    return text.strip("`").strip(), False


def _inside(path: str, word: str, known: Known) -> tuple[str, tuple[int, int] | None] | None:
    """What a word after a path names in that file: a symbol or lines."""
    lines = _LINES.match(word)
    if lines:
        first, last = int(lines[1]), int(lines[2] or lines[1])
        return "", (min(first, last), max(first, last))
    name = word.removesuffix("()")
    symbol = known.symbol(path, name)
    if symbol:
        return symbol, None
    # Only a word in code form is taken for a name that nothing has.
    if _NAME.match(word) and not is_path(word, known) and language_of(path) not in (None, "markdown"):
        coded = word.endswith("()") or "_" in word or "." in word or any(letter.isupper() for letter in word[1:])
        if coded or (known is NOTHING):
            return name, None
    return None


def _narrow(citations: list[Citation], inside: tuple[str, tuple[int, int] | None], path: str, span: Span) -> None:
    """The path's own citation becomes narrower; a second name in the file is a citation of its own."""
    symbol, lines = inside
    last = citations[-1]
    spans = {**last.spans, "symbol": span}
    made = Citation(path, symbol, lines, span=Span(last.spans["path"].start, span.end), spans=spans)
    if last.path == path and not last.symbol and not last.lines:
        citations[-1] = made
    else:
        citations.append(made)


def _cited(word: str, span: Span, known: Known) -> Citation:
    if not re.match(r"[A-Za-z]:[\\/]|\\\\", word):
        word = word.replace("\\", "/")
    at = _AT.match(word)
    if at and "#" not in word:
        first, last = int(at["first"]), int(at["last"] or at["first"])
        citation = Citation(at["path"].removeprefix("./"), lines=(min(first, last), max(first, last)))
    else:
        citation = parse_citation(word)
    if citation.symbol:
        full = known.symbol(citation.path, citation.symbol)
        citation = Citation(citation.path, full or citation.symbol)
    spans = {"path": span, "symbol": span} if citation.symbol else {"path": span}
    return Citation(citation.path, citation.symbol, citation.lines, span=span, spans=spans)
