"""A program on a terminal of its own: a tmux that nobody else uses, driven by keys and read as text."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path


class Terminal:
    """``command`` (a shell line) runs in ``folder`` on a screen of ``columns`` x ``rows``; ``scratch`` holds tmux's socket."""

    def __init__(
        self, command: str, folder: Path, scratch: Path, environment: Mapping[str, str], columns: int, rows: int
    ) -> None:
        self._socket = str(scratch / "tmux")
        told = {**environment, "TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        told.pop("TMUX", None)
        size = ["-x", str(columns), "-y", str(rows), "-c", str(folder)]
        self._tmux("-u", "new-session", "-d", "-s", "editor", *size, command, environment=told)

    def _tmux(self, *arguments: str, environment: Mapping[str, str] | None = None) -> str:
        command = ["tmux", "-S", self._socket, "-f", os.devnull, *arguments]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, encoding="utf-8", timeout=10, env=environment
        ).stdout

    def keys(self, *names: str) -> None:
        """Press keys by tmux's names: "Space", "Enter", "Escape", "C-s", or one character each."""
        self._tmux("send-keys", "-t", "editor", *names)

    def type(self, text: str) -> None:
        """Type a text as it is."""
        self._tmux("send-keys", "-t", "editor", "-l", text)

    def screen(self, *, colours: bool = False) -> str:
        """What is on the screen, line by line; with ``colours`` as ANSI sequences."""
        return self._tmux("capture-pane", "-p", *(["-e"] if colours else []), "-t", "editor")

    def sees(self, pattern: str, timeout: float = 20.0) -> None:
        """Wait until the screen matches the pattern.

        Raises:
            AssertionError: it does not in ``timeout`` seconds; the message shows the screen.
        """
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if re.search(pattern, self.screen()):
                return
            time.sleep(0.05)
        raise AssertionError(f"timeout: {pattern} is not on the screen:\n{self.screen().rstrip()}")

    def close(self) -> None:
        """End this tmux and what runs in it, and nothing else."""
        with contextlib.suppress(subprocess.SubprocessError):  # it may be gone with its window
            self._tmux("kill-server")
