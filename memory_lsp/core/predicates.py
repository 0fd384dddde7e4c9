"""Machine predicates (design section 4): one per line, no regular expressions, evaluated the same way by anyone.

``used NAME in GLOB`` · ``unused NAME in GLOB`` · ``exists PATH[#SYMBOL]`` · ``absent PATH[#SYMBOL]`` · ``text "literal" in GLOB`` ·
``dependency NAME present|absent|<specifier> in MANIFEST`` · ``after DATE``. A use is an identifier or an import in code, never a
comment or a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from memory_lsp.core.model import CodePlace, Span

if TYPE_CHECKING:
    from tree_sitter import Node

    from memory_lsp.core.outline import Outline
    from memory_lsp.core.sources import Sources

KINDS = ("used", "unused", "exists", "absent", "text", "dependency", "after")
_IN = re.compile(r"(?P<what>\S+)\s+in\s+(?P<where>\S+)\Z")
_TEXT = re.compile(r'"(?P<what>(?:[^"\\]|\\.)+)"\s+in\s+(?P<where>\S+)\Z')
_DEPENDENCY = re.compile(r"(?P<what>\S+)\s+(?P<value>\S.*?)\s+in\s+(?P<where>\S+)\Z")
_NAME = re.compile(r"[\w$@][\w$.:@/-]*\Z")
_IMPORTS = re.compile(r"import|using|use_|require|include|package")
_MANIFEST_NAMES = re.compile(
    r"(?:pyproject\.toml|requirements[^/]*\.txt|package\.json|go\.mod|Cargo\.toml|pom\.xml|[^/]*\.csproj)\Z"
)


@dataclass(frozen=True, slots=True)
class Predicate:
    """One predicate that could be read. ``what`` is a name, a literal or empty; ``where`` a glob, a path or a manifest;
    ``value`` a specifier or an ISO date."""

    kind: str
    what: str = ""
    where: str = ""
    value: str = ""
    text: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Whether a predicate holds, and where. ``possible``: only a manifest speaks for it, so that it is reported and
    withholds nothing. ``gaps`` are the files that could not be searched."""

    holds: bool
    message: str
    place: CodePlace | None = None
    possible: bool = False
    gaps: tuple[str, ...] = ()


def is_predicate(line: str) -> bool:
    """Whether a line is meant as a predicate: it begins with one of the words that do (``after the move to Rust`` is a sentence)."""
    words = line.split()
    if not words or words[0].lower() not in KINDS:
        return False
    return words[0].lower() != "after" or len(words) <= 2 or words[1][:1].isdigit()


def predicate_in(line: str) -> str:
    """The predicate that a line of ``stale_when`` is meant as, without a ``when:`` before it; empty if the line is prose."""
    text = line.strip()
    told = text.removeprefix("when:").strip()
    return told if told and (told != text or is_predicate(told)) else ""


def read_predicate(line: str) -> Predicate | str:
    """The predicate in a line, or what is wrong with it."""
    text = " ".join(line.split())
    kind, _space, rest = text.partition(" ")
    kind = kind.lower()
    if kind not in KINDS:
        return f"`{kind}` begins no predicate: use one of {', '.join(KINDS)}"
    if kind == "after":
        try:
            return Predicate(kind, value=date.fromisoformat(rest).isoformat(), text=text)
        except ValueError:
            return f"`{rest}` is no date: write after YYYY-MM-DD"
    if kind in ("exists", "absent"):
        path, _hash, symbol = rest.partition("#")
        problem = _path_problem(path) if path else f"write {kind} PATH or {kind} PATH#SYMBOL"
        return problem or Predicate(kind, symbol, path, text=text)
    pattern, form = {
        "text": (_TEXT, 'text "literal" in GLOB'),
        "dependency": (_DEPENDENCY, "dependency NAME present|absent|<specifier> in MANIFEST"),
    }.get(kind, (_IN, f"{kind} NAME in GLOB"))
    match = pattern.match(rest)
    if match is None:
        return f"write {form}"
    found = match.groupdict()
    if kind in ("used", "unused") and not _NAME.match(found["what"]):
        return f"`{found['what']}` is no identifier: write {form}"
    return _path_problem(found["where"]) or Predicate(
        kind,
        _unescaped(found["what"]) if kind == "text" else found["what"],
        found["where"],
        found.get("value", ""),
        text,
    )


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


