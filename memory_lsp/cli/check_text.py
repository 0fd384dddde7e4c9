"""What ``check`` prints for people: findings grouped by file, and one memory in detail."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from memory_lsp.cli.output import print_diff
from memory_lsp.cli.selection import Selection
from memory_lsp.core.display import shown
from memory_lsp.core.kiyo_trust import outcome_of
from memory_lsp.core.model import Citation, Judgement, Memory, Severity, Verdict
from memory_lsp.core.text import LineIndex
from memory_lsp.workspace.history import first_change
from memory_lsp.workspace.impact import Impact, drift
from memory_lsp.workspace.project import Snapshot

if TYPE_CHECKING:
    from rich.console import Console

_STYLES = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.INFORMATION: "blue", Severity.HINT: "dim"}
_DIFF_LINES = 24


def print_findings(target: Console, snapshot: Snapshot, selection: Selection, *, detailed: bool) -> None:
    """One line per finding, grouped by record, then the summary."""
    from rich.text import Text

    shown_path = ""
    for finding in sorted(selection.findings, key=lambda item: (item.path, item.span.start, item.code)):
        if finding.severity is Severity.OFF:
            continue
        if finding.path != shown_path:
            shown_path = finding.path
            target.print(Text(shown(shown_path, 300), style="bold"))
        record = snapshot.records.get(finding.path)
        text_ = record.text if record else (snapshot.sources.read(finding.path).data or b"").decode("utf-8", "replace")
        line, column = LineIndex(text_).position(finding.span.start, "utf-32")
        text = Text(f"  {line + 1}:{column + 1} ")
        text.append(finding.severity.value, style=_STYLES[finding.severity])
        text.append(f" {finding.code} ", style="dim")
        text.append(finding.message)
        target.print(text)
    if not detailed:
        target.print(Text(summary_line(snapshot, selection), style="bold"))


def summary_line(snapshot: Snapshot, selection: Selection) -> str:
    """``7 memories: 5 served, 1 unverified, 1 withheld (changed 1)``."""
    from memory_lsp.cli.check import summary

    counts = summary(snapshot, selection.memories)
    total = counts["total"]
    withheld = counts["withheld"]
    parts = [f"{counts['served']} served"]
    if counts["unverified"]:
        parts.append(f"{counts['unverified']} unverified")
    if withheld:
        words = ", ".join(f"{word} {number}" for word, number in withheld.items())
        parts.append(f"{sum(withheld.values())} withheld ({words})")
    if not total:
        if selection.named:
            return "No memory is about this."
        return f"No memories yet in {', '.join(store.path for store in snapshot.stores)}; `memory-lsp capture` records one."
    return f"{total} {'memory' if total == 1 else 'memories'}: {', '.join(parts)}"


def print_detail(target: Console, snapshot: Snapshot, name: str) -> None:
    """One memory: its verdict, and for each citation what moved, since when and by whom, and the code then and now."""
    from rich.text import Text

    memory, state = snapshot.memories[name], snapshot.states[name]
    target.print(Text.assemble((shown(memory.id, 80), "bold"), "  ", shown(memory.title or memory.statement, 200)))
    why = f" ({shown(state.reason, 200)})" if state.reason and state.reason != state.withheld else ""
    status = "invalid" if memory.unreadable else memory.status.value
    target.print(Text(f"  {status}, {state.verdict.value}: {state.served}{why}"))
    target.print(Text(f"  {memory.path}  {memory.dialect}", style="dim"))
    for number, citation in enumerate(memory.citations):
        _print_citation(target, snapshot, memory, number, citation, snapshot.judgements[name][number])
    if memory.verifications:
        last = memory.verifications[-1]
        by = f" by {shown(last.by, 80)}" if last.by else ""
        evidence = f": {shown(last.evidence, 300)}" if last.evidence else ""
        target.print(Text(f"  last verified {shown(last.at, 40)}{by}{evidence}"))


def _print_citation(
    target: Console, snapshot: Snapshot, memory: Memory, number: int, citation: Citation, judgement: Judgement
) -> None:
    from rich.text import Text

    text = Text("  ")
    text.append(shown(citation.text, 200), style="bold")
    text.append(f"  {judgement.verdict.value}", style="green" if judgement.verdict.served else "yellow")
    if judgement.parts:
        text.append(f"  {shown(', '.join(judgement.parts), 200)}")
    target.print(text)
    for label, value in (
        ("now", judgement.to),
        ("candidates", ", ".join(judgement.candidates)),
        ("reason", judgement.reason),
        ("compared with", judgement.baseline),
        ("touches the claim", {True: "yes", False: "no", None: ""}[judgement.touched]),
        ("since", _since(snapshot, memory, number, judgement)),
    ):
        if value:
            target.print(Text(f"    {label}: {shown(value, 240)}"))
    if judgement.verdict is Verdict.CHANGED:
        lines = then_now(judgement)
        print_diff(target, lines[:_DIFF_LINES], "    ")
        if len(lines) > _DIFF_LINES:
            target.print(Text(f"    … {len(lines) - _DIFF_LINES} more lines", style="dim"))


def print_impact(target: Console, snapshot: Snapshot, selection: Selection, impact: Impact) -> None:
    """What a Kiyo report ends with: outcomes, drift, the impact, and what was not assessed."""
    from rich.text import Text

    for name in selection.memories:
        memory, state = snapshot.memories[name], snapshot.states[name]
        if memory.dialect == "kiyo" and (selection.detailed or state.verdict not in (Verdict.FRESH, Verdict.COSMETIC)):
            stored = memory.fields.get("verification_status", "UNKNOWN")
            target.print(
                Text(f"{shown(name, 80)}: stored {shown(stored, 40)}, this check: {outcome_of(memory, state)}")
            )
    for item in drift(snapshot, selection.memories):
        if item["outcome"] != "Match":
            target.print(Text(f"Drift against {shown(item['decision']['id'], 80)}: {item['outcome']}", style="bold"))
            rows = [
                (
                    "decision",
                    f"{item['decision']['statement']} (approved by {item['decision']['approval_source']} for {item['decision']['approval_scope']})",
                ),
                ("files", ", ".join(f"{use['path']}:{use['line']}" for use in item["files"])),
                ("searched", ", ".join(item["searched"])),
                ("left out", ", ".join(item["left_out"])),
                ("observed", item["observed"]),
                ("potential impact", item["potential_impact"]),
                ("confidence", item["confidence"]),
                ("interpretations", "; ".join(item["interpretations"])),
                ("a person decides", "; ".join(item["required_decision"])),
            ]
            for label, value in rows:
                if value:
                    target.print(Text(f"  {label}: {shown(value, 400)}"))
    phase = f", {impact.state}" if impact.state != "none" else ""
    about = f" ({shown(', '.join(impact.ids), 300)})" if impact.ids else ""
    reason = f": {shown(impact.reason, 200)}" if impact.reason else ""
    target.print(Text(f"Memory impact: {impact.value}{phase}{about}{reason}", style="bold"))
    for name, why in impact.not_assessed:
        target.print(Text(f"  not assessed: {shown(name, 120)}: {shown(why, 160)}", style="dim"))
    for notice in snapshot.notices:
        target.print(Text(f"  {shown(notice, 200)}", style="dim"))


def then_now(judgement: Judgement) -> list[str]:
    """A unified diff of the symbol at the verification and now, without the file header; empty if either is not known."""
    if judgement.then is None or judgement.now is None:
        return []
    return list(difflib.unified_diff(judgement.then.splitlines(), judgement.now.splitlines(), lineterm="", n=2))[2:]


def _since(snapshot: Snapshot, memory: Memory, number: int, judgement: Judgement) -> str:
    since = first_change(snapshot, memory, number, judgement)
    if since is None:
        return ""
    if not since.commit:
        return "a change that is not committed"
    return f"{since.commit[:9]} by {since.author} on {since.at[:10]}: {since.subject}"
