"""The dialect ``kage``: packets below ``.agent_memory/packets``, as Markdown or in the older ``.json`` form.

A packet's state, one line of JSON in the last fence of the document, is authoritative; the Markdown above it is the form
that a person reads and fills in (``kage_form``, ``kage_parse``). What this program knows beyond it, symbols and their
fingerprints, stands in the state's field ``memory_lsp`` (``kage_citations``). See docs/formats.md.
"""

from __future__ import annotations

from posixpath import basename

from memory_lsp.core.model import Memory, Parsed, Refusal, TextEdit, apply_edits
from memory_lsp.dialects.change import Change, Rejected, Repointed, Retired, Superseded
from memory_lsp.dialects.frontmatter_write import joined
from memory_lsp.dialects.kage_create import create
from memory_lsp.dialects.kage_finish import finishing_edits
from memory_lsp.dialects.kage_parse import NAME, Reading, read
from memory_lsp.dialects.kage_write import changed_values, edits_of, nothing_to_do

__all__ = ["NAME", "create", "edit", "finish", "parse", "recognise"]

RESERVED = frozenset({"index.md", "log.md"})


def recognise(path: str, text: str) -> bool:
    """Whether a file of a Kage store is a packet: Markdown or JSON, and not one of the reserved names."""
    return path.endswith((".md", ".json")) and basename(path) not in RESERVED


def parse(path: str, text: str) -> Parsed:
    """The memory of one packet, with everything that is wrong with it. Never raises."""
    reading = read(path, text)
    return Parsed((reading.memory,), reading.problems)


def edit(text: str, memory: Memory, change: Change) -> tuple[TextEdit, ...] | Refusal:
    """Minimal edits of the packet's current ``text`` that make ``change``; empty when there is nothing to change.

    Refused: a packet that is broken or has another id, and one whose form says what its state does not hold yet (it may
    still be ended).
    """
    reading = read(memory.path, text)
    refusal = _refuse(reading, memory)
    if refusal:
        return refusal
    if reading.differences and not isinstance(change, Rejected | Retired | Superseded):
        ahead = reading.differences[0]
        return Refusal(f"{memory.id}: {ahead.what} ({memory.path}); {ahead.remedy}")
    if nothing_to_do(reading.memory, change):
        return ()
    result = changed_values(reading, memory, change)
    if isinstance(result, Refusal):
        return result
    old, new = (memory.citations[change.index], change.citation) if isinstance(change, Repointed) else (None, None)
    values, lines = result
    assert reading.packet is not None
    before = dict(reading.packet.values)
    if isinstance(change, Repointed) and values | {"updated_at": before["updated_at"]} == before:
        return ()
    try:
        return _checked(reading, edits_of(reading, values, lines, old, new))
    except ValueError as error:
        return Refusal(f"{memory.id}: {memory.path} cannot be written: {error}; change it by hand")


def finish(text: str, memory: Memory, *, by: str, at: str) -> tuple[TextEdit, ...] | Refusal:
    """The edits that take over into the state what a person wrote in the form; empty when the two agree.

    ``by`` is who finishes it, ``at`` an ISO 8601 time. Refused while a placeholder is left.
    """
    reading = read(memory.path, text)
    refusal = _refuse(reading, memory)
    if refusal:
        return refusal
    try:
        edits = finishing_edits(reading, memory, by, at)
        return edits if isinstance(edits, Refusal) else _checked(reading, edits)
    except ValueError as error:
        return Refusal(f"{memory.id}: {memory.path} cannot be written: {error}; change it by hand")


def _refuse(reading: Reading, memory: Memory) -> Refusal | None:
    if reading.flaws or reading.packet is None:
        return Refusal(f"not written: {reading.problems[0].message}")
    if reading.memory.id != memory.id:
        return Refusal(f"{memory.id}: {memory.path} does not hold this id; add it or read the store again")
    return None


def _checked(reading: Reading, wanted: list[TextEdit]) -> tuple[TextEdit, ...] | Refusal:
    """The edits in order, if the packet reads well with them."""
    edits = joined(wanted)
    after = read(reading.path, apply_edits(reading.text, edits)) if edits else reading
    if after.flaws or len(after.problems) > len(reading.problems) or after.memory.id != reading.memory.id:
        return Refusal(
            f"{reading.memory.id}: {reading.path} is written in a way that cannot be edited safely; change it by hand"
        )
    return edits
