"""Rust: what rustfmt adds and removes around values, attributes and types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Rules, field_of, kinds

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_CONTINUATION = re.compile(rb"(\\[^\n])|\\\n\s*")
_JUMPS = kinds("return_expression break_expression continue_expression")
_STATEMENTS = re.compile(r"(?:_statement|_declaration|_item|_definition|_rules)$")
_COMMENTS = kinds("line_comment block_comment")
_USED = kinds("scoped_identifier scoped_use_list use_as_clause use_wildcard")
_KNOWN_MACROS = kinds(
    "vec println print eprintln eprint format write writeln assert assert_eq assert_ne debug_assert debug_assert_eq panic "
    "todo unimplemented unreachable matches format_args info debug warn error trace log bail anyhow ensure"
)


def _expression_block(node: Node | None) -> Node | None:
    """The only expression of a block that is nothing but one expression."""
    if node is None or node.type != "block":
        return None
    if node.child_count and node.children[0].type in ("unsafe", "async", "label", "const", "move"):
        return None
    inner = [child for child in node.named_children if child.type not in _COMMENTS]
    if len(inner) != 1 or inner[0].type in ("attribute_item", "inner_attribute_item", "empty_statement", "label"):
        return None
    only = inner[0]
    if only.type == "expression_statement":
        bare = only.named_children[0] if only.named_child_count else None
        ends = only.children[-1].type == ";" and (bare is None or bare.type not in _JUMPS)
        return None if ends else bare
    return None if _STATEMENTS.search(only.type) else only


def _unblocked(writer: Writer, node: Node, field: str) -> bool:
    value = field_of(node, field)
    inner = _expression_block(value)
    if value is None or inner is None:
        return False
    nested = inner
    while (deeper := _expression_block(nested)) is not None:
        nested = deeper
    writer.open(node.type)
    for index, child in enumerate(node.children):
        if child.id == value.id:
            writer.node(nested)
        elif child.type != "," or index + 1 < node.child_count:
            writer.node(child)
    writer.close()
    return True


def _arm(writer: Writer, node: Node) -> bool:
    return _unblocked(writer, node, "value")


def _closure(writer: Writer, node: Node) -> bool:
    return field_of(node, "return_type") is None and _unblocked(writer, node, "body")


def _statement(writer: Writer, node: Node) -> bool:
    """The semicolon behind a jump is optional; a block-like statement needs no form of its own."""
    inner = node.named_children[0] if node.named_child_count else None
    if inner is None:
        return False
    if inner.type in _JUMPS or node.children[-1].type != ";":
        writer.children(node, frozenset({b";"}))
        return True
    return False


def _empty(writer: Writer, node: Node) -> bool:
    """A semicolon behind another one; behind a block it may be what makes the block's value nothing."""
    before = node.prev_sibling
    while before is not None and before.type in _COMMENTS:
        before = before.prev_sibling
    return before is None or before.type in ("{", "empty_statement") or writer.text(before).endswith(b";")


def _or_pattern(writer: Writer, node: Node) -> bool:
    """A bar in front of the first alternative means nothing."""
    if node.children[0].type != "|" or node.named_child_count != 1:
        return False
    writer.children(node, frozenset({b"|"}))
    return True


def _visibility(writer: Writer, node: Node) -> bool:
    """``pub(in crate)`` is ``pub(crate)``."""
    scope = next((child for child in node.named_children if child.type not in _COMMENTS), None)
    if scope is None or scope.type not in ("crate", "self", "super"):
        return False
    writer.open("visibility_modifier")
    writer.children(node, frozenset({b"in"}))
    writer.close()
    return True


def _where(_writer: Writer, node: Node) -> bool:
    """A ``where`` without a condition."""
    return all(child.type in _COMMENTS for child in node.named_children)


def _path_in_use(writer: Writer, node: Node) -> bool:
    """What ``use`` names is one path, whether braces stand in it or not."""
    outer = node.parent
    while outer is not None and outer.type in _USED:
        outer = outer.parent
    if outer is None or outer.type not in ("use_declaration", "use_list"):
        return False
    writer.children(node)
    return True


