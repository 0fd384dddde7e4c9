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
from memory_lsp.core.model import Span

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.outline import Group, Outline

_ALL_NAMES = frozenset({CALL, PLAIN, OWNING})


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
    lines = outline.data.split(b"\n")
    if first < 1 or last < first or first > len(lines):
        return None
    start = sum(len(line) + 1 for line in lines[: first - 1])
    end = start + sum(len(line) + 1 for line in lines[first - 1 : last]) - 1
    while start < end and outline.data[start : start + 1].isspace():
        start += 1
    while end > start and outline.data[end - 1 : end].isspace():
        end -= 1
    for definition in group.definitions:
        if definition.node.start_byte < end and start < definition.node.end_byte:
            return _excerpt(outline, group, definition.top, max(start, definition.top.start_byte), end)
    return None


def excerpt_of_text(outline: Outline, group: Group, text: str) -> Excerpt | None:
    """The statements whose text is ``text``, however indented, where they stand in the symbol for the first time."""
    lines = [re.escape(line.strip()) for line in text.strip().encode("utf-8", "surrogateescape").split(b"\n")]
    pattern = re.compile(rb"[ \t\r]*\n[ \t]*".join(lines))
    for definition in group.definitions:
        found = pattern.search(outline.data, definition.start, definition.end) if text.strip() else None
        if found is not None:
            return _excerpt(outline, group, definition.top, found.start(), found.end())
    return None


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
        if not covered:
            break
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
