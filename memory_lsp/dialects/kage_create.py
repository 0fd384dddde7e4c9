"""New Kage packets: a form that a person can fill in, and the state below it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import Any

from memory_lsp.core.model import Citation
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.dialects.change import Draft
from memory_lsp.dialects.json_text import compact
from memory_lsp.dialects.kage_citations import items_of, waiting_item
from memory_lsp.dialects.kage_finish import normal, summary_of
from memory_lsp.dialects.kage_form import CITATIONS, FENCE, HEADING
from memory_lsp.dialects.kage_form import OURS as LAYOUT
from memory_lsp.dialects.kage_packet import OURS, SCHEMA
from memory_lsp.dialects.kage_write import iso
from memory_lsp.dialects.names import slug

_SURROGATE = re.compile("[\ud800-\udfff]")
_VISIBILITY = {"session": "private", "personal": "private", "public": "public"}


def create(draft: Draft, folder: str, existing: Callable[[str], bool]) -> tuple[str, str]:
    """A new packet: its root-relative path in the store's ``folder``, and its text."""
    title, body = (
        _SURROGATE.sub("\ufffd", " ".join(draft.title.split())),
        _SURROGATE.sub("\ufffd", normal(draft.statement)),
    )
    values = _values(draft, title, body)
    front = {
        "type": draft.type,
        "title": title,
        "description": values["summary"],
        "resource": values["paths"][0] if values["paths"] else "",
        "tags": values["tags"],
        "timestamp": values["updated_at"],
        "x-kage-id": draft.id,
        "x-kage-type": draft.type,
        "x-kage-status": values["status"],
        "x-kage-scope": draft.scope,
        "x-kage-visibility": values["visibility"],
        "x-kage-verified": values["freshness"]["last_verified_at"],
        "x-kage-paths": values["paths"],
    }
    waiting = bool(find_placeholders(draft.evidence))
    lines = [
        "---",
        *(f"{key}: {compact(value)}" for key, value in front.items()),
        "---",
        "",
        body,
        "",
        CITATIONS,
        "",
        *(f"- {citation.text}" for citation in draft.citations),
        "",
        HEADING,
        "",
        LAYOUT,
        "",
        *((f"evidence: {draft.evidence}", "") if waiting else ()),
        FENCE,
        compact(values),
        "```",
        "",
    ]
    return _name(draft, title, folder, existing), "\n".join(lines)


def _name(draft: Draft, title: str, folder: str, existing: Callable[[str], bool]) -> str:
    if find_placeholders(title):
        title = next((citation.symbol or citation.path for citation in draft.citations), draft.type)
    kind = draft.type if re.fullmatch(r"[\w-]+", draft.type, re.ASCII) else slug(draft.type, 40)
    digest = hashlib.sha256(draft.id.encode("utf-8", "surrogatepass")).hexdigest()
    name = f"{folder}/{kind or 'memory'}-{slug(title, 80) or 'memory'}-{digest[:8]}.md"
    return f"{folder}/{kind or 'memory'}-{slug(title, 80) or 'memory'}-{digest}.md" if existing(name) else name


def _values(draft: Draft, title: str, body: str) -> dict[str, Any]:
    at = iso(draft.at)
    cited = {citation.path: citation for citation in draft.citations}
    recorded = {path: citation.sha256 for path, citation in cited.items()}
    freshness: dict[str, Any] = {
        "last_verified_at": at,
        "path_fingerprints": [_fingerprint(citation) for citation in cited.values() if citation.sha256],
    }
    sources: list[dict[str, Any]] = [{"kind": "explicit_capture", "captured_at": at}]
    items = items_of(draft.citations, recorded)
    ours: dict[str, Any] = {"citations": items}
    if find_placeholders(draft.evidence):
        seen = [waiting_item(citation) for citation in draft.citations]
        ours["pending"] = {"by": draft.author, "at": at, "citations": seen}
    elif draft.evidence:
        sources.append(
            {
                "kind": "reverification",
                "at": at,
                "verified_by": draft.author,
                "evidence": draft.evidence,
                "changed_paths": [],
            }
        )
    values: dict[str, Any] = {
        "schema_version": SCHEMA,
        "id": draft.id,
        "title": title,
        "summary": summary_of(body),
        "body": body,
        "type": draft.type,
        "scope": draft.scope,
        "visibility": _VISIBILITY.get(draft.scope, "team"),
        "sensitivity": "internal",
        "status": draft.status.value,
        "confidence": 0.8,
        "tags": list(draft.tags),
        "paths": list(cited),
        "stack": [],
        "source_refs": sources,
        "freshness": freshness,
        "edges": [
            {"relation": "supersedes", "to": old, "evidence": f"replaces {old}", "created_at": at}
            for old in draft.supersedes
        ],
        "quality": {},
        "created_at": at,
        "updated_at": at,
        "author_name": draft.author,
    }
    if draft.context:
        values["context"] = dict(draft.context)
    if items or "pending" in ours:
        values[OURS] = ours
    return values


def _fingerprint(citation: Citation) -> dict[str, Any]:
    size = {"size": citation.size} if citation.size is not None else {}
    return {"path": citation.path, "sha256": citation.sha256, **size}
