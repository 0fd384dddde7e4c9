"""Markdown: white space, bullets, emphasis marks and table padding are layout."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Handler, Named, Rules, kinds
from memory_lsp.core.syntax.shared import flattened, shallow, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_EMPHASIS = re.compile(r"(?<![\w\\])_(?=\S)|(?<=[^\s\\])_(?!\w)")
_HTML_COMMENT = re.compile(r"\s*<!--.*?-->\s*\Z", re.DOTALL)


_HEADINGS = kinds("atx_heading setext_heading")
_PLACES = kinds("section document")
_CLOSING = re.compile(r"(?<=\S)[ \t]+#+[ \t]*\Z")
_HARD_BREAK = re.compile(r"(?:(?<!\\)((?:\\\\)*)\\|[ ]{2,})\r?\n")


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    """A heading with the blocks of its section."""
    if name is None or node.parent is None or node.parent.type not in _PLACES or _quoted(node.parent):
        return None
    return Named(node, name, kind, (" ".join(_title(node, text_of(name)).split()),), tuple(_section(node)))


def _title(parent: Node | None, text: str) -> str:
    """A heading's text without the marks that may close it."""
    return _CLOSING.sub("", text) if parent is not None and parent.type == "atx_heading" else text


def _quoted(section: Node) -> bool:
    """Whether a section stands inside a quotation or list."""
    parent = section.parent
    while parent is not None and parent.type in _PLACES:
        parent = parent.parent
    return parent is not None


def _level(heading: Node) -> int:
    mark = heading.children[0 if heading.type == "atx_heading" else -1].type
    return next((int(character) for character in mark if character.isdigit()), 6)


def _section(heading: Node) -> Iterator[Node]:
    """The blocks up to the next heading of the same or a higher level.

    The grammar nests what follows a heading with ``#`` only, so an underlined heading may end sections or reach over their end.
    """
    level = _level(heading)
    current: Node | None = heading
    while current is not None:
        following = current.next_sibling
        while following is not None and following.type == "section" and following.child_count:
            following = following.children[0]
        if following is None:
            parent = current.parent
            current = parent if parent is not None and parent.type == "section" else None
            continue
        if following.type in _HEADINGS and _level(following) <= level:
            return
        yield following
        current = following


def _heading(writer: Writer, node: Node) -> bool:
    """``# A`` is ``A`` over a line of ``=``."""
    writer.open("heading")
    writer.token(b"#" * _level(node))
    for child in node.named_children:
        if child.type in ("inline", "paragraph"):
            writer.children(child) if child.type == "paragraph" else writer.node(child)
    writer.close()
    return True


def _inline(writer: Writer, node: Node) -> bool:
    """Words, and the line ends that are shown: behind two spaces or a backslash."""
    text = _title(node.parent, writer.text(node).decode("utf-8", "surrogateescape"))
    for index, piece in enumerate(_HARD_BREAK.split(text)):
        _write_words(writer, piece or "")
        if index % 2:
            writer.token(b"\\\n")
    return True


def _words(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("utf-8", "surrogateescape")
    _write_words(writer, text)
    return True


def _write_words(writer: Writer, text: str) -> None:
    for word in _EMPHASIS.sub("*", text).split():
        writer.token(word.encode("utf-8", "surrogateescape"))


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
            "inline": _inline,
            "section": flattened(),
            "atx_heading": _heading,
            "setext_heading": _heading,
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
        identify=_identify,
        prepare=shallow(rb"[ \t>]|[-*+](?=[ \t\r\n])|[0-9]{1,9}[.)](?=[ \t\r\n])", 200),
    )
}
