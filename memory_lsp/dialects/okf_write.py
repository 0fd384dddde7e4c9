"""Text edits and new records of the ``okf`` dialect (``dialects.okf`` reads them and says what the keys mean)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from memory_lsp.core.citations import target_of
from memory_lsp.core.fingerprint import dump
from memory_lsp.core.model import Citation, Memory, Refusal, Status, TextEdit
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.predicates import predicate_in
from memory_lsp.dialects.change import (
    Approved,
    Change,
    Draft,
    Rejected,
    Repointed,
    Retired,
    Superseded,
    Supersedes,
    Verified,
)
from memory_lsp.dialects.frontmatter import Front, Node
from memory_lsp.dialects.frontmatter_write import (
    Value,
    append_item,
    append_word,
    item_flow,
    item_lines,
    line,
    replace_node,
    scalar,
    set_in_map,
    set_value,
)
from memory_lsp.dialects.names import slug

_STATUS = {Status.PENDING: "draft", Status.APPROVED: "stable", Status.DEPRECATED: "deprecated"}


def create(draft: Draft, folder: str, existing: Callable[[str], bool]) -> tuple[str, str]:
    """A new record: its root-relative path in the store's ``folder``, and its text."""
    named = draft.title
    if find_placeholders(named):
        named = next((citation.symbol or citation.path for citation in draft.citations), draft.type)
    name = f"{slug(named, 60) or 'memory'}-{draft.id[-6:]}"
    path = f"{folder}/{name}.md"
    if existing(path):
        path = f"{folder}/{name}-{draft.id}.md"
    lines = [
        "---\n",
        line("type", draft.type, "\n"),
        line("id", draft.id, "\n"),
        f"title: {scalar(draft.title, chr(34))}\n",
        line("status", _STATUS.get(draft.status, "deprecated"), "\n"),
        line("scope", draft.scope, "\n"),
    ]
    if draft.tags:
        lines.append(f"tags: [{', '.join(scalar(tag, chr(34)) for tag in draft.tags)}]\n")
    lines += ["generated:\n", f"  by: {scalar(draft.author)}\n", f"  at: {scalar(draft.at)}\n"]
    if draft.citations:
        lines += ["cites:\n", *(item_lines(cite_item(citation), "  ", "\n") for citation in draft.citations)]
    if draft.context:
        lines += ["context:\n", *(_facet_lines(facet, text) for facet, text in draft.context.items())]
    if draft.supersedes:
        lines += ["supersedes:\n", *(f"  - {scalar(old)}\n" for old in draft.supersedes)]
    if draft.evidence:
        first: dict[str, Value] = {"by": draft.author, "at": draft.at, "evidence": draft.evidence}
        lines += ["verified:\n", item_lines(first, "  ", "\n")]
    lines += ["---\n", "\n", f"{draft.statement.strip()}\n"]
    return path, "".join(lines)


def _facet_lines(facet: str, text: str) -> str:
    """A facet of the context; those that hold several facts have one a line."""
    if facet not in ("stale_when", "rejected_alternatives"):
        return f"  {facet}: {scalar(text, chr(34))}\n"
    items = [f"  {facet}:\n"]
    for fact in filter(None, map(str.strip, text.splitlines())):
        told = predicate_in(fact) if facet == "stale_when" else ""
        items.append(f"    - {'when: ' if told else ''}{scalar(told or fact, chr(34))}\n")
    return "".join(items)


def cite_item(citation: Citation) -> dict[str, Value]:
    """An item of ``cites``."""
    item: dict[str, Value] = {"path": citation.path}
    if target := target_of(citation):
        item["symbol"] = target
    if citation.kind:
        item["kind"] = citation.kind
    if citation.excerpt:
        item["excerpt"] = citation.excerpt
    return item | dict(_seen(citation))


def _seen(citation: Citation) -> dict[str, str]:
    seen = {"fingerprint": dump(citation.fingerprint)} if citation.fingerprint else {}
    return seen | ({"blob": citation.blob} if citation.blob else {})


