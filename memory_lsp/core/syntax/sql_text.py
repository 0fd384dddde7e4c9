"""Reading SQL without a grammar: tokens, statements, and what a ``CREATE`` statement creates.

The grammar knows one dialect in part; routines, table constraints and options of others are errors to it. ``prepared`` gives it
text of the same length in which such statements are replaced by something that it reads, so that every object has a node at its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser

MARK = 1
"""A byte of replaced text that no source holds."""
_PATTERN = (
    rb"(?P<comment>--[^\n]*|/\*.*?\*/)"
    rb"|(?P<string>[eE]'(?:\\.|''|[^'\\])*'|(?:[nNbBxXrR]|_utf8)?'(?:''|%s[^'])*')"
    rb"|(?P<dollar>(?P<tag>\$(?:[^\W\d]\w*)?\$).*?(?P=tag))"
    rb"|(?P<name>\"(?:\"\"|[^\"])*\"|`[^`]*`|\[[^\W\d][\w $]*\])"
    rb"|(?P<word>[^\W\d][\w$#@]*|@@?\w+|#\w+)"
    rb"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)"
    rb"|(?P<operator>::|:=|<=>|<>|!=|<=|>=|=>|->>|->|\|\||&&|\S)"
)
_STANDARD = re.compile(_PATTERN % b"", re.DOTALL)
_BACKSLASHES = re.compile(_PATTERN % rb"\\.|", re.DOTALL)
"""MySQL escapes quotes in strings by a backslash, which the standard takes for itself."""
_LONE = frozenset({b"'", b'"', b"`"})
KINDS = tuple(
    b"table view function procedure index trigger type sequence domain schema package policy rule aggregate event synonym".split()
)
FIRST_KIND = 14
"""The byte in replaced text that says the first of ``KINDS``."""
_BODIES = {
    b"function": b"as is begin",
    b"procedure": b"as is begin",
    b"package": b"as is",
    b"view": b"as",
    b"trigger": b"for execute begin when as",
    b"index": b"on",
}
_ROUTINES = frozenset(b"function procedure package trigger event".split())
_WITHOUT_BLOCK = frozenset(
    b"select with insert update delete begin return external language table merge values set replace".split()
)
_CONSTRAINTS = frozenset(
    b"constraint primary foreign unique check key index exclude like fulltext spatial period".split()
)
_END_OF_PART = frozenset(b"if loop while repeat for".split())


@dataclass(frozen=True, slots=True)
class Token:
    """One token: its kind (a group of the pattern) and its bytes."""

    kind: str
    start: int
    end: int
    text: bytes

    @property
    def word(self) -> bytes:
        """The word in lower case, empty for other tokens."""
        return self.text.lower() if self.kind == "word" else b""


@dataclass(frozen=True, slots=True)
class Created:
    """What a statement creates: kind, tokens, and the indices of the name's tokens."""

    kind: bytes
    tokens: list[Token]
    first: int
    last: int


@lru_cache(maxsize=16)
def _pattern(data: bytes) -> re.Pattern[bytes]:
    """How this source escapes quotes: as the standard does, unless that leaves one without its partner."""
    if b"\\'" in data and _is_torn(_STANDARD, data) and not _is_torn(_BACKSLASHES, data):
        return _BACKSLASHES
    return _STANDARD


def _is_torn(pattern: re.Pattern[bytes], data: bytes) -> bool:
    return any(match.lastgroup == "operator" and match.group() in _LONE for match in pattern.finditer(data))


