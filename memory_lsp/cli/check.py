"""Judge the memories of a project against its code as it is now, and list what is wrong.

Name memories by id, or records, files and folders by path, to look at those alone. One memory by id is shown in detail:
which part moved, since which commit and by whom, and how the code read then and now.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import IO, Any

from memory_lsp.cli.check_known import print_claim, print_known
from memory_lsp.cli.check_text import print_detail, print_findings, print_impact, then_now
from memory_lsp.cli.output import EXIT_FINDINGS, EXIT_OK, EXIT_UNASSESSED, Failure, complain, console, print_json
from memory_lsp.cli.selection import Selection, select
from memory_lsp.cli.workspace import folder_of, no_store, open_project
from memory_lsp.core.kiyo_trust import CONFLICT, UPDATE_REQUIRED, outcome_of
from memory_lsp.core.model import Finding, Judgement, Memory, Severity, Span, Verdict
from memory_lsp.core.text import LineIndex
from memory_lsp.workspace.history import first_change
from memory_lsp.workspace.impact import (
    NO_STORE,
    Impact,
    context,
    drift,
    has_kiyo,
    impact,
    in_component,
    proposal,
    stored_of,
)
from memory_lsp.workspace.project import Project, Snapshot
from memory_lsp.workspace.roots import looked_at

NAME = "check"
HELP = "judge the memories against the code as it is now"
EPILOG = """examples:
  memory-lsp check                              everything
  memory-lsp check src/pay.py                   the memories about one file (or folder)
  memory-lsp check mem-4k2c                     one memory in detail
  memory-lsp check --format json --fail-on never
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "names", nargs="*", metavar="ID|PATH", help="memories, records, files or folders (default: all)"
    )
    parser.add_argument("--component", metavar="NAME", default="", help="Kiyo records of one component alone")
    parser.add_argument("--output", metavar="FILE", default="", help="write the report to this file, not to the output")
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif"),
        default="text",
        help="text for people, json or sarif for programs",
    )
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "information", "hint", "never"),
        default="warning",
        help="exit 1 for a finding of this severity or a worse one (default: warning)",
    )


def run(arguments: argparse.Namespace) -> int:
    project = open_project(arguments)
    target = _target(arguments.output)
    if project is None:
        folder = folder_of(arguments)
        if arguments.format == "json":
            print_json(report(None, str(folder), looked=looked_at(folder)), target)
        elif arguments.format == "sarif":
            from memory_lsp.cli.sarif import sarif

            print_json(sarif((), None), target)
        else:
            console(target).print(no_store(folder)[:1].upper() + no_store(folder)[1:])
        return EXIT_OK
    try:
        return _checked(project, arguments, target)
    finally:
        project.close_down()


def _target(path: str) -> IO[str] | None:
    """The file of ``--output``; ``None``: standard output."""
    if not path:
        return None
    try:
        return Path(path).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise Failure(f"--output {path}: {error.strerror}") from error


def _checked(project: Project, arguments: argparse.Namespace, target: IO[str] | None) -> int:
    if has_kiyo(project.snapshot):
        # A file that changed while it was judged is judged again.
        project.poll()
    snapshot = project.snapshot
    selection = select(snapshot, arguments.names)
    if arguments.component:
        selection = _of_component(snapshot, selection, arguments.component)
    for name in selection.unknown:
        told = ", ".join(selection.unreadable)
        complain(
            f"{name}: UNVERIFIED, {told} is denied" if told else f"{name}: no memory has this id, and no file is there"
        )
    kiyo = has_kiyo(snapshot)
    found = impact(snapshot, selection.memories, named=selection.named, component=arguments.component) if kiyo else None
    if arguments.format == "json":
        print_json(report(snapshot, str(snapshot.root), selection, impact=found), target)
    elif arguments.format == "sarif":
        from memory_lsp.cli.sarif import sarif

        print_json(sarif(selection.findings, snapshot), target)
    else:
        screen = console(target)
        for name in selection.detailed:
            print_detail(screen, snapshot, name)
            print_claim(screen, snapshot.memories[name])
        if selection.named:
            print_known(screen, snapshot, [name for name in selection.memories if name not in selection.detailed])
        print_findings(screen, snapshot, selection, detailed=bool(selection.detailed))
        if found is not None:
            print_impact(screen, snapshot, selection, found)
    if target is not None:
        target.close()
    return exit_code(snapshot, selection, arguments.fail_on, found)


