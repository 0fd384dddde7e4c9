"""Put a newer memory in an older one's place: one that exists (--by-memory), or a new one (the options of `capture`).

Both records name each other, and the old one is withheld from then on. Only a person supersedes.
"""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import memory_named, now_text, record_text
from memory_lsp.cli.capture import add_capture, captured, new_record
from memory_lsp.cli.output import EXIT_REFUSED, Failure
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Memory, Plan, Refusal
from memory_lsp.operations import kiyo
from memory_lsp.operations.supersede import supersede, supersede_by_capture
from memory_lsp.workspace.project import Project

NAME = "supersede"
HELP = "put a newer memory in an older one's place"
EPILOG = """examples:
  memory-lsp supersede mem-k3x9q2m7wd --by-memory mem-p5fjq3hs2a --write
  memory-lsp supersede mem-k3x9q2m7wd --title "Five attempts" --statement "..." --cite src/pay.py#Gateway.charge --write
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("old", metavar="OLD", help="the memory that no longer holds")
    parser.add_argument("--by-memory", metavar="NEW", default="", help="the memory that holds instead")
    parser.add_argument("--reason", metavar="T", default="", help="why")
    add_capture(parser)
    kiyo_acting.add_approval(parser)
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    new = bool(arguments.title or arguments.statement or arguments.cite or arguments.source)
    if new == bool(arguments.by_memory):
        raise Failure("name the newer memory with --by-memory NEW, or describe it with --title, --statement and --cite")
    project = required_project(arguments)
    old = memory_named(project, arguments.old)
    if old.dialect == "kiyo" and not arguments.by_memory:

        def act(memory: Memory, project: Project, desk: kiyo.Desk) -> Plan | Refusal:
            return kiyo.supersede(memory, new_record(project, arguments), desk)

        return kiyo_acting.carry_out(kiyo_acting.at_desk(arguments, old.id, act), project, arguments, (old.id,))
    if old.dialect == "kiyo":
        raise Failure(f"{old.id}: a Kiyo record is revised by a new one: describe it with --statement", EXIT_REFUSED)
    by, at = actor(arguments, project), now_text()
    if arguments.by_memory:
        heir = memory_named(project, arguments.by_memory)
        texts = record_text(project, old), record_text(project, heir)
        memories = project.snapshot.memories
        result = supersede(old, texts[0], heir, texts[1], memories=memories, by=by, at=at, reason=arguments.reason)
        return carry_out(result, project, arguments)
    for option in ("title", "statement", "cite"):
        if not getattr(arguments, option):
            raise Failure(f"the newer memory needs --{option}")
    plan = captured(project, arguments, at, supersedes=(old.id,))
    if not isinstance(plan, Refusal):
        plan = supersede_by_capture(old, record_text(project, old), plan, by=by, at=at, reason=arguments.reason)
    return carry_out(plan, project, arguments)
