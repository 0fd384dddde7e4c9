"""The index page of a Kiyo store: rows that point from an id to a file, in a table or in a list of links."""

from __future__ import annotations

import re
from dataclasses import dataclass

from memory_lsp.core.model import Span
from memory_lsp.dialects.kiyo_read import lines_of, plain

HEADER = """# Memory index

## Entry catalog

| Entry ID | Relative memory file and actual anchor | Topic / inspection scope |
| --- | --- | --- |
"""
"""A new index, without rows."""

_RULE = re.compile(r"\s*:?-+:?\s*\Z")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
_ITEM = re.compile(r"\s*[-*+]\s+\[([^\]]*)\]\(([^)\s]+)\)")


@dataclass(frozen=True, slots=True)
class Row:
    """One row: ``id`` is empty in a list of links; ``file`` is relative to the index; ``span`` is its line without the end."""

    id: str
    file: str
    anchor: str
    topic: str
    span: Span
    target: Span
    text: str


def read_rows(text: str) -> tuple[Row, ...]:
    """The rows of an index page, in their order."""
    found: list[Row] = []
    for line in lines_of(text):
        if line.hidden:
            continue
        if line.text.lstrip().startswith("|"):
            cells = [cell.strip() for cell in line.text.strip().strip("|").split("|")]
            if len(cells) < 2 or all(_RULE.match(cell) for cell in cells) or "entry id" in cells[0].lower():
                continue
            link = _LINK.search(cells[1])
            target = link[2] if link else cells[1].strip("`")
            at = (
                line.start + line.text.index(cells[1], line.text.index(cells[0]) + len(cells[0]))
                if cells[1]
                else line.start
            )
            file, _, anchor = target.partition("#")
            topic = cells[2] if len(cells) > 2 else ""
            found.append(
                Row(
                    plain(cells[0]),
                    file,
                    anchor,
                    topic,
                    Span(line.start, line.end),
                    Span(at, at + len(cells[1])),
                    line.text,
                )
            )
            continue
        item = _ITEM.match(line.text)
        if item and not item[2].startswith(("http:", "https:", "mailto:")):
            file, _, anchor = item[2].partition("#")
            span = Span(line.start, line.end)
            found.append(Row("", file, anchor, item[1], span, span, line.text))
    return tuple(found)


def row_text(name: str, file: str, topic: str) -> str:
    """A row of the table, without its line end."""
    return f"| {name} | {file}#{name.lower()} | {topic.replace('|', '/') or 'UNKNOWN'} |"
