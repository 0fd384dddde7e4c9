"""Citations as narrow as their claim: some consecutive statements inside a symbol.

An excerpt is kept as text for people and as one hash per statement for judging. It stands while these statements stand,
in order and together, anywhere in the symbol, under the same rules of meaning as everything else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_lsp.core.canonical import CALL, OWNING, PLAIN, Names, Writer, digest, masked
from memory_lsp.core.model import Citation, Span

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.outline import Group, Outline

_ALL_NAMES = frozenset({CALL, PLAIN, OWNING})
LEAST_ALIKE = 15.0
"""Lines are like others from this degree on: by how much rapidfuzz's ratio (0 to 100) is above 50, the mean of all lines."""
MOST_LINES = 40
"""So many lines of a text are looked for where it is not there any more."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Statements of a symbol: their text without common indentation, their hashes behind ``kind:tokens`` (the kind of
    the node that holds them, their size), where they stand (bytes), and their size in tokens."""

    text: str
    hashes: tuple[str, ...]
    span: Span
    tokens: int


def excerpt_of_lines(outline: Outline, group: Group, first: int, last: int) -> Excerpt | None:
    """The statements that lines ``first`` to ``last`` (1-based, inclusive) touch, or ``None`` if there are none in the symbol."""
    span = span_of_lines(outline.data, first, last)
    if span is None:
        return None
    start, end = span.start, span.end
    for definition in group.definitions:
        if definition.node.start_byte < end and start < definition.node.end_byte:
            return _excerpt(outline, group, definition.top, max(start, definition.top.start_byte), end)
    return None


def excerpt_of_text(outline: Outline, group: Group, text: str) -> Excerpt | None:
    """The statements whose text is ``text``, however indented, where they stand in the symbol for the first time."""
    lines = [re.escape(line.strip()) for line in text.strip().encode("utf-8", "surrogateescape").split(b"\n")]
    pattern = re.compile(rb"[ \t\r]*\n[ \t]*".join(lines))
    partly: Excerpt | None = None
    for definition in group.definitions if text.strip() else ():
        for found in pattern.finditer(outline.data, definition.start, definition.end):
            excerpt = _excerpt(outline, group, definition.top, found.start(), found.end())
            if excerpt is not None and _stripped(excerpt.text) == _stripped(text):
                return excerpt
            # A text may also stand inside a longer one, such as a name in another name.
            partly = partly or excerpt
    return partly


def excerpt_like(outline: Outline, group: Group, text: str) -> Excerpt | None:
    """The statements on those lines of the symbol that are most like a text which is not there any more, or ``None`` if
    none are alike."""
    wanted = [line for line in _stripped(text) if line][:MOST_LINES]
    best = (LEAST_ALIKE * len(wanted), 0, 0)
    for definition in group.definitions if wanted else ():
        first = outline.data.count(b"\n", 0, definition.start) + 1
        source = outline.data[definition.start : definition.end].decode("utf-8", "replace")
        lines = [(first + index, line) for index, line in enumerate(_stripped(source)) if line]
        best = max(best, _aligned(wanted, lines), key=lambda found: found[0])
    return excerpt_of_lines(outline, group, best[1], best[2]) if best[1] else None


def excerpt_now(outline: Outline, group: Group, citation: Citation) -> Excerpt | None:
    """The statements that a narrow citation is about where they stand now, else those that are most like them."""
    hashes = citation.fingerprint.excerpt if citation.fingerprint is not None else ()
    span = find_excerpt(outline, group, hashes) if hashes else None
    if span is not None:
        return Excerpt(_text(outline, span), hashes, span, excerpt_size(hashes))
    return excerpt_of_text(outline, group, citation.excerpt) or excerpt_like(outline, group, citation.excerpt)


def _aligned(wanted: list[str], lines: list[tuple[int, str]]) -> tuple[float, int, int]:
    """How well the wanted lines fit in their order into consecutive lines, and the first and last number of these: the
    best local alignment, in which lines are alike by their characters and either side may have lines of its own."""
    from rapidfuzz import fuzz

    best = (0.0, 0, 0)
    above: list[tuple[float, int]] = [(0.0, 0)] * (len(wanted) + 1)
    for number, line in lines:
        row: list[tuple[float, int]] = [(0.0, 0)]
        for index, other in enumerate(wanted):
            score, start = above[index]
            pair = (score + fuzz.ratio(other, line) - 50.0, start or number)
            inserted = (above[index + 1][0] - 5.0, above[index + 1][1])
            left_out = (row[index][0] - 10.0, row[index][1])
            here = max(pair, inserted, left_out, key=lambda found: found[0])
            row.append(here if here[0] > 0 else (0.0, 0))
            if row[-1][0] > best[0]:
                best = (row[-1][0], row[-1][1], number)
        above = row
    return best


