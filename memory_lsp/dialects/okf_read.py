"""Reads the fields of one okf record (``dialects.okf`` says what the keys mean)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memory_lsp.core.citations import parse_citation, split_target
from memory_lsp.core.fingerprint import load
from memory_lsp.core.model import Citation, Memory, Problem, Span, Status, Verification
from memory_lsp.core.placeholders import find_placeholders
from memory_lsp.core.predicates import predicate_in
from memory_lsp.dialects.frontmatter import Front, Node
from memory_lsp.dialects.problems import invalid
from memory_lsp.dialects.prose import blank_fences, first_paragraph

_VERSIONED = re.compile(r"\s*v\d+/")
_STATUS = {"draft": Status.PENDING, "stable": Status.APPROVED, "deprecated": Status.DEPRECATED}
_SCOPES = ("session", "personal", "repo", "org", "public")


@dataclass(frozen=True, slots=True)
class _Change:
    """What a counted verification saw anew of one citation."""

    cite: str
    fingerprint: Node | None
    blob: Node | None
    excerpt: Node | None


class OkfReader:
    """Reads the fields of one record, and collects what is wrong with them."""

    def __init__(self, path: str, text: str, front: Front) -> None:
        self.path, self.text, self.front, self.root = path, text, front, front.root
        self.problems: list[Problem] = []
        self.spans: dict[str, Span] = {}
        identity = self.root.get("id")
        self.id = identity.text.strip() if identity and identity.kind == "scalar" else ""

    def faults(self) -> Iterator[Problem]:
        for fault in self.front.faults:
            yield invalid(self.path, self.text, fault.what, fault.remedy, fault.span, memory=self.id)

    def report(self, what: str, remedy: str, span: Span, field: str = "") -> None:
        self.problems.append(invalid(self.path, self.text, what, remedy, span, field=field, memory=self.id))

    def memory(self, broken: bool) -> Memory:
        opening = Span(0, self.front.start)
        if not self.scalar("id") and not broken:
            self.report(
                "this record has no `id`",
                "add a line `id:` with a new random id, such as `mem-` and ten letters",
                opening,
                "id",
            )
        kind = self.scalar("type")
        if not kind and not broken:
            self.report("this record has no `type`", "add a line `type:`, such as `type: decision`", opening, "type")
        placeholders = self.placeholders()
        # A form that is not filled in yet says nothing that could be served.
        unfinished = any(name in ("title", "statement") for name, _ in placeholders)
        status, stored = self.status(broken or unfinished)
        author, recorded_at = self.generated()
        verifications, changes = self.verified()
        context = self.context()
        title, statement = self.scalar("title"), self.statement()
        body = self.text[self.front.body :]
        self.spans["body"] = Span(self.front.body, len(self.text))
        prose = "\n".join((title, self.scalar("description"), body, *context.values()))
        return Memory(
            id=self.id or self.path,
            dialect="okf",
            path=self.path,
            status=status,
            stored=stored,
            title=title,
            type=kind,
            statement=statement,
            scope=self.scope(),
            author=author,
            tags=tuple(self.words("tags")),
            context=self.with_reason(context, status),
            prose=blank_fences(prose),
            citations=tuple(self.citations(changes)),
            verifications=verifications,
            supersedes=tuple(self.words("supersedes")),
            superseded_by=tuple(self.words("superseded_by")),
            decision=self.decision(status),
            valid_from=self.scalar("valid_from"),
            valid_until=self.scalar("valid_until"),
            recorded_at=recorded_at,
            stale_after=self.scalar("stale_after"),
            last_verified_at=verifications[-1].at if verifications else recorded_at,
            predicates=tuple(self.predicates()),
            placeholders=placeholders,
            span=Span(0, len(self.text)),
            spans=self.spans,
        )

    def scalar(self, key: str) -> str:
        node = self.root.get(key)
        if node is None:
            return ""
        self.spans[key] = node.span
        if node.kind != "scalar":
            self.report(f"`{key}` is a {node.kind}, not text", f"write one value, `{key}: ...`", node.span, key)
            return ""
        return node.text.strip()

    def words(self, key: str) -> Iterator[str]:
        node = self.root.get(key)
        if node is None:
            return
        self.spans[key] = node.span
        for item in node.items if node.kind == "list" else (node,):
            if item.kind != "scalar":
                self.report(f"`{key}` holds a {item.kind}, not a word", f"write `{key}: [one, two]`", item.span, key)
            elif not item.null:
                yield item.text.strip()

    def status(self, waiting: bool) -> tuple[Status, str]:
        stored = self.scalar("status")
        status = _STATUS.get(stored, Status.PENDING)
        if stored and stored not in _STATUS:
            self.report(
                f"the status `{stored}` is not known",
                "write draft, stable or deprecated",
                self.spans["status"],
                "status",
            )
        if status is Status.DEPRECATED and any(self.words("superseded_by")):
            status = Status.SUPERSEDED
        return (Status.PENDING if waiting else status), stored

    def scope(self) -> str:
        scope = self.scalar("scope") or "repo"
        if scope not in _SCOPES:
            self.report(
                f"the scope `{scope}` is not known", f"write {', '.join(_SCOPES)}", self.spans["scope"], "scope"
            )
            return "personal"
        return scope

    def generated(self) -> tuple[str, str]:
        node = self.root.get("generated")
        if node is None:
            return "", self.scalar("timestamp")
        self.spans["generated"] = node.span
        if node.kind != "map":
            self.report(
                "`generated` is not a mapping",
                "write `generated: {by: human:you, at: 2026-01-31T09:30:00Z}`",
                node.span,
                "generated",
            )
            return "", ""
        return _text(node.get("by")), _text(node.get("at"))

    def statement(self) -> str:
        description = self.scalar("description")
        if description:
            self.spans["statement"] = self.spans["description"]
            return description
        start, end = first_paragraph(self.text[self.front.body :])
        self.spans["statement"] = Span(self.front.body + start, self.front.body + end)
        return self.text[self.front.body + start : self.front.body + end].strip()

    def context(self) -> Mapping[str, str]:
        node = self.root.get("context")
        if node is None:
            return {}
        self.spans["context"] = node.span
        if node.kind != "map":
            self.report(
                "`context` is not a mapping", "write its facets as `why: ...` lines below it", node.span, "context"
            )
            return {}
        facets: dict[str, str] = {}
        for key, value in node.pairs:
            if value.null:
                continue
            self.spans[f"context.{key.text}"] = value.span
            parts = [part for item in (value.items if value.kind == "list" else (value,)) for part in _facet(item)]
            facets[key.text] = "\n".join(parts)
        return facets

    def last_review(self, status: Status) -> Node | None:
        """The review by which the memory came to its end."""
        reviews = self.root.get("reviews")
        ended = status not in (Status.PENDING, Status.APPROVED)
        return reviews.items[-1] if ended and reviews is not None and reviews.items else None

    def decision(self, status: Status) -> str:
        review = self.last_review(status)
        return _text(review.get("decision")) if review is not None else ""

    def with_reason(self, context: Mapping[str, str], status: Status) -> Mapping[str, str]:
        """The context, with the reason of the last review where the memory came to its end."""
        review = self.last_review(status)
        reason = review.get("reason") if review is not None else None
        if reason is None:
            return context
        self.spans["reason"] = reason.span
        return {**context, "reason": _text(reason)}

    def predicates(self) -> Iterator[tuple[str, Span]]:
        context = self.root.get("context")
        node = context.get("stale_when") if context else None
        if node is None:
            return
        for item in node.items if node.kind == "list" else (node,):
            when = item.get("when")
            if when is not None and when.kind == "scalar":
                yield when.text.strip(), when.span
            elif item.kind == "scalar":
                for told in filter(None, map(predicate_in, item.text.splitlines())):
                    at = self.text.find(told, item.start, item.end)
                    yield told, Span(at, at + len(told)) if at >= 0 else item.span

    def verified(self) -> tuple[tuple[Verification, ...], dict[str, _Change]]:
        """The events that count, oldest first, and the newest fingerprints by the text of their citation."""
        node = self.root.get("verified")
        events: list[Verification] = []
        changes: dict[str, _Change] = {}
        if node is None:
            return (), changes
        self.spans["verified"] = node.span
        for index, entry in enumerate(node.items if node.kind == "list" else (node,)):
            if entry.kind != "map":
                self.report(
                    "an entry of `verified` is not a mapping", "write `- by: ...` and `at: ...`", entry.span, "verified"
                )
                continue
            evidence = entry.get("evidence")
            if evidence is not None:
                self.spans[f"verified[{index}].evidence"] = evidence.span
                if find_placeholders(evidence.text):
                    continue
            moved = entry.get("changes")
            items = moved.items if moved is not None and moved.kind == "list" else ()
            for item in items:
                cite = _text(item.get("cite"))
                if cite:
                    changes[cite] = _Change(cite, item.get("fingerprint"), item.get("blob"), item.get("excerpt"))
            if moved is not None and moved.kind == "scalar":
                told = moved.text
            else:
                told = ", ".join(_text(item.get("cite")) or item.text for item in items)
            events.append(Verification(_text(entry.get("by")), _text(entry.get("at")), _text(evidence), told))
        return tuple(events), changes

    def citations(self, changes: Mapping[str, _Change]) -> Iterator[Citation]:
        node = self.root.get("cites")
        if node is None:
            return
        self.spans["cites"] = node.span
        for item in node.items if node.kind == "list" else (node,):
            citation = self.citation(item)
            if citation is None:
                continue
            change = changes.get(citation.text)
            if change is not None:
                citation = self.seen(citation, change.fingerprint, change.blob)
                if change.excerpt is not None:
                    spans = {**citation.spans, "excerpt": change.excerpt.span}
                    citation = replace(citation, excerpt=_text(change.excerpt, strip=False), spans=spans)
            yield citation

    def citation(self, item: Node) -> Citation | None:
        if item.kind == "scalar" and item.text.strip() and not item.null:
            return replace(parse_citation(item.text), span=item.span, spans={"path": item.span})
        path = item.get("path") if item.kind == "map" else None
        if path is None or path.kind != "scalar" or not path.text.strip():
            self.report(
                "a citation has no `path`",
                "write `- path: src/file.py` and, for a part of it, `symbol: Name`",
                item.span,
                "cites",
            )
            return None
        spans = {key.text: value.span for key, value in item.pairs if value.kind == "scalar"}
        symbol, lines = split_target(_text(item.get("symbol")))
        citation = Citation(
            path=path.text.strip().removeprefix("./"),
            symbol=symbol,
            lines=lines,
            kind=_text(item.get("kind")),
            excerpt=_text(item.get("excerpt"), strip=False),
            span=item.span,
            spans=spans,
        )
        return self.seen(citation, item.get("fingerprint"), item.get("blob"))

    def seen(self, citation: Citation, fingerprint: Node | None, blob: Node | None) -> Citation:
        """The citation with what was seen of it, and where that stands."""
        spans = dict(citation.spans)
        loaded = load(fingerprint.text.strip()) if fingerprint is not None else None
        if fingerprint is not None:
            spans["fingerprint"] = fingerprint.span
            if loaded is None and not _VERSIONED.match(fingerprint.text):
                self.report(
                    f"the fingerprint of {citation.text} cannot be read",
                    "verify the memory again",
                    fingerprint.span,
                    "cites",
                )
        if blob is not None:
            spans["blob"] = blob.span
        return replace(citation, fingerprint=loaded, blob=_text(blob), spans=spans)

    def placeholders(self) -> tuple[tuple[str, Span], ...]:
        if "<" not in self.text:
            return ()
        front = find_placeholders(self.text, 0, self.front.end)
        body = find_placeholders(blank_fences(self.text[self.front.body :]))
        shift = self.front.body
        return (*front, *((name, Span(span.start + shift, span.end + shift)) for name, span in body))


def _text(node: Node | None, *, strip: bool = True) -> str:
    if node is None or node.kind != "scalar" or node.null:
        return ""
    return node.text.strip() if strip else node.text


def _facet(item: Node) -> Iterator[str]:
    if item.kind == "scalar":
        yield item.text.strip()
    for key, value in item.pairs:
        yield f"{key.text}: {value.text.strip()}"
