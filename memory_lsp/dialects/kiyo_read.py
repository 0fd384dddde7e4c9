"""The lines of a Kiyo file: its entries with the spans of all fields (shared rules: the dialect ``kiyo``).

Nothing here knows what a field means. An entry is a section below a heading of level 1 or 2 that holds fields; a second
``id`` in one section starts another entry. Fences and HTML comments hold neither entries nor fields, and a heading of
level 3 ends the fields: what follows is a person's. Offsets are code points of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from memory_lsp.core.model import Span

FIELDS = (
    "id",
    "record_type",
    "status",
    "statement",
    "source",
    "observed_date",
    "last_modified",
    "last_verified",
    "verification_status",
    "verification_scope",
    "uncertainty",
    "repository_context",
    "git_revision",
    "approval_source",
    "approver",
    "approval_scope",
    "approval_date",
    "related_ids",
    "supersedes",
    "stale_when",
)
"""The fields of the format, in the order in which they are written."""

_KNOWN = frozenset(FIELDS)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*\Z")
_FIELD = re.compile(
    r" {0,3}[-*+][ \t]+(?P<bold>\*\*|__)?(?P<key>[A-Za-z][\w \-]*?)(?:(?P=bold))?[ \t]*:(?:\*\*|__)?(?![\w/\\:])[ \t]*(?P<value>.*)\Z"
)
_BULLETS = frozenset("-*+")
_GAPS = re.compile(r"[\s-]+")
_BULLET = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])(?:[ \t]|\Z)")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+\Z")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: ``start`` to ``end`` without its line end, which is ``eol`` (empty for the last)."""

    start: int
    end: int
    eol: str
    text: str
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A field's value as read (wrapped lines joined by one space), its span, and the span of its key."""

    value: str
    span: Span
    key: Span
    end: int
    """The end of its last line, without the line end."""


