"""Fixture F of the Kiyo scenarios: a small repository with a store, its baselines, and the oracles on its bytes and times."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

RATES = """LIMIT = 1.0


def clamp_rate(rate):
    if rate < 0 or rate > LIMIT:
        raise ValueError(rate)
    return rate


def mean(values):
    return sum(values) / len(values) if values else 0
"""
POLICY = "# Policy\n\n- Canonical Memory index: memory/index.md\n"
HEAD = """# Memory index

## Entry catalog

| Entry ID | Relative memory file and actual anchor | Topic / inspection scope |
| --- | --- | --- |
"""
FILE = "conventions.md"
CONVENTIONS = ".kiyo/memory/conventions.md"
DECISIONS = ".kiyo/memory/decisions.md"
INDEX = ".kiyo/memory/index.md"
OLD = 978307200
"""2001-01-01: the time of every file of the fixture, so that any write shows."""
CLOCK = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


def observation(
    name: str, symbol: str, *, revision: str = "UNKNOWN", context: str = "shop; main; clean", **more: str
) -> str:
    fields = {
        "id": name,
        "record_type": "observation",
        "status": "ACTIVE",
        "statement": f"`{symbol}` refuses what is outside its range.",
        "source": f"repository; rates.py; {symbol}",
        "observed_date": "2026-01-10",
        "last_modified": "2026-01-10",
        "last_verified": "2026-01-10",
        "verification_status": "VERIFIED",
        "verification_scope": f"rates.py; {symbol}; read, not executed",
        "uncertainty": "NONE for the inspected function",
        "repository_context": context,
        "git_revision": revision,
        **more,
    }
    lines = "".join(f"- {key}: {value}\n" for key, value in fields.items())
    return f"## {name} — {symbol}\n\n{lines}\nHuman note: keep me\n\n### Evidence notes\n\nRead by hand.\n"


def decision(name: str = "MEM-DEC-0001", **more: str) -> str:
    fields = {
        "id": name,
        "record_type": "decision",
        "status": "APPROVED",
        "statement": "component_a maps with mapperly.",
        "source": "accepted record; docs/adr/0007.md",
        "observed_date": "2026-01-10",
        "last_modified": "2026-01-10",
        "last_verified": "2026-01-10",
        "verification_status": "VERIFIED",
        "verification_scope": "docs/adr/0007.md",
        "uncertainty": "UNKNOWN",
        "repository_context": "shop; main; clean",
        "git_revision": "UNKNOWN",
        "approval_source": "docs/adr/0007.md",
        "approver": "role:architecture-board",
        "approval_scope": "component_a",
        "approval_date": "2026-01-05",
        **more,
    }
    lines = "".join(f"- {key}: {value}\n" for key, value in fields.items() if value)
    return f"## {name} — Mapping\n\n{lines}\n### Evidence notes\n\nSee the record.\n"


def row(name: str, file: str = FILE, topic: str = "rates") -> str:
    return f"| {name} | {file}#{name.lower()} | {topic} |\n"


class Shop:
    """The repository of fixture F. ``flavour`` is where its records' baseline comes from: B1, B2, B3 or B0."""

    def __init__(self, root: Path, flavour: str = "B2") -> None:
        self.root = root
        self.flavour = flavour
        root.mkdir(parents=True)
        git = flavour in ("B1", "B2")
        self.write("rates.py", RATES)
        revision, context = "UNKNOWN", "shop; main; clean"
        self.c1 = ""
        if git:
            self.git("init", "-q", "-b", "main")
            for key, value in (("user.name", "Ada"), ("user.email", "ada@example.invalid"), ("core.autocrlf", "false")):
                self.git("config", key, value)
            self.c1 = self.commit("code")
            revision = self.c1 if flavour == "B1" else "UNKNOWN"
        else:
            revision, context = "NOT_APPLICABLE", "shop"
        self.revision, self.context = revision, context
        self.write(".kiyo/policy.md", POLICY)
        self.write(
            INDEX, HEAD + row("MEM-CONV-0001") + row("MEM-CONV-0002") + row("MEM-DEC-0001", "decisions.md", "mapping")
        )
        self.write("docs/adr/0007.md", "# 7 Mapping\n\nWe map with mapperly.\n")
        self.conventions()
        self.write(DECISIONS, "# Decisions\n\n" + decision())
        if git:
            self.c2 = self.commit("store")
        self.settle()

    def conventions(self, **more: str) -> None:
        self.write(
            CONVENTIONS,
            "# Conventions\n\n"
            + observation("MEM-CONV-0001", "clamp_rate", revision=self.revision, context=self.context, **more)
            + "\n"
            + observation("MEM-CONV-0002", "mean", revision=self.revision, context=self.context),
        )

    def git(self, *arguments: str) -> str:
        moment = "2026-01-10T10:00:00Z"
        environment = {
            **os.environ,
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_AUTHOR_DATE": moment,
            "GIT_COMMITTER_DATE": moment,
        }
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, env=environment, check=True
        )
        return done.stdout

    def commit(self, message: str) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD").strip()

    def write(self, path: str, text: str) -> None:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def change(self, path: str, old: str, new: str) -> None:
        text = self.read(path)
        assert old in text, old
        self.write(path, text.replace(old, new))

    def remove(self, path: str) -> None:
        target = self.root / path
        if target.is_dir():
            shutil.rmtree(target)
        else:
            target.unlink()

    def settle(self) -> None:
        """Set the time of every file to 2001."""
        for path in self.paths():
            os.utime(self.root / path, (OLD, OLD))

    def paths(self) -> list[str]:
        return [
            path.relative_to(self.root).as_posix()
            for path in sorted(self.root.rglob("*"))
            if ".git" not in path.relative_to(self.root).parts
        ]

    def state(self) -> dict[str, Any]:
        """Everything that oracle ALL looks at."""
        found: dict[str, Any] = {}
        for path in self.paths():
            full = self.root / path
            if full.is_file():
                found[path] = (hashlib.sha256(full.read_bytes()).hexdigest(), full.stat().st_mtime_ns)
            else:
                found[path] = "folder"
        folder = self.root / ".git"
        if folder.is_dir():
            for name in ("HEAD", "index", "packed-refs"):
                file = folder / name
                found[f".git/{name}"] = file.read_bytes() if file.exists() else None
            found["refs"] = self.git("for-each-ref")
        return found

    def clamp_changed(self) -> None:
        """The change of S02."""
        self.change("rates.py", "rate > LIMIT", "rate >= LIMIT")

    def fields(self, name: str, path: str = CONVENTIONS) -> dict[str, str]:
        from memory_lsp.dialects.kiyo_read import read_entries

        entry = next(entry for entry in read_entries(self.read(path)) if entry.id == name)
        return {key: item.value for key, item in entry.fields.items()}

    def audit(self) -> list[dict[str, Any]]:
        file = self.root / ".memory-lsp/audit.jsonl"
        return [json.loads(line) for line in file.read_text("utf-8").splitlines()] if file.exists() else []


Run = Callable[..., tuple[int, Any, str]]
BY = ("--by", "human:maintainer")
JSON = ("--format", "json")
WRITE = ("--write", *BY, *JSON)
