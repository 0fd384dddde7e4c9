"""Finding a definition that went away under another name, scope or file (design section 3, property 7)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_lsp.core.excerpt import excerpt_size, find_excerpt
from memory_lsp.core.fingerprint import fingerprint, fingerprint_file
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Fingerprint
from memory_lsp.core.outline import outline

if TYPE_CHECKING:
    from memory_lsp.core.outline import Outline
    from memory_lsp.core.sources import Sources

ENOUGH_TOKENS = 25
"""A definition of this size is no coincidence, whatever its name."""
ENOUGH_NAMED_TOKENS = 16
"""A definition of this size is no coincidence if it has the same name: its body is more than a getter's."""

_MAX_SHAPES = 50_000
"""Definitions whose shape is kept (about 20 MB); one more file and all are computed anew."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What a twin is recognised by: all that a search needs of one definition."""

    path: str
    name: str
    definitions: int
    tokens: int
    twins: tuple[str, ...]


_known: dict[tuple[str, bytes], tuple[_Shape, ...]] = {}
"""Shapes by language and content: many searches look at the same files, and their text alone decides."""


def same_meaning(then: Fingerprint, other: Fingerprint) -> bool:
    """Whether two definitions are equal apart from name, documentation and layout."""
    return _equal(then.twins, other.twins)


def _equal(left: tuple[str, ...], right: tuple[str, ...]) -> bool:
    left, right = (codes * 3 if len(codes) == 1 else codes for codes in (left, right))
    return any(a == b for a, b in zip(left, right, strict=False))


def _shapes(path: str, data: bytes, read: Callable[[], Outline | None]) -> tuple[_Shape, ...]:
    key = language_of(path) or "", hashlib.blake2b(data, digest_size=16).digest()
    found = _known.get(key)
    if found is None:
        now = read()
        seen = [(group, fingerprint(now, group.path)) for group in now.groups.values()] if now is not None else []
        found = tuple(
            _Shape(group.path, group.name, len(group.definitions), item.tokens, item.twins)
            for group, item in seen
            if item is not None and item.tokens >= ENOUGH_NAMED_TOKENS
        )
        if sum(map(len, _known.values())) + len(found) > _MAX_SHAPES:
            _known.clear()
        _known[key] = found
    return found


def find_twins(citation: Citation, then: Fingerprint, language: str | None, sources: Sources) -> list[str]:
    """All twins of a citation that is gone, as ``path#symbol`` (a bare path for a whole file), in the order of search.

    Files added or changed since the verification come first; only if they hold none, those of ``sources.elsewhere``.
    """
    renamed = _renamed_file(citation, language, sources)
    if renamed:
        return renamed
    seen: set[str] = set()
    for paths in (sources.changed_since(citation), sources.elsewhere(citation) if citation.symbol else ()):
        found: list[str] = []
        for path in paths:
            if path in seen or (citation.symbol and language_of(path) != language):
                continue
            seen.add(path)
            found += _twins_in(path, citation, then, sources)
        if found:
            return found
    return []


def _renamed_file(citation: Citation, language: str | None, sources: Sources) -> list[str]:
    """A symbol of a file that has another name and nothing else: the file is the evidence, however small the symbol is."""
    if not citation.symbol or not sources.read(citation.path).missing:
        return []
    recorded = sources.recorded(citation)
    if recorded is None or len(recorded.data.split()) < ENOUGH_TOKENS:
        return []
    return [
        f"{path}#{citation.symbol}"
        for path in sources.changed_since(citation)
        if language_of(path) == language
        and sources.read(path).data == recorded.data
        and sources.before(path, citation) is None
    ]


def _twins_in(path: str, citation: Citation, then: Fingerprint, sources: Sources) -> Iterator[str]:
    if not citation.symbol:
        yield from _file_twin(path, citation, then, sources)
        return
    name = citation.symbol.rsplit(".", 1)[-1]
    before: frozenset[str] | None = None
    for symbol in _equal_in(path, sources.read(path).data, lambda: sources.outline(path), then, name):
        if path == citation.path and symbol == citation.symbol:
            continue
        if before is None:
            before = frozenset(_equal_before(path, citation, then, name, sources))
        if symbol not in before:
            yield f"{path}#{symbol}"


def _equal_before(path: str, citation: Citation, then: Fingerprint, name: str, sources: Sources) -> Iterator[str]:
    data = sources.before(path, citation)
    return _equal_in(path, data, lambda: _outline(path, data), then, name)


def _outline(path: str, data: bytes | None) -> Outline | None:
    language = language_of(path)
    return outline(language, data) if language is not None and data is not None else None


def _equal_in(
    path: str, data: bytes | None, read: Callable[[], Outline | None], then: Fingerprint, name: str
) -> Iterator[str]:
    """The definitions of a file that equal the one that is gone, or hold the cited statements, large enough to mean it."""
    if data is None:
        return
    if then.tokens >= ENOUGH_NAMED_TOKENS:
        for shape in _shapes(path, data, read):
            if shape.tokens != then.tokens or shape.definitions != len(then.signature):
                continue
            enough = ENOUGH_NAMED_TOKENS if shape.name == name else ENOUGH_TOKENS
            if then.tokens >= enough and _equal(then.twins, shape.twins):
                yield shape.path
    if excerpt_size(then.excerpt) >= ENOUGH_NAMED_TOKENS:
        now = read()
        if now is None:
            return
        for group in now.groups.values():
            if len(group.definitions) == len(then.signature) and find_excerpt(now, group, then.excerpt) is not None:
                yield group.path


def _file_twin(path: str, citation: Citation, then: Fingerprint, sources: Sources) -> Iterator[str]:
    source = sources.read(path)
    if source.data is None or path == citation.path:
        return
    other = fingerprint_file(language_of(path), source.data, sources.outline(path))
    same_name = path.rsplit("/", 1)[-1] == citation.path.rsplit("/", 1)[-1]
    if then.tokens < (1 if same_name else ENOUGH_TOKENS):
        return
    if (other.text == then.text or same_meaning(then, other)) and sources.before(path, citation) is None:
        yield path
