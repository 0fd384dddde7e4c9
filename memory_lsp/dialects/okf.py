"""The native dialect ``okf``: Open Knowledge Format v0.2 records with the extension keys of design section 2.1.

The address of a citation stands in ``cites``, with the fingerprint of the capture. A later verification is one entry
appended to ``verified``; its ``changes`` (``{cite, fingerprint, blob}``, and ``excerpt`` where other lines are cited from
then on) hold what was seen anew, and count as soon as the entry's ``evidence`` is no placeholder. So a record is only ever appended to, and what was seen before stays readable.
"""

from __future__ import annotations

from posixpath import basename

from memory_lsp.core.model import Memory, Parsed, Problem, Refusal, Span, TextEdit, apply_edits
from memory_lsp.dialects.change import Change
from memory_lsp.dialects.frontmatter import conflict_marker, read_front
from memory_lsp.dialects.frontmatter_write import joined
from memory_lsp.dialects.okf_read import OkfReader
from memory_lsp.dialects.okf_write import create, edits_for
from memory_lsp.dialects.problems import invalid

__all__ = ["NAME", "create", "edit", "parse", "recognise"]

NAME = "okf"
RESERVED = frozenset({"index.md", "log.md"})


def recognise(path: str, text: str) -> bool:
    """Whether a file of an okf store is a record: Markdown, and not one of the reserved names."""
    return path.endswith(".md") and basename(path) not in RESERVED


def parse(path: str, text: str) -> Parsed:
    """The memory of one record, with everything that is wrong with it. Never raises."""
    front = read_front(text)
    conflict = conflict_marker(text)
    if front is None:
        if conflict:
            return Parsed((), (_conflict(path, text, conflict, ""),))
        remedy = "begin it with `---`, keys such as `type`, `id` and `title`, and `---`"
        return Parsed((), (invalid(path, text, "this record has no frontmatter", remedy, Span(0, _line_end(text))),))
    reader = OkfReader(path, text, front)
    memory = reader.memory(broken=front.broken or conflict is not None)
    if conflict:
        return Parsed((memory,), (_conflict(path, text, conflict, reader.id),))
    if front.broken:
        return Parsed((memory,), tuple(reader.faults()))
    return Parsed((memory,), (*reader.faults(), *reader.problems))


def edit(text: str, memory: Memory, change: Change) -> tuple[TextEdit, ...] | Refusal:
    """Minimal edits of the record's current ``text`` that make ``change``; empty when there is nothing to change.

    Refused: a record that cannot be read as a whole, has no id or another one, or would not read back as meant.
    """
    front, parsed = read_front(text), parse(memory.path, text)
    if front is None or front.broken or conflict_marker(text) or not parsed.memories:
        told = parsed.problems[0].message if parsed.problems else f"{memory.id}: {memory.path} cannot be read"
        return Refusal(f"not written: {told}")
    current = parsed.memories[0]
    if "id" not in current.spans or current.id != memory.id:
        return Refusal(f"{memory.id}: {memory.path} does not hold this id; add it or read the store again")
    wanted = edits_for(text, front, current, change)
    if isinstance(wanted, Refusal):
        return wanted
    edits = joined([item for item in wanted if item is not None])
    after = parse(memory.path, apply_edits(text, edits)) if edits else parsed
    if None in wanted or len(after.problems) > len(parsed.problems) or after.memories[0].id != memory.id:
        return Refusal(
            f"{memory.id}: {memory.path} is written in a way that cannot be edited safely; change it by hand"
        )
    return edits


def _conflict(path: str, text: str, span: Span, memory: str) -> Problem:
    remedy = "keep both sides' `verified` entries, one of the other lines, and remove the markers"
    return invalid(path, text, "a merge left conflict markers in this record", remedy, span, memory=memory)


def _line_end(text: str) -> int:
    ends = [at for at in (text.find("\n"), text.find("\r")) if at >= 0]
    return min(ends, default=len(text))
