"""Kotlin: receivers of extensions, accessors of properties, string templates, modifiers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, enclosing_bracket, modifiers, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_DECLARATIONS = kinds(
    "property_declaration function_declaration class_declaration object_declaration type_alias getter setter"
)
_WORD = re.compile(rb'//[^\n]*|/\*.*?\*/|""".*?"""|"(?:\\.|[^"\\])*"|[\w$`]+|\S', re.DOTALL)
_BODIES = kinds("class_body enum_class_body")
_ACCESSORS = kinds("getter setter")
_COMMENTS = kinds("line_comment multiline_comment")
_MANY_TEMPLATES = 1000
_JOINED = kinds(
    "additive_expression multiplicative_expression range_expression infix_expression comparison_expression "
    "equality_expression check_expression call_expression indexing_expression postfix_expression"
)
_CONSTRUCTED = kinds("constructor_delegation_call statements")


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    levels = (*_receiver(node), text_of(name).strip("`"))
    if kind == "field":
        return _property(node, name, levels)
    if kind == "class":
        body = child_of_type(node, "class_body", "enum_class_body")
        if child_of_type(node, "interface") is not None:
            kind = "interface"
        elif child_of_type(node, "enum") is not None or (body is not None and body.type == "enum_class_body"):
            kind = "enum"
    elif kind == "type":
        body = node.named_children[-1]
    elif kind == "method":
        return Named(node, name, kind, levels, tuple(child for child in node.children if child.type in _CONSTRUCTED))
    else:
        body = child_of_type(node, "class_body", "function_body")
    if kind == "function" and (len(levels) > 1 or (node.parent is not None and node.parent.type in _BODIES)):
        kind = "method"
    return Named(node, name, kind, levels, () if body is None else (body,))


def _receiver(node: Node) -> tuple[str, ...]:
    """The type that an extension extends, without arguments and nullability."""
    receiver = child_of_type(node, "receiver_type")
    while receiver is not None and receiver.type != "user_type":
        receiver = next((child for child in receiver.named_children if child.type != "type_modifiers"), None)
    if receiver is None:
        return ()
    return tuple(text_of(child) for child in receiver.named_children if child.type == "type_identifier")


def _property(node: Node, name: Node, levels: tuple[str, ...]) -> Named | None:
    """A property of a class or file with its value, delegate and accessors; the accessors may stand behind it."""
    if node.type == "class_parameter":
        return Named(node, name, "field", levels, ())
    parent = node.parent
    if parent is None or parent.type == "statements":
        return None
    bodies: list[Node] = []
    for index, child in enumerate(node.children):
        if child.type == "property_delegate" or child.type in _ACCESSORS:
            bodies.append(child)
        elif child.type == "=":
            bodies += [item for item in node.children[index + 1 :] if item.type not in _COMMENTS][:1]
    following = node.next_sibling
    found: list[Node] = []
    while following is not None and following.type in (*_ACCESSORS, *_COMMENTS):
        found.append(following)
        following = following.next_sibling
    while found and found[-1].type in _COMMENTS:
        found.pop()
    kind = "constant" if parent.type == "source_file" else "field"
    return Named(node, name, kind, levels, tuple(bodies + found))


def _is_annotation(node: Node) -> bool:
    """The grammar may read ``@A("x")`` above a declaration as an annotated expression in parentheses."""
    following = node.next_sibling
    return (
        node.type == "prefix_expression"
        and node.named_child_count == 2
        and node.named_children[0].type == "annotation"
        and following is not None
        and following.type in _DECLARATIONS
    )


def _attached(node: Node) -> str:
    return "decorator" if _is_annotation(node) else ""


def _annotation(writer: Writer, node: Node) -> bool:
    """Annotations are written by their words, since one text has two trees."""
    if node.type == "prefix_expression" and not _is_annotation(node):
        return False
    words = [word for word in _WORD.findall(writer.text(node)) if not word.startswith((b"//", b"/*"))]
    writer.open("annotation")
    for index, word in enumerate(words):
        if word != b"," or words[index + 1 : index + 2] != [b")"]:
            writer.token(word)
    writer.close()
    return True


def _string(writer: Writer, node: Node) -> bool:
    """``"$name"`` is ``"${name}"``."""
    if not node.child_count or all(child.type == "string_content" for child in node.children):
        return False
    data = writer.data
    writer.open("string_literal")
    position = node.start_byte
    for index, child in enumerate(node.children):
        if child.start_byte > position and not writer.beside_code(node.children, index):
            writer.token(b"~" + data[position : child.start_byte].replace(b"\r\n", b"\n"))
        position = child.end_byte
        if child.type in ("interpolated_identifier", "interpolated_expression"):
            only = child.named_children[0] if child.named_child_count == 1 else None
            plain = only if only is not None and only.type == "simple_identifier" else child
            writer.open("interpolation")
            if plain is child and child.type == "interpolated_expression":
                writer.children(child)
            else:
                writer.leaf_text(plain, writer.text(plain))
            writer.close()
        elif child.type not in ("$", "${", "}"):
            writer.token(writer.text(child).replace(b"\r\n", b"\n"))
    writer.token(b"~" + data[position : node.end_byte].replace(b"\r\n", b"\n"))
    writer.close()
    return True


def _line_end(writer: Writer, node: Node) -> bool:
    """A line end in front of an operator or of a call's arguments ends the statement, which the grammar does not see."""
    parts = [child for child in node.children if child.type not in _COMMENTS]
    if len(parts) < 2:
        return False
    bracket = writer.brackets.pop(node.id, "?")
    if bracket != "?":
        # Of a long chain only the outermost part looks around itself.
        writer.brackets[parts[0].id] = bracket
    if b"\n" not in writer.data[parts[0].end_byte : parts[1].start_byte]:
        return False
    if _is_lambda(parts[1]):
        return False
    if bracket == "?":
        bracket = writer.brackets[parts[0].id] = enclosing_bracket(node)
    return bracket not in ("(", "[") and writer.parted(node, parts[1])


