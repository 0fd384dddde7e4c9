"""What can happen to a record: the changes that a dialect turns into text edits, and the draft of a new record.

Actors are ``human:<id>``, ``process:<id>`` or ``<producer>/<version>``; times are ISO 8601 in UTC
(``2026-01-31T09:30:00.000Z``). An empty ``evidence`` or ``reason`` is written as it is; a placeholder in its place
(``core.placeholders``) leaves the act unfinished, and the dialect's parser does not count it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_lsp.core.model import Citation, Status, Verification


@dataclass(frozen=True, slots=True)
class Verified:
    """Someone looked and it still holds. ``citations`` are the memory's, in order, with what was seen of them now."""

    verification: Verification
    citations: tuple[Citation, ...]


@dataclass(frozen=True, slots=True)
class Approved:
    """A person accepts the memory: its status becomes approved."""

    by: str
    at: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """A person does not accept the memory: it is deprecated, with the reason."""

    by: str
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Retired:
    """The memory no longer applies: it is deprecated, with the reason, and stopped being valid at ``at``."""

    by: str
    at: str
    reason: str


@dataclass(frozen=True, slots=True)
class Superseded:
    """Another memory (``by_memory``, an id) holds instead of this one."""

    by_memory: str
    by: str
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Supersedes:
    """This memory holds instead of an older one (``old_id``)."""

    old_id: str
    by: str
    at: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Repointed:
    """The citation at ``index`` gets a new address, or a narrower ``excerpt`` (and what was seen of it there)."""

    index: int
    citation: Citation
    by: str
    at: str


Change = Verified | Approved | Rejected | Retired | Superseded | Supersedes | Repointed


@dataclass(frozen=True, slots=True)
class Draft:
    """A record to be made. ``statement``, ``title``, ``evidence`` and the facets in ``context`` may be placeholders.

    ``citations`` carry their fingerprint, blob, sha256 and size. ``context`` holds the facets by name (``why``, ...).
    ``supersedes`` are ids that the new memory replaces from the start.
    """

    id: str
    title: str
    statement: str
    type: str
    citations: tuple[Citation, ...]
    author: str
    at: str
    status: Status = Status.PENDING
    scope: str = "repo"
    tags: tuple[str, ...] = ()
    context: Mapping[str, str] = field(default_factory=dict)
    evidence: str = ""
    supersedes: tuple[str, ...] = ()
