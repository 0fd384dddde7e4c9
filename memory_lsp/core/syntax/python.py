"""Python: string and number values, tuples, parentheses, docstrings."""

from __future__ import annotations

import ast
import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from memory_lsp.core.syntax.rules import Handler, Rules, field_of, kinds

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

_BARE_QUOTE = re.compile(r'(\\.)|(")', re.DOTALL)
_TUPLES = kinds("tuple tuple_pattern expression_list pattern_list")


@lru_cache(maxsize=4096)
def _value(literal: str) -> str | None:
    """``repr`` of a literal's value with its type, or ``None`` if Python does not read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(ast.literal_eval(literal))
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return None


def _decoded(text: str, raw: bool) -> str:
    """The value of a piece of an f-string's text."""
    text = text.replace("{{", "{").replace("}}", "}")
    if raw:
        return text
    quoted = _BARE_QUOTE.sub(lambda match: match.group(1) or '\\"', text)
    value = _value('"""' + quoted + '"""')
    return ast.literal_eval(value) if value is not None else text


def _pieces(writer: Writer, node: Node) -> list[str | Node]:
    """A string's value in pieces: text and interpolations; a prefix that makes another type comes first."""
    text = writer.text(node).decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    start = writer.text(node.children[0]).decode("ascii", "replace").lower() if node.child_count else ""
    prefix = start.rstrip("'\"")
    if "f" in prefix or "t" in prefix:
        pieces: list[str | Node] = ["\x00t"] if "t" in prefix else []
        raw = "r" in prefix
        position = node.children[0].end_byte
        for child in node.children[1:]:
            between = writer.data[position : child.start_byte].decode("utf-8", "surrogateescape")
            if between:
                pieces.append(_decoded(between.replace("\r\n", "\n"), raw))
            if child.type == "interpolation":
                pieces.append(child)
            elif child.type != "string_end":
                content = writer.text(child).decode("utf-8", "surrogateescape")
                pieces.append(_decoded(content.replace("\r\n", "\n"), raw))
            position = child.end_byte
        return pieces
    value = _value(text)
    if value is None:
        return ["\x00raw" + text]
    literal = ast.literal_eval(value)
    return ["\x00b" + literal.decode("latin-1")] if isinstance(literal, bytes) else [literal]


def _string(writer: Writer, node: Node) -> bool:
    strings = _strings(node)
    merged: list[str | Node] = []
    for string in strings:
        for piece in _pieces(writer, string):
            if isinstance(piece, str) and merged and isinstance(merged[-1], str):
                merged[-1] += piece.removeprefix("\x00b")
            else:
                merged.append(piece)
    writer.open("formatted" if any("f" in prefix for prefix in _prefixes(node)) else "string")
    for piece in merged:
        if isinstance(piece, str):
            if piece or len(merged) == 1:
                writer.token(b"'" + piece.encode("utf-8", "surrogatepass"))
        else:
            _interpolation(writer, piece)
    writer.close()
    return True


def _interpolation(writer: Writer, node: Node) -> None:
    if any(not child.is_named and writer.text(child) == b"=" for child in node.children):
        # `{x = }` prints its own source text.
        writer.token(writer.text(node))
        return
    writer.open("interpolation")
    writer.children(node, frozenset({b"{", b"}"}))
    writer.close()


def _number(writer: Writer, node: Node) -> bool:
    text = writer.text(node).decode("ascii", "replace")
    writer.token((_value(text) or text.lower()).encode())
    return True


def _tuple(writer: Writer, node: Node) -> bool:
    commas = sum(1 for child in node.children if child.type == ",")
    if not commas and len(node.named_children) == 1 and node.type != "expression_list":
        inner, parent = node.named_children[0], node.parent
        bare = inner.type == "case_pattern" and parent is not None and parent.type != "case_pattern"
        writer.children(inner if bare else node, frozenset({b"(", b")"}))
        return True
    writer.open("tuple")
    writer.children(node, frozenset({b"(", b")", b","}))
    writer.close()
    return True


def _case_pattern(writer: Writer, node: Node) -> bool:
    """Parentheses around one pattern without a comma only group."""
    group = node.named_children[0] if node.named_child_count == 1 else None
    if group is None or group.type != "tuple_pattern" or any(child.type == "," for child in group.children):
        return False
    inner = [child for child in group.named_children if child.type != "comment"]
    if len(inner) != 1 or inner[0].type != "case_pattern":
        return False
    writer.children(group, frozenset({b"(", b")"}))
    return True


def _subscript(writer: Writer, node: Node) -> bool:
    if not any(child.type == "," for child in node.children):
        return False
    writer.open("subscript-tuple")
    writer.children(node, frozenset({b","}))
    writer.close()
    return True


def _call(writer: Writer, node: Node) -> bool:
    arguments = field_of(node, "arguments")
    if arguments is None or arguments.type != "generator_expression":
        return False
    writer.open("call")
    for child in node.children:
        if child.id == arguments.id:
            writer.open("argument_list")
            writer.token(b"(")
            writer.node(child)
            writer.token(b")")
            writer.close()
        else:
            writer.node(child)
    writer.close()
    return True


def _class(writer: Writer, node: Node) -> bool:
    """An empty list of base classes is none."""
    bases = field_of(node, "superclasses")
    if bases is None or bases.named_child_count:
        return _scope(writer, node)
    return _scope(writer, node, bases.id)


