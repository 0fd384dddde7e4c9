"""The canonical form of syntax: what remains of a tree when layout, comments and redundant marks are taken away.

A ``Writer`` turns nodes into a list of tokens: node kinds in brackets (nesting shows what only indentation or a newline
shows in the text), every leaf, and every text between children that is not white space. Two texts mean the same if their
tokens are equal. Names of the cited symbol itself are remembered as ``marks``, so that the same tokens can be hashed
with and without them (a rename, a move to another type).
"""

from __future__ import annotations

import hashlib
import itertools
import re
import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.syntax.rules import Rules

MAX_DEPTH = 2000
"""Deeper nesting is written leaf by leaf, without its structure."""

_CLOSERS = frozenset({b")", b"]", b"}", b">", b"|"})
_OPENERS = frozenset({b"(", b"[", b"{", b"<", b"|"})
_WORDS_AND_SIGNS = re.compile(r"\w+|[^\w\s]")
_SPACE = re.compile(rb"\s+")
_QUALIFIED = re.compile(rb"(?:([\w@$]+)\s*)?(?:\?\.|\.|->|::)\s*$")
_SELF = frozenset({b"self", b"this", b"cls", b"Self", b"$this", b"static", b"@", b"super"})
_CALL = re.compile(rb"\s*(?:<[^<>(){};]*>\s*)?(?:\(|!(?!=))")
_ASSIGNED = re.compile(rb"\s*(?::=|=(?![=>~]))")
_NAMED_VALUES = frozenset(
    {"keyword_argument", "pair", "named_argument", "field_initializer", "keyed_element", "argument"}
)
OWN = b"\x01own"
OWNER = b"\x01owner"
CALL, BARE, USE, LOCAL, PLAIN, OWNING = range(6)
"""What a mark is: the symbol itself for certain; its name called, or used, without anything in front; a variable of that name;
its name as something else (a key, a field); the name of a type around it."""

sys.setrecursionlimit(max(sys.getrecursionlimit(), 3 * MAX_DEPTH))


@dataclass(frozen=True, slots=True)
class Names:
    """The cited symbol's own name and the names of the types around it, as UTF-8 in NFC; empty when there are none.

    ``method``: the symbol is a method; ``value``: it is something else that its bare name can stand for (function, type).
    """

    own: bytes = b""
    owners: frozenset[bytes] = frozenset()
    method: bool = False
    value: bool = False


@cache
def _opening(kind: str) -> bytes:
    return b"(" + kind.encode()