def _is_lambda(suffix: Node) -> bool:
    """A lambda may stand on a line below the call that it is passed to."""
    return suffix.type == "call_suffix" and suffix.children[0].type == "annotated_lambda"


def _harmless(node: Node) -> bool:
    """The grammar wants a line end in front of the brace that closes a body: ``{ val x = 1 }`` is right."""
    if not node.is_error:
        return node.type in ("class_body", "enum_class_body")
    parent = node.parent
    inside = [child for child in node.children if child.type not in _COMMENTS]
    return (
        parent is not None
        and parent.type == "class_body"
        and parent.children[-1].type == "}"
        and parent.end_point[0] == node.end_point[0]
        and bool(inside)
        and all(child.type in _DECLARATIONS and not child.has_error for child in inside)
    )


def _prepared(data: bytes) -> bytes:
    """The scanner crashes on 1025 templates inside of each other: later ones are read as text."""
    if data.count(b"${") <= _MANY_TEMPLATES:
        return data
    pieces = data.split(b"${", _MANY_TEMPLATES)
    return b"${".join(pieces[:-1]) + b"${" + pieces[-1].replace(b"${", b"x{")


RULES = {
    "kotlin": Rules(
        bare_methods=True,
        fields_apart=True,
        comments=_COMMENTS,
        directive=re.compile(
            rf"^(?://+|/\*+)\s*(?:{LINTERS}|ktlint-|@formatter:|detekt|language=|@Suppress|ktfmt|spotless:|diktat)"
        ),
        decorators=kinds("annotation"),
        decorator_holders=kinds("modifiers"),
        parentheses=kinds("parenthesized_expression parenthesized_type ERROR"),
        blocks=kinds("source_file statements class_body enum_class_body import_list"),
        optional_semicolons=True,
        verbatim=kinds("string_literal character_literal"),
        container_bodies=kinds("class_body enum_class_body"),
        sorted_runs=kinds("import_header"),
        openers=(b"/*", b'"""'),
        code=kinds("interpolated_expression"),
        handlers={
            **dict.fromkeys(_JOINED, _line_end),
            "modifiers": modifiers,
            "string_literal": _string,
            "annotation": _annotation,
            "prefix_expression": _annotation,
        },
        identify=_identify,
        attached=_attached,
        harmless=_harmless,
        prepare=_prepared,
    )
}
