"""What judging may read of one root: open buffers over the disk, and git for what was (``core.sources.Sources``).

One ``World`` lives as long as a project and holds the caches; ``View`` is what one snapshot sees of it. Outlines of open
documents are kept; of other files and of recorded versions only the last few are, so memory does not grow with the store.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path

from memory_lsp.core.languages import LANGUAGES, language_of
from memory_lsp.core.model import Citation
from memory_lsp.core.outline import Outline, outline
from memory_lsp.core.sources import Recorded, Source, too_large
from memory_lsp.core.text import blob_id
from memory_lsp.core.trust import moment
from memory_lsp.workspace.files import Files, Stamp
from memory_lsp.workspace.git import Git, Version
from memory_lsp.workspace.search import holds, telling_words
from memory_lsp.workspace.snapshot import EMPTY, OpenDocument

MAX_CANDIDATES = 500
"""Files that a search for one moved definition parses."""
MAX_FILES = 20_000
"""Files of a root without git."""
_KEPT_OUTLINES = 48
_KEPT_BYTES = 8_000_000


class World:
    """Disk, git and caches of one root."""

    def __init__(self, root: Path) -> None:
        self.files = Files.of(root)
        self.git = Git.find(root)
        self._outlines: OrderedDict[tuple[str, bytes], Outline] = OrderedDict()
        self._recorded: dict[tuple[str, str, str], tuple[str, str]] = {}
        self._sources: OrderedDict[str, tuple[Stamp, Source]] = OrderedDict()
        self._held = 0
        self._tracked: tuple[str, ...] | None = None
        self._words: dict[tuple[str, str, str, str], tuple[bytes, ...]] = {}
        self._verified: dict[tuple[str, str, str, str], str] = {}
        self._twins: dict[tuple[str, str], tuple[str, ...]] = {}

    def close(self) -> None:
        """End what runs for this root."""
        if self.git is not None:
            self.git.close()

    def forget_head(self) -> None:
        """HEAD moved: drop what was derived from history."""
        if self.git is not None:
            self.git.forget()
        self._recorded = {key: found for key, found in self._recorded.items() if found[0]}
        self._tracked = None

    def forget_files(self, paths: Iterable[str]) -> None:
        """These files changed on disk."""
        for path in paths:
            known = self._sources.pop(path, None)
            self._held -= len(known[1].data or b"") if known else 0
        if self.git is not None:
            self.git.forget_changes()
        self._tracked = None

    def read(self, path: str) -> Source:
        """The file on disk; the last few are kept, since several memories often cite one file.

        A kept file that is away just now stands until it is forgotten: an editor may be saving it.
        """
        stamp = self.files.stamp(path)
        known = self._sources.get(path)
        if known is not None and (stamp == known[0] or stamp is None):
            return known[1]
        source = self.files.read(path)
        self._held += len(source.data or b"") - (len(known[1].data or b"") if known else 0)
        self._sources[path] = (stamp, source)
        while self._held > _KEPT_BYTES or len(self._sources) > 2_000:
            _, (_, dropped) = self._sources.popitem(last=False)
            self._held -= len(dropped.data or b"")
        return source

    def outline(self, path: str, data: bytes) -> Outline | None:
        """The outline of ``data`` as a file at ``path``, cached by content."""
        language = language_of(path)
        if language not in LANGUAGES or language is None or too_large(data):
            return None
        key = (language, data)
        found = self._outlines.get(key)
        if found is None:
            found = self._outlines[key] = outline(language, data)
            if len(self._outlines) > _KEPT_OUTLINES:
                self._outlines.popitem(last=False)
        else:
            self._outlines.move_to_end(key)
        return found

    def recorded(self, citation: Citation) -> Recorded | None:
        """The cited file as it was verified, from git: by blob, else by SHA-256."""
        if self.git is None or not (citation.blob or citation.sha256):
            return None
        key = (citation.path, citation.blob, citation.sha256)
        if key not in self._recorded:
            self._recorded[key] = self._find(self.git, citation)
        blob, baseline = self._recorded[key]
        data = self.git.blob(blob)
        return None if data is None else Recorded(citation.path, data, baseline)

    def load_histories(self, citations: Iterable[Citation]) -> None:
        """Read in one pass the histories that will tell the recorded versions of files that are not as they were recorded."""
        if self.git is None:
            return
        paths = dict.fromkeys(
            citation.path
            for citation in citations
            if citation.sha256
            and not citation.blob
            and not _is(self.read(citation.path).data or b"", citation)
            and not _is(self.git.file("HEAD", citation.path) or b"", citation)
        )
        self.git.load_histories(paths)

    def recorded_blob(self, citation: Citation) -> str:
        """The object id of the cited file as it was verified, else empty."""
        if citation.blob:
            return citation.blob
        self.recorded(citation)
        return self._recorded.get((citation.path, "", citation.sha256), ("", ""))[0]

    def _find(self, git: Git, citation: Citation) -> tuple[str, str]:
        """``(object id, how it was found)`` of the recorded version, empty if git does not have it."""
        if citation.blob and citation.blob in git.sizes([citation.blob]):
            return citation.blob, f"blob {citation.blob[:7]}"
        if not citation.sha256:
            return "", ""
        data = git.file("HEAD", citation.path)
        if data is not None and _is(data, citation):
            return blob_id(data), "HEAD"
        versions = git.history(citation.path)
        blobs = dict.fromkeys(blob for version in versions for blob in (version.blob, version.before) if blob)
        sizes = git.sizes(blobs) if citation.size is not None else {}
        for blob in blobs:
            if citation.size is None or sizes.get(blob) == citation.size:
                data = git.blob(blob)
                if data is not None and _is(data, citation):
                    return blob, _named(versions, blob)
        return "", ""

    def verified(self, citation: Citation, at: str) -> None:
        """Remember when a citation was verified (ISO 8601)."""
        self._verified[_key(citation)] = at

    def commit_of(self, citation: Citation) -> str:
        """The commit at which a citation was verified, else empty."""
        blob = self.recorded_blob(citation)
        if self.git is None or not blob:
            return ""
        return self.git.commit_with(citation.path, blob, moment(self._verified.get(_key(citation), "")))

    def changed_since(self, citation: Citation) -> tuple[str, ...]:
        """Files on disk that were added or changed since the verification, as far as git knows."""
        return self.git.changed_since(self.commit_of(citation)) if self.git is not None else ()

    def found(self, citation: Citation, twins: Iterable[str]) -> None:
        """Remember where a citation's definition was found (``path#symbol``): the next search looks there first."""
        paths = tuple(dict.fromkeys(twin.partition("#")[0] for twin in twins if twin))
        if paths:
            self._twins[citation.path, citation.symbol] = paths
        else:
            self._twins.pop((citation.path, citation.symbol), None)

    def found_in(self, citation: Citation) -> tuple[str, ...]:
        """The files in which a citation's definition was found last."""
        return self._twins.get((citation.path, citation.symbol), ())

    def words(self, citation: Citation) -> tuple[bytes, ...]:
        """What a file must hold to hold the citation's definition; nothing if the verified version is not known."""
        key = _key(citation)
        if key not in self._words:
            recorded = self.recorded(citation) if citation.symbol else None
            outline = self.outline(citation.path, recorded.data) if recorded else None
            self._words[key] = () if citation.excerpt else telling_words(outline, citation.symbol)
        return self._words[key]

    def tracked(self) -> tuple[str, ...]:
        """All files of the root."""
        if self._tracked is None:
            listed = self.git.tracked() if self.git is not None else ()
            self._tracked = listed or tuple(self.files.all(MAX_FILES))
        return self._tracked


