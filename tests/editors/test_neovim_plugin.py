"""The plugin for Neovim is in step with the server, and its help with the plugin."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

from memory_lsp.server.support import COMMANDS

PLUGIN = Path(__file__).parents[2] / "editors" / "neovim"
HELP = (PLUGIN / "doc" / "memory_lsp.txt").read_text("utf-8")


def lua(name: str) -> str:
    return (PLUGIN / "lua" / "memory_lsp" / f"{name}.lua").read_text("utf-8")


def test_plugin_and_server_have_one_version() -> None:
    (mine,) = re.findall(r"M\.version = '([^']+)'", lua("init"))
    assert mine.split(".")[:2] == version("memory-lsp").split(".")[:2]


def test_every_command_is_one_of_the_servers_and_has_its_help() -> None:
    commands = re.findall(r"^  (\w+) = \{ run = ", lua("commands"), re.MULTILINE)
    assert len(commands) > 8
    for name in commands:
        assert f"*:LspMemory{name}*" in HELP
    acts = re.findall(r"on_memory\('(\w+)'", lua("commands"))
    assert {f"memoryLsp.server.{act}" for act in acts} <= set(COMMANDS)


def test_the_help_has_no_long_lines_and_names_what_it_points_at() -> None:
    assert max(map(len, HELP.splitlines())) <= 78
    tags = set(re.findall(r"\*([^*\s]+)\*", HELP))
    assert set(re.findall(r"\|(memory_lsp[^|]*)\|", HELP)) <= tags
