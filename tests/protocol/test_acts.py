"""The acts of an editor's person as commands over stdio: lines, approval and rejection, up to what is on disk."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_lsp.core.model import TextEdit, apply_edits
from memory_lsp.core.text import LineIndex
from tests.lsp.store import PAY, make_project
from tests.protocol.stdio import Json, Stdio

RECORD = ".memory/mem-charge.md"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_project(tmp_path_factory.mktemp("template") / "project")


class Desk:
    """An editor that applies edits to its documents and saves them at once."""

    def __init__(self, server: Stdio, root: Path) -> None:
        self.server = server
        self.root = root
        self.versions: dict[str, int] = {}
        server.answers["workspace/applyEdit"] = self._apply
        settings = {"debounce": 0, "poll": 0.05, "actor": "human:ada"}
        server.initialize(root, initializationOptions={"settings": settings})

    def open(self, path: str) -> str:
        self.versions[path] = 1
        return self.server.open(self.root / path)

    def save(self, path: str, text: str) -> None:
        if path not in self.versions:
            (self.root / path).parent.mkdir(exist_ok=True)
            (self.root / path).touch()
            self.open(path)
        uri = (self.root / path).as_uri()
        self.versions[path] += 1
        self.server.change(uri, text, self.versions[path])
        (self.root / path).write_text(text, "utf-8")
        self.server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def command(self, name: str, **argument: Any) -> Json:
        params = {"command": f"memoryLsp.server.{name}", "arguments": [argument]}
        result: Json = self.server.request("workspace/executeCommand", params)
        return result

    def refused(self, name: str, **argument: Any) -> Json:
        params = {"command": f"memoryLsp.server.{name}", "arguments": [argument]}
        return self.server.failure("workspace/executeCommand", params)

    def text(self, path: str = RECORD) -> str:
        return (self.root / path).read_text("utf-8")

    def lines(self, name: str, count: int) -> list[Json]:
        """The lines of a log once there are so many."""
        path = self.root / ".memory-lsp" / name
        end = time.monotonic() + 10
        while time.monotonic() < end:
            found = path.read_text("utf-8").splitlines() if path.exists() else []
            if len(found) >= count:
                return [json.loads(line) for line in found]
            time.sleep(0.02)
        raise AssertionError(f"{name} has not {count} lines")

    def _apply(self, params: Json) -> Json:
        for change in params["edit"]["documentChanges"]:
            if "kind" in change:
                continue
            path = change["textDocument"]["uri"].removeprefix(self.root.as_uri() + "/")
            old = self.text(path) if (self.root / path).exists() else ""
            index = LineIndex(old)

            def offset(place: Json, index: LineIndex = index) -> int:
                return index.offset(place["line"], place["character"], "utf-16")

            edits = tuple(
                TextEdit(offset(item["range"]["start"]), offset(item["range"]["end"]), item["newText"])
                for item in change["edits"]
            )
            self.save(path, apply_edits(old, edits))
        return {"applied": True}


@pytest.fixture
def desk(template: Path, tmp_path: Path) -> Iterator[Desk]:
    with Stdio() as server:
        yield Desk(server, Path(shutil.copytree(template, tmp_path / "project")))
        assert server.shutdown() == 0


def pending(desk: Desk) -> None:
    path = desk.root / RECORD
    path.write_text(desk.text().replace("status: stable", "status: draft"), "utf-8")


def test_capture_and_narrow_to_lines(desk: Desk) -> None:
    desk.open("pay.py")
    uri = (desk.root / "pay.py").as_uri()
    told = {"title": "Money moves by one request", "statement": "One `post` per charge."}
    made = desk.command("capture", path="pay.py", symbol="charge", lines=[3, 3], root=desk.root.as_uri(), **told)
    assert 'excerpt: "return post(\\"/charge\\", amount)"' in desk.text(made["path"])
    assert desk.command("narrow", memory="mem-charge", index=0, lines=[3, 3])["applied"]
    assert "excerpt:" in desk.text() and "verified:" not in desk.text()
    assert [event["action"] for event in desk.lines("audit.jsonl", 2)] == ["capture", "narrow"]
    assert desk.command("narrow", memory="mem-charge", index=0, lines=[3, 3])["applied"] is False
    desk.save("pay.py", PAY.replace("def charge(amount)", "def charge(amount, note=None)"))
    hover = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 5}}
    assert "fresh (elsewhere)" in desk.server.request("textDocument/hover", hover)["contents"]["value"]
    desk.save("pay.py", PAY.replace('"/charge"', '"/charges"'))
    found = desk.server.diagnostics(uri, lambda found: len(found) == 2)
    assert {item["range"]["start"]["line"] for item in found} == {2}, "on the cited line"


def test_narrowing_what_changed_waits_for_evidence(desk: Desk) -> None:
    desk.open("pay.py")
    desk.save("pay.py", PAY.replace("def charge(amount)", "def charge(amount, note=None)"))
    desk.command("narrow", memory="mem-charge", index=0, lines=[3, 3])
    assert "<evidence:" in desk.text()
    assert "waits" in desk.refused("narrow", memory="mem-charge", index=0, lines=[3, 3])["message"]
    desk.save(RECORD, desk.text().replace("<evidence: what did you check?>", "only the request matters"))
    assert [event["action"] for event in desk.lines("audit.jsonl", 2)] == ["verify", "narrow"]


@pytest.mark.parametrize("lines", [3, [1], ["1", 2], [True, 2], {}])
def test_lines_are_two_numbers(desk: Desk, lines: object) -> None:
    assert desk.refused("narrow", memory="mem-charge", lines=lines)["code"] == -32602


def test_approve(desk: Desk) -> None:
    pending(desk)
    desk.command("approve", memory="mem-charge")
    assert "status: stable" in desk.text() and "decision: approved" in desk.text()
    (event,) = desk.lines("audit.jsonl", 1)
    assert (event["action"], event["actor"]) == ("approve", "human:ada")


@pytest.mark.parametrize("asked", [False, True])
def test_a_rejection_is_buried_when_it_is_saved_with_its_reason(desk: Desk, asked: bool) -> None:
    pending(desk)
    desk.command("reject", memory="mem-charge", **({"reason": "we do retry"} if asked else {}))
    assert "decision: rejected" in desk.text()
    if not asked:
        assert not (desk.root / ".memory-lsp" / "tombstones.jsonl").exists()
        filled = desk.text().replace("<reason: why does it no longer hold?>", "we do retry")
        desk.server.notify("textDocument/didClose", {"textDocument": {"uri": (desk.root / RECORD).as_uri()}})
        desk.open(RECORD)
        desk.save(RECORD, filled)
    (grave,) = desk.lines("tombstones.jsonl", 1)
    assert (grave["memory"], grave["by"], grave["reason"]) == ("mem-charge", "human:ada", "we do retry")
    assert grave["citations"] == ["pay.py#charge"]
    assert [event["action"] for event in desk.lines("audit.jsonl", 1)] == ["reject"]
    same = {"title": "Again", "statement": "A failed charge is reported, never sent again."}
    refusal = desk.refused("capture", path="pay.py", symbol="charge", root=desk.root.as_uri(), **same)
    assert "was rejected before" in refusal["message"]
