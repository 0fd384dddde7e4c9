"""Holding verdicts against independent witnesses: Python's own ``ast`` for changes, git's rename detection for moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from memory_lsp.cli.python_ast import Module, read_module
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Judgement, Verdict
from memory_lsp.workspace.replay import Outcome
from memory_lsp.workspace.revisions import Revisions

SAME, DIFFERS, GONE, DIRECTIVE, UNKNOWN = "same", "differs", "gone", "directive", ""
"""What the witness says of a citation: as it was, something else, not there any more, only a directive moved, or nothing."""

_QUIET = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.MOVED})
_LOUD = frozenset({Verdict.CHANGED, Verdict.MISSING, Verdict.AMBIGUOUS})

_module = lru_cache(maxsize=256)(read_module)


def hold_against_ast(outcomes: Iterable[Outcome], sources: Revisions) -> dict[str, Any] | None:
    """How many verdicts ``ast`` contradicts, with each case; ``None`` if nothing Python was judged.

    ``directives``: how many are left out because a directive comment is all that moved. ``unfollowed``: missing definitions
    that stand elsewhere under the same or another name since the second revision (``tokens``: their size).
    """
    checked = directives = 0
    cases: list[dict[str, Any]] = []
    unfollowed: list[dict[str, Any]] = []
    elsewhere: _Elsewhere | None = None
    python = False
    for outcome in outcomes:
        python = python or any(language_of(citation.path) == "python" for citation in outcome.unit.citations)
        said = _witnessed(outcome, sources)
        directives += DIRECTIVE in said
        if (
            UNKNOWN in said
            or DIRECTIVE in said
            or not (said and (outcome.verdict in _QUIET or outcome.verdict in _LOUD))
        ):
            continue
        checked += 1
        loud = outcome.verdict in _LOUD
        wanted = any(word != SAME for word in said)
        if loud != wanted:
            cases.append(_case(outcome, "miss" if wanted else "false alarm", said))
        for citation, judgement in zip(outcome.unit.citations, outcome.judgements, strict=True):
            if judgement.verdict is Verdict.MISSING and citation.symbol:
                elsewhere = elsewhere or _Elsewhere(sources)
                found = elsewhere.find(citation, sources)
                if found:
                    tokens = citation.fingerprint.tokens if citation.fingerprint else 0
                    unfollowed.append({"id": outcome.unit.id, "at": found, "tokens": tokens})
    if not python:
        return None
    return {
        "false_alarms": sum(case["kind"] == "false alarm" for case in cases),
        "misses": sum(case["kind"] == "miss" for case in cases),
        "checked": checked,
        "directives": directives,
        "cases": cases,
        "unfollowed": unfollowed,
    }


def _case(outcome: Outcome, kind: str, said: Sequence[str]) -> dict[str, Any]:
    return {
        "id": outcome.unit.id,
        "kind": kind,
        "verdict": outcome.verdict.value,
        "parts": sorted({part for judgement in outcome.judgements for part in judgement.parts}),
        "to": [judgement.to for judgement in outcome.judgements if judgement.to],
        "ast": list(said),
    }


def _witnessed(outcome: Outcome, sources: Revisions) -> list[str]:
    named = _named(outcome, sources)
    return [
        _moved(citation, judgement, sources, _said(citation, named.get(index), sources))
        for index, (citation, judgement) in enumerate(zip(outcome.unit.citations, outcome.judgements, strict=True))
    ]


def _said(citation: Citation, named: Sequence[str] | None, sources: Revisions) -> str:
    """What ``ast`` says of one citation; ``named``: the symbols that stand for a file, ``None`` if the file does."""
    recorded = sources.recorded(citation)
    if language_of(citation.path) != "python" or recorded is None or citation.excerpt or citation.lines:
        return UNKNOWN
    data = sources.read(citation.path).data
    then, now = _module(recorded.data), _module(data) if data is not None else None
    if then is None or (data is not None and now is None):
        return UNKNOWN
    if now is None:
        return GONE
    symbols = [citation.symbol] if named is None else [symbol for symbol in named if symbol in then.definitions]
    if named and not symbols:
        return DIFFERS
    if any(symbol and symbol not in then.definitions for symbol in symbols):
        return UNKNOWN
    words = [_compared(then, now, symbol) for symbol in symbols]
    return next((word for word in (GONE, DIFFERS, DIRECTIVE) if word in words), SAME)


def _compared(then: Module, now: Module, symbol: str) -> str:
    if symbol and symbol not in now.definitions:
        return GONE
    if then.meaning(symbol) != now.meaning(symbol):
        return DIFFERS
    return SAME if then.directives(symbol) == now.directives(symbol) else DIRECTIVE


def _moved(citation: Citation, judgement: Judgement, sources: Revisions, said: str) -> str:
    """A move is right if the definition is gone here and stands unchanged there."""
    if judgement.verdict is not Verdict.MOVED or said is not GONE:
        return said
    path, _, symbol = judgement.to.partition("#")
    recorded, data = sources.recorded(citation), sources.read(path).data
    then, now = (_module(text) if text is not None else None for text in (recorded and recorded.data, data))
    source = citation.symbol or judgement.symbol.partition(",")[0]
    if then is None or now is None or (symbol and symbol not in now.definitions):
        return UNKNOWN
    if source and source not in then.definitions:
        return UNKNOWN
    return SAME if then.meaning(source, nameless=True) == now.meaning(symbol, nameless=True) else DIFFERS


def _named(outcome: Outcome, sources: Revisions) -> Mapping[int, Sequence[str]]:
    """For a Kage packet, by citation: the definitions that its text names, each in exactly one of its files, then or else now."""
    files: list[tuple[int, Module, Module | None]] = []
    for index, citation in enumerate(outcome.unit.citations):
        recorded = sources.recorded(citation)
        if not citation.names or citation.symbol or recorded is None or language_of(citation.path) != "python":
            continue
        data = sources.read(citation.path).data
        then = _module(recorded.data)
        if then is not None:
            files.append((index, then, _module(data) if data is not None else None))
    found: dict[int, dict[str, None]] = {}
    for name in dict.fromkeys(name for citation in outcome.unit.citations for name in citation.names):
        then_or_now = (
            [(index, path) for index, *modules in files if (module := modules[age]) for path in module.find(name)]
            for age in (0, 1)
        )
        place = next((places[0] for places in then_or_now if len(places) == 1), None)
        if place is not None:
            found.setdefault(place[0], {})[place[1]] = None
    return {index: tuple(found.get(index, ())) for index, _then, _now in files} if found else {}


class _Elsewhere:
    """Definitions of Python files that changed, by their meaning without names: where a missing one may stand now."""

    def __init__(self, sources: Revisions) -> None:
        self._places: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
        for path in sources.changed_since(Citation("any.py")):
            data = sources.read(path).data
            module = _module(data) if data is not None else None
            old = sources.before(path, Citation(path))
            before = _module(old) if old is not None else None
            for symbol in module.definitions if module else ():
                if module is not None and (before is None or symbol not in before.definitions):
                    self._places.setdefault(_shape(module, symbol), []).append(f"{path}#{symbol}")

    def find(self, citation: Citation, sources: Revisions) -> list[str]:
        """Where an equal definition stands that was not there before."""
        recorded = sources.recorded(citation)
        then = _module(recorded.data) if recorded is not None else None
        if then is None or citation.symbol not in then.definitions:
            return []
        return self._places.get(_shape(then, citation.symbol), [])


def _shape(module: Module, symbol: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return module.meaning(symbol, nameless=True), module.directives(symbol)


def hold_against_git(outcomes: Iterable[Outcome], sources: Revisions) -> dict[str, Any]:
    """Citations whose file git takes for renamed: ``followed`` there, to ``another`` file, ``changed`` or gone there, or
    ``unfollowed`` though an equal definition stands there under the same symbol path."""
    renames = sources.git.renames(*sources.commits)
    counts = dict.fromkeys(("files", "citations", "followed", "another", "changed", "unfollowed"), 0)
    counts["files"] = len(renames)
    cases = []
    for outcome in outcomes:
        for citation, judgement in zip(outcome.unit.citations, outcome.judgements, strict=True):
            target = renames.get(citation.path)
            if target is None or judgement.verdict not in (Verdict.MOVED, Verdict.MISSING, Verdict.AMBIGUOUS):
                continue
            counts["citations"] += 1
            if judgement.verdict is Verdict.MOVED:
                word = "followed" if judgement.to.partition("#")[0] == target else "another"
            else:
                word = "unfollowed" if _equal_at(citation, target, sources) else "changed"
            counts[word] += 1
            if word in ("another", "unfollowed"):
                cases.append({"id": outcome.unit.id, "kind": word, "git": target, "to": judgement.to or None})
    return {**counts, "cases": cases}


def _equal_at(citation: Citation, path: str, sources: Revisions) -> bool:
    """Whether the cited text stands in another file, byte for byte or with the same fingerprint."""
    from memory_lsp.core.fingerprint import fingerprint, moved_parts

    then, now = citation.fingerprint, sources.outline(path)
    if then is None or now is None or not citation.symbol:
        return False
    there = fingerprint(now, citation.symbol)
    return there is not None and not set(moved_parts(then, there)) - {"documentation"}
