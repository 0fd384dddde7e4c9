"""The canonical tokens of a symbol, part by part, and the text that is its own."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memory_lsp.core.canonical import (
    Names,
    Writer,
    comment_text,
    digest,
    directive_token,
    inner_directives,
    without_directives,
)
from memory_lsp.core.model import Span
from memory_lsp.core.outline import CONTAINERS, Definition, Group, Outline

if TYPE_CHECKING:
    from tree_sitter import Node

_SIGNS = frozenset({"=", ":=", "=>", "default"})
_TYPES = frozenset({"class", "interface", "struct", "enum", "trait", "type", "constant", "field"})
_VALUES = frozenset({"function", "class", "interface", "struct", "enum", "trait", "type"})
"""Kinds of symbols that their bare name stands for in an expression or as a type."""
_SEPARATORS = frozenset({b",", b";", b"(", b")"})


@dataclass(slots=True)
class Stream:
    """Tokens of one part with the marks of the symbol's own names."""

    out: list[bytes] = field(default_factory=list)
    marks: list[tuple[int, int]] = field(default_factory=list)

    def add(self, writer: Writer) -> None:
        shift = len(self.out)
        self.out += writer.out
        self.marks += [(index + shift, mode) for index, mode in writer.marks]

    def extend(self, other: Stream, first: bytes) -> None:
        self.out.append(first)
        shift = len(self.out)
        self.out += other.out
        self.marks += [(index + shift, mode) for index, mode in other.marks]

    @property
    def hash(self) -> str:
        return digest(self.out) if self.out else ""


@dataclass(slots=True)
class Streams:
    """The canonical tokens of one symbol, part by part: one stream per definition of its group."""

    signature: list[Stream] = field(default_factory=list)
    body: list[Stream] = field(default_factory=list)
    decorator: list[Stream] = field(default_factory=list)
    documentation: list[bytes] = field(default_factory=list)
    members: list[tuple[str, Stream]] = field(default_factory=list)
    tokens: int = 0

    def whole(self) -> Stream:
        """Everything but documentation, in one stream."""
        result = Stream()
        for decorator, signature, body in zip(self.decorator, self.signature, self.body, strict=True):
            result.extend(decorator, b"\x03decorator")
            result.extend(signature, b"\x03signature")
            result.extend(body, b"\x03body")
        for name, stream in self.members:
            result.extend(stream, b"\x03member " + name.encode())
        return result


def own_text(outline: Outline, group: Group) -> bytes:
    """The symbol's own text: its definitions, and its members that stand outside them, by name."""
    pieces: list[bytes] = []
    for definition in (*group.definitions, *_outside(outline, group)):
        pieces += [definition.shared, outline.data[definition.start : definition.end]]
    return b"\n".join(pieces)


def own_spans(outline: Outline, group: Group) -> Iterator[Span]:
    """Where the symbol's own text stands, in bytes."""
    for definition in (*group.definitions, *_outside(outline, group)):
        yield Span(definition.start, definition.end)


def _outside(outline: Outline, group: Group) -> Iterator[Definition]:
    """The definitions of members that stand outside of the group's own, by name."""
    for path in sorted(group.external):
        for definition in outline.groups[path].definitions:
            if not any(_contains(outer, definition) for outer in group.definitions):
                yield definition


def _contains(outer: Definition, inner: Definition) -> bool:
    return outer.node.start_byte <= inner.node.start_byte and inner.node.end_byte <= outer.node.end_byte


def broken_inside(outline: Outline, group: Group) -> bool:
    """Whether the text does not parse inside the symbol's own text, or in the declaration that it shares with others."""
    if not outline.broken:
        return False
    spans = list(own_spans(outline, group))
    spans += [
        Span(definition.top.parent.start_byte, definition.end)
        for definition in group.definitions
        if definition.shared and definition.top.parent is not None and definition.top.type in outline.rules.declarators
    ]
    return any(
        span.start <= error.start <= span.end or error.start <= span.start < error.end
        for span in spans
        for error in outline.errors
    )


def streams_of(outline: Outline, group: Group) -> Streams:
    """The canonical tokens of a symbol."""
    owners = {item.encode() for item in group.parent.replace('"', "").split(".") if item}
    method = _is_method(outline, group)
    names = Names(group.name.encode(), frozenset(owners), method, group.kind in _VALUES and not method)
    return _streams(outline, group, names)


def _is_method(outline: Outline, group: Group) -> bool:
    """Whether the symbol is a function of a type or object (which may stand in another file)."""
    if group.kind != "function" or not group.parent:
        return group.kind == "method"
    outer = outline.groups.get(group.parent)
    return outer is None or outer.kind in _TYPES


def _streams(outline: Outline, group: Group, names: Names) -> Streams:
    streams = Streams()
    inner = [outline.groups[path] for path in group.members]
    within = [[*_within(inner, definition)] for definition in group.definitions]
    written = {member.path for pairs in within for member, _definition in pairs}
    for definition, pairs in zip(group.definitions, within, strict=True):
        _write(outline, definition, pairs, streams, names)
    for path in sorted(group.external - written):
        member = outline.groups[path]
        streams.members.append((member.name, _member(outline, member, names, streams)))
    return streams