def _path_problem(path: str) -> str:
    if path.startswith(("/", "~")) or ".." in path.split("/") or re.match(r"[A-Za-z]:|\\\\", path):
        return f"`{path}` leaves the root: write a path relative to it"
    return ""


def evaluate(predicate: Predicate, sources: Sources, now: datetime) -> Outcome:
    """Whether the predicate holds for the sources as they are, at ``now``."""
    match predicate.kind:
        case "after":
            holds = now.date() > date.fromisoformat(predicate.value)
            return Outcome(holds, f"it is after {predicate.value}" if holds else f"{predicate.value} has not passed")
        case "exists" | "absent":
            return _existence(predicate, sources)
        case "text":
            return _literal(predicate, sources)
        case "dependency":
            return _dependency(predicate, sources)
        case _:
            return _use(predicate, sources)


def _existence(predicate: Predicate, sources: Sources) -> Outcome:
    address = predicate.where + (f"#{predicate.what}" if predicate.what else "")
    source = sources.read(predicate.where)
    if source.data is None and not source.missing:
        return Outcome(False, f"{address} cannot be looked at: {source.problem}", gaps=(predicate.where,))
    there = source.data is not None
    place = CodePlace(predicate.where, Span(0, 0)) if there else None
    if there and predicate.what:
        outline = sources.outline(predicate.where)
        if outline is None:
            return Outcome(False, f"{address} cannot be looked at: no grammar for it", gaps=(predicate.where,))
        group = outline.find(predicate.what)
        if group is None and outline.broken:
            return Outcome(False, f"{address} cannot be looked at: the file does not parse", gaps=(predicate.where,))
        there = group is not None
        place = CodePlace(predicate.where, _name(outline, predicate.what)) if there else None
    message = f"{address} exists" if there else f"{address} does not exist"
    return Outcome(there == (predicate.kind == "exists"), message, place)


def _name(outline: Outline, symbol: str) -> Span:
    group = outline.find(symbol)
    first = group.definitions[0] if group is not None else None
    return Span(first.name_start, first.name_end) if first is not None else Span(0, 0)


def _literal(predicate: Predicate, sources: Sources) -> Outcome:
    wanted = predicate.what.encode("utf-8", "surrogateescape")
    gaps: list[str] = []
    for path in _matching(predicate.where, sources):
        data = sources.read(path).data
        if data is None:
            gaps.append(path)
            continue
        offset = data.find(wanted)
        if offset >= 0:
            return Outcome(
                True, f'"{predicate.what}" stands in {path}', CodePlace(path, Span(offset, offset + len(wanted)))
            )
    return Outcome(False, f'"{predicate.what}" was not found in {predicate.where}', gaps=tuple(gaps))


def _use(predicate: Predicate, sources: Sources) -> Outcome:
    """``used`` and ``unused``: identifiers and imports in code; what is only declared in a manifest is possible, no more."""
    gaps: list[str] = []
    declared: CodePlace | None = None
    searched = 0
    for path in _matching(predicate.where, sources):
        data = sources.read(path).data
        if data is None:
            gaps.append(path)
            continue
        searched += 1
        if _MANIFEST_NAMES.search(path):
            offset = data.lower().find(predicate.what.lower().encode())
            if offset >= 0 and declared is None:
                declared = CodePlace(path, Span(offset, offset + len(predicate.what.encode())))
            continue
        if predicate.what.rsplit(".", 1)[-1].encode() not in data:
            continue
        outline = sources.outline(path)
        if outline is None:
            gaps.append(path)
            continue
        place = next(uses(outline, predicate.what), None)
        if place is not None:
            return Outcome(predicate.kind == "used", f"{predicate.what} is used in {path}", CodePlace(path, place))
    if predicate.kind == "used" and declared is not None:
        message = (
            f"{predicate.what} is named in {declared.path}, no use was found in {predicate.where}: possible, not proven"
        )
        return Outcome(True, message, declared, possible=True, gaps=tuple(gaps))
    message = f"no use of {predicate.what} was found in {predicate.where} ({searched} files)"
    if predicate.kind == "unused" and (gaps or not searched):
        return Outcome(False, f"{message}, but not all of it could be searched", gaps=tuple(gaps) or (predicate.where,))
    return Outcome(predicate.kind == "unused", message, gaps=tuple(gaps))


