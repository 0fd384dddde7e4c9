"""Run the language server on standard input and output.

Editors start this command; there is nothing to do with it on a terminal. Warnings and errors go to standard error, or
with --log-file to a file.
"""

from __future__ import annotations

import argparse
import logging
import os
import sys

NAME = "serve"
HELP = "run the language server on standard input and output"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """``--stdio`` is accepted because many editors pass it; there is no other transport."""
    parser.add_argument("--stdio", action="store_true", help="the only transport; accepted because editors pass it")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the client is gone. Ends the process itself: a git command or a file read that hangs must not keep it."""
    from memory_lsp.server.start import serve

    _log(arguments.log_file)
    code = serve()
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


def _log(path: str | None) -> None:
    """Libraries log where we do; without a file only what is wrong goes to standard error, which editors keep."""
    ours = logging.getLogger("memory_lsp")
    # What pygls says at INFO holds whole messages.
    logging.getLogger("pygls").setLevel(ours.level if ours.level == logging.DEBUG else logging.WARNING)
    if path:
        logging.getLogger().handlers = list(ours.handlers)
        return
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("memory-lsp: %(levelname)s %(message)s"))
    logging.getLogger().addHandler(handler)
    ours.handlers = []
    ours.propagate = True
