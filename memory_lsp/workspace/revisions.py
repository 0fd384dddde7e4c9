"""Two revisions of a repository as sources: what was verified at one is judged at the other (``core.sources.Sources``).

Nothing is checked out: the files of both come from git's objects, through the one ``git cat-file`` process of ``Git``.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from memory_lsp.core.languages import LANGUAGES, language_of
from memory_lsp.core.model import Citation
from memory_lsp.core.outline import Outline, outline
from memory_lsp.core.sources import Recorded, Source, too_large
from memory_lsp.workspace.git import Git

_KEPT_OUTLINES = 64


class Revisions:
    """The files of two commits: ``before`` is what was verified, ``after`` what is judged. Links are not followed.

    ``history`` names files whose recorded version may be older than ``before`` (a Kage packet keeps a hash of it).
    """

    def __init__(self, git: Git, before: str, after: str, history: Iterable[str] = ()) -> None:
        self.git = git
        self.commits = before, after
        self.then: Mapping[str, str] = git.tree(before)
        self.now: Mapping[str, str] = git.tree(after)
        self._changed = tuple(path for path, blob in self.now.items() if self.then.get(path) != blob)
        self._older = git.versions(before, history)
        self._found: dict[tuple[str, str], str] = {}
        self._outlines: OrderedDict[tuple[str, str], Outline | None] = OrderedDict()

    def read(self, path: str) -> Source:
        """The file in ``after``."""
        data = self.content(self.now.get(path, ""))
        return Source(
            path, data, "" if data is not None else "unreadable: no such object" if path in self.now else "missing"
        )

    def outline(self, path: str) -> Outline | None:
        """The outline of the file in ``after``."""
        return self._outline(path, self.now.get(path, ""))

    def recorded(self, citation: Citation) -> Recorded | None:
        """The cited file as a Kage packet recorded it, where git still has that version; else the file in ``before``."""
        older = self._recorded_blob(citation)
        blob = older or self.then.get(citation.path, "")
        data = self.content(blob)
        if data is None:
            return None
        return Recorded(citation.path, data, f"blob {blob[:7]}" if older else f"commit {self.commits[0][:9]}")

    def recorded_outline(self, recorded: Recorded) -> Outline | None:
        """The outline of a recorded version."""
        blob = self.then.get(recorded.path, "")
        if self.content(blob) == recorded.data:
            return self._outline(recorded.path, blob)
        return _parsed(recorded.path, recorded.data)

    def head(self, path: str) -> bytes | None:
        """There is no working tree whose text could be broken: nothing stands in for a file."""
        return None

    def changed_since(self, citation: Citation) -> Iterable[str]:
        """Files of the citation's language that were added or changed between the two commits."""
        language = language_of(citation.path)
        return [path for path in self._changed if language_of(path) == language]

    def elsewhere(self, citation: Citation) -> Iterable[str]:
        """None more: what stands in an unchanged file was there already."""
        return ()

    def tracked(self, language: str) -> Iterable[str]:
        """None more: what stands in an unchanged file was there already."""
        return ()

    def paths(self) -> Iterable[str]:
        """All files in ``after``."""
        return self.now

    def before(self, path: str, citation: Citation) -> bytes | None:
        """Another file in ``before``."""
        return self.content(self.then.get(path, ""))

    def content(self, blob: str) -> bytes | None:
        """The content of a blob by its object id; ``None`` for an empty id."""
        return self.git.blob(blob) if blob else None

    def outline_before(self, path: str) -> Outline | None:
        """The outline of the file in ``before``."""
        return self._outline(path, self.then.get(path, ""))

    def recorded_is_known(self, citation: Citation) -> bool:
        """Whether git has the version of the file that a Kage packet recorded."""
        return not citation.symbol and bool(self._recorded_blob(citation))

    @staticmethod
    def sha256(data: bytes) -> str:
        """What a Kage packet records of a file."""
        return hashlib.sha256(data).hexdigest()

    def _recorded_blob(self, citation: Citation) -> str:
        if not citation.sha256:
            return ""
        key = citation.path, citation.sha256
        if key not in self._found:
            candidates = dict.fromkeys([self.then.get(citation.path, ""), *self._older.get(citation.path, ())])
            sizes = self.git.sizes(candidates) if citation.size is not None else {}
            self._found[key] = next(
                (
                    blob
                    for blob in candidates
                    if blob
                    and (citation.size is None or sizes.get(blob) == citation.size)
                    and self.sha256(self.content(blob) or b"") == citation.sha256
                ),
                "",
            )
        return self._found[key]

    def _outline(self, path: str, blob: str) -> Outline | None:
        key = language_of(path) or "", blob
        if not blob or key[0] not in LANGUAGES:
            return None
        if key not in self._outlines:
            data = self.content(blob)
            self._outlines[key] = _parsed(path, data) if data is not None else None
            if len(self._outlines) > _KEPT_OUTLINES:
                self._outlines.popitem(last=False)
        self._outlines.move_to_end(key)
        return self._outlines[key]


def _parsed(path: str, data: bytes) -> Outline | None:
    language = language_of(path)
    if language is None or language not in LANGUAGES or too_large(data):
        return None
    return outline(language, data)
