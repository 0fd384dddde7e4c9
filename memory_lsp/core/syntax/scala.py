"""Scala: values of classes and files, parameters that are fields, modifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.infix import Chains
from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, modifiers, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_SCOPES = kinds("compilation_unit template_body with_template_body enum_body extension_definition")


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    parent = node.parent
    if node.type == "class_parameter":
        owner = parent.parent if parent is not None else None
        case_class = owner is not None and child_of_type(owner, "case") is not None
        given = parent is not None and child_of_type(parent, "implicit", "using") is not None
        if (given or not case_class) and child_of_type(node, "val", "var") is None:
            return None
        return Named(node, name, kind, (text_of(name).strip("`"),), ())
    if kind == "field" and (parent is None or parent.type not in _SCOPES):
        return None
    value = node.child_by_field_name("value") if kind == "field" else None
    if kind == "field" and parent is not None and parent.type == "compilation_unit":
        kind = "constant"
    if kind == "function" and parent is not None and parent.type not in ("compilation_unit", "block", "indented_block"):
        kind = "method"
    body = value or node.child_by_field_name("type" if kind == "type" else "body")
    return Named(node, name, kind, (text_of(name).strip("`"),), () if body is None else (body,))


def _precedence(operator: bytes) -> tuple[int, str]:
    """By the operator's first character, to the right if it ends in a colon (Scala language specification 6.12.3)."""
    side = "r" if operator.endswith(b":") else "l"
    if operator.endswith(b"=") and operator not in (b"<=", b">=", b"!=", b"==") and operator[:1] != b"=":
        return -1, side
    for level, characters in enumerate((b"|", b"^", b"&", b"=!", b"<>", b":", b"+-", b"*/%"), 1):
        if operator[:1] in characters:
            return level, side
    return (0 if operator[:1].isalpha() or operator[:1] in b"_$`" else 9), side


_CHAINS = Chains("infix_expression", "parenthesized_expression", ("left", "operator", "right"), _precedence)

RULES = {
    "scala": Rules(
        bare_methods=True,
        comments=kinds("comment block_comment"),
        directive=re.compile(
            rf"^(?://+|/\*+)\s*(?:{LINTERS}|format:|@formatter:|scalafmt:|scalastyle:|scalafix:|scalafix |\$COVERAGE-|>\s*using)"
        ),
        file_directive=re.compile(r"^//>\s*using|^#!"),
        decorators=kinds("annotation"),
        parentheses=kinds("parenthesized_expression"),
        blocks=kinds("compilation_unit block indented_block template_body enum_body case_clause with_template_body"),
        optional_semicolons=True,
        verbatim=kinds("interpolated_string string character_literal"),
        container_bodies=kinds("template_body enum_body with_template_body"),
        openers=(b"/*", b'"""'),
        handlers={
            "modifiers": modifiers,
            "infix_expression": _CHAINS.infix,
            "parenthesized_expression": _CHAINS.parenthesized,
        },
        identify=_identify,
    )
}
