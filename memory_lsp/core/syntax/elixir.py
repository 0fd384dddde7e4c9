"""Elixir: definitions are calls; documentation and specifications are attributes above them; heredocs, numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, only_child, text_of, write_block

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_DOCUMENTATION = frozenset({"doc", "typedoc", "shortdoc"})
_SIGNATURE = frozenset({"spec"})
_DECORATOR = frozenset(
    {"impl", "deprecated", "since", "dialyzer", "compile", "tag", "describetag", "decorate", "requirements", "nowarn"}
)
_TYPES = frozenset({"type", "typep", "opaque", "callback", "macrocallback"})
_SEPARATED = re.compile(r"[.\s']")
_MODULES = frozenset({"defmodule", "defprotocol", "defimpl"})


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    if kind == "constant":
        return _attribute(node, name)
    if kind == "field":
        field = name.parent if name.type == "keyword" and name.parent is not None else name
        value = field.child_by_field_name("value")
        return Named(field, name, kind, (text_of(name).strip().strip(":"),), () if value is None else (value,))
    body = child_of_type(node, "do_block") or _keyword_body(node)
    bodies = () if body is None else (body,)
    if kind == "test":
        title = text_of(name)[1:-1].replace('"', "'")
        return Named(node, name, kind, (f'"{title}"' if _SEPARATED.search(title) else title,), bodies)
    if kind == "module":
        return Named(node, name, kind, (_module(node, name),), bodies)
    head = _head(name)
    return None if head is None else Named(node, head, kind, (text_of(head),), bodies)


def _module(node: Node, name: Node) -> str:
    """An implementation of a protocol is the module ``Protocol.Type``."""
    target = node.child_by_field_name("target")
    if target is None or target.text != b"defimpl":
        return text_of(name)
    for pair in _pairs(node):
        key, value = pair.child_by_field_name("key"), pair.child_by_field_name("value")
        if key is not None and value is not None and text_of(key).strip() == "for:" and value.type == "alias":
            return f"{text_of(name)}.{text_of(value)}"
    return text_of(name)


def _pairs(node: Node) -> list[Node]:
    arguments = child_of_type(node, "arguments")
    keywords = child_of_type(arguments, "keywords") if arguments is not None else None
    return [child for child in keywords.named_children if child.type == "pair"] if keywords is not None else []


def _keyword_body(node: Node) -> Node | None:
    """The value behind ``do:``."""
    for pair in _pairs(node):
        key = pair.child_by_field_name("key")
        if key is not None and text_of(key).strip() == "do:":
            return pair.child_by_field_name("value")
    return None


def _head(node: Node) -> Node | None:
    """The name in the head of a function: ``f(x) when x > 1``, ``f``, ``a + b``."""
    while True:
        if node.type == "identifier":
            return node
        if node.type == "call":
            target = node.child_by_field_name("target")
            return target if target is not None and target.type == "identifier" else None
        if node.type == "block" and node.named_child_count == 1:
            node = node.named_children[0]
            continue
        operator = node.child_by_field_name("operator")
        left = node.child_by_field_name("left")
        if operator is None or (left is None and node.type == "binary_operator"):
            return None
        if operator.text not in (b"when", b"::") or left is None:
            return operator
        node = left


def _attribute_name(node: Node) -> str:
    operand = node.child_by_field_name("operand") if node.type == "unary_operator" else None
    target = operand.child_by_field_name("target") if operand is not None and operand.type == "call" else None
    operator = node.child_by_field_name("operator")
    return text_of(target) if target is not None and operator is not None and operator.text == b"@" else ""


def _attribute(node: Node, name: Node) -> Named | None:
    """A module attribute, a type or a callback; what is attached to a definition is none of its own."""
    parent = node.parent
    text = text_of(name)
    if parent is None or parent.type != "do_block" or _attached(node) or text == "moduledoc":
        return None
    operand = node.child_by_field_name("operand")
    arguments = child_of_type(operand, "arguments") if operand is not None else None
    if arguments is None or not arguments.named_child_count:
        return None
    if text not in _TYPES:
        return Named(node, name, "constant", ("@" + text,), (arguments,))
    head = _head(arguments.named_children[0])
    if head is None:
        return None
    inner = arguments.named_children[0]
    value = inner.child_by_field_name("right") if text in ("type", "typep", "opaque") else None
    kind = "type" if value is not None else "function"
    return Named(node, head, kind, (text_of(head),), () if value is None else (value,))


def _attached(node: Node) -> str:
    name = _attribute_name(node)
    if name in _DOCUMENTATION:
        return "documentation"
    return "signature" if name in _SIGNATURE else "decorator" if name in _DECORATOR else ""


def _docstring(node: Node) -> Node | None:
    """The ``@moduledoc`` of a module."""
    target = node.child_by_field_name("target") if node.type == "call" else None
    if target is None or text_of(target) not in _MODULES:
        return None
    body = child_of_type(node, "do_block")
    return next((child for child in body.children if _attribute_name(child) == "moduledoc"), None) if body else None


def _nested_attribute(writer: Writer, node: Node) -> bool:
    """Documentation in a module that is read as a whole."""
    if _attribute_name(node) not in (*_DOCUMENTATION, "moduledoc"):
        return False
    writer.documentation.append(writer.text(node))
    return True


def _arguments(writer: Writer, node: Node) -> bool:
    """``f 1`` is ``f(1)``."""
    writer.open("arguments")
    writer.children(node, frozenset({b"(", b")"}))
    writer.close()
    return True


def _block(writer: Writer, node: Node) -> bool:
    """Parentheses around one expression only group."""
    if only_child(node) is None:
        return False
    writer.children(node, frozenset({b"(", b")"}))
    return True


def _keyword(writer: Writer, node: Node) -> bool:
    writer.token(writer.text(node).strip())
    return True


def _number(writer: Writer, node: Node) -> bool:
    text = writer.text(node).replace(b"_", b"")
    writer.token(text if text[:1] == b"?" else text.lower())
    return True


def _string(writer: Writer, node: Node) -> bool:
    """A heredoc's closing quotes give the indentation."""
    data = writer.data
    end = node.child_by_field_name("quoted_end")
    if end is None or len(writer.text(end)) != 3:
        return False
    start = data.find(b"\n", node.start_byte, end.start_byte) + 1
    line = data.rfind(b"\n", node.start_byte, end.start_byte) + 1
    if not start or data[line : end.start_byte].strip():
        return False
    writer.open(node.type)
    for child in node.children:
        if child.start_byte < start and child.type in ("~", "sigil_name", "quoted_start"):
            writer.token(writer.text(child))
    parts = [child for child in node.children if child.type == "interpolation"]
    write_block(writer, parts, start, max(start, line - 1), end.start_byte - line)
    for child in node.children:
        if child.type == "sigil_modifiers":
            writer.token(writer.text(child))
    writer.close()
    return True


RULES = {
    "elixir": Rules(
        comments=kinds("comment"),
        directive=re.compile(rf"^#\s*(?:{LINTERS}|credo:|sobelow|coveralls-ignore|dialyzer|!|styler:)"),
        file_directive=re.compile(r"^#!"),
        blocks=kinds("source do_block else_block rescue_block after_block catch_block body"),
        optional_semicolons=True,
        verbatim=kinds("string charlist sigil quoted_atom quoted_keyword"),
        openers=(b'"', b"'", b'"""', b"~"),
        handlers={
            "arguments": _arguments,
            "block": _block,
            "keyword": _keyword,
            "integer": _number,
            "float": _number,
            "string": _string,
            "charlist": _string,
            "sigil": _string,
            "unary_operator": _nested_attribute,
        },
        docstring=_docstring,
        identify=_identify,
        attached=_attached,
        dotted=True,
    )
}
