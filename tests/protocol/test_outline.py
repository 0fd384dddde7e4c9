"""Outline and references over stdio: in the form that was announced, and silent where no memory is concerned."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lsp.store import make_project
from tests.protocol.stdio import CAPABILITIES, Json, Stdio

TREES: Json = {
    **CAPABILITIES,
    "textDocument": {
        **CAPABILITIES["textDocument"],
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def outline(server: Stdio, uri: str) -> list[Json] | None:
    found: list[Json] | None = server.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    return found


def references(server: Stdio, uri: str, line: int, character: int) -> list[Json] | None:
    place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    found: list[Json] | None = server.request(
        "textDocument/references", {**place, "context": {"includeDeclaration": True}}
    )
    return found


def test_an_outline_is_a_tree_where_that_is_announced(root: Path) -> None:
    with Stdio() as server:
        announced = server.initialize(root, TREES)["capabilities"]
        assert announced["documentSymbolProvider"] is True and announced["referencesProvider"] is True
        record = server.open(root / ".memory/mem-charge.md")
        (memory,) = outline(server, record) or []
        assert (memory["name"], memory["detail"]) == ("Charges are never retried", "mem-charge")
        (cited,) = memory["children"]
        assert (cited["name"], cited["detail"]) == ("pay.py#charge", "fresh")
        lines = (root / ".memory/mem-charge.md").read_text("utf-8").splitlines()
        assert "path: pay.py" in lines[cited["selectionRange"]["start"]["line"]]
        assert lines[memory["selectionRange"]["start"]["line"]].startswith("title:")
        server.change(record, "", 2)
        assert outline(server, record) is None
        assert server.shutdown() == 0


def test_an_outline_is_flat_elsewhere(root: Path) -> None:
    with Stdio() as server:
        server.initialize(root)
        record = server.open(root / ".memory/mem-charge.md")
        memory, cited = outline(server, record) or []
        assert (memory["name"], memory.get("containerName")) == ("Charges are never retried", None)
        assert (cited["name"], cited["containerName"]) == ("pay.py#charge", "Charges are never retried")
        assert {memory["location"]["uri"], cited["location"]["uri"]} == {record}
        assert server.shutdown() == 0


def test_references_are_the_citations(root: Path) -> None:
    with Stdio() as server:
        server.initialize(root)
        code = server.open(root / "pay.py")
        (found,) = references(server, code, 0, 6) or []
        assert found["uri"] == (root / ".memory/mem-charge.md").as_uri()
        line = (root / ".memory/mem-charge.md").read_text("utf-8").splitlines()[found["range"]["start"]["line"]]
        assert line[found["range"]["start"]["character"] : found["range"]["end"]["character"]] == "pay.py"
        assert server.shutdown() == 0


def test_where_no_memory_is_concerned_both_are_silent(root: Path, tmp_path: Path) -> None:
    (root / "other.py").write_text("def other():\n    pass\n", "utf-8")
    (tmp_path / "elsewhere.py").write_text("def elsewhere():\n    pass\n", "utf-8")
    with Stdio() as server:
        server.initialize(root)
        for path in (root / "other.py", root / "pay.py", tmp_path / "elsewhere.py"):
            uri = server.open(path)
            assert outline(server, uri) is None
            assert references(server, uri, 1, 5) is None
        assert server.shutdown() == 0
