"""Record a new memory about code.

Every cited path and symbol must be there: a name that is not is refused, with the nearest ones. The record is shown and,
with --write (or a yes on a terminal), written. A person's capture is approved, a program's waits for review.
"""

from __future__ import annotations

import argparse

from memory_lsp.cli import kiyo_acting
from memory_lsp.cli.acting import cited, now_text, tombstones_text
from memory_lsp.cli.output import EXIT_USAGE, Failure, on_terminal
from memory_lsp.cli.workspace import actor, add_write, carry_out, required_project
from memory_lsp.core.model import Plan, Refusal
from memory_lsp.dialects.kiyo_source import Known, read_source
from memory_lsp.operations import kiyo
from memory_lsp.operations.capture import CaptureRequest, StoreView, capture, choose_store
from memory_lsp.operations.tombstones import read_tombstones
from memory_lsp.workspace.project import Project

NAME = "capture"
HELP = "record a new memory about code"
EPILOG = """examples:
  memory-lsp capture --title "Charges are idempotent" --statement "Every attempt of \\`charge\\` has the same key." \\
      --cite src/pay.py#Gateway.charge --type decision --why "The processor bills what it has accepted." --write
  memory-lsp capture --title "..." --statement "..." --cite src/pay.py --lines 10-20
"""

