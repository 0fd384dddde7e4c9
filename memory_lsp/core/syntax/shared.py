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
    return b"\n".join(line[min(width, len(_indent(line))) :] for line in lines)


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


def write_block(writer: Writer, parts: list[Node], start: int, end: int, width: int, *, bare: bool = False) -> None:
    """Write text from byte ``start`` to ``end`` without ``width`` columns of indentation, its ``parts`` by their rules.

    ``bare`` parts are code without the marks around it: white space beside them is layout.
    """
    position = start
    for part in [*parts, None]:
        stop = end if part is None else part.start_byte
        if stop > position:
            text = writer.data[position:stop].replace(b"\r\n", b"\n")
            text = text.removesuffix(b"\r") if part is None else text
            if bare:
                text = text.lstrip() if position > start else text
                text = text.rstrip() if part is not None else text
            lines = text.split(b"\n")
            first = 0 if position == start or writer.data[position - 1 : position] == b"\n" else 1
            for index in range(first, len(lines)):
                lines[index] = lines[index][min(width, len(_indent(lines[index]))) :]
            writer.token(b"~" + b"\n".join(lines))
        if part is not None:
            writer.node(part)
            position = part.end_byte


def least_indent(text: bytes) -> int:
    """The indentation that all lines with text share."""
    return min((len(_indent(line)) for line in text.split(b"\n") if line.strip()), default=0)


_LONG_RUN = re.compile(rb"(?<![ \t>*+\-?:0-9.)])[ \t>*+\-?:0-9.)]{200}")
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)


def plain_value(text: bytes, quote: bytes) -> bytes | None:
    """The value of a string literal (Ruby, PHP) whose quotes do not matter, or ``None`` where they do."""
    inner = text[1:-1].replace(b"\r\n", b"\n")
    if quote == b"'":
        return re.sub(rb"\\([\\'])", rb"\1", inner)
    if any(match.group(1) not in b"\\\"'" for match in _ESCAPED.finditer(inner)):
        return None
    return None if b"\\'" in inner else _ESCAPED.sub(rb"\1", inner)


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


def only_child(node: Node) -> Node | None:
    """The node's only named child, comments apart."""
    inner = [child for child in node.named_children if not child.type.endswith("comment")]
    return inner[0] if len(inner) == 1 else None


def shallow(markers: bytes, levels: int) -> Callable[[bytes], bytes]:
    """Text for the parser with at most ``levels`` marks of blocks and columns of indentation in a row.

    The scanners of Markdown and YAML keep their open blocks in 1024 bytes and crash when they are more.
    """
    run = re.compile(rb"(?<![ \t>*+\-?:0-9.)])[ \t>*+\-?:0-9.)]{%d,}" % levels)
    deep = re.compile(rb"((?:%s){%d})((?:%s)+)" % (markers, levels, markers))

    def cut(match: re.Match[bytes]) -> bytes:
        return deep.sub(lambda inner: inner.group(1) + b"x" * len(inner.group(2)), match.group())

    def prepare(data: bytes) -> bytes:
        return run.sub(cut, data) if _LONG_RUN.search(data) else data

    return prepare


def enclosing_bracket(node: Node) -> str:
    """The innermost bracket that is open around a node: ``(``, ``[``, ``{``, or ``""`` if there is none."""
    current = node
    while (parent := current.parent) is not None:
        opened: list[str] = []
        for child in parent.children:
            if child.start_byte >= current.start_byte:
                break
            if child.type in ("(", "[", "{", "${"):
                opened.append(child.type[-1])
            elif child.type in (")", "]", "}") and opened:
                opened.pop()
        if opened:
            return opened[-1]
        current = parent
    return ""


def child_of_type(node: Node, *wanted: str) -> Node | None:
    """The first child of one of these kinds."""
    return next((child for child in node.children if child.type in wanted), None)


def text_of(node: Node) -> str:
    """The node's text."""
    return (node.text or b"").decode("utf-8", "replace")
