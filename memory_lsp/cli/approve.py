"""Approve a pending memory: from then on it is served by its verdict. Only a person approves."""

from __future__ import annotations

import argparse

from memory_lsp.cli.acting import memory_named, now_text, record_text
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.operations.approve import approve

NAME = "approve"
HELP = "approve a pending memory"
EPILOG = """examples:
  memory-lsp approve mem-k3x9q2m7wd --write
  memory-lsp approve mem-k3x9q2m7wd --by human:ada --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the memory")
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    project = required_project(arguments)
    memory = memory_named(project, arguments.id)
    result = approve(memory, record_text(project, memory), by=actor(arguments, project), at=now_text())
    return carry_out(result, project, arguments)
