"""docs/precision.md from the JSON of the benchmarks: tables by language and kind, and how to reproduce them.

    python benchmarks/report.py --formatters FORMATTERS.json --mutations MUTATIONS.json --histories HISTORIES.json
        [--out docs/precision.md]

Only what stands between the marks of a section is written anew, so that others can add sections to the page.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent.parent / "docs" / "precision.md"
TITLE = """# Precision: false alarms and misses, measured

A memory is worth having if it is withheld when its code changed, and only then. Both are measured on real code, against
witnesses that do not know memory-lsp. The tables are written by `benchmarks/report.py` from the benchmarks' own output.
"""
SHOWN = 40
CAUSES = (
    (
        r"autopep8.*# type : ignore|autopep8.*# noqa",
        "autopep8 puts the directive on a line of its own, where it no longer applies: a change",
    ),
    (
        r"rustfmt.*token_tree",
        "rustfmt adds or removes the braces of a closure in a macro's arguments; only the macro knows what they say",
    ),
    (r"rustfmt.*-> ,", "a comma behind an arm in a macro's arguments; only the macro knows what it says"),
    (
        r"(?:export|static|new|abstract|declare) ?\[\[ => ",
        "the grammar does not read a modifier that ends its line; no formatter writes that",
    ),
)
"""What is known to remain, as patterns of what a benchmark prints of it."""


def formatters(report: dict[str, Any]) -> str:
    """What real formatters would flag, by language and formatter, and every false alarm with its cause."""
    results = report["results"]
    files, symbols, altered, alarms = (
        sum(item[key] for item in results) for key in ("files", "symbols", "altered", "false_alarms")
    )
    lines = [
        "## Formatters are silent",
        "",
        f"Real formatters over real files: {symbols:,} symbols in {files:,} formatted files, {altered:,} of them with another"
        f" text afterwards. **False alarms: {alarms}** (symbols judged other than `fresh` or `cosmetic`).",
        "",
        "| language | formatter | files | symbols | text altered | false alarms | held |",
        "|---|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {item['language']} | `{item['formatter']}` | {item['files']} | {item['symbols']:,} | {item['altered']:,} "
        f"| {item['false_alarms']} | {item['held']} |"
        for item in results
    ]
    unreadable = sum(item["unreadable_files"] for item in results)
    apart, flagged = (sum(item[key] for item in results) for key in ("unreadable_symbols", "unreadable_flagged"))
    lines += [
        "",
        "`held`: the grammar does not read the formatted text at that place, so the last verdict stands. Counted apart:"
        f" {unreadable} of the formatted files hold syntax that the pinned grammar does not know; {flagged} of {apart:,} symbols"
        " beside such a place were flagged.",
    ]
    lines += [f"Not run: {name} ({reason})." for name, reason in report["missing"].items()]
    if report["alarms"]:
        lines += ["", f"Every false alarm, with the first tokens that differ (at most {SHOWN} places):", ""]
        places: dict[tuple[str, str], list[dict[str, str]]] = {}
        for alarm in report["alarms"]:
            places.setdefault((alarm["file"], alarm["cause"]), []).append(alarm)
        for (file, reason), group in list(places.items())[:SHOWN]:
            innermost = max(group, key=lambda alarm: len(alarm["symbol"]))
            lines.append(
                f"- {len(group)} x `{file}#{innermost['symbol']}` ({innermost['formatter']}): `{_inline(reason)}`"
                + _why(f"{innermost['formatter']} {reason}")
            )
    return "\n".join(lines)


def mutations(report: dict[str, Any]) -> str:
    """Misses and false alarms of single mutations, by language and by kind."""
    rows: list[tuple[str, str, Counter[str]]] = []
    totals: list[tuple[str, int, Counter[str]]] = []
    for item in report["results"]:
        total: Counter[str] = Counter()
        for kind, counts in sorted(item["kinds"].items()):
            total.update(counts)
            rows.append((item["language"], kind, Counter(counts)))
        totals.append((item["language"], item["symbols"], total))
    changes, misses, same, alarms = (
        sum(total[key] for _language, _symbols, total in totals)
        for key in ("changes", "misses", "same", "false_alarms")
    )
    lines = [
        "## Real changes are caught",
        "",
        "One mutation at a time of real symbols; the language's own parser says whether the file is still a program and whether it"
        " is another one (Python: `ast.dump` without docstrings; JavaScript, TypeScript, TSX: TypeScript's syntax tree; Go:"
        f" `go/ast`; Rust: what rustc read). **Misses: {misses} of {changes:,} changes. False alarms: {alarms} of {same:,}"
        " mutations that change nothing.**",
        "",
        "| language | symbols | changes | misses | no change | false alarms | held | no program |",
        "|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {language} | {symbols} | {total['changes']:,} | {total['misses']} | {total['same']:,} | {total['false_alarms']} "
        f"| {total['held']} | {total['invalid']:,} |"
        for language, symbols, total in totals
    ]
    kinds: dict[str, Counter[str]] = {}
    for _language, kind, counts in rows:
        kinds.setdefault(kind, Counter()).update(counts)
    lines += [
        "",
        "By kind of mutation, all languages:",
        "",
        "| kind | changes | misses | no change | false alarms | held |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {kind} | {counts['changes']:,} | {counts['misses']} | {counts['same']:,} | {counts['false_alarms']} | {counts['held']} |"
        for kind, counts in sorted(kinds.items())
    ]
    lines += [f"\nNot run: {name} ({reason})." for name, reason in report["missing"].items()]
    if report["wrong"]:
        lines += ["", f"Every wrong verdict, with its edit `[[before => after]]` (at most {SHOWN}):", ""]
        lines += [
            f"- {entry['wrong']}, {entry['language']}, {entry['kind']}, `{entry['file']}#{entry['symbol']}` judged"
            f" {entry['verdict']}: `{_inline(entry['edit'])}`{_why(entry['edit'])}"
            for entry in report["wrong"][:SHOWN]
        ]
    return "\n".join(lines)


def outline(report: dict[str, Any]) -> str:
    """The outline of Python against ``ast``."""
    names = report["names"]
    lines = [
        "## The outline of Python",
        "",
        f"Qualified names of functions, methods and classes against `ast`, {names['definitions']:,} definitions in"
        f" {names['files']:,} files: recall {names['recall']:.5f}, precision {names['precision']:.5f} (the bar is 0.9993 each).",
    ]
    if names["wrong"]:
        lines += ["", "Differences:", "", *[f"- `{item}`" for item in names["wrong"][:SHOWN]]]
    return "\n".join(lines)


def reproduce() -> str:
    """How to get these tables."""
    return "\n".join(
        [
            "## How to reproduce",
            "",
            "Formatters, sources and the parsers that are witnesses come from PyPI, npm and Debian by name, into the folder given;"
            " nothing is installed on the machine. What cannot be had is listed as not run. Seeds are fixed.",
            "",
            "```sh",
            "python benchmarks/formatters.py --folder .tools/precision --files 400 --json formatters.json",
            "python benchmarks/mutations.py --folder .tools/precision --symbols 1000 --json mutations.json",
            "python benchmarks/report.py --formatters formatters.json --mutations mutations.json",
            "```",
            "",
            "`--quick` is what CI runs (a small sample; `--max-false-alarms` and `--max-misses` are the bounds), `--language L` one"
            " language, `--show N` prints the wrong verdicts.",
        ]
    )


def _why(text: str) -> str:
    """The known cause, as the end of a line."""
    plain = " ".join(text.split())
    return next((f". {cause}." for pattern, cause in CAUSES if re.search(pattern, plain)), "")


def _inline(text: str) -> str:
    return " ".join(text.split()).replace("`", "'").replace("|", "\\|")[:200]


def put(page: str, name: str, text: str) -> str:
    """The page with the section between its marks replaced, or added at its end."""
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    block = f"{begin}\n{text}\n{end}"
    pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    return pattern.sub(lambda _match: block, page) if pattern.search(page) else f"{page.rstrip()}\n\n{block}\n"


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description="docs/precision.md from the benchmarks' JSON.")
    parser.add_argument("--formatters", type=Path)
    parser.add_argument("--mutations", type=Path)
    parser.add_argument("--histories", type=Path)
    parser.add_argument("--out", type=Path, default=PAGE)
    arguments = parser.parse_args()
    page = arguments.out.read_text("utf-8") if arguments.out.exists() else TITLE
    if arguments.formatters:
        page = put(page, "formatters", formatters(json.loads(arguments.formatters.read_text("utf-8"))))
    if arguments.mutations:
        report = json.loads(arguments.mutations.read_text("utf-8"))
        page = put(page, "mutations", mutations(report))
        page = put(page, "outline", outline(report))
    if arguments.histories:
        from histories import markdown

        page = put(page, "histories", markdown(json.loads(arguments.histories.read_text("utf-8"))))
    page = put(page, "reproduce", reproduce())
    arguments.out.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
