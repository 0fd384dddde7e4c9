"""A raw client: the real server as a process, and every byte of the protocol in the test's own hands.

It imitates nothing: no library stands between a test and the stream. Every message from the server is kept in ``log`` and
checked as it comes: framing, and that it was negotiated (``tests.wire``). What was not fails the test.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.wire import Violation, Wire

Json = dict[str, Any]
TIMEOUT = 20.0
_HEADER = re.compile(rb"Content-Length:[ \t]*(\d{1,9})\r\n(?:[^\r\n]+\r\n)*\r\n", re.IGNORECASE)

CAPABILITIES: Json = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"applyEdit": True, "workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}},
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "publishDiagnostics": {"relatedInformation": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["", "quickfix", "refactor"]}}},
    },
}


class Stdio:
    """One server process. ``answers`` maps a request of the server to the test's result for it."""

    def __init__(
        self, *arguments: str, environment: dict[str, str] | None = None, command: list[str] | None = None
    ) -> None:
        self.process = subprocess.Popen(
            command or [sys.executable, "-m", "memory_lsp", "serve", *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(environment or {})},
        )
        self.log: list[Json] = []
        self.answers: dict[str, Callable[[Json], Any]] = {}
        self.errors: list[bytes] = []
        self.wire = Wire()
        self.violations: list[Violation] = []
        self._wire_lock = threading.Lock()
        self._unread = b""
        self._next = 0
        self._inbox: queue.Queue[Json | None] = queue.Queue()
        self._threads = [
            threading.Thread(target=self._read, daemon=True),
            threading.Thread(target=self._read_errors, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Stdio:
        return self

    def __exit__(self, *details: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(5)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        if details[0] is None:
            self._negotiated()

    @property
    def stderr(self) -> str:
        """What the server wrote to its error stream so far."""
        return b"".join(self.errors).decode("utf-8", "replace")

    # Sending

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        assert self.process.stdin is not None
        with self._wire_lock:
            self._unread += data
            for message in self._whole():
                self.wire.sent(message)
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def body(self, body: bytes) -> None:
        """A body with its header."""
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def send(self, message: Json) -> None:
        """A message."""
        self.body(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, params: Any = None) -> None:
        """A notification."""
        self.send({"method": method} if params is None else {"method": method, "params": params})

    def ask(self, method: str, params: Any = None) -> int:
        """Send a request; returns its id."""
        self._next += 1
        message = {"id": self._next, "method": method}
        self.send(message if params is None else {**message, "params": params})
        return self._next

    def request(self, method: str, params: Any = None) -> Any:
        """Send a request and wait for its result; an error fails the test."""
        answer = self.answer(self.ask(method, params))
        assert "error" not in answer, answer
        return answer["result"]

    def failure(self, method: str, params: Any = None) -> Json:
        """Send a request and wait for its error."""
        answer = self.answer(self.ask(method, params))
        assert "error" in answer, answer
        return answer["error"]

    # Receiving

    def receive(self, timeout: float = TIMEOUT) -> Json | None:
        """The next message, ``None`` at the end of the stream; requests of the server are answered on the way."""
        message = self._inbox.get(timeout=timeout)
        self._negotiated()
        if message is not None:
            self.log.append(message)
            if "method" in message and "id" in message:
                answer = self.answers.get(message["method"], lambda params: None)
                self.send({"id": message["id"], "result": answer(message.get("params"))})
        return message

    def until(self, wanted: Callable[[Json], bool], timeout: float = TIMEOUT) -> Json:
        """The first message from now on for which ``wanted`` holds."""
        end = time.monotonic() + timeout
        while True:
            try:
                message = self.receive(max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise AssertionError(
                    f"nothing came that was waited for; last: {self.log[-3:]}; {self.stderr}"
                ) from None
            assert message is not None, f"the stream ended; {self.stderr}"
            if wanted(message):
                return message

    def answer(self, identity: int | str | None) -> Json:
        """The answer to a request."""
        return self.until(lambda message: "method" not in message and message.get("id") == identity)

    def notification(self, method: str, wanted: Callable[[Json], bool] = lambda params: True) -> Json:
        """The params of the next notification of a method."""
        return self.until(lambda message: message.get("method") == method and wanted(message["params"]))["params"]

    def diagnostics(self, uri: str, wanted: Callable[[list[Json]], bool] = lambda found: True) -> list[Json]:
        """The next diagnostics of a document for which ``wanted`` holds."""
        params = self.notification(
            "textDocument/publishDiagnostics", lambda params: params["uri"] == uri and wanted(params["diagnostics"])
        )
        return params["diagnostics"]

    def exit_code(self, timeout: float = 5.0) -> int:
        """Wait for the end of the process."""
        return self.process.wait(timeout)

    # Life

    def initialize(self, root: Path | None = None, capabilities: Json | None = None, **params: Any) -> Json:
        """``initialize`` and ``initialized``; returns the result."""
        uri = root.as_uri() if root is not None else None
        result = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": root.name}] if root is not None else None,
                "capabilities": CAPABILITIES if capabilities is None else capabilities,
                **params,
            },
        )
        self.notify("initialized", {})
        return result

    def open(self, path: Path, text: str | None = None, version: int = 1, language: str = "plaintext") -> str:
        """Open a document; returns its URI."""
        uri = path.as_uri()
        content = path.read_text("utf-8") if text is None else text
        self.notify(
            "textDocument/didOpen",
            {"textDocument": {"uri": uri, "languageId": language, "version": version, "text": content}},
        )
        return uri

    def change(self, uri: str, text: str, version: int) -> None:
        """Replace a document's text."""
        self.notify(
            "textDocument/didChange",
            {"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]},
        )

    def shutdown(self) -> int:
        """End in order; returns the exit code."""
        self.request("shutdown")
        self.notify("exit")
        return self.exit_code()

    def _whole(self) -> Iterator[Json]:
        """The well formed messages that are sent as a whole by now."""
        while (header := _HEADER.search(self._unread)) is not None:
            end = header.end() + int(header[1])
            if len(self._unread) < end:
                return
            body, self._unread = self._unread[header.end() : end], self._unread[end:]
            with contextlib.suppress(ValueError, RecursionError):
                message = json.loads(body)
                if isinstance(message, dict):
                    yield message

    def _negotiated(self) -> None:
        """Fail if the server sent what was not negotiated."""
        if self.violations:
            raise self.violations[0]

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while True:
            length = None
            while (line := stream.readline()) not in (b"\r\n", b""):
                name, _, value = line.partition(b": ")
                assert line.endswith(b"\r\n") and name in (b"Content-Length", b"Content-Type"), line
                if name == b"Content-Length":
                    length = int(value)
            if length is None:
                self._inbox.put(None)
                return
            message = json.loads(stream.read(length))
            with self._wire_lock:
                try:
                    self.wire.received(message)
                except Violation as violation:
                    self.violations.append(violation)
            self._inbox.put(message)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors.append(line)
