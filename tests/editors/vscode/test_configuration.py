"""The extension's manifest says what the server says: settings, trust, version, licence, icon."""

from __future__ import annotations

import json
import runpy
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from memory_lsp import __version__
from memory_lsp.core.codes import CODES
from memory_lsp.workspace.settings import Settings

PROJECT = Path(__file__).parents[3]
EXTENSION = PROJECT / "editors" / "vscode"


@pytest.fixture(scope="module")
def package() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text("utf-8"))
    return found


def test_the_settings_are_the_servers(package: dict[str, Any]) -> None:
    text = (EXTENSION / "package.json").read_text("utf-8")
    assert runpy.run_path(str(EXTENSION / "configuration.py"))["written"](text) == text, (
        "run `python editors/vscode/configuration.py`"
    )
    properties = package["contributes"]["configuration"]["properties"]
    own = {"memoryLsp.command", "memoryLsp.trace.server"}
    assert set(properties) - own == {f"memoryLsp.{item.name}" for item in fields(Settings)}
    assert set(properties["memoryLsp.severity"]["properties"]) == set(CODES)


def test_an_untrusted_workspace_sets_severities_only(package: dict[str, Any]) -> None:
    trust = package["capabilities"]["untrustedWorkspaces"]
    assert trust["supported"] == "limited"
    free = set(package["contributes"]["configuration"]["properties"]) - set(trust["restrictedConfigurations"])
    assert free == {"memoryLsp.severity", "memoryLsp.trace.server"}


def test_the_versions_belong_together(package: dict[str, Any]) -> None:
    assert package["version"].split(".")[:2] == __version__.split(".")[:2]


def test_every_command_is_there_and_every_store_activates(package: dict[str, Any]) -> None:
    sources = "".join(path.read_text("utf-8") for path in (EXTENSION / "src").glob("*.ts"))
    for command in package["contributes"]["commands"]:
        assert f"registerCommand('{command['command']}'" in sources
    assert {event.split("/")[1] for event in package["activationEvents"]} == {".memory", ".agent_memory", ".kiyo"}


def pixels(png: bytes) -> bytes:
    """The rows of a PNG with one IDAT chunk; its compressed bytes differ from one zlib to the next."""
    start = png.index(b"IDAT")
    return zlib.decompress(png[start + 4 : start + 4 + int.from_bytes(png[start - 4 : start], "big")])


def test_icon_and_licence_are_the_ones_that_are_made(package: dict[str, Any]) -> None:
    made, kept = runpy.run_path(str(EXTENSION / "icon.py"))["png"](), (EXTENSION / package["icon"]).read_bytes()
    assert pixels(kept) == pixels(made), "run `python editors/vscode/icon.py`"
    assert (EXTENSION / "LICENSE").read_bytes() == (PROJECT / "LICENSE").read_bytes()


def test_the_lock_file_names_no_host() -> None:
    lock = (EXTENSION / "package-lock.json").read_text("utf-8")
    assert '"resolved"' not in lock
    assert '"integrity"' in lock
