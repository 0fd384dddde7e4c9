"""What a store, or a sample of symbols, verified at one revision would be told at another."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from memory_lsp.core.fingerprint import fingerprint, fingerprint_file
from memory_lsp.core.judge import judge, judge_memory
from memory_lsp.core.languages import language_of
from memory_lsp.core.model import Citation, Judgement, Memory, Status, Verdict, worst
from memory_lsp.dialects import parse
from memory_lsp.workspace.files import MAX_RECORD_BYTES, Files
from memory_lsp.workspace.git import Git
from memory_lsp.workspace.revisions import Revisions
from memory_lsp.workspace.roots import LOCATIONS, SUFFIXES, is_record
from memory_lsp.workspace.snapshot import Store

MAX_SAMPLED_FILES = 2_000
"""Symbols are sampled from so many files at most, chosen at random."""

_DATA = frozenset({"markdown", "toml", "yaml", "json"})
_ABSENT = "not there when it was verified"


@dataclass(frozen=True, slots=True)
class Unit:
    """One thing that is judged: a memory of a store, or a sampled symbol (then ``memory`` is ``None``)."""

    id: str
    citations: tuple[Citation, ...]
    memory: Memory | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A unit with one judgement per citation."""

    unit: Unit
    judgements: tuple[Judgement, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of the citations' verdicts."""
        return worst([judgement.verdict for judgement in self.judgements])


def find_store(git: Git, root: Path, commit: str, wanted: str) -> tuple[Store, dict[str, str]] | str:
    """A store and its records as ``(store, {path: text})``, else what is wrong, in words.

    ``wanted`` is a dialect, a folder of the repository (read as it was in ``commit``), a folder outside of the history, or
    empty for the only store that the commit holds.
    """
    tree = git.tree(commit)
    places = [Store(dialect, folder) for dialect, folders in LOCATIONS.items() for folder in folders]
    known = [store for store in places if any(is_record(store, path) for path in tree)]
    if not wanted or wanted in LOCATIONS:
        found = [store for store in known if not wanted or store.dialect == wanted]
        if len(found) == 1:
            return found[0], _records_at(git, tree, found[0])
        held = ", ".join(store.path for store in found) or "none"
        return f"stores in that revision: {held}; name one with --store, or sample symbols with --sample N"
    for folder in (root / wanted, Path(wanted)):
        inner = _inside(folder, root)
        if inner is None:
            continue
        below = [store for store in known if inner == "." or f"{store.path}/".startswith(f"{inner}/")]
        paths = [path for path in tree if path.startswith(f"{inner}/")]
        if not below and paths:
            below = [Store(_dialect(inner, (git.blob(tree[path]) or b"" for path in paths)), inner)]
        if len(below) == 1:
            return below[0], _records_at(git, tree, below[0])
    present = [folder.absolute() for folder in (root / wanted, Path(wanted)) if folder.is_dir()]
    if not present:
        return f"--store {wanted}: there is no such folder, neither in the revision nor on disk"
    folder = present[0]
    files = Files.of(folder.parent)
    contents = {path: files.read(path, MAX_RECORD_BYTES).data or b"" for path, _ in files.records(folder.name)}
    store = Store(_dialect(folder.as_posix(), contents.values()), folder.name)
    return store, {path: data.decode("utf-8", "replace") for path, data in contents.items() if is_record(store, path)}


def _inside(folder: Path, root: Path) -> str | None:
    try:
        return folder.resolve().relative_to(root.resolve()).as_posix()
    except (ValueError, OSError):
        return None


def _dialect(folder: str, contents: Iterable[bytes]) -> str:
    """A store's dialect: by where it lies, else by what its records look like."""
    for dialect, places in LOCATIONS.items():
        if any(folder == place or folder.endswith(f"/{place}") for place in places):
            return dialect
    return "kage" if any(b"kage-state" in data or b'"path_fingerprints"' in data for data in contents) else "okf"


def _records_at(git: Git, tree: dict[str, str], store: Store) -> dict[str, str]:
    paths = [path for path in tree if path.endswith(SUFFIXES[store.dialect]) and is_record(store, path)]
    return {path: (git.blob(tree[path]) or b"").decode("utf-8", "replace") for path in sorted(paths)}


def memories_of(store: Store, records: dict[str, str]) -> tuple[Memory, ...]:
    """The approved memories of a store, each id once."""
    found: dict[str, Memory] = {}
    for path, text in records.items():
        for memory in parse(store.dialect, path, text).memories:
            if memory.status is Status.APPROVED:
                found.setdefault(memory.id, memory)
    return tuple(found.values())


def memory_units(memories: Sequence[Memory], sources: Revisions) -> Iterator[Unit]:
    """Memories as if they had been verified at the first revision; a Kage packet keeps the versions that it recorded."""
    for memory in memories:
        citations = tuple(
            citation
            if memory.dialect == "kage" and sources.recorded_is_known(citation)
            else verified(citation, sources)
            for citation in memory.citations
        )
        yield Unit(memory.id, citations, replace(memory, citations=citations))


def sampled_units(sources: Revisions, count: int, seed: int) -> Iterator[Unit]:
    """``count`` symbols of code files of the first revision, the same ones for the same ``seed``."""
    chance = random.Random(seed)
    paths = sorted(path for path in sources.then if (language_of(path) or "markdown") not in _DATA)
    if len(paths) > MAX_SAMPLED_FILES:
        paths = sorted(chance.sample(paths, MAX_SAMPLED_FILES))
    everything: list[tuple[str, str]] = []
    for path in paths:
        old = sources.outline_before(path)
        everything += [(path, symbol) for symbol in (old.groups if old is not None else ())]
    for path, symbol in sorted(chance.sample(everything, min(count, len(everything)))):
        yield Unit(f"{path}#{symbol}", (verified(Citation(path, symbol), sources),))


def verified(citation: Citation, sources: Revisions) -> Citation:
    """The citation with a fingerprint of what stands at the first revision; without one where it does not resolve there."""
    data = sources.before(citation.path, citation)
    bare = replace(citation, fingerprint=None, blob="", sha256="", size=None)
    if data is None:
        return bare
    bare = replace(bare, blob=sources.then[citation.path])
    old = sources.outline_before(citation.path)
    if not citation.symbol:
        if citation.names:
            return replace(bare, sha256=sources.sha256(data), size=len(data))
        return (
            bare
            if citation.lines
            else replace(bare, fingerprint=fingerprint_file(language_of(citation.path), data, old))
        )
    groups = old.match(citation.symbol) if old is not None else ()
    if old is None or len(groups) != 1:
        return bare
    symbol = groups[0].path
    return replace(bare, symbol=symbol, fingerprint=fingerprint(old, symbol, citation.excerpt))


def replay(units: Iterable[Unit], sources: Revisions) -> Iterator[Outcome]:
    """Every unit judged at the second revision; a citation that did not resolve at the first one is ``unchecked``."""
    for unit in units:
        if unit.memory is not None:
            judgements = judge_memory(unit.memory, sources)
        else:
            judgements = tuple(judge(citation, sources) for citation in unit.citations)
        yield Outcome(
            unit,
            tuple(
                judgement
                if citation.fingerprint or citation.sha256 or (citation.lines and citation.blob)
                else Judgement(Verdict.UNCHECKED, symbol=citation.symbol, reason=_ABSENT)
                for citation, judgement in zip(unit.citations, judgements, strict=True)
            ),
        )
