"""JSON as text: where the values of an object stand, and minimal edits on it, so that all else stays byte for byte.

Offsets are code points of the document that holds the JSON. Written values are compact, as JavaScript's ``JSON.stringify``
writes them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, NamedTuple

from memory_lsp.core.model import TextEdit

MAX_CHARACTERS = 1_000_000
"""Longer JSON is reported and not read."""

_WHITE = frozenset(" \t\r\n")
_SPACE = re.compile(r"[ \t\r\n]*")
_SURROGATE = re.compile("[\ud800-\udfff]")


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON value")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)


class Value(NamedTuple):
    """A JSON value and where it stands: ``text[start:end]``."""

    value: Any
    start: int
    end: int


class JsonFault(ValueError):
    """JSON that cannot be read; ``at`` is the offset where."""

    def __init__(self, what: str, at: int) -> None:
        super().__init__(what)
        self.at = at


def members(text: str, start: int) -> tuple[dict[str, Value], list[str], int]:
    """The members of the object at ``start``, the keys given twice (the last one wins), and the offset behind it.

    Raises ``JsonFault`` for anything that is not one JSON object.
    """
    at = _skip(text, start)
    if text[at : at + 1] != "{":
        raise JsonFault("it is no JSON object", at)
    found: dict[str, Value] = {}
    repeated: list[str] = []
    at = _skip(text, at + 1)
    if text[at : at + 1] == "}":
        return found, repeated, at + 1
    while True:
        if text[at : at + 1] != '"':
            raise JsonFault("a key in double quotes is missing", at)
        key, at = _key(text, at)
        value = _read(text, at)
        if key in found:
            repeated.append(key)
        found[key] = value
        at = _skip(text, value.end)
        mark = text[at : at + 1]
        if mark == "}":
            return found, repeated, at + 1
        if mark != ",":
            raise JsonFault("a `,` or `}` is missing", at)
        at = _skip(text, at + 1)


def items(text: str, start: int) -> list[Value]:
    """The items of the array at ``start`` (which is known to be valid JSON); empty for anything else."""
    at = _skip(text, start)
    found: list[Value] = []
    if not text.startswith("[", at):
        return found
    at = _skip(text, at + 1)
    while not text.startswith("]", at):
        value = _read(text, at)
        found.append(value)
        at = _skip(text, value.end)
        if text.startswith(",", at):
            at = _skip(text, at + 1)
    return found


def compact(value: object) -> str:
    """A value as ``JSON.stringify`` writes it: one line, no spaces, only lone surrogates escaped."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def set_members(text: str, start: int, changes: Mapping[str, object]) -> list[TextEdit]:
    """Edits that give keys of the object at ``start`` these values; absent keys are added at its end."""
    found, _, _ = members(text, start)
    edits: list[TextEdit] = []
    added: dict[str, object] = {}
    for key, value in changes.items():
        old = found.get(key)
        if old is None:
            added[key] = value
        elif old.value != value:
            edits += _replace(text, old, value)
    if added:
        last = max((value.end for value in found.values()), default=_skip(text, start) + 1)
        lead = _lead(text, min((value.start for value in found.values()), default=last)) if found else ""
        new = "".join(f",{lead}{compact(key)}:{compact(value)}" for key, value in added.items())
        edits.append(TextEdit(last, last, new if found else new[1:]))
    return edits


def _replace(text: str, old: Value, new: object) -> list[TextEdit]:
    """Edits that make one value another, as deep inside as the two agree outside."""
    if isinstance(old.value, dict) and isinstance(new, Mapping) and old.value.keys() <= new.keys():
        return set_members(text, old.start, new)
    if isinstance(old.value, list) and isinstance(new, list) and old.value and len(old.value) <= len(new):
        known = items(text, old.start)
        edits = [
            edit
            for item, value in zip(known, new, strict=False)
            if item.value != value
            for edit in _replace(text, item, value)
        ]
        return edits + append_items(text, old.start, new[len(known) :])
    return [TextEdit(old.start, old.end, compact(new))]


def append_items(text: str, start: int, new: Sequence[object]) -> list[TextEdit]:
    """Edits that append items to the array at ``start``."""
    if not new:
        return []
    found = items(text, start)
    if not found:
        at = _skip(text, start) + 1
        return [TextEdit(at, at, ",".join(map(compact, new)))]
    at = found[-1].end
    lead = _space_before(text, found[-1].start)
    return [TextEdit(at, at, "".join(f",{lead}{compact(item)}" for item in new))]


def _skip(text: str, at: int) -> int:
    if text[at : at + 1] not in _WHITE:
        return at
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _key(text: str, at: int) -> tuple[str, int]:
    """The key at ``at``, and where its value begins."""
    try:
        key, end = scanstring(text, at + 1, True)
    except json.JSONDecodeError as error:
        raise _fault(error) from None
    end = _skip(text, end)
    if text[end : end + 1] != ":":
        raise JsonFault("a `:` is missing", end)
    return key, _skip(text, end + 1)


def _read(text: str, at: int) -> Value:
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _fault(error) from None
    except RecursionError:
        raise JsonFault("it nests too deeply", at) from None
    except ValueError as error:
        raise JsonFault(str(error).split(";")[0], at) from None
    return Value(value, at, end)


def _fault(error: json.JSONDecodeError) -> JsonFault:
    return JsonFault(error.msg[0].lower() + error.msg[1:], error.pos)


def _space_before(text: str, at: int) -> str:
    start = at
    while text[start - 1] in " \t\r\n":
        start -= 1
    return text[start:at]


def _lead(text: str, first_value: int) -> str:
    """The white space in front of the first key, so that an added key of a pretty-printed object gets its own line."""
    colon = text.rfind(":", 0, first_value)
    quote = text.rfind('"', 0, text.rfind('"', 0, colon))
    return _space_before(text, quote)
