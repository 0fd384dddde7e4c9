"""Definitions in Python files and harmless or harmful edits of them, by Python's own ``ast``.

This is the benchmark's independent witness: nothing here knows how memory-lsp reads code.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Definition:
    """One function, method or class: root-relative path, qualified name, lines (1-based, inclusive, with decorators)."""

    path: str
    name: str
    kind: str
    first: int
    last: int

    @property
    def citation(self) -> str:
        return f"{self.path}#{self.name}"

    def holds(self, other: Definition) -> bool:
        """Whether ``other`` is this definition or stands inside of it."""
        return self.path == other.path and self.first <= other.first and other.last <= self.last


def definitions(root: Path, path: str) -> list[Definition]:
    """All definitions of a file whose qualified name is defined once there and not inside of a function."""
    tree = ast.parse((root / path).read_bytes())
    found: dict[str, list[Definition]] = {}

    def visit(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, Node):
                name = prefix + node.name
                kind = "class" if isinstance(node, ast.ClassDef) else "method" if prefix else "function"
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                found.setdefault(name, []).append(Definition(path, name, kind, first, node.end_lineno or node.lineno))
                if isinstance(node, ast.ClassDef):
                    visit(node.body, f"{name}.")
            else:
                for part in ("body", "orelse", "finalbody"):
                    visit(getattr(node, part, []), prefix)
                for handler in getattr(node, "handlers", []):
                    visit(handler.body, prefix)

    visit(tree.body, "")
    return [group[0] for group in found.values() if len(group) == 1]


def add_statement(text: str, definition: Definition) -> str:
    """The file with one more statement at the end of the definition: a change."""
    return _insert(text, definition, "changed_by_the_benchmark = True")


def add_comment(text: str, definition: Definition) -> str:
    """The file with one more comment inside of the definition: no change of meaning."""
    return _insert(text, definition, "# said by the benchmark")


def remove(text: str, definition: Definition) -> str:
    """The file without the definition (``pass`` in its place): nothing is left to cite."""
    lines = text.split("\n")
    line = lines[definition.first - 1]
    indent = line[: len(line) - len(line.lstrip())]
    return "\n".join([*lines[: definition.first - 1], f"{indent}pass", *lines[definition.last :]])


def move(text: str, definition: Definition) -> tuple[str, str]:
    """The file without a top-level definition, and the text of a new file that holds it."""
    lines = text.split("\n")
    return remove(text, definition), "\n".join(lines[definition.first - 1 : definition.last]) + "\n"


def has_substance(text: str, definition: Definition) -> bool:
    """Whether the body has at least three statements besides a docstring: enough to be recognised elsewhere."""
    body = _node(text, definition).body
    return sum(not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)) for item in body) >= 3


def _insert(text: str, definition: Definition, line: str) -> str:
    """``line`` before the last statement of the definition, at that statement's indentation."""
    node = _node(text, definition)
    last = node.body[-1]
    start = min([last.lineno, *(item.lineno for item in getattr(last, "decorator_list", []))])
    lines = text.split("\n")
    lines.insert(start - 1, " " * last.col_offset + line)
    return "\n".join(lines)


def _node(text: str, definition: Definition) -> Node:
    for node in ast.walk(ast.parse(text)):
        if (
            isinstance(node, Node)
            and node.end_lineno == definition.last
            and node.name == definition.name.split(".")[-1]
        ):
            return node
    raise LookupError(definition.citation)


def editable(text: str, definition: Definition) -> bool:
    """Whether a line can be put before the definition's last statement without touching its header or docstring."""
    node = _node(text, definition)
    last = node.body[-1]
    alone = text.split("\n")[last.lineno - 1][: last.col_offset].strip() == ""
    return alone and len(node.body) > 1 and last.lineno > (node.body[-2].end_lineno or 0)
