"""Ruby: quotes, parentheses of calls, blocks, hash keys, here documents, the access of methods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import (
    LINTERS,
    flattened,
    least_indent,
    only_child,
    plain_value,
    text_of,
    write_block,
)

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_SCOPES = kinds("class module singleton_class")
_DEFINING = frozenset({b"attr", b"attr_reader", b"attr_writer", b"attr_accessor", b"define_method"})
_ACCESS = frozenset({b"private", b"public", b"protected", b"module_function"})


def _identify(kind: str, node: Node, name: Node | None, bodies: tuple[Node, ...] | None) -> Named | None:
    if name is None:
        return None
    text = text_of(name)
    if kind == "constant":
        return _constant(node, name, text)
    if kind == "property":
        return Named(name, name, kind, (text[1:],), ())
    if name.type in ("simple_symbol", "string"):
        text = text[1:] if name.type == "simple_symbol" else text[1:-1]
        if kind == "method":
            block = node.child_by_field_name("block")
            bodies = () if block is None else (block,)
        return Named(node, name, kind, (text,), bodies)
    levels = tuple(level for level in text.split("::") if level) if name.type == "scope_resolution" else (text,)
    owner = node.child_by_field_name("object") if node.type == "singleton_method" else None
    if owner is not None and owner.type == "constant" and not _inside(node, text_of(owner)):
        levels = (text_of(owner), *levels)
    return Named(node, name, kind, levels, bodies)


def _constant(node: Node, name: Node, text: str) -> Named | None:
    """A constant with its here document, which stands behind the assignment."""
    parent = node.parent
    if name.type == "class_variable" and not (parent is not None and parent.type == "body_statement"):
        return None
    if (
        parent is not None
        and parent.type == "body_statement"
        and (parent.parent is None or parent.parent.type not in (*_SCOPES, "do_block"))
    ):
        return None
    right = node.child_by_field_name("right")
    bodies: tuple[Node, ...] = () if right is None else (right,)
    following = node.next_sibling
    if (
        right is not None
        and b"<<" in (right.text or b"")
        and following is not None
        and following.type == "heredoc_body"
    ):
        bodies += (following,)
    return Named(node, name, "constant", (text,), bodies)


def _inside(node: Node, name: str) -> bool:
    parent = node.parent
    while parent is not None and parent.type not in _SCOPES:
        parent = parent.parent
    named = parent.child_by_field_name("name") if parent is not None else None
    return named is not None and text_of(named).rsplit("::", 1)[-1] == name


def _access(top: Node) -> bytes:
    """The access that a bare ``private`` above gives to a method, also to one that a call defines."""
    parent = top.parent
    while parent is not None and parent.type in ("argument_list", "call"):
        top, parent = parent, parent.parent
    called = top.child_by_field_name("method") if top.type == "call" else None
    defines = top.type == "method" or (called is not None and called.text in _DEFINING)
    if not defines or parent is None or parent.type != "body_statement":
        return b""
    access = b"public"
    for child in parent.children:
        if child.start_byte >= top.start_byte:
            break
        if child.type == "identifier" and child.text in _ACCESS:
            access = child.text or b""
    return b"" if access == b"public" else access


def _identifier(writer: Writer, node: Node) -> bool:
    """A bare ``private`` is part of the methods behind it."""
    parent = node.parent
    return (
        writer.text(node) in _ACCESS
        and parent is not None
        and parent.type == "body_statement"
        and parent.parent is not None
        and parent.parent.type in _SCOPES
    )


def _attached(node: Node) -> str:
    """Sorbet's signature above a method."""
    method = node.child_by_field_name("method") if node.type == "call" else None
    return "signature" if method is not None and method.text == b"sig" else ""


def _string(writer: Writer, node: Node) -> bool:
    text = writer.text(node)
    if text[:2] in (b"%q", b"%Q"):
        if any(child.type != "string_content" for child in node.named_children) or b"\\" in text:
            return False
        writer.token(b"'" + text[3:-1].replace(b"\r\n", b"\n"))
        return True
    if text[:1] not in b"'\"" or any(child.type == "interpolation" for child in node.named_children):
        return False
    value = plain_value(text, text[:1])
    if value is None:
        return False
    writer.token(b"'" + value)
    return True


