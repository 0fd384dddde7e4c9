"""Single mutations of real symbols, located in the syntax tree of the unchanged file.

Where a mutation stands is found with a grammar; whether it changed anything is for the witness of the language
(``oracles``) to say, or known (``expected``): comments and white space change nothing, a directive always does.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mutation_tables import ATTRIBUTES, DIRECTIVES, KEYWORDS, OPERATORS, POOLS

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.outline import Group, Outline


@dataclass(frozen=True)
class Mutation:
    """One edit: ``text`` replaces bytes ``start`` to ``end``. ``expected``: ``change``, ``same`` or empty (ask the witness)."""

    kind: str
    start: int
    end: int
    text: bytes
    expected: str = ""

    def apply(self, data: bytes) -> bytes:
        """The file after the edit."""
        return data[: self.start] + self.text + data[self.end :]


_NUMBER = re.compile(rb"[+-]?\d")
_NAME = re.compile(r"[^\W\d]\w*\Z")
_LINE_COMMENT = {"python": b"#"}


def family(language: str) -> str:
    """JavaScript, TypeScript and TSX share tables."""
    return "javascript" if language in ("typescript", "tsx", "javascript") else language


class Site:
    """What can be mutated in one symbol: its leaves and its inner nodes, without comments."""

    def __init__(self, outline: Outline, group: Group, numbers: random.Random) -> None:
        self.outline = outline
        self.language = outline.language
        self.data = outline.data
        self.numbers = numbers
        self.leaves: list[Node] = []
        self.inner: list[Node] = []
        for definition in group.definitions:
            nodes = [node for node in definition.leading if node.type not in outline.rules.comments]
            stack = [definition.top, *nodes]
            while stack:
                node = stack.pop()
                if node.type in outline.rules.comments:
                    continue
                if node.child_count:
                    self.inner.append(node)
                    stack.extend(reversed(node.children))
                elif node.end_byte > node.start_byte:
                    self.leaves.append(node)
        self.definition = group.definitions[0]

    def text(self, node: Node) -> bytes:
        """The node's text."""
        return self.data[node.start_byte : node.end_byte]

    def leaf(self, wanted: Callable[[Node], bool]) -> Node | None:
        """A random leaf of those that are wanted."""
        found = [node for node in self.leaves if wanted(node)]
        return self.numbers.choice(found) if found else None

    def node(self, wanted: Callable[[Node], bool]) -> Node | None:
        """A random inner node of those that are wanted."""
        found = [node for node in self.inner if wanted(node)]
        return self.numbers.choice(found) if found else None

    def line_start(self, offset: int) -> int:
        """Where the line begins."""
        return self.data.rfind(b"\n", 0, offset) + 1

    def indent(self, offset: int) -> bytes:
        """The white space that begins the line."""
        start = self.line_start(offset)
        rest = self.data[start:offset]
        return rest[: len(rest) - len(rest.lstrip())]


def _replace(kind: str, node: Node, text: bytes, expected: str = "") -> Mutation:
    return Mutation(kind, node.start_byte, node.end_byte, text, expected)


def _operator(site: Site) -> Mutation | None:
    operators = OPERATORS[family(site.language)]
    leaf = site.leaf(lambda node: not node.is_named and site.text(node).decode() in operators)
    if leaf is None:
        return None
    other = site.numbers.choice([item for item in operators if item != site.text(leaf).decode()])
    return _replace("operator", leaf, other.encode())


def _keyword(site: Site) -> Mutation | None:
    table = KEYWORDS[family(site.language)]
    leaf = site.leaf(lambda node: site.text(node).decode("utf-8", "replace") in table)
    if leaf is None:
        return None
    word = site.text(leaf).decode()
    kind = "async/await" if word in ("async", "await") or "async" in table[word][0] else "keyword or modifier"
    return _replace(kind, leaf, site.numbers.choice(table[word]).encode())