def _of_component(snapshot: Snapshot, selection: Selection, component: str) -> Selection:
    """What of a selection is about one component; other records are not judged."""
    names = tuple(
        name
        for name in selection.memories
        if snapshot.memories[name].dialect != "kiyo" or in_component(snapshot, name, component)
    )
    kept = set(names)
    findings = tuple(finding for finding in selection.findings if finding.memory in kept)
    return replace(selection, memories=names, findings=findings)


def exit_code(snapshot: Snapshot, selection: Selection, fail_on: str, found: Impact | None = None) -> int:
    """Design section 11: findings before what could not be assessed."""
    if found is not None and fail_on != "never" and found.value in (CONFLICT, UPDATE_REQUIRED):
        return EXIT_FINDINGS
    if snapshot.refusal or (
        fail_on != "never" and any(finding.severity.rank >= Severity(fail_on).rank for finding in selection.findings)
    ):
        return EXIT_FINDINGS
    if selection.unknown or selection.unreadable:
        return EXIT_UNASSESSED
    if selection.named and any(snapshot.states[name].verdict is Verdict.UNCHECKED for name in selection.memories):
        return EXIT_UNASSESSED
    return EXIT_OK


def report(
    snapshot: Snapshot | None,
    root: str,
    selection: Selection | None = None,
    looked: Iterable[str] = (),
    impact: Impact | None = None,
) -> dict[str, Any]:
    """The result as JSON, schema ``memory-lsp.check/1`` (design section 11)."""
    if snapshot is None or selection is None:
        return {
            "schema": "memory-lsp.check/1",
            "root": root,
            "stores": [],
            "summary": {"total": 0, "served": 0, "unverified": 0, "withheld": {}},
            "memories": [],
            "findings": [],
            "looked_at": list(looked),
            "impact": NO_STORE.as_json(),
        }
    positions = _Positions(snapshot)
    findings = [_finding(finding, positions) for finding in selection.findings]
    found: dict[str, Any] = {
        "schema": "memory-lsp.check/1",
        "root": root,
        "stores": [{"dialect": store.dialect, "path": store.path} for store in snapshot.stores],
        "summary": summary(snapshot, selection.memories),
        "memories": [_memory(snapshot, name, name in selection.detailed) for name in selection.memories],
        "findings": findings,
    }
    if impact is None:
        return found
    for memory in found["memories"]:
        if memory["dialect"] == "kiyo":
            name = memory["id"]
            memory["findings"] = [item for item in findings if item["memory"] == name]
    found["memories"] += [_denied(name) for name in selection.unknown if selection.unreadable]
    return {
        **found,
        "impact": impact.as_json(),
        "context": context(snapshot),
        "drift": drift(snapshot, selection.memories),
        "writes": [],
        "notices": list(snapshot.notices),
    }


def _denied(name: str) -> dict[str, Any]:
    """A Kiyo record that was asked for and may be in a store that cannot be read."""
    return {
        "id": name,
        "dialect": "kiyo",
        "verdict": Verdict.UNCHECKED.value,
        "outcome": "UNVERIFIED",
        "served": "unverified",
        "reason": "denied",
        "citations": [],
        "findings": [],
        "proposal": None,
    }


