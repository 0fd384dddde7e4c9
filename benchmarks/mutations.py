"""Real changes are caught: single mutations of real symbols, held against a witness that does not know memory-lsp.

    python benchmarks/mutations.py --folder DIR [--symbols 300] [--language L ...] [--quick] [--json FILE]
                                   [--max-misses 0] [--max-false-alarms 0]

The witness (``oracles``) says of every mutated file whether it is still a program, and whether another one: Python's
``ast.dump`` without docstrings, TypeScript's own syntax tree, Go's ``go/ast``, what rustc read. A *miss* is a change
that is judged ``fresh`` or ``cosmetic``; a *false alarm* is none that is judged otherwise. Mutants that are no program
are left out; those that the grammar cannot read are ``held``, and counted.

The outline of Python is held against ``ast`` as well: recall and precision of qualified names.
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import shutil
import sys
import tempfile
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path

from material import Material
from mutate import mutations
from oracles import oracle_of
from rich.console import Console
from rich.table import Table

from memory_lsp.core.compare import compare_symbol
from memory_lsp.core.fingerprint import fingerprint
from memory_lsp.core.model import Verdict
from memory_lsp.core.outline import outline

LANGUAGES = ("python", "typescript", "javascript", "tsx", "go", "rust")
SILENT = frozenset({Verdict.FRESH, Verdict.COSMETIC})
LARGEST_FILE = 30_000
CHUNK = 12
QUICK_SYMBOLS = {"rust": 8}
BAR = 0.9993


@dataclass
class Counts:
    """One kind of mutation in one language. ``known``: told by construction, not by the witness."""

    changes: int = 0
    misses: int = 0
    same: int = 0
    false_alarms: int = 0
    held: int = 0
    invalid: int = 0


@dataclass
class Result:
    """One language: counts by kind, and every wrong verdict with its edit."""

    language: str
    symbols: int = 0
    kinds: dict[str, Counts] = field(default_factory=dict)
    wrong: list[dict[str, str]] = field(default_factory=list)
    seconds: float = 0.0


def measure(language: str, folder: Path, files: list[Path], symbols: int, seed: int) -> Result:
    """Mutate symbols of these files and judge them."""
    result = Result(language)
    started = time.monotonic()
    witness = oracle_of(language, Material(folder))
    numbers = random.Random(f"{language} {seed}")
    pending: list[tuple[str, str, str, str, bytes, bytes, Verdict]] = []
    for path in files:
        data = path.read_bytes()
        if result.symbols >= symbols or len(data) > LARGEST_FILE:
            continue
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            continue
        old = outline(language, data)
        groups = [group for group in old.groups.values() if group.definitions[0].end - group.definitions[0].start > 40]
        if old.broken or not groups:
            continue
        for group in numbers.sample(groups, min(4, len(groups))):
            result.symbols += 1
            then = fingerprint(old, group.path)
            assert then is not None
            for mutation in mutations(old, group, numbers):
                after = mutation.apply(data)
                if after == data:
                    continue
                comparison = compare_symbol(then, False, outline(language, after), group.path)
                verdict = comparison.verdict if comparison is not None else Verdict.MISSING
                pending.append(
                    ("/".join(path.parts[-3:]), group.path, mutation.kind, mutation.expected, data, after, verdict)
                )
    _count(result, pending, witness)
    result.seconds = round(time.monotonic() - started, 1)
    return result


def _count(result: Result, pending: list[tuple[str, str, str, str, bytes, bytes, Verdict]], witness: object) -> None:
    words: dict[bytes, str | None] = {}
    texts = list({text for item in pending for text in (item[4], item[5])}) if callable(witness) else []
    if callable(witness):
        words = dict(zip(texts, witness([text.decode("utf-8", "replace") for text in texts]), strict=True))
    for path, symbol, kind, expected, before, after, verdict in pending:
        counts = result.kinds.setdefault(kind, Counts())
        was, now = words.get(before, ""), words.get(after, "")
        if was is None or now is None:
            counts.invalid += 1
            continue
        if expected in ("change", "same"):
            changed = expected == "change"
        elif callable(witness):
            changed = was != now
            if expected == "same?" and result.language == "rust":
                # What rustc prints still holds the comments.
                changed = False
        else:
            changed = expected != "same?"
        if verdict is Verdict.HELD:
            counts.held += 1
            continue
        silent = verdict in SILENT
        counts.changes += changed
        counts.same += not changed
        if changed is silent:
            counts.misses += changed
            counts.false_alarms += not changed
            result.wrong.append(
                {
                    "wrong": "miss" if changed else "false alarm",
                    "kind": kind, "file": path, "symbol": symbol, "verdict": verdict.value, "edit": _edit(before, after),
                }
            )  # fmt: skip


def _edit(before: bytes, after: bytes) -> str:
    """What was edited, with some text around it."""
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    context = before[max(0, start - 60) : start].decode("utf-8", "replace")
    gone = before[start : len(before) - end].decode("utf-8", "replace")[:120]
    come = after[start : len(after) - end].decode("utf-8", "replace")[:120]
    behind = before[len(before) - end : len(before) - end + 40].decode("utf-8", "replace")
    return f"{context}[[{gone} => {come}]]{behind}"


@dataclass
class Names:
    """The outline of Python against ``ast``: definitions (functions, methods, classes) by qualified name."""

    files: int = 0
    definitions: int = 0
    found: int = 0
    reported: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of the definitions that the outline has."""
        return self.found / self.definitions if self.definitions else 1.0

    @property
    def precision(self) -> float:
        """Share of what the outline has that is a definition."""
        return self.right / self.reported if self.reported else 1.0