class View:
    """What one snapshot sees: its open documents over the world's files."""

    def __init__(
        self,
        world: World,
        documents: Mapping[str, OpenDocument] = EMPTY,
        instead: Mapping[str, bytes | None] = EMPTY,
        scope: frozenset[str] | None = None,
    ) -> None:
        self.world = world
        self._documents = documents
        self._instead = instead
        self._scope = scope
        self._buffers: dict[str, Source] = {}
        self._outlines: dict[str, Outline | None] = {}

    @property
    def documents(self) -> Mapping[str, OpenDocument]:
        """The open documents of this view."""
        return self._documents

    def within(self, paths: Iterable[str]) -> View:
        """The same view, in which a moved definition is searched for in these files, in open ones and where it was found last.

        An edit cannot make it turn up anywhere else; the caches are shared.
        """
        view = View(self.world, self._documents, self._instead, frozenset(paths))
        view._buffers, view._outlines = self._buffers, self._outlines
        return view

    def with_file(self, path: str, data: bytes | None) -> View:
        """The same view with one file's content replaced (``None``: absent)."""
        return View(self.world, self._documents, {**self._instead, path: data}, self._scope)

    def without_document(self, path: str) -> View:
        """The same view with one file as it is saved."""
        documents = {key: value for key, value in self._documents.items() if key != path}
        return View(self.world, documents, self._instead, self._scope)

    def next(self, documents: Mapping[str, OpenDocument], changed: Iterable[str]) -> View:
        """The view of the next snapshot; outlines of documents that did not change are kept."""
        view = View(self.world, documents)
        dropped = set(changed)
        for path, known in self._outlines.items():
            if path in documents and path not in dropped:
                view._outlines[path] = known
        return view

    def read(self, path: str) -> Source:
        if path in self._instead:
            data = self._instead[path]
            return Source(path, data, "" if data is not None else "missing")
        document = self._documents.get(path)
        if document is None:
            return self.world.read(path)
        source = self._buffers.get(path)
        if source is None:
            source = self._buffers[path] = Source(path, document.text.encode("utf-8", "surrogatepass"))
        return source

    def outline(self, path: str) -> Outline | None:
        if path in self._outlines:
            return self._outlines[path]
        data = self.read(path).data
        found = None if data is None else self.world.outline(path, data)
        if path in self._documents or path in self._instead:
            self._outlines[path] = found
        return found

    def recorded(self, citation: Citation) -> Recorded | None:
        return self.world.recorded(citation)

    def recorded_outline(self, recorded: Recorded) -> Outline | None:
        return self.world.outline(recorded.path, recorded.data)

    def head(self, path: str) -> bytes | None:
        return self.world.git.file("HEAD", path) if self.world.git is not None else None

    def changed_since(self, citation: Citation) -> Iterable[str]:
        language = language_of(citation.path)
        known = self.world.found_in(citation)
        changed = self.world.changed_since(citation) if self._scope is None else sorted(self._scope)
        paths = [path for path in dict.fromkeys((*known, *self._documents, *changed)) if language_of(path) == language]
        return self._likely(citation, paths)

    def elsewhere(self, citation: Citation) -> Iterable[str]:
        if self._scope is not None or self.world.commit_of(citation):
            return ()
        language = language_of(citation.path)
        return self._likely(citation, self.tracked(language)) if language else ()

    def may_hold(self, path: str, citation: Citation) -> bool:
        """Whether a citation's definition may stand in a file now, or was found there last."""
        if language_of(path) != language_of(citation.path):
            return False
        if path in self.world.found_in(citation):
            return True
        return holds(self.read(path).data, self.world.words(citation))

    def _likely(self, citation: Citation, paths: Iterable[str]) -> Iterable[str]:
        words = self.world.words(citation)
        likely = (path for path in paths if not words or holds(self.read(path).data, words))
        return itertools.islice(likely, MAX_CANDIDATES)

    def tracked(self, language: str | None) -> Iterable[str]:
        return [path for path in self.world.tracked() if language_of(path) == language][:MAX_FILES]

    def paths(self) -> Iterable[str]:
        return dict.fromkeys((*self._documents, *self.world.tracked()))

    def before(self, path: str, citation: Citation) -> bytes | None:
        git = self.world.git
        if git is None:
            return None
        commit = self.world.commit_of(citation)
        return git.file(commit, path) if commit else None


def _key(citation: Citation) -> tuple[str, str, str, str]:
    return citation.path, citation.symbol, citation.blob, citation.sha256


def _is(data: bytes, citation: Citation) -> bool:
    return (citation.size is None or citation.size == len(data)) and hashlib.sha256(data).hexdigest() == citation.sha256


def _named(versions: tuple[Version, ...], blob: str) -> str:
    commit = next((version.commit for version in versions if version.blob == blob), "")
    return f"commit {commit[:9]}" if commit else f"blob {blob[:7]}"