def summary(snapshot: Snapshot, names: Iterable[str]) -> dict[str, Any]:
    """How many memories are served, unverified, and withheld under which word."""
    states = [snapshot.states[name] for name in names]
    withheld: dict[str, int] = {}
    for state in states:
        if state.served == "withheld":
            withheld[state.withheld] = withheld.get(state.withheld, 0) + 1
    return {
        "total": len(states),
        "served": sum(state.served == "served" for state in states),
        "unverified": sum(state.served == "unverified" for state in states),
        "withheld": dict(sorted(withheld.items())),
    }


def _memory(snapshot: Snapshot, name: str, detailed: bool = False) -> dict[str, Any]:
    """One memory; ``detailed``: with the first change and the diff of each citation, which cost a look into history."""
    memory, state = snapshot.memories[name], snapshot.states[name]
    kiyo = memory.dialect == "kiyo"
    more = {"outcome": outcome_of(memory, state), "proposal": proposal(snapshot, name)} if kiyo else {}
    return {
        **more,
        "id": memory.id,
        "title": memory.title,
        "statement": memory.statement,
        "dialect": memory.dialect,
        "path": memory.path,
        "status": memory.status.value,
        "stored": stored_of(memory) if kiyo else memory.stored,
        "verdict": state.verdict.value,
        "served": state.served,
        "reason": state.reason,
        "citations": [
            {
                "text": citation.text,
                "path": citation.path,
                "symbol": judgement.symbol or citation.symbol,
                "verdict": judgement.verdict.value,
                "parts": list(judgement.parts),
                "touched": judgement.touched,
                "to": judgement.to or None,
                "baseline": judgement.baseline,
                "reason": judgement.reason,
                "candidates": list(judgement.candidates),
                **(_detail(snapshot, memory, number, judgement) if detailed else {}),
            }
            for number, (citation, judgement) in enumerate(
                zip(memory.citations, snapshot.judgements.get(name, ()), strict=False)
            )
        ],
    }


def _detail(snapshot: Snapshot, memory: Memory, number: int, judgement: Judgement) -> dict[str, Any]:
    since = first_change(snapshot, memory, number, judgement)
    return {
        "since": since
        and {"commit": since.commit or None, "author": since.author, "at": since.at, "subject": since.subject},
        "diff": "\n".join(then_now(judgement)) if judgement.verdict is Verdict.CHANGED else "",
    }


def _finding(finding: Finding, positions: _Positions) -> dict[str, Any]:
    place = finding.in_code if finding.in_code_severity is not Severity.OFF else None
    return {
        "code": finding.code,
        "severity": finding.severity.value,
        "memory": finding.memory,
        "dialect": finding.dialect,
        "path": finding.path,
        "range": positions.in_record(finding.path, finding.span),
        "field": finding.field,
        "symbol": finding.symbol,
        "verdict": finding.verdict.value if finding.verdict else None,
        "parts": list(finding.parts),
        "reason": finding.reason,
        "message": finding.message,
        "in_code": {"path": place.path, "range": positions.in_code(place.path, place.span)} if place else None,
    }


class _Positions:
    """LSP ranges in utf-16 for spans of records and of code; each document's lines are indexed once."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lines: dict[str, LineIndex] = {}

    def in_record(self, path: str, span: Span) -> dict[str, Any]:
        record = self._snapshot.records.get(path)
        return self._range(self._index(path, record.text if record else None), span)

    def in_code(self, path: str, span: Span) -> dict[str, Any]:
        index = self._index(path, None)
        return self._range(index, Span(index.byte_to_offset(span.start), index.byte_to_offset(span.end)))

    def _index(self, path: str, text: str | None) -> LineIndex:
        if path not in self._lines:
            if text is None:
                text = (self._snapshot.sources.read(path).data or b"").decode("utf-8", "replace")
            self._lines[path] = LineIndex(text)
        return self._lines[path]

    @staticmethod
    def _range(index: LineIndex, span: Span) -> dict[str, Any]:
        start, end = index.position(span.start, "utf-16"), index.position(span.end, "utf-16")
        return {
            "start": {"line": start[0], "character": start[1]},
            "end": {"line": end[0], "character": end[1]},
        }
