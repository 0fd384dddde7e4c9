"""Real histories of real code: consecutive releases from PyPI as commits, replayed from each release to the next and to the last.

    python benchmarks/histories.py [--packages attrs click ...] [--sample 400] [--seed 1] [--cache FOLDER] [--json]

Each release's wheel is downloaded once (``pip download``, nothing is built or installed) and committed into a temporary
repository under its tag. ``memory-lsp bench replay`` then judges, for every step, sampled symbols and a Kage store of packets
that cite one or two files and name one or two of their functions. Every verdict on Python is held against ``ast``. Prints
Markdown, or with ``--json`` everything that the replays said. Exit code 1 if ``ast`` contradicts any verdict.
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
import time
import zipfile
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from memory_lsp.cli.replay import replayed
from memory_lsp.core.model import Citation, Status
from memory_lsp.dialects import kage
from memory_lsp.dialects.change import Draft

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
        print(markdown(runs))
    wrong = sum(run["oracle"]["false_alarms"] + run["oracle"]["misses"] for run in runs if run["oracle"])
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
    tree = ast.parse(source)
    found = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found += [f"{node.name}.{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)]
    return [name for name, count in Counter(found).items() if count == 1]


def markdown(runs: list[dict[str, Any]]) -> str:
    """Two tables: sampled symbols, and Kage packets judged by named definitions against hashing whole files."""
    lines = []
    for unit, title in (("symbol", "Sampled symbols"), ("memory", "Kage packets")):
        lines += [
            f"### {title}",
            "",
            "| package | from | to | judged | fresh | cosmetic | moved | changed | missing | ambiguous | flagged | by whole files | checked by ast | false alarms | misses | unfollowed | seconds |",
            "|---|---|---|" + "---:|" * 14,
        ]
        chosen = [run for run in runs if run["unit"] == unit]
        for run in chosen:
            total, oracle = sum(run["verdicts"].values()), run["oracle"]
            cells = [run["package"], run["from"], run["to"], total]
            cells += [
                run["verdicts"].get(name, 0)
                for name in ("fresh", "cosmetic", "moved", "changed", "missing", "ambiguous")
            ]
            cells += [f"{100 * len(run['flagged']) / total:.0f} %", f"{100 * run['whole_file'] / total:.0f} %"]
            cells += [
                oracle["checked"],
                oracle["false_alarms"],
                oracle["misses"],
                len(oracle["unfollowed"]),
                run["seconds"],
            ]
            lines.append("| " + " | ".join(map(str, cells)) + " |")
        total = sum(sum(run["verdicts"].values()) for run in chosen)
        flagged, whole = sum(len(run["flagged"]) for run in chosen), sum(run["whole_file"] for run in chosen)
        checked, alarms, misses = (
            sum(run["oracle"][key] for run in chosen) for key in ("checked", "false_alarms", "misses")
        )
        lines += [
            "",
            f"Together {total}: flagged {flagged} ({100 * flagged / max(total, 1):.1f} %), hashing whole files {whole} "
            f"({100 * whole / max(total, 1):.1f} %); ast checked {checked}: {alarms} false alarms, {misses} misses.",
            "",
        ]
    cases = [(run, case) for run in runs if run["oracle"] for case in run["oracle"]["cases"]]
    lines += [
        f"- {case['kind']}: {run['package']} {run['from']} to {run['to']}: `{case['id']}` {case['verdict']} {', '.join(case['parts'])}"
        for run, case in cases
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
