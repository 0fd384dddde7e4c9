"""What judging may read of one root: open buffers over the disk, and git for what was (``core.sources.Sources``).

One ``World`` lives as long as a project and holds the caches; ``View`` is what one snapshot sees of it. Outlines of open
documents are kept; of other files and of recorded versions only the last few are, so memory does not grow with the store.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from pathlib import Path

from memory_lsp.core.languages import LANGUAGES, language_of
from memory_lsp.core.model import Citation
from memory_lsp.core.outline import Outline, outline
from memory_lsp.core.sources import MAX_SOURCE_BYTES, Recorded, Source
from memory_lsp.core.text import blob_id
from memory_lsp.workspace.files import Files
from memory_lsp.workspace.git import Git, Version
from memory_lsp.workspace.snapshot import EMPTY, OpenDocument

MAX_CANDIDATES = 2_000
"""Files that a search for a moved definition looks at."""
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
        self._sources: OrderedDict[str, Source] = OrderedDict()
        self._held = 0
        self._tracked: tuple[str, ...] | None = None

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
            source = self._sources.pop(path, None)
            self._held -= len(source.data or b"") if source else 0
        if self.git is not None:
            self.git.forget_changes()
        self._tracked = None

    def forget_all_files(self) -> None:
        """Anything may have changed on disk."""
        self._sources.clear()
        self._held = 0
        self.forget_files(())

    def read(self, path: str) -> Source:
        """The file on disk; the last few are kept, since several memories often cite one file."""
        source = self._sources.get(path)
        if source is None:
            source = self.files.read(path)
            self._sources[path] = source
            self._held += len(source.data or b"")
            while self._held > _KEPT_BYTES or len(self._sources) > 2_000:
                _, dropped = self._sources.popitem(last=False)
                self._held -= len(dropped.data or b"")
        return source

    def outline(self, path: str, data: bytes) -> Outline | None:
        """The outline of ``data`` as a file at ``path``, cached by content."""
        language = language_of(path)
        if language not in LANGUAGES or language is None or len(data) > MAX_SOURCE_BYTES:
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

    def changed_since(self, citation: Citation) -> tuple[str, ...]:
        """Files on disk that were added or changed since the verification, as far as git knows."""
        if self.git is None:
            return ()
        blob = self.recorded_blob(citation)
        return self.git.changed_since(self.git.last_commit_with(citation.path, blob) if blob else "")

    def tracked(self) -> tuple[str, ...]:
        """All files of the root."""
        if self._tracked is None:
            listed = self.git.tracked() if self.git is not None else ()
            self._tracked = listed or tuple(self.files.all(MAX_FILES))
        return self._tracked


class View:
    """What one snapshot sees: its open documents over the world's files."""

    def __init__(
        self, world: World, documents: Mapping[str, OpenDocument] = EMPTY, instead: Mapping[str, bytes | None] = EMPTY
    ) -> None:
        self.world = world
        self._documents = documents
        self._instead = instead
        self._buffers: dict[str, Source] = {}
        self._outlines: dict[str, Outline | None] = {}

    @property
    def documents(self) -> Mapping[str, OpenDocument]:
        """The open documents of this view."""
        return self._documents

    def with_file(self, path: str, data: bytes | None) -> View:
        """The same view with one file's content replaced (``None``: absent)."""
        return View(self.world, self._documents, {**self._instead, path: data})

    def without_document(self, path: str) -> View:
        """The same view with one file as it is saved."""
        return View(self.world, {key: value for key, value in self._documents.items() if key != path}, self._instead)

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
        found = [
            path for path in (*self._documents, *self.world.changed_since(citation)) if language_of(path) == language
        ]
        if self.world.git is None:
            found += self.tracked(language) if language else ()
        return tuple(dict.fromkeys(found))[:MAX_CANDIDATES]

    def tracked(self, language: str | None) -> Iterable[str]:
        return [path for path in self.world.tracked() if language_of(path) == language][:MAX_CANDIDATES]

    def paths(self) -> Iterable[str]:
        return dict.fromkeys((*self._documents, *self.world.tracked()))

    def before(self, path: str, citation: Citation) -> bytes | None:
        git = self.world.git
        if git is None:
            return None
        commit = git.last_commit_with(citation.path, self.world.recorded_blob(citation))
        return git.file(commit, path) if commit else None


def _is(data: bytes, citation: Citation) -> bool:
    return (citation.size is None or citation.size == len(data)) and hashlib.sha256(data).hexdigest() == citation.sha256


def _named(versions: tuple[Version, ...], blob: str) -> str:
    commit = next((version.commit for version in versions if version.blob == blob), "")
    return f"commit {commit[:9]}" if commit else f"blob {blob[:7]}"
