"""Approve a pending memory: from then on it is served by its verdict. Only a person approves."""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named, now_text, record_text
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.operations import kiyo
from memory_lsp.operations.approve import approve
from memory_lsp.workspace.project import Project

NAME = "approve"
HELP = "approve a pending memory"
EPILOG = """examples:
  memory-lsp approve mem-k3x9q2m7wd --write
  memory-lsp approve mem-k3x9q2m7wd --by human:ada --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    add_write(parser)
    kiyo_acting.add_approval(parser)


def run(arguments: argparse.Namespace) -> int:
    project = required_project(arguments)
    memory = memory_named(project, arguments.id)
    if memory.dialect == "kiyo":

        def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
            return kiyo.approve(memory, kiyo_acting.approval_of(arguments), desk)

        return kiyo_acting.carry_out(kiyo_acting.at_desk(arguments, memory.id, act), project, arguments, (memory.id,))
    result = approve(memory, record_text(project, memory), by=actor(arguments, project), at=now_text())
    return carry_out(result, project, arguments)