def _within(members: list[Group], outer: Definition) -> Iterator[tuple[Group, Definition]]:
    for group in members:
        for definition in group.definitions:
            if _contains(outer, definition):
                yield group, definition


def _member(outline: Outline, group: Group, names: Names, into: Streams) -> Stream:
    """A member as one stream; its documentation and size count for the whole."""
    streams = _streams(outline, group, names)
    into.documentation += streams.documentation
    into.tokens += streams.tokens
    return streams.whole()


def _write(
    outline: Outline, definition: Definition, members: list[tuple[Group, Definition]], streams: Streams, names: Names
) -> None:
    """Write one definition into its parts."""
    rules, data = outline.rules, outline.data
    decorator, head, body = (Writer(data, rules, names) for _part in range(3))
    skipped = {definition.name_node.id}
    for node in definition.leading:
        if node.type in rules.comments:
            text = comment_text(data[node.start_byte : node.end_byte])
            if rules.directive.search(text):
                decorator.token(directive_token(text))
            else:
                raw = data[node.start_byte : node.end_byte]
                found_inside = inner_directives(raw, rules)
                streams.documentation.append(_prose(without_directives(raw, rules) if found_inside else raw))
                for token in found_inside:
                    decorator.token(token)
        elif (part := rules.attached(node)) == "documentation":
            streams.documentation.append(_prose(data[node.start_byte : node.end_byte]))
        else:
            (head if part == "signature" else decorator).node(node)
    for node in _decorators(definition, rules.decorators, rules.decorator_holders):
        decorator.node(node)
        skipped.add(node.id)
    bodies = definition.bodies
    skipped.update(node.id for node in bodies)
    skipped.update(sign.id for node in bodies if (sign := _before(node)) is not None and sign.type in _SIGNS)
    for _group, member in members:
        skipped.update(node.id for node in member.leading)
    head.skipped = skipped
    context = rules.context(definition.top)
    if context:
        head.token(context)
    _head(head, definition.top, definition.node)
    found = rules.docstring(definition.node)
    if found is not None:
        streams.documentation.append(_prose(data[found.start_byte : found.end_byte]))
        body.skipped = {found.id}
    signature, tokens = Stream(), Stream()
    inner = _item_nodes(definition, outline)
    if inner is not None:
        _items(outline, inner, members, streams, names, found)
    else:
        for node in bodies:
            body.node(node)
    if definition.trailing is not None:
        (body if bodies else head).comment(definition.trailing)
    if definition.afterword is not None:
        streams.documentation.append(_prose(data[definition.afterword.start_byte : definition.afterword.end_byte]))
    for writer, stream in ((head, signature), (body, tokens)):
        writer.flush()
        stream.add(writer)
        streams.tokens += writer.tokens
        streams.documentation += [_prose(text) for text in writer.documentation]
    marks = Stream()
    decorator.flush()
    marks.add(decorator)
    streams.tokens += decorator.tokens
    streams.signature.append(signature)
    streams.body.append(tokens)
    streams.decorator.append(marks)


def _before(node: Node) -> Node | None:
    """The sibling in front of a node, comments apart."""
    sibling = node.prev_sibling
    while sibling is not None and sibling.is_extra:
        sibling = sibling.prev_sibling
    return sibling


def _prose(text: bytes) -> bytes:
    return b" ".join(text.split())


def _item_nodes(definition: Definition, outline: Outline) -> list[Node] | None:
    """The nodes of a body that lists members, or ``None`` for any other body."""
    rules, bodies = outline.rules, definition.bodies
    if len(bodies) > 1 or not bodies:
        return list(bodies) if definition.kind in CONTAINERS else None
    body = bodies[0]
    while body.type in rules.parentheses and body.named_child_count == 1:
        body = body.named_children[0]
    return body.children if definition.kind in CONTAINERS or body.type in rules.container_bodies else None


def _decorators(definition: Definition, wanted: frozenset[str], holders: frozenset[str]) -> Iterator[Node]:
    """Decorators, attributes and annotations in the definition's head."""
    node: Node | None = definition.node
    chain: list[Node] = []
    while node is not None:
        chain.append(node)
        if node.id == definition.top.id:
            break
        node = node.parent
    for item in reversed(chain):
        for child in item.children:
            if child.type in wanted:
                yield child
            elif child.type in holders:
                yield from (inner for inner in child.children if inner.type in wanted)


def _head(writer: Writer, top: Node, node: Node) -> None:
    """Everything of a definition's wrappers and of itself that is not skipped."""
    chain = {node.id}
    parent = node
    while parent.id != top.id and parent.parent is not None:
        parent = parent.parent
        chain.add(parent.id)
    declarators = writer.rules.declarators
    alone = bool(declarators) and top.type not in declarators
    if top.id == node.id and not alone and top.parent is not None and top.parent.type in writer.rules.wrappers:
        # One of several definitions in a declaration: its keywords and type are everybody's.
        _wrapper(writer, top.parent, node)
        return
    current = top
    while current.id != node.id:
        following = next((child for child in current.children if child.id in chain), node)
        _around(writer, current, following)
        current = following
    writer.node(node)


