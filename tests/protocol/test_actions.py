"""The menu over stdio: its order does not depend on what is saved, what cannot be done says why, and a choice of stores."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.store import CHANGED, make_project
from tests.protocol.stdio import CAPABILITIES, Json, Stdio

SETTINGS = {"debounce": 0, "poll": 0.05, "actor": "human:ada"}
DISABLING: Json = {
    **CAPABILITIES,
    "textDocument": {
        **CAPABILITIES["textDocument"],
        "codeAction": {**CAPABILITIES["textDocument"]["codeAction"], "disabledSupport": True},
    },
}
COMMANDS: Json = {**CAPABILITIES, "textDocument": {"hover": {}, "codeAction": {}}}
REASON = "save pay.py first: fingerprints come from the saved file"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def menu(server: Stdio, uri: str, line: int = 0) -> list[Json]:
    place = {"line": line, "character": 5}
    found: list[Json] = server.request(
        "textDocument/codeAction",
        {
            "textDocument": {"uri": uri},
            "range": {"start": place, "end": place},
            "context": {"diagnostics": [], "triggerKind": 1},
        },
    )
    return found


def command_of(item: Json) -> Json:
    """The command of an action, in whichever form it came."""
    found: Json = item if isinstance(item["command"], str) else item["command"]
    return found


def run(server: Stdio, item: Json) -> Any:
    command = command_of(item)
    return server.request(
        "workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]}
    )


@pytest.mark.parametrize("capabilities", [CAPABILITIES, DISABLING, COMMANDS], ids=["literals", "disabling", "commands"])
def test_the_menu_is_the_same_with_unsaved_edits(root: Path, capabilities: Json) -> None:
    with Stdio() as server:
        server.initialize(root, capabilities, initializationOptions={"settings": SETTINGS})
        uri = server.open(root / "pay.py")
        (root / "pay.py").write_text(CHANGED, "utf-8")
        server.change(uri, CHANGED, 2)
        server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        saved = menu(server, uri)
        server.change(uri, CHANGED.replace("retry=True", "retry=False"), 3)
        unsaved = menu(server, uri)
        assert [item["title"] for item in unsaved] == [item["title"] for item in saved]
        assert [item["title"].partition(":")[0] for item in saved[:4]] == [
            "Open memory",
            "Still true, re-verify",
            "No longer true, supersede",
            "Does not apply, retire",
        ]
        disabled = [item["disabled"]["reason"] for item in unsaved if item.get("disabled")]
        assert disabled == ([REASON] * 3 if capabilities is DISABLING else [])
        assert server.shutdown() == 0


@pytest.mark.parametrize("prompt", [{}, {"prompt": {"command": "editor.prompt"}}], ids=["form", "prompt"])
@pytest.mark.parametrize("capabilities", [CAPABILITIES, COMMANDS], ids=["literals", "commands"])
def test_what_cannot_be_done_yet_says_why_in_one_message(root: Path, capabilities: Json, prompt: Json) -> None:
    with Stdio() as server:
        server.initialize(root, capabilities, initializationOptions={"settings": SETTINGS, **prompt})
        uri = server.open(root / "pay.py")
        server.change(uri, CHANGED, 2)
        blocked = [item for item in menu(server, uri) if item["title"].startswith(("Still", "No longer", "Capture"))]
        assert len(blocked) == 3
        for item in blocked:
            assert run(server, item) == {"applied": False, "summary": REASON}
        told = [message["params"] for message in server.log if message.get("method") == "window/showMessage"]
        assert told == [{"type": 3, "message": REASON}] * 3
        assert not any(message.get("method") == "workspace/applyEdit" for message in server.log)
        (root / "pay.py").write_text(CHANGED, "utf-8")
        server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
        server.answers["workspace/applyEdit"] = lambda params: {"applied": True}
        assert run(server, blocked[0])["applied"] is True, "saved by now"
        assert server.shutdown() == 0


def test_a_command_that_is_no_action_is_refused_as_an_error(root: Path) -> None:
    with Stdio() as server:
        server.initialize(root, initializationOptions={"settings": SETTINGS})
        uri = server.open(root / "pay.py")
        server.change(uri, CHANGED, 2)
        params = {"command": "memoryLsp.server.verify", "arguments": [{"memory": "mem-charge"}]}
        assert server.failure("workspace/executeCommand", params) == {"code": -32803, "message": REASON}
        assert server.shutdown() == 0


@pytest.mark.parametrize("prompt", ["", "editor.prompt"], ids=["form", "prompt"])
def test_a_person_chooses_the_store_of_a_capture(root: Path, prompt: str) -> None:
    (root / ".agent_memory/packets").mkdir(parents=True)
    with Stdio() as server:
        options = {"settings": SETTINGS, **({"prompt": {"command": prompt}} if prompt else {})}
        server.initialize(root, initializationOptions=options)
        uri = server.open(root / "pay.py")
        offered = [item for item in menu(server, uri) if item["title"].startswith("Capture")]
        stores = [".agent_memory/packets", ".memory"]
        assert sorted(item["title"] for item in offered) == [
            f"Capture a memory about charge in {path}" for path in stores
        ]
        server.answers["workspace/applyEdit"] = lambda params: {"applied": True}
        for item in offered:
            store = item["title"].rpartition(" ")[2]
            if prompt:
                request = item["command"]["arguments"][0]
                assert (request["command"], request["argument"]["store"]) == ("memoryLsp.server.capture", store)
            else:
                (made,) = [change for change in item["edit"]["documentChanges"] if "kind" in change]
                assert f"/{store}/" in made["uri"]
            argument = {"path": "pay.py", "symbol": "charge", "root": root.as_uri()}
            params = {"command": "memoryLsp.server.capture", "arguments": [{**argument, "store": store}]}
            assert server.request("workspace/executeCommand", params)["path"].startswith(f"{store}/")
        for wrong in ({}, {"store": ".kiyo"}):
            params = {"command": "memoryLsp.server.capture", "arguments": [{**argument, **wrong}]}
            told = server.failure("workspace/executeCommand", params)
            assert told["code"] == -32803 and all(path in told["message"] for path in stores)
        odd = {"command": "memoryLsp.server.capture", "arguments": [{**argument, "store": 1}]}
        assert server.failure("workspace/executeCommand", odd)["code"] == -32602
        assert server.shutdown() == 0
