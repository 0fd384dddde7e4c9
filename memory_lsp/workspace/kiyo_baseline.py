"""What a Kiyo record was verified on: a record has no hash, so its citations get their fingerprints from history.

The first that can be had (shared rules section 6): the file at ``git_revision`` if that came with this verification; the
file at the commit that last changed the record's ``last_verified``; the sidecar of an explicit verify; none. One bounded pass
over the history of the store answers for all of its records. Dates are never matched to commits.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.fingerprint import dump, fingerprint, fingerprint_file, load
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Memory, Span
from memory_lsp.core.outline import Outline
from memory_lsp.core.predicates import is_predicate
from memory_lsp.core.text import blob_id
from memory_lsp.dialects.kiyo_read import is_placeholder, plain, read_values, unknown
from memory_lsp.dialects.kiyo_source import Known, read_source
from memory_lsp.workspace.audit import FOLDER
from memory_lsp.workspace.files import MAX_RECORD_BYTES, refused
from memory_lsp.workspace.git import FolderChange
from memory_lsp.workspace.sources import World

ANCHORS = f"{FOLDER}/anchors"
_KEPT_FILES = 32
_DECIDING = (
    "source",
    "last_verified",
    "verification_status",
    "verification_scope",
    "git_revision",
    "repository_context",
    "statement",
)
"""The fields that decide what a record is compared with."""
_MOVES = 5
"""How often a store is followed to where it was before."""
NEVER = "it was never verified"
_REVISION = re.compile(r"(?<![0-9A-Za-z])[0-9a-f]{7,64}(?![0-9A-Za-z])")
_DIRTY = re.compile(r"\bdirty\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Sidecar:
    """What an explicit verify left beside the record: by citation text what was seen, and rules of a decision."""

    last_verified: str = ""
    statement: str = ""
    citations: Mapping[str, Citation] | None = None
    rules: tuple[str, ...] = ()


def sidecar_path(memory_id: str) -> str:
    """The file of a record's sidecar; ids with other characters than words have are spelled by their hash."""
    name = memory_id if re.fullmatch(r"[\w.-]+", memory_id) else hashlib.sha256(memory_id.encode()).hexdigest()[:32]
    return f"{ANCHORS}/{name}.json"


def statement_hash(memory: Memory) -> str:
    """SHA-256 of a statement's words."""
    return hashlib.sha256(" ".join(memory.statement.split()).encode()).hexdigest()


def sidecar_text(
    memory: Memory, last_verified: str, citations: tuple[Citation, ...], rules: tuple[str, ...] = ()
) -> str:
    """The sidecar of a verification: sorted keys, one citation a line, LF."""
    lines = []
    for citation in citations:
        seen = {
            "blob": citation.blob,
            "cite": citation.text,
            "fingerprint": dump(citation.fingerprint) if citation.fingerprint else "",
            "sha256": citation.sha256,
            "size": citation.size,
        }
        lines.append("    " + json.dumps(seen, sort_keys=True, ensure_ascii=False))
    cited = "[\n" + ",\n".join(lines) + "\n  ]" if lines else "[]"
    pairs = {
        "citations": cited,
        "id": json.dumps(memory.id, ensure_ascii=False),
        "last_verified": json.dumps(last_verified),
        "statement": json.dumps(statement_hash(memory)),
    }
    if rules:
        pairs["rules"] = json.dumps(list(rules), ensure_ascii=False)
    return "{\n" + ",\n".join(f'  "{key}": {pairs[key]}' for key in sorted(pairs)) + "\n}\n"


def read_sidecar(world: World, memory_id: str) -> Sidecar:
    """The sidecar of a record; an empty one if there is none or it cannot be read."""
    data = world.files.read(sidecar_path(memory_id), MAX_RECORD_BYTES).data
    try:
        value: Any = json.loads(data) if data is not None else {}
    except ValueError:
        return Sidecar()
    if not isinstance(value, dict) or value.get("id", memory_id) != memory_id:
        return Sidecar()
    cited = {}
    for item in value.get("citations") or ():
        if isinstance(item, dict) and isinstance(item.get("cite"), str):
            seen = load(str(item.get("fingerprint") or ""))
            size = item.get("size")
            cited[item["cite"]] = Citation(
                "",
                fingerprint=seen,
                blob=str(item.get("blob") or ""),
                sha256=str(item.get("sha256") or ""),
                size=size if isinstance(size, int) else None,
            )
    rules = tuple(rule for rule in value.get("rules") or () if isinstance(rule, str) and is_predicate(rule))
    return Sidecar(str(value.get("last_verified") or ""), str(value.get("statement") or ""), cited, rules)


