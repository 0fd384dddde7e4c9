"""Lua: tables and their functions, quotes, calls without parentheses, separators of tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, only_child, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_QUOTE = re.compile(rb"\\(['\"])|(\\.)", re.DOTALL)
_SEPARATOR = re.compile(r"\s*[.:]\s*")
_ADJUSTED = kinds("expression_list arguments field return_statement")


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    levels = tuple(_SEPARATOR.split(text_of(name)))
    last = name.child_by_field_name("field") or name.child_by_field_name("method") or name
    if kind == "function":
        body = node.child_by_field_name("body")
        return Named(node, last, "method" if len(levels) > 1 else kind, levels, () if body is None else (body,))
    if node.type == "field":
        if not _in_table(node):
            return None
        value = node.child_by_field_name("value")
    else:
        if not _top_level(node, value_kind := _value(node)):
            return None
        several = len(node.named_children[0].children_by_field_name("name")) > 1
        value = None if several else value_kind
    if value is not None and value.type == "function_definition":
        body = value.child_by_field_name("body")
        return Named(node, last, "method" if len(levels) > 1 else "function", levels, () if body is None else (body,))
    if value is not None and value.type == "table_constructor":
        kind = "table"
    return Named(node, last, kind, levels, () if value is None else (value,))


def _value(node: Node) -> Node | None:
    values = node.named_children[-1] if node.named_child_count else None
    if values is None or values.type != "expression_list" or values.named_child_count != 1:
        return None
    return values.named_children[0]


def _top_level(node: Node, value: Node | None) -> bool:
    """An assignment in a file's top level, or of a function anywhere."""
    parent = node.parent
    if parent is not None and parent.type == "variable_declaration":
        parent = parent.parent
    return parent is not None and (
        parent.type == "chunk" or (value is not None and value.type == "function_definition")
    )


def _in_table(node: Node) -> bool:
    """A field of a table that an assignment at the top level names."""
    parent = node.parent
    while parent is not None and parent.type in ("table_constructor", "field"):
        parent = parent.parent
    assignment = parent.parent if parent is not None and parent.type == "expression_list" else None
    return (
        assignment is not None
        and assignment.type == "assignment_statement"
        and _top_level(assignment, _value(assignment))
    )


def _string(writer: Writer, node: Node) -> bool:
    text = writer.text(node)
    if text[:1] not in b"'\"":
        return False
    writer.token(b"'" + _QUOTE.sub(lambda match: match.group(1) or match.group(2), text[1:-1].replace(b"\r\n", b"\n")))
    return True


def _arguments(writer: Writer, node: Node) -> bool:
    """``f "x"`` is ``f("x")``."""
    writer.open("arguments")
    writer.children(node, frozenset({b"(", b")"}))
    writer.close()
    return True


def _table(writer: Writer, node: Node) -> bool:
    writer.open("table_constructor")
    writer.children(node, frozenset({b",", b";"}))
    writer.close()
    return True


def _parenthesized(writer: Writer, node: Node) -> bool:
    """Parentheses around a call or ``...`` keep its first value only."""
    inner = node
    while inner.type == "parenthesized_expression" and (nested := only_child(inner)) is not None:
        inner = nested
    parent = node.parent
    if inner.type not in ("function_call", "vararg_expression") or parent is None or parent.type not in _ADJUSTED:
        return False
    writer.open("parenthesized")
    writer.node(inner)
    writer.close()
    return True


def _nothing(_writer: Writer, _node: Node) -> bool:
    return True


RULES = {
    "lua": Rules(
        comments=kinds("comment"),
        directive=re.compile(
            rf"^--(?:\[=*\[)?-?\s*(?:{LINTERS}|@diagnostic|luacheck:|selene:|stylua:|luacov:|!strict|!nonstrict|!nocheck)"
        ),
        file_directive=re.compile(r"^--!|^#!"),
        wrappers=kinds("variable_declaration"),
        parentheses=kinds("parenthesized_expression"),
        blocks=kinds("chunk block"),
        optional_semicolons=True,
        verbatim=kinds("string"),
        container_bodies=kinds("table_constructor"),
        openers=(b"--[", b"[[", b"[="),
        handlers={
            "string": _string,
            "arguments": _arguments,
            "table_constructor": _table,
            "parenthesized_expression": _parenthesized,
            "empty_statement": _nothing,
        },
        identify=_identify,
    )
}
