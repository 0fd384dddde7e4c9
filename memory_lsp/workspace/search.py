"""Which files a moved definition may stand in, without parsing them.

A twin is equal apart from name, documentation and layout, so the long identifiers of the verified body stand in its file
word for word. Files that lack one of them are passed over by a search of bytes, a hundred times cheaper than an outline.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.outline import Outline

MAX_WORDS = 6
_MIN_LENGTH = 4
_MAX_NODES = 4_000


def telling_words(outline: Outline | None, symbol: str) -> tuple[bytes, ...]:
    """The longest identifiers in the bodies of a symbol, its own names left out; none if nothing can be said."""
    group = outline.find(symbol) if outline is not None and symbol else None
    if outline is None or group is None:
        return ()
    own = {part.strip('"').encode() for part in symbol.split(".")}
    found: dict[bytes, None] = {}
    for definition in group.definitions:
        for body in definition.bodies:
            for word in _identifiers(body, outline.data):
                if len(word) >= _MIN_LENGTH and word.isascii() and word not in own:
                    found[word] = None
    return tuple(sorted(found, key=lambda word: (-len(word), word))[:MAX_WORDS])


def holds(data: bytes | None, words: tuple[bytes, ...]) -> bool:
    """Whether a file may hold a definition with these words."""
    return data is not None and all(word in data for word in words)


def _identifiers(node: Node, data: bytes) -> list[bytes]:
    words = []
    waiting = [node]
    seen = 0
    while waiting and seen < _MAX_NODES:
        current = waiting.pop()
        seen += 1
        if current.child_count == 0:
            if current.type.endswith("identifier") and not current.has_error:
                words.append(data[current.start_byte : current.end_byte])
        else:
            waiting.extend(current.children)
    return words