class Writer:
    """Collects the canonical tokens of nodes of one source. ``skipped`` nodes (by id) are left out."""

    __slots__ = (
        "brackets",
        "data",
        "depth",
        "documentation",
        "marks",
        "names",
        "out",
        "pending",
        "rules",
        "skipped",
        "tokens",
    )

    def __init__(
        self, data: bytes, rules: Rules, names: Names, skipped: frozenset[int] | set[int] = frozenset()
    ) -> None:
        self.data = data
        self.rules = rules
        self.names = names
        self.skipped = skipped
        self.out: list[bytes] = []
        self.marks: list[tuple[int, int]] = []
        self.documentation: list[bytes] = []
        self.pending: list[bytes] = []
        self.tokens = 0
        self.depth = 0
        self.brackets: dict[int, str] = {}

    def text(self, node: Node) -> bytes:
        """The node's source text."""
        return self.data[node.start_byte : node.end_byte]

    def open(self, kind: str) -> None:
        """Begin a nested form; the caller closes it."""
        self.out.append(_opening(kind))

    def close(self) -> None:
        """End the innermost nested form."""
        self.out.append(b")")

    def token(self, text: bytes) -> None:
        """One leaf."""
        self.out.append(text)
        self.tokens += 1

    def node(self, node: Node) -> None:
        """Write a node by its rules."""
        if node.id in self.skipped:
            return
        rules = self.rules
        kind = node.type
        if kind in rules.comments:
            self.comment(node)
            return
        if kind in rules.ignored:
            return
        handler = rules.handlers.get(kind)
        if handler is not None and node.is_named and handler(self, node):
            return
        if node.child_count == 0:
            self.leaf(node)
        elif kind in rules.parentheses:
            self.children(node, frozenset({b"(", b")"}))
        elif self.depth >= MAX_DEPTH:
            self.flat(node)
        elif kind in rules.sorted_lists:
            self.unordered(node)
        else:
            self.depth += 1
            self.out.append(_opening(kind))
            self.sequence(node, node.children, node.start_byte, node.end_byte)
            self.out.append(b")")
            self.depth -= 1

    def children(self, node: Node, without: frozenset[bytes] = frozenset()) -> None:
        """The node's children and what stands between them, without layout and the anonymous tokens in ``without``."""
        self.sequence(node, node.children, node.start_byte, node.end_byte, without)

    def unordered(self, node: Node) -> None:
        """A node whose children have no order."""
        self.open(node.type)
        self.out += sorted(itertools.chain.from_iterable(self.apart(child) for child in node.named_children))
        self.close()

    def apart(self, node: Node) -> list[bytes]:
        """The tokens of one node, as one token, so that they can be sorted; empty if it means nothing."""
        start = len(self.out)
        self.node(node)
        tokens = self.out[start:]
        del self.out[start:]
        self.marks = [(index, mode) for index, mode in self.marks if index < start]
        return [b"\x04".join(tokens)] if tokens else []

    def sequence(
        self, node: Node, children: list[Node], start: int, end: int, without: frozenset[bytes] = frozenset()
    ) -> None:
        """Some consecutive children of ``node`` with the text between them, from byte ``start`` to ``end``."""
        rules = self.rules
        data = self.data
        special = rules.special
        skipped = self.skipped
        out = self.out
        own, owners = self.names.own, self.names.owners
        kind = node.type
        exact = kind in rules.verbatim
        statements = kind in rules.blocks
        position = start
        run: list[bytes] = []
        last = len(children) - 1
        for index, child in enumerate(children):
            begin = child.start_byte
            end_of_child = child.end_byte
            if begin > position:
                between = data[position:begin]
                if not between.isspace() or (exact and not self.beside_code(children, index)):
                    self.gap(between, exact)
            if end_of_child > position:
                position = end_of_child
            if child.child_count == 0:
                text = data[begin:end_of_child]
                if exact:
                    self.token(text.replace(b"\r\n", b"\n"))
                    continue
                named = child.is_named
                if not named:
                    if text in without:
                        continue
                    if text == b",":
                        if self.idle_comma(kind, children, index, last):
                            continue
                    elif text == b";" and rules.optional_semicolons and kind not in rules.semicolon_parents:
                        continue
                if child.type not in special and child.id not in skipped and text.isascii() and b"\r" not in text:
                    # What nearly every leaf is, without a call.
                    if text and not text.isspace():
                        if named and (text == own or text in owners):
                            self.mark(child, text)
                        out.append(text)
                        self.tokens += 1
                    if statements and self.pending:
                        self.flush()
                    continue
            if child.type in rules.sorted_runs or (run and child.type in rules.comments):
                run += self.apart(child)
                rest = itertools.islice(children, index + 1, None)
                if next((item.type for item in rest if item.type not in rules.comments), "") in rules.sorted_runs:
                    continue
                self.out += sorted(run)
                run = []
            else:
                self.node(child)
            if statements and self.pending:
                self.flush()
        if end > position and (exact or not data[position:end].isspace()):
            self.gap(data[position:end], exact)
        if statements and self.pending:
            self.flush()

    def beside_code(self, children: list[Node], index: int) -> bool:
        """Whether the text in front of this child stands between the marks of an interpolation and its code."""
        return any(child.type in self.rules.code for child in children[max(0, index - 1) : index + 1])

    def parted(self, node: Node, later: Node) -> bool:
        """Write a node with a line end, which counts, in front of its child ``later``; not if it is nested too deeply."""
        if self.deep:
            return False
        # A handler calls this: that is one more call for every level.
        self.depth += 2
        self.open(node.type)
        for child in node.children:
            if child.id == later.id:
                self.token(b"\n")
            self.node(child)
        self.close()
        self.depth -= 2
        return True

    def gap(self, text: bytes, exact: bool) -> None:
        """Text between children: white space means nothing unless the node is verbatim."""
        if exact:
            self.token(b"~" + text.replace(b"\r\n", b"\n"))
            return
        text = text.strip().removeprefix(b"\\\n").removeprefix(b"\\\r\n").strip()
        if self.rules.optional_semicolons:
            # Some grammars have no node for it.
            text = text.strip(b"; \t\r\n")
        if text and text != b"\\" and text != b"\xef\xbb\xbf":
            self.token(b"~" + _SPACE.sub(b" ", text))

    def idle_comma(self, kind: str, children: list[Node], index: int, last: int) -> bool:
        """Whether this comma is a trailing one that means nothing."""
        following = index + 1
        while following <= last and children[following].type in self.rules.comments:
            following += 1
        if following > last:
            return kind in self.rules.end_commas
        closer = children[following]
        if closer.is_named or self.text(closer) not in _CLOSERS:
            return False
        before = index - 1
        while before >= 0 and children[before].type in self.rules.comments:
            before -= 1
        if before < 0 or self.text(children[before]) in _OPENERS or self.text(children[before]) == b",":
            return False
        if kind in self.rules.lone_commas:
            return sum(1 for child in children if not child.is_named and self.text(child) == b",") > 1
        return True

    def leaf(self, node: Node) -> None:
        """One leaf's text, names in NFC; the symbol's own name is marked."""
        text = self.text(node)
        if not text.isascii():
            text = unicodedata.normalize("NFC", text.decode("utf-8", "surrogateescape")).encode(
                "utf-8", "surrogateescape"
            )
        if not text.strip():
            return
        if node.type in self.rules.spaced:
            text = b"".join(text.split())
        if b"\r" in text:
            text = text.replace(b"\r\n", b"\n")
        if node.is_named and (text == self.names.own or text in self.names.owners):
            self.mark(node, text)
        self.token(text)

    def leaf_text(self, node: Node, text: bytes) -> None:
        """One leaf with another text than its own."""
        if text == self.names.own or text in self.names.owners:
            self.mark(node, text)
        self.token(text)

    @property
    def deep(self) -> bool:
        """Whether nodes are nested so deeply here that their structure is not written."""
        return self.depth >= MAX_DEPTH

    @property
    def typed(self) -> bool:
        """Whether the language's parameters are nodes with types."""
        return self.rules.typed

    def mark(self, node: Node, text: bytes) -> None:
        """Remember the next token as the symbol's own name or that of its type."""
        before = _QUALIFIED.search(self.data[max(0, node.start_byte - 60) : node.start_byte])
        if text != self.names.own:
            if not before:
                self.marks.append((len(self.out), OWNING))
            return
        called = _CALL.match(self.data, node.end_byte) is not None
        if before:
            if before.group(1) in _SELF or before.group(1) in self.names.owners:
                self.marks.append((len(self.out), CALL if called or not self.rules.fields_apart else PLAIN))
        elif called:
            # Where a method needs its object, the bare name calls another function.
            if not self.names.method or self.rules.bare_methods:
                self.marks.append((len(self.out), BARE))
        else:
            self.marks.append((len(self.out), self.plain(node)))

    def plain(self, node: Node) -> int:
        """What the symbol's bare name is where nothing calls it."""
        parent = node.parent
        if parent is None or "property" in node.type or "field" in node.type:
            return PLAIN
        first = parent.children[0].id == node.id
        if parent.type in _NAMED_VALUES and first and parent.child_count > 1:
            return PLAIN
        if _ASSIGNED.match(self.data, node.end_byte) or "parameter" in parent.type or "pattern" in parent.type:
            return LOCAL
        if "type" not in node.type and not parent.type.startswith("jsx"):
            for name in ("name", "left", "pattern", "declarator", "alias"):
                found = parent.child_by_field_name(name)
                if found is not None and found.id == node.id and "operator" not in parent.type:
                    return LOCAL
        return USE if self.names.value else PLAIN

    def flat(self, node: Node) -> None:
        """The leaves of a node that is nested too deeply, without structure."""
        stack = [node]
        while stack:
            item = stack.pop()
            if item.child_count:
                stack.extend(reversed(item.children))
            elif item.type not in self.rules.comments:
                self.leaf(item)

    def comment(self, node: Node) -> None:
        """A comment is dropped, unless it is a directive."""
        raw = self.text(node)
        text = comment_text(raw)
        if self.rules.directive.search(text):
            parent = node.parent
            if not self.rules.file_directive.search(text) or (parent is not None and parent.parent is not None):
                self.pending.append(directive_token(text))
        elif b"\n" in raw or b"@" in raw:
            self.pending += inner_directives(raw, self.rules)

    def flush(self) -> None:
        """Write the directives met since the last statement."""
        self.out += self.pending
        self.pending.clear()


