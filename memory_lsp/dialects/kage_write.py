"""Changes of a Kage packet, as new values of its state, and the text edits that write them.

Only what changes is written: members of the state that stay keep their text, the frontmatter follows where it repeated what
was there, and the list of citations where it shows an address.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from datetime import timezone

from memory_lsp.core.model import Citation, Memory, Refusal, TextEdit
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.trust import moment
from memory_lsp.dialects.change import (
    Approved,
    Change,
    Rejected,
    Retired,
    Superseded,
    Supersedes,
    Verified,
)
from memory_lsp.dialects.json_text import compact, set_members
from memory_lsp.dialects.kage_agreement import FRONT, same
from memory_lsp.dialects.kage_citations import bounded, recorded_paths, seen_of, waiting_item
from memory_lsp.dialects.kage_form import FormLine
from memory_lsp.dialects.kage_packet import OURS, listed, mapped
from memory_lsp.dialects.kage_parse import Reading
from memory_lsp.dialects.kage_repoint import Values, address_of, ours_of, record_path, repoint


def iso(at: str) -> str:
    """A time as a packet holds it: UTC with milliseconds and ``Z``; what is no time stays as it is."""
    found = moment(at)
    if found is None:
        return at
    return found.astimezone(timezone.utc).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


def changed_values(reading: Reading, original: Memory, change: Change) -> tuple[Values, dict[str, str]] | Refusal:
    """The packet's values after a change, and the lines of the form that come (a text) or go (empty).

    ``original`` is the memory as the caller knows it: a citation that is repointed is told by its place there.
    """
    assert reading.packet is not None
    values: Values = copy.deepcopy(dict(reading.packet.values))
    lines: dict[str, str] = {}
    if isinstance(change, Verified):
        lines = _verify(values, reading, change)
    elif isinstance(change, Approved):
        values["status"] = "approved"
        _review(values, change.by, change.at, "approved")
    elif isinstance(change, Rejected | Retired):
        lines = _end(values, reading, change)
        values["status"] = "deprecated"
    elif isinstance(change, Superseded):
        reason = change.reason or f"replaced by {change.by_memory}"
        values["status"] = "superseded"
        _link(values, "superseded_by", change.by_memory, reason, change.at)
        values["freshness"] |= {
            "superseded_at": iso(change.at),
            "superseded_by": change.by_memory,
            "superseded_reason": reason,
        }
        lines = _drop_pending(values)
    elif isinstance(change, Supersedes):
        _link(values, "supersedes", change.old_id, change.reason or f"replaces {change.old_id}", change.at)
    else:
        refusal = repoint(values, reading, original, change)
        if refusal:
            return refusal
    values["updated_at"] = iso(change.verification.at if isinstance(change, Verified) else change.at)
    return values, lines


def nothing_to_do(memory: Memory, change: Change) -> bool:
    """Whether a packet is already as the change wants it."""
    if isinstance(change, Approved):
        return memory.stored == "approved"
    if isinstance(change, Rejected | Retired):
        return memory.stored == "deprecated"
    if isinstance(change, Superseded):
        return memory.stored == "superseded" and change.by_memory in memory.superseded_by
    if isinstance(change, Supersedes):
        return change.old_id in memory.supersedes
    return False


def _review(values: Values, by: str, at: str, decision: str, reason: str = "") -> None:
    ours = ours_of(values)
    review = {"by": by, "at": iso(at), "decision": decision} | ({"reason": reason} if reason else {})
    if decision == "retired" and values["status"] == "pending" and find_placeholders(reason):
        review["was"] = "pending"
    ours["reviews"] = [*listed(ours.get("reviews")), review]


def _link(values: Values, relation: str, to: str, evidence: str, at: str) -> None:
    known = any(mapped(edge).get("relation") == relation and mapped(edge).get("to") == to for edge in values["edges"])
    if not known:
        edge = {"relation": relation, "to": to, "evidence": evidence, "created_at": iso(at)}
        values["edges"] = [*values["edges"], edge]


def _end(values: Values, reading: Reading, change: Rejected | Retired) -> dict[str, str]:
    lines = _drop_pending(values)
    _review(values, change.by, change.at, "rejected" if isinstance(change, Rejected) else "retired", change.reason)
    if reading.form is not None and find_placeholders(change.reason):
        lines["reason"] = change.reason
    return lines


def _drop_pending(values: Values) -> dict[str, str]:
    """A verification that waits for its evidence is given up."""
    if mapped(values.get(OURS)).pop("pending", None) is None:
        return {}
    return {"evidence": ""}


def _verify(values: Values, reading: Reading, change: Verified) -> dict[str, str]:
    verification = change.verification
    if find_placeholders(verification.evidence):
        return _wait(values, reading, change)
    lines = _drop_pending(values)
    assert reading.packet is not None
    prior = {path: seen.sha256 for path, seen in recorded_paths(reading.packet).items()}
    moved = []
    for citation in _one_per_path(change.citations):
        before = prior.get(citation.path)
        if before is not None and before != citation.sha256:
            moved.append({"path": citation.path, "prior_sha256": before, "sha256": citation.sha256})
            record_path(values, citation)
    ours = mapped(values.get(OURS))
    new = {citation.text: citation for citation in change.citations}
    for item in map(mapped, listed(ours.get("citations"))):
        seen = new.get(address_of(item))
        if seen is not None and item.get("symbol"):
            item.update(seen_of(seen, seen.sha256))
            if seen.excerpt != item.get("excerpt", ""):
                item["excerpt"] = seen.excerpt
            if seen.excerpt != item.get("excerpt", ""):
                item["excerpt"] = seen.excerpt
    values["freshness"]["last_verified_at"] = iso(verification.at)
    values["source_refs"] = [
        *values["source_refs"],
        {
            "kind": "reverification",
            "at": iso(verification.at),
            "verified_by": verification.by,
            "evidence": verification.evidence,
            "changed_paths": moved,
        },
    ]
    return lines


def _wait(values: Values, reading: Reading, change: Verified) -> dict[str, str]:
    """What was seen waits beside the state until the evidence is written: in the form, or in a ``.json`` file here."""
    verification = change.verification
    pending: Values = {
        "by": verification.by,
        "at": iso(verification.at),
        "citations": [waiting_item(citation) for citation in change.citations],
    }
    if reading.form is None:
        pending["evidence"] = verification.evidence
    ours_of(values)["pending"] = pending
    return {} if reading.form is None else {"evidence": verification.evidence}


def _one_per_path(citations: Iterable[Citation]) -> Iterable[Citation]:
    found: dict[str, Citation] = {}
    for citation in citations:
        if citation.sha256:
            found.setdefault(citation.path, citation)
    return found.values()


def edits_of(
    reading: Reading, values: Values, lines: Mapping[str, str], old: Citation | None, new: Citation | None
) -> list[TextEdit]:
    """The edits that write new values; ``old`` and ``new`` are a citation whose address changes."""
    packet, form = reading.packet, reading.form
    assert packet is not None
    before = packet.values
    edits = set_members(
        reading.text,
        packet.start,
        {key: value for key, value in values.items() if before.get(key) != value or key not in before},
    )
    if form is None:
        return edits
    for key, field in FRONT.items():
        written = form.front.get(key)
        if written is None or before.get(field) == values.get(field) or same(written.value, values.get(field)):
            continue
        if key == "x-kage-status" or same(written.value, before.get(field)):
            edits.append(
                TextEdit(written.span.start, written.span.end, _spaced(reading.text, written.span.start, values[field]))
            )
    edits += _verified_key(reading, values)
    if old is not None and new is not None and old.text != new.text:
        edits += _shown_address(reading, old, new)
    for name, text in lines.items():
        edits += _line_edits(reading, name, text)
    return edits


def _spaced(text: str, start: int, value: object) -> str:
    return compact(value) if text[start - 1] in " \t" else f" {compact(value)}"


def _verified_key(reading: Reading, values: Values) -> list[TextEdit]:
    """``x-kage-verified`` says when or whether the packet was verified."""
    assert reading.form is not None and reading.packet is not None
    written = reading.form.front.get("x-kage-verified")
    before = reading.packet.object("freshness").get("last_verified_at")
    now = values["freshness"].get("last_verified_at")
    if written is None or before == now:
        return []
    value: object = True if isinstance(written.value, bool) else now
    if written.value == value or (written.value not in (None, before) and not isinstance(written.value, bool)):
        return []
    return [TextEdit(written.span.start, written.span.end, _spaced(reading.text, written.span.start, value))]


def _shown_address(reading: Reading, old: Citation, new: Citation) -> list[TextEdit]:
    assert reading.form is not None
    section = reading.form.citations
    edits = [
        TextEdit(match.start(), match.end(), new.text)
        for match in bounded(old.text).finditer(reading.text, section.start, section.end)
    ]
    resource = reading.form.front.get("resource")
    if old.path != new.path and resource is not None and resource.value == old.path:
        edits.append(TextEdit(resource.span.start, resource.span.end, compact(new.path)))
    return edits


def _line_edits(reading: Reading, name: str, text: str) -> list[TextEdit]:
    """Write a line above the fence, or take it away with the empty line below it."""
    form = reading.form
    assert form is not None and form.fence is not None
    line: FormLine | None = form.lines.get(name)
    if line is None:
        at = form.fence.start
        return [TextEdit(at, at, f"{name}: {text}{form.newline * 2}")] if text else []
    if text:
        return [TextEdit(line.span.start, line.span.end, text)]
    end = line.line.end
    if reading.text.startswith(form.newline, end):
        end += len(form.newline)
    return [TextEdit(line.line.start, end, "")]
