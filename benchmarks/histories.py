"""Real histories of real code: consecutive releases from PyPI as commits, replayed from each release to the next and to the last.

    python benchmarks/histories.py [--packages attrs click ...] [--sample 400] [--seed 1] [--cache FOLDER] [--json]

Each release's wheel is downloaded once (``pip download``, nothing is built or installed) and committed into a temporary
repository under its tag. ``memory-lsp bench replay`` then judges, for every step, sampled symbols and a Kage store of packets
that cite one or two files and name one or two of their functions. Then claims about one statement of a function each: how many
are flagged if the function is cited, how many of these changes touch what the claim names, and how many are flagged if the
statement is cited (an excerpt). Every verdict is held against ``ast``. Prints Markdown, or with ``--json`` everything that the
replays said (``report.py --histories`` makes a page of it). Exit code 1 if ``ast`` contradicts any verdict.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import random
import shutil
import subprocess
import sys
import tempfile
import textwrap
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from memory_lsp.cli.python_ast import read_module
from memory_lsp.cli.replay import replayed
from memory_lsp.core.fingerprint import fingerprint
from memory_lsp.core.judge import judge
from memory_lsp.core.model import Citation, Status, Verdict
from memory_lsp.dialects import kage
from memory_lsp.dialects.change import Draft
from memory_lsp.workspace.git import Git
from memory_lsp.workspace.revisions import Revisions

RELEASES = {
    "attrs": ("21.4.0", "22.2.0", "23.2.0", "24.3.0", "25.4.0"),
    "click": ("7.1.2", "8.0.4", "8.1.8", "8.2.1", "8.3.0"),
    "rich": ("10.16.2", "11.2.0", "12.6.0", "13.9.4", "14.2.0"),
    "httpx": ("0.20.0", "0.23.3", "0.25.2", "0.27.2", "0.28.1"),
    "flask": ("1.1.4", "2.0.3", "2.2.5", "2.3.3", "3.1.2"),
}
AT = "2026-01-31T09:30:00.000Z"
PACKETS = 150


def main() -> int:
    """Build the histories, replay them, print what came out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--packages", nargs="+", choices=RELEASES, default=list(RELEASES), help="default: all")
    parser.add_argument("--sample", type=int, default=400, help="symbols per step (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="chooses symbols and packets (default 1)")
    parser.add_argument("--cache", type=Path, help="keep downloaded wheels here and use those that are there")
    parser.add_argument("--json", action="store_true", help="print the replays' own reports")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memory-lsp-histories-") as folder:
        wheels = options.cache or Path(folder) / "wheels"
        runs = [
            run
            for package in options.packages
            for run in measure(Path(folder) / package, package, wheels, options.sample, options.seed)
        ]
    if options.json:
        print(json.dumps({"sample": options.sample, "seed": options.seed, "runs": runs}, indent=2))
    else:
        print(markdown({"sample": options.sample, "seed": options.seed, "runs": runs}))
    wrong = sum(run["oracle"]["false_alarms"] + run["oracle"]["misses"] for run in runs)
    return 1 if wrong else 0


def measure(repository: Path, package: str, wheels: Path, sample: int, seed: int) -> Iterator[dict[str, Any]]:
    """All steps of one package: each release to the next one, and the first to the last."""
    releases = RELEASES[package]
    build(repository, package, wheels)
    for before, after in (*pairwise(releases), (releases[0], releases[-1])):
        store = repository.parent / f"{package}-{before}-packets"
        if not store.exists():
            make_store(store, repository, before, seed)
        for unit, arguments in (("symbol", {"sample": sample, "seed": seed}), ("memory", {"store": str(store)})):
            started = time.perf_counter()
            report = replayed(repository, before, after, **arguments)
            seconds = time.perf_counter() - started
            yield {
                "package": package,
                "from": before,
                "to": after,
                "unit": unit,
                "seconds": round(seconds, 2),
                **{key: value for key, value in report.items() if key not in ("from", "to", "unit")},
            }
        step = {"package": package, "from": before, "to": after, "unit": "statement"}
        yield {**step, **statements(repository, before, after, sample, seed)}


def statements(repository: Path, before: str, after: str, sample: int, seed: int) -> dict[str, Any]:
    """Claims about one statement of a function, which name what stands in it in code form, judged three ways.

    Only functions that are in the same file under the same name in both releases count.
    """
    found = Git.find(repository.absolute())
    assert found is not None
    sources = Revisions(found, found.commit(before), found.commit(after))
    items = list(statements_of(sources))
    counts: Counter[str] = Counter()
    cases: list[dict[str, Any]] = []
    for path, symbol, text, stays in random.Random(f"{seed} {before} {after}").sample(items, min(sample, len(items))):
        old = sources.outline_before(path)
        whole = fingerprint(old, symbol) if old is not None else None
        narrow = fingerprint(old, symbol, text) if old is not None else None
        if old is None or whole is None or narrow is None:
            counts["not citable"] += 1
            continue
        names = [node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)]
        prose = " ".join(f"`{name}`" for name in names)
        function = judge(Citation(path, symbol, fingerprint=whole), sources, prose)
        excerpt = judge(Citation(path, symbol, excerpt=text, fingerprint=narrow), sources, prose)
        counts["claims"] += 1
        counts["flagged"] += function.verdict is Verdict.CHANGED
        counts["touched"] += function.verdict is Verdict.CHANGED and function.touched is True
        flagged = excerpt.verdict is Verdict.CHANGED
        counts["flagged by excerpt"] += flagged
        if flagged is stays:
            kind = "false alarm" if stays else "miss"
            counts[kind] += 1
            cases.append({"id": f"{path}#{symbol}", "kind": kind, "verdict": excerpt.verdict.value, "parts": [text]})
    found.close()
    return {
        "counts": counts,
        "oracle": {
            "checked": counts["claims"],
            "false_alarms": counts["false alarm"],
            "misses": counts["miss"],
            "cases": cases,
        },
    }


