"""Which commit first changed cited code since it was verified. Off the hot path: it reads up to 200 versions of a file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memory_lsp.core.model import Citation, Judgement, Memory, Verdict
from memory_lsp.workspace.git import MAX_COMMITS, Git, Version
from memory_lsp.workspace.judging import by_names
from memory_lsp.workspace.snapshot import Snapshot
from memory_lsp.workspace.sources import View

_DIFFERS = frozenset({Verdict.CHANGED, Verdict.MISSING, Verdict.AMBIGUOUS})


@dataclass(frozen=True, slots=True)
class Since:
    """The first change: commit id, time (ISO 8601), author and subject; an empty ``commit`` is a change that is not committed."""

    commit: str = ""
    at: str = ""
    author: str = ""
    subject: str = ""


class _Past(View):
    """A view in which nothing is searched for: an old version is judged at its address alone."""

    def changed_since(self, citation: Citation) -> Iterable[str]:
        return ()

    def elsewhere(self, citation: Citation) -> Iterable[str]:
        return ()


def first_change(snapshot: Snapshot, memory: Memory, index: int, judgement: Judgement) -> Since | None:
    """Since when a citation is not what was verified; ``None`` if it still is, or if git does not know."""
    view = snapshot.sources
    if judgement.verdict not in _DIFFERS or not isinstance(view, View) or view.world.git is None:
        return None
    git = view.world.git
    citation = memory.citations[index]
    versions = git.history(citation.path)
    if not versions:
        return None
    blob = view.world.recorded_blob(citation)
    since = next((number for number, version in enumerate(versions) if blob and version.blob == blob), None)
    found: Version | None = None
    if since is not None:
        # Oldest first: the first one that differs.
        found = next(
            (version for version in reversed(versions[:since]) if _differs(memory, index, version, view, git)), None
        )
    else:
        # It is not known where to start: go back until the code is as verified.
        for version in versions:
            if not _differs(memory, index, version, view, git):
                break
            found = version
        else:
            if git.shallow or len(versions) >= MAX_COMMITS:
                return None
    return Since(found.commit, found.at, found.author, found.subject) if found else Since()


def _differs(memory: Memory, index: int, version: Version, view: View, git: Git) -> bool:
    from memory_lsp.core.judge import judge, judge_memory

    citation = memory.citations[index]
    past = _Past(view.world, instead={citation.path: git.blob(version.blob) if version.blob else None})
    found = judge_memory(memory, past)[index] if by_names(memory) else judge(citation, past, memory.prose)
    return found.verdict in _DIFFERS