_Pair = tuple[str, str]
"""``last_verified`` and ``git_revision`` of a record."""


@dataclass(frozen=True, slots=True)
class _Came:
    """The commit that gave a record's field its value; empty: not committed. ``lost``: history does not reach so far."""

    commit: str = ""
    lost: bool = False


class Baselines:
    """Reads records of the Kiyo stores of one root again with what history knows. ``forget`` when HEAD moved."""

    def __init__(self, world: World, folder: str, is_id: Callable[[str], bool] = lambda word: False) -> None:
        self._world = world
        self._folder = folder
        self._is_id = is_id
        self._fields: dict[str, Mapping[str, _Pair]] = {}
        self._committed: dict[str, Mapping[str, _Pair]] = {}
        self._resolved: dict[str, tuple[tuple[str, ...], int, tuple[Citation, ...]]] = {}
        self._moved: dict[str, Mapping[str, tuple[str, _Pair]]] = {}
        self._former: dict[str, Baselines] = {}
        self._files: dict[tuple[str, str], bytes | None] = {}
        self._hashed: tuple[bytes, str, str] = (b"", "", "")
        self._changes: dict[str, list[tuple[FolderChange, _Pair | None, _Pair | None]]] | None = None

    def forget(self) -> None:
        """HEAD moved, or a sidecar is another one."""
        self._resolved.clear()
        self._committed.clear()
        self._changes = None
        self._files.clear()
        self._moved.clear()
        self._former.clear()

    def resolved(self, memory: Memory) -> Memory:
        """The memory with its citations as the repository has them: symbols in full, fingerprints of what was verified."""
        key = (memory.path, *(memory.fields.get(name, "") for name in _DECIDING))
        begin = memory.spans["source"].start if "source" in memory.spans else 0
        kept = self._resolved.get(memory.id)
        if kept is not None and kept[0] == key:
            return replace(memory, citations=tuple(_shifted(item, begin - kept[1]) for item in kept[2]))
        sidecar = read_sidecar(self._world, memory.id)
        verified = plain(memory.fields.get("last_verified", ""))
        stored = plain(memory.fields.get("verification_status", "")).upper()
        revision, label, gap = "", "", ""
        if is_placeholder(memory.fields.get("verification_scope", "")):
            gap = "its evidence is still to be filled in"
        elif unknown(verified) or stored in ("UNVERIFIED", ""):
            gap = NEVER
        else:
            revision, label, gap = self._revision(memory, verified)
        usable = (
            not gap_is_final(gap) and sidecar.last_verified == verified and sidecar.statement == statement_hash(memory)
        )
        seen = sidecar.citations if usable and sidecar.citations else {}
        known = Known(
            lambda path: self._is_path(path, revision),
            lambda path, name: self._symbol(path, name, revision),
            self._is_id,
        )
        citations: tuple[Citation, ...] = ()
        former: tuple[Citation, ...] = ()
        if "source" in memory.spans:
            start = memory.spans["source"].start
            said = read_source(memory.fields.get("source", ""), start, known)
            citations = said.citations
            former = tuple(
                parse_citation(note.removeprefix("formerly ").strip("` "))
                for note in said.notes
                if note.startswith("formerly ")
            )
        component = component_of(memory, self._world)
        found = tuple(
            self._seen(self._placed(item, component), revision, label, gap, seen, former) for item in citations
        )
        if found and not sidecar.rules and all(item.fingerprint and item.baseline == label for item in found):
            # Settled by history: the same until HEAD, a sidecar or one of these fields is another one.
            self._resolved[memory.id] = (key, begin, found)
        predicates = memory.predicates
        if sidecar.rules and not predicates:
            place = memory.spans.get("statement", Span(0, 0))
            predicates = tuple((rule, place) for rule in sidecar.rules)
        return replace(memory, citations=found, predicates=predicates)

    def _placed(self, citation: Citation, component: str) -> Citation:
        """Relative to the root, or where nothing is there, to the record's component."""
        if not component or refused(citation.path):
            return citation
        inside = f"{component}/{citation.path}"
        if not self._world.files.exists(inside):
            return citation
        if self._world.files.exists(citation.path):
            return replace(citation, candidates=(citation.path, inside))
        return replace(citation, path=inside)

    def _seen(
        self,
        citation: Citation,
        revision: str,
        label: str,
        gap: str,
        seen: Mapping[str, Citation],
        former: tuple[Citation, ...],
    ) -> Citation:
        if citation.candidates:
            return replace(citation, gap="it may mean several files")
        if revision and not refused(citation.path):
            data = self._file(revision, citation.path)
            if data is not None:
                found = self._of(citation, data, label)
                if found.blob or not former:
                    return found
            for old in former:
                # Where a repair found it: what was verified stands under the former address.
                data = self._file(revision, old.path)
                if data is not None:
                    there = replace(citation, path=old.path, symbol=old.symbol or citation.symbol)
                    found = self._of(there, data, label)
                    if found.blob:
                        return replace(found, path=citation.path, symbol=citation.symbol)
            gap = f"{citation.path} is not in {revision[:9]}"
        texts = (
            citation.text,
            *(f"{old.text}#{citation.symbol}" if citation.symbol and not old.symbol else old.text for old in former),
        )
        known = next((seen[text] for text in texts if text in seen), None)
        if known is not None and (known.fingerprint is not None or known.sha256):
            return replace(
                citation,
                fingerprint=known.fingerprint,
                blob=known.blob,
                sha256=known.sha256,
                size=known.size,
                baseline="sidecar",
            )
        return replace(citation, gap=gap or "what was verified is not known")

    def _of(self, citation: Citation, data: bytes, label: str) -> Citation:
        """The citation with what the recorded file holds of it."""
        outline = self._world.outline(citation.path, data)
        if self._hashed[0] is not data:
            self._hashed = (data, blob_id(data), hashlib.sha256(data).hexdigest())
        _, blob, digest = self._hashed
        seen = replace(citation, blob=blob, sha256=digest, size=len(data), baseline=label)
        if citation.lines:
            return seen
        if not citation.symbol:
            return replace(seen, fingerprint=fingerprint_file(language_of(citation.path), data, outline))
        groups = outline.match(citation.symbol) if outline is not None else ()
        if len(groups) != 1 or outline is None:
            gap = f"{citation.symbol} was not in {citation.path} when it was verified"
            return replace(citation, gap=gap)
        symbol = groups[0].path
        return replace(seen, symbol=symbol, fingerprint=fingerprint(outline, symbol))

    def _is_path(self, path: str, revision: str) -> bool:
        if refused(path):
            return False
        return self._world.files.exists(path) or self._file(revision, path) is not None

    def _symbol(self, path: str, name: str, revision: str) -> str:
        """The full path of the one symbol that a name means in a file, when it was verified or else now."""
        if refused(path):
            return ""
        for data in (self._file(revision, path), self._world.read(path).data):
            outline: Outline | None = self._world.outline(path, data) if data is not None else None
            groups = outline.match(name) if outline is not None else ()
            if len(groups) == 1:
                return groups[0].path
            if groups:
                return name
        return ""

    def _revision(self, memory: Memory, verified: str) -> tuple[str, str, str]:
        """``(commit, how it was found, why there is none)``."""
        git = self._world.git
        if git is None:
            return "", "", "there is no git here, and no sidecar of an explicit verify"
        written = memory.fields.get("git_revision", "")
        came = self._came(memory, 0, verified)
        named = _revision_in(written, git.commit)
        dirty = _DIRTY.search(written) or _DIRTY.search(memory.fields.get("repository_context", ""))
        if named and not dirty and self._came(memory, 1, written) == came and not came.lost:
            return named, "git_revision", ""
        if came.lost:
            return "", "", "history does not reach back to its verification"
        if dirty:
            told = "it was verified on content that was not committed and is not here"
            if not came.commit:
                return "", "", told
        if not came.commit:
            return "", "", "its verification is not committed, and no revision is named"
        return came.commit, "last_verified_commit", ""

    def _came(self, memory: Memory, field: int, value: str) -> _Came:
        """The commit in which the record's field (0: ``last_verified``, 1: ``git_revision``) got the value that it has."""
        git = self._world.git
        assert git is not None
        value = " ".join(plain(value).split())
        if memory.path not in self._committed:
            self._committed[memory.path] = self._of_blob(git.file("HEAD", memory.path))
        committed = self._committed[memory.path].get(memory.id)
        if committed is None or committed[field] != value:
            return _Came()
        folder = memory.path.rpartition("/")[0]
        if folder and not f"{folder}/".startswith(self._folder + "/"):
            if folder not in self._former:
                self._former[folder] = Baselines(self._world, folder)
            return self._former[folder]._set_in(memory.id, field, value, _MOVES)
        return self._set_in(memory.id, field, value, _MOVES)

    def _set_in(self, memory_id: str, field: int, value: str, moves: int) -> _Came:
        """The commit that gave the value; where a record came from a file elsewhere, the search goes on there."""
        git = self._world.git
        assert git is not None
        for change, before, after in self._changes_of(memory_id):
            if after is None or after[field] != value or (before is not None and before[field] == value):
                continue
            if git.is_boundary(change.commit):
                return _Came("", True)
            if len(change.parents) > 1 and any(self._had(parent, memory_id, field, value) for parent in change.parents):
                continue
            if before is None and change.parents:
                folder, came = self._removed(change.commit).get(memory_id, ("", ("", "")))
                if folder and moves and came[field] == value:
                    if folder not in self._former:
                        self._former[folder] = Baselines(self._world, folder)
                    return self._former[folder]._set_in(memory_id, field, value, moves - 1)
            return _Came(change.commit)
        return _Came("", True)

    def _changes_of(self, memory_id: str) -> list[tuple[FolderChange, _Pair | None, _Pair | None]]:
        """The commits that changed one of a record's two fields, newest first, with the values before and after."""
        git = self._world.git
        if self._changes is None and git is not None:
            self._changes = {}
            for change in git.folder_history(self._folder):
                before, after = self._of_all(change.before), self._of_all(change.after)
                for name in {**before, **after}:
                    if before.get(name) != after.get(name):
                        self._changes.setdefault(name, []).append((change, before.get(name), after.get(name)))
        return (self._changes or {}).get(memory_id, [])

    def _removed(self, commit: str) -> Mapping[str, tuple[str, _Pair]]:
        """The records of the Markdown files that a commit changed or removed: the folder where each was, and its fields."""
        git = self._world.git
        if commit not in self._moved and git is not None:
            self._moved[commit] = {
                name: (path.rpartition("/")[0], fields)
                for path, blob in git.markdown_before(commit)
                for name, fields in self._of_all((blob,)).items()
            }
        return self._moved.get(commit, {})

    def _had(self, commit: str, memory_id: str, field: int, value: str) -> bool:
        """Whether the record had the value in some Markdown file of the store in a commit."""
        git = self._world.git
        tree = git.tree(commit) if git is not None else {}
        inside = [blob for path, blob in tree.items() if path.startswith(self._folder + "/") and path.endswith(".md")]
        return self._of_all(tuple(inside)).get(memory_id, ("", ""))[field] == value

    def _of_all(self, blobs: tuple[str, ...]) -> Mapping[str, _Pair]:
        git = self._world.git
        found: dict[str, _Pair] = {}
        for blob in blobs:
            if blob not in self._fields and git is not None:
                self._fields[blob] = self._of_blob(git.blob(blob))
            found.update(self._fields.get(blob, {}))
        return found

    @staticmethod
    def _of_blob(data: bytes | None) -> Mapping[str, _Pair]:
        if data is None or len(data) > MAX_RECORD_BYTES:
            return {}
        return read_values(data.decode("utf-8", "replace"), "last_verified", "git_revision")

    def _file(self, revision: str, path: str) -> bytes | None:
        """A file in a revision; the last few are kept, since many records cite one file."""
        git = self._world.git
        if not revision or git is None or refused(path):
            return None
        key = (revision, path)
        if key not in self._files:
            if len(self._files) >= _KEPT_FILES:
                self._files.pop(next(iter(self._files)))
            self._files[key] = git.file(revision, path)
        return self._files[key]


def _shifted(citation: Citation, by: int) -> Citation:
    """The citation in a record that moved within its file."""
    if not by:
        return citation
    spans = {name: Span(span.start + by, span.end + by) for name, span in citation.spans.items()}
    return replace(citation, span=Span(citation.span.start + by, citation.span.end + by), spans=spans)


def gap_is_final(gap: str) -> bool:
    """Whether a record has no baseline whatever else is known."""
    return gap == NEVER or gap.startswith("its evidence")


def _revision_in(value: str, commit: Callable[[str], str]) -> str:
    for match in _REVISION.finditer(value):
        if found := commit(match[0]):
            return found
    return ""


def component_of(memory: Memory, world: World | None = None) -> str:
    """The component that a record names in its ``repository_context`` (``key; component; branch; state``), as a folder."""
    value = memory.fields.get("repository_context", "")
    parts = [part.strip().strip("`").strip("/") for part in value.split(";")]
    if len(parts) < 2 or unknown(value):
        return ""
    if len(parts) >= 4:
        return parts[1]
    there = world is not None and not refused(parts[1]) and world.files.exists(parts[1])
    return parts[1] if there else ""
