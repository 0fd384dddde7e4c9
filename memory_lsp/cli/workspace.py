"""The root that a command works on, and how a command carries out a plan."""

from __future__ import annotations

import argparse
import difflib
from pathlib import Path

from memory_lsp.cli.output import (
    EXIT_OK,
    EXIT_REFUSED,
    Failure,
    complain,
    confirm,
    console,
    on_terminal,
    print_diff,
    print_json,
    visible,
)
from memory_lsp.core.model import FileEdit, Memory, Plan, Refusal
from memory_lsp.workspace.actor import actor_of
from memory_lsp.workspace.files import Files
from memory_lsp.workspace.project import Project, find_root
from memory_lsp.workspace.records import read_record
from memory_lsp.workspace.roots import Found, find_stores, is_record, looked_at, refused_root
from memory_lsp.workspace.writer import write


def folder_of(arguments: argparse.Namespace) -> Path:
    """The folder that ``--root`` names, else the current one. Raises ``Failure`` if it is none, or no project at all."""
    folder = Path(arguments.root) if arguments.root else Path.cwd()
    folder = folder.absolute()
    if not folder.is_dir():
        raise Failure(f"--root {arguments.root}: there is no such folder")
    if refused_root(folder):
        raise Failure(
            f"{folder} is the home folder or the top of the file system, which is never a root: name a project with --root"
        )
    return folder


def open_project(arguments: argparse.Namespace) -> Project | None:
    """The project at or above the folder, judged; ``None`` if there is no store.

    ``--root`` is taken as it is if it holds a store itself.
    """
    root = find_root(folder_of(arguments))
    if root is None:
        return None
    project = Project(root)
    if project.snapshot.problems:
        for problem in project.snapshot.problems:
            complain(problem)
    if arguments.store:
        project.configure({"store": arguments.store})
    return project


def required_project(arguments: argparse.Namespace, code: int = EXIT_REFUSED) -> Project:
    """The project, or ``Failure`` that says where a store was looked for and how to start one."""
    project = open_project(arguments)
    if project is None:
        raise Failure(no_store(folder_of(arguments)), code)
    return project


def stored_records(arguments: argparse.Namespace) -> tuple[Path, tuple[Memory, ...], Found] | None:
    """The root, what its records hold, nothing judged, and its stores; ``None`` if there is no store."""
    root = find_root(folder_of(arguments))
    if root is None:
        return None
    files = Files.of(root)
    memories: list[Memory] = []
    found = find_stores(root, arguments.store or "")
    for store in found.stores:
        inside = (path for path, _ in files.records(store.path) if is_record(store, path))
        for path in sorted({*inside, *store.outside}):
            record = read_record(files, store, path, None)
            memories += record.parsed.memories if record else ()
    return root, tuple(memories), found


def add_write(parser: argparse.ArgumentParser) -> None:
    """``--write``, which every command that writes takes."""
    parser.add_argument("--write", action="store_true", help="write it (default: only show what would be written)")


def no_store(folder: Path) -> str:
    """Where a store was looked for, and how to start one."""
    return f"no store of memories here (looked at {', '.join(looked_at(folder))}); `memory-lsp init` starts one"


def actor(arguments: argparse.Namespace, project: Project) -> str:
    """Who acts: ``--by``, else the setting, else the person at the terminal, else this program."""
    return actor_of(project.world, project.snapshot.settings, person=on_terminal(), given=arguments.by or "")


def carry_out(result: Plan | Refusal, project: Project, arguments: argparse.Namespace) -> int:
    """Preview a plan and, with ``--write`` or a yes on the terminal, write it; the exit code."""
    if isinstance(result, Refusal):
        return _refuse(result, arguments)
    snapshot = project.snapshot
    if not snapshot.writable:
        return _refuse(Refusal(snapshot.refusal), arguments)
    as_json = arguments.format == "json"
    edits = tuple(edit for edit in result.edits if edit.before is None or edit.after != edit.before)
    if not as_json:
        _preview(result, edits)
    wanted = bool(arguments.write)
    if edits and not wanted and not as_json and on_terminal():
        wanted = confirm("Write this?")
    written: tuple[str, ...] = ()
    if edits and wanted:
        done = write(
            project.root,
            Plan(result.summary, edits, result.events, result.notes),
            actor=actor(arguments, project),
            record_ids=project.record_ids,
        )
        if isinstance(done, Refusal):
            return _refuse(done, arguments)
        written = done
    if as_json:
        print_json(
            {
                "schema": "memory-lsp.plan/1",
                "summary": result.summary,
                "written": bool(written),
                "edits": [
                    {"path": edit.path, "create": edit.before is None, "diff": "\n".join(diff_lines(edit))}
                    for edit in edits
                ],
                "events": [
                    {"action": event.action, "memory": event.memory, "reason": event.reason} for event in result.events
                ],
                "notes": list(result.notes),
            }
        )
    elif written:
        console().print(f"Wrote {', '.join(written)}")
    elif edits and not wanted:
        console().print("Nothing was written; --write writes it.")
    return EXIT_OK


def diff_lines(edit: FileEdit) -> list[str]:
    """A unified diff of one edit, without line ends."""
    before = (edit.before or "").splitlines()
    name = edit.path
    return list(
        difflib.unified_diff(
            before, edit.after.splitlines(), "/dev/null" if edit.before is None else name, name, lineterm=""
        )
    )


def _preview(plan: Plan, edits: tuple[FileEdit, ...]) -> None:
    target = console()
    for line in plan.summary.split("\n"):
        target.print(visible(line))
    for note in plan.notes:
        target.print(visible(note), style="yellow")
    for edit in edits:
        print_diff(target, diff_lines(edit))
    if not edits:
        target.print("Nothing to change.")


def _refuse(refusal: Refusal, arguments: argparse.Namespace) -> int:
    if arguments.format == "json":
        print_json(
            {
                "schema": "memory-lsp.plan/1",
                "refused": refusal.message,
                "candidates": list(refusal.candidates),
                "written": False,
                "edits": [],
            }
        )
    message = refusal.message
    if refusal.candidates and not any(candidate in message for candidate in refusal.candidates):
        message += f"; did you mean {', '.join(refusal.candidates)}?"
    complain(message)
    return EXIT_REFUSED
