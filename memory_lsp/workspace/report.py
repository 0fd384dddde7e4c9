"""The findings of a root by record and by place in code, kept up to date record by record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from memory_lsp.checks import check, invalid
from memory_lsp.checks.subject import Subject
from memory_lsp.core.model import Finding, Memory
from memory_lsp.workspace.audit import content_hash
from memory_lsp.workspace.index import Index
from memory_lsp.workspace.settings import Settings, configured
from memory_lsp.workspace.snapshot import Record
from memory_lsp.workspace.sources import View
from memory_lsp.workspace.verdicts import Verdicts

_REBUILT = 64
"""From this many changed places in code on, all are worked out anew."""


class Report:
    """``findings`` by record path and ``in_code`` by code path; both are replaced, never changed.

    ``explained`` are the contents that the audit log explains, by memory; ``None`` without a log.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self.findings: dict[str, tuple[Finding, ...]] = {}
        self.in_code: dict[str, tuple[Finding, ...]] = {}
        self.explained: Mapping[str, frozenset[str]] | None = None

    def update(
        self,
        paths: Iterable[str],
        verdicts: Verdicts,
        settings: Settings,
        view: View,
        now: datetime,
    ) -> None:
        """Check the records at ``paths`` again."""
        updates: dict[str, tuple[Finding, ...]] = {}
        places: set[str] = set()
        for path in sorted(paths):
            old, new = self.findings.get(path, ()), self._check(path, verdicts, settings, view, now)
            if old != new:
                updates[path] = new
                places.update(finding.in_code.path for finding in (*old, *new) if finding.in_code and _shows(finding))
        if not updates:
            return
        self.findings = {**self.findings, **updates}
        for path, new in updates.items():
            if not new:
                del self.findings[path]
        if len(places) >= _REBUILT:
            self.in_code = _by_place(finding for found in self.findings.values() for finding in found)
        elif places:
            self.in_code = dict(self.in_code)
            for place in places:
                names = {name for name, _ in self._index.citing.get(place, ())} | verdicts.elsewhere
                records = {self._index.owners(name)[0] for name in names if self._index.owners(name)}
                here = _by_place(finding for record in records for finding in self.findings.get(record, ()))
                self.in_code[place] = here.get(place, ())
                if not self.in_code[place]:
                    del self.in_code[place]

    def _check(
        self,
        path: str,
        verdicts: Verdicts,
        settings: Settings,
        view: View,
        now: datetime,
    ) -> tuple[Finding, ...]:
        """All findings of one record, with the severities of the settings."""
        record = self._index.records.get(path)
        if record is None:
            return ()
        judgements, states = verdicts.tables
        found = list(invalid.findings(path, record.dialect, record.parsed.problems))
        for memory in record.parsed.memories:
            first, *others = self._index.owners(memory.id)
            found += check(
                Subject(
                    memory=memory,
                    judgements=judgements.get(memory.id, ()) if first == path else (),
                    state=states[memory.id],
                    now=now,
                    sources=view,
                    memories=self._index.memories,
                    first=first,
                    others=tuple(others),
                    stale_when=verdicts.stale_when(memory.id) if first == path else (),
                    unaudited=record.version is None and self._unaudited(memory, record),
                )
            )
        wanted = (configured(finding, settings) for finding in found)
        return tuple(finding for finding in wanted if finding is not None)

    def _unaudited(self, memory: Memory, record: Record) -> bool:
        """Whether a log is kept and does not explain the record. Kage writes packets itself: those we never touched are its own."""
        if self.explained is None or memory.dialect == "kiyo":
            # The log knows whole files, a Kiyo file holds many records, and edits by hand are normal there.
            return False
        hashes = self.explained.get(memory.id)
        if hashes is None:
            return memory.dialect != "kage"
        return content_hash(record.text) not in hashes


def _by_place(findings: Iterable[Finding]) -> dict[str, tuple[Finding, ...]]:
    """Findings that show in code, by path, in the order of their places."""
    places: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.in_code and _shows(finding):
            places.setdefault(finding.in_code.path, []).append(finding)
    return {path: tuple(sorted(found, key=_place)) for path, found in places.items()}


def _shows(finding: Finding) -> bool:
    return finding.in_code is not None and finding.in_code_severity.rank > 0


def _place(finding: Finding) -> tuple[int, str, str]:
    return finding.in_code.span.start if finding.in_code else 0, finding.code, finding.memory