def names(files: list[Path]) -> Names:
    """Compare outlines with ``ast``, name by name, with their number where a name is defined more than once."""
    result = Names()
    for path in files:
        data = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                tree = ast.parse(data)
                data.decode("utf-8")
            except (SyntaxError, ValueError):
                continue
        wanted: Counter[str] = Counter()
        _walk(tree.body, "", wanted)
        seen = outline("python", data)
        reported: Counter[str] = Counter()
        for group in seen.groups.values():
            for definition in group.definitions:
                if definition.node.type in ("function_definition", "class_definition"):
                    reported[group.path] += 1
        both = wanted & reported
        result.files += 1
        result.definitions += wanted.total()
        result.reported += reported.total()
        result.found += both.total()
        result.right += both.total()
        short = "/".join(path.parts[-2:])
        result.wrong += [f"{short}#{name}: not found" for name in (wanted - reported)]
        result.wrong += [f"{short}#{name}: not a definition" for name in (reported - wanted)]
    return result


def _walk(body: list[ast.stmt], prefix: str, into: Counter[str]) -> None:
    for node in body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            into[prefix + node.name] += 1
            _walk(node.body, f"{prefix}{node.name}.", into)
            continue
        for part in ("body", "orelse", "finalbody"):
            _walk(getattr(node, part, []), prefix, into)
        for handler in [*getattr(node, "handlers", []), *getattr(node, "cases", [])]:
            _walk(handler.body, prefix, into)


def table(results: list[Result], by_kind: bool) -> Table:
    """The results as a table for people."""
    shown = Table(title="single mutations of real symbols")
    for name in ("language", "kind", "changes", "misses", "no change", "false alarms", "held", "no program"):
        shown.add_column(name, justify="left" if name in ("language", "kind") else "right")
    for item in results:
        total = Counts()
        for kind, counts in sorted(item.kinds.items()):
            for key, value in asdict(counts).items():
                setattr(total, key, getattr(total, key) + value)
            if by_kind:
                shown.add_row(item.language, kind, *_row(counts))
        shown.add_row(item.language, f"all ({item.symbols} symbols, {item.seconds} s)", *_row(total), end_section=True)
    return shown


def _row(counts: Counts) -> list[str]:
    return [str(getattr(counts, key)) for key in ("changes", "misses", "same", "false_alarms", "held", "invalid")]


def _work(job: tuple[str, Path, list[Path], int, int]) -> Result:
    return measure(*job)


