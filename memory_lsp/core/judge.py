"""Judging: the verdict on a citation, from what was recorded of it and what the sources say now.

Nothing here raises for what a record or a file holds. ``held`` is returned as such: whoever keeps verdicts over time (the
workspace) lets the last one stand, ``compare`` and ``bench`` show it.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

from memory_lsp.core.compare import Comparison, compare_file, compare_symbol
from memory_lsp.core.excerpt import enclosing, span_of_lines
from memory_lsp.core.fingerprint import fingerprint, fingerprint_file
from memory_lsp.core.flaws import problems
from memory_lsp.core.languages import language_of, producer
from memory_lsp.core.model import Citation, Fingerprint, Judgement, Memory, Span, Verdict, worst
from memory_lsp.core.outline import Group, Outline
from memory_lsp.core.sources import Recorded, Source, too_large
from memory_lsp.core.streams import own_spans, own_text
from memory_lsp.core.touch import touched
from memory_lsp.core.twins import find_twins

if TYPE_CHECKING:
    from memory_lsp.core.sources import Sources

_KAGE_NOISE = "constant"


def judge_memory(memory: Memory, sources: Sources) -> tuple[Judgement, ...]:
    """One judgement per citation of the memory, in their order."""
    named = _resolve_names(memory, sources)
    return tuple(
        judge(citation, sources, memory.prose, named.get(index)) for index, citation in enumerate(memory.citations)
    )


def judge(citation: Citation, sources: Sources, prose: str = "", named: tuple[str, ...] | None = None) -> Judgement:
    """The verdict on one citation.

    ``prose`` is the memory's text (for ``touched``); ``named`` are the definitions of the cited file that the text
    names, where these decide instead of the whole file (Kage).
    """
    source = sources.read(citation.path)
    if source.data is None and not source.missing:
        return Judgement(Verdict.UNCHECKED, reason=source.problem)
    if citation.lines:
        return _judge_lines(citation, sources, prose)
    if citation.gap and "fingerprint" in citation.spans:
        return _without_fingerprint(citation, source, sources)
    if citation.sha256 and citation.fingerprint is None and not citation.symbol:
        return _judge_recorded_file(citation, source, sources, prose, named)
    if citation.sha256 and citation.fingerprint is None:
        return _judge_recorded_symbol(citation, source, sources, prose)
    return _judge_fingerprint(citation, source, sources, prose)


def _judge_fingerprint(citation: Citation, source: Source, sources: Sources, prose: str) -> Judgement:
    language = language_of(citation.path)
    then = citation.fingerprint
    if then is None:
        return _without_fingerprint(citation, source, sources)
    if citation.symbol and language is None:
        return Judgement(Verdict.UNCHECKED, reason="no grammar for this kind of file: only the whole file can be cited")
    if source.data is not None and citation.symbol and (reason := too_large(source.data)):
        return Judgement(Verdict.UNCHECKED, symbol=citation.symbol, reason=reason)
    baseline = "fingerprint"
    recorded: Recorded | None = None
    current = producer(language or "")
    if then.producer != current:
        if source.data is not None and _same_text(then, citation, source.data, sources):
            return _fresh(citation, sources, "fingerprint")
        recorded = sources.recorded(citation)
        again = _fingerprint_of(recorded, citation, sources) if recorded else None
        if recorded is None or again is None:
            return Judgement(
                Verdict.UNCHECKED,
                reason=f"the fingerprint was made by {then.producer}, this is {current}, and the version it was made of is not in git",
            )
        then, baseline = again, recorded.baseline
    comparison = _compare(citation, then, source, sources, recorded)
    if comparison is None:
        return _gone(citation, then, language, sources, baseline)
    result = Judgement(
        comparison.verdict, comparison.parts, symbol=_full(citation, sources), name=comparison.name, baseline=baseline
    )
    if comparison.verdict is Verdict.HELD:
        return replace(result, reason="does not parse")
    if comparison.verdict is Verdict.CHANGED:
        before, after = texts(citation, sources)
        return replace(result, touched=touched(prose, before, after), then=before, now=after)
    return result


def _compare(
    citation: Citation, then: Fingerprint, source: Source, sources: Sources, recorded: Recorded | None
) -> Comparison | None:
    if source.data is None:
        return None
    now = sources.outline(citation.path)
    if not citation.symbol:
        return compare_file(then, now, source.data)
    if now is None:
        return None
    comparison = compare_symbol(then, False, now, citation.symbol)
    if now.broken if comparison is None else comparison.verdict is Verdict.HELD:
        # The file may never have parsed everywhere: then an error says nothing about typing.
        recorded = recorded or sources.recorded(citation)
        old = sources.recorded_outline(recorded) if recorded else None
        if old is not None and _errors_are_old(old, now):
            return compare_symbol(then, True, now, citation.symbol)
    return comparison


def _errors_are_old(old: Outline, now: Outline) -> bool:
    """Whether every error of the text was there already, word for word."""
    known = {old.data[error.start : error.end] for error in problems(old)}
    return all(now.data[error.start : error.end] in known for error in problems(now))


def _same_text(then: Fingerprint, citation: Citation, data: bytes, sources: Sources) -> bool:
    """Whether the cited text is byte for byte the same, whatever made the fingerprint."""
    now = sources.outline(citation.path)
    group = now.find(citation.symbol) if now is not None and citation.symbol else None
    text = own_text(now, group) if now is not None and group is not None else b"" if citation.symbol else data
    return hashlib.sha256(text).hexdigest()[:32] == then.text


def _fresh(citation: Citation, sources: Sources, baseline: str) -> Judgement:
    name = _name(_group(citation, sources))
    return Judgement(Verdict.FRESH, symbol=citation.symbol, name=name, baseline=baseline)


def _name(group: Group | None) -> Span | None:
    return Span(group.definitions[0].name_start, group.definitions[0].name_end) if group is not None else None


def _group(citation: Citation, sources: Sources) -> Group | None:
    now = sources.outline(citation.path) if citation.symbol else None
    return now.find(citation.symbol) if now is not None else None


def _full(citation: Citation, sources: Sources) -> str:
    group = _group(citation, sources)
    return group.path if group is not None else citation.symbol


def _fingerprint_of(recorded: Recorded, citation: Citation, sources: Sources) -> Fingerprint | None:
    old = sources.recorded_outline(recorded)
    if citation.symbol:
        narrow = fingerprint(old, citation.symbol, citation.excerpt) if old is not None else None
        return narrow or (fingerprint(old, citation.symbol) if old is not None else None)
    return fingerprint_file(language_of(citation.path), recorded.data, old)


def _gone(citation: Citation, then: Fingerprint, language: str | None, sources: Sources, baseline: str) -> Judgement:
    """The file or the symbol is not there any more: look for its twin."""
    twins = find_twins(citation, then, language, sources)
    scope = _enclosing(citation, sources)
    if len(twins) == 1:
        return Judgement(Verdict.MOVED, to=twins[0], symbol=citation.symbol, name=scope, baseline=baseline)
    if twins:
        return Judgement(
            Verdict.AMBIGUOUS,
            candidates=tuple(sorted(twins)),
            symbol=citation.symbol,
            name=scope,
            baseline=baseline,
            reason=f"{len(twins)} definitions equal it",
        )
    reason = "the file is gone" if sources.read(citation.path).data is None else f"{citation.symbol} is gone"
    before, _after = texts(citation, sources)
    return Judgement(Verdict.MISSING, symbol=citation.symbol, name=scope, baseline=baseline, reason=reason, then=before)


def _enclosing(citation: Citation, sources: Sources) -> Span | None:
    """The name of the innermost scope that is still there."""
    now = sources.outline(citation.path)
    scope = citation.symbol
    while now is not None and "." in scope:
        scope = scope.rsplit(".", 1)[0]
        group = now.find(scope)
        if group is not None:
            return _name(group)
    return None


def _without_fingerprint(citation: Citation, source: Source, sources: Sources) -> Judgement:
    """Never verified by a fingerprint: only whether it is there can be said."""
    if source.data is None:
        return Judgement(Verdict.MISSING, symbol=citation.symbol, reason="the file does not exist")
    unseen = citation.gap or "no fingerprint: verify it once"
    if not citation.symbol:
        return Judgement(Verdict.UNCHECKED, reason=unseen)
    now = sources.outline(citation.path)
    if now is None:
        return Judgement(Verdict.UNCHECKED, symbol=citation.symbol, reason="no grammar for this kind of file")
    groups = now.match(citation.symbol)
    if not groups:
        if now.broken:
            return Judgement(Verdict.UNCHECKED, symbol=citation.symbol, reason="does not parse")
        return Judgement(Verdict.MISSING, symbol=citation.symbol, reason=f"{citation.symbol} is not in {citation.path}")
    if len(groups) > 1:
        return Judgement(
            Verdict.AMBIGUOUS,
            symbol=citation.symbol,
            candidates=tuple(f"{citation.path}#{group.path}" for group in groups),
            reason=f"{len(groups)} definitions match",
        )
    return Judgement(Verdict.UNCHECKED, symbol=groups[0].path, name=_name(groups[0]), reason=unseen)


def _judge_lines(citation: Citation, sources: Sources, prose: str) -> Judgement:
    """Lines are tied to the symbol that enclosed them when they were verified; without one nothing can be said of them."""
    if citation.lines is not None and citation.lines[1] < citation.lines[0]:
        return Judgement(Verdict.UNCHECKED, reason="the lines run backwards: name the first one first")
    recorded = sources.recorded(citation)
    old = sources.recorded_outline(recorded) if recorded else None
    if recorded is None or citation.lines is None:
        return Judgement(Verdict.UNCHECKED, reason="lines without a recorded version: cite a symbol instead")
    first = citation.lines[0]
    if first < 1 or first > recorded.data.count(b"\n") + (not recorded.data.endswith(b"\n")):
        return Judgement(Verdict.UNCHECKED, reason=f"line {first} is past the end of the recorded version")
    if old is None:
        return Judgement(Verdict.UNCHECKED, reason="no grammar for this kind of file: lines cannot be followed")
    span = span_of_lines(old.data, *citation.lines)
    group = enclosing(old, span) if span is not None else None
    if group is None:
        return Judgement(Verdict.UNCHECKED, reason="no symbol encloses the lines: cite a symbol or the whole file")
    narrowed = replace(citation, lines=None, symbol=group.path, fingerprint=fingerprint(old, group.path))
    result = _judge_fingerprint(narrowed, sources.read(citation.path), sources, prose)
    return replace(result, baseline=recorded.baseline)


def _judge_recorded_file(
    citation: Citation, source: Source, sources: Sources, prose: str, named: tuple[str, ...] | None
) -> Judgement:
    """A Kage packet's file: judged by the definitions that its text names, else by the whole file (design section 2.2).

    ``named`` is empty if the text names definitions of other files only, ``None`` if it names none at all.
    """
    if source.data is not None and hashlib.sha256(source.data).hexdigest() == citation.sha256:
        return Judgement(Verdict.FRESH, baseline=f"sha256 {citation.sha256[:12]}")
    recorded = sources.recorded(citation)
    if recorded is None:
        return _judge_anchors(citation, source, sources)
    language = language_of(citation.path)
    old = sources.recorded_outline(recorded)
    if named and old is not None:
        results = []
        for symbol in named:
            then = fingerprint(old, symbol)
            if then is not None:
                narrowed = replace(citation, symbol=symbol, fingerprint=then)
                results.append(_judge_fingerprint(narrowed, source, sources, prose))
        if results:
            return _worst_named(results, recorded.baseline)
        added = replace(citation, symbol=named[0])
        reason = f"{', '.join(named)}: not there when it was verified"
        _then, text = texts(added, sources)
        return Judgement(
            Verdict.CHANGED, ("signature",), touched=touched(prose, None, text), symbol=", ".join(named), reason=reason,
            baseline=recorded.baseline, name=_name(_group(added, sources)), now=text,
        )  # fmt: skip
    if named is not None and source.data is not None:
        return Judgement(Verdict.FRESH, ("elsewhere",), baseline=recorded.baseline)
    then = fingerprint_file(language, recorded.data, old)
    result = _judge_fingerprint(replace(citation, fingerprint=then), source, sources, prose)
    return replace(result, baseline=recorded.baseline)


def _judge_recorded_symbol(citation: Citation, source: Source, sources: Sources, prose: str) -> Judgement:
    """A symbol of which only the content of its file was recorded (a Kage packet that Kage verified since)."""
    recorded = sources.recorded(citation)
    data = source.data
    if data is not None and hashlib.sha256(data).hexdigest() == citation.sha256:
        recorded = Recorded(citation.path, data, f"sha256 {citation.sha256[:12]}")
    old = sources.recorded_outline(recorded) if recorded else None
    then = fingerprint(old, citation.symbol, citation.excerpt) if old is not None else None
    if recorded is None or then is None:
        result = _without_fingerprint(citation, source, sources)
        if recorded is not None or result.verdict is not Verdict.UNCHECKED or not result.symbol:
            return result
        return replace(result, verdict=Verdict.CHANGED, reason="recorded version not found")
    result = _judge_fingerprint(replace(citation, fingerprint=then), source, sources, prose)
    return replace(result, baseline=recorded.baseline)


def _worst_named(results: list[Judgement], baseline: str) -> Judgement:
    verdict = worst([result.verdict for result in results])
    if verdict in (Verdict.FRESH, Verdict.COSMETIC):
        return Judgement(Verdict.FRESH, ("elsewhere",), baseline=baseline, name=results[0].name)
    shown = [result for result in results if result.verdict is verdict]
    parts = dict.fromkeys(part for result in shown for part in result.parts)
    reason = "; ".join(
        f"{result.symbol}: {', '.join(result.parts) or result.reason or verdict.value}" for result in shown
    )
    return replace(
        shown[0],
        parts=tuple(parts),
        symbol=", ".join(result.symbol for result in shown),
        reason=reason,
        baseline=baseline,
        touched=True if any(result.touched for result in shown) else shown[0].touched,
    )


def _judge_anchors(citation: Citation, source: Source, sources: Sources) -> Judgement:
    """Without the recorded version Kage's own symbol hashes decide; constants without ``_`` in their name are noise."""
    if source.data is None:
        return Judgement(Verdict.MISSING, reason="the file is gone, and the recorded version was not found")
    anchors = [item for item in citation.anchors if item[1] != _KAGE_NOISE or "_" in item[0]]
    now = sources.outline(citation.path)
    if now is None or not anchors:
        return Judgement(Verdict.CHANGED, reason="recorded version not found")
    by_name: dict[str, list[str]] = {}
    for group in now.groups.values():
        for definition in group.definitions:
            lines = _whole_lines(now.data, definition.node.start_byte, definition.node.end_byte)
            by_name.setdefault(group.name.lower(), []).append(hashlib.sha256(lines).hexdigest())
    changed = [name for name, _kind, code in anchors if code not in by_name.get(name.lower(), [])]
    if changed:
        return Judgement(
            Verdict.CHANGED, symbol=", ".join(changed), reason=f"Kage's own hash of {', '.join(changed)} differs"
        )
    return Judgement(Verdict.FRESH, ("elsewhere",), baseline="Kage's own symbol hashes")


