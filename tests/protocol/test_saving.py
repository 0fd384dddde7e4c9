"""A record that is saved: the audit log says what was completed in it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.protocol.stdio import Stdio


def retired(root: Path) -> list[str]:
    log = (root / ".memory-lsp" / "audit.jsonl").read_text("utf-8")
    return [event["reason"] for event in map(json.loads, log.splitlines()) if event["action"] == "retire"]


@pytest.mark.parametrize("closed_first", [False, True])
def test_a_save_is_audited_also_when_it_is_told_after_the_close(tmp_path: Path, closed_first: bool) -> None:
    """VS Code closes a document that no tab shows as soon as it is saved, and says that it was saved afterwards."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "shop.py").write_text("def charge(order):\n    return order\n", "utf-8")
    told = (
        "--title",
        "A charge is one order",
        "--statement",
        "One order.",
        "--type",
        "Fact",
        "--cite",
        "shop.py#charge",
    )
    for arguments in (("init",), ("capture", *told, "--by", "human:ada")):
        command = [sys.executable, "-m", "memory_lsp", *arguments, "--root", str(tmp_path), "--write"]
        subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)
    (record,) = (path for path in (tmp_path / ".memory").glob("*.md") if path.name != "index.md")
    text = record.read_text("utf-8")
    identity = next(line for line in text.splitlines() if line.startswith("id: ")).removeprefix("id: ")
    with Stdio() as server:
        edits: list[dict[str, object]] = []
        server.answers["workspace/applyEdit"] = lambda params: edits.append(params["edit"]) or {"applied": True}
        server.initialize(tmp_path, initializationOptions={"settings": {"actor": "human:ada"}})
        uri = server.open(record)
        argument = {"memory": identity, "reason": "The shop is closed"}
        server.request("workspace/executeCommand", {"command": "memoryLsp.server.retire", "arguments": [argument]})
        lines = text.split("\n")
        (change,) = edits[0]["documentChanges"]  # type: ignore[misc]
        for edit in sorted(change["edits"], key=lambda edit: -edit["range"]["start"]["line"]):  # type: ignore[index]
            start, end = edit["range"]["start"], edit["range"]["end"]
            before, after = lines[start["line"]][: start["character"]], lines[end["line"]][end["character"] :]
            lines[start["line"] : end["line"] + 1] = (before + edit["newText"] + after).split("\n")
        changed = "\n".join(lines)
        server.change(uri, changed, 2)
        record.write_text(changed, "utf-8")
        last = ("textDocument/didClose", "textDocument/didSave")
        for method in last if closed_first else last[::-1]:
            server.notify(method, {"textDocument": {"uri": uri}})
        end = time.monotonic() + 10
        while not retired(tmp_path) and time.monotonic() < end:
            time.sleep(0.05)
        assert retired(tmp_path) == ["The shop is closed"]
        assert server.shutdown() == 0
