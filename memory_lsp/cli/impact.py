"""Say what a change means for the memories of a Kiyo store: NONE, UPDATE_REQUIRED, CONFLICT or NOT_ASSESSED.

Without arguments everything is assessed. Name files to look at the records about them, or take the files that differ from a
revision (--since) or that are staged (--staged). It writes nothing and grants no write.
"""

from __future__ import annotations

import argparse
from typing import Any

from memory_lsp.cli.check_text import print_impact
from memory_lsp.cli.output import EXIT_FINDINGS, EXIT_OK, EXIT_UNASSESSED, Failure, complain, console, print_json
from memory_lsp.cli.selection import Selection, select
from memory_lsp.cli.workspace import folder_of, no_store, open_project
from memory_lsp.core.kiyo_trust import CONFLICT, NONE, NOT_ASSESSED, UPDATE_REQUIRED, outcome_of
from memory_lsp.workspace.impact import NO_STORE, context, drift, impact, in_component, proposal
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.snapshot import Snapshot

NAME = "impact"
HELP = "say what a change means for the memories of a Kiyo store"
EPILOG = """examples:
  memory-lsp impact                     everything as it is now
  memory-lsp impact --since main        the files that differ from main
  memory-lsp impact --staged            the files that are staged
  memory-lsp impact src/pay.py          the records about one file
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="ID|PATH", help="records, files or folders (default: all)")
    parser.add_argument("--since", metavar="REV", default="", help="the files that differ from this revision")
    parser.add_argument("--staged", action="store_true", help="the files that are staged")
    parser.add_argument("--component", metavar="NAME", default="", help="records of one component alone")


def run(arguments: argparse.Namespace) -> int:
    if sum((bool(arguments.paths), bool(arguments.since), arguments.staged)) > 1:
        raise Failure("give paths, or --since, or --staged")
    project = open_project(arguments)
    if project is None:
        folder = folder_of(arguments)
        if arguments.format == "json":
            print_json({"schema": "memory-lsp.impact/1", "root": str(folder), "impact": NO_STORE.as_json()})
        else:
            console().print(no_store(folder)[:1].upper() + no_store(folder)[1:])
        return EXIT_OK
    try:
        return _assessed(project, arguments)
    finally:
        project.close_down()


def _assessed(project: Project, arguments: argparse.Namespace) -> int:
    snapshot = project.snapshot
    selection = _selected(project, arguments)
    for name in selection.unknown:
        complain(f"{name}: no memory has this id, and no file is there")
    names = [name for name in selection.memories if snapshot.memories[name].dialect == "kiyo"]
    if arguments.component:
        names = [name for name in names if in_component(snapshot, name, arguments.component)]
    found = impact(snapshot, names, named=selection.named, component=arguments.component)
    if arguments.format == "json":
        print_json(_report(snapshot, names, found.as_json()))
    else:
        print_impact(console(), snapshot, Selection(tuple(names), ()), found)
    if found.value in (CONFLICT, UPDATE_REQUIRED):
        return EXIT_FINDINGS
    named = selection.named or bool(snapshot.unreadable)
    return EXIT_UNASSESSED if selection.unknown or (found.value == NOT_ASSESSED and named) else EXIT_OK


def _selected(project: Project, arguments: argparse.Namespace) -> Selection:
    snapshot = project.snapshot
    if not arguments.since and not arguments.staged:
        return select(snapshot, arguments.paths)
    git = project.world.git
    if git is None:
        raise Failure("there is no git here: name the files")
    if arguments.since and not git.commit(arguments.since):
        raise Failure(f"--since {arguments.since}: there is no such revision")
    changed = git.changed_since(git.commit(arguments.since)) if arguments.since else git.staged()
    chosen = {name for path in changed for name, _ in snapshot.citing.get(path, ())}
    chosen |= {name for name, memory in snapshot.memories.items() if memory.path in changed}
    # What a file that is gone or new means shows in records that look for it.
    moved = {
        name
        for name, judgements in snapshot.judgements.items()
        if any(item.to.partition("#")[0] in changed for item in judgements if item.to)
    }
    ruled = {name for name in snapshot.memories if snapshot.memories[name].predicates}
    return Selection(tuple(sorted(chosen | moved | ruled)), (), True)


def _report(snapshot: Snapshot, names: list[str], found: dict[str, Any]) -> dict[str, Any]:
    affected = [name for name in names if name in found["ids"]]
    return {
        "schema": "memory-lsp.impact/1",
        "root": str(snapshot.root),
        "impact": found,
        "scope": names,
        "memories": [
            {
                "id": name,
                "outcome": outcome_of(snapshot.memories[name], snapshot.states[name]),
                "verdict": snapshot.states[name].verdict.value,
                "reason": snapshot.states[name].reason,
                "proposal": proposal(snapshot, name),
            }
            for name in (affected or (names if found["value"] == NONE else []))
        ],
        "context": context(snapshot),
        "drift": drift(snapshot, names),
    }