def edits_for(text: str, front: Front, current: Memory, change: Change) -> Sequence[TextEdit | None] | Refusal:
    """The edits of a change; a ``None`` among them says that a key holds something that cannot be appended to."""
    if isinstance(change, Verified):
        edits = [append_item(text, front, "verified", _verified_item(current, change))]
        renewed = _renewed(current, change)
        return [*edits, set_value(text, front, "stale_after", renewed)] if renewed else edits
    if isinstance(change, Approved):
        if current.status is Status.APPROVED:
            return []
        return [
            set_value(text, front, "status", "stable"),
            append_item(text, front, "reviews", {"by": change.by, "at": change.at, "decision": "approved"}),
        ]
    if isinstance(change, Rejected | Retired):
        if current.status is Status.DEPRECATED:
            return []
        decision = "rejected" if isinstance(change, Rejected) else "retired"
        return _ended(text, front, current, change.by, change.at, decision, change.reason)
    if isinstance(change, Superseded):
        if change.by_memory in current.superseded_by:
            return []
        linked = append_word(text, front, "superseded_by", change.by_memory)
        return [*_ended(text, front, current, change.by, change.at, "superseded", change.reason), linked]
    if isinstance(change, Supersedes):
        if change.old_id in current.supersedes:
            return []
        return [append_word(text, front, "supersedes", change.old_id)]
    return _repointed(text, front, current, change)


def _ended(
    text: str, front: Front, current: Memory, by: str, at: str, decision: str, reason: str
) -> list[TextEdit | None]:
    review: dict[str, Value] = {"by": by, "at": at, "decision": decision}
    if reason:
        review["reason"] = reason
    edits: list[TextEdit | None] = []
    if current.stored != "deprecated":
        edits.append(set_value(text, front, "status", "deprecated"))
    if not current.valid_until and decision != "rejected":
        edits.append(set_value(text, front, "valid_until", at))
    return [*edits, append_item(text, front, "reviews", review)]


def _renewed(current: Memory, change: Verified) -> str:
    """The date after which a memory is stale again, if that date has passed: it holds for as long as it did before."""
    if find_placeholders(change.verification.evidence):
        return ""
    try:
        now, since, until = (
            date.fromisoformat(text[:10])
            for text in (change.verification.at, current.last_verified_at, current.stale_after)
        )
    except ValueError:
        return ""
    return (now + max(until - since, timedelta(days=1))).isoformat() if until <= now else ""


def _verified_item(current: Memory, change: Verified) -> dict[str, Value]:
    verification = change.verification
    item: dict[str, Value] = {"by": verification.by, "at": verification.at}
    if verification.evidence:
        item["evidence"] = verification.evidence
    moved = [
        {"cite": new.text, **({"excerpt": new.excerpt} if new.excerpt != old.excerpt else {}), **_seen(new)}
        for old, new in zip(current.citations, change.citations, strict=True)
        if _seen(new) and (new.excerpt, _seen(new)) != (old.excerpt, _seen(old))
    ]
    if moved:
        item["changes"] = moved
    return item


def _repointed(text: str, front: Front, current: Memory, change: Repointed) -> list[TextEdit | None] | Refusal:
    if not 0 <= change.index < len(current.citations):
        return Refusal(f"{current.id}: there is no citation {change.index + 1}; it has {len(current.citations)}")
    old, new = current.citations[change.index], change.citation
    if (old.text, old.excerpt, _seen(old)) == (new.text, new.excerpt, _seen(new)):
        return []
    item = _item_at(front.root.get("cites"), old)
    if item is None:
        return Refusal(f"{current.id}: the citation {old.text} is not in this record any more; read it again")
    if item.kind == "scalar":
        return [TextEdit(item.start, item.end, item_flow(cite_item(new)))]
    values = {"path": new.path, "symbol": target_of(new), "excerpt": new.excerpt, **_seen(new)}
    edits: list[TextEdit | None] = []
    for key, value in values.items():
        node = item.get(key)
        if (node.text if node else "") != value:
            edits.append(set_in_map(text, front, item, key, value))
    return [*edits, *_refreshed(text, front, new)]


def _refreshed(text: str, front: Front, new: Citation) -> list[TextEdit]:
    """An earlier verification of the new address would count before the citation's own fingerprint: refresh it too."""
    verified = front.root.get("verified")
    entries = verified.items if verified is not None else ()
    moved = [item for entry in entries if (changes := entry.get("changes")) for item in changes.items]
    edits: list[TextEdit] = []
    for item in moved:
        cite = item.get("cite")
        if cite is not None and cite.text.strip() == new.text:
            for key, value in {"excerpt": new.excerpt, **_seen(new)}.items():
                node = item.get(key)
                if node is not None and node.text != value:
                    edits.append(replace_node(text, front, node, value))
    return edits


def _item_at(cites: Node | None, citation: Citation) -> Node | None:
    if cites is None:
        return None
    items = cites.items if cites.kind == "list" else (cites,)
    return next((item for item in items if item.span == citation.span), None)
