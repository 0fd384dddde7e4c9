"""What git knows, read only. Everything is optional: without git, in a shallow clone or on an unborn branch answers are empty.

*Invariants:* nothing that a repository configures is run (hooks, filters, pager, external diff, text conversion, file system
monitor, signature programs), no lock is taken, nothing is fetched, and every call has a time limit. Objects come from one
long-lived ``git cat-file`` process, never from a process per file.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from memory_lsp.workspace.batch import TIME_LIMIT, Batch, environment

MAX_COMMITS = 200
"""How far back a file's history is followed."""
MAX_FOLDER_COMMITS = 2_000
"""How far back the history of a Kiyo store is read."""
_BATCH_COMMITS = 10_000
_CACHED_BYTES = 16_000_000
_ABSENT = "0" * 40
NUMBERED = re.compile(r"\bMEM-([A-Z0-9]+)-(\d+)", re.IGNORECASE)
"""Ids of Kiyo records: topic and number."""

_OPTIONS = (
    "--no-pager", "--literal-pathspecs",
    "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotePath=false", "-c", "diff.external=",
    "-c", "log.showSignature=false", "-c", "log.showRoot=true", "-c", "diff.renames=false", "-c", "diff.autoRefreshIndex=false", "-c", "diff.ignoreSubmodules=all",
    "-c", "submodule.recurse=false", "-c", "core.commentChar=#",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Version:
    """One commit that changed a file: what the file was before and after it (empty: absent), newest first in a history."""

    commit: str
    at: str
    author: str
    subject: str
    blob: str
    before: str


@dataclass(frozen=True, slots=True)
class FolderChange:
    """One commit against one of its parents: the blobs that its changed files below a folder had before and after it."""

    commit: str
    parents: tuple[str, ...]
    before: tuple[str, ...]
    after: tuple[str, ...]


class Git:
    """The git repository that holds a root. Use ``Git.find``; a root without git has ``None``."""

    def __init__(self, root: Path, prefix: str, folder: Path, common: Path, filters: Sequence[str]) -> None:
        self._root = root
        self._prefix = prefix
        self.folder = folder
        self.common = common
        self._filters = tuple(filters)
        self._objects = Batch(self._command("cat-file", "--batch"))
        self._sizes = Batch(self._command("cat-file", "--batch-check"))
        self._blobs: OrderedDict[str, bytes] = OrderedDict()
        self._held = 0
        self._histories: dict[str, tuple[Version, ...]] = {}
        self._since: dict[str, tuple[str, ...]] = {}
        self._commits: dict[tuple[str, str, datetime | None], str] = {}
        self._folders: dict[str, tuple[FolderChange, ...]] = {}
        self._numbers: dict[str, dict[str, int]] = {}
        self._dirty: tuple[str, ...] | None = None
        self._head: tuple[str, str] | None = None

    @classmethod
    def find(cls, root: Path) -> Git | None:
        """The repository that ``root`` lies in, if git is installed and trusts it."""
        if not any((folder / ".git").exists() for folder in (root, *root.parents)):
            return None
        output = _run([*_git(root), "rev-parse", "--show-prefix", "--absolute-git-dir", "--git-common-dir"], root)
        lines = output.decode("utf-8", "surrogateescape").split("\n") if output else []
        if len(lines) < 3:
            return None
        prefix, folder, common = lines[:3]
        names = _run([*_git(root), "config", "--name-only", "-z", "--get-regexp", r"^filter\."], root) or b""
        filters = [
            option
            for name in sorted(
                {entry.rpartition(".")[0] for entry in names.decode("utf-8", "surrogateescape").split("\0") if entry}
            )
            for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
            for option in ("-c", f"{name}.{key}={value}")
        ]
        return cls(root, prefix, Path(folder), (root / common).resolve(), filters)

    def close(self) -> None:
        """End the long-lived processes."""
        self._objects.close()
        self._sizes.close()

    def forget(self) -> None:
        """Drop what depends on HEAD."""
        self._histories.clear()
        self._since.clear()
        self._commits.clear()
        self._folders.clear()
        self._numbers.clear()
        self._dirty = self._head = None

    def head_files(self) -> tuple[Path, ...]:
        """The files that change when HEAD does: ``HEAD``, the branch that it names, and the packed branches."""
        head = self.folder / "HEAD"
        found = [head, self.common / "packed-refs"]
        with contextlib.suppress(OSError, UnicodeDecodeError):
            text = head.read_text("utf-8").strip()
            if text.startswith("ref: ") and ".." not in text:
                found.append(self.common / text[5:])
        return tuple(found)

    @property
    def shallow(self) -> bool:
        """Whether older history is left out."""
        return (self.common / "shallow").exists()

    def user_name(self) -> str:
        """``git config user.name``, else empty."""
        return self._text("config", "user.name").strip()

    def blob(self, name: str) -> bytes | None:
        """The content of a blob by object id."""
        if not _is_id(name):
            return None
        cached = self._blobs.get(name)
        if cached is not None:
            self._blobs.move_to_end(name)
            return cached
        data = self._objects.content(name)
        if data is not None and len(data) <= _CACHED_BYTES // 4:
            self._blobs[name] = data
            self._held += len(data)
            while self._held > _CACHED_BYTES:
                self._held -= len(self._blobs.popitem(last=False)[1])
        return data

    def file(self, revision: str, path: str) -> bytes | None:
        """The file at ``path`` (relative to the root) in a revision."""
        if "\n" in revision or "\n" in path or revision.startswith("-"):
            return None
        return self._objects.content(f"{revision}:{self._prefix}{path}")

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """Size in bytes of each blob that exists."""
        found = {}
        for name in dict.fromkeys(blobs):
            kind, size = self._sizes.header(name) if _is_id(name) else ("", 0)
            if kind == "blob":
                found[name] = size
        return found

    def commit(self, revision: str) -> str:
        """The full commit id that a revision names, else empty."""
        if not revision or revision.startswith("-") or "\n" in revision:
            return ""
        return self._sizes.name(f"{revision}^{{commit}}")

    def changed_between(self, before: str, after: str) -> tuple[str, ...]:
        """Files below the root that differ between two commits."""
        return self._list(
            "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", before, after, "--"
        )

    def tree(self, commit: str) -> dict[str, str]:
        """The regular files below the root in a commit, by path relative to the root, with their object ids."""
        output = self._bytes("ls-tree", "-r", "-z", commit) or b""
        found = {}
        for entry in output.split(b"\0"):
            head, tab, path = entry.partition(b"\t")
            if tab and head.startswith(b"100"):
                found[path.decode("utf-8", "surrogateescape")] = head.rsplit(b" ", 1)[-1].decode("ascii")
        return found

    def renames(self, before: str, after: str) -> dict[str, str]:
        """Files that git itself takes for renamed between two commits (``git diff -M``): old path to new path."""
        names = self._text(
            "diff", "-M", "--name-status", "-z", "--diff-filter=R", "--no-ext-diff", "--relative", before, after, "--"
        ).split("\0")
        return dict(zip(names[1::3], names[2::3], strict=False))

    def versions(self, commit: str, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Object ids of all versions that files had in the history of a commit, newest first, from one pass."""
        wanted = tuple(dict.fromkeys(paths))
        if not wanted:
            return {}
        output = self._bytes(
            "log", f"--max-count={MAX_COMMITS * 10}", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv",
            "--relative", "--full-history", "-m", "-z", "--format=", commit, "--", *wanted,
        )  # fmt: skip
        found: dict[str, dict[str, None]] = {path: {} for path in wanted}
        parts = [part.lstrip(b"\n") for part in (output or b"").split(b"\0")]
        parts = [part for part in parts if part]
        for raw, name in zip(parts[::2], parts[1::2], strict=False):
            columns, path = raw.decode("ascii", "replace").split(" "), name.decode("utf-8", "surrogateescape")
            if len(columns) >= 5 and path in found:
                found[path].update(dict.fromkeys(blob for blob in columns[3:1:-1] if not blob.startswith(_ABSENT)))
        return {path: tuple(blobs) for path, blobs in found.items()}

    def history(self, path: str) -> tuple[Version, ...]:
        """The commits that changed ``path``, newest first, at most 200; renames are not followed."""
        if path not in self._histories:
            self.load_histories([path])
        return self._histories.get(path, ())

    def load_histories(self, paths: Iterable[str]) -> None:
        """Read the histories of many files in one pass (and of one alone where the pass was cut short)."""
        wanted = [path for path in dict.fromkeys(paths) if path not in self._histories]
        if not wanted:
            return
        limit = MAX_COMMITS if len(wanted) == 1 else _BATCH_COMMITS
        output = self._bytes(
            "log", f"--max-count={limit}", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--relative",
            "--full-history", "--topo-order", "-m", "-z", "--format=%x01%H%x02%aI%x02%aN%x02%s", "--", *wanted,
        )  # fmt: skip
        histories: dict[str, list[Version]] = {path: [] for path in wanted}
        commits = 0
        for block in (output or b"").split(b"\x01")[1:]:
            commits += 1
            head, _, changes = block.decode("utf-8", "replace").partition("\0")
            commit, at, author, subject = ([*head.split("\x02", 3), "", "", ""])[:4]
            parts = [part for part in changes.strip("\n").split("\0") if part]
            for raw, path in zip(parts[::2], parts[1::2], strict=False):
                columns = raw.lstrip("\n").split(" ")
                if len(columns) >= 5 and path in histories:
                    before, blob = ("" if name.startswith(_ABSENT) else name for name in columns[2:4])
                    histories[path].append(Version(commit, at, author, subject, blob, before))
        for path, versions in histories.items():
            if len(wanted) == 1 or commits < limit:
                self._histories[path] = tuple(versions[:MAX_COMMITS])

    def folder_history(self, folder: str) -> tuple[FolderChange, ...]:
        """The commits that changed Markdown files below a folder, newest first, at most ``MAX_FOLDER_COMMITS``, in one pass."""
        if folder not in self._folders:
            output = self._bytes(
                "log", f"--max-count={MAX_FOLDER_COMMITS}", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff",
                "--no-textconv", "--relative", "--full-history", "--topo-order", "-m", "-z", "--format=%x01%H%x02%P",
                "--", folder, ".kiyo",
            )  # fmt: skip
            found = []
            for block in (output or b"").split(b"\x01")[1:]:
                head, _, changes = block.decode("utf-8", "replace").partition("\0")
                commit, _, parents = head.strip().partition("\x02")
                parts = [part for part in changes.strip("\n").split("\0") if part]
                columns = [
                    raw.lstrip("\n").split(" ")
                    for raw, path in zip(parts[::2], parts[1::2], strict=False)
                    if path.endswith(".md")
                ]
                before = tuple(item[2] for item in columns if len(item) >= 5 and not item[2].startswith(_ABSENT))
                after = tuple(item[3] for item in columns if len(item) >= 5 and not item[3].startswith(_ABSENT))
                found.append(FolderChange(commit, tuple(parents.split()), before, after))
            self._folders[folder] = tuple(found)
        return self._folders[folder]

    def markdown_before(self, commit: str) -> tuple[tuple[str, str], ...]:
        """``(path, blob)`` of the Markdown files that a commit changed or removed, as they were in its first parent."""
        output = self._bytes(
            "diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--relative", "--no-commit-id", f"{commit}^", commit, "--"
        )  # fmt: skip
        parts = [part for part in (output or b"").decode("utf-8", "replace").split("\0") if part]
        return tuple(
            (path, columns[2])
            for raw, path in zip(parts[::2], parts[1::2], strict=False)
            if path.endswith(".md") and len(columns := raw.split(" ")) >= 5 and not columns[2].startswith(_ABSENT)
        )

    def numbers_used(self, folder: str) -> dict[str, int] | str:
        """The highest number of each topic of ids (``MEM-CONV-0007``: CONV, 7) in all versions of a folder's Markdown files;
        or why that is not known."""
        if self.shallow:
            return "history is shallow"
        if folder not in self._numbers:
            history = self.folder_history(folder)
            if len(history) >= MAX_FOLDER_COMMITS:
                return "the history of the store is too long to be read"
            found: dict[str, int] = {}
            for name in dict.fromkeys(blob for change in history for blob in (*change.before, *change.after)):
                data = self.blob(name)
                if data is None:
                    return "a version of the store cannot be read"
                for match in NUMBERED.finditer(data.decode("utf-8", "replace")):
                    topic = match[1].upper()
                    found[topic] = max(found.get(topic, 0), int(match[2]))
            self._numbers[folder] = found
        return self._numbers[folder]

    def is_boundary(self, commit: str) -> bool:
        """Whether a shallow clone ends at this commit."""
        with contextlib.suppress(OSError):
            return commit in (self.common / "shallow").read_text("ascii", "replace").split()
        return False

    def head(self) -> tuple[str, str]:
        """``(branch, commit)`` of HEAD; the branch is empty if it is detached, the commit if there is none yet."""
        if self._head is None:
            self._head = self._text("symbolic-ref", "--short", "-q", "HEAD").strip(), self.commit("HEAD")
        return self._head

    def staged(self) -> tuple[str, ...]:
        """Files below the root that are staged for the next commit."""
        return self._list("diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", "--")

    def dirty(self) -> tuple[str, ...]:
        """Files below the root that differ from HEAD in the working tree or the index, untracked ones included."""
        if self._dirty is not None:
            return self._dirty
        entries = self._text("status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--", ".")
        names = [entry[3:] for entry in entries.split("\0") if len(entry) > 3]
        self._dirty = tuple(name.removeprefix(self._prefix) for name in names)
        return self._dirty

    def commit_with(self, path: str, blob: str, when: datetime | None = None) -> str:
        """The commit at ``when`` in which ``path`` had the content ``blob``, else empty.

        Without ``when`` it is the newest such commit; if ``when`` lies before them all, as for a file that was verified before
        it was committed, the first one.
        """
        key = (path, blob, when)
        if key not in self._commits:
            self._commits[key] = self._commit_with(path, blob, when)
        return self._commits[key]

    def _commit_with(self, path: str, blob: str, when: datetime | None) -> str:
        if not _is_id(blob) or "\n" in path:
            return ""
        newest = self.commit("HEAD") if self._blob_at("HEAD", path) == blob else ""
        first = ""
        for version in self.history(path):
            if not newest and version.before == blob and self._blob_at(f"{version.commit}^", path) == blob:
                newest = self.commit(f"{version.commit}^")
            if version.blob == blob:
                first = version.commit
                break
        newest = newest or first
        if when is None or not newest:
            return newest
        # Commit times are whole seconds: one of the same second may be younger.
        before = f"--before={(when - timedelta(seconds=1)).isoformat()}"
        found = self._text("rev-list", "--max-count=1", before, newest, "--").strip()
        return found if found and self._blob_at(found, path) == blob else first or newest

    def _blob_at(self, revision: str, path: str) -> str:
        return self._sizes.name(f"{revision}:{self._prefix}{path}")

    def changed_since(self, commit: str) -> tuple[str, ...]:
        """Files changed or added between ``commit`` (empty: the recent history) and the working tree, untracked ones included."""
        if commit not in self._since:
            found: dict[str, None] = {}
            if commit:
                found.update(
                    dict.fromkeys(
                        self._list(
                            "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", commit, "--"
                        )
                    )
                )
            else:
                found.update(
                    dict.fromkeys(
                        self._list(
                            "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", "HEAD", "--"
                        )
                    )
                )
                recent = self._list(
                    "log", "--max-count=50", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--relative", "-m", "--first-parent", "--format=", "--"
                )  # fmt: skip
                found.update(dict.fromkeys(recent))
            found.update(dict.fromkeys(self._list("ls-files", "-z", "--others", "--exclude-standard")))
            self._since[commit] = tuple(found)
        return self._since[commit]

    def forget_changes(self) -> None:
        """Drop what depends on the working tree."""
        self._since.clear()
        self._dirty = None

    def tracked(self) -> tuple[str, ...]:
        """All files of the index below the root, and untracked ones that are not ignored."""
        return tuple(dict.fromkeys(self._list("ls-files", "-z", "--cached", "--others", "--exclude-standard")))

    def _command(self, *arguments: str) -> list[str]:
        return [*_git(self._root), *self._filters, *arguments]

    def _bytes(self, *arguments: str) -> bytes | None:
        return _run(self._command(*arguments), self._root)

    def _text(self, *arguments: str) -> str:
        return (self._bytes(*arguments) or b"").decode("utf-8", "replace")

    def _list(self, *arguments: str) -> tuple[str, ...]:
        return tuple(name.strip("\n") for name in self._text(*arguments).split("\0") if name.strip("\n"))


def _git(root: Path) -> list[str]:
    return ["git", "-C", str(root), *_OPTIONS]


def _run(command: list[str], root: Path) -> bytes | None:
    """The output of one git command, as far as it came within the time limit; ``None`` if it fails or is not installed."""
    try:
        done = subprocess.run(
            command, cwd=root, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=TIME_LIMIT, env=environment(), check=False
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        partial: bytes | None = error.output
        return partial
    except (OSError, ValueError):
        return None
    return done.stdout if done.returncode == 0 else None


def _is_id(name: str) -> bool:
    return len(name) in (40, 64) and all(character in "0123456789abcdef" for character in name)
