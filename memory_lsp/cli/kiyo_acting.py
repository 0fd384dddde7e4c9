"""How the commands that write carry out an act on a Kiyo store: preview, the look just before writing, and what was applied.

Overlapping edits in between are a CONFLICT and nothing is written; anything else and the plan is made again on the latest
bytes. Each file is replaced atomically; several files are no transaction.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any

from memory_lsp.cli.output import (
    EXIT_FINDINGS,
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
from memory_lsp.cli.workspace import diff_lines
from memory_lsp.core.kiyo_trust import CONFLICT, NONE, UPDATE_REQUIRED
from memory_lsp.core.model import FileEdit, Memory, Plan, Refusal
from memory_lsp.features.kiyo_desk import desk_of as desk
from memory_lsp.operations.kiyo import Approval, Desk
from memory_lsp.workspace.actor import actor_of
from memory_lsp.workspace.audit import now_text
from memory_lsp.workspace.impact import Impact, duplicated
from memory_lsp.workspace.kiyo_desk import guard
from memory_lsp.workspace.kiyo_stores import find_kiyo
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.snapshot import Store
from memory_lsp.workspace.writer import write_apart

Make = Callable[[Project], "Plan | Refusal"]


def actor(arguments: argparse.Namespace, project: Project) -> str:
    """Who acts on a Kiyo store: ``--by``, else the setting, else this program. A role, never the name that git knows."""
    return actor_of(project.world, project.snapshot.settings, person=False, given=arguments.by or "")


def kiyo_store(project: Project, path: str = "") -> Store | None:
    """The Kiyo store that holds ``path``, or the only one."""
    stores = [store for store in project.snapshot.stores if store.dialect == "kiyo"]
    if path:
        return next((store for store in stores if store.holds(path)), None)
    return stores[0] if len(stores) == 1 else None


def desk_of(project: Project, arguments: argparse.Namespace, store: Store) -> Desk:
    """What an act on a store works with, now."""
    return desk(project.snapshot, store, by=actor(arguments, project), at=now_text())


def approval_of(arguments: argparse.Namespace) -> Approval:
    """The approval that the options give."""
    return Approval(arguments.approval_source, arguments.approval_scope, arguments.approver, arguments.approval_date)


def add_approval(parser: argparse.ArgumentParser) -> None:
    """The options by which a person's approval of a Kiyo decision is recorded."""
    group = parser.add_argument_group("approval of a decision (Kiyo stores)")
    group.add_argument("--approval-source", metavar="PATH|ID", default="", help="the file or record that approves it")
    group.add_argument("--approval-scope", metavar="TEXT", default="", help="what it is approved for")
    group.add_argument(
        "--approver", metavar="ROLE", default="", help="the role that approved it, as in role:architecture-board"
    )
    group.add_argument("--approval-date", metavar="DATE", default="", help="when it was approved, if that is known")


def before_writing() -> None:
    """Called between the plan and the last look before writing."""


def refusal_of(project: Project, arguments: argparse.Namespace, ids: Sequence[str] = ()) -> Refusal | None:
    """Why nothing may be written to the Kiyo store at all."""
    snapshot = project.snapshot
    if snapshot.unreadable:
        return Refusal(
            f"denied: {', '.join(snapshot.unreadable)} cannot be read; a store may be there, nothing is written"
        )
    if snapshot.refusal:
        return Refusal(f"CONFLICT: {snapshot.refusal}")
    if (
        arguments.store
        and find_kiyo(project.world.files).conflict
        and not actor(arguments, project).startswith("human:")
    ):
        return Refusal("CONFLICT: two stores are declared, and a program cannot choose one: --by human:<role> decides")
    twice = sorted(duplicated(snapshot).intersection(ids))
    if twice:
        return Refusal(f"CONFLICT: {twice[0]} is the id of several records; nothing is written to any of them")
    for name in ids:
        state = snapshot.states.get(name)
        if state is not None and state.reason.startswith("its rule contradicts"):
            return Refusal(f"CONFLICT: {name}: {state.reason}; a person decides which of the decisions holds")
    return None


def carry_out(make: Make, project: Project, arguments: argparse.Namespace, ids: Sequence[str] = ()) -> int:
    """Preview what ``make`` plans and, with ``--write`` or a yes on the terminal, write it; the exit code."""
    try:
        return _carried_out(make, project, arguments, ids)
    finally:
        project.close_down()


