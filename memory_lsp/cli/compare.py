"""Compare a symbol in two versions of its code: what a memory about it would be told.

BEFORE and AFTER are two files, two folders, or with --repo two revisions of a git repository.
"""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Mapping
from pathlib import Path

from memory_lsp.cli.output import EXIT_FINDINGS, EXIT_OK, EXIT_UNASSESSED, Failure, console, print_diff, print_json
from memory_lsp.core.display import shown
from memory_lsp.core.model import Judgement, Verdict

NAME = "compare"
HELP = "compare a symbol in two versions"
EPILOG = """examples:
  memory-lsp compare old/pay.py new/pay.py --symbol Gateway.charge
  memory-lsp compare release-1/ release-2/ --path src/pay.py --symbol Gateway.charge
  memory-lsp compare v1.0 HEAD --repo . --path src/pay.py --symbol Gateway.charge

Exit codes: 0 fresh, cosmetic or moved; 1 changed, missing or ambiguous; 4 not assessed.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", metavar="BEFORE", help="the file, folder or revision that was verified")
    parser.add_argument("after", metavar="AFTER", help="the file, folder or revision to judge")
    parser.add_argument(
        "--symbol", default="", metavar="S", help="the symbol path, e.g. Gateway.charge (default: the whole file)"
    )
    parser.add_argument("--path", default="", metavar="P", help="the file inside the folders or revisions")
    parser.add_argument("--repo", metavar="R", help="BEFORE and AFTER are revisions of this repository")


def run(arguments: argparse.Namespace) -> int:
    from memory_lsp.core.pairs import compare
    from memory_lsp.workspace.versions import files_of_pair, files_of_revisions

    symbol = arguments.symbol
    if arguments.repo is not None:
        pair = files_of_revisions(Path(arguments.repo), arguments.before, arguments.after, arguments.path)
    else:
        pair = files_of_pair(Path(arguments.before), Path(arguments.after), arguments.path)
    if isinstance(pair, str):
        raise Failure(pair)
    path, before, after = pair
    judgement = compare(before, after, path, symbol)
    lines = _diff(path, symbol, before, after, judgement)
    if arguments.format == "json":
        print_json(
            {
                "schema": "memory-lsp.compare/1",
                "verdict": judgement.verdict.value,
                "parts": list(judgement.parts),
                "touched": judgement.touched,
                "to": judgement.to or None,
                "diff": "\n".join(lines),
                "reason": judgement.reason,
                "candidates": list(judgement.candidates),
            }
        )
    else:
        _print(path, symbol, judgement, lines)
    if judgement.verdict in (Verdict.CHANGED, Verdict.MISSING, Verdict.AMBIGUOUS):
        return EXIT_FINDINGS
    return EXIT_UNASSESSED if judgement.verdict in (Verdict.UNCHECKED, Verdict.HELD) else EXIT_OK


def _diff(
    path: str, symbol: str, before: Mapping[str, bytes], after: Mapping[str, bytes], judgement: Judgement
) -> list[str]:
    """The symbol (else the file) then and now as a unified diff; of a moved one across its two addresses."""
    from memory_lsp.workspace.versions import symbol_text

    new_path, _, new_symbol = (judgement.to or f"{path}#{symbol}").partition("#")
    then = symbol_text(path, before.get(path), symbol)
    now = symbol_text(new_path, after.get(new_path), new_symbol)
    if then == now:
        return []
    return list(
        difflib.unified_diff(
            (then or "").splitlines(), (now or "").splitlines(), f"before/{path}", f"after/{new_path}", lineterm=""
        )
    )


def _print(path: str, symbol: str, judgement: Judgement, lines: list[str]) -> None:
    from rich.text import Text

    target = console()
    text = Text(f"{shown(path, 200)}{'#' if symbol else ''}{shown(symbol, 200)}: ")
    text.append(judgement.verdict.value, style="green" if judgement.verdict.served else "yellow")
    if judgement.parts:
        text.append(f" ({', '.join(shown(part, 100) for part in judgement.parts)})")
    if judgement.to:
        text.append(f", now {shown(judgement.to, 200)}")
    if judgement.reason:
        text.append(f"; {shown(judgement.reason, 200)}")
    target.print(text)
    for candidate in judgement.candidates:
        target.print(Text(f"  {shown(candidate, 200)}"))
    print_diff(target, lines)
