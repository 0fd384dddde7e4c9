"""What several languages have in common: modifiers without order, indented text blocks, drilling into a node."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_INDENT = re.compile(rb"[ \t]*")
LINTERS = r"nosemgrep|NOSONAR|NOLINT|noinspection|codeql\[|lgtm\[|coverity\[|\$COVERAGE-IGNORE"
"""Directives of tools that know many languages, as a regular expression."""


def modifiers(writer: Writer, node: Node) -> bool:
    """Modifiers have no order, formatters sort them."""
    written = (writer.apart(child) for child in node.children)
    writer.out += sorted(token for tokens in written for token in tokens)
    return True


def dedented(text: bytes, closing: bytes | None = None) -> bytes:
    """A text block without the indentation that all of its lines share, or that stands before its end."""
    lines = text.replace(b"\r\n", b"\n").split(b"\n")
    if closing is None:
        widths = [len(_indent(line)) for line in lines if line.strip()]
        width = min(widths, default=0)
    else:
        width = len(_indent(closing))
    return b"\n".join(line[min(width, len(_indent(line))) :] if line.strip() else b"" for line in lines)


def _indent(line: bytes) -> bytes:
    match = _INDENT.match(line)
    return match.group() if match else b""


def closed_block(text: bytes, quote: bytes) -> bytes:
    """The value of a text block whose closing quotes give the indentation; of another literal the text itself."""
    text = text.replace(b"\r\n", b"\n")
    start, end = text.find(quote), text.rfind(quote)
    inner = text[start + len(quote) : end]
    if b"\n" not in inner:
        return text
    first, _newline, rest = inner.partition(b"\n")
    lines, _newline, closing = rest.rpartition(b"\n")
    if closing.strip():
        return text
    return text[: start + len(quote)] + first.strip() + b"\n" + dedented(lines, closing)


def flattened(*without: bytes) -> Callable[[Writer, Node], bool]:
    """A handler that writes a node's children without a form of its own and without these tokens."""
    tokens = frozenset(without)

    def write(writer: Writer, node: Node) -> bool:
        writer.children(node, tokens)
        return True

    return write


def stray(*parents: str) -> Callable[[Writer, Node], bool]:
    """A handler for an empty statement: in a list of statements it means nothing."""
    lists = frozenset(parents)

    def write(_writer: Writer, node: Node) -> bool:
        return node.named_child_count == 0 and node.parent is not None and node.parent.type in lists

    return write


def child_of_type(node: Node, *wanted: str) -> Node | None:
    """The first child of one of these kinds."""
    return next((child for child in node.children if child.type in wanted), None)


def text_of(node: Node) -> str:
    """The node's text."""
    return (node.text or b"").decode("utf-8", "replace")
