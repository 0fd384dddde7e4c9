"""Start the server on stdio: answer ``initialize`` first, import the rest afterwards.

The protocol stream is moved away from descriptors 0 and 1 before anything else runs, so that a ``print``, a library or a
child process can neither write into it nor read from it.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from memory_lsp.server.support import client_support, initialize_problem, initialize_result
from memory_lsp.server.wire import Writer, frame, read_message

if TYPE_CHECKING:
    from memory_lsp.server.protocol import MemoryProtocol

logger = logging.getLogger(__name__)


def serve() -> int:
    """Serve one client until it exits, closes the stream or dies; returns the exit code. Logging is set up already."""
    stdin, writer = _take_streams()
    body = read_message(stdin)
    if body is None:
        return 1
    answered = _answer_initialize(body, writer)

    import asyncio

    logging.captureWarnings(True)
    return asyncio.run(_run(stdin, writer, body, answered))


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


async def _run(stdin: BinaryIO, writer: Writer, first: bytes, answered: dict[str, Any] | None) -> int:
    import asyncio
    import threading

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
    reader = threading.Thread(target=_read, args=(stdin, server.protocol, loop, end), daemon=True, name="reader")
    reader.start()
    return await ended


def _read(stdin: BinaryIO, protocol: MemoryProtocol, loop: Any, end: Any) -> None:
    try:
        while (body := read_message(stdin)) is not None:
            loop.call_soon_threadsafe(protocol.receive, body)
        loop.call_soon_threadsafe(lambda: end(0 if protocol.state == "shutdown" else 1))
    except RuntimeError:
        logger.debug("the loop has ended already")
