"""Reads a Kage packet: the memory that its state holds, and where the form that a person fills in says something else.

The state alone is authoritative. What differs in the Markdown part is reported and counts once it was taken over
(``kage_finish``); a packet whose state cannot be trusted is read as far as it can be told, and is pending.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from memory_lsp.core.model import Memory, Problem, Span, Status, Verification
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.predicates import predicate_in
from memory_lsp.dialects.frontmatter import conflict_marker
from memory_lsp.dialects.kage_agreement import FRONT, compact_or_text, differences_of
from memory_lsp.dialects.kage_citations import citations_of
from memory_lsp.dialects.kage_form import FENCE, HEADING, Form, Written, read_form
from memory_lsp.dialects.kage_packet import OURS, Flaw, Packet, listed, mapped, read_packet
from memory_lsp.dialects.problems import invalid
from memory_lsp.dialects.prose import blank_fences, first_paragraph

NAME = "kage"
_HELD = frozenset({"title", "statement"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One document as it was read. ``form`` is ``None`` for a legacy ``.json`` file, ``packet`` where no state can be trusted.

    ``flaws`` make it broken: withheld, and not edited. ``differences`` say where the form is ahead of the state,
    ``remarks`` what is wrong besides.
    """

    path: str
    text: str
    form: Form | None
    packet: Packet | None
    memory: Memory
    flaws: tuple[Flaw, ...]
    differences: tuple[Flaw, ...]
    remarks: tuple[Flaw, ...]

    @property
    def problems(self) -> tuple[Problem, ...]:
        """All that is wrong, as a reader is told."""
        found = []
        for flaw in (*self.flaws, *self.differences, *self.remarks):
            # While something is left to fill in, that is what a person is told.
            if not flaw.draft or not self.memory.placeholders:
                whose = self.memory.id
                said = invalid(self.path, self.text, flaw.what, flaw.remedy, flaw.span, field=flaw.field, memory=whose)
                found.append(replace(said, code="memory-draft") if flaw.draft else said)
        return tuple(found)


@lru_cache(maxsize=8)
def read(path: str, text: str) -> Reading:
    """The document at ``path`` as a Kage packet. Never raises."""
    form = None if path.lower().endswith(".json") else read_form(text)
    flaws = list(_conflicts(text))
    packet: Packet | None = None
    found = read_packet(text, Span(0, len(text))) if form is None else _state(text, form, flaws)
    if isinstance(found, Flaw):
        flaws.append(found)
    else:
        packet = found
        flaws += packet.flaws
    if packet is None:
        return Reading(path, text, form, None, _left(path, text, form), tuple(flaws), (), ())
    placeholders = tuple(_placeholders(text, form, packet))
    unfinished = any(
        name in _HELD
        for name, _ in (
            *placeholders,
            *find_placeholders(packet.text("title")),
            *find_placeholders(blank_fences(packet.text("body"))),
        )
    )
    memory = _memory(path, text, form, packet, pending=bool(flaws) or unfinished)
    citations, remarks = citations_of(text, form, packet, memory.prose)
    memory = replace(memory, citations=citations, placeholders=placeholders)
    differences = tuple(differences_of(text, form, packet)) if form else ()
    return Reading(path, text, form, packet, memory, tuple(flaws), differences, remarks)


def _conflicts(text: str) -> Iterator[Flaw]:
    marker = conflict_marker(text)
    if marker:
        yield Flaw("a merge left conflict markers in this packet", "keep one side and remove the markers", marker)


