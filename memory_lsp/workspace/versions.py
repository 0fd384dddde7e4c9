"""Two versions of some files, for ``compare``: from files, from folders, or from revisions of a repository."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from memory_lsp.core.languages import LANGUAGES, language_of
from memory_lsp.workspace.files import Files, refused
from memory_lsp.workspace.git import Git

MAX_COMPARED = 2_000

Pair = tuple[str, dict[str, bytes], dict[str, bytes]]
"""The path that is judged, and the files before and after by path."""


def files_of_pair(before: Path, after: Path, path: str) -> Pair | str:
    """Two files (judged under ``path``, else under the first one's name) or two folders; else what is wrong, in words."""
    for given in (before, after):
        if not given.exists():
            return f"{given}: there is no such file or folder (--repo compares revisions)"
    if before.is_dir() != after.is_dir():
        return f"{before} and {after}: compare two files or two folders"
    if not before.is_dir():
        name = path or before.name
        try:
            return name, {name: before.read_bytes()}, {name: after.read_bytes()}
        except OSError as error:
            return f"{error.filename}: {error.strerror}"
    problem = _problem(path)
    if problem:
        return problem
    old, new = Files.of(before), Files.of(after)
    if old.read(path).data is None:
        return f"{before / path}: {old.read(path).problem}"
    paths = _alike(path, old.all(20_000)), _alike(path, new.all(20_000))
    return path, _read(old, paths[0]), _read(new, paths[1])


def files_of_revisions(repository: Path, before: str, after: str, path: str) -> Pair | str:
    """Two revisions of a repository; ``path`` counts from ``repository``. Else what is wrong, in words."""
    problem = _problem(path)
    if problem:
        return problem
    git = Git.find(repository.absolute()) if repository.is_dir() else None
    if git is None:
        return f"--repo {repository}: there is no git repository"
    try:
        commits = [git.commit(revision) for revision in (before, after)]
        for revision, commit in zip((before, after), commits, strict=True):
            if not commit:
                return f"{revision}: {repository} has no such revision"
        old = git.file(commits[0], path)
        if old is None:
            return f"{path}: not in {before}"
        changed = [name for name in git.changed_between(*commits) if name in set(_alike(path, [name]))]
        paths = list(dict.fromkeys([path, *changed]))[:MAX_COMPARED]
        versions = [
            {name: data for name in paths if (data := git.file(commit, name)) is not None} for commit in commits
        ]
        return path, versions[0], versions[1]
    finally:
        git.close()


def symbol_text(path: str, data: bytes | None, symbol: str) -> str | None:
    """The text of a symbol (empty: of the whole file); ``None`` if it is not there."""
    if data is None:
        return None
    if not symbol:
        return data.decode("utf-8", "replace")
    from memory_lsp.core.outline import outline

    language = language_of(path)
    group = outline(language, data).find(symbol) if language is not None and language in LANGUAGES else None
    if group is None:
        return None
    return "\n".join(data[part.start : part.end].decode("utf-8", "replace") for part in group.definitions)


def _problem(path: str) -> str:
    if not path:
        return "--path says which file of the two versions is judged"
    return f"--path {path}: {refused(path)}" if refused(path) else ""


def _alike(path: str, names: Iterable[str]) -> list[str]:
    """``path`` and the files of its language, where a moved definition may be."""
    language = language_of(path)
    return list(
        dict.fromkeys([path, *(name for name in names if language is not None and language_of(name) == language)])
    )[:MAX_COMPARED]


def _read(files: Files, paths: Iterable[str]) -> dict[str, bytes]:
    return {path: data for path in paths if (data := files.read(path).data) is not None}