def merged(results: list[Result]) -> list[Result]:
    """One result per language."""
    by_language: dict[str, Result] = {}
    for item in results:
        total = by_language.setdefault(item.language, Result(item.language))
        total.symbols += item.symbols
        total.seconds = round(total.seconds + item.seconds, 1)
        total.wrong += item.wrong
        for kind, counts in item.kinds.items():
            into = total.kinds.setdefault(kind, Counts())
            for key, value in asdict(counts).items():
                setattr(into, key, getattr(into, key) + value)
    return list(by_language.values())


def main() -> int:
    """Run from the command line; 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(description="Single mutations of real symbols, against independent witnesses.")
    parser.add_argument("--folder", type=Path, help="where tools and sources are kept (default: a temporary folder)")
    parser.add_argument("--symbols", type=int, default=300, help="symbols per language")
    parser.add_argument("--names", type=int, default=2000, help="Python files whose outline is held against ast")
    parser.add_argument("--language", action="append", help="only these languages")
    parser.add_argument("--quick", action="store_true", help="a small sample, for CI")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--show", type=int, default=30, help="wrong verdicts to print")
    parser.add_argument("--kinds", action="store_true", help="print a row per kind of mutation")
    parser.add_argument("--json", type=Path, help="write the results there")
    parser.add_argument("--max-misses", type=int, help="exit code 1 above this number")
    parser.add_argument("--max-false-alarms", type=int, help="exit code 1 above this number")
    arguments = parser.parse_args()
    scratch = tempfile.mkdtemp() if arguments.folder is None else None
    try:
        folder = Path(scratch) if scratch else arguments.folder.resolve()
        material = Material(folder)
        jobs = []
        for language in arguments.language or LANGUAGES:
            symbols = min(arguments.symbols, QUICK_SYMBOLS.get(language, 24)) if arguments.quick else arguments.symbols
            oracle_of(language, material)
            files = [
                path
                for path in material.files(language, 20 * symbols, arguments.seed)
                if path.stat().st_size <= LARGEST_FILE
            ]
            for start in range(0, symbols, CHUNK):
                share = min(CHUNK, symbols - start)
                jobs.append((language, folder, files[start : start + CHUNK], share, arguments.seed + start))
        with ProcessPoolExecutor(max_workers=max(1, arguments.jobs)) as pool:
            parts = []
            for part in pool.map(_work, jobs):
                parts.append(part)
                print(f"{len(parts)}/{len(jobs)} {part.language}: {len(part.wrong)} wrong", file=sys.stderr, flush=True)
            results = merged(parts)
        outlined = names(
            material.files("python", min(arguments.names, 100) if arguments.quick else arguments.names, arguments.seed)
        )
    finally:
        if scratch:
            shutil.rmtree(scratch, ignore_errors=True)
    console = Console(width=150)
    console.print(table(results, arguments.kinds))
    print(
        f"outline of Python against ast: {outlined.definitions} definitions in {outlined.files} files, "
        f"recall {outlined.recall:.5f}, precision {outlined.precision:.5f}"
    )
    wrong = [{"language": item.language, **entry} for item in results for entry in item.wrong]
    for entry in wrong[: arguments.show]:
        print(
            f"{entry['wrong']}: {entry['language']} {entry['kind']} {entry['file']}#{entry['symbol']} {entry['verdict']}"
        )
        print(f"    {entry['edit']!r}")
    for text in outlined.wrong[:10]:
        print(text)
    for name, reason in material.missing.items():
        print(f"not run: {name} ({reason})")
    if arguments.json:
        report = {
            "schema": "memory-lsp.benchmark-mutations/1",
            "seed": arguments.seed,
            "results": [{**asdict(item), "wrong": len(item.wrong)} for item in results],
            "wrong": wrong,
            "names": {**asdict(outlined), "recall": outlined.recall, "precision": outlined.precision},
            "missing": material.missing,
        }
        arguments.json.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")
    misses = sum(entry["wrong"] == "miss" for entry in wrong)
    alarms = len(wrong) - misses
    too_many = any(
        bound is not None and number > bound
        for number, bound in ((misses, arguments.max_misses), (alarms, arguments.max_false_alarms))
    )
    return int(too_many or outlined.recall < BAR or outlined.precision < BAR or not results)


if __name__ == "__main__":
    sys.exit(main())
