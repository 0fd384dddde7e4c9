"""Repair pointers of a Kiyo store: the source of records whose code has moved, or the index page.

Only proven moves are followed, and the old path is kept in the source. Nothing about truth changes: no date of verification,
no status. Nothing is written without --write (or a yes on a terminal).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named
from memory_lsp.cli.output import EXIT_REFUSED, Failure
from memory_lsp.cli.workspace import add_write, required_project
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.operations import kiyo
from memory_lsp.workspace.audit import AUDIT_PATH
from memory_lsp.workspace.kiyo_index_check import places_of
from memory_lsp.workspace.project import Project

NAME = "repair"
HELP = "repair pointers of a Kiyo store: sources that moved, the index"
EPILOG = """examples:
  memory-lsp repair MEM-CONV-0001 --write      its code has moved
  memory-lsp repair --index --write            rows that are missing, double or wrong
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="records whose code has moved")
    parser.add_argument("--index", action="store_true", help="the index page")
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.index == bool(arguments.ids):
        raise Failure("name the records, or give --index")
    project = required_project(arguments)
    names = list(dict.fromkeys(arguments.ids))
    if arguments.index:
        return kiyo_acting.carry_out(index(arguments), project, arguments)
    for name in names:
        if kiyo_acting.one_memory(project, name) is None:
            memory_named(project, name)
            raise Failure(f"{name}: repair is for Kiyo stores; use `follow`")
    return kiyo_acting.carry_out(sources(arguments, names), project, arguments, names)


def _lost(project: Project, places: Mapping[str, object]) -> str:
    """The record of a write that was left half way, if that is the last event of the log and the record is gone."""
    data = project.snapshot.sources.read(AUDIT_PATH).data or b""
    lines = [line for line in data.decode("utf-8", "replace").splitlines() if line.strip()]
    try:
        event = json.loads(lines[-1]) if lines else {}
    except ValueError:
        return ""
    if not isinstance(event, dict) or event.get("result") != "partial":
        return ""
    name = event.get("memory")
    return name if isinstance(name, str) and name and name not in places else ""


def sources(arguments: argparse.Namespace, names: list[str]) -> kiyo_acting.Make:
    """The repair of records whose code has moved."""

    def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
        return kiyo.repair(memory, project.snapshot.judgements.get(memory.id, ()), desk)

    def make(project: Project) -> Plan | Refusal:
        plans = []
        for name in names:
            plan = kiyo_acting.at_desk(arguments, name, act)(project)
            if isinstance(plan, Refusal):
                return plan
            plans.append(plan)
        return kiyo.together(plans)

    return make


def index(arguments: argparse.Namespace) -> kiyo_acting.Make:
    """The repair of the index page."""

    def make(project: Project) -> Plan | Refusal:
        store = kiyo_acting.kiyo_store(project)
        if store is None:
            raise Failure("there is no Kiyo store here, so there is no index to repair", EXIT_REFUSED)
        snapshot = project.snapshot
        mine = {path: record for path, record in snapshot.records.items() if store.holds(path)}
        lost = _lost(project, places_of(mine))
        if lost:
            return Refusal(f"CONFLICT: the capture of {lost} was left half way, and its record is not there any more")
        topics = {name: memory.title for name, memory in snapshot.memories.items()}
        return kiyo.repair_index(places_of(mine), topics, kiyo_acting.desk_of(project, arguments, store))

    return make
