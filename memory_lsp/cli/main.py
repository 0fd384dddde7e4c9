"""The command line: finds the command and imports its module alone, since start-up time is felt at every call.

A command module has ``NAME``, ``HELP`` (one line), optionally ``EPILOG`` (examples), ``add_arguments(parser)`` and
``run(arguments) -> int``. Exit codes: design section 11.
"""

from __future__ import annotations

import argparse
import errno
import importlib
import logging
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from memory_lsp import __version__
from memory_lsp.cli.output import EXIT_UNASSESSED, EXIT_USAGE, Failure, complain

COMMANDS = {
    "serve": "run the language server on standard input and output",
    "init": "start a store of memories in this project",
    "check": "judge the memories against the code as it is now",
    "show": "print what is stored about a memory",
    "capture": "record a new memory about code",
    "verify": "say that a memory is still true, with evidence",
    "supersede": "put a newer memory in an older one's place",
    "retire": "take a memory out of use",
    "approve": "approve a pending memory",
    "reject": "reject a pending memory",
    "follow": "point citations at where their code has moved",
    "sync": "bring observations of a Kiyo store up to date",
    "repair": "repair pointers of a Kiyo store",
    "impact": "say what a change means for the memories",
    "compare": "compare a symbol in two versions",
    "bench": "measure the verdicts on recorded edits and on history",
    "demo": "play a short story on a small project",
}

_EPILOG = """commands:
{commands}

examples:
  memory-lsp init                         start a store in .memory/
  memory-lsp capture --title "Charges are idempotent" --statement "..." --cite src/pay.py#Gateway.charge --type decision
  memory-lsp check                        which memories does the code no longer bear out?
  memory-lsp check mem-4k2c               one memory in detail: what moved, since when, by whom
  memory-lsp verify mem-4k2c --evidence "ran the tests, read the diff" --write

`memory-lsp COMMAND --help` explains a command. Exit codes: 0 fine, 1 findings, 2 usage, 3 a write refused, 4 not assessed.
"""


def main(argv: Sequence[str]) -> int:
    """Run one command; the exit code. Errors of the user are one line on stderr, never a traceback."""
    before, name, after = _split(list(argv))
    if not name:
        parser = _top()
        parser.parse_args(before)
        parser.print_help()
        return EXIT_USAGE
    if name not in COMMANDS:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, 1)
        complain(
            f"there is no command `{name}`"
            + (f"; did you mean `{near[0]}`?" if near else "; `memory-lsp --help` lists them")
        )
        return EXIT_USAGE
    try:
        module = importlib.import_module(f"memory_lsp.cli.{name}")
        arguments = _parser(name, module).parse_args([*after, *before])
        _log_to(arguments.log_file, arguments.log_level)
        code: int = module.run(arguments)
        sys.stdout.flush()
        return code
    except Failure as failure:
        complain(str(failure))
        return failure.code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader went away; point stdout at nothing so that the interpreter's own flush stays quiet.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EIO) and error.filename is None:
            complain(f"the output could not be written: {error.strerror}")
            # What is still buffered would fail once more at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return EXIT_UNASSESSED
        logging.getLogger("memory_lsp").exception("command %s failed", name)
        complain(f"this is a bug: {type(error).__name__}: {error}; --log-file FILE keeps the details")
        return 70


def _parser(name: str, module: ModuleType) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"memory-lsp {name}",
        description=module.__doc__,
        epilog=getattr(module, "EPILOG", None),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.add_arguments(parser)
    add_common(parser)
    return parser


def add_common(parser: argparse.ArgumentParser) -> None:
    """Options that every command takes; a command that has one of them already keeps its own."""
    group = parser.add_argument_group("common options")
    known = parser._option_string_actions
    for flag, keywords in _COMMON:
        if flag not in known:
            group.add_argument(flag, **keywords)  # type: ignore[arg-type]


_COMMON: tuple[tuple[str, dict[str, object]], ...] = (
    ("--root", {"metavar": "DIR", "help": "the project (default: upwards from the current folder)"}),
    (
        "--store",
        {"metavar": "PATH", "help": "the store to write to if there is more than one (a path, or okf, kage, kiyo)"},
    ),
    ("--by", {"metavar": "ACTOR", "help": "who acts, e.g. human:ada or process:nightly"}),
    ("--format", {"choices": ("text", "json"), "default": "text", "help": "text for people or json for programs"}),
    ("--log-file", {"metavar": "FILE", "help": "append details to this file"}),
    (
        "--log-level",
        {"choices": ("debug", "info", "warning", "error"), "default": "info", "help": "how much goes there"},
    ),
    ("--version", {"action": "version", "version": f"memory-lsp {__version__}"}),
)
_WITH_VALUE = frozenset({"--root", "--store", "--by", "--format", "--log-file", "--log-level"})


def _split(argv: list[str]) -> tuple[list[str], str, list[str]]:
    """Options in front of the command, the command, and what follows it."""
    position = 0
    while position < len(argv) and argv[position].startswith("-"):
        position += 2 if argv[position] in _WITH_VALUE else 1
    if position >= len(argv):
        return argv, "", []
    return argv[:position], argv[position], argv[position + 1 :]


def _top() -> argparse.ArgumentParser:
    commands = "\n".join(f"  {name:<10} {text}" for name, text in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="memory-lsp",
        usage="memory-lsp COMMAND [options]",
        description="Keeps what coding agents remember tied to the code it is about.",
        epilog=_EPILOG.format(commands=commands),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_common(parser)
    return parser


def _log_to(path: str | None, level: str) -> None:
    logger = logging.getLogger("memory_lsp")
    logger.propagate = False
    if not path:
        logger.addHandler(logging.NullHandler())
        return
    try:
        handler = logging.FileHandler(path, encoding="utf-8")
    except OSError as error:
        raise Failure(f"--log-file {path}: {error.strerror}") from error
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(level.upper())
