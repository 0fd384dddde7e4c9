"""The line index against a model that walks the text character by character."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_lsp.core.text import Encoding, LineIndex, blob_id

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
ODD = "a\u00e9\u4e2d\U0001f600e\u0301\u2028\u2029\x85\v\f\x1c\ufeff\ud83d\udc00\t"
TEXTS = st.lists(st.sampled_from([*ODD, "\n", "\r", "\r\n", "abc", "\n\n"]), max_size=24).map("".join)


def units(character: str, encoding: Encoding) -> int:
    code = ord(character)
    if encoding == "utf-32":
        return 1
    if encoding == "utf-16":
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def model_lines(text: str) -> list[tuple[int, int]]:
    """Start and end, without its line end, of every line."""
    lines, start, at = [], 0, 0
    while at < len(text):
        if text[at] in "\r\n":
            lines.append((start, at))
            at += 2 if text[at : at + 2] == "\r\n" else 1
            start = at
        else:
            at += 1
    return [*lines, (start, len(text))]


def model_position(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    offset = min(max(offset, 0), len(text))
    lines = model_lines(text)
    line = max(index for index, (start, _) in enumerate(lines) if start <= offset)
    start, end = lines[line]
    return line, sum(units(character, encoding) for character in text[start : min(offset, end)])


def model_offset(text: str, line: int, character: int, encoding: Encoding) -> int:
    lines = model_lines(text)
    if line < 0:
        return 0
    if line >= len(lines):
        return len(text)
    start, end = lines[line]
    at = start
    while at < end and units(text[at], encoding) <= character:
        character -= units(text[at], encoding)
        at += 1
    return at


@given(TEXTS)
@example("a\u2028b\x85c\vd\fe")
@example("\r\n\r\r\n")
def test_lines_end_at_the_protocols_line_ends_alone(text: str) -> None:
    index = LineIndex(text)
    expected = model_lines(text)
    assert [(index.start(line), index.end(line)) for line in range(index.lines)] == expected


@given(TEXTS, st.integers(-2, 60), st.sampled_from(ENCODINGS))
@example("a\r\nb", 2, "utf-16")
@example("x\U0001f600y", 2, "utf-16")
def test_positions_agree_with_the_model(text: str, offset: int, encoding: Encoding) -> None:
    assert LineIndex(text).position(offset, encoding) == model_position(text, offset, encoding)


@given(TEXTS, st.integers(-2, 12), st.integers(-2, 30), st.sampled_from(ENCODINGS))
@example("x\U0001f600y", 0, 2, "utf-16")
@example("x\u00e9y", 0, 2, "utf-8")
@example("ab\ncd", 0, 99, "utf-16")
def test_offsets_clamp_and_agree_with_the_model(text: str, line: int, character: int, encoding: Encoding) -> None:
    assert LineIndex(text).offset(line, character, encoding) == model_offset(text, line, character, encoding)


@given(TEXTS, st.sampled_from(ENCODINGS))
def test_a_position_leads_back_to_its_offset(text: str, encoding: Encoding) -> None:
    index = LineIndex(text)
    for start, end in model_lines(text):
        for offset in range(start, end + 1):
            assert index.offset(*index.position(offset, encoding), encoding) == offset


@given(TEXTS, st.integers(-2, 120))
def test_bytes_and_code_points_agree_with_the_encoded_text(text: str, place: int) -> None:
    index = LineIndex(text)
    sizes = [units(character, "utf-8") for character in text]
    offset = min(max(place, 0), len(text))
    assert index.offset_to_byte(place) == sum(sizes[:offset])
    inside = [at for at in range(len(text) + 1) if sum(sizes[:at]) <= max(place, 0)]
    assert index.byte_to_offset(place) == inside[-1]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_lone_surrogate_does_not_raise(encoding: Encoding) -> None:
    index = LineIndex("a\ud83db")
    assert index.offset(0, index.position(2, encoding)[1], encoding) == 2
    assert index.offset_to_byte(2) == 4
    assert index.byte_to_offset(2) == 1


def test_the_blob_id_is_gits() -> None:
    data = b"caf\xc3\xa9\r\n"
    told = subprocess.run(
        ["git", "hash-object", "--stdin", "--no-filters"], input=data, capture_output=True, check=True
    )
    assert blob_id(data) == told.stdout.decode().strip()