def docstring(node: Node) -> Node | None:
    """The docstring of a module, class or function."""
    body = node if node.type == "module" else field_of(node, "body")
    if body is None:
        return None
    first = next((child for child in body.named_children if child.type != "comment"), None)
    return _text_alone(first) if first is not None else None


def _text_alone(child: Node) -> Node | None:
    """The string that is all of a statement."""
    if child.type == "expression_statement" and child.named_child_count == 1:
        child = child.named_children[0]
    while child.type == "parenthesized_expression" and child.named_child_count == 1:
        child = child.named_children[0]
    is_text = child.type in ("string", "concatenated_string") and all(
        prefix in ("", "r", "u") for prefix in _prefixes(child)
    )
    return child if is_text else None


def afterword(top: Node) -> Node | None:
    """The docstring of an attribute: a string statement right behind its assignment in a class or module."""
    scope = top.parent
    if top.type != "assignment" or scope is None:
        return None
    if scope.type != "module" and (scope.parent is None or scope.parent.type != "class_definition"):
        return None
    following = top.next_named_sibling
    while following is not None and following.type == "comment":
        following = following.next_named_sibling
    return following if following is not None and _text_alone(following) is not None else None


def _strings(node: Node) -> list[Node]:
    return [node] if node.type == "string" else [child for child in node.named_children if child.type == "string"]


def _prefixes(node: Node) -> list[str]:
    """The prefixes of the string or strings, in lower case."""
    starts = ((string.children[0].text or b"") if string.child_count else b"" for string in _strings(node))
    return [start.decode("ascii", "replace").lower().rstrip("'\"") for start in starts]


def _scope(writer: Writer, node: Node, without: int = 0) -> bool:
    """A nested definition: its docstring is documentation."""
    found = docstring(node)
    if found is None and not without:
        return False
    writer.open(node.type)
    for child in node.children:
        if child.id == without or child.id in writer.skipped:
            continue
        if found is not None and child.start_byte <= found.start_byte and found.end_byte <= child.end_byte:
            writer.documentation.append(writer.text(found))
            writer.open(child.type)
            rest = [
                item
                for item in child.children
                if item.end_byte <= found.start_byte or item.start_byte >= found.end_byte
            ]
            writer.sequence(child, rest, child.end_byte, child.end_byte)
            writer.close()
        else:
            writer.node(child)
    writer.close()
    return True


def _with_clause(writer: Writer, node: Node) -> bool:
    writer.open("with_clause")
    writer.children(node, frozenset({b"(", b")", b","}))
    writer.close()
    return True


def _import(writer: Writer, node: Node) -> bool:
    """The parentheses around imported names only group."""
    writer.open(node.type)
    writer.children(node, frozenset({b"(", b")"}))
    writer.close()
    return True


def _annotation(writer: Writer, node: Node) -> bool:
    """An annotation is an expression: the grammar has nodes of its own for some forms of it, depending on parentheses."""
    writer.children(node)
    return True


def _generic(writer: Writer, node: Node) -> bool:
    parameters = node.named_children[-1]
    if parameters.type != "type_parameter":
        return False
    elements = any(child.type == "," for child in parameters.children)
    writer.open("subscript-tuple" if elements else "subscript")
    for child in node.children:
        if child.id == parameters.id:
            writer.children(child, frozenset({b","}))
        else:
            writer.node(child)
    writer.close()
    return True


def _as(kind: str) -> Handler:
    def write(writer: Writer, node: Node) -> bool:
        writer.open(kind)
        writer.children(node)
        writer.close()
        return True

    return write


RULES = {
    "python": Rules(
        comments=kinds("comment"),
        directive=re.compile(
            r"^#\s*(?:type:\s*(?:ignore\b|[(\"']|[\w.]+\s*(?:[\[|#]|$))|(?:ty|pyrefly):\s*ignore|"
            r"pyre-(?:ignore|fixme|strict|unsafe)|noqa\b|nosec\b|pragma:|pylint:|mypy:|pyright:|ruff:|flake8:|fmt:|isort:|yapf:|"
            r"pytype:|black:|!|-\*-|(?:vim?:\s*set\s.*)?coding[:=])",
            re.IGNORECASE,
        ),
        file_directive=re.compile(
            r"^#(?:!|\s*-\*-|\s*coding[:=]|\s*(?:ruff|flake8|mypy|isort|pylint):\s*(?:noqa|skip-file))"
        ),
        wrappers=kinds("decorated_definition expression_statement"),
        decorators=kinds("decorator"),
        parentheses=kinds("parenthesized_expression parenthesized_list_splat"),
        blocks=kinds("module block"),
        optional_semicolons=True,
        end_commas=kinds("with_clause"),
        openers=(b'"""', b"'''"),
        lone_commas=kinds("tuple tuple_pattern"),
        verbatim=kinds("string string_content format_specifier"),
        ignored=kinds("line_continuation"),
        functions=kinds("lambda"),
        handlers={
            "string": _string,
            "concatenated_string": _string,
            "integer": _number,
            "float": _number,
            "case_pattern": _case_pattern,
            "subscript": _subscript,
            "call": _call,
            "class_definition": _class,
            "function_definition": _scope,
            "with_clause": _with_clause,
            "import_from_statement": _import,
            "type": _annotation,
            "generic_type": _generic,
            "union_type": _as("binary_operator"),
            "member_type": _as("attribute"),
            "splat_type": _as("list_splat"),
            **dict.fromkeys(_TUPLES, _tuple),
        },
        docstring=docstring,
        afterword=afterword,
    )
}