def statements_of(sources: Revisions) -> Iterator[tuple[str, str, str, bool]]:
    """``(path, symbol, text, stays)`` of the statements of functions with at least three of them; ``stays``: whether an equal
    one is in the function after. Functions in which a directive comment moved are left out: ``ast`` does not see it."""
    for path in sources.then:
        now = sources.read(path).data
        before = sources.before(path, Citation(path))
        if not path.endswith(".py") or now is None or before is None:
            continue
        there = dict(functions_in(now))
        then_module, now_module = read_module(before), read_module(now)
        if then_module is None or now_module is None:
            continue
        for name, node in functions_in(before):
            body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
            if len(body) < 3 or name not in there or then_module.directives(name) != now_module.directives(name):
                continue
            kept = {ast.dump(item) for item in ast.walk(bare(there[name])) if isinstance(item, ast.stmt)}
            lines = before.decode("utf-8").splitlines()
            for item in body:
                text = textwrap.dedent("\n".join(lines[item.lineno - 1 : item.end_lineno])).strip("\n")
                simple = not isinstance(item, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)
                if simple and "#" not in text and one_statement(text):
                    yield path, name, text, ast.dump(item) in kept


def one_statement(text: str) -> bool:
    """Whether a piece of text is one statement by itself, so that lines and statement agree."""
    try:
        return len(ast.parse(text).body) == 1
    except SyntaxError:
        return False


def bare(node: ast.AST) -> ast.AST:
    """The node without docstrings, in place."""
    for scope in ast.walk(node):
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
        if isinstance(scope, kinds) and ast.get_docstring(scope, clean=False) is not None:
            del scope.body[0]
    return node


def build(repository: Path, package: str, wheels: Path) -> None:
    """One commit and tag per release."""
    wheels.mkdir(parents=True, exist_ok=True)
    repository.mkdir(parents=True)
    git(repository, "init", "--quiet", "-b", "main")
    for release in RELEASES[package]:
        for old in repository.iterdir():
            if old.name != ".git":
                shutil.rmtree(old) if old.is_dir() else old.unlink()
        with zipfile.ZipFile(wheel(package, release, wheels)) as archive:
            names = [name for name in archive.namelist() if ".dist-info/" not in name]
            archive.extractall(repository, names)
        git(repository, "add", "--all")
        git(repository, "commit", "--quiet", "--no-verify", "-m", f"{package} {release}")
        git(repository, "tag", release)


