"""``memory-lsp demo``: see what an editor would show, on a small example project."""

from __future__ import annotations

import argparse
from pathlib import Path

NAME = "demo"
HELP = "play the whole story on an example project: the real server, what an editor would show"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of ``demo``."""
    parser.add_argument(
        "--keep", action="store_true", help="keep the example project and say how to open it in an editor"
    )
    parser.add_argument("--svg", metavar="FILE", type=Path, help="also write what is shown as a picture")


def run(arguments: argparse.Namespace) -> int:
    """Run the story; exit code 1 with one line if a step does not show what it should."""
    from memory_lsp.demo.story import play

    return play(keep=arguments.keep, svg=arguments.svg)
