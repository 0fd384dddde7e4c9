"""``editors/helix/languages.toml`` as a user copies it."""

from __future__ import annotations

import sys
from pathlib import Path

from memory_lsp.core.languages import LANGUAGES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).parents[2] / "editors" / "helix" / "languages.toml"
OTHERS_DO = {"format", "completion", "rename-symbol", "signature-help", "inlay-hints"}
HELIX_NAMES = {"csharp": "c-sharp"}


def test_every_language_with_an_outline_is_served_and_keeps_its_own_servers() -> None:
    languages = {
        entry["name"]: entry["language-servers"] for entry in tomllib.loads(FILE.read_text("utf-8"))["language"]
    }
    assert {HELIX_NAMES.get(name, name) for name in LANGUAGES} <= set(languages)
    for name, servers in languages.items():
        names = [server if isinstance(server, str) else server["name"] for server in servers]
        assert names.count("memory-lsp") == 1, name
        assert len(names) > 1 or name == "sql", f"{name}: the list of Helix's own servers is lost"


def test_in_code_the_work_of_other_servers_is_left_to_them() -> None:
    for entry in tomllib.loads(FILE.read_text("utf-8"))["language"]:
        for server in entry["language-servers"]:
            if isinstance(server, dict):
                assert not OTHERS_DO & set(server["only-features"]), entry["name"]
            elif server == "memory-lsp":
                assert entry["name"] == "markdown"
