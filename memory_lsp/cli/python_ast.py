"""An independent witness for Python: what Python's own ``ast`` says of the definitions in a file.

Nothing here knows how verdicts are made. Docstrings do not count; directive comments are told apart, since ``ast`` drops them.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

_DIRECTIVE = re.compile(
    r"#\s*(?:type:|noqa\b|nosec\b|pragma\b|pylint:|mypy:|pyright:|ruff:|flake8:|fmt:|isort:|yapf:|pytype:|black:|!|-\*-)",
    re.IGNORECASE,
)
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Module:
    """One parsed file, docstrings removed: the statements that define each symbol path, in their order."""

    tree: ast.Module
    definitions: dict[str, tuple[ast.stmt, ...]]
    comments: tuple[tuple[int, str], ...] = field(repr=False)

    def find(self, name: str) -> tuple[str, ...]:
        """The symbol path ``name``, else all that end with it at a level."""
        if name in self.definitions:
            return (name,)
        return tuple(path for path in self.definitions if path.endswith(f".{name}"))

    def meaning(self, symbol: str, *, nameless: bool = False) -> tuple[str, ...]:
        """``ast.dump`` of the definitions of a symbol (empty: of the file); ``nameless``: without the names on its path,
        where they are the name of a definition or a variable, or an attribute of ``self``, ``cls`` or one of these."""
        nodes: tuple[ast.AST, ...] = self.definitions[symbol] if symbol else (self.tree,)
        dumps = tuple(ast.dump(node) for node in nodes)
        if not nameless:
            return dumps
        own = "|".join(re.escape(repr(level)) for level in symbol.split("."))
        holder = rf"Attribute\(value=Name\(id=(?:'self'|'cls'|{own}), ctx=Load\(\)\), attr="
        named = re.compile(rf"(\b(?:name|id)=|{holder})(?:{own})")
        return tuple(named.sub(lambda match: re.sub(own, "''", match[1]) + "''", text) for text in dumps)

    def directives(self, symbol: str) -> tuple[str, ...]:
        """The directive comments in and right above the definitions of a symbol, sorted."""
        if not symbol:
            return tuple(sorted(text for _line, text in self.comments if _DIRECTIVE.match(text)))
        lines = dict(self.comments)
        found = []
        for node in self.definitions[symbol]:
            decorators = node.decorator_list if isinstance(node, _Scope) else []
            first = min([node.lineno, *(item.lineno for item in decorators)])
            while first - 1 in lines:
                first -= 1
            last = node.end_lineno or node.lineno
            found += [text for line, text in self.comments if first <= line <= last and _DIRECTIVE.match(text)]
        return tuple(sorted(found))


def read_module(data: bytes) -> Module | None:
    """A Python file, or ``None`` if this Python does not read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(data)
            comments = tuple(
                (token.start[0], token.string)
                for token in tokenize.tokenize(io.BytesIO(data).readline)
                if token.type == tokenize.COMMENT
            )
        except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
            return None
    found: dict[str, list[ast.stmt]] = {}
    for path, node in _defined(tree.body, "", True):
        found.setdefault(unicodedata.normalize("NFC", path), []).append(node)
    for scope in ast.walk(tree):
        if isinstance(scope, _Scope | ast.Module) and ast.get_docstring(scope, clean=False) is not None:
            del scope.body[0]
    ordered = {path: tuple(sorted(nodes, key=lambda node: node.lineno)) for path, nodes in found.items()}
    return Module(tree, ordered, comments)


def _defined(body: list[ast.stmt], prefix: str, names: bool) -> Iterator[tuple[str, ast.stmt]]:
    """Symbol paths with their statements; ``names``: assignments define something here (in modules and classes)."""
    for node in body:
        if isinstance(node, _Scope):
            yield prefix + node.name, node
            yield from _defined(node.body, f"{prefix}{node.name}.", isinstance(node, ast.ClassDef))
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets[:1] if isinstance(node, ast.Assign) else [node.target]
            if names or isinstance(node.value, ast.Lambda):
                yield from ((prefix + name, node) for target in targets for name in _targets(target))
        elif type(node).__name__ == "TypeAlias":
            name: ast.Name = vars(node)["name"]
            yield prefix + name.id, node
        else:
            for part in ("body", "orelse", "finalbody"):
                yield from _defined(getattr(node, part, []), prefix, names)
            for part in ("handlers", "cases"):
                for inner in getattr(node, part, []):
                    yield from _defined(inner.body, prefix, names)


def _targets(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple):
        for item in target.elts:
            if isinstance(item, ast.Name):
                yield item.id
