"""Java: text blocks, modifiers, lambda parameters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, dedented, modifiers

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer


def _string(writer: Writer, node: Node) -> bool:
    """A text block means its lines without the common indentation and without white space at their ends."""
    text = writer.text(node).replace(b"\r\n", b"\n")
    _first, newline, rest = text.partition(b"\n")
    if not text.startswith(b'"""') or not newline:
        return False
    inner = rest[:-3]
    lines, _newline, last = inner.rpartition(b"\n")
    # The closing quotes on a line of their own count for the indentation.
    lined = b"" if last.strip() else dedented(lines + b"\n" + last + b"x").rpartition(b"\n")[0] + b"\n"
    value = lined or dedented(inner)
    writer.token(b'"""' + b"\n".join(line.rstrip(b" \t\f") for line in value.split(b"\n")))
    return True


def _lambda(writer: Writer, node: Node) -> bool:
    """``x -> 1`` has the parameters ``(x)``."""
    parameters = node.child_by_field_name("parameters")
    if parameters is None or parameters.type != "identifier":
        return False
    writer.open("lambda_expression")
    for child in node.children:
        if child.id == parameters.id:
            writer.open("inferred_parameters")
            writer.token(b"(")
            writer.node(child)
            writer.token(b")")
            writer.close()
        else:
            writer.node(child)
    writer.close()
    return True


RULES = {
    "java": Rules(
        bare_methods=True,
        fields_apart=True,
        comments=kinds("line_comment block_comment"),
        directive=re.compile(
            rf"^(?://+|/\*+)\s*(?:{LINTERS}|@formatter:|CHECKSTYLE|NOPMD|CPD-O|spotless:|\$NON-NLS|@SuppressFBWarnings|"
            r"CSOFF|CSON|google-java-format|prettier-ignore|language=|keep-sorted)"
        ),
        wrappers=kinds("field_declaration constant_declaration"),
        decorators=kinds("marker_annotation annotation"),
        decorator_holders=kinds("modifiers"),
        parentheses=kinds("parenthesized_expression enum_body_declarations"),
        blocks=kinds(
            "program block class_body interface_body enum_body annotation_type_body constructor_body "
            "switch_block_statement_group enum_body_declarations"
        ),
        optional_semicolons=True,
        semicolon_parents=kinds("for_statement"),
        verbatim=kinds("string_literal character_literal template_expression"),
        container_bodies=kinds("class_body interface_body enum_body annotation_type_body"),
        sorted_runs=kinds("import_declaration"),
        openers=(b"/*", b'"""'),
        declarators=kinds("variable_declarator"),
        handlers={"string_literal": _string, "modifiers": modifiers, "lambda_expression": _lambda},
    )
}
