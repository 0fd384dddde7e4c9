"""Witnesses that do not know how memory-lsp reads code: did the meaning of a file change?

Each is a function from texts to one word per text: equal words mean the same program, ``None`` none at all.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from material import Material

Oracle = Callable[[Sequence[str]], "list[str | None]"]
_CONTINUED = re.compile(rb"(?<!\\)\\\n\s*")
FILE_NAMES = {"typescript": "a.ts", "javascript": "a.js", "tsx": "a.tsx"}


def oracle_of(language: str, material: Material) -> Oracle | None:
    """The witness of a language, or ``None`` where what it needs cannot be had."""
    if language == "python":
        return python
    if language in FILE_NAMES:
        module = material.npm_module("typescript@5")
        script = Path(__file__).parent / "typescript_oracle.cjs"
        return _lines(["node", str(script), str(module), FILE_NAMES[language]]) if module else None
    if language == "go":
        program = _go_program(material)
        return _lines([str(program)]) if program else None
    if language == "rust" and (compiler := material.rustc()):
        return _rust(compiler)
    return None


def python(texts: Sequence[str]) -> list[str | None]:
    """``ast.dump`` of the file without docstrings."""
    return [_python(text) for text in texts]


def _python(text: str) -> str | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0] if node.body else None
            if (
                isinstance(first, ast.Expr)
                and isinstance(first.value, ast.Constant)
                and isinstance(first.value.value, str)
            ):
                del node.body[0]
        elif isinstance(node, ast.Constant):
            node.kind = None
    return hashlib.sha256(ast.dump(tree).encode("utf-8", "surrogatepass")).hexdigest()[:24]


def _lines(command: list[str]) -> Oracle:
    def ask(texts: Sequence[str]) -> list[str | None]:
        given = "".join(json.dumps(text) + "\n" for text in texts)
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=1800)
        words = done.stdout.split()
        assert len(words) == len(texts), f"{command[0]} answered {len(words)} of {len(texts)}"
        return [None if word == "invalid" else word for word in words]

    return ask


def _go_program(material: Material) -> Path | None:
    root = material.go_root()
    program = material.folder / "go_oracle"
    if root is None:
        return None
    environment = {
        **os.environ, "GOROOT": str(root), "GO111MODULE": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "",
        "GOCACHE": str(material.folder / "go-cache"),
    }  # fmt: skip
    source = Path(__file__).parent / "go_oracle.go"
    command = [str(root / "bin" / "go"), "build", "-o", str(program), str(source)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        material.missing["the witness for Go"] = done.stderr.strip()[-200:]
        return None
    return program


def _rust(compiler: Path) -> Oracle:
    """What rustc prints of the tree that it read: nothing of the layout remains, comments and parentheses do."""

    def one(text: str) -> str | None:
        with tempfile.NamedTemporaryFile("w", suffix=".rs", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            done = subprocess.run(
                [str(compiler), "-Zunpretty=normal", "--edition", "2021", "--crate-type", "lib", file.name],
                env={**os.environ, "RUSTC_BOOTSTRAP": "1"}, capture_output=True, check=False, timeout=60,
            )  # fmt: skip
        return None if done.returncode else hashlib.sha256(_CONTINUED.sub(b"", done.stdout)).hexdigest()[:24]

    def ask(texts: Sequence[str]) -> list[str | None]:
        with ThreadPoolExecutor(2) as pool:
            return list(pool.map(one, texts))

    return ask
