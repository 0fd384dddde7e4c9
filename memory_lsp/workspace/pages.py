"""The pages docs/findings.md and docs/settings.md, made from the tables that decide. ``python -m memory_lsp.workspace.pages`` writes them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from types import MappingProxyType

from memory_lsp.core.codes import CODES, SOURCE
from memory_lsp.core.model import Severity
from memory_lsp.workspace.settings import CONFIG_PATH, Settings


def findings_page() -> str:
    """docs/findings.md: every finding code with its severities, its meaning and what to do."""
    lines = [
        "# Findings",
        "",
        f"Every finding has a code (source `{SOURCE}`). It stands in the record, where `memory-lsp check` lists it too, and some stand on the",
        "cited symbol in code as well. The setting `severity` changes a severity or switches a code off ([settings](settings.md)).",
        "",
        "| code | in the record, and in `check` | on the symbol in code |",
        "|---|---|---|",
        *(
            f"| [`{code.name}`](#{code.name}) | {_level(code.in_record)} | {_level(code.in_code)} |"
            for code in CODES.values()
        ),
        "",
    ]
    for code in CODES.values():
        lines += [f"## `{code.name}`", "", code.meaning, "", f"*What to do:* {code.remedy}", ""]
    return "\n".join(lines)


def settings_page() -> str:
    """docs/settings.md: every setting with its default, and what wins."""
    lines = [
        "# Settings",
        "",
        f"The client's settings (section `memoryLsp`) win over `{CONFIG_PATH}`, and that wins over the default, key by key. In an untrusted workspace",
        "the file may only set `severity`. A key that is wrong is reported and ignored; the others stay in force.",
        "",
        "| setting | default | meaning |",
        "|---|---|---|",
        *(
            f"| `{item.name}` | `{json.dumps(_default(item))}` | {item.metadata['description']} |"
            for item in fields(Settings)
        ),
        "",
        f"An example of `{CONFIG_PATH}`:",
        "",
        "```toml",
        'store = "okf"',
        "",
        "[severity]",
        'memory-unchecked = "off"',
        'memory-changed = { record = "error", code = "warning" }',
        "```",
        "",
    ]
    return "\n".join(lines)


def _level(severity: Severity) -> str:
    return "-" if severity is Severity.OFF else severity.value.capitalize()


def _default(item: object) -> object:
    default = getattr(item, "default", MISSING)
    return {} if default is MISSING else default


PAGES: Mapping[str, str] = MappingProxyType({"findings.md": findings_page(), "settings.md": settings_page()})

if __name__ == "__main__":
    for name, text in PAGES.items():
        (Path("docs") / name).write_text(text, encoding="utf-8")
