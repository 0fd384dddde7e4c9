"""SQL: objects by name; the case of keywords, white space and comments mean nothing."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Handler, Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, text_of
from memory_lsp.core.syntax.sql_text import FIRST_KIND, KINDS, MARK, Token, prepared, tokens

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_LEVEL = re.compile(r'\s*("(?:""|[^"])*"|`[^`]*`|[^.\s"]+)\s*(?:\.|$)')
_MARKED = bytes([MARK])


@cache
def _keywords() -> frozenset[bytes]:
    """The keywords that the grammar knows, in lower case."""
    return frozenset(kind.removeprefix("keyword_").encode() for kind in _kinds() if kind.startswith("keyword_"))


@cache
def _kinds() -> tuple[str, ...]:
    from tree_sitter_language_pack import get_language

    language = get_language("sql")
    return tuple(kind for index in range(language.node_kind_count) if (kind := language.node_kind_for_id(index)))


def _levels(text: str) -> tuple[str, ...]:
    found = [match.group(1) for match in _LEVEL.finditer(text)]
    return tuple(level[1:-1] if level[:1] in '"`' else level for level in found)


def _identify(kind: str, node: Node, name: Node | None, bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    text = text_of(name)
    name = _last(name)
    if kind == "object":
        return _object(node, name, text)
    if kind == "field":
        parent = node.parent
        if not text.strip("_") or parent is None or parent.type != "column_definitions":
            return None
    return Named(node, name, kind, _levels(text), bodies if kind != "field" else ())


def _last(name: Node) -> Node:
    """The object's own name in a qualified one."""
    return name.child_by_field_name("name") or name


def _object(node: Node, name: Node, text: str) -> Named | None:
    """A statement that the grammar did not see: its text is in the source."""
    found = _replaced(node)
    if found is None:
        return None
    _name, body, kind = found
    return Named(node, name, kind, _levels(text), () if body is None else (body,))


def _replaced(node: Node) -> tuple[Node, Node | None, str] | None:
    """Name, body and kind of what a replaced statement creates; ``None`` for any other statement."""
    select = node.named_children[0] if node.named_child_count else None
    if select is None or select.type != "select" or _MARKED not in (select.text or b""):
        return None
    parts = [child for child in select.children if child.type not in ("marginalia", "comment")]
    marks = [child for child in select.children if child.type == "marginalia" and _MARKED in (child.text or b"")]
    if len(parts) != 2 or not marks or parts[1].type != "select_expression" or not parts[1].named_child_count:
        return None
    terms = parts[1].named_children
    name = terms[0].named_children[0] if terms[0].named_child_count == 1 else terms[0]
    index = (marks[0].text or b"")[2] - FIRST_KIND
    # A table that comes here has no columns that could be its members.
    kind = KINDS[index].decode() if 0 < index < len(KINDS) else "definition"
    return _last(name), terms[1] if len(terms) > 1 else None, kind


def _write(writer: Writer, start: int, end: int) -> None:
    """The tokens of source text; comments as comments, keywords in lower case."""
    for token in tokens(writer.data, start, end):
        if token.kind == "comment":
            if writer.rules.directive.search(token.text.decode("utf-8", "replace")):
                writer.token(b"\x02" + b" ".join(token.text.split()))
        elif token.kind == "dollar":
            _dollar(writer, token)
        elif token.word in _keywords():
            writer.token(token.word)
        else:
            writer.token(token.text.replace(b"\r\n", b"\n"))


def _dollar(writer: Writer, token: Token) -> None:
    """A quoted body is code; its tag means nothing."""
    tag = token.text.index(b"$", 1) + 1
    writer.open("body")
    _write(writer, token.start + tag, token.end - tag)
    writer.close()


def _statement(writer: Writer, node: Node) -> bool:
    """Statements that the grammar did not see, and tables, are written by their tokens."""
    replaced = _replaced(node)
    body: Node | None
    if replaced is not None:
        name, body, _kind = replaced
    else:
        table = node.named_children[0] if node.named_child_count else None
        if table is None or table.type != "create_table":
            return False
        found = [child for child in table.named_children if child.type in ("object_reference", "column_definitions")]
        if [child.type for child in found[:2]] != ["object_reference", "column_definitions"]:
            return False
        name, body = _last(found[0]), found[1]
    writer.open("statement")
    _write(writer, node.start_byte, name.start_byte)
    if name.id not in writer.skipped:
        writer.leaf_text(name, writer.text(name))
    _write(writer, name.end_byte, node.end_byte if body is None else body.start_byte)
    if body is not None:
        writer.node(body)
    writer.close()
    return True


def _term(writer: Writer, node: Node) -> bool:
    """The body of a statement that the grammar did not see."""
    statement = node.parent
    while statement is not None and statement.type != "statement":
        statement = statement.parent
    replaced = _replaced(statement) if statement is not None else None
    if replaced is None or replaced[1] is None or replaced[1].id != node.id:
        return False
    _write(writer, node.start_byte, node.end_byte)
    return True


def _column(writer: Writer, node: Node) -> bool:
    """A column, a constraint, or what follows the columns, by its tokens."""
    name = node.child_by_field_name("name")
    start, end = node.start_byte, node.end_byte
    data = writer.data
    if name is not None and not text_of(name).strip("_"):
        before = node.prev_sibling
        if before is not None and before.type == "," and data[before.start_byte : before.end_byte] == b")":
            # Its last byte closes the columns in the text that the grammar saw.
            end += 1
        name = None
    writer.open("column")
    if name is not None:
        _write(writer, start, name.start_byte)
        if name.id not in writer.skipped:
            writer.leaf_text(name, writer.text(name))
        start = name.end_byte
    _write(writer, start, end)
    writer.close()
    return True


def _columns(writer: Writer, node: Node) -> bool:
    writer.open("columns")
    for child in node.named_children:
        writer.node(child)
    writer.close()
    return True


def _keyword(writer: Writer, node: Node) -> bool:
    writer.token(writer.text(node).lower())
    return True


def _handlers() -> dict[str, Handler]:
    handlers: dict[str, Handler] = {kind: _keyword for kind in _kinds() if kind.startswith("keyword_")}
    handlers |= {"statement": _statement, "term": _term, "column_definition": _column, "column_definitions": _columns}
    return handlers


RULES = {
    "sql": Rules(
        comments=kinds("comment marginalia"),
        directive=re.compile(rf"^(?:--+|/\*)\s*(?:{LINTERS}|noqa|sqlfluff:|sqlfmt|fmt:|pgFormatter)|^/\*[+!]"),
        file_directive=re.compile(r"^--\s*sqlfluff:"),
        parentheses=kinds("parenthesized_expression"),
        blocks=kinds("program statement block column_definitions"),
        optional_semicolons=True,
        verbatim=kinds("literal"),
        container_bodies=kinds("column_definitions"),
        openers=(b"/*", b"'", b"$$", b'"'),
        handlers=_handlers(),
        identify=_identify,
        prepare=prepared,
    )
}
