"""Memories about real code: made by the real capture, checked, and found again after real edits.

    python benchmarks/real_input.py [--memories 400] [--seed 1]

Copies installed packages into a temporary git repository, captures several hundred memories that cite their functions,
methods and classes, checks that all are fresh, then edits a sample: statements added, comments added, definitions
removed, functions moved to another file, whole files run through black. ``memory-lsp check`` must then flag exactly the
memories whose code changed in meaning. Once with an okf store, once with a Kage store (where half of the packets cite only a
file, as Kage does, and name the definition in their text). Prints a table; exit code 1 on any mismatch.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from definitions import Definition, add_comment, add_statement, definitions, editable, has_substance, move, remove
from rich.console import Console
from rich.table import Table

from memory_lsp.core.model import Citation, Refusal
from memory_lsp.operations.capture import CaptureRequest, StoreView, capture
from memory_lsp.workspace import audit
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.writer import write

PACKAGES = ("attr", "rich", "pygls", "_pytest", "pluggy", "click", "cattrs")
PROGRAM = (sys.executable, "-m", "memory_lsp")
SERVED = frozenset({"fresh", "cosmetic"})
STORES = {"okf": ".memory", "kage": ".agent_memory/packets"}


@dataclass(frozen=True)
class Edit:
    """One edit of one definition; ``black`` edits the whole file."""

    kind: str
    definition: Definition


@dataclass
class Outcome:
    """What one store gave; ``wrong`` holds a line per memory whose verdict is not the expected one."""

    dialect: str
    memories: int = 0
    capture: float = 0.0
    check: float = 0.0
    recheck: float = 0.0
    fresh: int = 0
    expected: int = 0
    found: int = 0
    wrong: list[str] = field(default_factory=list)


def main() -> int:
    """Run both stores and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--memories", type=int, default=400, help="how many memories per store (default 400)")
    parser.add_argument("--seed", type=int, default=1, help="chooses definitions and edits (default 1)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memory-lsp-real-") as folder:
        outcomes = [
            measure(Path(folder).resolve() / dialect, dialect, options.memories, options.seed) for dialect in STORES
        ]
    table = Table(title=f"memories about {', '.join(PACKAGES)} (seed {options.seed})")
    columns = (
        "memories",
        "captured, s",
        "checked, s",
        "fresh",
        "checked after edits, s",
        "to be found",
        "found",
        "wrong",
    )
    for column in ("store", *columns):
        table.add_column(column, justify="left" if column == "store" else "right")
    for outcome in outcomes:
        cells = (
            outcome.memories,
            f"{outcome.capture:.1f}",
            f"{outcome.check:.2f}",
            outcome.fresh,
            f"{outcome.recheck:.2f}",
            outcome.expected,
            outcome.found,
            len(outcome.wrong),
        )
        table.add_row(outcome.dialect, *map(str, cells))
    Console(width=110).print(table)
    for outcome in outcomes:
        for line in outcome.wrong[:20]:
            print(f"{outcome.dialect}: {line}")
    return 1 if any(outcome.wrong or outcome.fresh != outcome.memories for outcome in outcomes) else 0


def measure(root: Path, dialect: str, count: int, seed: int) -> Outcome:
    """One store, from capture to the check after the edits."""
    chance = random.Random(seed)
    paths = copy_packages(root)
    commit(root)
    everything = [item for path in paths for item in definitions(root, path)]
    cited = chance.sample(everything, min(count, len(everything)))
    outcome = Outcome(dialect, len(cited))

    make_store(root, dialect)
    started = time.perf_counter()
    about = capture_all(root, dialect, cited)
    outcome.capture = time.perf_counter() - started
    commit(root)

    started = time.perf_counter()
    verdicts = check(root)
    outcome.check = time.perf_counter() - started
    outcome.fresh = sum(verdict == "fresh" for verdict in verdicts.values())
    outcome.wrong += [f"before any edit {about[id].citation} is {v}" for id, v in verdicts.items() if v != "fresh"]

    edits = choose(root, cited, chance)
    for path, group in group_by_path(edits).items():
        apply(root, path, group)
    started = time.perf_counter()
    verdicts = check(root)
    outcome.recheck = time.perf_counter() - started
    for id, verdict in verdicts.items():
        wanted = expected(about[id], edits)
        outcome.expected += wanted not in SERVED
        outcome.found += verdict not in SERVED
        if not (verdict == wanted or (verdict in SERVED and wanted in SERVED)):
            outcome.wrong.append(f"{about[id].citation} is {verdict}, not {wanted}")
    return outcome


def copy_packages(root: Path) -> list[str]:
    """Copy the packages' Python files below ``root/src``; returns their root-relative paths."""
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise SystemExit(f"real_input: the package {name} is not installed: pip install -e '.[dev]'")
        source = Path(spec.submodule_search_locations[0])
        for file in source.rglob("*.py"):
            target = root / "src" / name / file.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    return sorted(path.relative_to(root).as_posix() for path in (root / "src").rglob("*.py"))


