"""PHP: quotes, array and list syntax, modifiers, here documents, ``elseif``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, plain_value, stray, text_of, write_block

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_TOOLS = r"@?(?:phpstan-|psalm-|phan-|codeCoverageIgnore|infection-ignore|noinspection|formatter:|SuppressWarnings)"
_SIGNED = kinds("unary_op_expression cast_expression error_suppression_expression")
_MODIFIERS = (
    "visibility_modifier static_modifier abstract_modifier final_modifier readonly_modifier var_modifier "
    "namespace_use_declaration"
)


def _identify(kind: str, node: Node, name: Node | None, bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    text = text_of(name)
    if name.type == "string":
        text = text[1:-1].rsplit("\\", 1)[-1]
    elif node.type == "const_element":
        bodies = tuple(child for child in node.named_children if child.id != name.id)
    elif node.type == "property_element":
        default = node.child_by_field_name("default_value")
        hooks = child_of_type(node.parent, "property_hook_list") if node.parent is not None else None
        bodies = tuple(item for item in (default, hooks) if item is not None)
    return Named(node, name, kind, (text,), bodies if bodies or node.type.endswith("_element") else _body(node))


def _body(node: Node) -> tuple[Node, ...]:
    for field in ("body", "value", "right"):
        body = node.child_by_field_name(field)
        if body is not None:
            return (body,)
    return ()


def _string(writer: Writer, node: Node) -> bool:
    text = writer.text(node)
    quote = text[:1]
    if node.type == "encapsed_string" and any(
        child.type not in ("string_content", "escape_sequence") for child in node.named_children
    ):
        return False
    value = plain_value(text, quote) if quote in (b"'", b'"') else None
    if value is None:
        return False
    writer.token(b"'" + value)
    return True


def _array(writer: Writer, node: Node) -> bool:
    """``array(1)`` is ``[1]``, ``list($a)`` is ``[$a]``."""
    writer.open(node.type)
    writer.children(node, frozenset({b"array", b"list", b"(", b")", b"[", b"]", b"Array", b"ARRAY"}))
    writer.close()
    return True


def _new(writer: Writer, node: Node) -> bool:
    """``new A`` is ``new A()``."""
    arguments = child_of_type(node, "arguments")
    if arguments is None or arguments.named_child_count:
        return False
    writer.open(node.type)
    for child in node.children:
        if child.id != arguments.id:
            writer.node(child)
    writer.close()
    return True


def _power(writer: Writer, node: Node) -> bool:
    """A sign or cast in front of a power holds for the power, though the grammar gives it to the base."""
    base = node.child_by_field_name("left")
    if base is None or base.type not in _SIGNED or writer.deep or all(child.type != "**" for child in node.children):
        return False
    writer.depth += 1
    opened = 0
    while base.type in _SIGNED:
        writer.open(base.type)
        for child in base.children[:-1]:
            writer.node(child)
        base = base.children[-1]
        opened += 1
    writer.open(node.type)
    writer.node(base)
    for child in node.children[1:]:
        writer.node(child)
    for _form in range(opened + 1):
        writer.close()
    writer.depth -= 1
    return True


def _lower(writer: Writer, node: Node) -> bool:
    """``TRUE`` is ``true``."""
    writer.token(writer.text(node).lower())
    return True


def _if(writer: Writer, node: Node) -> bool:
    """``else if`` is ``elseif``."""
    writer.open("if_statement")
    while True:
        following: Node | None = None
        for child in node.children:
            inner = child.child_by_field_name("body") if child.type == "else_clause" else None
            if (
                inner is not None
                and inner.type == "if_statement"
                and b":" not in (inner.children[-1].type or "").encode()
            ):
                following = inner
            else:
                writer.node(child) if child.type not in ("if", "endif", ";") else None
        if following is None:
            break
        writer.open("else_if_clause")
        writer.token(b"elseif")
        for field in ("condition", "body"):
            part = following.child_by_field_name(field)
            if part is not None:
                writer.node(part)
        writer.close()
        node = _Rest(following)  # type: ignore[assignment]
    writer.close()
    return True


class _Rest:
    """What stands behind the body of an ``if``."""

    def __init__(self, node: Node) -> None:
        body = node.child_by_field_name("body")
        end = body.end_byte if body is not None else node.start_byte
        self.children = [child for child in node.children if child.start_byte >= end]


def _heredoc(writer: Writer, node: Node) -> bool:
    """The closing mark's indentation is none of the text's."""
    value = node.child_by_field_name("value")
    end = node.child_by_field_name("end_tag")
    start = node.child_by_field_name("identifier")
    if end is None or start is None:
        return False
    line = writer.data.rfind(b"\n", 0, end.start_byte) + 1
    first = writer.data.find(b"\n", start.end_byte, end.start_byte) + 1
    width = end.start_byte - line
    parts = (
        [child for child in value.named_children if not child.type.endswith(("_content", "_string"))] if value else []
    )
    parts = [child for child in parts if child.type != "escape_sequence"]
    writer.open(node.type)
    if first and first <= line:
        write_block(writer, parts, first, max(first, line - 1), width)
    writer.close()
    return True


RULES = {
    "php": Rules(
        fields_apart=True,
        comments=kinds("comment"),
        directive=re.compile(
            rf"^(?://+|#|/\*+)\s*(?:{LINTERS}|phpcs:|{_TOOLS}|@lint-ignore|php-cs-fixer|@formatter:)|^#!"
        ),
        inner_directive=re.compile(
            r"@(?:phpstan-ignore|psalm-suppress|phan-suppress|codeCoverageIgnore|infection-ignore|noinspection|"
            r"SuppressWarnings)[^\n]*?(?=\s*\*/|\s*\n|$)"
        ),
        file_directive=re.compile(r"^#!|^(?://|#|/\*+)\s*phpcs:(?:ignoreFile|set)"),
        wrappers=kinds("const_declaration property_declaration expression_statement"),
        decorators=kinds("attribute_list"),
        parentheses=kinds("parenthesized_expression"),
        blocks=kinds("program compound_statement declaration_list enum_declaration_list colon_block"),
        optional_semicolons=True,
        semicolon_parents=kinds("for_statement"),
        verbatim=kinds("string encapsed_string shell_command_expression text_interpolation text string_content"),
        container_bodies=kinds("declaration_list enum_declaration_list"),
        sorted_runs=kinds(_MODIFIERS),
        openers=(b"/*", b'"', b"'", b"<<<", b"`"),
        declarators=kinds("const_element property_element"),
        handlers={
            "string": _string,
            "encapsed_string": _string,
            "array_creation_expression": _array,
            "list_literal": _array,
            "object_creation_expression": _new,
            "binary_expression": _power,
            "boolean": _lower,
            "null": _lower,
            "if_statement": _if,
            "heredoc": _heredoc,
            "nowdoc": _heredoc,
            "empty_statement": stray("program", "compound_statement"),
        },
        identify=_identify,
    )
}
