"""Hover: what is remembered about a cited name in code, and what a citation in a record stands for today."""

from __future__ import annotations

import difflib
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Judgement, Memory, Span, Verdict
from memory_lsp.features.cited import Cited, cited_at, lines_of, memories_of
from memory_lsp.features.markup import Markup
from memory_lsp.features.view import DocumentView, Link
from memory_lsp.workspace.impact import drift

MAX_MEMORIES = 3
MAX_DIFF_LINES = 6
MAX_CODE_LINES = 8

History = Mapping[tuple[str, int], str]
"""What is known of when a citation's code changed, as a phrase, by memory id and citation index."""


@dataclass(frozen=True, slots=True)
class Hover:
    """``span`` is what the answer is about (code points)."""

    text: str
    span: Span


def hover(view: DocumentView, offset: int, link: Link, history: History, *, markdown: bool = True) -> Hover | None:
    """The hover at an offset: on a cited name in code, or on a citation in a record; ``None`` elsewhere."""
    markup = Markup(markdown)
    if view.path in view.snapshot.records:
        found = _in_record(view, offset, link, history, markup)
        if found is not None:
            return found
    conflict = _conflict_at(view, offset, link, markup)
    if conflict is not None:
        return conflict
    place = cited_at(view, offset)
    if place is None:
        return None
    span, cited = place
    memories = memories_of(cited)
    blocks = []
    for memory in memories[:MAX_MEMORIES]:
        first = next(item for item in cited if item.memory.id == memory.id)
        blocks.append(_memory(view, first, link, history, markup, brief=len(memories) > 1))
    if len(memories) > MAX_MEMORIES:
        rest = ", ".join(
            markup.link(memory.id, link(memory.path, _line(view, memory)))
            for memory in memories[MAX_MEMORIES : MAX_MEMORIES + 5]
        )
        more = len(memories) - MAX_MEMORIES - 5
        blocks.append(f"{len(memories) - MAX_MEMORIES} more: {rest}" + (f" and {more} others" if more > 0 else ""))
    return Hover(("\n\n---\n\n" if markdown else "\n\n").join(blocks), span)


def _conflict_at(view: DocumentView, offset: int, link: Link, markup: Markup) -> Hover | None:
    """The drift between a decision of a Kiyo store and the code, on either side."""
    if view.path in view.snapshot.records:
        found = ((item, item.span) for item in view.snapshot.findings.get(view.path, ()))
    else:
        found = (
            (item, Span(view.lines.byte_to_offset(place.span.start), view.lines.byte_to_offset(place.span.end)))
            for item in view.snapshot.code_findings.get(view.path, ())
            if (place := item.in_code) is not None
        )
    for item, span in found:
        if item.code != "memory-conflict" or item.dialect != "kiyo" or not span.start <= offset <= span.end:
            continue
        memory = view.snapshot.memories.get(item.memory)
        if memory is not None:
            return Hover(_drift(view, memory, link, markup), span)
    return None


def _drift(view: DocumentView, memory: Memory, link: Link, markup: Markup) -> str:
    """The seven fields of an architecture drift."""
    where = markup.link("open the record", link(memory.path, _line(view, memory)))
    lines = [f"{markup.strong(memory.title or memory.id, 120)} · {markup.code(memory.id, 80)} · architecture drift"]
    for item in drift(view.snapshot, [memory.id]):
        if item["outcome"] != "Deviation":
            continue
        decided = item["decision"]
        uses = ", ".join(f"{use['path']}:{use['line']}" for use in item["files"][:5])
        for label, value in (
            (
                "Decision",
                f"{decided['statement']} (approved by {decided['approval_source']} for {decided['approval_scope']})",
            ),
            ("Files", uses),
            ("Observed", item["observed"]),
            ("Potential impact", item["potential_impact"]),
            ("Confidence", item["confidence"]),
            ("It may be that", "; ".join(item["interpretations"])),
            ("A person decides", "; ".join(item["required_decision"])),
        ):
            if value:
                lines.append(f"{label}: {markup.text(value, 200)}")
    return _joined([*lines, where], markup)