@dataclass(slots=True)
class Entry:
    """One entry. ``fields`` go by normalised key, the first of each; ``again`` are further fields of a key that was there."""

    start: int
    end: int
    heading: str = ""
    heading_id: str = ""
    heading_span: Span = field(default_factory=lambda: Span(0, 0))
    title: str = ""
    fields: dict[str, Field] = field(default_factory=dict)
    again: list[tuple[str, Field]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The id: the field's, else the heading's."""
        return plain(self.fields["id"].value) if "id" in self.fields else self.heading_id

    def get(self, name: str) -> str:
        """A field's value, empty if it is absent."""
        found = self.fields.get(name)
        return found.value if found is not None else ""

    @property
    def last(self) -> Field | None:
        """The field that stands last."""
        every = [*self.fields.values(), *(item for _, item in self.again)]
        return max(every, key=lambda item: item.end, default=None)


def lines_of(text: str) -> list[Line]:
    """The lines of a text; those inside fences and HTML comments are ``hidden``."""
    found: list[Line] = []
    position = 1 if text.startswith("\ufeff") else 0
    fence = ""
    comment = False
    for raw in _LINE.findall(text, position):
        if not raw:
            break
        body = raw.rstrip("\r\n")
        hidden = comment or bool(fence)
        opened = _FENCE.match(body) if "```" in body or "~~~" in body else None
        if fence:
            if (
                opened
                and opened[1][0] == fence[0]
                and len(opened[1]) >= len(fence)
                and not body.strip().strip(fence[0])
            ):
                fence = ""
        elif comment:
            comment = not _closes(body)
        elif opened:
            fence, hidden = opened[1], True
        elif "<!--" in body and not _in_code(body):
            hidden = body.lstrip().startswith("<!--")
            comment = body.rfind("<!--") > body.rfind("-->")
        found.append(Line(position, position + len(body), raw[len(body) :], body, hidden))
        position += len(raw)
    return found


def _closes(body: str) -> bool:
    return "-->" in body and body.rfind("<!--") < body.rfind("-->")


def _in_code(body: str) -> bool:
    return body[: body.find("<!--")].count("`") % 2 == 1


def normal_key(key: str) -> str:
    """A key as the format spells it: lower case, ``_`` for spaces and hyphens."""
    return key if key in _KNOWN else _GAPS.sub("_", key.strip().lower())


def plain(value: str) -> str:
    """A value without backticks or a link around it (a link counts by its text)."""
    value = value.strip()
    link = re.fullmatch(r"\[([^\]]*)\]\([^)]*\)", value)
    if link:
        value = link[1].strip()
    return value.strip("`").strip()


def unknown(value: str) -> bool:
    """Whether a value says nothing: absent, ``UNKNOWN`` or a placeholder."""
    value = plain(value)
    return not value or value.upper() in ("UNKNOWN", "NOT_APPLICABLE") or is_placeholder(value)


def is_placeholder(value: str) -> bool:
    """Whether a value is still to be filled in: ``<...>``."""
    return bool(re.fullmatch(r"<[^<>]*>", value.strip()))


def read_entries(text: str) -> list[Entry]:
    """The entries of a file, in their order."""
    entries: list[Entry] = []
    section: list[Line] = []
    head: Line | None = None
    for line in lines_of(text):
        heading = _HEADING.match(line.text) if line.text[:1] == "#" and not line.hidden else None
        if heading is not None and len(heading[1]) <= 2:
            entries += _section(head, section, line.start)
            head, section = line, []
        else:
            section.append(line)
    entries += _section(head, section, len(text))
    return entries


_QUICK = re.compile(
    r"^(?:(?P<heading>\#{1,2})[ \t]+`?(?P<name>\S*?)`?:?(?=\s|\Z)|[ ]{0,3}[-*+][ \t]+(?P<key>[A-Za-z][\w \-]*?)[ \t]*:(?=[ \t\r\n]|\Z)[ \t]*"
    r"(?P<value>[^\r\n]*)(?P<more>(?:\r\n|\r|\n)[ \t]+[^\s\-*+])?)",
    re.MULTILINE,
)
_HIDES = ("```", "~~~", "<!--", "**", "\n###")


def read_values(text: str, first: str, second: str) -> dict[str, tuple[str, str]]:
    """Two fields of every entry by id, plain and with single spaces. The same as ``read_entries`` says, found faster where a
    file holds nothing but plain entries: the history of a store has many versions of them."""
    if text.startswith("\ufeff") or any(mark in text for mark in _HIDES[:4]):
        return _values(read_entries(text), first, second)
    found: dict[str, dict[str, str]] = {}
    name = ""
    fields: dict[str, str] = {}
    notes = False
    position = 0
    for match in _QUICK.finditer(text):
        if match["heading"]:
            name, notes = match["name"] or "", False
            fields = found.setdefault(name, {}) if _ID.match(name) and any(map(str.isdigit, name)) else {}
            position = match.end()
            continue
        key = normal_key(match["key"])
        if key not in ("id", first, second):
            continue
        notes = notes or "\n###" in text[position : match.start()]
        position = match.start()
        if notes and key != "id":
            continue
        if match["more"]:
            return _values(read_entries(text), first, second)
        value = " ".join(plain(match["value"]).split())
        if key == "id":
            if value != name or "id" in fields:
                name, fields = value, found.setdefault(value, {})
            notes = False
        fields.setdefault(key, value)
    return {name: (kept.get(first, ""), kept.get(second, "")) for name, kept in found.items() if kept}


def _values(entries: list[Entry], first: str, second: str) -> dict[str, tuple[str, str]]:
    return {
        entry.id: (
            " ".join(plain(entry.get(first)).split()),
            " ".join(plain(entry.get(second)).split()),
        )
        for entry in entries
        if entry.id
    }


def _section(head: Line | None, lines: Sequence[Line], end: int) -> list[Entry]:
    found: list[Entry] = []
    current: Entry | None = None
    level3 = False
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if line.hidden:
            continue
        start = line.text.lstrip(" ")[:1]
        if line.text[:1] == "#" and _HEADING.match(line.text):
            level3 = True
            continue
        if start not in _BULLETS or not start:
            continue
        match = None if level3 and not _starts(line) else _FIELD.match(line.text)
        if match is None:
            continue
        key = normal_key(match["key"])
        if key not in _KNOWN and " " in match["key"].strip():
            continue
        item, number = _field(line, match, lines, number)
        if key == "id" and current is not None and "id" in current.fields:
            current.end = line.start
            current = None
        if current is None:
            current = Entry(line.start, end)
            if not found and head is not None:
                _take_heading(current, head)
            found.append(current)
        level3 = False
        if key in current.fields:
            current.again.append((key, item))
        else:
            current.fields[key] = item
    return [entry for entry in found if entry.id or {"record_type", "statement"} <= entry.fields.keys()]


def _starts(line: Line) -> bool:
    match = _FIELD.match(line.text)
    return match is not None and normal_key(match["key"]) == "id"


def _take_heading(entry: Entry, head: Line) -> None:
    match = _HEADING.match(head.text)
    text = (match[2] or "").strip() if match else ""
    entry.heading, entry.heading_span = text, Span(head.start, head.end)
    word, _, rest = text.partition(" ")
    word = word.rstrip(":")
    if match is not None and _ID.match(word.strip("`")) and any(letter.isdigit() for letter in word):
        entry.heading_id = word.strip("`")
        entry.title = re.sub(r"\A[—–:\-]+\s*", "", rest.strip()).strip()
        entry.start = head.start
    elif match is not None and len(match[1]) == 2:
        entry.title = text
        entry.start = head.start


def _field(line: Line, match: re.Match[str], lines: Sequence[Line], number: int) -> tuple[Field, int]:
    value = match["value"].rstrip()
    start = line.start + match.start("value")
    end = start + len(value)
    stop = line.end
    parts = [value] if value else []
    while number < len(lines):
        following = lines[number]
        text = following.text
        if following.hidden or not text[:1].isspace() or not text.strip() or _BULLET.match(text):
            break
        stripped = text.strip()
        if not parts:
            start = following.start + len(text) - len(text.lstrip())
        parts.append(stripped)
        end = following.start + len(text.rstrip())
        stop = following.end
        number += 1
    key = Span(line.start + match.start("key"), line.start + match.end("key"))
    return Field(" ".join(parts), Span(start, end), key, stop), number


def spans_of(entry: Entry) -> Mapping[str, Span]:
    """The values of an entry's fields by key."""
    return {name: item.span for name, item in entry.fields.items()}
