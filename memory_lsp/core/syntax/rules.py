"""What of a language's syntax means nothing, as data: the vocabulary of ``core.canonical``.

A rule names node kinds of the language's tree-sitter grammar. What no rule names counts: there is no list of kinds that matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.canonical import Writer

Handler = Callable[["Writer", "Node"], bool]
"""Writes one node its own way and returns True, or returns False to leave it to the general rule."""

NEVER = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Named:
    """What a match of a query defines: ``node`` is named by ``name`` with these ``levels`` below the scope around it.

    More than one level: it belongs to the type that the levels before the last name. ``bodies`` as the query captured them
    or, if ``None``, as the fields of ``node`` say. ``kind`` "scope" only qualifies what stands inside.
    """

    node: Node
    name: Node
    kind: str
    levels: tuple[str, ...]
    bodies: tuple[Node, ...] | None = None


Identify = Callable[[str, "Node", "Node | None", "tuple[Node, ...] | None"], "Named | None"]
"""Names the definition that a query captured (kind, node, name, bodies), or returns ``None`` if it defines nothing."""


def _not_attached(_node: Node) -> str:
    return ""


def _no_harm(_node: Node) -> bool:
    return False


def _as_it_is(data: bytes) -> bytes:
    return data


def _no_context(_node: Node) -> bytes:
    return b""


def _no_docstring(_node: Node) -> Node | None:
    return None


def plain_levels(text: str) -> tuple[str, ...]:
    """The name of a definition as levels of a symbol path: one, the text itself."""
    return (text,)


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one language. Node kinds are those of its grammar.

    ``comments``: dropped, unless ``directive`` matches their text; ``file_directive`` matches those of the whole file;
    ``inner_directive`` matches directives inside of a comment that also documents (a docblock's ``@phpstan-ignore``).
    ``wrappers``: parents that belong to the definition inside (export, decorated definition, declaration of one variable).
    ``decorators``: decorators, attributes, annotations; ``decorator_holders``: nodes of a definition's head that hold them.
    ``parentheses``: nodes that only group. ``blocks``: nodes whose children are statements.
    ``optional_semicolons``: a ``;`` means nothing except in ``semicolon_parents``.
    ``end_commas``: nodes in which a last comma means nothing though no bracket follows.
    ``lone_commas``: nodes in which the comma behind a single element counts.
    ``verbatim``: nodes with text between their children that counts with its white space, except beside their ``code``.
    ``spaced``: tokens whose own white space means nothing (``#  define``).
    ``ignored``: nodes that mean nothing. ``container_bodies``: bodies whose items are members.
    ``functions``: kinds of values that have a body of their own (``f = lambda: 1``).
    ``openers``: what begins a string or comment that may run over many lines: an error there hides all that follows.
    ``barriers``: nodes (lists) inside which nothing is citable. ``flat``: names are not qualified by nesting.
    ``sorted_runs``: statements of which a run has no order; ``sorted_lists``: nodes whose children have none.
    ``unordered``: the members of a container have no order. ``levels``: the levels of a symbol path in a name's text.
    ``identify``: names definitions where a query alone cannot. ``dotted``: a name's dots separate no levels and need no quotes.
    ``declarators``: kinds of which several can stand in one declaration, each a definition that shares the rest with the others.
    ``attached``: the part (documentation, decorator, signature) to which a node directly above a definition belongs, or ``""``.
    ``afterword``: the documentation that stands as a statement of its own behind a definition.
    ``context``: what a definition's surroundings say of it, as text (the ``private:`` above it): part of its signature.
    ``harmless``: errors of the grammar itself on text that is right (a missing token that has no node gives its parent).
    ``closers``: what ends a comment by what begins it, where the grammar takes one without an end for right.
    ``bare_methods``: a method calls itself by its bare name too. ``fields_apart``: a field can have the name of a method.
    ``prepare``: the text that the parser reads instead, of the same length and lines.
    """

    comments: frozenset[str] = frozenset({"comment"})
    directive: re.Pattern[str] = NEVER
    file_directive: re.Pattern[str] = NEVER
    inner_directive: re.Pattern[str] = NEVER
    wrappers: frozenset[str] = frozenset()
    decorators: frozenset[str] = frozenset()
    decorator_holders: frozenset[str] = frozenset()
    parentheses: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    optional_semicolons: bool = False
    semicolon_parents: frozenset[str] = frozenset()
    end_commas: frozenset[str] = frozenset()
    lone_commas: frozenset[str] = frozenset()
    verbatim: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    spaced: frozenset[str] = frozenset()
    ignored: frozenset[str] = frozenset()
    container_bodies: frozenset[str] = frozenset()
    functions: frozenset[str] = frozenset()
    unordered: bool = False
    openers: tuple[bytes, ...] = ()
    handlers: Mapping[str, Handler] = field(default_factory=dict)
    sorted_runs: frozenset[str] = frozenset()
    sorted_lists: frozenset[str] = frozenset()
    typed: bool = False
    bare_methods: bool = False
    fields_apart: bool = False
    flat: bool = False
    barriers: frozenset[str] = frozenset()
    docstring: Callable[[Node], Node | None] = _no_docstring
    levels: Callable[[str], tuple[str, ...]] = plain_levels
    identify: Identify | None = None
    dotted: bool = False
    declarators: frozenset[str] = frozenset()
    attached: Callable[[Node], str] = _not_attached
    afterword: Callable[[Node], Node | None] = _no_docstring
    context: Callable[[Node], bytes] = _no_context
    special: frozenset[str] = field(init=False)
    """Kinds that are not simply written: a leaf of any other kind is its text."""

    def __post_init__(self) -> None:
        special = self.comments | self.ignored | self.handlers.keys() | self.sorted_runs | self.spaced
        object.__setattr__(self, "special", frozenset(special))

    harmless: Callable[[Node], bool] = _no_harm
    closers: Mapping[bytes, bytes] = field(default_factory=dict)
    prepare: Callable[[bytes], bytes] = _as_it_is


def field_of(node: Node, name: str) -> Node | None:
    """The child in a field; a comment in front of it, which the parser puts into the same field, is passed over."""
    found = node.child_by_field_name(name)
    if found is None or not found.is_extra:
        return found
    return next((child for child in node.children_by_field_name(name) if not child.is_extra), None)


def kinds(text: str) -> frozenset[str]:
    """Node kinds from a white-space separated list."""
    return frozenset(text.split())
