"""Comparing a fingerprint with a source: what became of one symbol at its address."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_lsp.core.excerpt import find_excerpt
from memory_lsp.core.fingerprint import fingerprint, fingerprint_file, moved_parts
from memory_lsp.core.flaws import flaws
from memory_lsp.core.model import Fingerprint, Span, Verdict
from memory_lsp.core.streams import broken_inside, own_spans, own_text

if TYPE_CHECKING:
    from memory_lsp.core.outline import Group, Outline

MEANINGLESS = frozenset({"documentation"})
"""Parts that are not behaviour."""
CLOSERS = {b"/*": b"*/", b"{-": b"-}", b"--[[": b"]]", b"<!--": b"-->", b"(*": b"*)", b"[[": b"]]"}
"""What closes an opener that is not closed by itself."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What became of a symbol at its address; ``name`` is where it stands now (bytes)."""

    verdict: Verdict
    parts: tuple[str, ...] = ()
    name: Span | None = None


def compare_symbol(then: Fingerprint, was_broken: bool, now: Outline, symbol: str) -> Comparison | None:
    """Compare a symbol with its fingerprint at the same address; ``None`` if nothing is there any more.

    ``was_broken``: the file did not parse everywhere when it was verified either, so that an error elsewhere in it
    says nothing.
    """
    group = now.find(symbol)
    if group is None:
        return Comparison(Verdict.HELD) if not was_broken and (now.broken or any(flaws(now))) else None
    name = Span(group.definitions[0].name_start, group.definitions[0].name_end)
    if hashlib.sha256(own_text(now, group)).hexdigest()[:32] == then.text:
        hidden = not was_broken and _hidden(now, group)
        return Comparison(Verdict.HELD if hidden else Verdict.FRESH, (), name)
    if broken_inside(now, group) and not then.broken:
        return Comparison(Verdict.HELD, (), name)
    if not was_broken and _hidden(now, group):
        return Comparison(Verdict.HELD, (), name)
    seen = fingerprint(now, group.path)
    assert seen is not None
    parts = moved_parts(then, seen)
    if not was_broken and _flawed(now, group):
        return Comparison(Verdict.HELD, (), name)
    if not set(parts) - MEANINGLESS:
        return Comparison(Verdict.COSMETIC, parts, name)
    if then.excerpt and find_excerpt(now, group, then.excerpt) is not None:
        return Comparison(Verdict.FRESH, ("elsewhere",), name)
    if not was_broken and (_touching(now, group) or (now.broken and _lost(then, seen))):
        return Comparison(Verdict.HELD, (), name)
    return Comparison(Verdict.CHANGED, parts, name)


def _lost(then: Fingerprint, seen: Fingerprint) -> bool:
    """Whether a definition or a member is not there: an error somewhere may have swallowed it."""
    return len(seen.signature) < len(then.signature) or bool(dict(then.members).keys() - dict(seen.members).keys())


def compare_file(then: Fingerprint, now: Outline | None, data: bytes) -> Comparison:
    """Compare a whole file with its fingerprint; ``now`` is ``None`` without a grammar."""
    if hashlib.sha256(data).hexdigest()[:32] == then.text:
        return Comparison(Verdict.FRESH)
    if now is not None and now.broken and not then.broken:
        return Comparison(Verdict.HELD)
    parts = moved_parts(then, fingerprint_file(now.language if now else None, data, now))
    if not set(parts) - MEANINGLESS:
        return Comparison(Verdict.COSMETIC, parts)
    return Comparison(Verdict.CHANGED, parts)


def _hidden(now: Outline, group: Group) -> bool:
    """Whether a string or comment that was opened above and never closed runs over the symbol."""
    first = min(span.start for span in own_spans(now, group))
    return any(
        error.start < first
        and any(_unclosed(now.data[error.start : error.end], opener) for opener in now.rules.openers)
        for error in now.errors
    )


def _unclosed(text: bytes, opener: bytes) -> bool:
    """Whether the last opener in a text is not closed in it."""
    closer = CLOSERS.get(opener)
    return text.count(opener) % 2 == 1 if closer is None else text.rfind(opener) > text.rfind(closer)


def _flawed(now: Outline, group: Group) -> bool:
    """Whether the language does not read what the grammar reads in the symbol, or right above or below it."""
    for span in own_spans(now, group):
        start = len(now.data[: span.start].rstrip())
        end = len(now.data) - len(now.data[span.end :].lstrip())
        if any(flaws(now, Span(start - 1, end + 1))):
            return True
    return False


def _touching(now: Outline, group: Group) -> bool:
    """Whether an error stands right above or below the symbol, so that it may belong to it."""
    for span in own_spans(now, group):
        for error in now.errors:
            between = now.data[error.end : span.start] if error.end <= span.start else now.data[span.end : error.start]
            if not between.strip():
                return True
    return False