def uses(outline: Outline, name: str) -> Iterator[Span]:
    """Where code uses a name: an identifier (``a.b``: these names with a dot between), or an import that names it."""
    wanted = name.encode()
    data = outline.data
    last = name.rsplit(".", 1)[-1].encode()
    position = data.find(last)
    while position >= 0:
        node = outline.tree.root_node.descendant_for_byte_range(position, position + len(last))
        if node is not None and node.child_count == 0 and _in_code(node, outline):
            text = data[node.start_byte : node.end_byte]
            named = text == last and (text == wanted or _dotted(data, node.end_byte, wanted))
            if named or (_imports(node) and _names_module(text, wanted)):
                yield Span(node.start_byte, node.end_byte)
        position = data.find(last, position + 1)


def _dotted(data: bytes, end: int, wanted: bytes) -> bool:
    start = end - len(wanted)
    before = data[start - 1 : start]
    return start >= 0 and data[start:end] == wanted and not (before.isalnum() or before in (b"_", b".", b"$"))


def _in_code(node: Node, outline: Outline) -> bool:
    """Whether a leaf is neither a comment nor text of a string (an interpolated expression is code)."""
    item: Node | None = node
    while item is not None:
        if item.type in outline.rules.comments:
            return False
        if "interpolation" in item.type or "substitution" in item.type:
            return True
        if "string" in item.type or "char" in item.type or "text" in item.type or "heredoc" in item.type:
            return _imports(item)
        item = item.parent
    return True


def _imports(node: Node) -> bool:
    item: Node | None = node
    for _level in range(6):
        if item is None:
            return False
        if _IMPORTS.search(item.type):
            return True
        if item.type in ("call", "call_expression") and item.children[0].text in (b"require", b"import"):
            return True
        item = item.parent
    return False


def _names_module(text: bytes, wanted: bytes) -> bool:
    """Whether the text of an import names a module, or something inside it."""
    text = text.strip(b"'\"`<>")
    return text == wanted or text.startswith((wanted + b"/", wanted + b"."))


def _dependency(predicate: Predicate, sources: Sources) -> Outcome:
    from memory_lsp.core.manifests import declared, satisfies

    source = sources.read(predicate.where)
    if source.data is None:
        return Outcome(False, f"{predicate.where} cannot be looked at: {source.problem}", gaps=(predicate.where,))
    found = declared(predicate.where, source.data, predicate.what)
    if isinstance(found, str):
        return Outcome(False, f"{predicate.where} cannot be read: {found}", gaps=(predicate.where,))
    name = predicate.what
    offset = source.data.lower().find(name.lower().encode())
    place = CodePlace(predicate.where, Span(offset, offset + len(name.encode()))) if found and offset >= 0 else None
    if predicate.value in ("present", "absent"):
        message = f"{name} is {'declared' if found else 'not declared'} in {predicate.where}"
        return Outcome(bool(found) == (predicate.value == "present"), message, place)
    if not found:
        return Outcome(False, f"{name} is not declared in {predicate.where}")
    answers = [satisfies(predicate.where, version, predicate.value) for version in found]
    if None in answers:
        problem = f"{name} {' '.join(found)} in {predicate.where} cannot be held against {predicate.value}"
        return Outcome(False, problem, place, gaps=(predicate.where,))
    return Outcome(any(answers), f"{name} is declared as {', '.join(found)} in {predicate.where}", place)


def _matching(pattern: str, sources: Sources) -> Iterable[str]:
    """The files of the root that a glob names: ``*`` within a folder, ``**`` across folders."""
    if not re.search(r"[*?\[{]", pattern):
        return [pattern] if not sources.read(pattern).missing else []
    return [path for path in sorted(sources.paths()) if matches(pattern, path)]


def is_manifest(path: str) -> bool:
    """Whether a file declares packages."""
    return bool(_MANIFEST_NAMES.search(path))


def matches(pattern: str, path: str) -> bool:
    """Whether a glob names a path of the root."""
    from wcmatch import glob

    return bool(glob.globmatch(path, pattern, flags=glob.GLOBSTAR | glob.DOTGLOB | glob.BRACE | glob.FORCEUNIX))
