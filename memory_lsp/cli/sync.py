"""Bring observations of a Kiyo store up to date: the fields that you name, of the records that you name.

A changed claim counts as verified only with --verify and --evidence; without them it is UNVERIFIED until somebody looks.
Proposals and decisions are never changed. Nothing is written without --write (or a yes on a terminal).
"""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named
from memory_lsp.cli.output import EXIT_FINDINGS, EXIT_OK, Failure
from memory_lsp.cli.workspace import add_write, required_project
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.operations import kiyo
from memory_lsp.workspace.project import Project

NAME = "sync"
HELP = "bring observations of a Kiyo store up to date"
EPILOG = """examples:
  memory-lsp sync MEM-CONV-0001                      what is pending?
  memory-lsp sync MEM-CONV-0001 --set statement="The limit itself is refused too." --verify --evidence "read clamp_rate" --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="ID", help="observations")
    parser.add_argument(
        "--set",
        metavar="FIELD=VALUE",
        action="append",
        default=[],
        help=f"a field's new value (again for more): {', '.join(kiyo.SETTABLE)}",
    )
    parser.add_argument("--verify", action="store_true", help="you checked the new claim; needs --evidence")
    parser.add_argument("--evidence", metavar="T", default="", help="what you checked")
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    sets = dict(_pair(text) for text in arguments.set)
    project = required_project(arguments)
    names = list(dict.fromkeys(arguments.ids))
    for name in names:
        if kiyo_acting.one_memory(project, name) is None:
            memory_named(project, name)
            raise Failure(f"{name}: sync is for Kiyo stores; use `verify` or `supersede`")
    held = [name for name in names if project.snapshot.memories[name].type != "observation"]
    synced = [name for name in names if name not in held]
    if not synced or len(names) == 1:
        return kiyo_acting.carry_out(_make(arguments, names, sets, {}), project, arguments, names)
    told = dict.fromkeys(held, "held: sync changes observations alone")
    code = kiyo_acting.carry_out(_make(arguments, synced, sets, told), project, arguments, synced)
    return EXIT_FINDINGS if held and code == EXIT_OK else code


def _make(
    arguments: argparse.Namespace, names: list[str], sets: dict[str, str], held: dict[str, str]
) -> kiyo_acting.Make:
    def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
        plan = kiyo.sync(memory, sets, desk, verified=arguments.verify, evidence=arguments.evidence)
        if isinstance(plan, Refusal) or plan.edits:
            return plan
        state = project.snapshot.states[memory.id]
        if not sets and state.served == "withheld":
            return Plan(f"{memory.id}: pending ({state.reason}); state what holds with --set")
        return plan

    def make(project: Project) -> Plan | Refusal:
        plans = []
        for name in names:
            plan = kiyo_acting.at_desk(arguments, name, act)(project)
            if isinstance(plan, Refusal):
                return plan
            plans.append(plan)
        notes = tuple(f"{name} {why}" for name, why in held.items())
        return kiyo.together(plans, notes)

    return make


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise Failure(f"--set {name}: write FIELD=VALUE")
    return name.strip().lower().replace("-", "_"), value.strip()
