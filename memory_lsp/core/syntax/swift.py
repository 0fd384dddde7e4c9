"""Swift: extensions, accessors of properties, parentheses that are tuples, multi-line strings, modifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, modifiers, only_child, text_of, write_block

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_KINDS = {"class": "class", "struct": "struct", "enum": "enum", "actor": "class", "extension": "scope"}


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    # The first `name` field is the name; later ones are types.
    name = name or node.child_by_field_name("name")
    if name is None:
        return None
    levels: tuple[str, ...] = (text_of(name).strip("`"),)
    body = node.child_by_field_name("body")
    if kind == "class":
        declared = node.child_by_field_name("declaration_kind")
        kind = _KINDS.get(text_of(declared), "class") if declared is not None else "class"
        if kind == "scope":
            levels = tuple(text_of(child) for child in name.named_children if child.type == "type_identifier") or levels
    elif kind == "field":
        return _property(node, name, levels)
    elif kind == "variant":
        names = [child for child in node.children_by_field_name("name") if child.type == "simple_identifier"]
        if all(child.id != name.id for child in names):
            return None
        body = node.child_by_field_name("raw_value") if len(names) == 1 else None
    elif node.type == "typealias_declaration":
        body = node.named_children[-1]
    elif node.type == "subscript_declaration":
        body = child_of_type(node, "computed_property")
    elif kind == "function" and node.parent is not None and node.parent.type in ("class_body", "protocol_body"):
        kind = "method"
    return Named(node, name, kind, levels, () if body is None else (body,))


def _property(node: Node, name: Node, levels: tuple[str, ...]) -> Named | None:
    parent = node.parent
    if parent is None or parent.type == "statements":
        return None
    fields = ("value", "computed_value")
    bodies = [child for field in fields for child in node.children_by_field_name(field)]
    observers = child_of_type(node, "willset_didset_block")
    if observers is not None:
        bodies.append(observers)
    several = sum(1 for child in node.children_by_field_name("name") if child.type == "pattern") > 1
    kind = "constant" if parent.type == "source_file" else "field"
    return Named(node, name, kind, levels, () if several else tuple(bodies))


def _tuple(writer: Writer, node: Node) -> bool:
    """A tuple of one value without a label is only parentheses."""
    if only_child(node) is None or node.child_by_field_name("name") is not None:
        return False
    writer.children(node, frozenset({b"(", b")"}))
    return True


def _text_block(writer: Writer, node: Node) -> bool:
    """The closing quotes' indentation is none of the text's."""
    data = writer.data
    start = data.find(b"\n", node.start_byte, node.end_byte) + 1
    line = data.rfind(b"\n", node.start_byte, node.end_byte) + 1
    if not start or data[line : node.end_byte].strip(b' \t"#'):
        return False
    width = len(data[line : node.end_byte]) - len(data[line : node.end_byte].lstrip(b" \t"))
    writer.open("multi_line_string_literal")
    parts = [child for child in node.children if child.type == "interpolated_expression"]
    write_block(writer, parts, start, max(start, line - 1), width, bare=True)
    writer.close()
    return True


RULES = {
    "swift": Rules(
        bare_methods=True,
        comments=kinds("comment multiline_comment"),
        directive=re.compile(
            rf"^(?://+|/\*+)\s*(?:{LINTERS}|swiftlint:|swiftformat:|swift-format-ignore|sourcery:|periphery:|"
            r"swift-tools-version|codecov:ignore|@formatter:)"
        ),
        file_directive=re.compile(r"^//\s*(?:swift-tools-version|swift-format-ignore-file)|^#!"),
        decorators=kinds("attribute"),
        decorator_holders=kinds("modifiers"),
        blocks=kinds("source_file statements class_body enum_class_body protocol_body"),
        optional_semicolons=True,
        verbatim=kinds("line_string_literal multi_line_string_literal raw_string_literal regex_literal"),
        code=kinds("interpolated_expression"),
        container_bodies=kinds("class_body enum_class_body protocol_body"),
        sorted_runs=kinds("import_declaration"),
        openers=(b"/*", b'"""'),
        handlers={"modifiers": modifiers, "tuple_expression": _tuple, "multi_line_string_literal": _text_block},
        identify=_identify,
    )
}
