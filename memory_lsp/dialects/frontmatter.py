"""Markdown with YAML frontmatter: where it stands, its values with exact spans, and what is wrong with it.

Scalars are strings as they are written, without YAML 1.1's guesses (``NO``, ``012``, dates). Offsets are code points
of the whole document. Nothing raises: broken YAML is read key by key, so that one bad value costs only itself; aliases,
tags, depth and size beyond the caps are reported, never followed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import yaml

from memory_lsp.core.model import Span

MAX_CHARACTERS = 256_000
"""Longer frontmatter is reported and not read."""
MAX_DEPTH = 16
"""Deeper nesting is reported and not read."""

_PARSER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_PARSER):  # type: ignore[misc]
    """YAML without guesses: every plain scalar is a string."""

    yaml_implicit_resolvers: dict[str, list[Any]] = {}  # noqa: RUF012 - the name and type are PyYAML's


_OPENING = re.compile(r"\ufeff?---[ \t]*(\r\n|\n|\r)")
_CLOSING = re.compile(r"(?<![^\r\n])(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")
_TOP_KEY = re.compile(r"(?<![^\r\n])(?=[A-Za-z_][\w.-]*[ \t]*:(?:[ \t\r\n]|\Z))")
_CONFLICT_OURS = re.compile(r"^<{7}(?: |$)", re.MULTILINE)
_CONFLICT_THEIRS = re.compile(r"^>{7}(?: |$)", re.MULTILINE)
_LEADING = re.compile(r"^[ \-?:\t]*", re.MULTILINE)
_PLAIN_TAGS = frozenset(f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "seq", "map"))
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


class Node(NamedTuple):
    """One YAML value: ``kind`` is ``scalar``, ``list`` or ``map``, ``style`` a scalar's quote or ``flow``/``block``.

    ``start`` and ``end`` enclose what is written (for a block collection: from its first item to its last character).
    """

    kind: str
    start: int
    end: int
    style: str = ""
    text: str = ""
    null: bool = False
    items: tuple[Node, ...] = ()
    pairs: tuple[tuple[Node, Node], ...] = ()

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    def get(self, key: str) -> Node | None:
        """The value of a key of a map; the last one wins where it is given twice. ``None``: absent or null."""
        for name, value in reversed(self.pairs):
            if name.text == key:
                return None if value.null else value
        return None


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in the frontmatter: what it is, what to do, and where."""

    what: str
    remedy: str
    span: Span


@dataclass(frozen=True, slots=True)
class Front:
    """The frontmatter of a document.

    ``start``/``end`` enclose its YAML lines, ``body`` is where the Markdown begins, ``newline`` the line end of its
    first line. ``broken``: the YAML could not be read as one, so that ``root`` holds only what could be recovered; it
    must not be edited.
    """

    start: int
    end: int
    body: int
    newline: str
    root: Node
    faults: tuple[Fault, ...] = ()
    broken: bool = False


@dataclass(slots=True)
class _Reading:
    """What a conversion collects: faults, and the identity of nodes that were seen (an alias is seen twice)."""

    base: int
    text: str
    faults: list[Fault] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)


def read_front(text: str) -> Front | None:
    """The frontmatter of a document, or ``None`` when its first line is not ``---``."""
    opening = _OPENING.match(text)
    if not opening:
        return None
    start = opening.end()
    closing = _CLOSING.search(text, start)
    end = closing.start() if closing else len(text)
    body = _behind_line_end(text, closing.end()) if closing else len(text)
    faults: list[Fault] = []
    broken = False
    if not closing:
        faults.append(
            Fault("the frontmatter is not closed", "restore its end, or add a line `---` behind it", Span(0, start))
        )
        broken = True
    if end - start > MAX_CHARACTERS:
        what = f"the frontmatter has {end - start} characters, more than {MAX_CHARACTERS}"
        fault = Fault(what, "move text to the body", Span(start, start))
        return Front(start, end, body, opening[1], Node("map", start, start), (fault,), True)
    reading = _Reading(start, text[start:end])
    root = None if broken else _compose(reading)
    if root is None:
        if not broken:
            faults.append(reading.faults[-1])
        broken = True
        root = _recover(text, start, end)
    else:
        faults += reading.faults
        if root.kind != "map":
            if not root.null:
                faults.append(
                    Fault("the frontmatter is no mapping of keys to values", "write `key: value` lines", root.span)
                )
                broken = True
            root = Node("map", start, end)
    return Front(start, end, body, opening[1], root, tuple(faults), broken)


