"""Lines and offsets of a text, as the Language Server Protocol counts them.

A line ends at ``\\n``, ``\\r\\n`` or a lone ``\\r`` and at nothing else: U+2028, U+2029, U+0085, VT and FF are ordinary
characters. Offsets are code points of a Python ``str``; characters of a position are units of the negotiated encoding.
Nothing here raises: positions and offsets outside the text clamp to it, and lone surrogates count as the three bytes
(utf-8) or the one unit (utf-16, utf-32) that they would take.
"""

from __future__ import annotations

import hashlib
import re
from bisect import bisect_right
from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_LINE_END = re.compile(r"\r\n|\n|\r")


def blob_id(data: bytes) -> str:
    """Git's object id of a file with this content (SHA-1, 40 hexadecimal digits)."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


class LineIndex:
    """The lines of one text. Positions are zero-based ``(line, character)``, the character in units of an encoding."""

    __slots__ = ("_ascii", "_byte_starts", "_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._ascii = text.isascii()
        starts = [0]
        if "\r" in text:
            starts.extend(match.end() for match in _LINE_END.finditer(text))
        else:
            at = text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = text.find("\n", at + 1)
        self._starts = starts
        self._byte_starts: list[int] | None = None

    @property
    def lines(self) -> int:
        """How many lines there are: one more than line ends, so at least one."""
        return len(self._starts)

    def start(self, line: int) -> int:
        """Offset of the first character of a line (clamped to the text)."""
        if line < 0:
            return 0
        return self._starts[line] if line < len(self._starts) else len(self.text)

    def end(self, line: int) -> int:
        """Offset behind the last character of a line, without its line end (clamped to the text)."""
        if line < 0:
            return 0
        if line + 1 >= len(self._starts):
            return len(self.text)
        end = self._starts[line + 1] - 1
        if self.text[end] == "\n" and end > self._starts[line] and self.text[end - 1] == "\r":
            end -= 1
        return end

    def line_of(self, offset: int) -> int:
        """The line that holds an offset."""
        return bisect_right(self._starts, max(0, offset)) - 1

    def position(self, offset: int, encoding: Encoding) -> tuple[int, int]:
        """The position of an offset; an offset inside or behind a line end is the end of its line."""
        offset = min(max(0, offset), len(self.text))
        line = self.line_of(offset)
        start = self._starts[line]
        offset = min(offset, self.end(line))
        if self._ascii:
            return line, offset - start
        return line, _units(self.text[start:offset], encoding)

    def offset(self, line: int, character: int, encoding: Encoding) -> int:
        """The offset of a position: behind a line or the document its end, inside a character its start."""
        if line >= len(self._starts):
            return len(self.text)
        if line < 0:
            return 0
        start, end = self._starts[line], self.end(line)
        if character <= 0:
            return start
        if self._ascii or encoding == "utf-32":
            return min(start + character, end)
        text = self.text[start:end]
        if text.isascii():
            return min(start + character, end)
        passed = 0
        for index, letter in enumerate(text):
            passed += _units(letter, encoding)
            if passed > character:
                return start + index
        return end

    def offset_to_byte(self, offset: int) -> int:
        """The UTF-8 byte offset of a code point offset."""
        offset = min(max(0, offset), len(self.text))
        if self._ascii:
            return offset
        line = self.line_of(offset)
        return self._bytes()[line] + _units(self.text[self._starts[line] : offset], "utf-8")

    def byte_to_offset(self, byte: int) -> int:
        """The code point offset of a UTF-8 byte offset; inside a character: its start."""
        if byte <= 0:
            return 0
        if self._ascii:
            return min(byte, len(self.text))
        byte_starts = self._bytes()
        line = bisect_right(byte_starts, byte) - 1
        start = self._starts[line]
        end = self._starts[line + 1] if line + 1 < len(self._starts) else len(self.text)
        passed = byte_starts[line]
        text = self.text[start:end]
        if text.isascii():
            return min(start + byte - passed, end)
        for index, letter in enumerate(text):
            passed += _units(letter, "utf-8")
            if passed > byte:
                return start + index
        return end

    def _bytes(self) -> list[int]:
        """Byte offset of every line's start, computed once when first needed."""
        if self._byte_starts is None:
            starts, total = [0], 0
            for begin, end in zip(self._starts, self._starts[1:], strict=False):
                total += _units(self.text[begin:end], "utf-8")
                starts.append(total)
            self._byte_starts = starts
        return self._byte_starts


def _units(text: str, encoding: Encoding) -> int:
    if encoding == "utf-32" or text.isascii():
        return len(text)
    if encoding == "utf-8":
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
