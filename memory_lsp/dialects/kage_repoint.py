"""Which content a Kage packet records of its paths, and what moves when a citation is pointed elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_lsp.core.citations import parse_citation, target_of
from memory_lsp.core.model import Citation, Memory, Refusal
from memory_lsp.dialects.change import Repointed
from memory_lsp.dialects.kage_citations import items_of, plain, recorded_paths
from memory_lsp.dialects.kage_packet import OURS, listed, mapped
from memory_lsp.dialects.kage_parse import Reading

Values = dict[str, Any]
_SEEN = frozenset({"symbol", "excerpt", "fingerprint", "blob", "sha256"})


def ours_of(values: Values) -> Values:
    """What this program keeps in a packet, made when it is not there."""
    if not isinstance(values.get(OURS), dict):
        values[OURS] = {}
    found: Values = values[OURS]
    return found


def record_path(values: Values, citation: Citation, place: str = "") -> None:
    """Record the content of a path (in place of that of the path ``place``). Symbols of other content tell nothing now."""
    freshness = values["freshness"]
    entry: Values = {"path": citation.path, "sha256": citation.sha256}
    if citation.size is not None:
        entry["size"] = citation.size
    known = listed(freshness.get("path_fingerprints"))
    for item in map(mapped, known):
        if plain(str(item.get("path", ""))) == (place or citation.path):
            if "symbols" in item and item.get("sha256") != citation.sha256:
                item["symbols"] = []
            item.update(entry)
            return
    freshness["path_fingerprints"] = [*known, entry]


def address_of(item: Mapping[str, Any]) -> str:
    """The text form of the citation that an item of ``memory_lsp.citations`` is."""
    path, target = item.get("path"), item.get("symbol")
    text = plain(path) if isinstance(path, str) else ""
    return parse_citation(f"{text}#{target}" if target else text).text


def repoint(values: Values, reading: Reading, original: Memory, change: Repointed) -> Refusal | None:
    """Point the citation at ``change.index`` of ``original`` at its new address, in ``values``.

    The content that is recorded of a path stays while other citations are about it: only a path that is new gets it.
    """
    count = len(original.citations)
    if not 0 <= change.index < count:
        return Refusal(f"{original.id}: there is no citation {change.index + 1}; it has {count}")
    old, new = original.citations[change.index], change.citation
    current = list(reading.memory.citations)
    at = next((index for index, citation in enumerate(current) if citation.text == old.text), None)
    if at is None:
        return Refusal(f"{original.id}: the citation {old.text} is not in this packet any more; read it again")
    left = [citation for index, citation in enumerate(current) if index != at]
    shares = any(citation.path == old.path for citation in left)
    assert reading.packet is not None
    recorded = recorded_paths(reading.packet)
    if new.path not in recorded:
        if not shares:
            values["paths"] = [new.path if plain(path) == old.path else path for path in values["paths"]]
        if new.path not in values["paths"]:
            values["paths"] = [*values["paths"], new.path]
        if new.sha256:
            record_path(values, new, "" if shares else old.path)
        known = new.sha256
    else:
        known = recorded[new.path].sha256
        if not target_of(new) and new.sha256 and not any(citation.path == new.path for citation in left):
            record_path(values, new)
        if new.path != old.path and not shares:
            values["paths"] = [path for path in values["paths"] if plain(path) != old.path]
            fingerprints = listed(values["freshness"].get("path_fingerprints"))
            kept = [item for item in fingerprints if plain(str(mapped(item).get("path", ""))) != old.path]
            values["freshness"]["path_fingerprints"] = kept
    hashes = {path: seen.sha256 for path, seen in recorded.items()} | {new.path: known}
    _renew_items(values, current, at, new, hashes)
    return None


def _renew_items(values: Values, current: list[Citation], at: int, new: Citation, hashes: dict[str, str]) -> None:
    """Our items once the citation at ``at`` is ``new``: those of the others stay as they are."""
    known = {address_of(item): item for item in map(mapped, listed(mapped(values.get(OURS)).get("citations")))}
    wanted = [*current[:at], new, *current[at + 1 :]]
    items = []
    for item in items_of(wanted, hashes):
        text = address_of(item)
        if text == new.text:
            before = known.get(current[at].text, {})
            kept = {key: value for key, value in before.items() if key not in _SEEN}
            items.append(kept | item if item.get("symbol") else item)
        else:
            items.append(known.get(text, item))
    if items or known:
        ours_of(values)["citations"] = items
