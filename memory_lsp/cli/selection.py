"""Which memories and findings a command line names: by id, by record, or by the file or folder that is cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from memory_lsp.core.model import Finding
from memory_lsp.workspace.project import Snapshot


@dataclass(frozen=True, slots=True)
class Selection:
    """Ids in the order of their records, and the findings about them.

    ``named`` says that the command line named something; ``detailed`` are the ids that it named as such; ``unknown`` are
    names that are neither. ``unreadable`` are stores that cannot be read.
    """

    memories: tuple[str, ...]
    findings: tuple[Finding, ...]
    named: bool = False
    detailed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unreadable: tuple[str, ...] = ()


def select(snapshot: Snapshot, names: Sequence[str]) -> Selection:
    """What ``names`` select; everything if there are none. Paths count from the current folder, else from the root."""
    ordered = sorted(snapshot.memories, key=lambda name: (snapshot.memories[name].path, name))
    every = [finding for path in sorted(snapshot.findings) for finding in snapshot.findings[path]]
    if not names:
        return Selection(tuple(ordered), tuple(every), unreadable=snapshot.unreadable)
    chosen: set[str] = set()
    records: set[str] = set()
    detailed: list[str] = []
    unknown: list[str] = []
    for name in names:
        if name in snapshot.memories:
            chosen.add(name)
            detailed.append(name)
            continue
        path = _relative(snapshot, name)
        if path is None:
            unknown.append(name)
            continue
        below = "" if path == "." else path + "/"
        records |= {record for record in snapshot.records if record == path or record.startswith(below)}
        chosen |= {
            memory
            for cited, entries in snapshot.citing.items()
            if cited == path or cited.startswith(below)
            for memory, _ in entries
        }
    chosen |= {name for name, memory in snapshot.memories.items() if memory.path in records}
    # Stores that contradict each other concern whatever was asked: the exit code says so, and nothing else would.
    findings = tuple(
        finding
        for finding in every
        if finding.path in records or finding.memory in chosen or finding.code == "memory-store-conflict"
    )
    return Selection(
        tuple(name for name in ordered if name in chosen),
        findings,
        True,
        tuple(dict.fromkeys(detailed)),
        tuple(unknown),
        snapshot.unreadable,
    )


def _relative(snapshot: Snapshot, name: str) -> str | None:
    """The root-relative path of what ``name`` names: something on disk, a record, or a path that a memory cites."""
    root = snapshot.root
    for start in (Path.cwd(), root):
        path = start / name
        # Never resolved: a link keeps the name under which memories cite it.
        normal = Path(*_normal(path.parts))
        if normal.is_relative_to(root):
            relative = normal.relative_to(root).as_posix()
            known = relative in snapshot.citing or relative in snapshot.records
            if known or snapshot.exists(relative):
                return relative
    return None


def _normal(parts: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for part in parts:
        if part == "..":
            if len(kept) > 1:
                kept.pop()
        elif part != ".":
            kept.append(part)
    return kept or [str(PurePosixPath("."))]
