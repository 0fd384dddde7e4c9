"""Whether the Markdown part of a Kage packet says what its state says.

How Kage lays its Markdown out is not known here: a layout that merely adds to the state's text agrees with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from memory_lsp.core.model import Span
from memory_lsp.core.placeholders import find_placeholders, is_filled
from memory_lsp.dialects.json_text import compact
from memory_lsp.dialects.kage_form import Form, FormLine
from memory_lsp.dialects.kage_packet import OURS, Flaw, Packet, listed, mapped

FRONT = {
    "type": "type",
    "title": "title",
    "description": "summary",
    "tags": "tags",
    "timestamp": "updated_at",
    "x-kage-id": "id",
    "x-kage-type": "type",
    "x-kage-status": "status",
    "x-kage-scope": "scope",
    "x-kage-visibility": "visibility",
    "x-kage-paths": "paths",
}
"""The frontmatter's keys, and the fields of the state that they repeat."""
TAKEN_OVER = ("title", "x-kage-type", "tags")
"""What *Finish this memory* takes over from the frontmatter."""
_FIXED = {
    "x-kage-status": "set it back; approve, reject, retire and supersede change it",
    "x-kage-paths": "set it back; `follow` points a citation elsewhere",
}
FINISH = "take it over with *Finish this memory*, or set it back"
"""The remedy for what can be taken over; any other difference is for a person to resolve."""
_WAITS = "the {} is filled in, and the packet's state does not hold it yet"
_QUOTE = re.compile(r"(?<![^\r\n])[ \t]*>[> \t]*")


def differences_of(text: str, form: Form, packet: Packet) -> Iterator[Flaw]:
    """Where the Markdown part says something else than the state, or something that the state does not hold yet."""
    for key in (*TAKEN_OVER, *_FIXED):
        written, field = form.front.get(key), FRONT[key]
        if written is None or written.value is None:
            continue
        if not written.readable:
            what = f"`{key}` in the frontmatter cannot be read"
            yield Flaw(what, 'write it in double quotes, with `\\"` for a quote inside', written.span, field)
        elif not same(written.value, packet.values.get(field)):
            draft = _asked(packet.text(field))
            what = _WAITS.format(field) if draft else f"`{key}` in the frontmatter is not the `{field}` of the state"
            yield Flaw(what, _FIXED.get(key, FINISH), written.span, field, draft)
    if not body_agrees(text, form, packet):
        what = "the text of this packet is not the `body` of its state"
        if form.ours:
            draft = _asked(packet.text("body"))
            what = _WAITS.format("statement") if draft else what
            yield Flaw(what, FINISH, _trimmed(text, form.body), "body", draft)
        else:
            start = Span(form.body.start, form.body.start)
            yield Flaw(what, "set it back, or change the packet with Kage", start, "body")
    for name, waits in (("evidence", pending_of(packet)), ("reason", waits_for_reason(packet.values))):
        if waits and (line := filled(form, name)):
            yield Flaw(_WAITS.format(name), FINISH, line.span, name, True)


def _asked(stored: str) -> bool:
    """Whether a field of the state is still what a person was asked to fill in."""
    return bool(find_placeholders(stored))


def _trimmed(text: str, span: Span) -> Span:
    """The span without white space around its text."""
    inside = text[span.start : span.end]
    start = span.start + len(inside) - len(inside.lstrip())
    return Span(start, max(start, span.start + len(inside.rstrip())))


def pending_of(packet: Packet) -> Mapping[str, Any]:
    """The verification that waits for its evidence."""
    return mapped(packet.object(OURS).get("pending"))


def waits_for_reason(values: Mapping[str, Any]) -> bool:
    """Whether the last review still asks for its reason."""
    reviews = listed(mapped(values.get(OURS)).get("reviews"))
    return bool(reviews) and _asked(str(mapped(reviews[-1]).get("reason", "")))


def filled(form: Form, name: str) -> FormLine | None:
    """A line above the fence that a person has filled in."""
    line = form.lines.get(name)
    return line if line is not None and is_filled(line.text) else None


def same(written: object, stored: object) -> bool:
    """Whether the frontmatter repeats a value; white space, and the type of what is written, do not matter."""
    if isinstance(written, list) and isinstance(stored, list):
        return [collapsed(item) for item in written] == [collapsed(item) for item in stored]
    return collapsed(written) == collapsed(stored)


def collapsed(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else compact_or_text(value)


def body_agrees(text: str, form: Form, packet: Packet) -> bool:
    """Whether the Markdown part shows the state's body: in our layout it is all of it, elsewhere a part of it."""
    body = collapsed(packet.text("body"))
    if form.ours:
        return collapsed(text[form.body.start : form.body.end]) == body
    markdown = text[form.markdown.start : form.markdown.end]
    return body in collapsed(markdown) or collapsed(_unquoted(packet.text("body"))) in collapsed(_unquoted(markdown))


def _unquoted(markdown: str) -> str:
    return _QUOTE.sub("", markdown)


def compact_or_text(value: Any) -> str:
    """A number or truth value as it is written."""
    try:
        return compact(value)
    except ValueError:
        return str(value)
