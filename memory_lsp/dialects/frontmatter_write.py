"""Minimal text edits on YAML frontmatter: set one value, append one item; everything else stays byte for byte."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from memory_lsp.core.model import TextEdit
from memory_lsp.dialects.frontmatter import Front, Node

Value = str | Sequence[Mapping[str, str]]
"""What an item may hold: text, or a list of flat items."""

_PLAIN = re.compile(r"[A-Za-z_./][\w./@+~#-]*(?::[\w./@+~#-]+)*\Z", re.ASCII)
_TIME = re.compile(r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?\Z")
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n", ".inf", ".nan", "~"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


def scalar(value: str, style: str = "") -> str:
    """A value as one line of YAML: plain where every reader takes it for this text, else in double quotes.

    ``style`` ``"`` or ``'`` keeps the quotes that stood there. A lone surrogate, which YAML cannot hold, is U+FFFD.
    """
    plain = (_PLAIN.match(value) or _TIME.match(value)) and value.lower() not in _WORDS
    if plain and style not in ("'", '"'):
        return value
    if style == "'" and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    quoted = json.dumps(_SURROGATE.sub("\ufffd", value), ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def line(key: str, value: str, newline: str) -> str:
    return f"{key}: {scalar(value)}{newline}"


def item_lines(item: Mapping[str, Value], indent: str, newline: str) -> str:
    """A list item in block style, one fact per line, with its line end."""
    lines: list[str] = []
    for key, value in item.items():
        lead = f"{indent}{'  ' if lines else '- '}{key}:"
        if isinstance(value, str):
            lines.append(f"{lead} {scalar(value)}{newline}")
        else:
            lines.append(f"{lead}{newline}")
            lines += [item_lines(entry, f"{indent}    ", newline) for entry in value]
    return "".join(lines)


def item_flow(item: Mapping[str, Value]) -> str:
    """A list item in flow style, on one line."""
    pairs = []
    for key, value in item.items():
        text = scalar(value, '"') if isinstance(value, str) else "[" + ", ".join(map(item_flow, value)) + "]"
        pairs.append(f"{key}: {text}")
    return "{" + ", ".join(pairs) + "}"


def set_value(text: str, front: Front, key: str, value: str) -> TextEdit:
    """Give a top-level key a value; an absent key is added as the last line."""
    node = _raw(front.root, key)
    if node is None:
        return TextEdit(front.end, front.end, line(key, value, front.newline))
    return replace_node(text, front, node, value)


def replace_node(text: str, front: Front, node: Node, value: str) -> TextEdit:
    """Replace one value where it stands, in its own quotes."""
    new = scalar(value, node.style)
    if node.start == node.end:
        return TextEdit(node.start, node.end, new if text[node.start - 1].isspace() else f" {new}")
    if text[node.end - 1] in "\r\n":
        new += front.newline
    return TextEdit(node.start, node.end, new)


def set_in_map(text: str, front: Front, item: Node, key: str, value: str) -> TextEdit:
    """Give a key of a map item a value; an absent key is added behind the first one."""
    node = _raw(item, key)
    if node is not None:
        return replace_node(text, front, node, value)
    first_key, first = item.pairs[0]
    if item.style == "flow":
        return TextEdit(first.end, first.end, f", {key}: {scalar(value, chr(34))}")
    at = behind_line(text, first.end)
    return TextEdit(at, at, f"{' ' * _column(text, first_key.start)}{key}: {scalar(value)}{front.newline}")


def append_item(text: str, front: Front, key: str, item: Mapping[str, Value]) -> TextEdit | None:
    """Append an item to a top-level list; an absent list is added. ``None`` when the key holds something else."""
    node = _raw(front.root, key)
    if node is None:
        return TextEdit(front.end, front.end, f"{key}:{front.newline}{item_lines(item, '  ', front.newline)}")
    if node.null or (node.kind == "list" and not node.items):
        lines = item_lines(item, "  ", front.newline).removesuffix(front.newline)
        return TextEdit(_behind_colon(text, node), node.end, front.newline + lines)
    if node.kind != "list":
        return None
    if node.style == "flow":
        return _into_flow(text, node, item_flow(item))
    at = behind_line(text, node.end)
    return TextEdit(at, at, item_lines(item, " " * _column(text, node.start), front.newline))


def append_word(text: str, front: Front, key: str, word: str) -> TextEdit | None:
    """Append a word to a top-level list of words; a single word becomes a list. ``None`` when the key holds a map."""
    node = _raw(front.root, key)
    if node is None:
        return TextEdit(front.end, front.end, f"{key}:{front.newline}  - {scalar(word)}{front.newline}")
    if node.null or (node.kind == "list" and not node.items):
        return TextEdit(_behind_colon(text, node), node.end, f"{front.newline}  - {scalar(word)}")
    if node.kind == "scalar":
        return TextEdit(node.start, node.end, f"[{scalar(node.text, chr(34))}, {scalar(word, chr(34))}]")
    if node.kind != "list":
        return None
    if node.style == "flow":
        return _into_flow(text, node, scalar(word, '"'))
    at = behind_line(text, node.end)
    return TextEdit(at, at, f"{' ' * _column(text, node.start)}- {scalar(word)}{front.newline}")


def behind_line(text: str, offset: int) -> int:
    """The start of the line behind the one that holds ``offset`` (itself, when it stands behind a line end)."""
    if offset and text[offset - 1] in "\r\n":
        return offset
    while offset < len(text) and text[offset] not in "\r\n":
        offset += 1
    return offset + 2 if text.startswith("\r\n", offset) else min(offset + 1, len(text))


def joined(edits: Sequence[TextEdit]) -> tuple[TextEdit, ...]:
    """The edits in order, insertions at one place made one: what belongs to the key above comes before a new key."""
    result: list[TextEdit] = []
    for edit in sorted(edits, key=lambda item: (item.start, item.end, not item.new.startswith((" ", "-")))):
        if result and result[-1].start == result[-1].end == edit.start == edit.end:
            result[-1] = TextEdit(edit.start, edit.end, result[-1].new + edit.new)
        else:
            result.append(edit)
    return tuple(result)


def _into_flow(text: str, node: Node, item: str) -> TextEdit:
    """Insert behind the last item, so that a trailing comma, comments and the bracket stay."""
    at = node.items[-1].end
    return TextEdit(at, at, f", {item}")


def _behind_colon(text: str, node: Node) -> int:
    start = node.start
    while text[start - 1] in " \t":
        start -= 1
    return start


def _column(text: str, offset: int) -> int:
    return offset - max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) - 1


def _raw(node: Node, key: str) -> Node | None:
    """The value of a key, null or not; the last one wins."""
    return next((value for name, value in reversed(node.pairs) if name.text == key), None)