def _symbol(writer: Writer, node: Node) -> bool:
    if any(child.type != "string_content" for child in node.named_children):
        return False
    writer.token(b":" + writer.text(node)[2:-1])
    return True


def _pair(writer: Writer, node: Node) -> bool:
    """``a: 1`` is ``:a => 1``."""
    key = node.child_by_field_name("key")
    if key is None:
        return False
    writer.open("pair")
    for child in node.children:
        if child.id == key.id and key.type == "hash_key_symbol":
            writer.token(b":" + writer.text(key))
        elif child.id == key.id and key.type == "string" and node.children[1].type == ":":
            writer.token(b":" + writer.text(key)[1:-1])
        elif child.type not in ("=>", ":"):
            writer.node(child)
    writer.close()
    return True


def _grouped(writer: Writer, node: Node) -> bool:
    """Parentheses around one expression only group."""
    if only_child(node) is None:
        return False
    writer.children(node, frozenset({b"(", b")"}))
    return True


def _block(writer: Writer, node: Node) -> bool:
    writer.open("block")
    writer.children(node, frozenset({b"{", b"}", b"do", b"end"}))
    writer.close()
    return True


def _then(writer: Writer, node: Node) -> bool:
    writer.open("then")
    writer.children(node, frozenset({b"then", b"do", b"end"}))
    writer.close()
    return True


def _array(writer: Writer, node: Node) -> bool:
    """``%w[a b]`` with any delimiters."""
    writer.open(node.type)
    for child in node.named_children:
        writer.node(child)
    writer.close()
    return True


def _heredoc(writer: Writer, node: Node) -> bool:
    """The text of ``<<~`` means its lines without the common indentation."""
    ends = [child for child in node.children if child.type == "heredoc_end"]
    end = ends[-1].start_byte if ends else node.end_byte
    name = writer.text(ends[-1]).strip() if ends else b""
    before = writer.data[max(0, node.start_byte - 4000) : node.start_byte]
    opened = list(re.finditer(rb"<<([~-]?)[\"'`]?" + re.escape(name) + rb"\b", before))
    squiggly = bool(opened) and opened[-1].group(1) == b"~"
    line = writer.data.rfind(b"\n", node.start_byte, end) + 1
    stop = line if line > node.start_byte and not writer.data[line:end].strip() else end
    width = least_indent(writer.data[node.start_byte : stop]) if squiggly else 0
    parts = [child for child in node.children if child.type == "interpolation"]
    writer.open("heredoc_body")
    write_block(writer, parts, node.start_byte, stop, width)
    writer.close()
    return True


RULES = {
    "ruby": Rules(
        bare_methods=True,
        comments=kinds("comment"),
        directive=re.compile(
            rf"^#\s*(?:{LINTERS}|rubocop:|standard:|steep:|typed:|:nocov:|brakeman|reek:|simplecov|-\*-|"
            r"(?:frozen_string_literal|warn_indent|shareable_constant_value|encoding|coding):|!|:nodoc:|erb_lint:|haml-lint:)"
        ),
        file_directive=re.compile(
            r"^#(?:!|\s*(?:-\*-|(?:frozen_string_literal|warn_indent|shareable_constant_value|(?:en)?coding|typed):))"
        ),
        wrappers=kinds("call argument_list"),
        parentheses=kinds("argument_list method_parameters body_statement block_body"),
        blocks=kinds("program body_statement block_body then else do ensure"),
        optional_semicolons=True,
        verbatim=kinds("string string_content regex subshell delimited_symbol bare_string chained_string character"),
        container_bodies=kinds("body_statement"),
        openers=(b"=begin", b'"', b"'", b"<<", b"`", b"%"),
        declarators=kinds("simple_symbol"),
        handlers={
            "identifier": _identifier,
            "string": _string,
            "delimited_symbol": _symbol,
            "pair": _pair,
            "parenthesized_statements": _grouped,
            "block": _block,
            "do_block": _block,
            "then": _then,
            "do": _then,
            "string_array": _array,
            "symbol_array": _array,
            "heredoc_body": _heredoc,
            "empty_statement": flattened(b";"),
        },
        identify=_identify,
        attached=_attached,
        context=_access,
    )
}