def comment_text(text: bytes) -> str:
    """A comment's text with its white space collapsed."""
    return " ".join(text.decode("utf-8", "surrogateescape").split())


def directive_token(text: str) -> bytes:
    """A directive's words and signs: ``#type:ignore`` says what ``# type: ignore`` says, and formatters turn it into that."""
    return b"\x02" + " ".join(_WORDS_AND_SIGNS.findall(text)).encode("utf-8", "surrogateescape")


def inner_directives(text: bytes, rules: Rules) -> list[bytes]:
    """The directives inside of a comment that also documents, as tokens."""
    found = rules.inner_directive.findall(text.decode("utf-8", "surrogateescape"))
    return [directive_token(item) for item in found]


def without_directives(text: bytes, rules: Rules) -> bytes:
    """A comment without the directives inside of it."""
    return rules.inner_directive.sub("", text.decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape")


def digest(tokens: Iterable[bytes]) -> str:
    """16 hexadecimal digits over tokens."""
    return hashlib.blake2b(b"\0".join(tokens), digest_size=8).hexdigest()


def masked(out: list[bytes], marks: list[tuple[int, int]], modes: frozenset[int]) -> list[bytes]:
    """The tokens with the marked names of the given modes replaced by placeholders."""
    if not marks:
        return out
    result = list(out)
    for index, mode in marks:
        if mode in modes:
            result[index] = OWNER if mode == OWNING else OWN
    return result