def wheel(package: str, release: str, wheels: Path) -> Path:
    """The wheel of one release, downloaded if it is not there."""

    def present() -> list[Path]:
        return [path for path in wheels.glob("*.whl") if path.name.lower().startswith(f"{package}-{release}-")]

    if not present():
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run(
            [*command, "--dest", str(wheels), f"{package}=={release}"], check=True, stdout=subprocess.DEVNULL
        )
    return present()[0]


def git(repository: Path, *arguments: str) -> str:
    """One git command in a repository with nobody's configuration."""
    options = (
        "-c",
        "user.name=History",
        "-c",
        "user.email=history@example.org",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "core.autocrlf=false",
    )
    done = subprocess.run(
        ["git", "-C", str(repository), *options, *arguments], check=True, capture_output=True, text=True
    )
    return done.stdout


def make_store(store: Path, repository: Path, release: str, seed: int) -> None:
    """Kage packets of one release: each cites the file of a function (every third two files) and names it in its text."""
    store.mkdir()
    chance = random.Random(f"{seed} {release}")
    files = [
        path for path in git(repository, "ls-tree", "-r", "--name-only", release).splitlines() if path.endswith(".py")
    ]
    functions = [
        (path, name) for path in files for name in functions_of(git(repository, "show", f"{release}:{path}").encode())
    ]
    unique = Counter(name.rpartition(".")[2] for _path, name in functions)
    for number in range(min(PACKETS, len(functions) // 2)):
        named = chance.sample(functions, 1 + (number % 3 == 0))
        texts = [name if unique[name.rpartition(".")[2]] > 1 else name.rpartition(".")[2] for _path, name in named]
        paths = list(dict.fromkeys(path for path, _name in named))
        draft = Draft(
            id=f"memory:{release}-{number}",
            title=f"What {' and '.join(f'`{text}`' for text in texts)} promise",
            statement=f"Callers rely on {' and '.join(f'`{text}()`' for text in texts)}.",
            type="convention",
            citations=tuple(cited(repository, release, path) for path in paths),
            author="human:history",
            at=AT,
            status=Status.APPROVED,
            evidence="read it",
        )
        path, text = kage.create(draft, ".", lambda path: (store / path).exists())
        (store / Path(path).name).write_text(text, "utf-8")


def cited(repository: Path, release: str, path: str) -> Citation:
    """A file as Kage cites it: by the hash of its bytes."""
    show = subprocess.run(["git", "-C", str(repository), "show", f"{release}:{path}"], check=True, capture_output=True)
    return Citation(path, sha256=hashlib.sha256(show.stdout).hexdigest(), size=len(show.stdout))


def functions_of(source: bytes) -> list[str]:
    """Functions of a module and methods of its classes, those that are defined once."""
    return [name for name, _node in functions_in(source)]


def functions_in(source: bytes) -> list[tuple[str, ast.FunctionDef]]:
    """Functions of a module and methods of its classes, those that are defined once, by symbol path."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    found = [(node.name, node) for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found += [(f"{node.name}.{item.name}", item) for item in node.body if isinstance(item, ast.FunctionDef)]
    count = Counter(name for name, _node in found)
    return [item for item in found if count[item[0]] == 1]


def markdown(report: dict[str, Any]) -> str:
    """The section of docs/precision.md: three tables, and every verdict that ``ast`` contradicts."""
    runs = report["runs"]
    packages = ", ".join(dict.fromkeys(run["package"] for run in runs))
    lines = [
        "## Real history",
        "",
        f"Consecutive releases of {packages}, each one commit, replayed to the next release and from the first to the last with"
        " `memory-lsp bench replay`. *By whole files* is what hashing the cited files would flag. Every verdict is held against"
        " Python's `ast` (`ast.dump` without docstrings; where only a directive comment moved, nothing is checked).",
        "",
    ]
    titles = {
        "symbol": "Sampled symbols",
        "memory": "Kage packets that cite files and name one or two functions",
    }
    for unit, title in titles.items():
        chosen = [run for run in runs if run["unit"] == unit]
        total = sum(sum(run["verdicts"].values()) for run in chosen)
        flagged, whole = sum(len(run["flagged"]) for run in chosen), sum(run["whole_file"] for run in chosen)
        checked, alarms, misses = (
            sum(run["oracle"][key] for run in chosen) for key in ("checked", "false_alarms", "misses")
        )
        lines += [
            f"### {title}",
            "",
            f"{total:,} judged: {share(flagged, total)} flagged, {share(whole, total)} by whole files. {checked:,} checked:"
            f" **{alarms} false alarms, {misses} misses**.",
            "",
            "| package | from | to | judged | fresh | cosmetic | moved | changed | missing | ambiguous | flagged | by whole files"
            " | false alarms | misses |",
            "|---|---|---|" + "---:|" * 11,
        ]
        for run in chosen:
            total, oracle = sum(run["verdicts"].values()), run["oracle"]
            cells = [run["package"], run["from"], run["to"], total]
            verdicts = ("fresh", "cosmetic", "moved", "changed", "missing", "ambiguous")
            cells += [run["verdicts"].get(name, 0) for name in verdicts]
            cells += [share(len(run["flagged"]), total), share(run["whole_file"], total)]
            lines.append(f"| {' | '.join(map(str, [*cells, oracle['false_alarms'], oracle['misses']]))} |")
        lines.append("")
    lines += moves([run for run in runs if run["unit"] == "symbol"])
    chosen = [run for run in runs if run["unit"] == "statement"]
    counts = sum((Counter(run["counts"]) for run in chosen), Counter())
    claims = counts["claims"]
    lines += [
        "### What excerpts and `touched` do",
        "",
        f"{claims:,} claims about one statement of a function that both releases have. The function is cited: flagged"
        f" {counts['flagged']:,} ({share(counts['flagged'], claims)}), of these {counts['touched']:,} are said to *touch* what the"
        f" claim names. The statement is cited: flagged {counts['flagged by excerpt']:,}"
        f" ({share(counts['flagged by excerpt'], claims)}); against `ast`: **{counts['false alarm']} false alarms,"
        f" {counts['miss']} misses**.",
        "",
        "| package | from | to | claims | flagged by function | of these touched | flagged by excerpt |",
        "|---|---|---|" + "---:|" * 4,
    ]
    for run in chosen:
        cells = [run["package"], run["from"], run["to"]]
        cells += [run["counts"].get(key, 0) for key in ("claims", "flagged", "touched", "flagged by excerpt")]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    cases = [(run, case) for run in runs for case in run["oracle"]["cases"]]
    lines += [
        "",
        *(f"- {case['kind']}: {run['package']} {run['from']} to {run['to']}: `{case['id']}`" for run, case in cases),
    ]
    lines += [
        "",
        f"`python benchmarks/histories.py --sample {report['sample']} --seed {report['seed']} --json > histories.json`, then"
        " `python benchmarks/report.py --histories histories.json`.",
    ]
    return "\n".join(lines)


def moves(runs: list[dict[str, Any]]) -> list[str]:
    """What became of definitions that went away, and whether git sees the same."""
    moved = sum(run["verdicts"].get("moved", 0) for run in runs)
    unfollowed = [item for run in runs for item in run["oracle"]["unfollowed"]]
    small = sum(item["tokens"] < 25 for item in unfollowed)
    renames = sum((Counter({k: v for k, v in run["renames"].items() if k != "cases"}) for run in runs), Counter())
    return [
        f"Moves: {moved} followed, each to a definition that `ast` calls equal. {len(unfollowed)} definitions went away and have an"
        f" equal one elsewhere that was not followed: {small} of them have fewer than 25 tokens and could be a coincidence, the rest"
        f" have several twins. Of {renames['citations']} citations of files that git calls renamed, {renames['followed']} were"
        f" followed to the file that git names, {renames['another']} to another one, {renames['changed']} had changed there,"
        f" {renames['unfollowed']} are too small.",
        "",
    ]


def share(number: int, total: int) -> str:
    return f"{100 * number / total:.1f} %" if total else "-"


if __name__ == "__main__":
    sys.exit(main())
