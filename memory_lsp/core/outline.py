"""The outline of a source: its definitions by symbol path, as ordered groups.

An outline keeps the syntax tree that it was read from; fingerprints are computed from it on demand. Broken text gives
the definitions that the parser could make out, and ``errors`` says where it could not.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from memory_lsp.core.languages import LANGUAGES
from memory_lsp.core.model import Span
from memory_lsp.core.surroundings import declaration_head, leading_nodes, text_end, trailing_comment
from memory_lsp.core.syntax import rules_of
from memory_lsp.core.syntax.rules import Named, field_of

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Query, Tree

    from memory_lsp.core.syntax.rules import Rules

CONTAINERS = frozenset(
    {"class", "interface", "enum", "struct", "trait", "module", "object", "union", "protocol", "table"}
)
"""Kinds of definitions whose body is a list of members."""

SCOPE = "scope"
_GENERAL_KINDS = frozenset({"constant", "variable", "field", "type"})
"""Kinds that give way where another pattern knows more: a constant that holds a function, a type that is a structure."""
_NEEDS_QUOTES = re.compile(r'[.\s"]|(?<=.)#|^#(?!\w)')
_NEEDLESS_QUOTES = re.compile(r'(^|\.)"([^."\s]+)"(?=\.|$)')


@dataclass(frozen=True, slots=True, eq=False)
class Definition:
    """One definition. ``start`` to ``end`` is its own text in bytes: decorators and the comment block directly above, the
    definition, and a comment that ends its last line. ``node`` is the definition itself, ``top`` the outermost parent
    that belongs to it alone; ``leading`` are the comments and attributes above ``top``, ``trailing`` the comment behind it,
    ``afterword`` the statement behind it that documents it.
    ``shared`` is text outside of it that counts for it: the type of a declaration of several, the access of a member.
    """

    name: str
    kind: str
    node: Node
    top: Node
    name_node: Node
    bodies: tuple[Node, ...]
    start: int
    end: int
    leading: tuple[Node, ...] = ()
    trailing: Node | None = None
    afterword: Node | None = None
    shared: bytes = b""

    @property
    def name_start(self) -> int:
        """First byte of the name."""
        return self.name_node.start_byte

    @property
    def name_end(self) -> int:
        """Byte behind the name."""
        return self.name_node.end_byte


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """All definitions of one symbol path, in the order of the text: one citation target.

    ``members`` are the full paths of direct members; ``external`` those of them of which a definition stands outside.
    """

    path: str
    name: str
    kind: str
    parent: str
    definitions: tuple[Definition, ...]
    members: tuple[str, ...] = ()
    external: frozenset[str] = frozenset()

    @property
    def container(self) -> bool:
        """Whether the group's body is a list of members."""
        return any(definition.kind in CONTAINERS for definition in self.definitions)


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """What ``outline`` reads from one source."""

    language: str
    data: bytes
    tree: Tree
    rules: Rules
    groups: Mapping[str, Group]
    errors: tuple[Span, ...] = field(default=())

    @property
    def broken(self) -> bool:
        """Whether the text does not parse somewhere."""
        return bool(self.errors)

    def find(self, symbol: str) -> Group | None:
        """The group at exactly this symbol path (in NFC; a single level may stand without its quotes)."""
        symbol = unicodedata.normalize("NFC", symbol)
        return (
            self.groups.get(symbol)
            or self.groups.get(quoted(symbol))
            or self.groups.get(_NEEDLESS_QUOTES.sub(r"\1\2", symbol))
        )

    def match(self, symbol: str) -> tuple[Group, ...]:
        """The exact group, else all whose path ends with ``symbol`` at a level."""
        exact = self.find(symbol)
        if exact is not None:
            return (exact,)
        ending = "." + unicodedata.normalize("NFC", symbol)
        return tuple(group for path, group in self.groups.items() if path.endswith(ending))

    def at(self, offset: int) -> Group | None:
        """The innermost group whose own text holds the byte ``offset``."""
        best: Group | None = None
        width = len(self.data) + 1
        for group in self.groups.values():
            for definition in group.definitions:
                if definition.start <= offset < definition.end and definition.end - definition.start <= width:
                    best, width = group, definition.end - definition.start
        return best


def quoted(level: str) -> str:
    """One level of a symbol path; with a dot, white space or an inner ``#`` it stands in double quotes.

    A private name of JavaScript (``#tick``) needs none: a citation's path ends at its first ``#``.
    """
    return '"' + level.replace('"', "'") + '"' if _NEEDS_QUOTES.search(level) else level


