"""Go: semicolons, parentheses, number prefixes, directives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Rules, field_of, kinds

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer


def _number(writer: Writer, node: Node) -> bool:
    text = writer.text(node).lower()
    if text.endswith(b"i"):
        text = (text[:-1].lstrip(b"0") or b"0") + b"i" if text[:-1].isdigit() else text
    writer.token(text)
    return True


def _statement(writer: Writer, node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.type in ("statement_list", "source_file", "block")


def _clause(writer: Writer, node: Node) -> bool:
    """A clause with nothing but a condition is that condition."""
    if field_of(node, "initializer") is not None or field_of(node, "update") is not None:
        return False
    writer.children(node, frozenset({b";"}))
    return True


def _parameters(writer: Writer, node: Node) -> bool:
    """Parentheses around one result without a name only group."""
    parent = node.parent
    result = field_of(parent, "result") if parent is not None else None
    if result is None or result.id != node.id:
        return False
    inner = [child for child in node.named_children if child.type != "comment"]
    if len(inner) != 1 or inner[0].type != "parameter_declaration" or field_of(inner[0], "name") is not None:
        return False
    writer.children(inner[0])
    return True


def _instance(writer: Writer, node: Node) -> bool:
    """An index with a comma behind it looks like an instantiation with one type."""
    arguments = [child for child in node.named_children[1:] if child.type != "comment"]
    if len(arguments) != 1 or not any(child.type == "," for child in node.children):
        return False
    indexed = node.named_children[0]
    writer.open("index_expression")
    if indexed.type == "qualified_type":
        writer.open("selector_expression")
        writer.children(indexed)
        writer.close()
    else:
        writer.node(indexed)
    writer.token(b"[")
    writer.node(arguments[0])
    writer.token(b"]")
    writer.close()
    return True


RULES = {
    "go": Rules(
        comments=kinds("comment"),
        directive=re.compile(
            r"^//(?:go:|line |export |extern |\s*\+build|\s*nolint|\s*#nosec|\s*lint:|nosemgrep)|^/\*line "
        ),
        file_directive=re.compile(r"^//(?:go:build|\s*\+build|go:debug)"),
        wrappers=kinds("type_declaration const_declaration var_declaration var_spec_list"),
        parentheses=kinds("parenthesized_expression parenthesized_type"),
        blocks=kinds(
            "source_file block statement_list field_declaration_list interface_type expression_case default_case"
        ),
        optional_semicolons=True,
        semicolon_parents=kinds("for_clause if_statement expression_switch_statement type_switch_statement"),
        verbatim=kinds("interpreted_string_literal raw_string_literal"),
        container_bodies=kinds("field_declaration_list interface_type"),
        functions=kinds("func_literal"),
        sorted_lists=kinds("import_spec_list"),
        openers=(b"/*", b"`"),
        handlers={
            "parameter_list": _parameters,
            "type_instantiation_expression": _instance,
            "int_literal": _number,
            "float_literal": _number,
            "imaginary_literal": _number,
            "empty_statement": _statement,
            "for_clause": _clause,
        },
    )
}
