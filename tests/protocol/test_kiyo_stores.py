"""Kiyo stores over the protocol: findings while typing, versioned edits, what a save leaves, and the impact command."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

from tests.protocol.stdio import Stdio

RATES = "def clamp_rate(rate):\n    if rate > 1:\n        raise ValueError(rate)\n    return rate\n"
RECORD = """# Conventions

## MEM-CONV-0001 — Rates

- id: MEM-CONV-0001
- record_type: observation
- status: ACTIVE
- statement: Rates are clamped.
- source: repository; rates.py; clamp_rate
- last_verified: 2026-01-10
- verification_status: VERIFIED
- verification_scope: read
- git_revision: UNKNOWN
"""
INDEX = "| Entry ID | File | Topic |\n| --- | --- | --- |\n| MEM-CONV-0001 | conventions.md#mem-conv-0001 | rates |\n"


def made(root: Path) -> None:
    for path, text in (
        ("rates.py", RATES),
        (".kiyo/policy.md", "- Canonical Memory index: memory/index.md\n"),
        (".kiyo/memory/index.md", INDEX),
        (".kiyo/memory/conventions.md", RECORD),
    ):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    git = ["git", "-C", str(root), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "start"], check=True)


def test_mem_s13_g_edits_of_an_open_record_carry_its_version(tmp_path: Path) -> None:
    made(tmp_path)
    with Stdio() as server:
        edits = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["create"]}}
        literals = {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "refactor"]}}}
        server.initialize(
            tmp_path,
            capabilities={"workspace": edits, "textDocument": {"codeAction": literals, "publishDiagnostics": {}}},
            initializationOptions={"status": True},
        )
        server.notification("memoryLsp/status", lambda status: status["state"] == "ready")
        record = server.open(tmp_path / ".kiyo/memory/conventions.md")
        server.change(record, RECORD + "\nHuman note: mine\n", 7)
        params = {
            "textDocument": {"uri": record},
            "range": {"start": {"line": 8, "character": 12}, "end": {"line": 8, "character": 12}},
            "context": {"diagnostics": [], "triggerKind": 1},
        }
        actions: Any = server.request("textDocument/codeAction", params)
        verify = next(action for action in actions if action["title"].startswith("Still true"))
        changes = {
            change["textDocument"]["uri"]: change["textDocument"]["version"]
            for change in verify["edit"]["documentChanges"]
            if "textDocument" in change
        }
        assert changes[record] == 7


def test_impact_as_a_command(tmp_path: Path) -> None:
    made(tmp_path)
    with Stdio() as server:
        server.initialize(tmp_path, initializationOptions={"status": True})
        server.notification("memoryLsp/status", lambda status: status["state"] == "ready")
        asked = {"command": "memoryLsp.server.impact", "arguments": [{}]}
        found: Any = server.request("workspace/executeCommand", asked)
        assert [item["impact"]["value"] for item in found] == ["NONE"]
        server.change(server.open(tmp_path / "rates.py"), RATES.replace("> 1", "> 2"), 2)
        server.notification("memoryLsp/status", lambda status: status["toVerify"] == 1)
        (found,) = server.request("workspace/executeCommand", asked)
        assert (found["root"], found["impact"]["ids"]) == (tmp_path.as_uri(), ["MEM-CONV-0001"])
        assert found["impact"]["value"] == "UPDATE_REQUIRED" and found["drift"] == []
    assert not (tmp_path / ".memory-lsp").exists()