def _state(text: str, form: Form, flaws: list[Flaw]) -> Packet | Flaw:
    """The packet in the fence, if it is the one that the frontmatter speaks of."""
    opening = Span(0, form.body.start)
    if not form.fronted:
        flaws.append(
            Flaw("the frontmatter is missing or not closed", "restore its lines between `---` and `---`", opening)
        )
    flaws += [
        Flaw(f"the key `{key}` is given twice", "keep one of the two lines", form.front[key].span, key)
        for key in dict.fromkeys(form.repeated)
    ]
    if form.fence is None or form.state is None:
        what = f"this packet has no line `{FENCE}`"
        return Flaw(f"{what}: its state is missing", "restore the end of the file from git", _end(text))
    if not form.headed:
        what = f"no heading `{HEADING}` stands above this packet's state"
        return Flaw(what, "restore the heading from git", form.fence)
    if not form.closed:
        flaws.append(Flaw("the fence of the packet's state is not closed", "add a line of three backticks", form.fence))
    packet = read_packet(text, form.state)
    if isinstance(packet, Flaw):
        return packet
    named = form.front.get("x-kage-id")
    if named is None or not isinstance(named.value, str):
        flaws.append(
            Flaw(
                "the frontmatter has no `x-kage-id`",
                "write the state's id there",
                named.span if named else opening,
                "id",
            )
        )
    elif named.value != packet.text("id"):
        what = f"the state is of `{packet.text('id')[:80]}`, the frontmatter of `{named.value[:80]}`"
        return Flaw(what, "restore the one that is wrong from git", named.span, "id")
    return packet


def _end(text: str) -> Span:
    return Span(len(text), len(text))


def _left(path: str, text: str, form: Form | None) -> Memory:
    """The memory as far as the frontmatter tells of it."""
    from memory_lsp.core.citations import parse_citation

    front: Mapping[str, Written] = form.front if form else {}

    def word(key: str) -> str:
        value = front[key].value if key in front else None
        return value.strip() if isinstance(value, str) else ""

    paths = front["x-kage-paths"].value if "x-kage-paths" in front else None
    start, end = first_paragraph(text[form.body.start : form.body.end]) if form else (0, 0)
    shift = form.body.start if form else 0
    return Memory(
        id=word("x-kage-id") or path,
        dialect=NAME,
        path=path,
        status=Status.PENDING,
        stored=word("x-kage-status"),
        title=word("title"),
        type=word("x-kage-type") or word("type"),
        statement=word("description") or text[shift + start : shift + end].strip(),
        scope=word("x-kage-scope") or "repo",
        citations=tuple(
            replace(parse_citation(item), span=front["x-kage-paths"].span)
            for item in listed(paths)
            if isinstance(item, str) and item.strip()
        ),
        span=Span(0, len(text)),
        spans=_front_spans(form),
    )


def _front_spans(form: Form | None) -> dict[str, Span]:
    if form is None:
        return {}
    return {FRONT[key]: written.span for key, written in form.front.items() if key in FRONT}


def _memory(path: str, text: str, form: Form | None, packet: Packet, *, pending: bool) -> Memory:
    freshness, ours = packet.object("freshness"), packet.object(OURS)
    spans = dict(packet.spans) | {
        field: packet.spans[f"freshness.{field}"]
        for field in ("ttl_days", "last_verified_at", "superseded_by", "path_fingerprints")
        if f"freshness.{field}" in packet.spans
    }
    spans |= _front_spans(form)
    title, summary, body = packet.text("title"), packet.text("summary").strip(), packet.text("body")
    start, end = first_paragraph(body)
    context = {name: facet for name, value in packet.object("context").items() if (facet := _facet(value))}
    prose = blank_fences("\n".join((title, packet.text("summary"), body, *context.values())))
    if form is not None and form.ours:
        spans["body"] = form.body
    spans["statement"] = spans["summary"] if summary and "summary" in spans else spans.get("body", Span(0, 0))
    stored = packet.text("status")
    status = Status(stored) if not pending and stored in {item.value for item in Status} else Status.PENDING
    ended = status in (Status.DEPRECATED, Status.SUPERSEDED)
    reviews = [item for item in listed(ours.get("reviews")) if isinstance(item, dict)] if ended else []
    review = reviews[-1] if reviews else {}
    if reason := _word(review.get("reason")) or (_word(freshness.get("superseded_reason")) if ended else ""):
        context["reason"] = reason
    until = _word(freshness.get("superseded_at")) if ended else ""
    if not until and review.get("decision") == "retired":
        until = _word(review.get("at"))
    days = freshness.get("ttl_days")
    return Memory(
        id=packet.text("id") or path,
        dialect=NAME,
        path=path,
        status=status,
        stored=stored,
        title=" ".join(title.split()),
        type=packet.text("type"),
        statement=summary or body[start:end].strip(),
        scope=packet.text("scope") or "repo",
        author=packet.text("author_name"),
        tags=packet.words("tags"),
        context=context,
        prose=prose,
        verifications=tuple(_verifications(packet)),
        supersedes=tuple(_linked(packet, "supersedes")),
        superseded_by=tuple(
            dict.fromkeys([*_linked(packet, "superseded_by"), *filter(None, [_word(freshness.get("superseded_by"))])])
        ),
        decision=_word(review.get("decision")),
        valid_until=until,
        recorded_at=packet.text("created_at"),
        ttl_days=int(days)
        if isinstance(days, int | float) and not isinstance(days, bool) and abs(days) < 1e9
        else None,
        last_verified_at=_word(freshness.get("last_verified_at")) or packet.text("created_at"),
        predicates=tuple(_predicates(text, packet)),
        span=Span(0, len(text)),
        spans=spans,
    )


