"""What real formatters do to real files is not a change: how many cited symbols would be flagged?

    python benchmarks/formatters.py --folder DIR [--files 150] [--language L ...] [--quick] [--json FILE]
                                    [--max-false-alarms 0]

Every file of the sample is formatted by the real formatter, once with each set of options; every symbol of the file
before (by its exact path) is then judged on the file after. A verdict that is not ``fresh`` or ``cosmetic`` is a false
alarm, and is listed with the first tokens that differ. Files that the language's grammar cannot read are counted apart.
"""

from __future__ import annotations

import argparse
import difflib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from material import Material
from rich.console import Console
from rich.table import Table

from memory_lsp.core.compare import compare_symbol
from memory_lsp.core.fingerprint import fingerprint
from memory_lsp.core.model import Verdict
from memory_lsp.core.outline import Outline, outline
from memory_lsp.core.streams import broken_inside, streams_of

SILENT = frozenset({Verdict.FRESH, Verdict.COSMETIC})
BATCH = 25
COUNTED = (
    "files",
    "altered_files",
    "unreadable_files",
    "symbols",
    "altered",
    "held",
    "false_alarms",
    "unreadable_symbols",
    "unreadable_flagged",
)
QUICK_FILES = {"python": 16, "typescript": 20, "javascript": 20, "tsx": 12, "go": 40, "rust": 20}

Run = Callable[[Path], "list[list[str]]"]


@dataclass(frozen=True)
class Formatter:
    """One formatter with one set of options. ``mangle`` unsettles the layout first, so that it has something to do."""

    name: str
    language: str
    command: tuple[str, ...]
    mangle: Callable[[str, random.Random], str] | None = None
    whole_folder: bool = False


@dataclass
class Result:
    """What one formatter did to one language's sample.

    ``altered`` symbols are those whose text differs; ``held``: the grammar does not read the formatted text there, so the
    last verdict stands. In ``unreadable_files`` the grammar misses something before formatting; their symbols (those
    whose own text is read) are counted apart.
    """

    formatter: str
    language: str
    files: int = 0
    altered_files: int = 0
    unreadable_files: int = 0
    symbols: int = 0
    altered: int = 0
    held: int = 0
    false_alarms: int = 0
    unreadable_symbols: int = 0
    unreadable_flagged: int = 0
    seconds: float = 0.0
    alarms: list[dict[str, str]] = field(default_factory=list)


def mangle_go(text: str, random_numbers: random.Random) -> str:
    """Go with its layout unsettled: indentation, blank lines and the space around operators and behind commas."""
    lines: list[str] = []
    raw = False
    for line in text.split("\n"):
        ticks = line.count("`")
        if not raw and not ticks and not line.lstrip().startswith(("//", "/*", "*", "+build")) and "*/" not in line:
            line = " " * random_numbers.randrange(6) + line.lstrip()
            above = lines[-1].strip() if lines else ""
            if (
                random_numbers.random() < 0.1
                and line.strip()
                and not above.startswith("//")
                and not above.endswith("*/")
            ):
                line = "\n" + line + "   "
            if '"' not in line and "'" not in line and "//" not in line and "/*" not in line:
                line = line.replace(", ", random_numbers.choice([",", ",  ", ", "])).replace(" := ", ":=")
        raw ^= ticks % 2 == 1
        lines.append(line)
    return "\n".join(lines)