_FACETS = {
    "why": "why it is so",
    "trigger": "when it matters",
    "action": "what to do then",
    "verification": "how to see that it holds",
    "risk-if-forgotten": "what happens to those who do not know it",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_capture(parser)
    kiyo_acting.add_approval(parser)
    add_write(parser)


def add_capture(parser: argparse.ArgumentParser) -> None:
    """The options that say what is to be remembered; ``supersede`` takes them too."""
    parser.add_argument("--title", metavar="T", default="", help="the claim in a few words")
    parser.add_argument("--statement", metavar="S", default="", help="the claim, in one or two sentences")
    parser.add_argument(
        "--cite",
        metavar="PATH[#SYMBOL]",
        action="append",
        default=[],
        help="the code that it is about, e.g. src/pay.py#Gateway.charge (again for more)",
    )
    parser.add_argument(
        "--source", metavar="TEXT", action="append", default=[], help="the same in a Kiyo store (again for more)"
    )
    parser.add_argument(
        "--topic", metavar="TOPIC", default="", help="the topic file of a Kiyo store, as in conventions"
    )
    parser.add_argument(
        "--lines",
        metavar="A-B",
        default="",
        help="the lines of the cited file or symbol that it is about: only a change of their statements counts",
    )
    parser.add_argument(
        "--type", metavar="K", default="", help="what kind of claim (default: decision; in a Kiyo store observation)"
    )
    for name, text in _FACETS.items():
        parser.add_argument(f"--{name}", metavar="TEXT", default="", help=text)
    parser.add_argument(
        "--rejected",
        metavar="TEXT",
        action="append",
        default=[],
        help="an alternative that was rejected (again for more)",
    )
    parser.add_argument(
        "--stale-when",
        metavar="TEXT",
        action="append",
        default=[],
        help="when it stops being true, in words or as a predicate such as `absent PATH#SYMBOL` (again for more)",
    )
    parser.add_argument("--tag", metavar="TAG", action="append", default=[], help="a tag (again for more)")
    parser.add_argument(
        "--scope", metavar="SCOPE", default="repo", help="session, personal, repo (default), org or public"
    )


def run(arguments: argparse.Namespace) -> int:
    project = required_project(arguments)
    snapshot = project.snapshot
    if snapshot.unreadable or snapshot.places:
        refusal = kiyo_acting.refusal_of(project, arguments)
        if refusal is not None:
            return kiyo_acting.carry_out(lambda _: refusal, project, arguments)
    chosen = _store(project, arguments)
    if isinstance(chosen, StoreView) and chosen.dialect == "kiyo":
        return kiyo_acting.carry_out(_kiyo(arguments, chosen.path), project, arguments)
    for option in ("title", "statement", "cite"):
        if not getattr(arguments, option):
            raise Failure(f"a memory needs --{option}")
    return carry_out(captured(project, arguments, now_text()), project, arguments)


def _kiyo(arguments: argparse.Namespace, folder: str) -> kiyo_acting.Make:
    def make(project: Project) -> Plan | Refusal:
        store = next((item for item in project.snapshot.stores if item.path == folder), None)
        if store is None:
            return Refusal(f"CONFLICT: {folder} is not the store any more")
        return kiyo.capture(new_record(project, arguments), kiyo_acting.desk_of(project, arguments, store))

    return make


def new_record(project: Project, arguments: argparse.Namespace) -> kiyo.NewRecord:
    """The Kiyo record that the options describe."""
    given = [*arguments.cite, *arguments.source]
    said = read_source("; ".join(arguments.source), 0, kiyo_known(project)).citations if arguments.source else ()
    cites = (*cited(project, arguments.cite, arguments.lines), *said)
    unread = bool(given) and not cites
    return kiyo.NewRecord(
        statement=arguments.statement,
        citations=cites,
        type=arguments.type or "observation",
        title=arguments.title,
        topic=arguments.topic.strip().lower().removesuffix(".md"),
        source="; ".join(arguments.source) if unread and arguments.type == "decision" else "",
        stale_when="; ".join(arguments.stale_when),
        approval=kiyo_acting.approval_of(arguments),
    )


def kiyo_known(project: Project) -> Known:
    """What the words of a source mean here and now."""
    sources = project.snapshot.sources

    def symbol(path: str, name: str) -> str:
        outline = sources.outline(path)
        groups = outline.match(name) if outline is not None else ()
        return groups[0].path if len(groups) == 1 else ""

    return Known(project.snapshot.exists, symbol, lambda word: word in project.snapshot.memories)


def captured(
    project: Project, arguments: argparse.Namespace, at: str, supersedes: tuple[str, ...] = ()
) -> Plan | Refusal:
    """The plan of the capture that the options describe."""
    snapshot = project.snapshot
    store = _store(project, arguments)
    if isinstance(store, Refusal):
        return store
    context = {name.replace("-", "_"): getattr(arguments, name.replace("-", "_")) for name in _FACETS}
    request = CaptureRequest(
        title=arguments.title,
        statement=arguments.statement,
        citations=cited(project, arguments.cite, arguments.lines),
        type=arguments.type or "decision",
        context={
            **context,
            "stale_when": "\n".join(arguments.stale_when),
            "rejected_alternatives": "\n".join(arguments.rejected),
        },
        tags=tuple(arguments.tag),
        scope=arguments.scope,
        supersedes=supersedes,
    )
    return capture(
        request,
        snapshot.sources,
        store,
        by=actor(arguments, project),
        at=at,
        exists=lambda path: not snapshot.sources.read(path).missing,
        tombstones=read_tombstones(tombstones_text(project) or ""),
        memories=snapshot.memories.values(),
    )


def _store(project: Project, arguments: argparse.Namespace) -> StoreView | Refusal:
    """The store to write to; on a terminal a person chooses where there is more than one."""
    stores = tuple(StoreView(store.dialect, store.path) for store in project.snapshot.stores)
    chosen = choose_store(stores, project.snapshot.settings.store)
    if isinstance(chosen, StoreView) or len(stores) < 2 or not on_terminal() or arguments.format == "json":
        return chosen
    for number, store in enumerate(stores, 1):
        print(f"{number}  {store.path} ({store.dialect})")
    answer = input("Which store? ").strip()
    if not answer.isdecimal() or not 1 <= int(answer) <= len(stores):
        raise Failure(f"`{answer}` is none of these stores", EXIT_USAGE)
    return stores[int(answer) - 1]
