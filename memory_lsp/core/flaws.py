"""Errors that a grammar lets pass: Python text whose lines and indentation Python itself does not read.

tree-sitter's grammar takes a statement at any depth or over a line end, and a block without statements. While someone types, such a text no more
parses than one with an open bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory_lsp.core.model import Span

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.outline import Outline

_CLAUSES = frozenset({"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause"})
_COMPOUND = _CLAUSES | {
    "function_definition", "class_definition", "decorated_definition", "if_statement", "for_statement", "while_statement",
    "with_statement", "try_statement", "match_statement", "case_clause",
}  # fmt: skip
_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")
_WHOLE = frozenset({"string", "comment", "block", "line_continuation"})
_CONTINUED = re.compile(rb":[ \t]*\\\r?\n\Z")
"""Behind such a line the block goes on as if on the same line."""
_NO_STATEMENT = frozenset({"comment", "line_continuation", "ERROR"})


def problems(item: Outline) -> tuple[Span, ...]:
    """Everything in a text that does not parse: the grammar's errors, and the flaws that it lets pass."""
    return (*item.errors, *flaws(item))


def flaws(item: Outline, within: Span | None = None) -> Iterator[Span]:
    """Where Python does not read what the grammar reads, in bytes; for other languages nothing. ``within``: only there."""
    if item.language == "python":
        yield from _block(item.tree.root_node, item.data, 0, within)


def _block(block: Node, data: bytes, width: int, within: Span | None) -> Iterator[Span]:
    """``width``: the indentation that its statements must have."""
    for child in block.named_children:
        if child.type in _NO_STATEMENT or not _meets(child, within):
            continue
        found = _indentation(child, data)
        if found is not None and found != width:
            yield Span(child.start_byte, child.end_byte)
        if child.type in _COMPOUND:
            yield from _compound(child, data, width if found is None else found, within)
        elif child.type not in _WHOLE and child.start_point[0] != child.end_point[0] and _torn(child, data):
            yield Span(child.start_byte, child.end_byte)


def _compound(node: Node, data: bytes, width: int, within: Span | None) -> Iterator[Span]:
    """A statement with a block, at indentation ``width``."""
    if node.type != "decorated_definition" and _torn(node, data, header=True):
        yield Span(node.start_byte, node.end_byte)
    for child in node.named_children:
        kind = child.type
        if kind == "block":
            inner = [item for item in child.named_children if item.type not in _NO_STATEMENT]
            if not inner:
                yield Span(node.start_byte, max(child.start_byte, node.start_byte + 1))
                continue
            first = _indentation(inner[0], data)
            if first is not None and first <= width:
                yield Span(inner[0].start_byte, inner[0].end_byte)
            yield from _block(child, data, width if first is None else first, within)
        elif kind in _CLAUSES or (node.type == "decorated_definition" and kind in _COMPOUND):
            found = _indentation(child, data)
            if found is not None and found != width:
                yield Span(child.start_byte, child.end_byte)
            yield from _compound(child, data, width, within)
        elif kind == "parameters" and child.named_child_count:
            last = [item for item in child.named_children if item.type not in _NO_STATEMENT][-1:]
            if last and last[0].type == "keyword_separator":
                yield Span(child.start_byte, child.end_byte)


def _torn(node: Node, data: bytes, *, header: bool = False) -> bool:
    """Whether a statement (``header``: as far as its colon) runs over a line end outside of brackets and strings."""
    depth, end = 0, node.start_byte
    for child in node.children:
        kind = child.type
        if depth == 0 and b"\n" in data[end : child.start_byte].replace(b"\\\n", b"").replace(b"\\\r\n", b""):
            return True
        if kind in _OPENING:
            depth += 1
        elif kind in _CLOSING:
            depth -= 1
        elif header and depth == 0 and kind == ":":
            return False
        elif depth == 0 and kind not in _WHOLE and child.start_point[0] != child.end_point[0] and _torn(child, data):
            return True
        end = child.end_byte
    return False


def _meets(node: Node, within: Span | None) -> bool:
    return within is None or (node.start_byte <= within.end and within.start <= node.end_byte)


def _indentation(node: Node, data: bytes) -> int | None:
    """The width of what stands in front of a node on its line; ``None`` if that is not white space alone."""
    line = data.rfind(b"\n", 0, node.start_byte) + 1
    before = data[line : node.start_byte].removeprefix(b"\xef\xbb\xbf")
    if before.strip(b" \t\f") or _CONTINUED.search(data, max(0, line - 80), line):
        return None
    return len(before.rsplit(b"\f", 1)[-1].expandtabs(8))
