"""Haskell: signatures with their equations, constructors, pragmas, parentheses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.infix import Chains
from memory_lsp.core.syntax.rules import Named, Rules, kinds
from memory_lsp.core.syntax.shared import LINTERS, child_of_type, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_LISTS = kinds("declarations class_declarations instance_declarations haskell")
_OPERATORS = kinds("operator constructor_operator")
_PRAGMA = re.compile(
    r"\{-#\s*(?:INLINE|NOINLINE|INLINABLE|INLINEABLE|OPAQUE|SPECIALI[SZ]E|DEPRECATED|WARNING)\s+(?:CONLIKE\s+)?"
    r"(?:INLINE\s+)?(?:\[~?\d+\]\s*)?\(?([^\s\[\]():,#\"]+)"
)


def _identify(kind: str, node: Node, name: Node | None, _bodies: tuple[Node, ...] | None) -> Named | None:
    if kind == "function":
        return _function(node)
    if kind == "pragma":
        found = _PRAGMA.match(text_of(node))
        at_top = node.parent is not None and node.parent.type in _LISTS
        closed = text_of(node).endswith("#-}")
        return Named(node, node, "function", (found.group(1),), (node,)) if found and at_top and closed else None
    if node.type in ("data_type", "newtype"):
        return _data(kind, node)
    if node.type == "data_constructor":
        return _constructor(node)
    if name is None:
        return None
    if kind == "module":
        parts = [text_of(child) for child in node.named_children if child.type in ("name", "type_patterns")]
        body = node.child_by_field_name("declarations")
        return Named(node, name, kind, (" ".join(" ".join(parts).split()),), () if body is None else (body,))
    fields = {"trait": "declarations", "field": "", "variant": ""}
    body = node.child_by_field_name(fields.get(kind, "type")) if fields.get(kind, "type") else None
    if node.type == "type_family":
        body = node.child_by_field_name("closed_family")
    return Named(node, name, kind, (text_of(name),), () if body is None else (body,))


def _function(node: Node) -> Named | None:
    """A signature or an equation that is no local one."""
    if node.parent is None or node.parent.type not in _LISTS:
        return None
    name = node.child_by_field_name("name") or node.child_by_field_name("names")
    if name is None:
        name = _infix(node)
    elif name.type == "binding_list":
        name = name.named_children[0] if name.named_child_count else None
    if name is not None and name.type in ("prefix_id", "infix_id", "function_head_parens"):
        name = next(iter(name.named_children), None)
    if name is None:
        return None
    method = node.parent.type in ("class_declarations", "instance_declarations")
    kept = () if node.type == "signature" else kinds("match where local_binds")
    bodies = tuple(child for child in node.children if child.type in kept)
    return Named(node, name, "method" if method else "function", (text_of(name),), bodies)


def _infix(node: Node) -> Node | None:
    """The operator that an infix equation defines."""
    head = child_of_type(node, "infix", "function_head_parens")
    while head is not None and head.type == "function_head_parens":
        head = child_of_type(head, "infix", "function_head_parens")
    operator = head.child_by_field_name("operator") if head is not None else None
    if operator is not None and operator.type == "infix_id":
        return next(iter(operator.named_children), None)
    return operator


def _constructors(node: Node) -> Node | None:
    return node.child_by_field_name("constructors") or node.child_by_field_name("constructor")


def _data(kind: str, node: Node) -> Named | None:
    name = node.child_by_field_name("name")
    if name is not None and name.type in ("infix", "prefix_id"):
        name = next(iter(name.named_children), None)
    if name is None:
        return None
    body = _constructors(node)
    several = body is not None and body.named_child_count > 1 and node.type == "data_type"
    kind = "enum" if several else "struct"
    return Named(node, name, kind, (text_of(name),), () if body is None else (body,))


def _constructor(node: Node) -> Named | None:
    """One of several constructors; the only one is the type itself, so that its fields are the type's members."""
    parent = node.parent
    if parent is None or sum(1 for child in parent.named_children if child.type == "data_constructor") < 2:
        return None
    inner = node.child_by_field_name("constructor")
    name = inner.child_by_field_name("name") if inner is not None else None
    if name is None and inner is not None:
        name = inner.child_by_field_name("operator")
    return None if name is None else Named(node, name, "variant", (text_of(name),), ())


_FIXITIES = (
    (9, "r", "."),
    (9, "l", "!! ! //"),
    (8, "r", "^ ^^ **"),
    (7, "l", "* / `div` `mod` `rem` `quot` % .&."),
    (6, "l", "+ -"),
    (6, "r", "<>"),
    (5, "r", ": ++"),
    (4, "n", "== /= < <= > >= `elem` `notElem`"),
    (4, "l", "<$> <$ $> <*> *> <*"),
    (3, "r", "&&"),
    (2, "r", "||"),
    (1, "l", ">> >>= & <&>"),
    (1, "r", "=<< >=> <=<"),
    (0, "r", "$ $! `seq`"),
)
_PRECEDENCE = {name.encode(): (level, side) for level, side, names in _FIXITIES for name in names.split()}


def _pragma(writer: Writer, node: Node) -> bool:
    """Its words; the name of what it is about may be the symbol's own."""
    for word in writer.text(node).split():
        writer.leaf_text(node, word)
    return True


_CHAINS = Chains("infix", "parens", ("left_operand", "operator", "right_operand"), _PRECEDENCE.get)

RULES = {
    "haskell": Rules(
        bare_methods=True,
        comments=kinds("comment haddock"),
        directive=re.compile(
            rf"^(?:--+|\{{-)\s*(?:{LINTERS}|HLINT|hlint|ormolu:|fourmolu:|stylish-haskell:|stan:|>>>)"
        ),
        file_directive=re.compile(r"^#!"),
        parentheses=kinds("parens"),
        blocks=kinds(
            "haskell declarations imports class_declarations instance_declarations local_binds alternatives do"
        ),
        verbatim=kinds("string char quasiquote_body"),
        container_bodies=kinds(
            "class_declarations instance_declarations data_constructors gadt_constructors newtype_constructor fields record"
        ),
        sorted_runs=kinds("import"),
        openers=(b"{-", b'"'),
        handlers={"infix": _CHAINS.infix, "parens": _CHAINS.parenthesized, "pragma": _pragma},
        closers={b"{-": b"-}"},
        identify=_identify,
    )
}
