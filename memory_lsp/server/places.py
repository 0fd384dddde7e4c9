"""Which roots a client's folders and documents need, and which root is responsible for a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memory_lsp.server.convert import parent_uri, relative_path, uri_to_path
from memory_lsp.workspace.roots import find_root

Home = tuple[str, str]
"""A root's path and a document's path in it."""


@dataclass(frozen=True, slots=True)
class Places:
    """``roots`` are the URIs of all needed roots by their paths, ``homes`` the place of each document, if it has one.

    Paths and URIs are spelled as the client spelled its folders, or where there is none, its document.
    """

    roots: Mapping[str, str]
    homes: Mapping[str, Home | None]


def find_places(folders: Mapping[str, str], documents: Iterable[str]) -> Places:
    """Look for the roots of ``folders`` (paths by URI) and ``documents`` (URIs)."""
    known: dict[str, str | None] = {}
    roots: dict[str, str] = {}
    homes: dict[str, Home | None] = {}
    for uri, path in folders.items():
        found = _root_of(path, known)
        if found is not None:
            roots.setdefault(found, parent_uri(uri.rstrip("/"), _levels(path, found)))
    for uri in documents:
        document = uri_to_path(uri)
        home = homes[uri] = _home(document, (*folders.values(), *roots), tuple(roots), known) if document else None
        if home is not None and document is not None and home[0] not in roots:
            roots[home[0]] = parent_uri(uri, _levels(document, home[0]))
    return Places(roots, homes)


def _home(path: str, places: tuple[str, ...], roots: tuple[str, ...], known: dict[str, str | None]) -> Home | None:
    """With workspace folders the root is one of theirs or lies inside one; without any it is the document's own."""
    if places and not any(relative_path(path, place) for place in places):
        # Perhaps the client spells the document without the link that its folder is spelled with.
        real = str(Path(path).resolve())
        for candidate in roots:
            inner = relative_path(real, str(Path(candidate).resolve()))
            if inner is not None:
                return candidate, inner
        return None
    root = _root_of(str(Path(path).parent), known)
    inner = relative_path(path, root) if root is not None else None
    return (root, inner) if root is not None and inner is not None else None


def _root_of(folder: str, known: dict[str, str | None]) -> str | None:
    """The root that a folder belongs to, spelled as the folder is."""
    if folder not in known:
        try:
            found = find_root(Path(folder))
        except OSError:
            found = None
        known[folder] = str(found) if found is not None else None
    return known[folder]


def _levels(path: str, root: str) -> int:
    inner = relative_path(path, root)
    return len(inner.split("/")) if inner else 0
