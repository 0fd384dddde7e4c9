"""One long-lived ``git cat-file`` process."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import threading
import time

TIME_LIMIT = 10.0
"""Seconds for one call."""
MAX_OBJECT_BYTES = 50_000_000
"""Larger objects are not read."""


class Batch:
    """One ``git cat-file`` process that answers request by request; started when first asked, and again after it died."""

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._buffer = bytearray()

    def header(self, name: str) -> tuple[str, int]:
        """``(type, size)`` of an object, ``("", 0)`` if it does not exist (``--batch-check`` only)."""
        words = self._ask(name, content=False)[0].rsplit(" ", 2)
        return (words[1], int(words[2])) if len(words) == 3 and words[2].isdigit() else ("", 0)

    def name(self, name: str) -> str:
        """The full id of an object, else empty (``--batch-check`` only)."""
        words = self._ask(name, content=False)[0].split(" ")
        return words[0] if len(words) == 3 and words[2].isdigit() else ""

    def content(self, name: str) -> bytes | None:
        """The content of a blob (``--batch`` only)."""
        return self._ask(name, content=True)[1]

    def close(self) -> None:
        process, self._process = self._process, None
        self._buffer.clear()
        if process is None:
            return
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()

    def _ask(self, name: str, *, content: bool) -> tuple[str, bytes | None]:
        with self._lock:
            for _ in range(2):
                process = self._running()
                if process is None or process.stdin is None or process.stdout is None:
                    return "", None
                deadline = time.monotonic() + TIME_LIMIT
                try:
                    process.stdin.write(name.encode("utf-8", "surrogateescape") + b"\n")
                    process.stdin.flush()
                    return self._answer(process.stdout.fileno(), deadline, content=content)
                except (OSError, EOFError, ValueError):
                    self.close()
            return "", None

    def _answer(self, stream: int, deadline: float, *, content: bool) -> tuple[str, bytes | None]:
        end = self._buffer.find(b"\n")
        while end < 0:
            self._fill(stream, deadline)
            end = self._buffer.find(b"\n")
        header = self._take(end + 1)[:-1].decode("utf-8", "replace")
        words = header.rsplit(" ", 2)
        if not content or len(words) != 3 or not words[2].isdigit():
            return header, None
        size = int(words[2])
        if size > MAX_OBJECT_BYTES:
            # Reading on would hold all of it in memory; a new process is cheaper.
            self.close()
            return header, None
        while len(self._buffer) < size + 1:
            self._fill(stream, deadline)
        data = self._take(size + 1)
        return header, data[:-1] if words[1] == "blob" else None

    def _fill(self, stream: int, deadline: float) -> None:
        """Read what is there, waiting until the deadline. Windows has no such wait for pipes, and waits for as long as it takes."""
        if hasattr(select, "poll"):
            waiting = select.poll()
            waiting.register(stream, select.POLLIN)
            if not waiting.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise TimeoutError
        chunk = os.read(stream, 1 << 18)
        if not chunk:
            raise EOFError
        self._buffer += chunk

    def _take(self, count: int) -> bytes:
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _running(self) -> subprocess.Popen[bytes] | None:
        if self._process is not None and self._process.poll() is None:
            return self._process
        self.close()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment(),
            )
        except OSError:
            return None
        return self._process


def environment() -> dict[str, str]:
    kept = {
        key: value for key, value in os.environ.items() if not key.startswith("GIT_") or key.startswith("GIT_CONFIG_")
    }
    return {
        **kept,
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        # Older versions of git do not know GIT_NO_LAZY_FETCH: no protocol is allowed, so a partial clone fetches nothing.
        "GIT_ALLOW_PROTOCOL": "none",
        "LC_ALL": "C",
    }
