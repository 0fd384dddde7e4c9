"""Where memories are kept: the root of a project and the stores it holds (design section 2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from memory_lsp.core.model import Span
from memory_lsp.workspace.files import Files
from memory_lsp.workspace.kiyo_stores import DEFAULTS, find_kiyo
from memory_lsp.workspace.snapshot import Store

LOCATIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "kage": (".agent_memory/packets",),
        "okf": (".memory",),
    }
)
"""Folders in which a dialect's records may be kept. More than one that exists is a conflict."""

SUFFIXES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"kage": (".md", ".json"), "okf": (".md",), "kiyo": (".md",)}
)
"""How the name of a record ends."""

RESERVED: Mapping[str, frozenset[str]] = MappingProxyType(
    {"kage": frozenset({"index.md", "log.md"}), "okf": frozenset({"index.md", "log.md"}), "kiyo": frozenset()}
)
"""Names that are not records (OKF v0.2 reserves them)."""


@dataclass(frozen=True, slots=True)
class Found:
    """The stores of a root and, if they contradict each other, why nothing may be written.

    ``places`` are where the conflict of Kiyo stores shows; ``denied`` are paths of a Kiyo store that cannot be read.
    """

    stores: tuple[Store, ...]
    conflict: str = ""
    places: tuple[tuple[str, Span], ...] = ()
    denied: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def refused_root(folder: Path) -> bool:
    """Whether ``folder`` is the home folder or the top of a file system: neither is a project."""
    try:
        home = Path.home()
    except RuntimeError:
        home = None
    return folder == folder.parent or folder == home


def candidates(start: Path) -> tuple[Path, ...]:
    """Folders that may be the root, nearest first: upwards as far as the one with ``.git``; without git ``start`` alone."""
    start = start if start.is_dir() else start.parent
    upwards: list[Path] = []
    for folder in (start, *start.parents):
        if refused_root(folder):
            break
        upwards.append(folder)
        if (folder / ".git").exists():
            return tuple(upwards)
    return tuple(upwards[:1])


def find_root(start: Path) -> Path | None:
    """The first folder upwards from ``start`` that holds a store; ``None`` if there is none."""
    return next((folder for folder in candidates(Path(start).absolute()) if _holds(find_stores(folder))), None)


def _holds(found: Found) -> bool:
    return bool(found.stores or found.conflict or found.denied)


def find_stores(root: Path, wanted: str = "") -> Found:
    """The stores of ``root``. ``wanted`` (the setting ``store``: a dialect or a path) decides between two of one dialect."""
    wanted = wanted.strip().replace("\\", "/").rstrip("/").removeprefix("./")
    stores: list[Store] = []
    conflict = ""
    for dialect, folders in LOCATIONS.items():
        present = [folder for folder in folders if _is_folder(root, folder)]
        if len(present) > 1:
            if wanted in present:
                present = [wanted]
            else:
                conflict = (
                    f"this root holds two {dialect} stores, {' and '.join(present)}: keep one of them, or name it in the setting `store`; "
                    "until then nothing is written"
                )
        stores += [Store(dialect, folder) for folder in present]
    kiyo = find_kiyo(Files.of(root), wanted)
    stores += kiyo.stores
    conflict = conflict or kiyo.conflict
    if (
        wanted
        and not conflict
        and stores
        and not any(wanted in (store.dialect, store.path, store.index) for store in stores)
    ):
        held = ", ".join(f"{store.path} ({store.dialect})" for store in stores)
        conflict = f"the setting `store` names `{wanted}`, this root holds {held}: correct the setting; until then nothing is written"
    return Found(tuple(stores), conflict, kiyo.places, kiyo.denied, kiyo.notices)


def looked_at(start: Path) -> tuple[str, ...]:
    """The folders in which a store was looked for, as text for a person."""
    return tuple(
        str(folder / location)
        for folder in candidates(start.absolute())
        for places in (*LOCATIONS.values(), DEFAULTS)
        for location in places
    )


def is_record(store: Store, path: str) -> bool:
    """Whether a file at ``path`` (relative to the root) is a record of ``store``, by its place and name."""
    if path in store.outside:
        return True
    if not path.startswith(store.path + "/"):
        return False
    if "/." in path[len(store.path) :]:
        return False
    if store.dialect == "kiyo" and path.startswith(f"{store.path}/conflicts/"):
        return False
    name = path.rpartition("/")[2]
    return name.endswith(SUFFIXES[store.dialect]) and name not in RESERVED[store.dialect]


def _is_folder(root: Path, folder: str) -> bool:
    """Whether ``root/folder`` is a folder that lies inside the root, links followed."""
    path = root / folder
    try:
        return path.is_dir() and path.resolve().is_relative_to(root.resolve())
    except OSError:
        return False
