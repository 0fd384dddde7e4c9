"""Judging citations of a root, and the verdict that stands while text is broken (design section 4, *held*)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memory_lsp.core.model import Citation, Judgement, Memory, Span, Verdict
from memory_lsp.workspace.sources import View

if TYPE_CHECKING:
    from memory_lsp.core.outline import Outline

DOES_NOT_PARSE = "does not parse"


@dataclass(frozen=True, slots=True)
class _Clean:
    """The last judgement of a citation on text that parsed; ``data`` is that text while the file is open."""

    citation: Citation
    judgement: Judgement
    data: bytes | None


class Judging:
    """Judges citations and remembers, for each, the last verdict on a text that parsed around it."""

    def __init__(self) -> None:
        self._clean: dict[tuple[str, int], _Clean] = {}
        self._last: tuple[Memory, View, tuple[Judgement, ...]] | None = None

    def judge(self, memory: Memory, index: int, view: View, *, is_open: bool) -> Judgement:
        """The judgement on one citation now. Never ``held``: what stands instead is worked out here."""
        citation = memory.citations[index]
        key = (memory.id, index)
        judgement = self._verdict(memory, index, view)
        clean = self._clean.get(key)
        if clean is not None and not _same(clean.citation, citation):
            clean = None
        if judgement.verdict is not Verdict.HELD and (clean is None or not _by_accident(clean, judgement, view)):
            data = view.read(citation.path).data if is_open else None
            self._clean[key] = _Clean(citation, judgement, data)
            return judgement
        if clean is not None:
            return _carried(clean, judgement, view)
        current = view.read(citation.path).data
        if is_open:
            saved = self._verdict(memory, index, view.without_document(citation.path))
            if saved.verdict is not Verdict.HELD:
                return _carried(_Clean(citation, saved, view.world.read(citation.path).data), judgement, view)
        head = view.head(citation.path)
        if head is not None and head != current:
            committed = self._verdict(memory, index, view.with_file(citation.path, head))
            if committed.verdict is not Verdict.HELD:
                return _carried(_Clean(citation, committed, head), judgement, view)
        return replace(judgement, verdict=Verdict.UNCHECKED, reason=DOES_NOT_PARSE, parts=(), to="", candidates=())

    def _verdict(self, memory: Memory, index: int, view: View) -> Judgement:
        from memory_lsp.core.judge import judge, judge_memory

        if memory.dialect == "kiyo":
            return _kiyo(memory.citations[index], judge(memory.citations[index], view, memory.prose))
        if not by_names(memory):
            return judge(memory.citations[index], view, memory.prose)
        if self._last is None or self._last[0] is not memory or self._last[1] is not view:
            self._last = (memory, view, judge_memory(memory, view))
        return self._last[2][index]

    def forget(self, memory_id: str) -> None:
        """Drop what is remembered of a memory."""
        index = 0
        while self._clean.pop((memory_id, index), None) is not None:
            index += 1


def _kiyo(citation: Citation, judgement: Judgement) -> Judgement:
    """A Kiyo judgement names the baseline that was compared with, or why there is none."""
    if citation.candidates:
        told = f"{citation.path} may be {' or '.join(citation.candidates)}"
        return Judgement(Verdict.AMBIGUOUS, candidates=citation.candidates, symbol=citation.symbol, reason=told)
    reason = "denied" if "Permission denied" in judgement.reason else judgement.reason
    if citation.gap and reason.startswith(("no fingerprint", "lines without")):
        reason = citation.gap
    return replace(judgement, baseline=citation.baseline or "none", reason=reason)


def _same(left: Citation, right: Citation) -> bool:
    """Whether two citations say the same, wherever they stand in the record."""
    return replace(left, span=right.span, spans=right.spans) == right


def by_names(memory: Memory) -> bool:
    """Whether the memory's citations are judged together: the names in its text resolve across the files that it cites."""
    return any(citation.names and not citation.symbol for citation in memory.citations)