def _whole_lines(data: bytes, start: int, end: int) -> bytes:
    """The whole lines of a node, joined by a newline (Kage's format)."""
    first = data.rfind(b"\n", 0, start) + 1
    last = data.find(b"\n", end)
    return data[first : last if last >= 0 else len(data)].replace(b"\r\n", b"\n").rstrip(b"\r")


def _resolve_names(memory: Memory, sources: Sources) -> dict[int, tuple[str, ...]]:
    """For each Kage file citation the definitions that the memory's text names, each in exactly one of the cited files.

    What a name meant when it was verified counts; only one that meant nothing, or several things, is looked up as of now.
    Empty if no name resolves; else every file citation has an entry, and an empty one says that others are named.
    """
    files = [
        (index, citation)
        for index, citation in enumerate(memory.citations)
        if citation.names and citation.sha256 and not citation.symbol
    ]
    if all(_same_bytes(citation, sources) for _index, citation in files):
        return {}
    then: dict[str, Outline] = {}
    now: dict[str, Outline] = {}
    for citation in memory.citations:
        recorded = None if citation.path in then or _same_bytes(citation, sources) else sources.recorded(citation)
        for outlines, item in (
            (then, sources.recorded_outline(recorded) if recorded else sources.outline(citation.path)),
            (now, sources.outline(citation.path)),
        ):
            if item is not None:
                outlines.setdefault(citation.path, item)
    result: dict[str, dict[str, None]] = {}
    for name in dict.fromkeys(name for _index, citation in files for name in citation.names):
        for outlines in (then, now):
            found = [(path, group.path) for path, item in outlines.items() for group in item.match(name)]
            if len(found) == 1:
                result.setdefault(found[0][0], {})[found[0][1]] = None
                break
    return {index: tuple(result.get(citation.path, ())) for index, citation in files} if result else {}


def _same_bytes(citation: Citation, sources: Sources) -> bool:
    source = sources.read(citation.path)
    return source.data is not None and hashlib.sha256(source.data).hexdigest() == citation.sha256


def texts(citation: Citation, sources: Sources) -> tuple[str | None, str | None]:
    """The cited text at the verification and now, each ``None`` if it is not known or not there."""
    recorded = sources.recorded(citation)
    old = sources.recorded_outline(recorded) if recorded and citation.symbol else None
    source = sources.read(citation.path)
    now = sources.outline(citation.path) if citation.symbol else None
    return (
        _text(citation.symbol, old, recorded.data if recorded else None),
        _text(citation.symbol, now, source.data),
    )


def _text(symbol: str, item: Outline | None, data: bytes | None) -> str | None:
    if not symbol:
        return data.decode("utf-8", "replace") if data is not None else None
    group = item.find(symbol) if item is not None else None
    if item is None or group is None:
        return None
    pieces = []
    for span in own_spans(item, group):
        start = item.data.rfind(b"\n", 0, span.start) + 1
        indent = item.data[start : span.start]
        pieces.append((indent if not indent.strip() else b"") + item.data[span.start : span.end])
    return b"\n".join(pieces).decode("utf-8", "replace")
