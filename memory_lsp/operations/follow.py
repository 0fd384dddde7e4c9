"""Follow: what a memory cites has moved, and the citation is pointed at where it is now. No claim is made, so no evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.model import Citation, Event, Judgement, Memory, Plan, Refusal, Verdict
from memory_lsp.core.sources import Sources
from memory_lsp.dialects.change import Repointed
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.look import look
from memory_lsp.operations.records import change_record


def follow(
    memory: Memory,
    text: str,
    judgements: Sequence[Judgement],
    sources: Sources,
    *,
    by: str,
    at: str,
    index: int | None = None,
    to: str = "",
) -> Plan | Refusal:
    """The plan that repoints the moved citations of a memory, or the one at ``index`` to ``to`` (``path#symbol``).

    Where the code at the new address is what was verified, its fingerprint is taken anew. A person may point a citation
    at something else: then the old fingerprint stays and the memory is to be verified against it.
    """
    refusal = refuse_unknown(by)
    if refusal:
        return refusal
    wanted = _targets(memory, judgements, index, to)
    if isinstance(wanted, Refusal):
        return wanted
    changes: list[Repointed] = []
    for position, target in wanted:
        old, judgement = memory.citations[position], judgements[position]
        address = parse_citation(target)
        new = look(replace(old, path=address.path, symbol=address.symbol, lines=address.lines), sources)
        if isinstance(new, Refusal):
            return Refusal(f"{memory.id}: {new.message}", new.candidates)
        if target not in (judgement.to, *judgement.candidates):
            new = _unverified(old, new)
        changes.append(Repointed(position, new, by, at))
    edit = change_record(memory, text, changes)
    if isinstance(edit, Refusal):
        return edit
    told = ", ".join(f"{memory.citations[change.index].text} -> {change.citation.text}" for change in changes)
    return Plan(f"Follow {memory.id}: {told}", (edit,), (Event("follow", memory.id, told),))


def _targets(
    memory: Memory, judgements: Sequence[Judgement], index: int | None, to: str
) -> list[tuple[int, str]] | Refusal:
    moved = [position for position, judgement in enumerate(judgements) if judgement.verdict is Verdict.MOVED]
    if index is None:
        if to and len(memory.citations) == 1:
            return [(0, to)]
        if to and len(moved) == 1:
            return [(moved[0], to)]
        if to:
            listed = ", ".join(f"{number} {citation.text}" for number, citation in enumerate(memory.citations, 1))
            return Refusal(
                f"{memory.id} has several citations: say which of them points at {to} with --cite N ({listed})"
            )
        if not moved:
            return Refusal(
                f"{memory.id} cites nothing that has moved by itself; say where the code is now with --to PATH#SYMBOL, "
                "or use `verify`, `supersede` or `retire`"
            )
        return [(position, judgements[position].to) for position in moved]
    if not 0 <= index < len(memory.citations):
        return Refusal(f"{memory.id}: there is no citation {index + 1}; it has {len(memory.citations)}")
    target = to or judgements[index].to
    if not target:
        return Refusal(
            f"{memory.id}: {memory.citations[index].text} has not moved to any one place; say where it points"
        )
    return [(index, target)]


def _unverified(old: Citation, new: Citation) -> Citation:
    """The new address with what was seen of the old one."""
    return replace(new, fingerprint=old.fingerprint, blob=old.blob, sha256=old.sha256, size=old.size)
