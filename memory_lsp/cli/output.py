"""What a command prints: text for people (rich, imported late) or JSON for programs, and errors as one line on stderr."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING, Any

from memory_lsp.core.display import shown

if TYPE_CHECKING:
    from rich.console import Console

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_USAGE = 2
EXIT_REFUSED = 3
EXIT_UNASSESSED = 4


class Failure(Exception):
    """A command ends with one line on stderr and an exit code."""

    def __init__(self, message: str, code: int = EXIT_USAGE) -> None:
        super().__init__(message)
        self.code = code


def console(target: IO[str] | None = None) -> Console:
    """Standard output for people: colour on a terminal alone, none with ``NO_COLOR``; long lines are not cut."""
    from rich.console import Console

    return Console(
        file=target,
        soft_wrap=True,
        highlight=False,
        emoji=False,
        markup=False,
        no_color=True if "NO_COLOR" in os.environ else None,
    )


def print_json(value: Any, target: IO[str] | None = None) -> None:
    """One JSON document on standard output, or in a file; lone surrogates are escaped, so that it is always valid UTF-8."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2)
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    if target is not None:
        target.write(text + "\n")
        return
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        sys.stdout.write(text + "\n")
        return
    sys.stdout.flush()
    stream.write(text.encode("utf-8") + b"\n")
    stream.flush()


def complain(message: str) -> None:
    """One line on stderr."""
    sys.stderr.write(f"memory-lsp: {shown(message, 1000)}\n")


def on_terminal() -> bool:
    """Whether a person sits in front: input and output are terminals."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def confirm(question: str) -> bool:
    """Ask on the terminal; anything but yes is no."""
    sys.stdout.write(f"{question} [y/N] ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def print_diff(target: Console, lines: Iterable[str], indent: str = "") -> None:
    """A unified diff, coloured on a terminal; control characters are made harmless, tabs and indentation stay."""
    for line in lines:
        style = (
            "green"
            if line.startswith("+")
            else "red"
            if line.startswith("-")
            else "cyan"
            if line.startswith("@@")
            else None
        )
        target.print(indent + visible(line), style=style)


def visible(line: str) -> str:
    """One line of a file with everything that could steer a terminal replaced; white space stays."""
    line = line.rstrip("\r\n").expandtabs(4)
    return line if line.isprintable() else "".join(character if character.isprintable() else "�" for character in line)