def nearest(names: Iterable[str], wanted: str, limit: int = 3) -> tuple[str, ...]:
    """The names most like ``wanted``, best first."""
    from rapidfuzz import fuzz, process

    last = wanted.rsplit(".", 1)[-1]

    def score(name: str, other: str, **_options: object) -> float:
        return max(fuzz.ratio(name, other), 0.95 * fuzz.ratio(last, other.rsplit(".", 1)[-1]))

    found = process.extract(wanted, list(names), scorer=score, limit=limit, score_cutoff=50)
    return tuple(name for name, _score, _index in found)


@cache
def _parser(language: str) -> Parser:
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    return Parser(get_language(LANGUAGES[language].grammar))  # type: ignore[arg-type]


@cache
def _query(language: str) -> Query:
    from tree_sitter import Query
    from tree_sitter_language_pack import get_language

    queries = resources.files("memory_lsp.core") / "queries"
    text = (queries / f"{language}.scm").read_text("utf-8")
    if text.startswith("; inherits: "):
        first, text = text.split("\n", 1)
        base = first.removeprefix("; inherits: ").strip()
        text = (queries / f"{base}.scm").read_text("utf-8") + text
    return Query(get_language(LANGUAGES[language].grammar), text)  # type: ignore[no-any-return, arg-type]


def parse(language: str, data: bytes, old: Tree | None = None) -> Tree:
    """The syntax tree of UTF-8 text; ``old`` is an edited tree to start from (of no use where the text is prepared)."""
    parser = _parser(language)
    text = rules_of(language).prepare(data)
    if not text.endswith(b"\n"):
        # Some grammars end the last statement by a line end only.
        text += b"\n"
    return parser.parse(text) if old is None or text is not data else parser.parse(text, old)


@dataclass(slots=True, eq=False)
class _Found:
    node: Node
    kind: str
    levels: tuple[str, ...]
    name_node: Node
    bodies: tuple[Node, ...]
    owner: str
    path: str = ""
    parent: str = ""
    outside: bool = False


def outline(language: str, data: bytes, tree: Tree | None = None) -> Outline:
    """The outline of UTF-8 text in a language of ``core.languages``."""
    from tree_sitter import QueryCursor

    tree = tree or parse(language, data)
    rules = rules_of(language)
    by_name: dict[tuple[int, int], _Found] = {}
    for _pattern, captures in QueryCursor(_query(language)).matches(tree.root_node):
        item = _found(captures, rules, data)
        if item is not None:
            key = item.node.id, item.name_node.id
            known = by_name.get(key)
            if known is None or (known.kind in _GENERAL_KINDS and item.kind not in _GENERAL_KINDS):
                by_name[key] = item
    found = list(by_name.values())
    found.sort(key=lambda item: (item.node.start_byte, -item.node.end_byte, item.name_node.start_byte))
    _qualify(found, rules)
    return Outline(language, data, tree, rules, _groups(found, rules, data), _errors(tree.root_node, rules, data))


def _found(captures: Mapping[str, list[Node]], rules: Rules, data: bytes) -> _Found | None:
    kind = next((name for name in captures if name not in ("name", "body", "owner") and name[0] != "_"), None)
    if kind is None or any(body.is_extra for body in captures.get("body", ())):
        return None
    node = captures[kind][0]
    named = _named(kind, node, captures, rules, data)
    if named is None or not named.levels or not all(named.levels) or _behind(node, rules.barriers):
        return None
    owners = captures.get("owner")
    owner = data[owners[0].start_byte : owners[0].end_byte].decode("utf-8", "replace") if owners else ""
    bodies = _bodies(named.node, captures.get("body"), rules) if named.bodies is None else named.bodies
    levels = tuple(unicodedata.normalize("NFC", level) for level in named.levels)
    return _Found(named.node, named.kind, levels, named.name, bodies, unicodedata.normalize("NFC", owner))


def _named(kind: str, node: Node, captures: Mapping[str, list[Node]], rules: Rules, data: bytes) -> Named | None:
    """What the captures name: as the query says, or as the language's own rule makes of it."""
    names = captures.get("name")
    if rules.identify is not None:
        bodies = captures.get("body")
        return rules.identify(kind, node, names[0] if names else None, tuple(bodies) if bodies else None)
    if not names:
        return None
    text = data[names[0].start_byte : names[0].end_byte].decode("utf-8", "replace")
    return Named(node, names[0], kind, rules.levels(text))


def _behind(node: Node, barriers: frozenset[str]) -> bool:
    """Whether the node stands inside one of these kinds."""
    parent = node.parent if barriers else None
    while parent is not None:
        if parent.type in barriers:
            return True
        parent = parent.parent
    return False


