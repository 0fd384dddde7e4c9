"""Judging one version of some files against another: what ``compare`` and ``bench`` do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from memory_lsp.core.fingerprint import fingerprint, fingerprint_file
from memory_lsp.core.judge import judge, texts
from memory_lsp.core.languages import LANGUAGES, language_of
from memory_lsp.core.model import Citation, Fingerprint, Judgement, Verdict
from memory_lsp.core.outline import Outline, outline
from memory_lsp.core.sources import Recorded, Source, too_large


class PairSources:
    """Two sets of files, before and after, as sources: what ``compare`` and ``bench`` judge."""

    def __init__(self, before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
        self._before = before
        self._after = after
        self._outlines: dict[tuple[str, bytes], Outline | None] = {}

    def read(self, path: str) -> Source:
        """The file after."""
        data = self._after.get(path)
        return Source(path, data, "" if data is not None else "missing")

    def outline(self, path: str) -> Outline | None:
        """The outline of the file after."""
        return self._outline(path, self._after.get(path))

    def recorded(self, citation: Citation) -> Recorded | None:
        """The file before."""
        data = self._before.get(citation.path)
        return Recorded(citation.path, data, "before") if data is not None else None

    def recorded_outline(self, recorded: Recorded) -> Outline | None:
        """The outline of a file before."""
        return self._outline(recorded.path, recorded.data)

    def head(self, path: str) -> bytes | None:
        """There is no repository."""
        return None

    def changed_since(self, citation: Citation) -> Iterable[str]:
        """All files after."""
        return list(self._after)

    def elsewhere(self, citation: Citation) -> Iterable[str]:
        """All files after were looked at already."""
        return ()

    def tracked(self, language: str) -> Iterable[str]:
        """All files after were looked at already."""
        return ()

    def paths(self) -> Iterable[str]:
        """All files after."""
        return list(self._after)

    def before(self, path: str, citation: Citation) -> bytes | None:
        """A file before."""
        return self._before.get(path)

    def _outline(self, path: str, data: bytes | None) -> Outline | None:
        language = language_of(path)
        if data is None or language not in LANGUAGES or too_large(data):
            return None
        key = (path, data)
        if key not in self._outlines:
            self._outlines[key] = outline(language, data)
        return self._outlines[key]


def compare(before: Mapping[str, bytes], after: Mapping[str, bytes], path: str, symbol: str) -> Judgement:
    """The verdict on ``path#symbol`` verified on ``before``, with the files now as in ``after``."""
    sources = PairSources(before, after)
    data = before.get(path)
    if data is None:
        return Judgement(Verdict.UNCHECKED, reason=f"{path} is not among the files before")
    old = sources.recorded_outline(Recorded(path, data, "before"))
    if not symbol:
        then: Fingerprint | None = fingerprint_file(language_of(path), data, old)
    else:
        then = fingerprint(old, symbol) if old is not None else None
    if then is None:
        return Judgement(Verdict.UNCHECKED, symbol=symbol, reason=f"{symbol} is not in {path} before")
    group = old.find(symbol) if old is not None and symbol else None
    citation = Citation(path, group.path if group is not None else symbol, fingerprint=then)
    result = judge(citation, sources)
    if result.verdict in (Verdict.CHANGED, Verdict.COSMETIC, Verdict.MISSING):
        then_text, now_text = texts(citation, sources)
        return replace(result, then=then_text, now=now_text)
    return result