def _word(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""


def _facet(value: object) -> str:
    """A facet of the context as text: several facts have a line each."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return "\n".join(filter(None, map(_facet, value)))
    if isinstance(value, dict):
        return "\n".join(f"{name}: {facet}" for name, inner in value.items() if (facet := _facet(inner)))
    return "" if value is None else compact_or_text(value)


def _verifications(packet: Packet) -> Iterator[Verification]:
    for item in listed(packet.values.get("source_refs")):
        if isinstance(item, dict) and item.get("kind") == "reverification":
            moved = [_word(change.get("path")) for change in map(mapped, listed(item.get("changed_paths")))]
            yield Verification(
                _word(item.get("verified_by")),
                _word(item.get("at")),
                _word(item.get("evidence")),
                ", ".join(filter(None, moved)),
            )


def _linked(packet: Packet, relation: str) -> Iterator[str]:
    seen: set[str] = set()
    for edge in map(mapped, listed(packet.values.get("edges"))):
        to = _word(edge.get("to"))
        if edge.get("relation") == relation and to and to not in seen:
            seen.add(to)
            yield to


def _predicates(text: str, packet: Packet) -> Iterator[tuple[str, Span]]:
    """Lines of ``context.stale_when`` that begin as a predicate does; other lines are prose."""
    place = packet.spans.get("context.stale_when")
    if place is None:
        return
    for told in filter(None, map(predicate_in, _facet(packet.object("context").get("stale_when")).splitlines())):
        written = compact_or_text(told)[1:-1]
        at = text.find(written, place.start, place.end)
        yield told, Span(at, at + len(written)) if at >= 0 else place


def _placeholders(text: str, form: Form | None, packet: Packet) -> Iterator[tuple[str, Span]]:
    """What is still to be filled in: in the form, and in the state only what the form does not show."""
    if "<" not in text:
        return
    if form is None:
        yield from find_placeholders(text)
        return
    title = form.front.get("title")
    places = [title.span] if title else [packet.spans[name] for name in ("title",) if name in packet.spans]
    for place in places:
        yield from find_placeholders(text, place.start, place.end)
    shift = form.body.start
    for name, span in find_placeholders(blank_fences(text[shift : form.body.end])):
        yield name, Span(shift + span.start, shift + span.end)
    for line in form.lines.values():
        yield from find_placeholders(text, line.span.start, line.span.end)
    inside = [place for name, place in packet.spans.items() if name == "context"]
    if "reason" not in form.lines:
        inside += [place for name, place in packet.spans.items() if name == f"{OURS}.reviews"]
    for place in inside:
        yield from find_placeholders(text, place.start, place.end)
