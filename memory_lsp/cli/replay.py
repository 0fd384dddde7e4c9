"""Replay history: what a store, or a sample of symbols, verified at one revision would be told at another.

Every file is read from git's objects, nothing is checked out. For Python each verdict is held against Python's own `ast`
(docstrings and directive comments aside), and moves against the renames that git itself detects.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_lsp.cli.output import EXIT_OK, Failure, console, print_json
from memory_lsp.core.display import shown
from memory_lsp.core.model import Verdict

if TYPE_CHECKING:
    from memory_lsp.workspace.replay import Outcome
    from memory_lsp.workspace.revisions import Revisions

NAME = "replay"
HELP = "judge at one revision what was verified at another"
EPILOG = """examples:
  memory-lsp bench replay --from v1.0 --to HEAD
  memory-lsp bench replay --repo ../shop --from v1.0 --to v2.0 --store .agent_memory/packets
  memory-lsp bench replay --from v1.0 --to HEAD --sample 500 --seed 7 --format json
"""

FLAGGED = frozenset({Verdict.CHANGED, Verdict.MISSING, Verdict.AMBIGUOUS, Verdict.CONFLICT})
"""Verdicts that withhold because of the code."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repo", default=".", metavar="R", help="the repository (default: the current folder)")
    parser.add_argument("--from", dest="before", required=True, metavar="A", help="the revision that was verified")
    parser.add_argument("--to", dest="after", required=True, metavar="B", help="the revision to judge")
    parser.add_argument(
        "--store", metavar="S", help="a folder or dialect (default: the revision's only store); approved memories count"
    )
    parser.add_argument("--sample", type=_count, metavar="N", help="judge N symbols of code files instead of a store")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="chooses the sample (default: 1)")


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def run(arguments: argparse.Namespace) -> int:
    if arguments.sample is not None and arguments.store:
        raise Failure("--store and --sample exclude each other: replay a store, or a sample of symbols")
    report = replayed(
        Path(arguments.repo), arguments.before, arguments.after, arguments.store or "", arguments.sample, arguments.seed
    )
    if arguments.format == "json":
        print_json(report)
    else:
        _print(report)
    return EXIT_OK


def replayed(
    repository: Path, before: str, after: str, store: str = "", sample: int | None = None, seed: int = 1
) -> dict[str, Any]:
    """The report, schema ``memory-lsp.bench-replay/1`` (design section 11). Raises ``Failure`` for what is not there."""
    from memory_lsp.cli.oracle import hold_against_ast, hold_against_git
    from memory_lsp.workspace.git import Git
    from memory_lsp.workspace.replay import find_store, memories_of, memory_units, replay, sampled_units
    from memory_lsp.workspace.revisions import Revisions

    git = Git.find(repository.absolute()) if repository.is_dir() else None
    if git is None:
        raise Failure(f"--repo {repository}: there is no git repository")
    try:
        commits = []
        for revision in (before, after):
            commits.append(git.commit(revision))
            if not commits[-1]:
                raise Failure(f"{revision}: {repository} has no such revision")
        if sample is not None:
            sources = Revisions(git, commits[0], commits[1])
            outcomes = list(replay(sampled_units(sources, sample, seed), sources))
        else:
            found = find_store(git, repository.absolute(), commits[0], store)
            if isinstance(found, str):
                raise Failure(found)
            memories = memories_of(*found)
            cited = [citation.path for memory in memories for citation in memory.citations if citation.sha256]
            sources = Revisions(git, commits[0], commits[1], cited)
            outcomes = list(replay(memory_units(memories, sources), sources))
        verdicts = Counter(outcome.verdict for outcome in outcomes)
        return {
            "schema": "memory-lsp.bench-replay/1",
            "unit": "memory" if sample is None else "symbol",
            "verdicts": {verdict.value: verdicts[verdict] for verdict in Verdict if verdicts[verdict]},
            "flagged": [_flagged(outcome) for outcome in outcomes if outcome.verdict in FLAGGED],
            "oracle": hold_against_ast(outcomes, sources),
            "whole_file": sum(_file_differs(outcome, sources) for outcome in outcomes),
            "renames": hold_against_git(outcomes, sources),
            "from": commits[0],
            "to": commits[1],
        }
    finally:
        git.close()


def _flagged(outcome: Outcome) -> dict[str, Any]:
    return {
        "id": outcome.unit.id,
        "verdict": outcome.verdict.value,
        "citations": [
            {
                "text": citation.text,
                "verdict": judgement.verdict.value,
                "symbol": judgement.symbol or citation.symbol,
                "parts": list(judgement.parts),
                "touched": judgement.touched,
                "to": judgement.to or None,
                "candidates": list(judgement.candidates),
                "baseline": judgement.baseline,
                "reason": judgement.reason,
            }
            for citation, judgement in zip(outcome.unit.citations, outcome.judgements, strict=True)
        ],
    }


def _file_differs(outcome: Outcome, sources: Revisions) -> bool:
    """What hashing whole files would flag."""
    return any(
        (recorded := sources.recorded(citation)) is not None and sources.read(citation.path).data != recorded.data
        for citation in outcome.unit.citations
    )


def _print(report: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    target = console()
    total = sum(report["verdicts"].values())
    plural = {"memory": "memories", "symbol": "symbols"}[report["unit"]]
    table = Table(box=None, pad_edge=False)
    table.add_column("verdict")
    table.add_column(plural, justify="right")
    table.add_column("share", justify="right")
    for verdict, number in (*report["verdicts"].items(), ("total", total)):
        table.add_row(verdict, str(number), _share(number, total))
    target.print(table)
    flagged, whole = len(report["flagged"]), report["whole_file"]
    target.print(
        f"flagged: {flagged} of {total} ({_share(flagged, total)}); hashing whole files: {whole} ({_share(whole, total)})"
    )
    oracle, renames = report["oracle"], report["renames"]
    if oracle is not None:
        target.print(
            f"against Python's ast: {oracle['checked']} checked, {oracle['false_alarms']} false alarms, {oracle['misses']} misses, "
            f"{len(oracle['unfollowed'])} moves not followed (too small, or to several places); {oracle['directives']} left out, "
            "where only a directive comment moved"
        )
    if renames["citations"]:
        target.print(
            f"against git's renames: {renames['citations']} citations, {renames['followed']} followed there, "
            f"{renames['another']} to another file, {renames['changed']} changed there, {renames['unfollowed']} not followed"
        )
    for case in oracle["cases"] if oracle is not None else ():
        words = f"{case['kind']}: {case['id']}: {case['verdict']} {', '.join(case['parts'] or case['to'])}"
        target.print(Text(shown(words, 300)))
    for item in report["flagged"]:
        target.print(Text(f"{item['verdict']}: {shown(item['id'], 200)}"))
        for citation in item["citations"]:
            if report["unit"] == "memory" and Verdict(citation["verdict"]) in FLAGGED:
                where = f"{citation['text']}: {citation['verdict']}"
                what = citation["reason"] or ", ".join(filter(None, (citation["symbol"], *citation["parts"])))
                target.print(Text(f"  {shown(where, 200)}{'; ' if what else ''}{shown(what, 300)}"))


def _share(number: int, total: int) -> str:
    return f"{100 * number / total:.1f} %" if total else "-"