def _number(site: Site) -> Mutation | None:
    leaf = site.leaf(lambda node: bool(_NUMBER.match(site.text(node))))
    if leaf is None:
        return None
    text = site.text(leaf)
    new = site.numbers.choice(
        [b"1" + text, b"-" + text, text + b"1", text + b".5", b"0x" + text, text.upper(), b"7", text + b"_0"]
    )
    return _replace("number", leaf, new)


def _string(site: Site) -> Mutation | None:
    found = [node for node in [*site.inner, *site.leaves] if _is_string(node) and node.end_byte - node.start_byte > 2]
    if not found:
        return None
    node = site.numbers.choice(found)
    text = site.text(node)
    numbers = site.numbers
    at = numbers.randrange(1, len(text)) if len(text) > 2 else 1
    choice = numbers.randrange(7)
    if choice == 0:
        return Mutation("string: character", node.start_byte + at, node.start_byte + at, b"z")
    if choice == 1:
        return Mutation("string: white space", node.start_byte + at, node.start_byte + at, b" ")
    if choice == 2:
        return Mutation(
            "string: escape",
            node.start_byte + at,
            node.start_byte + at,
            numbers.choice([rb"\n", rb"\x41", b"\\\\", rb"\t"]),
        )
    if choice == 3:
        return Mutation(
            "string: prefix", node.start_byte, node.start_byte, numbers.choice([b"b", b"f", b"r", b"u", b"rb"])
        )
    if choice == 4:
        flipped = text.replace(b"'", b"\0").replace(b'"', b"'").replace(b"\0", b'"')
        return _replace("string: quotes", node, flipped)
    spaces = [index for index in range(1, len(text) - 1) if text[index : index + 1] in (b" ", b"\\", b"\n")]
    if choice == 5 and spaces:
        at = numbers.choice(spaces)
        return Mutation("string: character removed", node.start_byte + at, node.start_byte + at + 1, b"")
    return Mutation("string: character removed", node.start_byte + at - 1, node.start_byte + at, b"")


def _is_string(node: Node) -> bool:
    kind = node.type
    return kind == "jsx_text" or ("string" in kind and not kind.endswith(("start", "end", "fragment", "content")))


def _name(site: Site) -> Mutation | None:
    leaf = site.leaf(lambda node: node.is_named and bool(_NAME.match(site.text(node).decode("utf-8", "replace"))))
    if leaf is None:
        return None
    others = {site.text(node) for node in site.leaves if node.type == leaf.type} - {site.text(leaf)}
    new = site.numbers.choice(sorted(others)) if others and site.numbers.random() < 0.5 else site.text(leaf) + b"_x"
    return _replace(f"name ({leaf.type})" if "type" in leaf.type else "name", leaf, new)


def _pair(site: Site, minimum: int) -> tuple[Node, list[Node]] | None:
    node = site.node(lambda item: sum(1 for child in item.named_children if not _comment(site, child)) >= minimum)
    if node is None:
        return None
    return node, [child for child in node.named_children if not _comment(site, child)]


def _comment(site: Site, node: Node) -> bool:
    return node.type in site.outline.rules.comments


def _swap(site: Site) -> Mutation | None:
    found = _pair(site, 2)
    if found is None:
        return None
    node, children = found
    if node.type in ("use_list", "import_spec_list"):
        # Their elements have no order.
        return None
    index = site.numbers.randrange(len(children) - 1)
    left, right = children[index], children[index + 1]
    between = site.data[left.end_byte : right.start_byte]
    return Mutation(
        f"order ({_group(node)})", left.start_byte, right.end_byte, site.text(right) + between + site.text(left)
    )


def _group(node: Node) -> str:
    for word in ("argument", "parameter", "block", "body", "list", "type", "object", "array", "tuple", "binary"):
        if word in node.type:
            return {"list": "elements", "block": "statements"}.get(word, word)
    return "other"


def _remove(site: Site) -> Mutation | None:
    found = _pair(site, 1)
    if found is None:
        return None
    node, children = found
    index = site.numbers.randrange(len(children))
    end = children[index + 1].start_byte if index + 1 < len(children) else children[index].end_byte
    start = children[index].start_byte
    if index and end == children[index].end_byte:
        start = children[index - 1].end_byte
    return Mutation(f"removed ({_group(node)})", start, end, b"")