def _by_accident(clean: _Clean, judgement: Judgement, view: View) -> bool:
    """Whether a verdict is another one than the last only because the text that is being typed does not parse.

    It is, if an open file that has to do with it has an error that it did not have then; and also if the definition was not
    edited at all, so that an old error elsewhere is read in another way.
    """
    from memory_lsp.core.streams import own_spans

    last = clean.judgement
    if _outcome(last) == _outcome(judgement):
        return False
    path = clean.citation.path
    places = dict.fromkeys(place.partition("#")[0] for place in (path, last.to, judgement.to) if place)
    for place in places:
        now = view.outline(place) if place in view.documents else None
        if now is None or not (here := _errors(now)):
            continue
        then = clean.data if place == path and clean.data is not None else view.world.read(place).data
        old = view.world.outline(place, then) if then is not None else None
        if then is None or old is None or here - _errors(old):
            return True
        group = now.find(judgement.symbol) if place == path and judgement.symbol else None
        if group is not None:
            edited = _edited(then, now.data)
            if not any(span.start <= edited.end and edited.start <= span.end for span in own_spans(now, group)):
                return True
    return False


def _outcome(judgement: Judgement) -> tuple[object, ...]:
    return judgement.verdict, judgement.parts, judgement.to, judgement.candidates


def _errors(item: Outline) -> Counter[bytes]:
    """The errors of a text by what they hold, a missing token by its line."""
    from memory_lsp.core.flaws import problems

    data = item.data
    return Counter(
        data[error.start : error.end]
        or data[data.rfind(b"\n", 0, error.start) + 1 : error.start] + b"\0" + data[error.start :].partition(b"\n")[0]
        for error in problems(item)
    )


def _carried(clean: _Clean, held: Judgement, view: View) -> Judgement:
    """The clean judgement with its name's place in the text as it is now: where the parser still sees it, else worked out."""
    judgement = clean.judgement
    if judgement.verdict is Verdict.MOVED:
        return judgement
    if held.name is not None:
        return replace(judgement, name=held.name)
    if judgement.name is None:
        return judgement
    now = view.read(clean.citation.path).data
    if now is None:
        return replace(judgement, name=None)
    # Not kept of a file that was not open: then it was judged as it is saved.
    then = clean.data if clean.data is not None else view.world.read(clean.citation.path).data
    if then is None or judgement.name.end > len(then):
        return replace(judgement, name=None)
    return replace(judgement, name=carried(then, now, judgement.name))


def carried(then: bytes, now: bytes, span: Span) -> Span:
    """Where ``span`` of ``then`` is in ``now``, taking the two as equal but for one stretch between a common start and end."""
    if then == now:
        return span
    edited = _edited(then, now)
    start, stop = edited.start, edited.end
    shift = len(now) - len(then)
    if span.end <= start:
        return span
    if span.start >= stop - shift:
        return Span(span.start + shift, span.end + shift)
    # Inside the stretch that differs: the same word nearest to where it was, seen from either end.
    word = then[span.start : span.end]
    places = []
    at = now.find(word, start, stop)
    while at >= 0:
        places.append(at)
        at = now.find(word, at + 1, stop)
    if places:
        nearest = min(places, key=lambda place: min(abs(place - span.start), abs(place - span.start - shift)))
        return Span(nearest, nearest + len(word))
    first = min(span.start, len(now))
    return Span(first, max(first, min(span.end, len(now))))


def _edited(then: bytes, now: bytes) -> Span:
    """The stretch of ``now`` between the start and the end that it shares with ``then``."""
    start = _common(then, now)
    rest = min(len(then), len(now)) - start
    end = _common(then[len(then) - rest :][::-1], now[len(now) - rest :][::-1]) if rest else 0
    return Span(start, len(now) - end)


def _common(left: bytes, right: bytes) -> int:
    """How many bytes two texts share at their start (bisection: slices compare at memory speed)."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
