"""Point citations at where their code has moved. The code is the same, so that no evidence is needed.

Only moved citations are touched. With --to one memory's citation is pointed at a place that you name, which is to be
verified afterwards unless the code there is what was verified before.
"""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import cited, memory_named, now_text, record_text
from memory_lsp.cli.output import Failure
from memory_lsp.cli.repair import sources
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Plan, Refusal, Status, Verdict
from memory_lsp.operations.follow import follow
from memory_lsp.workspace.project import Project

NAME = "follow"
HELP = "point citations at where their code has moved"
EPILOG = """examples:
  memory-lsp follow mem-k3x9q2m7wd --write
  memory-lsp follow --all
  memory-lsp follow mem-k3x9q2m7wd --to src/pay.py#Gateway.bill --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="memories whose code has moved")
    parser.add_argument("--all", action="store_true", help="every memory whose code has moved")
    parser.add_argument(
        "--to", metavar="PATH[#SYMBOL]", default="", help="where the citation of the one memory points now"
    )
    parser.add_argument(
        "--cite", metavar="N", type=int, help="which citation that is, counted from 1, if there are several"
    )
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    if arguments.all == bool(arguments.ids):
        raise Failure("name the memories, or give --all")
    if arguments.to and (arguments.all or len(set(arguments.ids)) != 1):
        raise Failure("--to goes with exactly one memory")
    if arguments.cite is not None and (not arguments.to or arguments.cite < 1):
        raise Failure("--cite goes with --to and is the number of a citation, counted from 1")
    project = required_project(arguments)
    names = _moved(project) if arguments.all else list(dict.fromkeys(arguments.ids))
    found = project.snapshot.memories
    kiyo = [name for name in names if name in found and found[name].dialect == "kiyo"]
    if kiyo and arguments.to:
        raise Failure(
            f"{kiyo[0]} is a Kiyo record: change its source with `memory-lsp sync {kiyo[0]} --set source=...`"
        )
    if kiyo and len(kiyo) == len(names) and not arguments.all:
        return kiyo_acting.carry_out(sources(arguments, kiyo), project, arguments, kiyo)
    if kiyo and not arguments.all:
        raise Failure(f"{kiyo[0]} is a Kiyo record: follow those alone, or use `memory-lsp repair`")
    names = [name for name in names if name not in kiyo]
    to = cited(project, (arguments.to,))[0].text if arguments.to else ""
    plans: list[Plan] = []
    for name in names:
        memory = memory_named(project, name)
        plan = follow(
            memory,
            record_text(project, memory),
            project.snapshot.judgements.get(memory.id, ()),
            project.snapshot.sources,
            by=actor(arguments, project),
            at=now_text(),
            index=None if arguments.cite is None else arguments.cite - 1,
            to=to,
        )
        if isinstance(plan, Refusal):
            return carry_out(plan, project, arguments)
        plans.append(plan)
    return carry_out(_together(plans), project, arguments)


def _moved(project: Project) -> list[str]:
    snapshot = project.snapshot
    ended = (Status.DEPRECATED, Status.SUPERSEDED)
    return [
        name
        for name, judgements in sorted(snapshot.judgements.items())
        if any(judgement.verdict is Verdict.MOVED for judgement in judgements)
        and snapshot.memories[name].status not in ended
    ]


def _together(plans: list[Plan]) -> Plan:
    if not plans:
        return Plan("No memory's code has moved")
    return Plan(
        "\n".join(plan.summary for plan in plans),
        tuple(edit for plan in plans for edit in plan.edits),
        tuple(event for plan in plans for event in plan.events),
        tuple(note for plan in plans for note in plan.notes),
    )