def _duplicate(site: Site) -> Mutation | None:
    found = _pair(site, 2)
    if found is None:
        return None
    node, children = found
    index = site.numbers.randrange(len(children) - 1)
    between = site.data[children[index].end_byte : children[index + 1].start_byte]
    at = children[index + 1].start_byte
    return Mutation(f"duplicated ({_group(node)})", at, at, site.text(children[index]) + between)


def _negate(site: Site) -> Mutation | None:
    node = site.node(lambda item: item.child_by_field_name("condition") is not None)
    condition = node.child_by_field_name("condition") if node is not None else None
    if condition is None:
        return None
    text = site.text(condition)
    if site.language == "python":
        return _replace("negation", condition, b"not (" + text + b")")
    wrapped = b"(!" + text + b")" if text.startswith(b"(") else b"!(" + text + b")"
    return _replace("negation", condition, wrapped)


def _nesting(site: Site) -> Mutation | None:
    """A statement moved over the end of its block."""
    if site.language == "python":
        return _indentation(site)
    leaf = site.leaf(lambda node: site.text(node) == b"}")
    sibling = leaf.prev_named_sibling if leaf is not None else None
    if leaf is None or sibling is None or _comment(site, sibling):
        return None
    end = leaf.end_byte
    return Mutation("nesting", sibling.start_byte, end, b"}\n" + site.data[sibling.start_byte : leaf.start_byte])


def _indentation(site: Site) -> Mutation | None:
    """The last statement of a block moved out of it, or a statement moved into the block above it."""
    inward = site.numbers.random() < 0.5
    if inward:
        statement = site.node(
            lambda item: (
                item.prev_named_sibling is not None
                and item.prev_named_sibling.type
                in ("if_statement", "for_statement", "while_statement", "with_statement")
            )
        )
    else:
        block = site.node(
            lambda item: (
                item.type == "block" and item.named_child_count > 1 and item.start_byte > site.definition.name_end
            )
        )
        statement = block.named_children[-1] if block is not None else None
    if statement is None or _comment(site, statement) or statement.start_byte < site.definition.name_end:
        return None
    start = site.line_start(statement.start_byte)
    text = site.data[start : statement.end_byte]
    pattern = rb"(?m)^(?=[^\n])" if inward else rb"(?m)^    "
    return Mutation(
        "nesting by indentation", start, statement.end_byte, re.sub(pattern, b"    " if inward else b"", text)
    )


def _attribute(site: Site) -> Mutation | None:
    choices = ATTRIBUTES.get(site.language)
    node = site.definition.node
    if (
        not choices
        or not re.search("function|class|method|struct|enum|field_def", node.type)
        or node.id != site.definition.top.id
    ):
        return None
    text = site.numbers.choice(choices)
    return Mutation(
        "decorator or attribute added", node.start_byte, node.start_byte, text + site.indent(node.start_byte)
    )


def _directive(site: Site) -> Mutation | None:
    """A directive comment above a statement of the body or the definition."""
    statement = site.node(
        lambda item: "statement" in item.type and item.type not in ("statement_block", "statement_list")
    )
    if statement is None or site.data[site.line_start(statement.start_byte) : statement.start_byte].strip():
        return None
    text = site.numbers.choice(DIRECTIVES[family(site.language)])
    indent = site.indent(statement.start_byte)
    return Mutation("directive comment", statement.start_byte, statement.start_byte, text + b"\n" + indent, "change")


def _annotation(site: Site) -> Mutation | None:
    """A type added to an untyped parameter or removed from a typed one."""
    if site.language not in ("python", "typescript", "tsx"):
        return None
    node = site.node(lambda item: "parameters" in item.type and item.named_child_count > 0)
    if node is None:
        return None
    child = site.numbers.choice(node.named_children)
    kind = child.child_by_field_name("type")
    if kind is not None:
        start = kind.start_byte
        while site.data[start : start + 1] != b":":
            start -= 1
            if start <= child.start_byte:
                return None
        return Mutation("annotation removed", start, kind.end_byte, b"")
    return Mutation(
        "annotation added", child.end_byte, child.end_byte, b": int" if site.language == "python" else b": number"
    )


