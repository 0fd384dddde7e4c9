"""Narrow: a citation becomes as narrow as its claim, to some statements of the symbol or to one member of the type.

What else is in the symbol does not withhold the memory from then on. So nothing may slip through that was never verified:
only statements that stood when the memory was verified can be cited, and where the code changed since then, narrowing is a
verification that needs evidence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.excerpt import Excerpt, enclosing, excerpt_of_lines, find_excerpt, span_of_lines
from memory_lsp.core.fingerprint import fingerprint
from memory_lsp.core.model import Citation, Event, Judgement, Memory, Plan, Refusal, Span, Status, Verdict, Verification
from memory_lsp.core.outline import Group, Outline
from memory_lsp.core.placeholders import is_filled, placeholder
from memory_lsp.core.sources import Sources
from memory_lsp.dialects.change import Change, Repointed, Verified
from memory_lsp.operations.actors import refuse_unknown
from memory_lsp.operations.look import look
from memory_lsp.operations.records import change_record, refuse_draft

AS_VERIFIED = frozenset({Verdict.FRESH, Verdict.COSMETIC, Verdict.MOVED})


def narrow(
    memory: Memory,
    text: str,
    judgements: Sequence[Judgement],
    sources: Sources,
    *,
    by: str,
    at: str,
    index: int,
    lines: tuple[int, int] | None = None,
    member: str = "",
    evidence: str = "",
    form: bool = False,
) -> Plan | Refusal:
    """The plan that narrows the citation at ``index`` to ``lines`` (1-based, inclusive, as the file is now), or to a direct
    ``member`` of what it cites.

    Evidence is needed unless the cited code is as it was verified; with ``form`` a placeholder stands for evidence that is
    not given, and the previous verification judges until it is filled in.
    """
    refusal = refuse_unknown(by) or refuse_draft(memory) or _refuse(memory, judgements, index)
    if refusal:
        return refusal
    old, judgement = memory.citations[index], judgements[index]
    wanted = _to_member(old, judgement, member) if member else _to_lines(old, judgement, lines or (0, 0), sources)
    if isinstance(wanted, Refusal):
        return Refusal(f"{memory.id}: {wanted.message}", wanted.candidates)
    citation, stood = wanted
    new = look(citation, sources)
    if isinstance(new, Refusal):
        return Refusal(f"{memory.id}: {new.message}", new.candidates)
    if (new.text, new.excerpt) == (old.text, old.excerpt):
        return Plan(f"{memory.id} cites no more than that already")
    told = f"{old.text} -> {new.text}" + (", some lines" if new.excerpt else "")
    changes: list[Change] = [Repointed(index, new, by, at)]
    if judgement.verdict not in AS_VERIFIED or not stood:
        proof = _evidence(memory, judgement, evidence.strip(), form)
        if isinstance(proof, Refusal):
            return proof
        seen = (*memory.citations[:index], new, *memory.citations[index + 1 :])
        changes = [Verified(Verification(by, at, proof), seen)]
        if new.text != old.text:
            changes.insert(0, Repointed(index, _as_verified(old, new, sources), by, at))
    edit = change_record(memory, text, changes)
    return (
        edit
        if isinstance(edit, Refusal)
        else Plan(f"Narrow {memory.id}: {told}", (edit,), (Event("narrow", memory.id, told),))
    )


def tie_to_symbol(citation: Citation, sources: Sources) -> Citation | Refusal:
    """A citation of lines as one of the symbol that holds them, narrowed to their statements (all of its lines: the symbol).

    Lines that no symbol encloses are refused: their change could not be told from any other of the file. Lines that hold no
    statement, and those of a file without a grammar, stay lines.
    """
    outline = sources.outline(citation.path) if citation.lines else None
    if outline is None or citation.lines is None:
        return citation
    first, last = citation.lines
    if not 1 <= first <= last <= outline.data.count(b"\n") + (not outline.data.endswith(b"\n")):
        return replace(citation, symbol="")  # a look at the lines says what is wrong with them
    span = span_of_lines(outline.data, *citation.lines)
    named = outline.match(citation.symbol) if citation.symbol else ()
    if citation.symbol and len(named) != 1:
        return replace(citation, lines=None)  # a look at the symbol says what is wrong with it
    group = named[0] if named else enclosing(outline, span) if span is not None else None
    if group is None:
        return _in_no_symbol(citation, outline, span)
    excerpt = excerpt_of_lines(outline, group, *citation.lines)
    if excerpt is None:
        return _nothing(citation, citation.lines) if citation.symbol else citation
    whole = _is_whole(group, excerpt)
    return replace(citation, lines=None, symbol=group.path, excerpt="" if whole else excerpt.text)


def _in_no_symbol(citation: Citation, outline: Outline, span: Span | None) -> Refusal:
    """Why lines cannot be cited, with the outermost symbols that they touch."""
    if span is None:
        return Refusal(f"{citation.text}: these lines are empty: cite a symbol or the whole file", (citation.path,))
    touched: list[str] = []
    for path, group in outline.groups.items():
        inside = any(path.startswith(f"{outer}.") for outer in touched)
        if not inside and any(item.start < span.end and span.start < item.end for item in group.definitions):
            touched.append(path)
    names = tuple(f"{citation.path}#{path}" for path in touched)
    if names:
        return Refusal(f"{citation.text}: these lines are in no one symbol: cite {', '.join(names[:5])} instead", names)
    return Refusal(
        f"{citation.text}: these lines are in no symbol, so no change of them can be followed: cite a symbol or the whole file",
        (citation.path,),
    )


def _refuse(memory: Memory, judgements: Sequence[Judgement], index: int) -> Refusal | None:
    if memory.status in (Status.DEPRECATED, Status.SUPERSEDED):
        return Refusal(f"{memory.id} is {memory.status.value}: capture it anew if it holds again")
    if not 0 <= index < len(memory.citations):
        return Refusal(f"{memory.id}: there is no citation {index + 1}; it has {len(memory.citations)}")
    if judgements[index].verdict in (Verdict.MISSING, Verdict.AMBIGUOUS):
        return Refusal(
            f"{memory.id}: {memory.citations[index].text} is {judgements[index].verdict.value}: point the citation at one place first"
        )
    return None


def _to_member(old: Citation, judgement: Judgement, member: str) -> tuple[Citation, bool]:
    """A member needs evidence exactly if the type does."""
    here = _here(old, judgement)
    scope = judgement.symbol or here.symbol
    return replace(here, symbol=f"{scope}.{member}" if here.symbol else member, excerpt="", kind=""), True


def _to_lines(
    old: Citation, judgement: Judgement, lines: tuple[int, int], sources: Sources
) -> tuple[Citation, bool] | Refusal:
    """The citation of these lines, and whether they are known to be what was verified."""
    here = _here(old, judgement)
    outline = sources.outline(here.path)
    groups = outline.match(here.symbol) if outline is not None and here.symbol else ()
    if outline is None or len(groups) != 1:
        return Refusal(f"{here.text} is not one symbol: only lines of a symbol can be cited; point the citation at one")
    group = groups[0]
    excerpt = excerpt_of_lines(outline, group, *lines)
    if excerpt is None:
        return _nothing(here, lines)
    if _is_whole(group, excerpt):
        return Refusal(f"these lines are all of `{group.path}`: there is nothing to narrow")
    stood = _stood(old, judgement, excerpt, outline, group, sources)
    if stood is False:
        return Refusal(
            f"these lines of `{group.path}` are not what was verified: re-verify the memory first, then narrow it"
        )
    return replace(here, excerpt=excerpt.text, fingerprint=None), stood is True


def _here(citation: Citation, judgement: Judgement) -> Citation:
    """The citation at its new address if it moved; that of lines as one of the symbol that held them."""
    if judgement.verdict is not Verdict.MOVED or not judgement.to:
        return replace(citation, lines=None, symbol=judgement.symbol) if citation.lines else citation
    address = parse_citation(judgement.to)
    return replace(citation, path=address.path, symbol=address.symbol, lines=address.lines)


def _stood(
    old: Citation, judgement: Judgement, excerpt: Excerpt, outline: Outline, group: Group, sources: Sources
) -> bool | None:
    """Whether the statements stood in the symbol when it was verified; ``None``: that is not known."""
    partly = "elsewhere" in judgement.parts or (judgement.verdict is Verdict.MOVED and old.excerpt)
    if judgement.verdict in AS_VERIFIED and not partly:
        return True
    recorded = sources.recorded(old)
    before = sources.recorded_outline(recorded) if recorded is not None else None
    groups = before.match(old.symbol) if before is not None else ()
    if before is not None and len(groups) == 1:
        return find_excerpt(before, groups[0], excerpt.hashes) is not None
    cited = old.fingerprint.excerpt if old.fingerprint is not None else ()
    place = find_excerpt(outline, group, cited) if cited else None
    if place is not None and place.start <= excerpt.span.start and excerpt.span.end <= place.end:
        return True
    return None


def _as_verified(old: Citation, new: Citation, sources: Sources) -> Citation:
    """The new address with what was seen there when the wider citation was verified, as far as that is known."""
    recorded = sources.recorded(old)
    before = sources.recorded_outline(recorded) if recorded is not None else None
    then = fingerprint(before, new.symbol) if before is not None else None
    return replace(
        new, excerpt="", fingerprint=then or old.fingerprint, blob=old.blob, sha256=old.sha256, size=old.size
    )


def _evidence(memory: Memory, judgement: Judgement, evidence: str, form: bool) -> str | Refusal:
    if any(name == "evidence" for name, _ in memory.placeholders):
        return Refusal(f"{memory.id}: a verification waits in {memory.path} for its evidence; fill it in first")
    if is_filled(evidence):
        return evidence
    if evidence:
        return Refusal(f"{memory.id}: the evidence is a placeholder: write what you checked")
    if form:
        return placeholder("evidence")
    word = judgement.verdict.value
    return Refusal(
        f"{memory.id}: what it cites is {word}: say what you checked as evidence that these lines are all it is about"
    )


def _is_whole(group: Group, excerpt: Excerpt) -> bool:
    return any(
        excerpt.span.start <= definition.name_start and definition.node.end_byte <= excerpt.span.end
        for definition in group.definitions
    )


def _nothing(citation: Citation, lines: tuple[int, int]) -> Refusal:
    return Refusal(
        f"lines {lines[0]} to {lines[1]} hold no statement of `{citation.symbol}` in {citation.path}: name lines inside it"
    )
