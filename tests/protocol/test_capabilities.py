"""What is announced back, and what is read from odd or rich announcements (pure functions)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from memory_lsp.server.commands import __doc__ as documented
from memory_lsp.server.handlers import watched_patterns
from memory_lsp.server.support import COMMANDS, client_support, initialize_problem, initialize_result

PROFILES = sorted((Path(__file__).parent.parent / "lsp" / "capabilities").glob("*.json"))


@pytest.mark.parametrize("path", PROFILES, ids=lambda path: path.stem)
def test_real_clients_are_understood(path: Path) -> None:
    params = json.loads(path.read_text("utf-8"))
    assert initialize_problem(params) == ""
    support = client_support(params)
    announced = params["capabilities"]
    assert support.encoding == announced["general"]["positionEncodings"][0]
    assert support.document_changes == announced["workspace"]["workspaceEdit"].get("documentChanges", False)
    assert support.create_files <= support.document_changes
    assert support.show_document == announced["window"].get("showDocument", {}).get("support", False)
    assert support.configuration and support.action_literals and support.hover_markdown


@pytest.mark.parametrize(
    ("offered", "chosen"),
    [
        (None, "utf-16"),
        ([], "utf-16"),
        ("utf-8", "utf-16"),
        (["utf-7"], "utf-16"),
        (["utf-7", "utf-32"], "utf-32"),
        (["utf-8", "utf-16"], "utf-8"),
        (["utf-16", "utf-8"], "utf-16"),
        (["utf-32", "utf-8"], "utf-32"),
        ([["utf-8"], None, 8], "utf-16"),
    ],
)
def test_the_encoding_is_the_first_one_that_both_have(offered: object, chosen: str) -> None:
    support = client_support({"capabilities": {"general": {"positionEncodings": offered}}})
    assert support.encoding == chosen
    assert initialize_result(support)["capabilities"]["positionEncoding"] == chosen


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"a": []}, [None]])
def test_odd_announcements_count_as_none(value: object) -> None:
    params = {
        "capabilities": {"general": value, "workspace": value, "textDocument": value, "window": value},
        "initializationOptions": value,
    }
    assert client_support(params) == client_support({"capabilities": {}})
    deeper = {"workspace": {"workspaceEdit": value}, "textDocument": {"hover": value, "codeAction": value}}
    assert client_support({"capabilities": deeper}) == client_support({"capabilities": {}})


def test_options_of_the_client() -> None:
    options = {
        "trusted": False,
        "status": True,
        "prompt": {"command": "memoryLsp.prompt"},
        "settings": {"debounce": 0},
    }
    support = client_support({"capabilities": {}, "initializationOptions": options})
    assert (support.trusted, support.status, support.prompt) == (False, True, "memoryLsp.prompt")
    assert support.settings == {"debounce": 0}
    odd = {"trusted": "no", "status": "yes", "prompt": {"command": 3}, "settings": [1]}
    assert client_support({"capabilities": {}, "initializationOptions": odd}) == client_support({"capabilities": {}})


def test_every_command_is_announced_and_documented() -> None:
    assert documented is not None
    assert sorted(set(re.findall(r"memoryLsp\.server\.\w+", documented))) == sorted(COMMANDS)


def test_watched_files() -> None:
    stores, head, code = watched_patterns()
    assert ".memory," in stores and head == "**/.git/HEAD"
    assert re.fullmatch(r"\*\*/\*\.\{[a-z+,]+\}", code) and ",py," in code
