"""Bash: quotes that expand nothing, here documents, command substitution, forms of function definitions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, write_block

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_SPECIAL = re.compile(rb"[$`\\\"'!]")
_TABS = re.compile(rb"(?m)^\t+")


def _string(writer: Writer, node: Node) -> bool:
    """Double quotes without anything to expand are single quotes."""
    inner = writer.text(node)[1:-1].replace(b"\r\n", b"\n")
    if not _SPECIAL.search(inner):
        writer.token(b"'" + inner)
        return True
    if node.type != "string":
        return False
    writer.open("string")
    parts = [child for child in node.named_children if child.type != "string_content"]
    write_block(writer, parts, node.start_byte + 1, node.end_byte - 1, 0)
    writer.close()
    return True


def _function(writer: Writer, node: Node) -> bool:
    """``function f {`` is ``f() {``."""
    writer.open("function_definition")
    writer.children(node, frozenset({b"function", b"(", b")"}))
    writer.close()
    return True


def _substitution(writer: Writer, node: Node) -> bool:
    """Back quotes are ``$( )`` if nothing is escaped in them."""
    if b"\\" in writer.text(node):
        return False
    writer.open("command_substitution")
    writer.children(node, frozenset({b"$(", b"`", b")"}))
    writer.close()
    return True


def _heredoc(writer: Writer, node: Node) -> bool:
    """A here document with all of its text: some of it has no node."""
    start = child_of_type(node, "heredoc_start")
    body = child_of_type(node, "heredoc_body")
    end = child_of_type(node, "heredoc_end")
    data = writer.data
    first = data.find(b"\n", start.end_byte) + 1 if start is not None else 0
    if start is None or body is None or end is None or not first or first > end.start_byte:
        return False
    writer.open("heredoc_redirect")
    for child in node.children:
        if child.id not in (body.id, end.id):
            writer.node(child)
    stop = data.rfind(b"\n", 0, end.start_byte) + 1
    tabs = writer.text(node).startswith(b"<<-")
    position = first
    for part in [*[child for child in body.named_children if child.type != "heredoc_content"], None]:
        until = stop if part is None else part.start_byte
        text = data[position : max(position, until)].replace(b"\r\n", b"\n")
        writer.token(b"~" + (_TABS.sub(b"", text) if tabs else text))
        if part is not None:
            writer.node(part)
            position = part.end_byte
    writer.close()
    return True


def _prepared(data: bytes) -> bytes:
    """A carriage return in front of a line end is none of the words in front of it."""
    return data.replace(b"\\\r\n", b" \\\n").replace(b"\r\n", b" \n") if b"\r" in data else data


RULES = {
    "bash": Rules(
        comments=kinds("comment"),
        directive=re.compile(rf"^#\s*(?:{LINTERS}|shellcheck\s+\w+=|shfmt:|!|bashsupport|@formatter:)"),
        file_directive=re.compile(r"^#!"),
        wrappers=kinds("declaration_command"),
        blocks=kinds("program compound_statement do_group if_statement elif_clause else_clause case_item subshell"),
        optional_semicolons=True,
        semicolon_parents=kinds("c_style_for_statement"),
        verbatim=kinds("string raw_string ansi_c_string heredoc_body translated_string"),
        openers=(b'"', b"'", b"<<", b"`"),
        declarators=kinds("variable_assignment"),
        handlers={
            "string": _string,
            "raw_string": _string,
            "function_definition": _function,
            "command_substitution": _substitution,
            "heredoc_redirect": _heredoc,
        },
        prepare=_prepared,
    )
}
