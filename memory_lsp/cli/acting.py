"""What the commands that change memories have in common: the memory that is named, and the moment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from memory_lsp.cli.output import EXIT_REFUSED, Failure
from memory_lsp.core.citations import parse_citation
from memory_lsp.core.model import Citation, Memory
from memory_lsp.core.outline import nearest
from memory_lsp.operations.tombstones import PATH
from memory_lsp.workspace.audit import now_text
from memory_lsp.workspace.project import Project

__all__ = ["cited", "memory_named", "now_text", "record_text", "tombstones_text"]


def memory_named(project: Project, name: str) -> Memory:
    """The memory with this id. Raises ``Failure`` that names the nearest ids."""
    memory = project.snapshot.memories.get(name)
    if memory is None:
        near = nearest(project.snapshot.memories, name)
        raise Failure(
            f"{name}: no memory has this id" + (f"; did you mean {', '.join(near)}?" if near else ""), EXIT_REFUSED
        )
    return memory


def record_text(project: Project, memory: Memory) -> str:
    """The text of the memory's record, as it was read."""
    return project.snapshot.records[memory.path].text


def tombstones_text(project: Project) -> str | None:
    """The text of the tombstones, ``None`` if there are none yet."""
    data = project.snapshot.sources.read(PATH).data
    return None if data is None else data.decode("utf-8", "replace")


def cited(project: Project, texts: Sequence[str], lines: str = "") -> tuple[Citation, ...]:
    """The citations that a command line names, with paths relative to the root. ``lines`` is ``A-B`` for the only one.

    Raises ``Failure`` for lines that cannot be read.
    """
    found = tuple(_from_root(project, parse_citation(text)) for text in texts)
    if not lines:
        return found
    if len(found) != 1 or found[0].lines:
        raise Failure("--lines goes with exactly one --cite, of a path or a symbol")
    first, _, last = lines.replace("L", "").partition("-")
    if not first.isdecimal() or (last and not last.isdecimal()):
        raise Failure(f"--lines {lines}: write the first and the last line, as in 10-20")
    numbers = (int(first), int(last or first))
    if numbers[1] < numbers[0]:
        raise Failure(f"--lines {lines}: the first line comes first, as in {numbers[1]}-{numbers[0]}")
    return (replace(found[0], lines=(numbers[0], numbers[1])),)


def _from_root(project: Project, citation: Citation) -> Citation:
    """The path as records have it: what the current folder holds by that name, else as it is."""
    root = project.root.absolute()
    # Never resolved: a link keeps its own name.
    here = Path(os.path.normpath(Path.cwd() / citation.path))
    if os.path.lexists(here) and here != root and here.is_relative_to(root):
        return replace(citation, path=here.relative_to(root).as_posix())
    return citation