def formatters(material: Material, languages: list[str], quick: bool) -> Iterator[Formatter]:
    """The formatters that can be had, with their sets of options."""
    base: tuple[str, ...]
    if "python" in languages:
        if black := material.python_tool("black"):
            for length in ("60",) if quick else ("40", "70", "120"):
                yield Formatter(f"black -l {length}", "python", (str(black), "-q", "-l", length))
            if not quick:
                yield Formatter("black --skip-magic-trailing-comma", "python", (str(black), "-q", "-C"))
        if ruff := material.python_tool("ruff"):
            base = (str(ruff), "format", "--isolated", "-q")
            yield Formatter("ruff format", "python", base)
            yield Formatter(
                "ruff format, single quotes, 60", "python",
                (*base, "--line-length", "60", "--config", "format.quote-style='single'",
                 "--config", "format.docstring-code-format=true"),
            )  # fmt: skip
        if not quick and (autopep8 := material.python_tool("autopep8")):
            # W6 and E7 are left out: they rewrite code (`== None` to `is None`, lambda to def).
            yield Formatter(
                "autopep8 --aggressive",
                "python",
                (str(autopep8), "-i", "-a", "--ignore", "E7,W6", "--max-line-length", "60"),
            )
    scripts = [language for language in ("typescript", "javascript", "tsx") if language in languages]
    if scripts and (prettier := material.npm_module("prettier@3")):
        base = (
            "node",
            str(prettier / "bin/prettier.cjs"),
            "--write",
            "--log-level",
            "silent",
            "--no-config",
            "--no-cache",
        )
        for language in scripts:
            yield Formatter("prettier", language, base)
            yield Formatter(
                "prettier --no-semi --single-quote --print-width 60 --trailing-comma none --arrow-parens avoid", language,
                (*base, "--no-semi", "--single-quote", "--print-width", "60", "--trailing-comma", "none",
                 "--arrow-parens", "avoid", "--jsx-single-quote"),
            )  # fmt: skip
            yield Formatter(
                "prettier --print-width 40 --trailing-comma all --quote-props consistent", language,
                (*base, "--print-width", "40", "--trailing-comma", "all", "--quote-props", "consistent",
                 "--bracket-same-line", "--no-bracket-spacing", "--use-tabs", "--experimental-ternaries"),
            )  # fmt: skip
    if "go" in languages and (gofmt := material.gofmt()):
        yield Formatter("gofmt", "go", (str(gofmt), "-w"))
        yield Formatter("gofmt on mangled layout", "go", (str(gofmt), "-w"), mangle_go)
    if "rust" in languages and (rustfmt := material.rustfmt()):
        yield Formatter("rustfmt", "rust", (str(rustfmt), "--edition", "2021"))
        yield Formatter("rustfmt max_width=60", "rust", (str(rustfmt), "--edition", "2021", "--config", "max_width=60"))
        yield Formatter(
            "rustfmt max_width=140, use_small_heuristics=Max", "rust",
            (str(rustfmt), "--edition", "2021", "--config", "max_width=140,use_small_heuristics=Max,"
             "use_field_init_shorthand=false,match_block_trailing_comma=true,newline_style=Windows"),
        )  # fmt: skip
    clang = [language for language in ("c", "cpp", "java") if language in languages]
    if clang and (tool := material.python_tool("clang-format")):
        for written in clang:
            for style in ("LLVM", "GNU", "WebKit", "Google"):
                options = f"{{BasedOnStyle: {style}, SortIncludes: Never}}"
                if written == "java":
                    options = f"{{BasedOnStyle: {style}, SortIncludes: Never, SortJavaStaticImport: Before}}"
                yield Formatter(f"clang-format {style}", written, (str(tool), "-i", f"--style={options}"))


def run(formatter: Formatter, files: list[Path], seed: int) -> Result:
    """Format copies of the files and judge every symbol of each."""
    result = Result(formatter.name, formatter.language)
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        copies: list[tuple[Path, Path, bytes]] = []
        for index, path in enumerate(files):
            target = Path(folder) / f"{index:05d}{path.suffix}"
            data = path.read_bytes()
            if formatter.mangle is not None:
                data = formatter.mangle(
                    data.decode("utf-8", "surrogateescape"), random.Random(f"{seed} {index}")
                ).encode("utf-8", "surrogateescape")
            target.write_bytes(data)
            copies.append((path, target, data if formatter.mangle is None else path.read_bytes()))
        _format(formatter.command, [target for _path, target, _data in copies])
        for path, target, before in copies:
            _judge(result, path, before, target.read_bytes())
    result.seconds = round(time.monotonic() - started, 1)
    return result


def _format(command: tuple[str, ...], targets: list[Path]) -> None:
    """Run over all; where a formatter stops at the first bad file, one by one."""
    done = subprocess.run([*command, *map(str, targets)], capture_output=True, check=False, timeout=900)
    if done.returncode and len(targets) > 1 and "rustfmt" in command[0]:
        for target in targets:
            subprocess.run([*command, str(target)], capture_output=True, check=False, timeout=300)


def _judge(result: Result, path: Path, before: bytes, after: bytes) -> None:
    result.files += 1
    old = outline(result.language, before)
    if old.broken:
        result.unreadable_files += 1
    else:
        result.symbols += len(old.groups)
    if before == after:
        return
    result.altered_files += 1
    new = outline(result.language, after)
    for symbol, group in old.groups.items():
        if old.broken and broken_inside(old, group):
            continue
        then = fingerprint(old, symbol)
        assert then is not None
        comparison = compare_symbol(then, old.broken, new, symbol)
        verdict = comparison.verdict if comparison is not None else Verdict.MISSING
        if old.broken:
            result.unreadable_symbols += 1
            result.unreadable_flagged += verdict not in SILENT and verdict is not Verdict.HELD
            continue
        result.altered += verdict is not Verdict.FRESH
        if verdict is Verdict.HELD:
            result.held += 1
            continue
        if verdict not in SILENT:
            result.false_alarms += 1
            parts = ", ".join(comparison.parts) if comparison is not None else ""
            name = "/".join(path.parts[-3:])
            result.alarms.append(
                {
                    "file": name,
                    "symbol": symbol,
                    "verdict": verdict.value,
                    "parts": parts,
                    "cause": cause(old, new, symbol),
                }
            )


