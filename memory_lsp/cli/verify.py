"""Say that a memory is still true, after looking at the code.

What was seen of its code is taken anew. Where that code has changed, evidence is needed: what you checked.
"""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named, now_text, record_text
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Memory, Plan, Refusal, Verdict
from memory_lsp.operations import kiyo
from memory_lsp.operations.verify import verify
from memory_lsp.workspace.project import Project

NAME = "verify"
HELP = "say that a memory is still true, with evidence"
EPILOG = """examples:
  memory-lsp verify mem-k3x9q2m7wd --evidence "read the diff: the key is still reused"
  memory-lsp verify mem-k3x9q2m7wd --evidence "ran tests/test_pay.py" --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    parser.add_argument(
        "--evidence", metavar="T", default="", help="what you checked (needed unless the code is the same)"
    )
    add_write(parser)


def kiyo_verify(arguments: argparse.Namespace) -> kiyo_acting.Make:
    """The verification of a Kiyo record."""

    def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
        judgements = project.snapshot.judgements.get(memory.id, ())
        conflict = project.snapshot.states[memory.id].verdict is Verdict.CONFLICT
        return kiyo.verify(memory, judgements, desk, evidence=arguments.evidence, conflict=conflict)

    return kiyo_acting.at_desk(arguments, arguments.id, act)


def run(arguments: argparse.Namespace) -> int:
    project = required_project(arguments)
    memory = memory_named(project, arguments.id)
    if memory.dialect == "kiyo":
        return kiyo_acting.carry_out(kiyo_verify(arguments), project, arguments, (memory.id,))
    snapshot = project.snapshot
    result = verify(
        memory,
        record_text(project, memory),
        snapshot.judgements.get(memory.id, ()),
        snapshot.sources,
        by=actor(arguments, project),
        at=now_text(),
        evidence=arguments.evidence,
        expired=snapshot.states[memory.id].verdict is Verdict.EXPIRED,
    )
    return carry_out(result, project, arguments)
