"""The one table of finding codes: where each shows, how severe it is there by default, and what it means.

docs/findings.md and the fixtures are held against this table by a test. A code that never shows in code has ``OFF`` there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from memory_lsp.core.model import Severity

SOURCE = "memory"
"""The ``source`` of every diagnostic."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of finding: its severity in the record (and in ``check``) and on the symbol in code."""

    name: str
    in_record: Severity
    in_code: Severity
    meaning: str
    remedy: str


_TABLE = (
    Code(
        "memory-changed",
        Severity.WARNING,
        Severity.INFORMATION,
        "A cited symbol or file changed since the memory was verified; the memory is withheld.",
        "Read the change: still true, re-verify with evidence; no longer true, supersede; does not apply, retire.",
    ),
    Code(
        "memory-moved",
        Severity.INFORMATION,
        Severity.INFORMATION,
        "A cited definition was found unchanged under another name, scope or file; the memory is served, its address is out of date.",
        "Point the citation at the new address (`memory-lsp follow`).",
    ),
    Code(
        "memory-missing",
        Severity.WARNING,
        Severity.INFORMATION,
        "A cited file or symbol is gone and no equal definition was found; the memory is withheld.",
        "Point the citation at what replaced it (`memory-lsp follow ID --to PATH#SYMBOL`), supersede the memory, or retire it.",
    ),
    Code(
        "memory-expired",
        Severity.INFORMATION,
        Severity.INFORMATION,
        "The date or the time to live that the record sets has passed, or a predicate of its `stale_when` holds; the memory is withheld.",
        "Check the claim and re-verify it, or retire the memory.",
    ),
    Code(
        "memory-ambiguous",
        Severity.INFORMATION,
        Severity.INFORMATION,
        "Several definitions match the citation and the fingerprint cannot tell which one is meant; the memory is withheld.",
        "Point the citation at the right one.",
    ),
    Code(
        "memory-conflict",
        Severity.WARNING,
        Severity.INFORMATION,
        "An approved decision and the code disagree; the decision is kept and the memory is withheld.",
        "Change the code back, or supersede the decision.",
    ),
    Code(
        "memory-invalid",
        Severity.ERROR,
        Severity.OFF,
        "A record, or one of its fields, cannot be read as its store's format says.",
        "Correct the field that the finding names.",
    ),
    Code(
        "memory-duplicate-id",
        Severity.ERROR,
        Severity.OFF,
        "Two records carry the same id; only the first one is used.",
        "Give one of them an id of its own.",
    ),
    Code(
        "memory-unresolved",
        Severity.ERROR,
        Severity.OFF,
        "A citation never resolved: it has no fingerprint and what it names does not exist.",
        "Correct the path or the symbol, then verify the memory.",
    ),
    Code(
        "memory-secret",
        Severity.ERROR,
        Severity.OFF,
        "A record holds a secret or personal data.",
        "Remove it from the record and from history, and revoke the secret.",
    ),
    Code(
        "memory-draft",
        Severity.INFORMATION,
        Severity.INFORMATION,
        "A form is not finished: a placeholder is left to be filled in.",
        "Replace the placeholder, or delete the record.",
    ),
    Code(
        "memory-superseded",
        Severity.HINT,
        Severity.OFF,
        "Another memory took this one's place; this one is withheld.",
        "Read the newer memory.",
    ),
    Code(
        "memory-unchecked",
        Severity.HINT,
        Severity.OFF,
        "A citation cannot be judged, for the reason given; if nothing withholds the memory, it is served as unverified. Or a predicate cannot be evaluated.",
        "Verify the memory, or cite something that can be judged.",
    ),
    Code(
        "memory-unaudited",
        Severity.HINT,
        Severity.OFF,
        "The record's content is not explained by any event of the audit log.",
        "Find out who changed the record; verify the memory to record that it was looked at.",
    ),
    Code(
        "memory-store-conflict",
        Severity.WARNING,
        Severity.OFF,
        "The root holds two stores of one dialect, or settings name a store that is not there; memories are read, writes are refused.",
        "Keep one of the stores, or name it in the setting `store`.",
    ),
)

CODES: Mapping[str, Code] = MappingProxyType({code.name: code for code in _TABLE})