def _bodies(node: Node, captured: list[Node] | None, rules: Rules) -> tuple[Node, ...]:
    """The nodes that are the body: as captured, else a block or a value; of a function as value its own body."""
    if captured and len(captured) > 1:
        return tuple(captured)
    body = captured[0] if captured else None
    for name in ("body", "value", "right"):
        body = body or field_of(node, name)
    while body is not None and body.type in rules.functions:
        bare = body
        while bare.type in rules.parentheses and bare.named_child_count == 1:
            bare = bare.named_children[0]
        inner = field_of(bare, "body") if bare.type in rules.functions else None
        if inner is None:
            break
        body = inner
    return () if body is None else (body,)


def _qualify(found: list[_Found], rules: Rules) -> None:
    """Give every definition its symbol path: by nesting, or by its named owner."""
    stack: list[_Found] = []
    for item in found:
        while stack and not (
            stack[-1].node.start_byte <= item.node.start_byte
            and item.node.end_byte <= stack[-1].node.end_byte
            and stack[-1].node.id != item.node.id
        ):
            stack.pop()
        outer = stack[-1] if stack else None
        if item.owner:
            item.parent, item.outside = item.owner, True
        elif outer is not None and not rules.flat:
            item.parent = outer.path
            item.outside = outer.kind == SCOPE
        levels = [level if rules.dotted else quoted(level) for level in item.levels]
        item.path = ".".join([item.parent, *levels] if item.parent else levels)
        if len(levels) > 1:
            item.parent, item.outside = ".".join(levels[:-1]) if not item.parent else item.path.rsplit(".", 1)[0], True
        stack.append(item)


def _groups(found: list[_Found], rules: Rules, data: bytes) -> dict[str, Group]:
    by_path: dict[str, list[_Found]] = {}
    for item in found:
        if item.kind != SCOPE:
            by_path.setdefault(item.path, []).append(item)
    members: dict[str, list[str]] = {}
    external: dict[str, set[str]] = {}
    starts = {item.node.id for item in found}
    for path, items in by_path.items():
        parent = items[0].parent
        if parent:
            members.setdefault(parent, []).append(path)
            if any(item.outside for item in items):
                external.setdefault(parent, set()).add(path)
    groups: dict[str, Group] = {}
    for path, items in by_path.items():
        definitions = tuple(_definition(item, rules, data, starts) for item in items)
        groups[path] = Group(
            path,
            items[0].levels[-1],
            items[0].kind,
            items[0].parent,
            definitions,
            tuple(members.get(path, ())),
            frozenset(external.get(path, ())),
        )
    return groups


def _definition(item: _Found, rules: Rules, data: bytes, starts: set[int]) -> Definition:
    top = item.node
    while (
        (parent := top.parent) is not None
        and parent.type in rules.wrappers
        and parent.id not in starts
        and sum(1 for child in parent.named_children if child.id in starts or child.id == top.id) == 1
    ):
        top = parent
    leading = leading_nodes(top, rules, data)
    end = max([text_end(top, data), *(text_end(body, data) for body in item.bodies)])
    trailing = trailing_comment(top, end, rules, data)
    if trailing is not None:
        end = text_end(trailing, data)
    afterword = rules.afterword(top)
    if afterword is not None:
        end = text_end(afterword, data)
    start = leading[0].start_byte if leading else top.start_byte
    if start == 0 and data.startswith(b"\xef\xbb\xbf"):
        start = 3
    return Definition(
        item.levels[-1],
        item.kind,
        item.node,
        top,
        item.name_node,
        item.bodies,
        start,
        end,
        leading,
        trailing,
        afterword,
        rules.context(top) + declaration_head(top, rules, data),
    )


def _errors(root: Node, rules: Rules, data: bytes) -> tuple[Span, ...]:
    """Where the text does not parse: error nodes and missing tokens, outermost only."""
    spans = _unclosed(root, rules, data) if rules.closers else []
    if not root.has_error:
        return tuple(spans)
    hidden = False
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            if not rules.harmless(node):
                spans.append(Span(node.start_byte, node.end_byte))
        elif node.has_error:
            children = [child for child in node.children if child.has_error or child.is_missing]
            hidden = hidden or not (children or rules.harmless(node))
            stack.extend(reversed(children))
    return tuple(spans) or ((Span(root.start_byte, root.end_byte),) if hidden else ())


def _unclosed(root: Node, rules: Rules, data: bytes) -> list[Span]:
    """A comment at the end of the text that nothing closes."""
    node = root
    while node.child_count and node.type not in rules.comments:
        node = node.children[-1]
    text = data[node.start_byte : node.end_byte].rstrip() if node.type in rules.comments else b""
    open_ended = any(text.startswith(opener) and not text.endswith(end) for opener, end in rules.closers.items())
    return [Span(node.start_byte, node.end_byte)] if open_ended else []
