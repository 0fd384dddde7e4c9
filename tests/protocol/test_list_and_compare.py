"""The commands that tell an editor what to choose from, and what to compare."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.protocol.stdio import Stdio

BEFORE = "def charge(order):\n    for attempt in range(3):\n        pay(order)\n"
AFTER = BEFORE.replace("range(3)", "range(5)")


def memory_lsp(root: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "memory_lsp", *arguments, "--root", str(root), "--write"]
    subprocess.run(command, check=True, capture_output=True, stdin=subprocess.DEVNULL)


def execute(server: Stdio, command: str, argument: dict[str, object]) -> list[dict[str, object]]:
    params = {"command": f"memoryLsp.server.{command}", "arguments": [argument]}
    found = server.request("workspace/executeCommand", params)
    assert isinstance(found, list)
    return found


def test_list_and_compare(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    (tmp_path / "shop.py").write_text(BEFORE, "utf-8")
    (tmp_path / "notes.txt").write_text("one\n", "utf-8")
    memory_lsp(tmp_path, "init")
    for title, cited in (("Three attempts", "shop.py#charge"), ("Notes are short", "notes.txt")):
        told = ("--title", title, "--statement", f"{title}.", "--type", "Fact", "--cite", cited, "--by", "human:ada")
        memory_lsp(tmp_path, "capture", *told)
    git = ["git", "-C", str(tmp_path), "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "Take payments"], check=True)
    with Stdio() as server:
        server.initialize(tmp_path, initializationOptions={"status": True})
        server.notification("memoryLsp/status", lambda status: status["state"] == "ready")
        assert execute(server, "list", {}) == []
        server.change(server.open(tmp_path / "shop.py"), AFTER, 2)
        server.notification("memoryLsp/status", lambda status: status["toVerify"] == 1)

        (found,) = execute(server, "list", {})
        assert (found["title"], found["verdict"], found["served"]) == ("Three attempts", "changed", "withheld")
        assert (tmp_path / str(found["path"])).as_uri() == found["uri"]
        assert found["root"] == tmp_path.as_uri()
        named = execute(server, "list", {"memories": ["nobody", str(found["memory"])]})
        assert named == [found]

        (difference,) = execute(server, "compare", {"memory": str(found["memory"])})
        assert difference == {
            "path": "shop.py",
            "symbol": "charge",
            "verdict": "changed",
            "language": "python",
            "then": BEFORE.rstrip("\n"),
            "now": AFTER.rstrip("\n"),
        }
        params = {"command": "memoryLsp.server.list", "arguments": [{"memories": 7}]}
        assert server.failure("workspace/executeCommand", params)["code"] == -32602
        assert server.shutdown() == 0
