"""Fingerprints ``v1``: what was seen of a citation, in separate parts, so that a verdict can say what moved.

A fingerprint is computed from the outline of one source; its line form (``dump``, ``load``) is what records hold. The same symbol in
the same text gives the same fingerprint on every machine with the same grammars (``producer`` names them).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from dataclasses import replace
from urllib.parse import quote, unquote

from memory_lsp.core.canonical import BARE, CALL, LOCAL, OWNING, PLAIN, USE, digest, masked
from memory_lsp.core.excerpt import excerpt_of_text
from memory_lsp.core.languages import producer
from memory_lsp.core.model import Fingerprint
from memory_lsp.core.outline import Outline
from memory_lsp.core.streams import Streams, broken_inside, file_streams, own_text, streams_of

_BOM = b"\xef\xbb\xbf"


def fingerprint(outline: Outline, symbol: str, excerpt: str = "") -> Fingerprint | None:
    """The fingerprint of a symbol by its exact path (empty: of the whole file), or ``None`` if it does not resolve.

    ``excerpt`` is the text of statements inside the symbol that a narrower citation is about.
    """
    if not symbol:
        return fingerprint_file(outline.language, outline.data, outline)
    group = outline.find(symbol)
    if group is None:
        return None
    streams = streams_of(outline, group)
    result = _fingerprint(outline.language, streams, own_text(outline, group), broken_inside(outline, group))
    if not excerpt:
        return result
    found = excerpt_of_text(outline, group, excerpt)
    return replace(result, excerpt=found.hashes) if found is not None else None


def fingerprint_file(language: str | None, data: bytes, outline: Outline | None = None) -> Fingerprint:
    """The fingerprint of a whole file; without a grammar only white space at line ends, line ends and BOM mean nothing."""
    text = hashlib.sha256(data).hexdigest()[:32]
    if language is None or outline is None:
        return Fingerprint(
            producer(""), text, body=(digest([plain_text(data)]),), tokens=len(data.split()), twins=(text[:16],)
        )
    streams = file_streams(outline)
    return _fingerprint(language, streams, data, outline.broken)


def plain_text(data: bytes) -> bytes:
    """Text without what means nothing in any file: byte order mark, kind of line ends, white space that ends a line."""
    lines = data.removeprefix(_BOM).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return b"\n".join(line.rstrip(b" \t\f\v") for line in lines).rstrip(b"\n")


def _fingerprint(language: str, streams: Streams, text: bytes, broken: bool) -> Fingerprint:
    whole = streams.whole()
    twins = [digest(masked(whole.out, whole.marks, modes)) for modes in _readings(whole.marks)]
    return Fingerprint(
        producer(language),
        hashlib.sha256(text).hexdigest()[:32],
        tuple(stream.hash for stream in streams.signature),
        tuple(stream.hash for stream in streams.body),
        tuple(stream.hash for stream in streams.decorator),
        digest(streams.documentation) if streams.documentation else "",
        tuple((name, stream.hash) for name, stream in streams.members),
        tuple(twins[:1] if len(set(twins)) == 1 else twins),
        streams.tokens,
        broken,
    )


def _readings(marks: list[tuple[int, int]]) -> list[frozenset[int]]:
    """The modes of marks to mask, for each way to read the symbol's own name; in every one of them what means the symbol is masked.

    So a twin that calls itself equals none that calls something else. Where a variable has the name, the bare name is the variable.
    """
    seen = frozenset(mode for _index, mode in marks)
    if not seen:
        return [seen]
    itself = {CALL} if LOCAL in seen else {CALL, BARE, USE}
    names = {BARE, USE, LOCAL, PLAIN}
    return [frozenset(itself | names | {OWNING}), frozenset(itself | {OWNING}), frozenset(itself)]


def dump(value: Fingerprint) -> str:
    """The fingerprint in one line of ASCII: ``v1/python-0.13.0 t=... s=... b=... a=... d=... w=... n=57 m:run=...``."""
    parts = [value.producer, f"t={value.text}"]
    for letter, hashes in (("s", value.signature), ("b", value.body), ("a", value.decorator), ("w", value.twins)):
        if any(hashes):
            parts.append(f"{letter}={'+'.join(hashes)}")
    if value.documentation:
        parts.append(f"d={value.documentation}")
    if len(value.signature) > 1:
        parts.append(f"g={len(value.signature)}")
    parts.append(f"n={value.tokens}")
    if value.broken:
        parts.append("broken")
    if value.excerpt:
        parts.append(f"x={value.excerpt[0]}:{'+'.join(value.excerpt[1:])}")
    parts += [f"m:{quote(name, safe='')}={code}" for name, code in value.members]
    return " ".join(parts)


def load(text: str) -> Fingerprint | None:
    """A fingerprint from its line form; ``None`` if it is none of ours."""
    words = text.split()
    if not words or not re.fullmatch(r"v1/[\w.+-]+", words[0]):
        return None
    values: dict[str, str] = {}
    members: list[tuple[str, str]] = []
    for word in words[1:]:
        key, _equals, value = word.partition("=")
        if key.startswith("m:"):
            members.append((unquote(key[2:]), value))
        else:
            values[key] = value
    if not re.fullmatch(r"[0-9a-f]{32}", values.get("t", "")) or not values.get("n", "0").isdigit():
        return None
    size = int(values["g"]) if values.get("g", "").isdigit() else 1

    def hashes(key: str) -> tuple[str, ...]:
        return tuple(values[key].split("+")) if key in values else ("",) * size

    return Fingerprint(
        words[0],
        values["t"],
        hashes("s"),
        hashes("b"),
        hashes("a"),
        values.get("d", ""),
        tuple(members),
        tuple(values["w"].split("+")) if "w" in values else (),
        int(values.get("n", "0")),
        "broken" in values,
        _excerpt_hashes(values.get("x", "")),
    )


def _excerpt_hashes(text: str) -> tuple[str, ...]:
    kind, _colon, codes = text.rpartition(":")
    return (kind, *codes.split("+")) if codes else ()


def moved_parts(then: Fingerprint, now: Fingerprint) -> tuple[str, ...]:
    """The parts that differ, in the order decorator, signature, body, members, documentation."""
    parts: set[str] = set()
    if len(then.signature) == len(now.signature):
        for name, before, after in (
            ("signature", then.signature, now.signature),
            ("body", then.body, now.body),
            ("decorator", then.decorator, now.decorator),
        ):
            if before != after:
                parts.add(name)
    else:
        parts.add("signature")
        parts |= _kept_but_different(then, now)
    parts |= _member_parts(then.members, now.members)
    if then.documentation != now.documentation:
        parts.add("documentation")
    order = {"decorator": 0, "signature": 1, "body": 2, "documentation": 4}
    return tuple(sorted(parts, key=lambda part: (order.get(part, 3), part)))


def _kept_but_different(then: Fingerprint, now: Fingerprint) -> set[str]:
    """A definition was added or removed: what differs in those that kept their signature."""
    before = list(zip(then.signature, then.body, then.decorator, strict=False))
    after = list(zip(now.signature, now.body, now.decorator, strict=False))
    for item in list(before):
        if item in after:
            before.remove(item)
            after.remove(item)
    parts: set[str] = set()
    for signature, body, decorator in before:
        for other_signature, other_body, other_decorator in after:
            if signature == other_signature:
                parts |= {"body"} if body != other_body else set()
                parts |= {"decorator"} if decorator != other_decorator else set()
    return parts


def _member_parts(then: tuple[tuple[str, str], ...], now: tuple[tuple[str, str], ...]) -> set[str]:
    before = {name: code for name, code in then if name and code}
    after = {name: code for name, code in now if name and code}
    parts = {f"member:{name}" for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    if [code for name, code in then if not name] != [code for name, code in now if not name]:
        parts.add("body")
    else:
        common = before.keys() & after.keys()
        counts = [Counter(name for name, _code in side) for side in (then, now)]
        again = {name for name in common if counts[0][name] == counts[1][name]}
        kept = [
            [name or code for name, code in side if not name or name in (common if code else again)]
            for side in (then, now)
        ]
        if kept[0] != kept[1]:
            parts.add("body")
    return parts