def cause(old: Outline, new: Outline, symbol: str) -> str:
    """The first tokens that differ between two versions of a symbol."""
    before, after = old.find(symbol), new.find(symbol)
    if before is None or after is None:
        return "no longer found"
    left, right = streams_of(old, before).whole().out, streams_of(new, after).whole().out
    for tag, i1, i2, j1, j2 in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            parts = [left[max(0, i1 - 4) : i1], left[i1 : min(i2, i1 + 8)], right[j1 : min(j2, j1 + 8)]]
            context, gone, come = (b" ".join(part).decode("utf-8", "replace") for part in parts)
            return f"{context} | {gone} -> {come}"[:400]
    return "order of members" if left != right else "none (held)"


def _work(job: tuple[Formatter, list[Path], int]) -> Result:
    return run(*job)


def table(results: list[Result], missing: dict[str, str]) -> Table:
    """The results as a table for people."""
    shown = Table(title="symbols that a formatter would flag")
    for name in (
        "language",
        "formatter",
        "files",
        "symbols",
        "altered",
        "false alarms",
        "held",
        "unreadable files",
        "s",
    ):
        shown.add_column(name, justify="left" if name in ("language", "formatter") else "right")
    for item in results:
        shown.add_row(
            item.language, item.formatter, str(item.files), str(item.symbols), str(item.altered), str(item.false_alarms),
            str(item.held), str(item.unreadable_files), str(item.seconds),
        )  # fmt: skip
    for name, reason in missing.items():
        shown.add_row("-", f"{name}: not run ({reason})", *["-"] * 7)
    shown.add_section()
    shown.add_row(
        "total",
        "",
        *[
            str(sum(getattr(item, name) for item in results))
            for name in ("files", "symbols", "altered", "false_alarms")
        ],
    )
    return shown


def main() -> int:
    """Run from the command line; 1 if there are more false alarms than allowed."""
    parser = argparse.ArgumentParser(description="Symbols that formatters would flag.")
    parser.add_argument("--folder", type=Path, help="where tools and sources are kept (default: a temporary folder)")
    parser.add_argument("--files", type=int, default=150, help="files per language")
    parser.add_argument("--language", action="append", help="only these languages")
    parser.add_argument("--only", default="", help="only formatters with this in their name")
    parser.add_argument("--quick", action="store_true", help="a small sample of the languages of the core, for CI")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=30, help="false alarms to print")
    parser.add_argument("--json", type=Path, help="write the results there")
    parser.add_argument("--max-false-alarms", type=int, help="exit code 1 above this number")
    arguments = parser.parse_args()
    scratch = tempfile.mkdtemp() if arguments.folder is None else None
    try:
        folder = Path(scratch) if scratch else arguments.folder.resolve()
        results, missing = measure(Material(folder), arguments)
    finally:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)
    console = Console(width=150)
    console.print(table(results, missing))
    alarms = [
        {"formatter": item.formatter, "language": item.language, **alarm} for item in results for alarm in item.alarms
    ]
    for alarm in alarms[: arguments.show]:
        print(
            f"{alarm['language']} {alarm['formatter']} {alarm['file']}#{alarm['symbol']} {alarm['verdict']} [{alarm['parts']}]"
        )
        print(f"    {alarm['cause']!r}")
    if arguments.json:
        report = {
            "schema": "memory-lsp.benchmark-formatters/1",
            "seed": arguments.seed,
            "results": [{key: value for key, value in asdict(item).items() if key != "alarms"} for item in results],
            "alarms": alarms,
            "missing": missing,
        }
        arguments.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    total = len(alarms)
    return int(arguments.max_false_alarms is not None and (total > arguments.max_false_alarms or not results))


def measure(material: Material, arguments: argparse.Namespace) -> tuple[list[Result], dict[str, str]]:
    """All formatters over all samples."""
    core = ["python", "typescript", "javascript", "tsx", "go", "rust"]
    languages = arguments.language or core
    samples = {
        language: material.files(
            language,
            min(arguments.files, QUICK_FILES.get(language, 5)) if arguments.quick else arguments.files,
            arguments.seed,
        )
        for language in languages
    }
    jobs = [
        (formatter, samples[formatter.language][start : start + BATCH], arguments.seed)
        for formatter in formatters(material, languages, arguments.quick)
        if arguments.only in formatter.name
        for start in range(0, len(samples[formatter.language]), BATCH)
    ]
    by_formatter: dict[tuple[str, str], Result] = {}
    with ProcessPoolExecutor(max_workers=max(1, arguments.jobs)) as pool:
        for done, part in enumerate(pool.map(_work, jobs), 1):
            total = by_formatter.setdefault((part.language, part.formatter), Result(part.formatter, part.language))
            for name in COUNTED:
                setattr(total, name, getattr(total, name) + getattr(part, name))
            total.seconds = round(total.seconds + part.seconds, 1)
            total.alarms += part.alarms
            print(
                f"{done}/{len(jobs)} {part.language} {part.formatter}: {total.false_alarms}",
                file=sys.stderr,
                flush=True,
            )
    return list(by_formatter.values()), dict(material.missing)


if __name__ == "__main__":
    sys.exit(main())
