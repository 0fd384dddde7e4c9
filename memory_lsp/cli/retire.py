"""Take a memory out of use: it no longer applies, and nothing takes its place."""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named, now_text, record_text
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.operations import kiyo
from memory_lsp.operations.retire import retire
from memory_lsp.workspace.project import Project

NAME = "retire"
HELP = "take a memory out of use"
EPILOG = """examples:
  memory-lsp retire mem-k3x9q2m7wd --reason "the gateway was removed in 4.0" --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    parser.add_argument("--reason", metavar="T", required=True, help="why it no longer applies")
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    project = required_project(arguments)
    memory = memory_named(project, arguments.id)
    if memory.dialect == "kiyo":

        def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
            return kiyo.end(memory, desk, status="ARCHIVED", act="retire", reason=arguments.reason)

        return kiyo_acting.carry_out(kiyo_acting.at_desk(arguments, memory.id, act), project, arguments, (memory.id,))
    text = record_text(project, memory)
    result = retire(memory, text, by=actor(arguments, project), at=now_text(), reason=arguments.reason)
    return carry_out(result, project, arguments)
