"""The direction of imports, read from the source: what docs/architecture.md promises."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "memory_lsp"

ALLOWED = {
    "core": {"core"},
    "dialects": {"core", "dialects"},
    "checks": {"core", "dialects", "checks"},
    "operations": {"core", "dialects", "operations"},
    # Workspace runs the checks over what it reads; features read its snapshots.
    "workspace": {"core", "dialects", "checks", "workspace"},
    "features": {"core", "dialects", "operations", "workspace", "features"},
    "recall": {"core", "dialects", "workspace", "recall"},
    "server": {"core", "dialects", "checks", "operations", "workspace", "features", "recall", "server"},
    "cli": {"core", "dialects", "checks", "operations", "workspace", "features", "recall", "server", "cli", "demo"},
    "demo": {"core", "dialects", "demo"},
}
"""What each part may import of the others."""

PROTOCOL = {"pygls", "lsprotocol"}
OUTSIDE = {"subprocess", "socket", "shutil", "tempfile", "glob", "filelock", "platformdirs"}
"""Modules by which a program reaches the disk, other programs or the network."""
PURE = ("core", "dialects", "checks", "operations", "features", "recall")
DISK_CALLS = {
    "open",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "stat",
    "iterdir",
    "mkdir",
    "unlink",
    "rglob",
}


def modules() -> list[Path]:
    """The modules of the program; the demo's example project is data."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "example" not in path.parts)


def part_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else ""


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module or ""
            if node.module == "memory_lsp":
                yield from (f"memory_lsp.{name.name}" for name in node.names)


def test_nothing_points_back() -> None:
    wrong = []
    for path in modules():
        part = part_of(path)
        for name in imported(path):
            words = name.split(".")
            if part and words[0] == "memory_lsp" and len(words) > 1 and words[1] != "__version__":
                target = words[1]
                if (PACKAGE / target).is_dir() and target not in ALLOWED[part]:
                    wrong.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert wrong == []


def test_only_the_server_knows_the_protocol() -> None:
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules()
        for name in imported(path)
        if name.split(".")[0] in PROTOCOL and part_of(path) != "server"
    ]
    assert wrong == []


def test_what_is_pure_reaches_neither_disk_nor_programs() -> None:
    wrong = []
    for path in modules():
        if part_of(path) not in PURE:
            continue
        wrong += [
            f"{path.relative_to(PACKAGE)} imports {name}" for name in imported(path) if name.split(".")[0] in OUTSIDE
        ]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                function = node.func
                # The query files of the package itself are read through importlib.resources.
                if isinstance(function, ast.Name) and function.id == "open":
                    wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} calls open")
                if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
                    if function.value.id == "os" and function.attr not in ("fspath",):
                        wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} calls os.{function.attr}")
                    if function.value.id in ("Path", "path", "file") and function.attr in DISK_CALLS:
                        wrong.append(f"{path.relative_to(PACKAGE)}:{node.lineno} calls {function.attr}")
    assert wrong == []


def test_nothing_opens_the_network() -> None:
    network = {"socket", "urllib.request", "http", "ftplib", "ssl", "requests", "httpx"}
    wrong = [
        f"{path.relative_to(PACKAGE)} imports {name}"
        for path in modules()
        for name in imported(path)
        if name in network or name.split(".")[0] in network
    ]
    assert wrong == []


def loaded(code: str) -> set[str]:
    """The top-level modules that are loaded after ``code`` ran in a fresh interpreter."""
    program = f"{code}\nimport sys\nprint('\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in done.stderr.split()}


def test_check_starts_without_what_it_does_not_need(tmp_path: Path) -> None:
    (tmp_path / ".memory").mkdir()
    names = loaded(
        f"from memory_lsp.cli.main import main; main(['check', '--format', 'json', '--root', {str(tmp_path)!r}])"
    )
    assert names.isdisjoint(
        {"pygls", "lsprotocol", "pydantic", "cattrs", "asyncio", "rich", "filelock", "platformdirs", "rapidfuzz"}
    )
    assert "memory_lsp" in names


def test_help_starts_with_almost_nothing() -> None:
    names = loaded("from memory_lsp.cli.main import main; main([])")
    assert names.isdisjoint({"tree_sitter", "yaml", "pydantic", "rich", "pygls", "lsprotocol"})
