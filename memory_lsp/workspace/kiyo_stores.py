"""Where the Kiyo store of a root is (KIYO-MEM-002): declared in ``.kiyo/policy.md`` or ``.kiyo/config.md``, else a default folder.

Never decided by date. A locator that leads nowhere is unresolved: it gives no permission to use another store. What cannot
be read is ``denied``, never absent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from posixpath import basename, dirname, normpath

from memory_lsp.core.model import Span
from memory_lsp.dialects.kiyo_index import read_rows
from memory_lsp.dialects.kiyo_read import is_placeholder, lines_of, read_entries
from memory_lsp.workspace.files import MAX_RECORD_BYTES, Files, Stamp, refused
from memory_lsp.workspace.snapshot import Store

DECLARING = (".kiyo/policy.md", ".kiyo/config.md")
DEFAULTS = (".kiyo/memory", ".kiyo/project/memory")
INDEX = "index.md"

_ROWS: dict[tuple[str, str], tuple[Stamp, tuple[str, ...]]] = {}
"""What the rows of an index name outside its folder, by root and index; one entry per store."""
_LABEL = re.compile(
    r"[ \t]*(?:[-*+][ \t]+)?(?:\*\*)?canonical memory (?:index|location)(?:\*\*)?[ \t]*:(?:\*\*)?[ \t]*(?P<value>.*?)[ \t]*\Z",
    re.IGNORECASE,
)
_LINK = re.compile(r"\[[^\]]*\]\(([^)]*)\)\Z")


@dataclass(frozen=True, slots=True)
class Declaration:
    """One line that says where the store is; ``folder`` and ``index`` are relative to the root, ``found`` whether it is there."""

    file: str
    span: Span
    value: str
    folder: str
    index: str
    found: bool
    problem: str = ""


@dataclass(frozen=True, slots=True)
class KiyoFound:
    """The Kiyo stores of a root. ``places`` are where a conflict shows; ``denied`` are paths that exist and cannot be read."""

    stores: tuple[Store, ...] = ()
    conflict: str = ""
    places: tuple[tuple[str, Span], ...] = ()
    denied: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def find_kiyo(files: Files, wanted: str = "") -> KiyoFound:
    """The stores of a root; ``wanted`` (a store's path, of a person) decides between several."""
    if not files.exists(".kiyo") and not wanted:
        return KiyoFound()
    denied: list[str] = []
    declared: list[Declaration] = []
    for file in DECLARING:
        source = files.read(file, MAX_RECORD_BYTES)
        if source.data is not None:
            declared += declarations(files, file, source.data.decode("utf-8", "replace"))
        elif not source.missing:
            denied.append(file)
    for path in (".kiyo", *(item.folder for item in declared)):
        if files.exists(path) and not files.can_list(path) and path not in denied:
            denied.append(path)
    defaults = [folder for folder in DEFAULTS if _is_store(files, folder, denied)]
    present = {item.folder: item for item in declared if item.found}
    broken = [item for item in declared if not item.found]
    problem = next((item.problem for item in declared if item.problem), "")
    stores = tuple(
        _store(files, folder, present[folder].index if folder in present else f"{folder}/{INDEX}")
        for folder in sorted({*present, *defaults})
    )
    chosen = next((store for store in stores if wanted in (store.path, store.index)), None) if wanted else None
    if chosen is not None:
        return KiyoFound((chosen,), denied=tuple(denied))
    if broken and any(item.folder in denied or any(path.startswith(item.folder) for path in denied) for item in broken):
        return KiyoFound(stores, denied=tuple(dict.fromkeys(denied)))
    conflict = ""
    if problem:
        conflict = problem
    elif len(present) > 1:
        conflict = f"two declarations name different stores, {' and '.join(sorted(present))}"
    elif broken and stores:
        other = ", ".join(store.path for store in stores)
        conflict = f"{broken[0].file} names {broken[0].value}, which is not there, and this root holds {other}"
    elif not declared and len(defaults) > 1:
        conflict = f"this root holds two Kiyo stores, {' and '.join(sorted(defaults))}, and nothing declares one"
    if conflict:
        places = [(item.file, item.span) for item in declared] or [(store.index, Span(0, 0)) for store in stores]
        told = f"{conflict}: a person decides with --store PATH or the setting `store`; until then nothing is written"
        return KiyoFound(stores, told, tuple(places), tuple(denied))
    if len(present) == 1:
        only = next(iter(present))
        notices = tuple(f"{folder} holds records too and is not read" for folder in defaults if folder != only)
        return KiyoFound(tuple(store for store in stores if store.path == only), denied=tuple(denied), notices=notices)
    return KiyoFound(stores, denied=tuple(denied))


def _store(files: Files, folder: str, index: str) -> Store:
    return Store("kiyo", folder, index, _outside(files, folder, index))


def _outside(files: Files, folder: str, index: str) -> tuple[str, ...]:
    """Files below the root, not below the folder, that rows of the index name; read again when the index is another one."""
    stamp = files.stamp(index)
    known = _ROWS.get((files.real, index))
    if known is not None and known[0] == stamp:
        return known[1]
    data = files.read(index, MAX_RECORD_BYTES).data or b""
    found = []
    for row in read_rows(data.decode("utf-8", "replace")):
        path = normpath(f"{dirname(index)}/{row.file}") if row.file.endswith(".md") else ""
        inside = path.startswith((folder + "/", "../"))
        if path and not inside and not refused(path) and files.is_file(path):
            found.append(path)
    result = tuple(dict.fromkeys(found))
    _ROWS[files.real, index] = (stamp, result)
    return result


def declarations(files: Files, file: str, text: str) -> list[Declaration]:
    """What a declaring file says of the store, resolved against its own folder, else against the root."""
    found = []
    for line in lines_of(text):
        match = None if line.hidden else _LABEL.match(line.text)
        if match is None:
            continue
        value = match["value"].strip("*").strip().strip("`").strip()
        link = _LINK.match(value)
        value = (link[1] if link else value).strip().strip("`")
        if not value or value.upper() == "UNKNOWN" or is_placeholder(value):
            continue
        start = line.start + match.start("value")
        span = Span(start, line.start + match.end("value"))
        found.append(_resolved(files, file, value, span))
    return found


def _resolved(files: Files, file: str, value: str, span: Span) -> Declaration:
    clean = value.replace("\\", "/")
    places = []
    for base in (dirname(file), ""):
        path = normpath(f"{base}/{clean}" if base else clean)
        if refused(path) or (refused(clean) and not clean.startswith("../")):
            continue
        places.append(path)
    there = [path for path in dict.fromkeys(places) if files.exists(path)]
    if len(there) > 1:
        told = f"{file}: {value} may be {' or '.join(there)}"
        return Declaration(file, span, value, *_parts(files, there[0]), True, told)
    if not there:
        # A store whose index is missing is not an absent store.
        there = [path for path in places if path.endswith(".md") and _is_store(files, dirname(path), [])]
    path = there[0] if there else places[0] if places else clean
    folder, index = _parts(files, path)
    inside = bool(there) and files.writable_path(path) is not None
    return Declaration(file, span, value, folder, index, inside)


def _parts(files: Files, path: str) -> tuple[str, str]:
    """``(folder, index)`` of a declared path, which is an index or a folder."""
    path = path.rstrip("/")
    if basename(path).endswith(".md"):
        return dirname(path) or ".", path
    return path, f"{path}/{INDEX}"


def _is_store(files: Files, folder: str, denied: list[str]) -> bool:
    """Whether a default folder is a store: it holds an index, or a record. One that cannot be listed is denied."""
    if not files.exists(folder) or files.writable_path(folder) is None:
        return False
    if not files.can_list(folder):
        denied.append(folder)
        return True
    if files.exists(f"{folder}/{INDEX}"):
        return True
    for path, _stamp in files.records(folder):
        if path.endswith(".md"):
            data = files.read(path, MAX_RECORD_BYTES).data
            if data is not None and (read_entries(text := data.decode("utf-8", "replace")) or read_rows(text)):
                return True
    return False