def _use_list(writer: Writer, node: Node) -> bool:
    """Braces around one name only group; ``{self}`` names less than the path alone."""
    inner = [child for child in node.named_children if child.type not in _COMMENTS]
    if len(inner) != 1 or inner[0].type == "self" or (inner[0].children[:1] and inner[0].children[0].type == "self"):
        return False
    writer.children(node, frozenset({b"{", b"}", b","}))
    return True


def _derives(node: Node) -> list[str] | None:
    attribute = node.named_children[0] if node.named_child_count else None
    if node.type != "attribute_item" or attribute is None or attribute.type != "attribute":
        return None
    arguments = field_of(attribute, "arguments")
    if attribute.named_children[0].text != b"derive" or arguments is None:
        return None
    text = (arguments.text or b"()").decode("utf-8", "replace")[1:-1]
    return [" ".join(item.split()) for item in text.split(",") if item.strip()]


def _attribute(writer: Writer, node: Node) -> bool:
    """Several derives are one list."""
    names = _derives(node)
    if names is None:
        return False
    for name in names:
        writer.token(b"derive " + name.encode())
    return True


def _function(writer: Writer, node: Node) -> bool:
    """``-> ()`` is what a function without a result returns."""
    result = field_of(node, "return_type")
    if result is None or result.type != "unit_type":
        return False
    writer.open(node.type)
    kept = [child for child in node.children if child.id != result.id and child.type != "->"]
    writer.sequence(node, kept, node.end_byte, node.end_byte)
    writer.close()
    return True


def _extern(writer: Writer, node: Node) -> bool:
    if node.named_child_count:
        return False
    writer.open("extern_modifier")
    writer.token(b"extern")
    writer.token(b'"C"')
    writer.close()
    return True


def _macro(writer: Writer, node: Node) -> bool:
    """The standard macros take a trailing comma as a function does, and any kind of bracket."""
    macro = field_of(node, "macro")
    if macro is None or writer.text(macro).decode("utf-8", "replace") not in _KNOWN_MACROS:
        return False
    tree = node.named_children[-1]
    if tree.type != "token_tree":
        return False
    writer.open("macro_invocation")
    writer.node(macro)
    _without_comma(writer, tree, _last_comma(tree))
    writer.close()
    return True


def _last_comma(tree: Node) -> int:
    """The index of the comma in front of the closing bracket, or 0."""
    index = tree.child_count - 2
    while index > 0 and tree.children[index].type in _COMMENTS:
        index -= 1
    return index if index > 0 and tree.children[index].type == "," else 0


def _without_comma(writer: Writer, tree: Node, comma: int) -> None:
    """What stands between the brackets, without the child at this index (0: with all)."""
    children = tree.children
    if comma:
        writer.sequence(tree, children[1:comma], children[0].end_byte, children[comma].start_byte)
        writer.sequence(tree, children[comma + 1 : -1], children[comma].end_byte, children[-1].start_byte)
    else:
        writer.sequence(tree, children[1:-1], children[0].end_byte, children[-1].start_byte)


def _parenthesized(writer: Writer, node: Node) -> bool:
    """``(a.b)()`` calls what the field holds, ``a.b()`` a method."""
    inner = node.named_children[0] if node.named_child_count else None
    parent = node.parent
    while inner is not None and inner.type == "parenthesized_expression" and inner.named_child_count:
        inner = inner.named_children[0]
    if inner is None or inner.type != "field_expression" or parent is None or parent.type != "call_expression":
        return False
    if parent.children[0].id != node.id:
        return False
    writer.open("parenthesized")
    writer.node(inner)
    writer.close()
    return True


def _single(writer: Writer, node: Node) -> bool:
    """Parentheses around one pattern or type without a comma only group."""
    inner = [child for child in node.named_children if child.type not in _COMMENTS]
    if len(inner) != 1 or any(child.type == "," for child in node.children):
        return False
    writer.children(node, frozenset({b"(", b")"}))
    return True