def enclosing(outline: Outline, span: Span) -> Group | None:
    """The innermost symbol of which one definition holds all of a span (bytes)."""
    group = outline.at(span.start)
    while group is not None:
        if any(definition.start <= span.start and span.end <= definition.end for definition in group.definitions):
            return group
        path = group.path.rpartition(".")[0]
        group = outline.find(path) if path else None
    return None


def span_of_lines(data: bytes, first: int, last: int) -> Span | None:
    """What stands on lines ``first`` to ``last`` (1-based, inclusive), in bytes, without white space around it; ``None`` if
    nothing does."""
    lines = data.split(b"\n")
    if first < 1 or last < first or first > len(lines):
        return None
    start = sum(len(line) + 1 for line in lines[: first - 1])
    text = b"\n".join(lines[first - 1 : last])
    start, text = start + len(text) - len(text.lstrip()), text.strip()
    return Span(start, start + len(text)) if text else None


def excerpt_size(hashes: tuple[str, ...]) -> int:
    """The number of tokens in the statements with these hashes."""
    size = hashes[0].rpartition(":")[2] if hashes else ""
    return int(size) if size.isdigit() else 0


def find_excerpt(outline: Outline, group: Group, hashes: tuple[str, ...]) -> Span | None:
    """Where statements with these hashes stand together in the symbol (bytes), or ``None``."""
    kind, wanted = hashes[0].rpartition(":")[0], list(hashes[1:])
    for definition in group.definitions:
        for node in _nodes(definition.top, kind):
            children = _statements(outline, node)
            codes = [_hash(outline, group, child)[0] for child in children]
            for index in range(len(codes) - len(wanted) + 1):
                if codes[index : index + len(wanted)] == wanted:
                    return Span(children[index].start_byte, children[index + len(wanted) - 1].end_byte)
    return None


def _excerpt(outline: Outline, group: Group, node: Node, start: int, end: int) -> Excerpt | None:
    """The smallest run of children of one node that covers the bytes ``start`` to ``end``."""
    found: tuple[Node, list[Node]] | None = None
    current: Node | None = node
    while current is not None:
        covered = [item for item in _statements(outline, current) if item.start_byte < end and start < item.end_byte]
        every = len(covered) == len(_statements(outline, current))
        if not covered or (every and found is not None and current.type not in outline.rules.blocks):
            break  # all parts of a statement are the statement
        found = (current, covered)
        inner = covered[0]
        wider = len(covered) == 1 and inner.start_byte <= start and end <= inner.end_byte
        exact = (inner.start_byte, inner.end_byte) == (start, end) and inner.type not in outline.rules.blocks
        current = inner if wider and not exact else None
    if found is None:
        return None
    parent, statements = found
    codes = [_hash(outline, group, item) for item in statements]
    span = Span(statements[0].start_byte, statements[-1].end_byte)
    tokens = sum(size for _code, size in codes)
    if not tokens:
        return None
    return Excerpt(_text(outline, span), (f"{parent.type}:{tokens}", *(code for code, _size in codes)), span, tokens)


def _stripped(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]


def _nodes(node: Node, kind: str) -> Iterator[Node]:
    stack = [node]
    while stack:
        item = stack.pop()
        if item.type == kind:
            yield item
        stack.extend(reversed(item.children))


def _statements(outline: Outline, node: Node) -> list[Node]:
    return [child for child in node.named_children if child.type not in outline.rules.comments]


def _hash(outline: Outline, group: Group, node: Node) -> tuple[str, int]:
    writer = Writer(outline.data, outline.rules, Names(group.name.encode()))
    writer.node(node)
    writer.flush()
    return digest(masked(writer.out, writer.marks, _ALL_NAMES)), writer.tokens


def _text(outline: Outline, span: Span) -> str:
    """The text of a span without the indentation of its first line."""
    start = outline.data.rfind(b"\n", 0, span.start) + 1
    indent = outline.data[start : span.start]
    text = outline.data[span.start : span.end].replace(b"\r\n", b"\n")
    if not indent.strip():
        text = b"\n".join(line.removeprefix(indent) for line in text.split(b"\n"))
    return text.decode("utf-8", "surrogateescape")