def _around(writer: Writer, parent: Node, inner: Node) -> None:
    """The parent's children but ``inner``, and but those that only separate."""
    run: list[bytes] = []
    for child in parent.children:
        if child.type in writer.rules.sorted_runs or child.type in writer.rules.comments:
            run += writer.apart(child)
            continue
        writer.out += sorted(run)
        run = []
        if child.id != inner.id and (child.is_named or writer.text(child) not in _SEPARATORS):
            writer.node(child)
    writer.out += sorted(run)


def _wrapper(writer: Writer, wrapper: Node, node: Node) -> None:
    """A declaration of several definitions, and ``node`` of them."""
    parent = wrapper.parent
    if parent is not None and parent.type in writer.rules.wrappers:
        _around(writer, parent, wrapper)
    others = False
    for child in wrapper.children:
        if child.type == node.type or child.type in writer.rules.declarators:
            others = child.id != node.id
        elif child.type == ",":
            others = False
        if others or child.is_error:
            continue
        if child.id == node.id:
            writer.node(node)
        elif child.is_named or writer.text(child) not in _SEPARATORS:
            writer.node(child)


def _items(
    outline: Outline,
    children: Iterable[Node],
    members: Iterable[tuple[Group, Definition]],
    streams: Streams,
    names: Names,
    without: Node | None = None,
    elsewhere: Iterable[Definition] = (),
) -> None:
    """The items of a body in their order: members by name, everything else without one.

    ``without`` is the docstring; ``elsewhere`` are definitions in the body that count for another symbol.
    """
    rules, data = outline.rules, outline.data
    ordered = sorted(members, key=lambda pair: pair[1].start)
    starts = [definition.start for _group, definition in ordered]
    passed = 0
    others = [*elsewhere]
    written: set[str] = set()
    placed: set[int] = set()
    items: list[tuple[str, Stream]] = []
    run = 0
    for child in children:
        run = run + 1 if child.type in rules.sorted_runs else 0
        while passed < len(ordered) and ordered[passed][1].end <= child.start_byte:
            passed += 1
        near = ordered[passed : bisect.bisect_left(starts, child.end_byte)]
        inside = [pair for pair in near if child.start_byte < pair[1].end]
        for group, definition in inside:
            if group.path not in written:
                items.append((group.name, _member(outline, group, names, streams)))
            elif definition.start not in placed and not rules.unordered:
                # Defined again: what stands between the definitions sees another one than what follows.
                items.append((group.name, Stream()))
            written.add(group.path)
            placed.add(definition.start)
        inner = [definition for _group, definition in inside]
        inner += [item for item in others if child.start_byte < item.end and item.start < child.end_byte]
        covered = any(item.start <= child.start_byte and child.end_byte <= item.end + 1 for item in inner)
        if covered or (not child.is_named and child.child_count == 0) or (inside and child.type in rules.wrappers):
            continue
        if without is not None and child.start_byte <= without.start_byte < child.end_byte:
            continue
        writer = Writer(data, rules, names, {item.top.id for item in inner})
        writer.node(child)
        writer.flush()
        streams.tokens += writer.tokens
        streams.documentation += [_prose(text) for text in writer.documentation]
        if writer.out:
            stream = Stream()
            stream.add(writer)
            items.append(("", stream))
            if run:
                items[-run:] = sorted(items[-run:], key=lambda item: item[1].out)
    if rules.unordered:
        items.sort(key=lambda item: (item[0], item[1].out))
    streams.members += items


def file_streams(outline: Outline) -> Streams:
    """The canonical tokens of a whole file: its top-level definitions are members, the rest stands between them."""
    rules, data, root = outline.rules, outline.data, outline.tree.root_node
    streams = Streams([Stream()], [Stream()], [Stream()])
    external = {path for group in outline.groups.values() for path in group.external}
    top = [group for group in outline.groups.values() if not _has_outer(group, outline)]
    if rules.flat:
        top = []
    found = rules.docstring(root)
    if found is not None:
        streams.documentation.append(_prose(data[found.start_byte : found.end_byte]))
    _items(
        outline,
        root.children,
        [(group, item) for group in top for item in group.definitions],
        streams,
        Names(),
        found,
        [item for path in external for item in outline.groups[path].definitions],
    )
    directives = Writer(data, rules, Names())
    for child in root.children:
        if child.type in rules.comments:
            text = comment_text(data[child.start_byte : child.end_byte])
            if rules.file_directive.search(text):
                directives.token(text.encode("utf-8", "surrogateescape"))
    streams.body[0].add(directives)
    return streams


def _has_outer(group: Group, outline: Outline) -> bool:
    """Whether the group belongs to another one: as a member, or because it stands inside it."""
    scope = group.parent
    while scope:
        if scope in outline.groups:
            return True
        scope = scope.rpartition(".")[0]
    return False