def _default(site: Site) -> Mutation | None:
    node = site.node(lambda item: "parameters" in item.type and item.named_child_count > 0)
    if node is None or site.language in ("go", "rust"):
        return None
    child = site.numbers.choice(node.named_children)
    return Mutation("default", child.end_byte, child.end_byte, b"=7")


def _single(site: Site) -> Mutation | None:
    """A comma behind one value, a hole in an array, a semicolon behind the last expression."""
    data = site.data
    if site.language == "python":
        node = site.node(
            lambda item: item.type in ("return_statement", "assignment", "parenthesized_expression", "subscript")
        )
        if node is None:
            return None
        at = node.end_byte - (1 if data[node.end_byte - 1 : node.end_byte] in (b")", b"]") else 0)
        return Mutation("comma of a one-element tuple", at, at, b",")
    if site.language == "rust":
        node = site.node(lambda item: item.type == "block")
        if node is None:
            return None
        return Mutation("trailing `;`", node.end_byte - 1, node.end_byte - 1, b";")
    if site.language == "go":
        return None
    node = site.node(lambda item: item.type in ("array", "array_pattern"))
    if node is None:
        return None
    return Mutation("array hole", node.start_byte + 1, node.start_byte + 1, b",")


def _newline(site: Site) -> Mutation | None:
    """A line end instead of, or beside, the white space between two tokens."""
    leaf = site.leaf(lambda node: site.data[node.end_byte : node.end_byte + 1] == b" ")
    return Mutation("line end between tokens", leaf.end_byte, leaf.end_byte + 1, b"\n") if leaf else None


def _fuzz(site: Site) -> Mutation | None:
    """Any token removed, doubled, exchanged with the next or put in."""
    if len(site.leaves) < 3:
        return None
    index = site.numbers.randrange(len(site.leaves) - 1)
    leaf, following = site.leaves[index], site.leaves[index + 1]
    choice = site.numbers.randrange(5)
    if (
        site.language == "rust"
        and site.text(leaf) == b";"
        and re.match("return|break|continue", _statement_text(site, leaf))
    ):
        # rustfmt puts it there.
        return None
    if choice == 0:
        return _replace("any token removed", leaf, b"")
    if choice == 1:
        return Mutation("any token doubled", leaf.end_byte, leaf.end_byte, b" " + site.text(leaf))
    if choice == 2 and leaf.end_byte <= following.start_byte:
        between = site.data[leaf.end_byte : following.start_byte] or b" "
        return Mutation(
            "any two tokens exchanged",
            leaf.start_byte,
            following.end_byte,
            site.text(following) + between + site.text(leaf),
        )
    word = site.numbers.choice(POOLS[site.language]).encode()
    if word == b"," and site.language == "rust" and leaf.parent is not None and leaf.parent.type == "token_tree":
        return None
    if choice == 3:
        return Mutation("any token put in", leaf.end_byte, leaf.end_byte, b" " + word + b" ")
    return _replace("any token replaced", leaf, word)


def _statement_text(site: Site, leaf: Node) -> str:
    return site.text(leaf.parent).decode("utf-8", "replace") if leaf.parent is not None else ""


def _lifetime(site: Site) -> Mutation | None:
    if site.language != "rust":
        return None
    leaf = site.node(lambda node: node.type in ("lifetime", "reference_type"))
    if leaf is None:
        return None
    if leaf.type == "lifetime":
        return _replace("lifetime", leaf, b"'static" if site.text(leaf) != b"'static" else b"'a")
    return Mutation("lifetime", leaf.start_byte + 1, leaf.start_byte + 1, b"'static ")


def _macro(site: Site) -> Mutation | None:
    if site.language != "rust":
        return None
    node = site.node(lambda item: item.type == "token_tree")
    if node is None:
        return None
    child = site.numbers.choice(node.children[1:-1] or node.children)
    return Mutation(
        "macro token", child.start_byte, child.end_byte, site.numbers.choice([b"x", b"", site.text(child) + b", x"])
    )


