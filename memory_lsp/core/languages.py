"""Which language a path is written in, and which grammar reads it.

The table is data: a language is a name, a grammar of tree-sitter-language-pack, its file extensions and file names.
``producer`` names the fingerprint algorithm with the grammar set, which is pinned exactly in pyproject.toml.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version

ALGORITHM = "v1"


@dataclass(frozen=True, slots=True)
class Language:
    """A language with an outline. ``grammar`` is its name in tree-sitter-language-pack; ``package`` is what pins it."""

    name: str
    grammar: str
    extensions: tuple[str, ...]
    file_names: tuple[str, ...] = ()
    package: str = "tree-sitter-language-pack"


_TABLE = (
    Language("python", "python", (".py", ".pyi", ".pyw")),
    Language("javascript", "javascript", (".js", ".mjs", ".cjs", ".jsx")),
    Language("typescript", "typescript", (".ts", ".mts", ".cts")),
    Language("tsx", "tsx", (".tsx",)),
    Language("go", "go", (".go",)),
    Language("rust", "rust", (".rs",)),
    Language("markdown", "markdown", (".md", ".markdown")),
    Language("toml", "toml", (".toml",), ("Cargo.lock", "poetry.lock", "uv.lock")),
    Language("yaml", "yaml", (".yaml", ".yml"), package="tree-sitter-yaml"),
    Language("json", "json", (".json", ".jsonc", ".webmanifest")),
    Language("c", "c", (".c",)),
    Language(
        "cpp", "cpp", (".cpp", ".cc", ".cxx", ".c++", ".h", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".tpp", ".inl")
    ),
    Language("java", "java", (".java",)),
    Language("csharp", "csharp", (".cs", ".csx"), package="tree-sitter-c-sharp"),
    Language("ruby", "ruby", (".rb", ".rake", ".gemspec", ".ru"), ("Rakefile", "Gemfile", "Podfile", "Fastfile")),
    Language("php", "php", (".php", ".phtml")),
    Language("kotlin", "kotlin", (".kt", ".kts")),
    Language("swift", "swift", (".swift",)),
    Language("scala", "scala", (".scala", ".sc", ".sbt")),
    Language("lua", "lua", (".lua",)),
    Language("bash", "bash", (".sh", ".bash", ".bats", ".ksh"), (".bashrc", ".bash_profile", ".profile")),
    Language("elixir", "elixir", (".ex", ".exs")),
    Language("haskell", "haskell", (".hs",)),
    Language("sql", "sql", (".sql", ".ddl")),
)

LANGUAGES = {language.name: language for language in _TABLE}
_BY_EXTENSION = {extension: language.name for language in _TABLE for extension in language.extensions}
_BY_FILE_NAME = {name: language.name for language in _TABLE for name in language.file_names}


def language_of(path: str) -> str | None:
    """The language of a root-relative path by its file name, or ``None`` if it has no outline."""
    name = path.rsplit("/", 1)[-1]
    if name in _BY_FILE_NAME:
        return _BY_FILE_NAME[name]
    dot = name.rfind(".")
    if dot < 0:
        return None
    return _BY_EXTENSION.get(name[dot:].lower())


@cache
def producer(language: str) -> str:
    """What made a fingerprint: algorithm, language and grammar version, as in ``v1/python-0.13.0``."""
    known = LANGUAGES.get(language)
    if known is None:
        return f"{ALGORITHM}/text"
    try:
        grammar = version(known.package)
    except PackageNotFoundError:
        grammar = "unknown"
    return f"{ALGORITHM}/{language}-{grammar}"
