"""Measure the verdicts.

`bench edits` runs recorded edits with known answers and says how many verdicts are right; `bench replay` judges at one revision of
a repository what was verified at another.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from memory_lsp.cli.output import EXIT_OK, Failure, console, print_json
from memory_lsp.core.display import shown

NAME = "bench"
HELP = "measure the verdicts on recorded edits and on history"
EPILOG = """examples:
  memory-lsp bench edits tests/data/edits
  memory-lsp bench edits edits/python.json --format json
  memory-lsp bench replay --from v1.0 --to HEAD --sample 500
"""

QUIET = frozenset({"fresh", "cosmetic", "moved", "held"})
LOUD = frozenset({"changed", "missing", "ambiguous"})
_COUNTS = ("cases", "right", "false_alarms", "misses", "wrong_moves")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from memory_lsp.cli import replay
    from memory_lsp.cli.main import add_common

    kinds = parser.add_subparsers(dest="what", required=True, metavar="edits|replay")
    edits = kinds.add_parser("edits", help="before and after pairs with the right verdict")
    edits.add_argument("paths", nargs="+", metavar="PATH", help="JSON files, or folders of them")
    edits.set_defaults(run=_edits)
    history = kinds.add_parser(
        replay.NAME,
        help=replay.HELP,
        description=replay.__doc__,
        epilog=replay.EPILOG,
        formatter_class=parser.formatter_class,
    )
    replay.add_arguments(history)
    history.set_defaults(run=replay.run)
    for kind in (edits, history):
        known = set(kind._actions)
        add_common(kind)
        for action in set(kind._actions) - known:
            # What stands before the kind (`bench --format json edits ...`) is not put back to its default.
            action.default = argparse.SUPPRESS


def run(arguments: argparse.Namespace) -> int:
    result: int = arguments.run(arguments)
    return result


def _edits(arguments: argparse.Namespace) -> int:
    results = [judged(case) for case in read_cases(map(Path, arguments.paths))]
    report = edits_report(results)
    if arguments.format == "json":
        print_json(report)
    else:
        _print(report)
    return EXIT_OK


def read_cases(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """The cases of JSON files and of the JSON files in folders. Raises ``Failure`` for what is none."""
    for path in paths:
        if not path.exists():
            raise Failure(f"{path}: there is no such file or folder")
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            try:
                cases = json.loads(file.read_bytes())
            except (OSError, ValueError) as error:
                raise Failure(f"{file}: not a JSON file of edits ({error})") from error
            if not isinstance(cases, list) or not all(_is_case(case) for case in cases):
                raise Failure(f"{file}: not a list of edits (id, language, path, symbol, before, after, want)")
            yield from cases


def _is_case(case: object) -> bool:
    if not isinstance(case, dict):
        return False
    texts = all(
        isinstance(case.get(side), dict) and all(isinstance(text, str) for text in case[side].values())
        for side in ("before", "after")
    )
    return texts and all(isinstance(case.get(key), str) for key in ("id", "language", "path", "symbol", "want"))


def judged(case: dict[str, Any]) -> dict[str, Any]:
    """One case with what we say about it. Right: the verdict and, where given, the parts (as a set) and ``to``."""
    from memory_lsp.core.pairs import compare

    before, after = (
        {path: text.encode("utf-8", "surrogatepass") for path, text in case[side].items()}
        for side in ("before", "after")
    )
    judgement = compare(before, after, case["path"], case["symbol"])
    got = judgement.verdict.value
    parts, to = case.get("parts"), case.get("to")
    right = (
        got == case["want"]
        and (parts is None or set(parts) == set(judgement.parts))
        and (to is None or to == judgement.to)
    )
    return {
        "id": case["id"],
        "language": case["language"],
        "want": case["want"],
        "got": got,
        "want_parts": parts,
        "got_parts": list(judgement.parts),
        "want_to": to,
        "got_to": judgement.to or None,
        "right": right,
    }


def edits_report(cases: list[dict[str, Any]]) -> dict[str, Any]:
    """All cases counted, schema ``memory-lsp.bench-edits/1`` (design section 11)."""
    languages: dict[str, list[dict[str, Any]]] = {}
    for case in cases:
        languages.setdefault(case["language"], []).append(case)
    return {
        "schema": "memory-lsp.bench-edits/1",
        "languages": {language: _count(found) for language, found in sorted(languages.items())},
        "total": _count(cases),
        "cases": cases,
    }


def _count(cases: list[dict[str, Any]]) -> dict[str, int]:
    """A wrong move is one to another address than the right one, or of what did not move."""
    return {
        "cases": len(cases),
        "right": sum(case["right"] for case in cases),
        "false_alarms": sum(case["want"] in QUIET and case["got"] in LOUD for case in cases),
        "misses": sum(case["want"] in LOUD and case["got"] in QUIET for case in cases),
        "wrong_moves": sum(
            case["got"] == "moved" and (case["want"] != "moved" or case["want_to"] not in (None, case["got_to"]))
            for case in cases
        ),
    }


def _print(report: dict[str, Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    target = console()
    table = Table(box=None, pad_edge=False)
    table.add_column("language")
    for name in _COUNTS:
        table.add_column(name.replace("_", " "), justify="right")
    for language, counts in (*report["languages"].items(), ("total", report["total"])):
        table.add_row(shown(language, 40), *(str(counts[name]) for name in _COUNTS))
    target.print(table)
    for case in report["cases"]:
        if not case["right"]:
            want, got = (
                " ".join(filter(None, (case[side], ",".join(sorted(case[f"{side}_parts"] or ())), case[f"{side}_to"])))
                for side in ("want", "got")
            )
            target.print(Text(f"{shown(case['id'], 60)}: want {shown(want, 200)}, got {shown(got, 200)}"))
