"""JavaScript, TypeScript and TSX: quotes, semicolons, parentheses, object keys, arrow parameters, JSX text, union types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Rules, field_of, kinds

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_ESCAPED_QUOTE = re.compile(rb"\\(['\"])|(\\.)", re.DOTALL)
_IDENTIFIER = re.compile(rb"[A-Za-z_$][\w$]*\Z")
_DECIMAL = re.compile(r"[0-9]+\Z")
_KEYS = kinds(
    "pair pair_pattern method_definition public_field_definition field_definition property_signature method_signature "
    "enum_assignment enum_body abstract_method_signature"
)
_OPTIONAL_CHAIN = re.compile(rb"\?\.(?!\d)")


def string_value(text: bytes) -> bytes:
    """A quoted literal without its quotes and without the escapes that only its quotes need."""
    text = text.replace(b"\r\n", b"\n")
    return _ESCAPED_QUOTE.sub(lambda match: match.group(1) or match.group(2), text[1:-1])


def _string(writer: Writer, node: Node) -> bool:
    text = writer.text(node)
    parent = node.parent
    if parent is not None and parent.type == "jsx_attribute":
        writer.token(b"'" + text[1:-1].replace(b"&quot;", b'"').replace(b"&apos;", b"'"))
        return True
    value = string_value(text)
    if (
        parent is not None
        and parent.type in _KEYS
        and _is_key(parent, node)
        and (_IDENTIFIER.match(value) or value.isdigit())
    ):
        writer.leaf_text(node, value)
        return True
    writer.token(b"'" + value)
    return True


def _is_key(parent: Node, node: Node) -> bool:
    if parent.type == "enum_body":
        return True
    for field in ("key", "name"):
        key = field_of(parent, field)
        if key is not None and key.id == node.id:
            return True
    return False


def _number(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("ascii", "replace").lower().replace("_", "")
    try:
        if text.endswith("n"):
            value = str(int(text[:-1], 0)) + "n"
        elif text.startswith(("0x", "0o", "0b")):
            value = repr(float(int(text, 0)))
        elif text.startswith("0") and _DECIMAL.match(text) and len(text) > 1:
            value = text
        else:
            value = repr(float(text))
    except (ValueError, OverflowError):
        value = text
    writer.token(value.encode())
    return True


def _parenthesized(writer: Writer, node: Node) -> bool:
    """Parentheses that end an optional chain, or that make a string no directive, mean something."""
    inner = node.named_children[0] if node.named_child_count else None
    parent = node.parent
    if inner is None or parent is None:
        return False
    while inner.type == "parenthesized_expression" and inner.named_child_count:
        inner = inner.named_children[0]
    ends_chain = (
        parent.type in ("member_expression", "call_expression", "subscript_expression", "non_null_expression")
        and inner.type in ("member_expression", "call_expression", "subscript_expression")
        and bool(_OPTIONAL_CHAIN.search(writer.text(inner)))
        and parent.children[0].id == node.id
    )
    if ends_chain or (parent.type == "expression_statement" and inner.type == "string"):
        writer.open("parenthesized")
        writer.node(inner)
        writer.close()
        return True
    return False


def _arrow(writer: Writer, node: Node) -> bool:
    parameter = field_of(node, "parameter")
    if parameter is None:
        return False
    writer.open("arrow_function")
    for child in node.children:
        if child.id == parameter.id:
            writer.open("formal_parameters")
            writer.token(b"(")
            if writer.typed:
                writer.open("required_parameter")
            writer.node(child)
            if writer.typed:
                writer.close()
            writer.token(b")")
            writer.close()
        else:
            writer.node(child)
    writer.close()
    return True


def _new(writer: Writer, node: Node) -> bool:
    if field_of(node, "arguments") is not None:
        return False
    writer.open("new_expression")
    writer.children(node)
    writer.open("arguments")
    writer.token(b"(")
    writer.token(b")")
    writer.close()
    writer.close()
    return True


def _regex(writer: Writer, node: Node) -> bool:
    """Flags have no order."""
    pattern, _slash, flags = writer.text(node).rpartition(b"/")
    writer.open("regex")
    writer.token(pattern)
    writer.token(b"/" + bytes(sorted(flags)))
    writer.close()
    return True


def _members(writer: Writer, node: Node) -> bool:
    """Members of a type are separated by a comma, a semicolon or a line end alike."""
    writer.open(node.type)
    writer.children(node, frozenset({b",", b";"}))
    writer.close()
    return True


def _operands(node: Node, kind: str) -> list[Node]:
    found: list[Node] = []
    for child in node.named_children:
        bare = child
        while bare.type == "parenthesized_type" and bare.named_child_count == 1:
            bare = bare.named_children[0]
        if bare.type == kind:
            child = bare
            found += _operands(child, kind)
        else:
            found.append(child)
    return found


def _types(writer: Writer, node: Node) -> bool:
    """Unions and intersections are flat, and may begin with their operator."""
    operands = [child for child in _operands(node, node.type) if child.type != "comment"]
    if len(operands) == 1:
        writer.node(operands[0])
        return True
    writer.open(node.type)
    for operand in operands:
        writer.node(operand)
    writer.close()
    return True


def _logical(writer: Writer, node: Node) -> bool:
    """A chain of one logical operator is flat, however it is grouped."""
    operator = field_of(node, "operator")
    if operator is None or writer.text(operator) not in (b"&&", b"||", b"??"):
        return False
    sign = writer.text(operator)
    writer.open("logical")
    writer.token(sign)
    stack = [node]
    while stack:
        item = stack.pop()
        bare = item
        while bare.type == "parenthesized_expression" and bare.named_child_count == 1:
            bare = bare.named_children[0]
        inner = field_of(bare, "operator") if bare.type == "binary_expression" else None
        if inner is not None and writer.text(inner) == sign:
            stack += [child for child in reversed(bare.children) if child.id != inner.id]
        else:
            writer.node(item)
    writer.close()
    return True


def _jsx_text(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    pieces = re.split(r"[ \t]*\n\s*", text)
    joined = " ".join(piece for piece in pieces if piece)
    for word in re.findall(r"\S+|\s+", joined):
        writer.token(b"'" + (b" " if word.isspace() else word.encode("utf-8", "surrogateescape")))
    return True


def _jsx_expression(writer: Writer, node: Node) -> bool:
    """``{" "}`` is a space that the layout needs."""
    if node.named_child_count == 1 and node.named_children[0].type == "string":
        parent = node.parent
        if parent is not None and parent.type in ("jsx_element", "jsx_fragment"):
            value = string_value(writer.text(node.named_children[0]))
            if value and not value.strip(b" "):
                writer.token(b"' ")
                return True
    return False


def _restricted(writer: Writer, node: Node) -> bool:
    """A line end behind ``return``, ``throw``, ``break``, ``continue`` or ``yield`` ends the statement, whatever the grammar says."""
    if node.named_child_count == 0 or node.child_count < 2:
        return False
    following = next((child for child in node.children[1:] if not child.is_extra), None)
    if following is None or not following.is_named:
        return False
    if b"\n" not in writer.data[node.children[0].end_byte : following.start_byte]:
        return False
    writer.open(node.type)
    writer.token(b"\x02end")
    writer.children(node)
    writer.close()
    return True


def _statement(writer: Writer, node: Node) -> bool:
    """An empty statement in a list of statements is a stray semicolon."""
    parent = node.parent
    return parent is not None and parent.type in (
        "program",
        "statement_block",
        "class_body",
        "switch_case",
        "switch_default",
    )


_BASE = {
    "comments": kinds("comment html_comment"),
    "directive": re.compile(
        r"^(?://|/\*+)\s*(?:@ts-|eslint|@jsx|prettier-ignore|dprint-ignore|deno-|@deno-types|oxlint-|\$Flow|@flow|"
        r"@noflow|istanbul|c8 |v8 |biome-|jshint|jslint|globals? |exported |"
        r"tslint|stylelint|webpack[A-Z]|@vite|#__PURE__|@__PURE__|[#@]__NO_SIDE_EFFECTS__|/\s*<(?:reference|amd))|^/\*\s*[#@]__|^#!"
    ),
    "file_directive": re.compile(r"^#!|^(?://|/\*+)\s*(?:@ts-(?:no)?check|@jsx|@flow|@noflow|/\s*<(?:reference|amd))"),
    "wrappers": kinds(
        "export_statement lexical_declaration variable_declaration ambient_declaration expression_statement "
        "assignment_expression"
    ),
    "decorators": kinds("decorator"),
    "declarators": kinds("variable_declarator"),
    "parentheses": kinds("parenthesized_expression parenthesized_type"),
    "blocks": kinds("program statement_block class_body switch_case switch_default interface_body object_type"),
    "optional_semicolons": True,
    "semicolon_parents": kinds("for_statement"),
    "end_commas": frozenset(),
    "verbatim": kinds("template_string string"),
    "ignored": frozenset(),
    "container_bodies": kinds("class_body interface_body object_type enum_body"),
    "functions": kinds("arrow_function function_expression generator_function function class parenthesized_expression"),
    "openers": (b"/*", b"`"),
    "handlers": {
        "string": _string,
        "number": _number,
        "parenthesized_expression": _parenthesized,
        "arrow_function": _arrow,
        "new_expression": _new,
        "regex": _regex,
        "interface_body": _members,
        "object_type": _members,
        "union_type": _types,
        "intersection_type": _types,
        "binary_expression": _logical,
        "jsx_text": _jsx_text,
        "jsx_expression": _jsx_expression,
        "empty_statement": _statement,
        "return_statement": _restricted,
        "break_statement": _restricted,
        "continue_statement": _restricted,
        "yield_expression": _restricted,
        "throw_statement": _restricted,
    },
}


def levels(text: str) -> tuple[str, ...]:
    """The levels in a name: a quoted name is one level, ``A.B`` two."""
    if text[:1] in "'\"`":
        return (text[1:-1],)
    return tuple(text.split("."))


RULES = {
    "javascript": Rules(**_BASE, levels=levels),  # type: ignore[arg-type]
    "typescript": Rules(**_BASE, levels=levels, typed=True),  # type: ignore[arg-type]
    "tsx": Rules(**_BASE, levels=levels, typed=True),  # type: ignore[arg-type]
}
