"""Markdown: white space, bullets, emphasis marks and table padding are layout."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Handler, Rules, kinds
from memory_lsp.core.syntax.shared import shallow

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_EMPHASIS = re.compile(r"(?<![\w\\])_(?=\S)|(?<=[^\s\\])_(?!\w)")
_HTML_COMMENT = re.compile(r"\s*<!--.*?-->\s*\Z", re.DOTALL)


def _words(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("utf-8", "surrogateescape")
    for word in _EMPHASIS.sub("*", text).split():
        writer.token(word.encode("utf-8", "surrogateescape"))
    return True


def _fence(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    writer.token(textwrap.dedent(text).rstrip().encode("utf-8", "surrogateescape"))
    return True


def _mark(name: bytes) -> Handler:
    def write(writer: Writer, _node: Node) -> bool:
        writer.token(name)
        return True

    return write


def _html(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("utf-8", "surrogateescape")
    return bool(_HTML_COMMENT.match(text)) or _words(writer, node)


def _delimiter(writer: Writer, node: Node) -> bool:
    text = writer.text(node).strip()
    writer.token((b":" if text.startswith(b":") else b"") + b"-" + (b":" if text.endswith(b":") else b""))
    return True


_BULLET = _mark(b"-")

RULES = {
    "markdown": Rules(
        comments=frozenset(),
        handlers={
            "inline": _words,
            "heading_content": _words,
            "info_string": _words,
            "code_fence_content": _fence,
            "indented_code_block": _fence,
            "html_block": _html,
            "pipe_table_cell": _words,
            "pipe_table_delimiter_cell": _delimiter,
            "thematic_break": _mark(b"---"),
            "fenced_code_block_delimiter": _mark(b"```"),
            "list_marker_minus": _BULLET,
            "list_marker_star": _BULLET,
            "list_marker_plus": _BULLET,
        },
        ignored=kinds("block_continuation"),
        flat=True,
        prepare=shallow(rb"[ \t>]|[-*+](?=[ \t\r\n])|[0-9]{1,9}[.)](?=[ \t\r\n])", 200),
    )
}