def make_store(root: Path, dialect: str) -> None:
    """Start an empty store."""
    if dialect == "okf":
        subprocess.run([*PROGRAM, "init", "--write", "--root", str(root)], check=True, stdout=subprocess.DEVNULL)
    else:
        (root / STORES[dialect]).mkdir(parents=True)


def capture_all(root: Path, dialect: str, cited: list[Definition]) -> dict[str, Definition]:
    """One memory per definition, by the program's own capture; returns memory id to definition.

    Every second Kage packet cites the file alone and names the definition in its text.
    """
    project = Project(root)
    about: dict[str, Definition] = {}
    for number, definition in enumerate(cited):
        narrow = dialect == "okf" or number % 2 == 0
        request = CaptureRequest(
            title=f"What {definition.name} in {definition.path} is for",
            statement=f"`{definition.name}` is one of {len(cited)} {definition.kind}s that this benchmark remembers.",
            citations=(Citation(definition.path, definition.name if narrow else ""),),
            type="reference",
        )
        plan = capture(
            request,
            project.snapshot.sources,
            StoreView(dialect, STORES[dialect]),
            by="human:Real Input",
            at=audit.now_text(),
            exists=lambda path: (root / path).exists(),
        )
        if isinstance(plan, Refusal):
            raise SystemExit(f"real_input: {definition.citation}: {plan.message}")
        written = write(root, plan, actor="human:Real Input", record_ids=project.record_ids)
        if isinstance(written, Refusal):
            raise SystemExit(f"real_input: {definition.citation}: {written.message}")
        about[plan.events[0].memory] = definition
    project.close_down()
    return about


def check(root: Path) -> dict[str, str]:
    """Memory id to verdict, as ``memory-lsp check`` tells them."""
    command = [*PROGRAM, "check", "--root", str(root), "--format", "json"]
    result = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if result.returncode not in (0, 1):
        raise SystemExit(f"real_input: check ended with {result.returncode}: {result.stderr.strip()}")
    return {memory["id"]: memory["verdict"] for memory in json.loads(result.stdout)["memories"]}


def choose(root: Path, cited: list[Definition], chance: random.Random) -> list[Edit]:
    """A sample of edits; no edited definition stands inside of another one, and a file of ``black`` is not edited otherwise."""
    left = {"move": 5, "black": 6, "statement": 14, "comment": 8, "remove": 5}
    edits: list[Edit] = []
    for candidate in chance.sample(cited, len(cited)):
        same_file = [edit for edit in edits if edit.definition.path == candidate.path]
        if any(edit.definition.holds(candidate) or candidate.holds(edit.definition) for edit in same_file):
            continue
        if any(edit.kind == "black" for edit in same_file):
            continue
        text = (root / candidate.path).read_text(encoding="utf-8")
        possible = {
            "move": candidate.kind == "function" and has_substance(text, candidate),
            "black": not same_file,
            "statement": editable(text, candidate),
            "comment": editable(text, candidate),
            "remove": True,
        }
        kind = next((kind for kind, count in left.items() if count and possible[kind]), None)
        if kind:
            left[kind] -= 1
            edits.append(Edit(kind, candidate))
    return edits


def group_by_path(edits: list[Edit]) -> dict[str, list[Edit]]:
    """The edits of each file, last one first, so that the lines of the others stay what they were."""
    grouped: dict[str, list[Edit]] = defaultdict(list)
    for edit in sorted(edits, key=lambda item: -item.definition.first):
        grouped[edit.definition.path].append(edit)
    return grouped


def apply(root: Path, path: str, edits: list[Edit]) -> None:
    """Write the edited file, and the files that moved functions go to."""
    text = (root / path).read_text(encoding="utf-8")
    for edit in edits:
        if edit.kind == "statement":
            text = add_statement(text, edit.definition)
        elif edit.kind == "comment":
            text = add_comment(text, edit.definition)
        elif edit.kind == "remove":
            text = remove(text, edit.definition)
        elif edit.kind == "move":
            text, moved = move(text, edit.definition)
            (root / path).with_name(f"moved_{edit.definition.name}.py").write_text(moved, encoding="utf-8")
    (root / path).write_text(text, encoding="utf-8")
    if edits[0].kind == "black":
        subprocess.run([sys.executable, "-m", "black", "-q", "-l", "70", str(root / path)], check=True)


def expected(definition: Definition, edits: list[Edit]) -> str:
    """The verdict that a memory about ``definition`` must get; ``fresh`` stands for fresh or cosmetic."""
    verdict = "fresh"
    for edit in edits:
        if edit.kind in ("comment", "black"):
            continue
        if edit.definition.holds(definition):
            if edit.kind == "remove":
                return "missing"
            if edit.kind == "move":
                return "moved"
        if definition.holds(edit.definition):
            verdict = "changed"
    return verdict


def commit(root: Path) -> None:
    """Commit everything (the first time into a new repository)."""
    who = ["-c", "user.name=Real Input", "-c", "user.email=real@example.org", "-c", "commit.gpgsign=false"]
    if not (root / ".git").exists():
        subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "-C", str(root), "add", "--all"], check=True)
    subprocess.run(["git", "-C", str(root), *who, "commit", "--quiet", "--no-verify", "-m", "State"], check=True)


if __name__ == "__main__":
    sys.exit(main())