def _memory(view: DocumentView, cited: Cited, link: Link, history: History, markup: Markup, *, brief: bool) -> str:
    """One memory at its citation: four lines when it is one of several, about twelve when it is alone."""
    memory, judgement = cited.memory, cited.judgement
    lines = [f"{markup.strong(memory.title or memory.id, 120)} {_stands(view, cited, markup)}"]
    if memory.statement and memory.statement.strip() != memory.title.strip():
        lines.append(markup.text(memory.statement, 160 if brief else 320))
    since = history.get((memory.id, cited.index), "")
    if judgement.verdict not in (Verdict.FRESH, Verdict.COSMETIC) and since:
        lines.append(markup.text(since, 160))
    if memory.citations[cited.index].excerpt:
        lines += _lines(view, cited, markup, brief)
    if not brief:
        lines += _difference(view, cited, markup)
        for name, label in (
            ("why", "Why"),
            ("risk_if_forgotten", "Risk if forgotten"),
            ("rejected_alternatives", "Rejected"),
        ):
            if memory.context.get(name, "").strip():
                lines.append(f"{label}: {markup.text(memory.context[name], 160)}")
    lines.append(
        _origin(memory, markup, brief) + markup.link("open the record", link(memory.path, _line(view, memory)))
    )
    return _joined(lines, markup)


def _stands(view: DocumentView, cited: Cited, markup: Markup) -> str:
    """``· `mem-1` · changed (body), touches the claim``."""
    memory, judgement = cited.memory, cited.judgement
    words = describe(judgement)
    state = view.snapshot.states.get(memory.id)
    if state is not None and state.served == "withheld" and state.withheld != judgement.verdict.value:
        words += f" · withheld: {state.reason}"
    return f"· {markup.code(memory.id, 80)} · {markup.text(words)}"


def describe(judgement: Judgement) -> str:
    """A verdict in words: ``changed (body), touches what the claim names``."""
    words = judgement.verdict.value
    if judgement.parts:
        words += f" ({', '.join(judgement.parts)})"
    if judgement.to:
        words += f" to {judgement.to}"
    if judgement.candidates:
        words += f": {', '.join(judgement.candidates[:3])}"
    if judgement.touched is not None and judgement.verdict is Verdict.CHANGED:
        words += ", touches what the claim names" if judgement.touched else ", but not what the claim names"
    if judgement.reason and judgement.verdict not in (Verdict.FRESH, Verdict.COSMETIC, Verdict.CHANGED):
        words += f": {judgement.reason}"
    return words


def _lines(view: DocumentView, cited: Cited, markup: Markup, brief: bool) -> list[str]:
    """Which lines of the symbol a narrow citation is about; their text unless the difference shows it."""
    found = lines_of(view.snapshot, cited)
    if found is None:
        return ["about lines that are gone"]
    first, last, text = found
    told = f"about line {first}" if first == last else f"about lines {first} to {last}"
    if brief or cited.judgement.verdict is Verdict.CHANGED:
        return [told]
    return [told, markup.block(language_of(cited.path) or "", shorten(text.splitlines()))]


def _difference(view: DocumentView, cited: Cited, markup: Markup, limit: int = MAX_DIFF_LINES) -> list[str]:
    """The first lines of the difference, then and now, of the symbol or of the lines that are cited."""
    then, now = cited.judgement.then, cited.judgement.now
    if cited.citation.excerpt:
        found = lines_of(view.snapshot, cited)
        then, now = cited.citation.excerpt, found[2] if found is not None else ""
    if then is None or now is None or cited.judgement.verdict is not Verdict.CHANGED:
        return []
    return [markup.block("diff", shorten(difference(then, now), limit))]


def difference(then: str, now: str) -> list[str]:
    """Removed and added lines of two texts, without context."""
    before, after = level(then).splitlines()[:400], level(now).splitlines()[:400]
    found = list(difflib.unified_diff(before, after, lineterm="", n=0))[2:]
    found = [line for line in found if not line.startswith("@@")]
    texts = textwrap.dedent("\n".join(line[1:] for line in found)).split("\n")
    return [f"{line[0]} {text}" for line, text in zip(found, texts, strict=False)]


def level(text: str) -> str:
    """A symbol's text, which begins where its line is indented, with the indentation of its place taken off all lines."""
    first, newline, rest = text.partition("\n")
    if not newline:
        return text
    rest = textwrap.dedent(rest)
    last = rest.rstrip().rpartition("\n")[2]
    if last[:1] not in ("}", ")", "]") and last.strip() != "end":
        rest = textwrap.indent(rest, "    ")  # nothing closes the block at the level of its first line
    return f"{first}\n{rest}"


