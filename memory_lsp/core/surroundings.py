"""What belongs to a definition around it: comments and attributes above, the comment that ends its last line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_lsp.core.canonical import comment_text

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.syntax.rules import Rules

MOST_COMMENTS = 50
"""So many comments may stand between an attribute and its definition; looking further costs more than it finds."""


def leading_nodes(top: Node, rules: Rules, data: bytes) -> tuple[Node, ...]:
    """The attributes and the unbroken comment block directly above a definition, in the order of the text."""
    leading: list[Node] = []
    row = top.start_point[0]
    sibling = _before(top, rules)
    while sibling is not None:
        if (
            sibling.type in rules.decorators
            or (sibling.type in rules.comments and _above(sibling, row, data))
            or rules.attached(sibling)
            or (sibling.type in rules.comments and _under_decorator(sibling, rules))
        ):
            leading.append(sibling)
        else:
            break
        row = sibling.start_point[0]
        sibling = _before(sibling, rules)
    leading.reverse()
    while leading and leading[0].type in rules.comments and rules.file_directive.search(_comment(leading[0], data)):
        leading.pop(0)
    return tuple(leading)


def _before(node: Node, rules: Rules) -> Node | None:
    """The node in front; some grammars leave the comment above the first statement outside of the block."""
    sibling = node.prev_sibling
    parent = node.parent
    while (
        sibling is None and parent is not None and parent.type in rules.blocks and parent.start_byte == node.start_byte
    ):
        sibling = parent.prev_sibling
        parent = parent.parent
    while sibling is not None and sibling.type in rules.blocks and sibling.child_count:
        # Or at the end of the block in front.
        last = sibling.children[-1]
        if last.type not in rules.comments:
            break
        sibling = last
    return sibling


def declaration_head(top: Node, rules: Rules, data: bytes) -> bytes:
    """What stands before the first of several definitions in one declaration."""
    parent = top.parent
    if parent is None or parent.type not in rules.wrappers or top.type not in rules.declarators:
        return b""
    first = next((child for child in parent.children if child.type in rules.declarators), top)
    while parent.parent is not None and parent.parent.type in rules.wrappers:
        parent = parent.parent
    return data[parent.start_byte : first.start_byte]


def _comment(node: Node, data: bytes) -> str:
    return comment_text(data[node.start_byte : node.end_byte])


def text_end(node: Node, data: bytes) -> int:
    """The node's last byte without the line ends that some grammars count as its own."""
    end = min(node.end_byte, len(data))
    while end > node.start_byte and data[end - 1] in b"\r\n":
        end -= 1
    return end


def _under_decorator(comment: Node, rules: Rules) -> bool:
    """Whether only comments stand between this comment and an attribute or decorator above it (or in front of it)."""
    sibling = _before(comment, rules) if rules.decorators else None
    for _comment_above in range(MOST_COMMENTS):
        if sibling is None or sibling.type not in rules.comments:
            break
        sibling = _before(sibling, rules)
    return sibling is not None and sibling.type in rules.decorators


def _above(comment: Node, row: int, data: bytes) -> bool:
    """Whether a comment belongs to the unbroken block that ends right above ``row``."""
    line = data.rfind(b"\n", 0, comment.start_byte) + 1
    if data[line : comment.start_byte].strip(b" \t\xef\xbb\xbf"):
        return False
    end = text_end(comment, data)
    last = comment.start_point[0] + data.count(b"\n", comment.start_byte, end)
    return row - last <= 1


def trailing_comment(top: Node, end: int, rules: Rules, data: bytes) -> Node | None:
    """The comment that ends the line on which the definition ends."""
    stop = data.find(b"\n", end)
    stop = len(data) if stop < 0 else stop
    rest = data[end:stop]
    shift = len(rest) - len(rest.lstrip(b" \t;,"))
    if shift == len(rest.rstrip()):
        return None
    root = top
    while root.parent is not None and root.end_byte <= end + shift:
        root = root.parent
    found = root.descendant_for_byte_range(end + shift, end + shift + 1)
    while found is not None and found.type not in rules.comments:
        if found.start_byte < end + shift:
            return None
        found = found.parent
    if found is None or found.start_byte != end + shift or text_end(found, data) < len(data[:stop].rstrip()):
        return None
    return found
