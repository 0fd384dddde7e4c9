"""Looking at what a citation cites now: it resolves to exactly one thing, of which a fingerprint is taken."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from memory_lsp.core.excerpt import excerpt_of_text, find_excerpt
from memory_lsp.core.fingerprint import fingerprint, fingerprint_file
from memory_lsp.core.languages import language_of, producer
from memory_lsp.core.model import Citation, Refusal
from memory_lsp.core.outline import Group, Outline, nearest
from memory_lsp.core.sources import Sources, too_large
from memory_lsp.core.text import blob_id

MAX_LISTED = 5_000
"""At most so many file names are compared with one that does not exist."""


def look(citation: Citation, sources: Sources) -> Citation | Refusal:
    """The citation with its full symbol path and what is there now (fingerprint, blob, sha256, size), or why it does not
    resolve, with the nearest names or all candidates."""
    source = sources.read(citation.path)
    if source.data is None:
        if source.missing:
            near = _nearest_paths(citation.path, islice(sources.paths(), MAX_LISTED))
            return Refusal(f"{citation.path} does not exist{_near(near)}", near)
        return Refusal(f"{citation.path} cannot be cited: {source.problem}")
    data = source.data
    seen = replace(
        citation, blob=blob_id(data), sha256=hashlib.sha256(data).hexdigest(), size=len(data), fingerprint=None
    )
    outline = sources.outline(citation.path)
    if citation.lines:
        return _look_at_lines(seen, data)
    if not citation.symbol:
        return replace(seen, fingerprint=fingerprint_file(language_of(citation.path), data, outline))
    if outline is None:
        large = too_large(data)
        why = f"is {large}" if large else "is of no kind whose definitions are known"
        return Refusal(f"{citation.path} {why}: cite the whole file, without `#{citation.symbol}`", (citation.path,))
    return _look_at_symbol(seen, outline, citation)


def _look_at_symbol(citation: Citation, outline: Outline, before: Citation) -> Citation | Refusal:
    groups = outline.match(citation.symbol)
    if not groups:
        near = tuple(f"{citation.path}#{name}" for name in nearest(outline.groups, citation.symbol))
        return Refusal(f"{citation.path} defines no `{citation.symbol}`{_near(near)}", near)
    if len(groups) > 1:
        names = tuple(f"{citation.path}#{group.path}" for group in groups)
        listed = ", ".join(names[:5])
        return Refusal(
            f"`{citation.symbol}` is ambiguous in {citation.path}: it may be {listed}; name one in full", names
        )
    symbol = groups[0].path
    taken = fingerprint(outline, symbol)
    assert taken is not None
    if taken.broken:
        return Refusal(f"{citation.path} does not parse around `{symbol}`: correct and save it first")
    if citation.excerpt:
        hashes = standing(before, outline, groups[0])
        if not hashes:
            return Refusal(
                f"the excerpt of {citation.path}#{symbol} is not in its text any more: narrow the citation again"
            )
        taken = replace(taken, excerpt=hashes)
    return replace(citation, symbol=symbol, fingerprint=taken)


def standing(citation: Citation, outline: Outline, group: Group) -> tuple[str, ...]:
    """The hashes of the statements that a narrow citation is about, if they stand in the symbol as it is now."""
    then = citation.fingerprint
    comparable = then is not None and then.producer == producer(outline.language)
    if then is not None and comparable and then.excerpt and find_excerpt(outline, group, then.excerpt) is not None:
        return then.excerpt
    found = excerpt_of_text(outline, group, citation.excerpt)
    return found.hashes if found is not None else ()


def _look_at_lines(citation: Citation, data: bytes) -> Citation | Refusal:
    first, last = citation.lines or (0, 0)
    count = data.count(b"\n") + (not data.endswith(b"\n"))
    if last < first:
        return Refusal(f"{citation.text}: the lines run backwards: name the first one first")
    if first < 1 or last > count:
        return Refusal(f"{citation.text}: {citation.path} has {count} lines; name lines that it has")
    return citation


def _nearest_paths(path: str, paths: Iterable[str]) -> tuple[str, ...]:
    from rapidfuzz import fuzz, process

    found = process.extract(path, list(paths), scorer=fuzz.ratio, score_cutoff=50, limit=3)
    return tuple(name for name, _, _ in found)


def _near(names: tuple[str, ...]) -> str:
    return f"; did you mean {', '.join(names)}?" if names else ""
