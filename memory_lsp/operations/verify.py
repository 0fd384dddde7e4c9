"""Verify: someone looked at the code and the memory still holds. Not a bulk act, and never without a reason to believe it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.excerpt import excerpt_like
from memory_lsp.core.model import Citation, Event, Judgement, Memory, Plan, Refusal, Status, Verdict, Verification
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.core.sources import Sources
from memory_lsp.dialects.change import Change, Repointed, Verified
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.look import look, standing
from memory_lsp.operations.records import change_record, refuse_draft

NEEDS_NO_EVIDENCE = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.MOVED})


def verify(
    memory: Memory,
    text: str,
    judgements: Sequence[Judgement],
    sources: Sources,
    *,
    by: str,
    at: str,
    evidence: str = "",
    form: bool = False,
    expired: bool = False,
) -> Plan | Refusal:
    """The plan that records a verification in the memory's record, whose text is ``text``.

    ``judgements`` are one per citation. Evidence is needed unless all code is fresh, cosmetic or moved and the memory has
    not ``expired``; with ``form`` a placeholder stands for evidence that is not given. A moved citation is followed.
    """
    refusal = refuse_unknown(by) or refuse_draft(memory) or _refuse_status(memory)
    if refusal:
        return refusal
    seen: list[Citation] = []
    for citation, judgement in zip(memory.citations, judgements, strict=True):
        now = _look(memory, citation, judgement, sources)
        if isinstance(now, Refusal):
            return now
        seen.append(now)
    evidence = evidence.strip()
    needed = expired or any(judgement.verdict not in NEEDS_NO_EVIDENCE for judgement in judgements)
    if form and not evidence:
        evidence = placeholder("evidence")
    elif evidence and not is_filled(evidence):
        return Refusal(f"{memory.id}: the evidence is a placeholder or says nothing: write what you checked")
    elif needed and not evidence:
        what = ", ".join(dict.fromkeys(j.verdict.value for j in judgements if j.verdict not in NEEDS_NO_EVIDENCE))
        return Refusal(f"{memory.id} is {what or 'expired'}: say what you checked with --evidence")
    changes: list[Change] = [
        Repointed(index, new, by, at)
        for index, (old, new) in enumerate(zip(memory.citations, seen, strict=True))
        if old.text != new.text
    ]
    changes.append(Verified(Verification(by, at, evidence), tuple(seen)))
    edit = change_record(memory, text, changes)
    if isinstance(edit, Refusal):
        return edit
    notes = [] if memory.citations else [f"{memory.id} cites nothing: no fingerprint was taken"]
    for old, new in zip(memory.citations, seen, strict=True):
        if old.excerpt and not new.excerpt:
            notes.append(f"the lines that {memory.id} cites of {new.text} are gone: it is about all of it now")
        elif old.excerpt != new.excerpt:
            notes.append(f"{memory.id} cites other lines of {new.text} now: {' '.join(new.excerpt.split())}")
    return Plan(f"Verify {memory.id}", (edit,), (Event("verify", memory.id, evidence),), tuple(notes))


def _look(memory: Memory, citation: Citation, judgement: Judgement, sources: Sources) -> Citation | Refusal:
    """The citation as it is now, at its new address if it moved."""
    if judgement.verdict is Verdict.MOVED and judgement.to:
        address = parse_citation(judgement.to)
        citation = replace(citation, path=address.path, symbol=address.symbol, lines=address.lines)
    now = look(as_it_stands(citation, sources), sources)
    if isinstance(now, Refusal):
        remedy = "point the citation elsewhere with `follow`, or supersede or retire the memory"
        return Refusal(
            f"{memory.id}: {now.message.removesuffix('?')}; {remedy}", judgement.candidates or now.candidates
        )
    if not citation.symbol or now.symbol == citation.symbol or memory.dialect == "kage":
        return now
    # An okf record keeps the address as it was written.
    return replace(now, symbol=citation.symbol)


def as_it_stands(citation: Citation, sources: Sources) -> Citation:
    """A narrow citation whose lines changed is about the lines that took their place; if there are none, about all of the
    symbol, which is what a person sees to be verified."""
    outline = sources.outline(citation.path) if citation.excerpt else None
    groups = outline.match(citation.symbol) if outline is not None else ()
    if outline is None or len(groups) != 1 or standing(citation, outline, groups[0]):
        return citation
    found = excerpt_like(outline, groups[0], citation.excerpt)
    return replace(citation, excerpt=found.text if found is not None else "", fingerprint=None)


def _refuse_status(memory: Memory) -> Refusal | None:
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return Refusal(f"{memory.id} is {memory.status.value}: capture it anew if it holds again")
    return None
