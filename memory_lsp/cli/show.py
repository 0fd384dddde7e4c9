"""Print what is stored about memories, and claim nothing about the code.

Without an id all memories are listed, one a line. `memory-lsp check` judges them.
"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from memory_lsp.cli.output import EXIT_FINDINGS, EXIT_OK, EXIT_UNASSESSED, complain, console, print_json
from memory_lsp.cli.workspace import folder_of, no_store, stored_records
from memory_lsp.core.display import shown
from memory_lsp.core.kiyo_trust import CONFLICT, NOT_ASSESSED
from memory_lsp.core.model import Memory
from memory_lsp.workspace.impact import NO_STORE, Impact

if TYPE_CHECKING:
    from rich.console import Console

NAME = "show"
HELP = "print what is stored about a memory"
EPILOG = """examples:
  memory-lsp show                  all memories, one a line
  memory-lsp show mem-4k2c         everything that one record holds
  memory-lsp show mem-4k2c --format json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="*", metavar="ID", help="memories (default: all)")


def run(arguments: argparse.Namespace) -> int:
    found = stored_records(arguments)
    if found is None:
        folder = folder_of(arguments)
        if arguments.format == "json":
            report = {"schema": "memory-lsp.show/1", "root": str(folder), "memories": [], "impact": NO_STORE.as_json()}
            print_json(report)
        else:
            console().print(no_store(folder)[:1].upper() + no_store(folder)[1:])
        return EXIT_UNASSESSED if arguments.ids else EXIT_OK
    root, memories, stores = found
    kiyo = bool(stores.denied or stores.places or any(store.dialect == "kiyo" for store in stores.stores))
    gaps = tuple((path, "denied") for path in stores.denied)
    if stores.conflict:
        impact = Impact(CONFLICT, "pending", (), stores.conflict, gaps)
    else:
        impact = Impact(NOT_ASSESSED, "none", (), "denied" if gaps else "not re-checked", gaps)
    unknown = [name for name in arguments.ids if all(memory.id != name for memory in memories)]
    for name in unknown:
        told = ", ".join(stores.denied)
        complain(f"{name}: UNVERIFIED, {told} is denied" if told else f"{name}: no memory has this id")
    wanted = [memory for memory in memories if not arguments.ids or memory.id in arguments.ids]
    if arguments.format == "json":
        shown_ = [stored(memory) for memory in wanted]
        for item in shown_:
            store = next((store for store in stores.stores if store.holds(str(item["path"]))), None)
            item["store"] = store.path if store else ""
        more = {"impact": impact.as_json()} if kiyo else {}
        print_json({"schema": "memory-lsp.show/1", "root": str(root), "memories": shown_, **more})
    else:
        target = console()
        for memory in wanted:
            if arguments.ids:
                _print_memory(target, memory)
            else:
                target.print(
                    f"{shown(memory.id, 80)}  {memory.stored or memory.status.value}  {shown(memory.title or memory.statement, 120)}"
                )
        for path in stores.denied:
            target.print(f"{shown(path, 200)} cannot be read: denied")
        if kiyo:
            target.print(f"Memory impact: {impact.value}: {shown(impact.reason, 200)}")
        if not memories and not stores.denied:
            target.print("No memories yet; `memory-lsp capture` records one.")
    if stores.conflict and stores.places:
        return EXIT_FINDINGS
    return EXIT_UNASSESSED if unknown or stores.denied else EXIT_OK


def stored(memory: Memory) -> dict[str, Any]:
    """The stored facts of a memory as JSON."""
    kiyo = {"fields": {name: " ".join(value.split()) for name, value in memory.fields.items()}} if memory.fields else {}
    return {
        **kiyo,
        "id": memory.id,
        "dialect": memory.dialect,
        "path": memory.path,
        "status": memory.status.value,
        "stored": memory.stored,
        "title": memory.title,
        "type": memory.type,
        "statement": memory.statement,
        "scope": memory.scope,
        "author": memory.author,
        "tags": list(memory.tags),
        "context": dict(memory.context),
        "citations": [
            {
                "text": citation.text,
                "path": citation.path,
                "symbol": citation.symbol,
                "kind": citation.kind,
                "excerpt": citation.excerpt,
                "blob": citation.blob,
                "sha256": citation.sha256,
                "fingerprint": citation.fingerprint.producer if citation.fingerprint else None,
            }
            for citation in memory.citations
        ],
        "verifications": [
            {"by": event.by, "at": event.at, "evidence": event.evidence, "changes": event.changes}
            for event in memory.verifications
        ],
        "supersedes": list(memory.supersedes),
        "superseded_by": list(memory.superseded_by),
        "valid_from": memory.valid_from,
        "valid_until": memory.valid_until,
        "recorded_at": memory.recorded_at,
        "stale_after": memory.stale_after,
        "ttl_days": memory.ttl_days,
        "last_verified_at": memory.last_verified_at,
    }


_SHOWN = frozenset({"id", "statement", "status", "record_type", "supersedes", "stale_when"})
"""Fields of a Kiyo record that are shown under another name."""


def _print_memory(target: Console, memory: Memory) -> None:
    from rich.text import Text

    target.print(Text.assemble((shown(memory.id, 80), "bold"), "  ", shown(memory.title, 200)))
    rows = [
        ("status", memory.stored or memory.status.value),
        ("type", memory.type),
        ("scope", memory.scope),
        ("author", memory.author),
        ("recorded", memory.recorded_at),
        ("record", memory.path),
        ("claim", memory.statement),
        *((name.replace("_", " "), text) for name, text in memory.context.items()),
        *(("cites", citation.text) for citation in memory.citations),
        *(
            (
                "verified",
                f"{event.at}"
                + (f" by {event.by}" if event.by else "")
                + (f": {event.evidence}" if event.evidence else ""),
            )
            for event in memory.verifications
        ),
        ("supersedes", ", ".join(memory.supersedes)),
        ("superseded by", ", ".join(memory.superseded_by)),
        ("valid", " until ".join(filter(None, (memory.valid_from, memory.valid_until)))),
        ("stale after", memory.stale_after),
        ("tags", ", ".join(memory.tags)),
        *((name, " ".join(value.split())) for name, value in memory.fields.items() if name not in _SHOWN),
        *((("re-checked", "not re-checked"),) if memory.fields else ()),
    ]
    for label, value in rows:
        if value:
            target.print(Text.assemble((f"  {label}: ", "dim"), shown(value, 600)))
