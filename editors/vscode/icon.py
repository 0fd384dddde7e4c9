"""Draw icon.png: a bookmark with a check mark in it, 128 by 128.

usage: python editors/vscode/icon.py
"""

from __future__ import annotations

import struct
import zlib
from itertools import pairwise
from pathlib import Path

SIZE, FINE = 128, 4
"""Pixels on a side, and samples on a side of a pixel."""

GROUND, BOOKMARK, MARK = (20, 33, 61), (252, 163, 17), (20, 33, 61)
CHECK = ((46.0, 58.0), (59.0, 71.0), (83.0, 43.0))


def colour(x: float, y: float) -> tuple[int, int, int, int]:
    """The colour (RGBA) of a point."""
    if not rounded(x, y, 0, 0, SIZE, SIZE, 24):
        return (0, 0, 0, 0)
    # The ribbon ends in a notch.
    if rounded(x, y, 34, 22, 94, 140, 8) and y < 106 - max(0.0, 14 - abs(x - 64) * 14 / 30):
        near = min(distance(x, y, *first, *second) for first, second in pairwise(CHECK))
        return (*(MARK if near < 5.5 else BOOKMARK), 255)
    return (*GROUND, 255)


def rounded(x: float, y: float, left: float, top: float, right: float, bottom: float, radius: float) -> bool:
    """Whether a point is inside a rectangle with round corners."""
    if not (left <= x <= right and top <= y <= bottom):
        return False
    dx = max(left + radius - x, x - (right - radius), 0)
    dy = max(top + radius - y, y - (bottom - radius), 0)
    return dx * dx + dy * dy <= radius * radius


def distance(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """The distance of a point from a line between two points."""
    length = (bx - ax) ** 2 + (by - ay) ** 2
    along = max(0.0, min(1.0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length))
    return float(((x - ax - along * (bx - ax)) ** 2 + (y - ay - along * (by - ay)) ** 2) ** 0.5)


def png() -> bytes:
    """The whole file (PNG, 8 bit RGBA)."""
    rows = bytearray()
    for row in range(SIZE):
        rows.append(0)  # no filter
        for column in range(SIZE):
            samples = [
                colour(column + (across + 0.5) / FINE, row + (down + 0.5) / FINE)
                for down in range(FINE)
                for across in range(FINE)
            ]
            alpha = sum(sample[3] for sample in samples)
            for channel in range(3):
                rows.append(sum(sample[channel] * sample[3] for sample in samples) // alpha if alpha else 0)
            rows.append(alpha // len(samples))
    header = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(bytes(rows), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )


if __name__ == "__main__":
    (Path(__file__).parent / "icon.png").write_bytes(png())
