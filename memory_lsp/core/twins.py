"""Finding a definition that went away under another name, scope or file (design section 3, property 7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def same_meaning(then: Fingerprint, other: Fingerprint) -> bool:
    """Whether two definitions are equal apart from name, documentation and layout."""
    left, right = (item.twins * 3 if len(item.twins) == 1 else item.twins for item in (then, other))
    return any(a == b for a, b in zip(left, right, strict=False))


def find_twins(citation: Citation, then: Fingerprint, language: str | None, sources: Sources) -> list[str]:
    """All twins of a citation that is gone, as ``path#symbol`` (a bare path for a whole file), in the order of search.

    Files added or changed since the verification come first; only if they hold none, all tracked files of the language.
    """
    seen: set[str] = set()
    for paths in (sources.changed_since(citation), _tracked(language, citation, sources)):
        found: list[str] = []
        for path in paths:
            if path in seen or (citation.symbol and language_of(path) != language):
                continue
            seen.add(path)
            found += _twins_in(path, citation, then, sources)
        if found:
            return found
    return []


def _tracked(language: str | None, citation: Citation, sources: Sources) -> Iterable[str]:
    return sources.tracked(language) if language is not None and citation.symbol else ()


def _twins_in(path: str, citation: Citation, then: Fingerprint, sources: Sources) -> Iterator[str]:
    if not citation.symbol:
        yield from _file_twin(path, citation, then, sources)
        return
    now = sources.outline(path)
    if now is None:
        return
    name = citation.symbol.rsplit(".", 1)[-1]
    old: Outline | None = None
    for group in now.groups.values():
        if len(group.definitions) != len(then.signature) or (path == citation.path and group.path == citation.symbol):
            continue
        enough = ENOUGH_NAMED_TOKENS if group.name == name else ENOUGH_TOKENS
        if not _is_twin(then, now, group.path, enough):
            continue
        if old is None:
            data = sources.before(path, citation)
            old = outline(now.language, data) if data is not None else None
        if old is None or not _is_twin(then, old, group.path, enough):
            yield f"{path}#{group.path}"


def _is_twin(then: Fingerprint, item: Outline, symbol: str, enough: int) -> bool:
    """Whether a definition equals the one that is gone, or holds the cited statements, and is large enough to mean it."""
    group = item.find(symbol)
    if group is None:
        return False
    if then.tokens >= enough:
        other = fingerprint(item, symbol)
        if other is not None and other.tokens == then.tokens and same_meaning(then, other):
            return True
    return excerpt_size(then.excerpt) >= ENOUGH_NAMED_TOKENS and find_excerpt(item, group, then.excerpt) is not None


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
