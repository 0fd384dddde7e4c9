"""Write the extension's settings into package.json, from the server's own settings and finding codes.

usage: python editors/vscode/configuration.py      (in an environment that has memory-lsp installed)

Settings of the extension itself (the server's command, the trace) are listed here; all others are the fields of
``memory_lsp.workspace.settings.Settings``. tests/editors/vscode/test_configuration.py holds the two against each other.
"""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from memory_lsp.core.codes import CODES
from memory_lsp.core.model import Severity
from memory_lsp.workspace.settings import Settings

PACKAGE = Path(__file__).parent / "package.json"
LEVELS = [level.value for level in Severity]

EXTENSION: dict[str, dict[str, Any]] = {
    "command": {
        "type": "array",
        "items": {"type": "string"},
        "default": [],
        "scope": "machine-overridable",
        "markdownDescription": 'How the server is started, e.g. `["/path/to/memory-lsp", "serve"]`; `${workspaceFolder}` stands for the first '
        "folder. Empty: `memory-lsp` in the workspace's Python environment, else on the `PATH`.",
    },
    "trace.server": {
        "type": "string",
        "enum": ["messages", "compact", "verbose"],
        "default": "messages",
        "scope": "window",
        "markdownDescription": "What is written about each message while the log level of the output channel *Memory* is `Trace` "
        "(*Developer: Set Log Level...*).",
    },
}
"""Settings that the server is not told."""


def configuration() -> dict[str, Any]:
    """``contributes.configuration``: every setting with its type, default, limits and description."""
    schemas = TypeAdapter(Settings).json_schema()["properties"]
    properties = {f"memoryLsp.{name}": setting for name, setting in EXTENSION.items()}
    for item in fields(Settings):
        schema = schemas[item.name]
        setting: dict[str, Any] = {"type": schema["type"], "default": {} if item.default is MISSING else item.default}
        for limit, name in (("least", "minimum"), ("most", "maximum")):
            if limit in item.metadata:
                setting[name] = item.metadata[limit]
        if item.name == "severity":
            setting |= _severities()
        properties[f"memoryLsp.{item.name}"] = {
            **setting,
            "scope": "resource",
            "markdownDescription": item.metadata["description"],
        }
    return {"title": "Memory", "properties": properties}


def restricted() -> list[str]:
    """The settings that an untrusted workspace cannot set: all but severities, as the server has it for its own file."""
    return [
        f"memoryLsp.{name}" for name in ("command", *(item.name for item in fields(Settings))) if name != "severity"
    ]


def _severities() -> dict[str, Any]:
    level: dict[str, Any] = {"type": "string", "enum": LEVELS}
    places = {"type": "object", "properties": {"record": level, "code": level}, "additionalProperties": False}
    codes = {code.name: {"anyOf": [level, places], "description": code.meaning} for code in CODES.values()}
    return {"properties": codes, "additionalProperties": False}


def written(text: str) -> str:
    """package.json with these settings in it, everything else as it is."""
    package = json.loads(text)
    package["contributes"]["configuration"] = configuration()
    package["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"] = restricted()
    return json.dumps(package, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PACKAGE.write_text(written(PACKAGE.read_text("utf-8")), "utf-8")
