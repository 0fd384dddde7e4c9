"""*Finish this memory*: what a person wrote in the form is taken over into the state of the packet."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from memory_lsp.core.model import Memory, Refusal, TextEdit, Verification
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.dialects.change import Verified
from memory_lsp.dialects.kage_agreement import (
    FINISH,
    FRONT,
    TAKEN_OVER,
    body_agrees,
    collapsed,
    filled,
    pending_of,
    same,
    waits_for_reason,
)
from memory_lsp.dialects.kage_citations import read_waiting
from memory_lsp.dialects.kage_form import Form
from memory_lsp.dialects.kage_packet import OURS, Packet, listed, mapped
from memory_lsp.dialects.kage_parse import Reading
from memory_lsp.dialects.kage_repoint import Values
from memory_lsp.dialects.kage_write import changed_values, edits_of, iso
from memory_lsp.dialects.prose import first_paragraph


def finishing_edits(reading: Reading, memory: Memory, by: str, at: str) -> list[TextEdit] | Refusal:
    """The edits that put the state in step with the form; none when they agree."""
    packet, form = reading.packet, reading.form
    assert packet is not None
    for name, _span in reading.memory.placeholders:
        return Refusal(f"{memory.id}: its {name} is still to be filled in ({memory.path}); write it first")
    refusal = _refuse(reading, form) if form is not None else None
    if refusal:
        return refusal
    values: Values = copy.deepcopy(dict(packet.values))
    lines: dict[str, str] = {}
    waiting = pending_of(packet)
    if waiting:
        result = _verified(reading, waiting, by)
        if isinstance(result, Refusal):
            return result
        values, lines = result
    if form is not None:
        _take_over(values, reading.text, form, packet)
        _take_reason(values, form, lines)
    if values == packet.values and not lines:
        return []
    values["updated_at"] = iso(at)
    return edits_of(reading, values, lines, None, None)


def _refuse(reading: Reading, form: Form) -> Refusal | None:
    """A refusal for what cannot be taken over."""
    for flaw in reading.differences:
        if flaw.remedy != FINISH:
            return Refusal(f"{reading.memory.id}: {flaw.what} ({reading.path}); {flaw.remedy}")
    title = form.front.get("title")
    if title is not None and title.value is not None and not collapsed(title.value):
        return Refusal(f"{reading.memory.id}: the title in {reading.path} is empty; write one in double quotes")
    if form.ours and not reading.text[form.body.start : form.body.end].strip():
        return Refusal(
            f"{reading.memory.id}: the text of {reading.path} is empty; write the claim below the frontmatter"
        )
    return None


def _take_over(values: Values, text: str, form: Form, packet: Packet) -> None:
    for key in TAKEN_OVER:
        written, field = form.front.get(key), FRONT[key]
        if written is not None and written.value is not None and not same(written.value, values.get(field)):
            values[field] = _as_field(written.value, values.get(field))
    if not body_agrees(text, form, packet):
        before = summary_of(packet.text("body"))
        body = normal(text[form.body.start : form.body.end])
        values["body"] = body
        if " ".join(packet.text("summary").split()) in ("", before):
            values["summary"] = summary_of(body)


def _as_field(written: object, stored: object) -> object:
    """A value of the frontmatter as its field holds it."""
    if isinstance(stored, list):
        return [str(item) for item in written] if isinstance(written, list) else [str(written)]
    return " ".join(str(written).split())


def _take_reason(values: Values, form: Form, lines: dict[str, str]) -> None:
    line = filled(form, "reason")
    if line is not None and waits_for_reason(values):
        values[OURS]["reviews"][-1]["reason"] = line.text
        lines["reason"] = ""


def _verified(reading: Reading, waiting: Mapping[str, Any], by: str) -> tuple[Values, dict[str, str]] | Refusal:
    """The packet once the verification that waits has its evidence; without the line for it, it is given up."""
    assert reading.packet is not None
    form = reading.form
    line = form.lines.get("evidence") if form is not None else None
    evidence = str(waiting.get("evidence", "")) if form is None else line.text if line is not None else ""
    if not evidence.strip():
        values: Values = copy.deepcopy(dict(reading.packet.values))
        values[OURS].pop("pending")
        return values, {"evidence": ""} if line is not None else {}
    at = str(waiting.get("at", ""))
    seen = tuple(read_waiting(mapped(item)) for item in listed(waiting.get("citations")))
    return changed_values(reading, reading.memory, Verified(Verification(by, at, evidence.strip()), seen))


def normal(text: str) -> str:
    """The body of a form as the state holds it."""
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def summary_of(body: str) -> str:
    """The summary that this program gives a packet: the first paragraph of its body, on one line."""
    start, end = first_paragraph(body)
    summary = " ".join(body[start:end].split())
    return "" if find_placeholders(summary) else summary