def tokens(data: bytes, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of some text."""
    found = []
    for match in _pattern(data).finditer(data, start, len(data) if end is None else end):
        kind = match.lastgroup or "operator"
        kind = "dollar" if kind == "tag" else kind
        found.append(Token(kind, match.start(), match.end(), match.group()))
    return found


def statements(data: bytes, separators: list[tuple[int, int]] | None = None) -> list[list[Token]]:
    """The tokens of each statement, without its terminator and without comments; those that never end are left out.

    ``separators`` collects where a client's own words end statements (``DELIMITER //``, ``GO``), in bytes.
    """
    separators = [] if separators is None else separators
    found: list[list[Token]] = []
    current: list[Token] = []
    terminator = b";"
    depth = blocks = 0
    waiting = False
    skip_to = 0
    items = [token for token in tokens(data) if token.kind != "comment"]
    for index, token in enumerate(items):
        if token.start < skip_to:
            continue
        word = token.word
        if not current and word == b"delimiter":
            skip_to = (data.find(b"\n", token.start) + 1) or len(data)
            terminator = data[token.end : skip_to].strip() or b";"
            separators.append((token.start, skip_to))
            continue
        alone = word == b"go" and not data[data.rfind(b"\n", 0, token.start) + 1 : token.start].strip()
        ended = token.text == b";" if terminator == b";" else data.startswith(terminator, token.start)
        if (ended and not depth and not blocks and not waiting) or (alone and current and not depth):
            if current:
                found.append(current)
            current, depth, blocks, waiting = [], 0, 0, False
            skip_to = token.end if alone or terminator == b";" else token.start + len(terminator)
            if token.text != b";":
                separators.append((token.start, skip_to))
            continue
        current.append(token)
        depth += (token.text == b"(") - (token.text == b")")
        if word in (b"begin", b"case", b"as", b"is", b"end") and _is_routine(current):
            following = items[index + 1] if index + 1 < len(items) else None
            blocks, waiting = _block(word, current, following, blocks, waiting)
    if current and not depth and not blocks and not waiting:
        found.append(current)
    return found


def _is_routine(current: list[Token]) -> bool:
    return current[0].word == b"create" and any(token.word in _ROUTINES for token in current[1:9])


def _block(word: bytes, current: list[Token], following: Token | None, blocks: int, waiting: bool) -> tuple[int, bool]:
    """How many blocks are open behind ``word``, and whether declarations stand in front of one."""
    after = following.word if following is not None else b""
    if word in (b"as", b"is"):
        first = sum(1 for token in current if token.word in (b"as", b"is")) == 1
        plain = following is None or following.kind != "word" or after in _WITHOUT_BLOCK
        return blocks, waiting or (first and not blocks and not plain)
    if word == b"end":
        return (blocks if after in _END_OF_PART else max(0, blocks - 1)), waiting
    if word == b"case" and len(current) > 1 and current[-2].word == b"end":
        return blocks, waiting
    return blocks + 1, False


def created(statement: list[Token]) -> Created | None:
    """What the statement creates, if it is a ``CREATE`` with a name."""
    if statement[0].word != b"create":
        return None
    at = next((index for index, token in enumerate(statement[:14]) if token.word in KINDS), 0)
    if not at:
        return None
    kind = statement[at].word
    at += 1
    while at < len(statement) and statement[at].word in (b"if", b"not", b"exists", b"concurrently", b"body"):
        at += 1
    last = at
    if at >= len(statement) or statement[at].kind not in ("word", "name") or statement[at].word == b"on":
        return None
    while last + 2 < len(statement) and statement[last + 1].text == b".":
        last += 2
    return Created(kind, statement, at, last)


def body_start(item: Created) -> int | None:
    """Index of the token with which the body begins; ``None`` if nothing stands behind the name."""
    after = item.last + 1
    if after >= len(item.tokens):
        return None
    words = _BODIES.get(item.kind, b"").split()
    depth = 0
    for index in range(after, len(item.tokens)):
        token = item.tokens[index]
        depth += (token.text == b"(") - (token.text == b")")
        if not depth and (token.word in words or (words and token.kind == "dollar")):
            return index
    return after


def prepared(data: bytes) -> bytes:
    """Text of the same length and lines for the grammar."""
    if _is_torn(_pattern(data), data):
        return data
    separators: list[tuple[int, int]] = []
    items = [item for statement in statements(data, separators) if (item := created(statement)) is not None]
    if not items:
        return data
    text = bytearray(data)
    for start, end in separators:
        _fill(text, start, end)
        if not data[start:end].lower().startswith(b"delimiter"):
            text[start] = ord(";")
    views = []
    for item in items:
        _name(text, item)
        if item.kind == b"view":
            views.append(item)
        elif item.kind != b"table" or not _table(text, item):
            _object(text, item)
    if views:
        root = _parser().parse(bytes(text)).root_node
        if root.has_error:
            for item in views:
                start, end = item.tokens[0].start, item.tokens[-1].end
                found = root.descendant_for_byte_range(start, end)
                if found is None or found.has_error or found.type == "program":
                    _object(text, item)
    return bytes(text)


@cache
def _parser() -> Parser:
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    return Parser(get_language("sql"))


def _fill(text: bytearray, start: int, end: int, with_byte: int = 32) -> None:
    for index in range(start, end):
        if text[index] not in b"\r\n":
            text[index] = with_byte


def _put(text: bytearray, at: int, what: bytes) -> None:
    text[at : at + len(what)] = what


def _name(text: bytearray, item: Created) -> None:
    """Quotes of other dialects as the grammar knows them."""
    for token in item.tokens[item.first : item.last + 1]:
        if token.kind == "name":
            text[token.start] = text[token.end - 1] = ord('"')


def _object(text: bytearray, item: Created) -> None:
    """``SELECT/*mark*/name ,'body'``."""
    start, name = item.tokens[0].start, item.tokens[item.first].start
    behind, end = item.tokens[item.last].end, item.tokens[-1].end
    _fill(text, start, name)
    _put(text, start, b"SELECT")
    room = [
        index for index in range(start + 6, name - 1) if text[index] not in b"\r\n" and text[index + 1] not in b"\r\n"
    ]
    opening = room[0]
    closing = room[-1]
    if closing < opening + 3:
        return
    _fill(text, opening, closing + 2, MARK)
    if text[opening + 2] == MARK:
        text[opening + 2] = FIRST_KIND + KINDS.index(item.kind)
    _put(text, opening, b"/*")
    _put(text, closing, b"*/")
    _fill(text, behind, end)
    at = body_start(item)
    if at is None:
        return
    body = max(item.tokens[at].start, behind + 1)
    if end - body < 2:
        return
    _fill(text, body, end, ord("x"))
    text[body - 1] = ord(",")
    text[body] = text[end - 1] = ord("'")


def _table(text: bytearray, item: Created) -> bool:
    """``CREATE TABLE name (column int, ...)`` with a column for each constraint and for what follows the columns.

    Returns whether there are columns; those that make no sense are left for the grammar to say so.
    """
    behind = item.last + 1
    if behind >= len(item.tokens) or item.tokens[behind].text != b"(":
        return False
    parts, closing = _parts(item.tokens, behind)
    if closing is None or any(not part or _short(part) for part in parts):
        return True
    start, name = item.tokens[0].start, item.tokens[item.first].start
    _fill(text, start, name)
    _put(text, start, b"CREATE TABLE")
    for part in parts:
        first, end = part[0], part[-1].end
        _fill(text, first.end, end)
        if first.word in _CONSTRAINTS and not _is_column(part):
            _fill(text, first.start, first.end, ord("_"))
        elif first.kind == "name":
            text[first.start] = text[first.end - 1] = ord('"')
        _put(text, end - 3, b"int")
    last = item.tokens[-1].end
    options = item.tokens[closing].end
    _fill(text, options, last)
    if last - options >= 6:
        text[options - 1] = ord(",")
        text[item.tokens[closing + 1].start] = ord("_")
        _put(text, last - 4, b"int)")
    return True


def _parts(items: list[Token], opening: int) -> tuple[list[list[Token]], int | None]:
    """The tokens between commas in a pair of parentheses, and the index of the closing one."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for index in range(opening, len(items)):
        token = items[index]
        if token.text in (b"(", b"["):
            depth += 1
            if depth == 1:
                continue
        elif token.text in (b")", b"]"):
            depth -= 1
            if not depth:
                return parts, index
        elif token.text == b"," and depth == 1:
            parts.append([])
            continue
        parts[-1].append(token)
    return parts, None


def _short(part: list[Token]) -> bool:
    """Whether there is no room for a type behind the first token."""
    return part[0].kind not in ("word", "name") or part[-1].end - part[0].end < 4


def _is_column(part: list[Token]) -> bool:
    """A column may be called ``key`` or ``index``: then a type follows, and no parenthesis."""
    if part[0].word not in (b"key", b"index", b"period", b"like"):
        return False
    following = part[1] if len(part) > 1 else part[0]
    return (
        following.kind == "word"
        and part[0].word != b"like"
        and (len(part) == 2 or part[2].text != b"(" or part[0].word == b"period")
    )
