"""The bytes of the protocol: ``Content-Length`` framed messages on two file descriptors.

Imports nothing heavy, so that ``initialize`` can be answered before pygls is there (``server.start``).
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

logger = logging.getLogger(__name__)

MAX_BODY_BYTES = 256 * 1024 * 1024
"""A longer message is skipped unread; its sender gets no answer, the log says so."""

_MAX_HEADER_BYTES = 64 * 1024


def read_message(stream: BinaryIO) -> bytes | None:
    """The body of the next message, or ``None`` at the end of the stream (also in the middle of a message).

    A header block without a usable ``Content-Length`` is skipped, and so is a body above ``MAX_BODY_BYTES``.
    """
    while True:
        length: int | None = None
        lines = 0
        while True:
            line = stream.readline(_MAX_HEADER_BYTES)
            if not line:
                return None
            if not line.strip():
                break
            lines += 1
            name, separator, value = line.partition(b":")
            if separator and name.strip().lower() == b"content-length":
                digits = value.strip()
                length = int(digits) if digits.isdigit() and len(digits) < 19 else None
        if length is None:
            if lines:
                logger.error("skipped a message header without a usable Content-Length")
            continue
        if length > MAX_BODY_BYTES:
            logger.error("skipped a message of %d bytes; the limit is %d", length, MAX_BODY_BYTES)
            if not _skip(stream, length):
                return None
            continue
        body = stream.read(length)
        return body if len(body) == length else None


def _skip(stream: BinaryIO, length: int) -> bool:
    while length:
        read = len(stream.read(min(length, 1 << 20)))
        if not read:
            return False
        length -= read
    return True


class Writer:
    """Writes whole messages to a file descriptor, one at a time from any thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()

    def write(self, data: bytes) -> None:
        """Write all of ``data``; raises ``BrokenPipeError`` when the client is gone."""
        view = memoryview(data)
        with self._lock:
            while view:
                view = view[os.write(self._descriptor, view) :]

    def close(self) -> None:
        """Nothing to do: the descriptor lives as long as the process."""


def frame(message: Any, default: Callable[[Any], Any] | None = None) -> bytes:
    """One message with its header. ASCII only on the wire, so lone surrogates survive as escapes."""
    body = json.dumps(message, default=default, separators=(",", ":")).encode("ascii")
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
