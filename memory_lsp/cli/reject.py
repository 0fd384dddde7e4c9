"""Reject a pending memory. A tombstone keeps the same claim about the same code from being captured again.

Only a person rejects; a memory that was approved is retired instead.
"""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named, now_text, record_text, tombstones_text
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.operations import kiyo
from memory_lsp.operations.reject import reject
from memory_lsp.workspace.project import Project

NAME = "reject"
HELP = "reject a pending memory"
EPILOG = """examples:
  memory-lsp reject mem-k3x9q2m7wd --reason "the retry is in the client, not here" --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    parser.add_argument("--reason", metavar="T", required=True, help="why it is not accepted")
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    project = required_project(arguments)
    memory = memory_named(project, arguments.id)
    if memory.dialect == "kiyo":

        def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
            return kiyo.end(memory, desk, status="REJECTED", act="reject", reason=arguments.reason)

        return kiyo_acting.carry_out(kiyo_acting.at_desk(arguments, memory.id, act), project, arguments, (memory.id,))
    result = reject(
        memory,
        record_text(project, memory),
        by=actor(arguments, project),
        at=now_text(),
        reason=arguments.reason,
        tombstones=tombstones_text(project),
    )
    return carry_out(result, project, arguments)
