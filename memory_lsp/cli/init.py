"""Start a store of memories in this project: a folder `.memory/` with an index page.

Nothing is written without --write (or a yes on a terminal), and never a second store beside an existing one.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from memory_lsp.cli.output import EXIT_OK, EXIT_REFUSED, complain, confirm, console, on_terminal, print_json
from memory_lsp.cli.workspace import add_write, folder_of
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


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_write(parser)


def run(arguments: argparse.Namespace) -> int:
    folder = folder_of(arguments)
    existing = find_root(folder)
    if existing is not None:
        held = ", ".join(f"{store.path} ({store.dialect})" for store in find_stores(existing).stores)
        okf = any(store.dialect == "okf" for store in find_stores(existing).stores)
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
    if not as_json:
        console().print(f"{root / INDEX_PATH}\n")
        console().print(INDEX)
    wanted = arguments.write or (not as_json and on_terminal() and confirm("Write this?"))
    if wanted:
        problem = create_file(root, INDEX_PATH, INDEX)
        if problem:
            complain(problem)
            return EXIT_REFUSED
    if as_json:
        print_json({"schema": "memory-lsp.init/1", "root": str(root), "created": [INDEX_PATH], "written": bool(wanted)})
    elif wanted:
        console().print(f"Wrote {INDEX_PATH}; `memory-lsp capture` records the first memory.")
    else:
        console().print("Nothing was written; --write writes it.")
    return EXIT_OK


def _top(folder: Path) -> Path:
    """The folder of the repository, else ``folder``."""
    return candidates(folder)[-1]
