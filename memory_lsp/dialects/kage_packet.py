"""The state of a Kage packet: one JSON object, its values with exact spans, and what is wrong with their form.

Only what this program reads is held to a type; the other required fields have to be there. Unknown fields are left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memory_lsp.core.model import Span
from memory_lsp.dialects.json_text import MAX_CHARACTERS, JsonFault, Value, items, members

SCHEMA = 2
OURS = "memory_lsp"
"""The top-level field that holds what this program adds to a packet."""
STATUSES = ("pending", "approved", "deprecated", "superseded")

_TEXTS = ("id", "title", "summary", "body", "type", "scope", "status", "created_at", "updated_at")
_LISTS = ("tags", "paths", "stack", "source_refs", "edges")
_OTHERS = ("visibility", "sensitivity", "confidence", "quality")
_KINDS: tuple[tuple[tuple[str, ...], type, str], ...] = (
    (_TEXTS, str, "text"),
    (_LISTS, list, "a list"),
    (("freshness",), dict, "an object"),
)
_WORDS = ("tags", "paths")
_NOT_EMPTY = ("id", "type")


class Flaw(NamedTuple):
    """What is wrong, what to do, where, and in which field. A ``draft`` is a form that only waits to be finished."""

    what: str
    remedy: str
    span: Span
    field: str = ""
    draft: bool = False


@dataclass(frozen=True, slots=True)
class Packet:
    """The values of a packet. ``start`` is where its object begins; ``spans`` has the place of every value that was looked
    into, by its path (``freshness.ttl_days``, ``paths[0]``, ``memory_lsp.citations[0]``)."""

    values: Mapping[str, Any]
    start: int
    spans: Mapping[str, Span]
    flaws: tuple[Flaw, ...]

    def text(self, name: str) -> str:
        """A text field, empty where it is no text."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def words(self, name: str) -> tuple[str, ...]:
        """The texts in a list field."""
        return tuple(item for item in listed(self.values.get(name)) if isinstance(item, str))

    def object(self, name: str) -> Mapping[str, Any]:
        """An object field, empty where it is none."""
        return mapped(self.values.get(name))


def listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def mapped(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


@dataclass(slots=True)
class _Look:
    """What looking into a packet collects."""

    text: str
    spans: dict[str, Span] = field(default_factory=dict)
    flaws: list[Flaw] = field(default_factory=list)

    def into(self, name: str, value: Value) -> dict[str, Value]:
        """The members of an object, their places and what is given twice."""
        if not isinstance(value.value, dict):
            return {}
        found, repeated, _ = members(self.text, value.start)
        prefix = f"{name}." if name else ""
        for key, item in found.items():
            self.spans[f"{prefix}{key}"] = Span(item.start, item.end)
        for key in repeated:
            self.flaws.append(
                Flaw(
                    f"the key `{prefix}{key}` is given twice", "keep one of the two", self.spans[f"{prefix}{key}"], key
                )
            )
        return found

    def over(self, name: str, value: Value | None) -> None:
        """The items of a list, and the members of those that are objects."""
        if value is not None and isinstance(value.value, list):
            for index, item in enumerate(items(self.text, value.start)):
                self.spans[f"{name}[{index}]"] = Span(item.start, item.end)
                self.into(f"{name}[{index}]", item)


def read_packet(text: str, span: Span) -> Packet | Flaw:
    """The packet in ``text[span.start:span.end]``, or why it cannot be read at all."""
    start, end = span.start, span.end
    while start < end and text[start] in " \t\r\n\ufeff":
        start += 1
    if end - start > MAX_CHARACTERS:
        what = f"the packet has {end - start} characters, more than {MAX_CHARACTERS}"
        return Flaw(what, "move text out of it", Span(start, start))
    look = _Look(text)
    try:
        found, repeated, behind = members(text, start)
    except JsonFault as fault:
        at = min(fault.at, len(text))
        return Flaw(f"the packet's JSON cannot be read: {fault}", "restore the line from git", Span(at, at))
    if text[behind:end].strip():
        return Flaw("something stands behind the packet's JSON", "restore the line from git", Span(behind, end))
    for key, value in found.items():
        look.spans[key] = Span(value.start, value.end)
    for key in repeated:
        look.flaws.append(Flaw(f"the key `{key}` is given twice", "keep one of the two", look.spans[key], key))
    values = {key: value.value for key, value in found.items()}
    here = Span(start, start + 1)
    look.flaws += _flaws(values, look.spans, here)
    for name in ("freshness", "context", OURS):
        if name in found:
            inner = look.into(name, found[name])
            if name == OURS:
                look.over(f"{OURS}.citations", inner.get("citations"))
    look.over("paths", found.get("paths"))
    return Packet(values, start, look.spans, tuple(look.flaws))


def _flaws(values: Mapping[str, Any], spans: Mapping[str, Span], here: Span) -> Iterator[Flaw]:
    missing = [
        name
        for name in ("schema_version", *_TEXTS, *_LISTS, *_OTHERS, "freshness")
        if name not in values or values[name] is None
    ]
    if missing:
        what = f"the packet has no {', '.join(f'`{name}`' for name in missing)}"
        yield Flaw(what, "restore what was lost from git", here, missing[0])
    version = values.get("schema_version")
    if version is not None and (version != SCHEMA or isinstance(version, bool)):
        yield Flaw(
            f"the packet's `schema_version` is {json.dumps(version)[:20]}, not {SCHEMA}",
            "update the packet with Kage",
            spans["schema_version"],
            "schema_version",
        )
    for names, kind, told in _KINDS:
        for name in names:
            if values.get(name) is not None and not isinstance(values[name], kind):
                yield Flaw(f"`{name}` is not {told}", f"write {told} there", spans[name], name)
    for name in _NOT_EMPTY:
        if isinstance(values.get(name), str) and not values[name].strip():
            yield Flaw(f"`{name}` is empty", "restore it from git", spans[name], name)
    for name in _WORDS:
        if any(not isinstance(item, str) for item in listed(values.get(name))):
            yield Flaw(f"`{name}` holds something that is no text", "write a list of texts", spans[name], name)
    for name in ("source_refs", "edges"):
        if any(not isinstance(item, dict) for item in listed(values.get(name))):
            yield Flaw(f"`{name}` holds something that is no object", "remove it", spans[name], name)
    status = values.get("status")
    if isinstance(status, str) and status not in STATUSES:
        yield Flaw(f"the status `{status}` is not known", f"write {', '.join(STATUSES)}", spans["status"], "status")
    for name in ("context", OURS):
        if values.get(name) is not None and not isinstance(values[name], dict):
            yield Flaw(f"`{name}` is not an object", "restore it from git", spans[name], name)
    yield from _inner(values, spans)


def _inner(values: Mapping[str, Any], spans: Mapping[str, Span]) -> Iterator[Flaw]:
    freshness = mapped(values.get("freshness"))
    days = freshness.get("ttl_days")
    if days is not None and (isinstance(days, bool) or not isinstance(days, int | float)):
        yield Flaw("`freshness.ttl_days` is no number of days", "write a number", spans["freshness"], "ttl_days")
    for name, holder, within in (
        ("path_fingerprints", freshness, "freshness"),
        ("citations", mapped(values.get(OURS)), OURS),
    ):
        known = holder.get(name)
        if known is not None and not isinstance(known, list):
            yield Flaw(f"`{within}.{name}` is not a list", "restore it from git", spans[within], name)
        for item in listed(known):
            if not isinstance(item, dict) or not isinstance(item.get("path"), str) or not item["path"].strip():
                yield Flaw(f"an item of `{within}.{name}` has no `path`", "remove it", spans[within], name)
                break
