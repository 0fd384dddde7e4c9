"""Tombstones: what was rejected is remembered, so that the same claim about the same code is not captured again.

``.memory-lsp/tombstones.jsonl`` holds one JSON object a line: ``{at, by, memory, title, claim, citations, reason}``. The file
is only ever appended to.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from memory_lsp.core.model import Citation, FileEdit, Memory, TextEdit

PATH = ".memory-lsp/tombstones.jsonl"
CLAIM_CHARACTERS = 240
"""As much of a claim is compared: what comes later does not make it another claim."""

_NOT_WORDS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A claim that was rejected: ``claim`` is normalised, ``citations`` are texts such as ``path#Symbol``."""

    memory: str
    claim: str
    citations: tuple[str, ...]
    reason: str
    at: str


def normalised(claim: str) -> str:
    """A claim by which two are compared: its words without case, punctuation and layout, cut to a length."""
    words = _NOT_WORDS.sub(" ", unicodedata.normalize("NFKC", claim).casefold()).split()
    return " ".join(words)[:CLAIM_CHARACTERS].strip()


def read_tombstones(text: str) -> tuple[Tombstone, ...]:
    """The tombstones of a file's text; lines that are none are passed over."""
    found = []
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("claim"), str):
            cited = value.get("citations")
            texts = tuple(item for item in cited if isinstance(item, str)) if isinstance(cited, list) else ()
            words = (str(value.get(key) or "") for key in ("memory", "reason", "at"))
            memory, reason, at = words
            found.append(Tombstone(memory, value["claim"], texts, reason, at))
    return tuple(found)


def bury(memory: Memory, before: str | None, *, by: str, at: str, reason: str) -> FileEdit:
    """The edit that appends a tombstone to the file, whose text is ``before`` (``None``: there is none yet)."""
    text = before or ""
    lead = "\n" if text and not text.endswith("\n") else ""
    line = f"{lead}{tombstone(memory, by=by, at=at, reason=reason)}\n"
    return FileEdit(PATH, before, (TextEdit(len(text), len(text), line),))


def tombstone(memory: Memory, *, by: str, at: str, reason: str) -> str:
    """A rejected memory as a line of the file, without the line end."""
    record = {
        "at": at,
        "by": by,
        "memory": memory.id,
        "title": memory.title,
        "claim": normalised(memory.statement),
        "citations": [citation.text for citation in memory.citations],
        "reason": reason,
    }
    return json.dumps(record, ensure_ascii=False)


def buried(claim: str, citations: Iterable[Citation], tombstones: Iterable[Tombstone]) -> Tombstone | None:
    """The tombstone of this claim about any of this code, if there is one."""
    wanted, cited = normalised(claim), {citation.text for citation in citations}
    if not wanted:
        return None
    for tombstone in tombstones:
        if tombstone.claim == wanted and (cited & set(tombstone.citations) or not (cited and tombstone.citations)):
            return tombstone
    return None
