"""The nouns: memories, citations, verdicts, findings and edits, as plain frozen values.

Offsets in records are *code points* of the document's text (a Python ``str``, byte order mark included as the
character U+FEFF); offsets in code are *bytes* of the UTF-8 source. Nothing here knows about positions of an editor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Verdict(str, Enum):
    """The computed axis of trust (design section 4). ``HELD`` is shown by ``compare`` and ``bench`` only."""

    FRESH = "fresh"
    COSMETIC = "cosmetic"
    MOVED = "moved"
    UNCHECKED = "unchecked"
    HELD = "held"
    EXPIRED = "expired"
    CHANGED = "changed"
    AMBIGUOUS = "ambiguous"
    MISSING = "missing"
    CONFLICT = "conflict"

    @property
    def rank(self) -> int:
        """Higher is worse; a memory's verdict is the worst of its citations'."""
        return _RANK[self]

    @property
    def served(self) -> bool:
        """Whether an approved memory with this verdict is served (``unchecked`` is served as *unverified*)."""
        return self in _SERVED


_RANK = {verdict: rank for rank, verdict in enumerate(Verdict)}
_SERVED = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.MOVED, Verdict.UNCHECKED, Verdict.HELD})


class Status(str, Enum):
    """The stored axis of trust, moved by people."""

    PENDING = "pending"
    APPROVED = "approved"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"


class Severity(str, Enum):
    """Severity of a finding; ``OFF`` switches its code off."""

    ERROR = "error"
    WARNING = "warning"
    INFORMATION = "information"
    HINT = "hint"
    OFF = "off"

    @property
    def rank(self) -> int:
        """0 is off, 4 is error."""
        return ("off", "hint", "information", "warning", "error").index(self.value)


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range ``start <= i < end``; the unit is named by whoever holds it."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Replace ``text[start:end]`` (code points of the old text) by ``new``. Edits of one document never overlap."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What was seen of a citation when it was last verified (``core.fingerprint`` makes and reads it).

    ``signature``, ``body`` and ``decorator`` hold one hash per definition of the symbol's ordered group; a part that
    is absent is the empty string. ``members`` are ``(name, hash)`` in order, with an empty name for what is no member.
    ``twins`` are the name-blind hashes by which a moved definition is recognised, ``tokens`` the size of the whole
    definition, ``broken`` says that the text did not parse inside it. ``excerpt`` are the hashes of the statements that a
    narrower citation is about, behind ``kind:tokens`` (the node that holds them, their size).
    """

    producer: str
    text: str
    signature: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    decorator: tuple[str, ...] = ()
    documentation: str = ""
    members: tuple[tuple[str, str], ...] = ()
    twins: tuple[str, ...] = ()
    tokens: int = 0
    broken: bool = False
    excerpt: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """What a memory is about. ``path`` is relative to the root, with ``/``; an empty ``symbol`` cites the whole file.

    ``lines`` are 1-based and inclusive (tied to the enclosing symbol when judged). ``excerpt`` holds the statements
    inside the symbol that the claim is about. ``blob`` is git's object id of the file as it was verified, ``sha256``
    and ``size`` (bytes) what a Kage packet records of it. ``names`` are the definitions that a packet's own text names
    in code form (Kage: they decide instead of the whole file); ``anchors`` are Kage's own symbol hashes as
    ``(name, kind, sha256)``. ``span`` is where the citation stands in the record, ``spans`` where its fields do ("path",
    "symbol", "fingerprint", "blob", "excerpt", "kind"), in code points. Of a Kiyo record ``baseline`` names what the
    fingerprint was taken from, and ``candidates`` are the files that its path may mean. ``gap`` says why there is no
    fingerprint where that is known (what is written cannot be read, a Kiyo record has no baseline).
    """

    path: str
    symbol: str = ""
    lines: tuple[int, int] | None = None
    kind: str = ""
    excerpt: str = ""
    fingerprint: Fingerprint | None = None
    blob: str = ""
    sha256: str = ""
    size: int | None = None
    names: tuple[str, ...] = ()
    anchors: tuple[tuple[str, str, str], ...] = ()
    span: Span = Span(0, 0)
    spans: Mapping[str, Span] = field(default_factory=dict)
    baseline: str = ""
    gap: str = ""
    candidates: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """``path``, ``path#Symbol.path`` or ``path#L10-L20``."""
        if self.lines:
            first, last = self.lines
            return f"{self.path}#L{first}" if first == last else f"{self.path}#L{first}-L{last}"
        return f"{self.path}#{self.symbol}" if self.symbol else self.path


@dataclass(frozen=True, slots=True)
class Verification:
    """An event: who verified, when (ISO 8601), by what evidence, and which fingerprints moved (free text)."""

    by: str
    at: str
    evidence: str = ""
    changes: str = ""