def shorten(lines: Sequence[str], limit: int = MAX_DIFF_LINES) -> list[str]:
    """At most ``limit`` lines; the last one says how many are left out."""
    if len(lines) <= limit:
        return list(lines)
    return [*lines[: limit - 1], f"… {len(lines) - limit + 1} more lines"]


def _origin(memory: Memory, markup: Markup, brief: bool) -> str:
    """Who said it, and who last checked it by what evidence; ends ready for the link."""
    last = memory.verifications[-1] if memory.verifications else None
    words = []
    if last is not None:
        checked = f"checked {last.at[:10]} by {last.by}" if last.by else f"checked {last.at[:10]}"
        words.append(checked + (f": {last.evidence}" if last.evidence.strip() and not brief else ""))
    if memory.author and (last is None or memory.author != last.by):
        words.append(f"from {memory.author}")
    return f"{markup.text(', '.join(words), 200)} · " if words else ""


def _line(view: DocumentView, memory: Memory) -> int:
    record = view.snapshot.records.get(memory.path)
    return record.text.count("\n", 0, memory.span.start) if record is not None else 0


def _joined(lines: Sequence[str], markup: Markup) -> str:
    """Lines as paragraphs that Markdown keeps apart (a backslash would show in some clients, two spaces break)."""
    return "\n".join(lines) if not markup.markdown else "  \n".join(lines).replace("```  \n", "```\n")


def _in_record(view: DocumentView, offset: int, link: Link, history: History, markup: Markup) -> Hover | None:
    """The cited code and its verdict, on a citation in a record."""
    record = view.snapshot.records[view.path]
    for memory in record.parsed.memories:
        for index, citation in enumerate(memory.citations):
            if not citation.span.start <= offset <= citation.span.end or citation.span.start == citation.span.end:
                continue
            judgements = view.snapshot.judgements.get(memory.id, ())
            known = view.snapshot.memories.get(memory.id)
            if known is None or known.path != view.path or index >= len(judgements):
                return Hover(f"{markup.code(citation.text)} is not judged", citation.span)
            cited = Cited(memory, index, judgements[index])
            return Hover(_cited_code(view, cited, link, history, markup), citation.span)
    return None


def _cited_code(view: DocumentView, cited: Cited, link: Link, history: History, markup: Markup) -> str:
    judgement = cited.judgement
    target = judgement.to or cited.citation.text
    address = link(cited.path, line_of(view, cited))
    lines = [f"{markup.link(target, address)} · {markup.text(describe(judgement))}"]
    since = history.get((cited.memory.id, cited.index), "")
    if since and judgement.verdict not in (Verdict.FRESH, Verdict.COSMETIC):
        lines.append(markup.text(since, 160))
    if cited.citation.excerpt:
        lines += _lines(view, cited, markup, brief=False)
    changed = _difference(view, cited, markup, MAX_CODE_LINES)
    if changed:
        lines += changed
    elif not cited.citation.excerpt:
        now = judgement.now if judgement.now is not None else _code(view, cited)
        if now:
            lines.append(markup.block(language_of(cited.path) or "", shorten(level(now).splitlines(), MAX_CODE_LINES)))
    return _joined(lines, markup)


def _code(view: DocumentView, cited: Cited) -> str:
    """The cited symbol's text as it is now, or the cited lines; empty for a whole file."""
    if cited.citation.lines:
        begin, end = cited.citation.lines
        data = view.snapshot.sources.read(cited.path).data or b""
        return "\n".join(data.decode("utf-8", "replace").split("\n")[max(0, begin - 1) : end])
    symbol = cited.judgement.symbol or cited.citation.symbol
    outline = view.snapshot.sources.outline(cited.path) if symbol else None
    group = outline.find(symbol) if outline is not None else None
    if outline is None or group is None or not group.definitions:
        return ""
    first = group.definitions[0]
    return outline.data[first.start : first.end].decode("utf-8", "replace")


def line_of(view: DocumentView, cited: Cited) -> int:
    """The line (zero-based) on which the cited code stands now."""
    if cited.citation.lines and cited.judgement.name is None:
        return max(0, cited.citation.lines[0] - 1)
    narrow = lines_of(view.snapshot, cited)
    if narrow is not None:
        return narrow[0] - 1
    data = view.snapshot.sources.read(cited.path).data
    name = cited.judgement.name
    return data.count(b"\n", 0, name.start) if data is not None and name is not None else 0
