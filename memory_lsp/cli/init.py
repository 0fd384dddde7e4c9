"""Start a store of memories in this project: a folder `.memory/` with an index page.

Nothing is written without --write (or a yes on a terminal), and never a second store beside an existing one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from memory_lsp.cli.output import EXIT_OK, EXIT_REFUSED, complain, confirm, console, on_terminal, print_json
from memory_lsp.cli.workspace import add_write, folder_of
from memory_lsp.dialects.kiyo_index import HEADER
from memory_lsp.workspace.roots import candidates, find_root, find_stores
from memory_lsp.workspace.writer import create_file

NAME = "init"
HELP = "start a store of memories in this project"
EPILOG = """examples:
  memory-lsp init             say what would be made
  memory-lsp init --write     make it
"""

INDEX_PATH = ".memory/index.md"
INDEX = """---
okf_version: "0.2"
type: index
title: What we remember about this project
---

# What we remember about this project

Each file in this folder is one memory: a claim about the code, with the code that it is about.
`memory-lsp check` says which of them the code still bears out.
"""


KIYO_FILES = {
    ".kiyo/policy.md": "# Project memory policy\n\n- Canonical Memory index: memory/index.md\n",
    ".kiyo/memory/index.md": HEADER,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--dialect", choices=("okf", "kiyo"), default="okf", help="the format of the store (default: okf)"
    )
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    folder = folder_of(arguments)
    existing = find_root(folder)
    if existing is not None:
        found = find_stores(existing)
        held = ", ".join(f"{store.path} ({store.dialect})" for store in found.stores)
        held = held or f"{', '.join(found.denied)}, which cannot be read"
        if arguments.dialect == "kiyo":
            okf = not found.conflict and any(
                store.dialect == "kiyo" and store.path == ".kiyo/memory" for store in found.stores
            )
            okf = okf and not found.denied
        else:
            okf = any(store.dialect == "okf" for store in found.stores)
        message = f"{existing} holds a store already: {held}"
        if arguments.format == "json":
            print_json(
                {
                    "schema": "memory-lsp.init/1",
                    "root": str(existing),
                    "created": [],
                    "written": False,
                    "reason": message,
                }
            )
        elif okf:
            console().print(message)
        if not okf:
            complain(f"{message}; a second store beside it is never made")
        return EXIT_OK if okf else EXIT_REFUSED
    root = folder if arguments.root else _top(folder)
    as_json = arguments.format == "json"
    wanted_files = KIYO_FILES if arguments.dialect == "kiyo" else {INDEX_PATH: INDEX}
    if not as_json:
        for path, text in wanted_files.items():
            console().print(f"{root / path}\n")
            console().print(text)
    wanted = arguments.write or (not as_json and on_terminal() and confirm("Write this?"))
    if wanted:
        for path, text in wanted_files.items():
            problem = create_file(root, path, text)
            if problem:
                complain(problem)
                return EXIT_REFUSED
    if as_json:
        print_json(
            {"schema": "memory-lsp.init/1", "root": str(root), "created": list(wanted_files), "written": bool(wanted)}
        )
    elif wanted:
        console().print(f"Wrote {', '.join(wanted_files)}; `memory-lsp capture` records the first memory.")
    else:
        console().print("Nothing was written; --write writes it.")
    return EXIT_OK


def _top(folder: Path) -> Path:
    """The folder of the repository, else ``folder``."""
    return candidates(folder)[-1]