@dataclass(frozen=True, slots=True)
class Memory:
    """One durable claim with its provenance.

    ``path`` is the record's file, relative to the root. ``stored`` is the status word as written in the record.
    ``statement`` is the claim; ``context`` holds the optional facets (``why``, ``trigger``, ``action``,
    ``verification``, ``risk_if_forgotten``, ``stale_when``, ``rejected_alternatives``) as text. ``prose`` is all text of
    the record in which names may stand in code form (title, summary, body, context without fenced blocks).
    ``verifications`` are oldest first. ``decision`` is the word of the review that ended it, or ends it once its reason is there ("rejected", "retired", ...). Dates are ISO 8601 text, empty when absent. ``spans`` maps a field's name to
    its value in the document (code points); ``span`` is the whole record. ``unreadable``: the record is damaged, and what is
    here is what could be told of it. ``draft`` says that a form is not finished:
    ``placeholders`` are the spans of what is still to be filled in. ``fields`` are a Kiyo record's fields as written.
    """

    id: str
    dialect: str
    path: str
    status: Status
    stored: str = ""
    title: str = ""
    type: str = ""
    statement: str = ""
    scope: str = "repo"
    author: str = ""
    tags: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)
    prose: str = ""
    citations: tuple[Citation, ...] = ()
    verifications: tuple[Verification, ...] = ()
    supersedes: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()
    decision: str = ""
    valid_from: str = ""
    valid_until: str = ""
    recorded_at: str = ""
    stale_after: str = ""
    ttl_days: int | None = None
    last_verified_at: str = ""
    predicates: tuple[tuple[str, Span], ...] = ()
    placeholders: tuple[tuple[str, Span], ...] = ()
    span: Span = Span(0, 0)
    spans: Mapping[str, Span] = field(default_factory=dict)
    fields: Mapping[str, str] = field(default_factory=dict)
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a record itself, found while parsing: a finding code, what it is and what to do, and where."""

    code: str
    message: str
    span: Span
    field: str = ""
    memory: str = ""


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a dialect reads from one document. Never an exception: what cannot be read is a problem."""

    memories: tuple[Memory, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdict on one citation and all that is known about it.

    ``parts`` are exactly ``signature``, ``body``, ``documentation``, ``decorator``, ``member:<name>`` or, for a citation
    narrower than what changed, ``elsewhere``. ``touched``: whether the change touches what the claim names (``None``: it
    names nothing). ``to``: the new ``path#symbol`` of a move; ``candidates``: several equal twins. ``symbol`` is the full
    symbol path that was judged; ``name`` its name in the current source (bytes), where a finding in code belongs;
    ``then`` and ``now`` the symbol's text at the verification and today, when known. ``baseline`` names what was
    compared with.
    """

    verdict: Verdict
    parts: tuple[str, ...] = ()
    touched: bool | None = None
    to: str = ""
    candidates: tuple[str, ...] = ()
    reason: str = ""
    baseline: str = ""
    symbol: str = ""
    name: Span | None = None
    then: str | None = None
    now: str | None = None


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A place in a code file: root-relative path and byte span."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Finding:
    """One problem at one place in a record (``path``, ``span`` in code points), with its twin in code if it has one."""

    code: str
    severity: Severity
    path: str
    span: Span
    message: str
    memory: str = ""
    dialect: str = ""
    field: str = ""
    symbol: str = ""
    verdict: Verdict | None = None
    parts: tuple[str, ...] = ()
    reason: str = ""
    in_code: CodePlace | None = None
    in_code_severity: Severity = Severity.OFF


@dataclass(frozen=True, slots=True)
class FileEdit:
    """Edits of one document. ``before`` is the text they were computed on; ``None`` creates the file."""

    path: str
    before: str | None
    edits: tuple[TextEdit, ...]

    @property
    def after(self) -> str:
        """The document's text once the edits are applied."""
        return apply_edits(self.before or "", self.edits)


@dataclass(frozen=True, slots=True)
class Event:
    """What an applied operation writes to the audit log (time and actor are added when it is written)."""

    action: str
    memory: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What an operation would do. An empty ``edits`` changes nothing and writes nothing."""

    summary: str
    edits: tuple[FileEdit, ...] = ()
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an operation does nothing, in one line: what, where, what to do; ``candidates`` are names to take instead."""

    message: str
    candidates: tuple[str, ...] = ()


def apply_edits(text: str, edits: tuple[TextEdit, ...]) -> str:
    """``text`` with all edits applied; offsets are those of the old text."""
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits, key=lambda item: (item.start, item.end)):
        if edit.start < position:
            raise ValueError("edits overlap")
        pieces += (text[position : edit.start], edit.new)
        position = edit.end
    pieces.append(text[position:])
    return "".join(pieces)


def worst(verdicts: list[Verdict]) -> Verdict:
    """The verdict of a memory: the worst of its citations', ``unchecked`` when it has none."""
    return max(verdicts, key=lambda verdict: verdict.rank, default=Verdict.UNCHECKED)
