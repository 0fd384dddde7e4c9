"""What a Kage packet cites: paths with the hash of their content, and this program's symbols in place of their path.

An item of ``memory_lsp.citations`` holds ``path``, ``symbol`` (or lines, ``L10-L20``), ``kind``, ``excerpt``, ``fingerprint``,
``blob`` and ``sha256``. The latter is what the packet recorded of the path when the item was written: if it records something
else today, somebody has verified the packet with Kage since, and what we saw before counts no more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from memory_lsp.core.citations import parse_citation, split_target, target_of
from memory_lsp.core.fingerprint import dump, load
from memory_lsp.core.model import Citation, Span
from memory_lsp.dialects.kage_form import Form
from memory_lsp.dialects.kage_packet import OURS, Flaw, Packet, listed, mapped
from memory_lsp.dialects.problems import unreadable
from memory_lsp.dialects.prose import code_names

_VERSIONED = re.compile(r"\s*v\d+/")
_ADDRESS = r"(?<![\w./#-]){}(?![\w/#-]|\.\w)"


class Seen(NamedTuple):
    """What the packet records of a path, and where."""

    sha256: str
    size: int | None
    anchors: tuple[tuple[str, str, str], ...]
    span: Span


def recorded_paths(packet: Packet) -> dict[str, Seen]:
    """The cited paths in order, with what is recorded of each."""
    spans = packet.spans
    whole = spans.get("paths", Span(packet.start, packet.start))
    found = {
        plain(path): Seen("", None, (), spans.get(f"paths[{index}]", whole))
        for index, path in enumerate(listed(packet.values.get("paths")))
        if isinstance(path, str) and path.strip()
    }
    for item in map(mapped, listed(packet.object("freshness").get("path_fingerprints"))):
        path = item.get("path")
        if isinstance(path, str) and path.strip():
            size = item.get("size")
            found[plain(path)] = Seen(
                _text(item, "sha256").lower(),
                size if isinstance(size, int) and not isinstance(size, bool) and size >= 0 else None,
                tuple(_anchors(item)),
                found[plain(path)].span if plain(path) in found else spans.get("freshness.path_fingerprints", whole),
            )
    return found


def plain(path: str) -> str:
    """A path as it is compared."""
    return path.strip().removeprefix("./")


def _anchors(item: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for symbol in map(mapped, listed(item.get("symbols"))):
        name, code = _text(symbol, "name"), _text(symbol, "sha256").lower()
        if name and code:
            yield name, _text(symbol, "kind"), code


def _text(item: dict[str, Any], key: str) -> str:
    value = item.get(key)
    return value if isinstance(value, str) else ""


def citations_of(
    text: str, form: Form | None, packet: Packet, prose: str
) -> tuple[tuple[Citation, ...], tuple[Flaw, ...]]:
    """All citations, ours first, and what is wrong with fingerprints of ours."""
    known = recorded_paths(packet)
    names = code_names(prose)
    shown = _Shown(text, form)
    found: list[Citation] = []
    flaws: list[Flaw] = []
    for index, item in enumerate(map(mapped, listed(packet.object(OURS).get("citations")))):
        path = plain(_text(item, "path"))
        if path not in known:
            continue
        name = f"{OURS}.citations[{index}]"
        spans = {key: packet.spans[f"{name}.{key}"] for key in item if f"{name}.{key}" in packet.spans}
        place = packet.spans.get(name, known[path].span)
        if is_bare(item):
            found.append(_bare(path, known[path], names, place, shown))
            continue
        citation, flaw = _ours(item, path, known[path], place, spans)
        found.append(shown.at(citation))
        flaws += [flaw] if flaw else []
    covered = {citation.path for citation in found}
    found += [_bare(path, seen, names, seen.span, shown) for path, seen in known.items() if path not in covered]
    return tuple(found), tuple(flaws)


def is_bare(item: dict[str, Any]) -> bool:
    """Whether an item of ours stands for its path as such."""
    return not _text(item, "symbol")


def _bare(path: str, seen: Seen, names: tuple[str, ...], place: Span, shown: _Shown) -> Citation:
    return shown.at(
        Citation(
            path,
            sha256=seen.sha256,
            size=seen.size,
            names=names,
            anchors=seen.anchors,
            span=place,
            spans={"path": place},
        )
    )


def _ours(
    item: dict[str, Any], path: str, seen: Seen, place: Span, spans: dict[str, Span]
) -> tuple[Citation, Flaw | None]:
    symbol, lines = split_target(_text(item, "symbol"))
    written, sha256 = _text(item, "fingerprint"), _text(item, "sha256").lower()
    citation = Citation(
        path,
        symbol,
        lines,
        kind=_text(item, "kind"),
        excerpt=_text(item, "excerpt"),
        sha256=sha256 or seen.sha256,
        size=seen.size if seen.sha256 and sha256 in ("", seen.sha256) else None,
        span=place,
        spans=spans,
    )
    if sha256 and seen.sha256 and sha256 != seen.sha256:
        return replace(citation, sha256=seen.sha256, size=seen.size), None
    fingerprint = load(written) if written else None
    flaw = None
    if written and fingerprint is None and not _VERSIONED.match(written):
        where = spans.get("fingerprint", place)
        flaw = Flaw(f"the fingerprint of {citation.text} cannot be read", "verify the memory again", where, "citations")
    gap = unreadable(written) if written and fingerprint is None else ""
    return replace(citation, fingerprint=fingerprint, gap=gap, blob=_text(item, "blob")), flaw


def item_of(citation: Citation, recorded: str) -> dict[str, Any]:
    """An item of ``memory_lsp.citations``; ``recorded`` is the SHA-256 that the packet records of its path."""
    item: dict[str, Any] = {"path": citation.path}
    target = target_of(citation)
    if not target:
        return item
    item["symbol"] = target
    if citation.kind:
        item["kind"] = citation.kind
    if citation.excerpt:
        item["excerpt"] = citation.excerpt
    return item | seen_of(citation, recorded)


def seen_of(citation: Citation, recorded: str) -> dict[str, Any]:
    """What was seen of a citation, as an item of ours keeps it."""
    seen: dict[str, Any] = {}
    if citation.fingerprint is not None:
        seen["fingerprint"] = dump(citation.fingerprint)
    if citation.blob:
        seen["blob"] = citation.blob
    if recorded:
        seen["sha256"] = recorded
    return seen


def items_of(citations: Iterable[Citation], recorded: dict[str, str]) -> list[dict[str, Any]]:
    """The items of ours for citations: those of a symbol, and a path that is cited as such beside its symbols."""
    every = list(citations)
    narrowed = {citation.path for citation in every if target_of(citation)}
    return [item_of(citation, recorded.get(citation.path, "")) for citation in every if citation.path in narrowed]


def waiting_item(citation: Citation) -> dict[str, Any]:
    """What was seen of a citation while its verification waits for evidence."""
    size = {"size": citation.size} if citation.size is not None else {}
    return item_of(citation, citation.sha256) | {"sha256": citation.sha256} | size


def read_waiting(item: Mapping[str, Any]) -> Citation:
    """The citation of a ``waiting_item``."""

    def word(key: str) -> str:
        value = item.get(key)
        return value if isinstance(value, str) else ""

    address = parse_citation(f"{word('path')}#{word('symbol')}" if word("symbol") else word("path"))
    size = item.get("size")
    return Citation(
        address.path,
        address.symbol,
        address.lines,
        word("kind"),
        word("excerpt"),
        load(word("fingerprint")) if word("fingerprint") else None,
        word("blob"),
        word("sha256"),
        size if isinstance(size, int) and not isinstance(size, bool) else None,
    )


def bounded(address: str) -> re.Pattern[str]:
    """Where an address stands in text, and not as a part of a longer one."""
    return re.compile(_ADDRESS.format(re.escape(address)))


class _Shown:
    """The citations as a person reads them, below their heading."""

    def __init__(self, text: str, form: Form | None) -> None:
        self._text = text
        self._section = form.citations if form else Span(0, 0)

    def at(self, citation: Citation) -> Citation:
        """The citation with its place in that section, if it is listed there."""
        section = self._section
        if section.start == section.end:
            return citation
        match = bounded(citation.text).search(self._text, section.start, section.end)
        if match is None:
            return citation
        path = Span(match.start(), match.start() + len(citation.path))
        spans = {**citation.spans, "path": path}
        if match.end() > path.end:
            spans["symbol"] = Span(path.end + 1, match.end())
        return replace(citation, span=Span(match.start(), match.end()), spans=spans)
