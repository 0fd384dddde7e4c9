"""C#: bodies of properties and constructors, raw strings, modifiers, regions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, closed_block, stray, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_BODIES = kinds("accessor_list constructor_initializer block arrow_expression_clause")


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    bodies: tuple[Node, ...] | None = None
    if kind in ("method", "property", "function"):
        bodies = tuple(child for child in node.children if child.type in _BODIES)
        value = node.child_by_field_name("value")
        if value is not None and all(value.id != body.id for body in bodies):
            bodies += (value,)
    elif node.type == "variable_declarator":
        values = [child for child in node.named_children if child.type != "comment"]
        bodies = tuple(values[-1:]) if child_of_type(node, "=") is not None else ()
    if node.type == "operator_declaration":
        sign = node.child_by_field_name("operator")
        return None if sign is None else Named(node, sign, kind, ("operator" + text_of(sign),), bodies)
    if node.type == "indexer_declaration":
        this = child_of_type(node, "this")
        return None if this is None else Named(node, this, kind, ("this[]",), bodies)
    if name is None:
        return None
    text = text_of(name)
    if node.type == "destructor_declaration":
        text = "~" + text
    elif node.type == "conversion_operator_declaration":
        text = "operator " + text
    return Named(node, name, kind, (text.removeprefix("@"),), bodies)


def _attached(node: Node) -> str:
    """A pragma on the line above."""
    following = node.next_sibling
    adjacent = following is not None and following.start_point[0] - node.start_point[0] <= 1
    return "decorator" if node.type == "preproc_pragma" and adjacent else ""


def _raw_string(writer: Writer, node: Node) -> bool:
    start = child_of_type(node, "raw_string_start")
    writer.token(closed_block(writer.text(node), writer.text(start) if start is not None else b'"""'))
    return True


def _lambda(writer: Writer, node: Node) -> bool:
    """``x => 1`` has the parameters ``(x)``."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None or parameters.type != "implicit_parameter":
        return False
    writer.open("lambda_expression")
    for child in node.children:
        if child.id == parameters.id:
            writer.open("parameter_list")
            writer.token(b"(")
            writer.open("parameter")
            writer.node(child)
            writer.close()
            writer.token(b")")
            writer.close()
        else:
            writer.node(child)
    writer.close()
    return True


RULES = {
    "csharp": Rules(
        bare_methods=True,
        comments=kinds("comment"),
        directive=re.compile(
            rf"^(?://+|/\*+)\s*(?:{LINTERS}|ReSharper|csharpier-|Stryker|<auto-?generated|lint:|cspell:|language=)"
        ),
        wrappers=kinds("field_declaration event_field_declaration variable_declaration"),
        decorators=kinds("attribute_list"),
        parentheses=kinds("parenthesized_expression parenthesized_pattern"),
        blocks=kinds("compilation_unit block declaration_list enum_member_declaration_list switch_section"),
        optional_semicolons=True,
        semicolon_parents=kinds("for_statement"),
        verbatim=kinds(
            "string_literal verbatim_string_literal character_literal interpolated_string_expression raw_string_literal"
        ),
        spaced=kinds(
            "interpolation_brace #if #elif #else #endif #define #undef #pragma #nullable #line #error #warning"
        ),
        ignored=kinds("preproc_region preproc_endregion"),
        container_bodies=kinds("declaration_list enum_member_declaration_list"),
        sorted_runs=kinds("using_directive modifier"),
        openers=(b"/*", b'@"', b'"""'),
        declarators=kinds("variable_declarator"),
        handlers={
            "raw_string_literal": _raw_string,
            "lambda_expression": _lambda,
            "empty_statement": stray("block", "switch_section"),
        },
        identify=_identify,
        attached=_attached,
    )
}