def _blank(site: Site) -> Mutation | None:
    leaf = site.leaf(lambda node: site.data[node.end_byte : node.end_byte + 1] == b"\n")
    return Mutation("blank line added", leaf.end_byte, leaf.end_byte, b"\n\n", "same?") if leaf else None


def _space(site: Site) -> Mutation | None:
    leaf = site.leaf(lambda node: site.data[node.end_byte : node.end_byte + 1] == b" ")
    return Mutation("white space between tokens", leaf.end_byte, leaf.end_byte, b"  ") if leaf else None


def _remark(site: Site) -> Mutation | None:
    """A comment behind a line's last token, or on a line of its own."""
    leaf = site.leaf(lambda node: site.data[node.end_byte : node.end_byte + 1] == b"\n")
    if leaf is None:
        return None
    mark = _LINE_COMMENT.get(site.language, b"//")
    text = (
        b" " + mark + b" a remark"
        if site.numbers.random() < 0.5
        else b"\n" + site.indent(leaf.start_byte) + mark + b" a remark"
    )
    return Mutation("comment added", leaf.end_byte, leaf.end_byte, text, "same?")


def _parentheses(site: Site) -> Mutation | None:
    """Parentheses around any inner node; the witness says where they only group."""
    node = site.node(lambda item: item.is_named and item.parent is not None and item.end_byte - item.start_byte < 200)
    if node is None or (site.language == "rust" and not _rust_expression(site, node)):
        return None
    expected = ""
    if site.language == "rust":
        # What rustc prints still holds them; only around the field of a call they say something.
        parent = node.parent
        called = parent is not None and parent.type == "call_expression" and parent.children[0].id == node.id
        expected = "change" if called and node.type == "field_expression" else "same"
    return _replace("parentheses added", node, b"(" + site.text(node) + b")", expected)


def _comma(site: Site) -> Mutation | None:
    leaf = site.leaf(lambda node: site.text(node) in (b")", b"]", b"}"))
    if leaf is None:
        return None
    if site.language == "rust" and leaf.parent is not None and leaf.parent.type == "token_tree":
        # Whether a macro or an attribute minds a trailing comma cannot be said without expanding it.
        return None
    return Mutation("comma before a bracket", leaf.start_byte, leaf.start_byte, b",")


def _rust_expression(site: Site, node: Node) -> bool:
    """Whether parentheses around this node only group (or make a call of what a field holds)."""
    parent = node.parent
    if parent is None or not node.type.endswith("_expression") or "statement" in parent.type or parent.type == "block":
        return False
    return parent.child_by_field_name("body") != node and parent.type not in ("match_arm", "let_chain", "let_condition")


def _semicolon(site: Site) -> Mutation | None:
    leaf = site.leaf(lambda node: site.data[node.end_byte : node.end_byte + 1] == b"\n")
    if leaf is None or leaf.end_byte == site.definition.top.end_byte:
        return None
    return Mutation("semicolon at a line end", leaf.end_byte, leaf.end_byte, b";")


def _carriage(site: Site) -> Mutation | None:
    if b"\r" in site.data:
        return None
    return Mutation("CRLF", 0, len(site.data), site.data.replace(b"\n", b"\r\n"), "same")


MUTATORS: tuple[Callable[[Site], Mutation | None], ...] = (
    _operator, _keyword, _number, _string, _string, _name, _swap, _swap, _remove, _duplicate, _negate, _nesting, _attribute,
    _directive, _annotation, _default, _single, _newline, _lifetime, _macro, _fuzz, _fuzz, _fuzz, _fuzz, _blank, _space, _remark,
    _parentheses, _parentheses, _comma, _semicolon, _carriage,
)  # fmt: skip


def mutations(outline: Outline, group: Group, numbers: random.Random, each: int = 1) -> Iterator[Mutation]:
    """Mutations of every kind that the symbol has a place for, ``each`` of every kind."""
    site = Site(outline, group, numbers)
    for mutator in MUTATORS:
        for _time in range(each):
            found = mutator(site)
            if found is not None:
                yield found
