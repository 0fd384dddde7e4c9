"""Start the server on stdio: answer ``initialize`` first, import the rest afterwards.

The protocol stream is moved away from descriptors 0 and 1 before anything else runs, so that a ``print``, a library or a
child process can neither write into it nor read from it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import sys
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

from memory_lsp.server.support import client_support, initialize_problem, initialize_result
from memory_lsp.server.wire import Writer, frame, read_message


def serve() -> int:
    """Serve one client until it exits, closes the stream or dies; returns the exit code. Logging is set up already."""
    stdin, writer = _take_streams()
    body = read_message(stdin)
    if body is None:
        return 1
    answered = _answer_initialize(body, writer)
    inbox = _Inbox(stdin)

    import asyncio

    logging.captureWarnings(True)
    return asyncio.run(_run(inbox, writer, body, answered))


def _take_streams() -> tuple[BinaryIO, Writer]:
    try:
        os.fstat(2)
    except OSError:  # closed: the next descriptor to be opened would become standard error
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115  # lives as long as the process
    incoming, outgoing = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    if sys.platform == "win32":
        import msvcrt

        for descriptor in (incoming, outgoing):
            msvcrt.setmode(descriptor, os.O_BINARY)
    return os.fdopen(incoming, "rb"), Writer(outgoing)


def _answer_initialize(body: bytes, writer: Writer) -> dict[str, Any] | None:
    """Answer a well-formed ``initialize`` at once and return its params; anything else is left to the protocol."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict) or message.get("method") != "initialize" or message.get("jsonrpc") != "2.0":
        return None
    identity, params = message.get("id"), message.get("params")
    if not isinstance(identity, int | str) or isinstance(identity, bool) or initialize_problem(params):
        return None
    result = initialize_result(client_support(params))  # type: ignore[arg-type]  # initialize_problem says it is one
    try:
        writer.write(frame({"jsonrpc": "2.0", "id": identity, "result": result}))
    except ConnectionError:
        return None
    return params


class _Inbox:
    """Reads messages in a thread from the first moment on, and keeps them until there is somebody to receive them.

    The end of the stream ends the process at once, also while it is still importing.
    """

    def __init__(self, stdin: BinaryIO) -> None:
        self._stdin = stdin
        self._lock = threading.Lock()
        self._waiting: list[bytes] = []
        self._deliver: Callable[[bytes | None], None] | None = None
        threading.Thread(target=self._read, daemon=True, name="reader").start()

    def connect(self, deliver: Callable[[bytes | None], None]) -> None:
        """Give every message to ``deliver`` (from the reader's thread, in order), and ``None`` at the end."""
        with self._lock:
            self._deliver = deliver
            for body in self._waiting:
                deliver(body)
            self._waiting.clear()

    def _read(self) -> None:
        while True:
            body = read_message(self._stdin)
            with self._lock:
                if self._deliver is not None:
                    self._deliver(body)
                elif body is None:
                    os._exit(1)
                else:
                    self._waiting.append(body)
            if body is None:
                return


async def _run(inbox: _Inbox, writer: Writer, first: bytes, answered: dict[str, Any] | None) -> int:
    import asyncio

    from memory_lsp.server.handlers import make_server

    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    server = make_server(end)
    server.set_writer(writer)
    if answered is None:
        server.protocol.receive(first)
    else:
        server.protocol.begin(answered)

    def arrived(body: bytes | None) -> None:
        if body is None:
            end(0 if server.protocol.state == "shutdown" else 1)
        else:
            server.protocol.receive(body)

    def deliver(body: bytes | None) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended already
            loop.call_soon_threadsafe(arrived, body)

    inbox.connect(deliver)
    return await ended