def conflict_marker(text: str) -> Span | None:
    """Where a merge left conflict markers (both kinds, outside fenced blocks), if it did."""
    if "<<<<<<<" not in text or ">>>>>>>" not in text:
        return None
    from memory_lsp.dialects.prose import blank_fences

    outside = blank_fences(text)
    ours, theirs = _CONFLICT_OURS.search(outside), _CONFLICT_THEIRS.search(outside)
    if not ours or not theirs:
        return None
    return Span(ours.start(), ours.start() + 7)


def _behind_line_end(text: str, at: int) -> int:
    if text.startswith("\r\n", at):
        return at + 2
    return min(at + 1, len(text))


def _compose(reading: _Reading) -> Node | None:
    """The YAML as one tree; ``None`` with a fault when it cannot be read."""
    text = reading.text
    if _may_be_deep(text) and (deep := _too_deep(reading)):
        reading.faults.append(deep)
        return None
    try:
        composed = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = reading.base + min(mark.index if mark else 0, len(text))
        what = f"the frontmatter is not valid YAML: {error.problem or error.context or 'it cannot be read'}"
        reading.faults.append(Fault(what, "quote or correct the value there", Span(at, at)))
        return None
    except (yaml.YAMLError, UnicodeError, RecursionError) as error:
        at = reading.base + min(int(getattr(error, "position", 0) or 0), len(text))
        reading.faults.append(
            Fault("the frontmatter holds a character that YAML does not allow", "remove it", Span(at, at))
        )
        return None
    if composed is None:
        return Node("map", reading.base, reading.base, null=True)
    return _convert(composed, reading)


def _may_be_deep(text: str) -> bool:
    """A cheap upper bound of the nesting, so that the exact count is taken only where it could matter."""
    if text.count("[") + text.count("{") > MAX_DEPTH:
        return True
    return max(map(len, _LEADING.findall(text)), default=0) > MAX_DEPTH


def _too_deep(reading: _Reading) -> Fault | None:
    depth = 0
    try:
        for event in yaml.parse(reading.text, Loader=_Loader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    at = reading.base + (event.start_mark.index if event.start_mark else 0)
                    return Fault(f"the frontmatter nests deeper than {MAX_DEPTH} levels", "flatten it", Span(at, at))
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except (yaml.YAMLError, UnicodeError):
        return None
    return None


def _convert(node: Any, reading: _Reading) -> Node:
    start = reading.base + node.start_mark.index
    end = reading.base + node.end_mark.index
    if id(node) in reading.seen:
        reading.faults.append(Fault("the frontmatter uses a YAML alias", "write the value out", Span(start, end)))
        return Node("scalar", start, end, null=True)
    reading.seen.add(id(node))
    tag = node.tag
    if tag not in _PLAIN_TAGS:
        fault = Fault(f"the frontmatter uses the YAML tag `{tag}`", "remove the tag", Span(start, end))
        reading.faults.append(fault)
        return Node("scalar", start, end, null=True)
    if type(node) is yaml.ScalarNode:
        style = node.style or ""
        return Node("scalar", start, end, style, node.value, not style and node.value in _NULLS)
    style = "flow" if node.flow_style else "block"
    if type(node) is yaml.SequenceNode:
        items = tuple([_convert(item, reading) for item in node.value])
        return Node("list", start, _end(end, style, items), style, items=items)
    pairs: list[tuple[Node, Node]] = []
    names: set[str] = set()
    for key_node, value_node in node.value:
        key, value = _convert(key_node, reading), _convert(value_node, reading)
        if key.text in names:
            fault = Fault(f"the key `{key.text}` is given twice", "keep one of the two lines", key.span)
            reading.faults.append(fault)
        names.add(key.text)
        pairs.append((key, value))
    return Node("map", start, _end(end, style, [value for _, value in pairs]), style, pairs=tuple(pairs))


def _end(end: int, style: str, children: Any) -> int:
    """Block collections end where their last value does: YAML's own mark lies behind the comments that follow."""
    return children[-1].end if style == "block" and children else end


def _recover(text: str, start: int, end: int) -> Node:
    """What can be read of broken frontmatter: each top-level key by itself."""
    cuts = [match.start() for match in _TOP_KEY.finditer(text, start, end)]
    pairs: list[tuple[Node, Node]] = []
    for begin, stop in zip(cuts, [*cuts, end][1:], strict=True):
        root = _compose(_Reading(begin, text[begin:stop])) or _compose(_Reading(begin, _first_line(text, begin, stop)))
        if root is not None and root.kind == "map":
            pairs += root.pairs
    return Node("map", start, end, "block", pairs=tuple(pairs))


def _first_line(text: str, begin: int, stop: int) -> str:
    match = re.compile(r"[\r\n]").search(text, begin, stop)
    return text[begin : match.start() if match else stop]