def _token_tree(writer: Writer, node: Node) -> bool:
    """In a macro's arguments, which rustfmt formats, a trailing comma means nothing, except in a tuple of one.

    Between braces rustfmt leaves a macro alone, and every comma counts.
    """
    comma = _last_comma(node)
    if comma < 2:
        return False
    before = node.prev_sibling
    call = before is not None and before.type in ("identifier", "type_identifier", "!")
    commas = sum(1 for child in node.children if child.type == ",")
    writer.open("token_tree")
    writer.token(writer.text(node.children[0]))
    idle = _formatted(writer, node) and (commas > 1 or call or node.children[0].type != "(")
    if idle:
        _without_comma(writer, node, comma)
    else:
        _without_comma(writer, node, 0)
    writer.token(writer.text(node.children[-1]))
    writer.close()
    return True


def _formatted(writer: Writer, node: Node) -> bool:
    """Whether rustfmt formats what this token tree belongs to: not a macro with braces, unless it is one of the standard ones."""
    tree, parent = node, node.parent
    while parent is not None and parent.type == "token_tree":
        tree, parent = parent, parent.parent
    if tree.children[0].type != "{" or parent is None:
        return True
    macro = field_of(parent, "macro") if parent.type == "macro_invocation" else None
    return macro is None or writer.text(macro).decode("utf-8", "replace") in _KNOWN_MACROS


def _rule(writer: Writer, node: Node) -> bool:
    """Any kind of bracket may stand around what a rule of a macro gives."""
    right = field_of(node, "right")
    if right is None or right.child_count < 2:
        return False
    writer.open("macro_rule")
    for child in node.children:
        if child.id == right.id:
            writer.open("token_tree")
            inner = right.children
            writer.sequence(right, inner[1:-1], inner[0].end_byte, inner[-1].start_byte)
            writer.close()
        else:
            writer.node(child)
    writer.close()
    return True


def _rules(writer: Writer, node: Node) -> bool:
    """The semicolon behind the last rule, and the kind of bracket around them all, mean nothing."""
    writer.open("macro_definition")
    writer.children(node, frozenset({b";", b"(", b")", b"{", b"}", b"[", b"]"}))
    writer.close()
    return True


def _string(writer: Writer, node: Node) -> bool:
    """A backslash that ends a line leaves out the line end and the indentation of the next."""
    text = writer.text(node).replace(b"\r\n", b"\n")
    writer.token(_CONTINUATION.sub(lambda match: match.group(1) or b"", text))
    return True


RULES = {
    "rust": Rules(
        fields_apart=True,
        comments=_COMMENTS,
        directive=re.compile(r"^//\s*(?:@generated|rustfmt::|clippy::|nosemgrep)|^#!"),
        decorators=kinds("attribute_item"),
        parentheses=kinds("parenthesized_expression parenthesized_type"),
        blocks=kinds("source_file block declaration_list field_declaration_list enum_variant_list match_block"),
        end_commas=kinds("where_clause match_arm trait_bounds type_parameters"),
        lone_commas=kinds("tuple_expression tuple_pattern tuple_type"),
        verbatim=kinds("raw_string_literal"),
        container_bodies=kinds("field_declaration_list enum_variant_list declaration_list"),
        sorted_runs=kinds("use_declaration"),
        sorted_lists=kinds("use_list"),
        openers=(b"/*", b'"'),
        handlers={
            "match_arm": _arm,
            "closure_expression": _closure,
            "expression_statement": _statement,
            "attribute_item": _attribute,
            "function_item": _function,
            "function_signature_item": _function,
            "extern_modifier": _extern,
            "macro_invocation": _macro,
            "macro_definition": _rules,
            "macro_rule": _rule,
            "token_tree": _token_tree,
            "parenthesized_expression": _parenthesized,
            "tuple_pattern": _single,
            "tuple_type": _single,
            "string_literal": _string,
            "empty_statement": _empty,
            "or_pattern": _or_pattern,
            "visibility_modifier": _visibility,
            "where_clause": _where,
            "use_list": _use_list,
            **dict.fromkeys(_USED, _path_in_use),
        },
    )
}
