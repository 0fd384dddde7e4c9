"""What means nothing in each language: one module per family of languages."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from memory_lsp.core.syntax.rules import Rules

_MODULES = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "go": "go",
    "rust": "rust",
    "markdown": "markdown",
    "toml": "data",
    "yaml": "data",
    "json": "data",
    "c": "c",
    "cpp": "c",
    "java": "java",
    "csharp": "csharp",
    "ruby": "ruby",
    "php": "php",
    "kotlin": "kotlin",
    "swift": "swift",
    "scala": "scala",
    "lua": "lua",
    "bash": "bash",
    "elixir": "elixir",
    "haskell": "haskell",
    "sql": "sql",
}


@cache
def rules_of(language: str) -> Rules:
    """The rules of a language that has an outline (loaded when first asked for)."""
    module = import_module(f"memory_lsp.core.syntax.{_MODULES[language]}")
    rules = module.RULES[language]
    assert isinstance(rules, Rules)
    return rules