def _carried_out(make: Make, project: Project, arguments: argparse.Namespace, ids: Sequence[str]) -> int:
    plan = refusal_of(project, arguments, ids) or make(project)
    if isinstance(plan, Refusal):
        return _refused(plan, arguments, ids)
    edits = _edits(plan)
    as_json = arguments.format == "json"
    if not as_json:
        _preview(plan, edits)
    if not edits:
        if as_json:
            print_json(_report(plan, Impact(NONE, "none", tuple(ids)), ()))
        else:
            console().print(f"Memory impact: {NONE}")
        return EXIT_OK
    wanted = bool(arguments.write) or (not as_json and on_terminal() and confirm("Write this?"))
    names = tuple(dict.fromkeys((*ids, *(event.memory for event in plan.events if event.memory))))
    if not wanted:
        pending = tuple((edit.path, "pending") for edit in edits)
        if as_json:
            print_json(_report(plan, Impact(UPDATE_REQUIRED, "pending", names, "not written"), pending))
        else:
            console().print("Nothing was written; --write writes it.")
            console().print(f"Memory impact: {UPDATE_REQUIRED}, pending")
        return EXIT_FINDINGS
    before = guard(project.snapshot, ids, plan)
    before_writing()
    latest = _again(project, arguments)
    try:
        done = _write(make, plan, before, latest, arguments, ids)
    finally:
        latest.close_down()
    if isinstance(done, Refusal):
        return _refused(done, arguments, ids)
    plan, writes, problem = done
    state = "partial" if problem else "applied"
    impact = Impact(UPDATE_REQUIRED, state, names, problem or "applied, nothing pending")
    if as_json:
        print_json(_report(plan, impact, writes))
    else:
        for path, word in writes:
            console().print(f"{word}: {visible(path)}")
        console().print(f"Memory impact: {UPDATE_REQUIRED}, {state}")
    if problem:
        complain(f"{problem}; what was applied stays, run `memory-lsp check` before trying again")
        return EXIT_FINDINGS
    return EXIT_OK


def _write(
    make: Make,
    plan: Plan,
    before: tuple[object, ...],
    latest: Project,
    arguments: argparse.Namespace,
    ids: Sequence[str],
) -> tuple[Plan, tuple[tuple[str, str], ...], str] | Refusal:
    refusal = refusal_of(latest, arguments, ids)
    if refusal:
        return refusal
    changed = Refusal("CONFLICT: what this was worked out on changed in between; nothing was written, read it again")
    if guard(latest.snapshot, ids, plan) != before:
        return changed
    again = make(latest)
    if isinstance(again, Refusal):
        return again
    if [event.memory for event in again.events] != [event.memory for event in plan.events]:
        return changed
    done = write_apart(latest.root, again, actor=actor(arguments, latest), record_ids=latest.record_ids)
    if isinstance(done, Refusal):
        return Refusal(f"CONFLICT: {done.message}")
    writes = (*((path, "applied") for path in done.applied), *((path, "pending") for path in done.pending))
    return again, writes, done.problem


def _again(project: Project, arguments: argparse.Namespace) -> Project:
    latest = Project(project.root)
    if arguments.store:
        latest.configure({"store": arguments.store})
    return latest


def _edits(plan: Plan) -> tuple[FileEdit, ...]:
    return tuple(edit for edit in plan.edits if edit.before is None or edit.after != edit.before)


def _preview(plan: Plan, edits: tuple[FileEdit, ...]) -> None:
    target = console()
    target.print(visible(plan.summary))
    for note in plan.notes:
        target.print(visible(note), style="yellow")
    for edit in edits:
        print_diff(target, diff_lines(edit))


def _report(plan: Plan, impact: Impact, writes: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    applied = impact.state in ("applied", "partial")
    return {
        "schema": "memory-lsp.plan/1",
        "summary": plan.summary,
        "written": applied,
        "edits": [
            {"path": edit.path, "create": edit.before is None, "diff": "\n".join(diff_lines(edit))}
            for edit in _edits(plan)
        ],
        "events": [{"action": event.action, "memory": event.memory, "reason": event.reason} for event in plan.events],
        "notes": list(plan.notes),
        "impact": impact.as_json(),
        "writes": [{"path": path, "state": state} for path, state in writes],
    }


def _refused(refusal: Refusal, arguments: argparse.Namespace, ids: Sequence[str]) -> int:
    value = (
        CONFLICT if refusal.message.startswith("CONFLICT") else NONE if refusal.message.startswith("inventory") else ""
    )
    if arguments.format == "json":
        denied = refusal.message.startswith("denied")
        impact = Impact(
            value or ("NOT_ASSESSED" if denied else UPDATE_REQUIRED),
            "none" if value or denied else "blocked",
            tuple(ids),
            "denied" if denied else refusal.message,
        )
        print_json(
            {
                "schema": "memory-lsp.plan/1",
                "refused": refusal.message,
                "candidates": list(refusal.candidates),
                "written": False,
                "edits": [],
                "impact": impact.as_json(),
                "writes": [],
            }
        )
    message = refusal.message
    if refusal.candidates and not any(candidate in message for candidate in refusal.candidates):
        message += f"; did you mean {', '.join(refusal.candidates)}?"
    complain(message)
    return EXIT_REFUSED


def one_memory(project: Project, name: str) -> Memory | None:
    """The memory with this id if it is a Kiyo record of the project; ``Failure`` where a store cannot be read."""
    memory = project.snapshot.memories.get(name)
    if memory is None and project.snapshot.unreadable:
        raise Failure(f"{name}: denied, {', '.join(project.snapshot.unreadable)} cannot be read", EXIT_REFUSED)
    return memory if memory is not None and memory.dialect == "kiyo" else None


def at_desk(arguments: argparse.Namespace, name: str, act: Callable[[Memory, Project, Desk], Plan | Refusal]) -> Make:
    """An act on one record, on whatever the project holds when it is planned."""

    def make(project: Project) -> Plan | Refusal:
        memory = project.snapshot.memories.get(name)
        store = kiyo_store(project, memory.path) if memory is not None else None
        if memory is None or store is None:
            return Refusal(f"CONFLICT: {name} is not there any more")
        return act(memory, project, desk_of(project, arguments, store))

    return make
