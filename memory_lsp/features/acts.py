"""The operations as an editor runs them: on one snapshot, for one person, with placeholders for what is not said yet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from memory_lsp.core.citations import parse_citation
from memory_lsp.core.display import shown
from memory_lsp.core.model import Citation, Memory, Plan, Refusal, Verdict
from memory_lsp.core.outline import nearest
from memory_lsp.core.sources import Sources
from memory_lsp.features.kiyo_desk import desk_of
from memory_lsp.operations import kiyo
from memory_lsp.operations.approve import approve
from memory_lsp.operations.capture import CaptureRequest, StoreView, capture
from memory_lsp.operations.finish import finish
from memory_lsp.operations.follow import follow
from memory_lsp.operations.narrow import narrow
from memory_lsp.operations.reject import reject
from memory_lsp.operations.retire import retire
from memory_lsp.operations.supersede import supersede_by_capture
from memory_lsp.operations.tombstones import Tombstone
from memory_lsp.operations.verify import NEEDS_NO_EVIDENCE, as_it_stands, verify
from memory_lsp.workspace.impact import duplicated
from memory_lsp.workspace.kiyo_index_check import places_of
from memory_lsp.workspace.snapshot import Snapshot, Store


@dataclass(frozen=True, slots=True)
class Acts:
    """``by`` is the actor, ``at`` the moment (ISO 8601). ``saved`` are the files as they are on disk: fingerprints come
    from there. ``tombstones`` reads what was rejected, when it is needed.

    Every act returns the plan, or why it cannot be done; nothing is planned while the root refuses writes.
    """

    snapshot: Snapshot
    by: str
    at: str
    saved: Sources
    tombstones: Callable[[], Iterable[Tombstone]] = tuple

    def needs_evidence(self, memory: Memory) -> bool:
        """Whether a verification has to say what was checked: not while all is fresh, cosmetic or moved."""
        state = self.snapshot.states.get(memory.id)
        if memory.dialect == "kiyo":
            return True
        verdicts = [judgement.verdict for judgement in self.snapshot.judgements.get(memory.id, ())]
        if state is not None:
            verdicts.append(state.verdict)
        return any(verdict not in NEEDS_NO_EVIDENCE for verdict in verdicts)

    def verify(self, memory: Memory, evidence: str = "") -> Plan | Refusal:
        """Still true. A verification that is not finished yet is there already: it is to be filled in."""
        if any(name == "evidence" for name, _ in memory.placeholders):
            return Refusal(f"{memory.id}: a verification waits in {memory.path} for its evidence; fill it in")
        state = self.snapshot.states.get(memory.id)
        if memory.dialect == "kiyo":
            conflict = state is not None and state.verdict is Verdict.CONFLICT
            judgements = self.snapshot.judgements.get(memory.id, ())
            return self._kiyo(
                memory,
                lambda desk: kiyo.verify(memory, judgements, desk, evidence=evidence, conflict=conflict, form=True),
            )
        return self._refused() or verify(
            memory,
            self._text(memory),
            self.snapshot.judgements[memory.id],
            self.saved,
            by=self.by,
            at=self.at,
            evidence=evidence,
            form=self.needs_evidence(memory),
            expired=state is not None and state.verdict is Verdict.EXPIRED,
        )

    def supersede(self, memory: Memory, title: str = "", statement: str = "", why: str = "") -> Plan | Refusal:
        """No longer true: a new memory about the same code takes its place."""
        citations = []
        for citation, judgement in zip(memory.citations, self.snapshot.judgements[memory.id], strict=True):
            moved = judgement.verdict is Verdict.MOVED and judgement.to
            here = parse_citation(judgement.to) if moved else _address(as_it_stands(citation, self.saved))
            left = self._what_is_left(here) if judgement.verdict is Verdict.MISSING else here
            if left is not None:
                citations.append(left)
        if not citations:
            return Refusal(
                f"{memory.id}: all that it cites is gone; point a citation at what replaced it, or retire it"
            )
        if memory.dialect == "kiyo":
            new = kiyo.NewRecord(statement, tuple(citations), title=title, form=True)
            return self._kiyo(memory, lambda desk: kiyo.supersede(memory, new, desk))
        store = self.snapshot.store_of(memory.path)
        captured = self._capture(
            tuple(citations), store, title, statement, why, memory.type, memory.tags, supersedes=(memory.id,)
        )
        if isinstance(captured, Refusal):
            return captured
        return supersede_by_capture(memory, self._text(memory), captured, by=self.by, at=self.at)

    def _what_is_left(self, citation: Citation) -> Citation | None:
        """Of a symbol that is gone the innermost enclosing scope that is there, else its file; ``None`` if that is gone, too."""
        if self.saved.read(citation.path).data is None:
            return None
        outline = self.saved.outline(citation.path)
        scope = citation.symbol
        while outline is not None and "." in scope:
            scope = scope.rpartition(".")[0]
            if outline.find(scope) is not None:
                return Citation(citation.path, scope)
        return Citation(citation.path)

    def nearest(self, citation: Citation) -> tuple[str, ...]:
        """Addresses in the cited file whose names are nearest to a symbol that is gone."""
        outline = self.saved.outline(citation.path) if citation.symbol else None
        if outline is None:
            return ()
        return tuple(f"{citation.path}#{name}" for name in nearest(outline.groups, citation.symbol))

    def retire(self, memory: Memory, reason: str = "") -> Plan | Refusal:
        """Does not apply, and nothing takes its place."""
        if memory.dialect == "kiyo":
            return self._kiyo(
                memory,
                lambda desk: kiyo.end(memory, desk, status="ARCHIVED", act="retire", reason=reason, form=True),
            )
        return self._refused() or retire(
            memory, self._text(memory), by=self.by, at=self.at, reason=reason, form=not reason.strip()
        )

    def follow(self, memory: Memory, index: int | None, to: str) -> Plan | Refusal:
        """Point the citation at ``index`` (``None``: what has moved) at ``to`` (empty: where it moved)."""
        if memory.dialect == "kiyo":
            judgements = self.snapshot.judgements.get(memory.id, ())
            if index is None or (to and index < len(judgements) and to == judgements[index].to) or not to:
                return self._kiyo(memory, lambda desk: kiyo.repair(memory, judgements, desk))
            return self._kiyo(memory, lambda desk: kiyo.repoint(memory, index, to, desk))
        return self._refused() or follow(
            memory,
            self._text(memory),
            self.snapshot.judgements[memory.id],
            self.saved,
            by=self.by,
            at=self.at,
            index=index,
            to=to,
        )

    def approve(self, memory: Memory) -> Plan | Refusal:
        """A person accepts a pending memory."""
        if memory.dialect == "kiyo":
            return self._kiyo(memory, lambda desk: kiyo.approve(memory, kiyo.Approval(), desk))
        return self._refused() or approve(memory, self._text(memory), by=self.by, at=self.at)

    def reject(self, memory: Memory, reason: str = "") -> Plan | Refusal:
        """A person does not accept a pending memory. It is buried when the record is saved with a reason."""
        if memory.dialect == "kiyo":
            return self._kiyo(
                memory,
                lambda desk: kiyo.end(memory, desk, status="REJECTED", act="reject", reason=reason, form=True),
            )
        return self._refused() or reject(
            memory, self._text(memory), by=self.by, at=self.at, reason=reason, tombstones=None, form=True
        )

    def narrow(
        self,
        memory: Memory,
        index: int,
        lines: tuple[int, int] | None = None,
        member: str = "",
        evidence: str = "",
    ) -> Plan | Refusal:
        """The citation at ``index`` is about some lines (1-based) of its symbol, or about one member of its type, alone."""
        if memory.dialect == "kiyo":
            return Refusal(f"{memory.id}: a Kiyo source names files, symbols and lines: write the narrower one into it")
        return self._refused() or narrow(
            memory,
            self._text(memory),
            self.snapshot.judgements[memory.id],
            self.saved,
            by=self.by,
            at=self.at,
            index=index,
            lines=lines,
            member=member,
            evidence=evidence,
            form=not evidence.strip(),
        )

    def finish(self, memory: Memory) -> Plan | Refusal:
        """Put the machine's part of a record in step with the form that was filled in."""
        return self._refused() or finish(memory, self._text(memory), by=self.by, at=self.at)

    def capture(
        self,
        path: str,
        symbol: str,
        title: str = "",
        statement: str = "",
        why: str = "",
        type: str = "decision",
        lines: tuple[int, int] | None = None,
        store: str = "",
    ) -> Plan | Refusal:
        """A new memory about a symbol (empty: about the whole file), or about some of its ``lines`` (1-based).

        ``store`` is the path of the store that gets it, where ``stores_to_choose`` names several.
        """
        address = replace(parse_citation(f"{path}#{symbol}" if symbol else path), lines=lines)
        return self._capture((address,), self._store(store), title, statement, why, type, ())

    def _capture(
        self,
        citations: tuple[Citation, ...],
        store: Store | Refusal | None,
        title: str,
        statement: str,
        why: str,
        type: str,
        tags: tuple[str, ...],
        supersedes: tuple[str, ...] = (),
    ) -> Plan | Refusal:
        refusal = self._refused() or (store if isinstance(store, Refusal) else None)
        if refusal or not isinstance(store, Store):
            return refusal or Refusal("no store holds this record")
        if store.dialect == "kiyo":
            kind = type if type in ("observation", "proposal") else "observation"
            new = kiyo.NewRecord(statement, citations, kind, title, form=True)
            return kiyo.capture(new, self._desk(store))
        request = CaptureRequest(
            title=title,
            statement=statement,
            citations=citations,
            type=type,
            context={"why": why},
            tags=tags,
            supersedes=supersedes,
            form=True,
        )
        return capture(
            request,
            self.saved,
            StoreView(store.dialect, store.path),
            by=self.by,
            at=self.at,
            exists=self._exists,
            tombstones=self.tombstones(),
            memories=self.snapshot.memories.values(),
        )

    def repair_index(self, path: str) -> Plan | Refusal:
        """Put the index page at ``path`` of a Kiyo store in order."""
        store = next((store for store in self.snapshot.stores if store.index == path), None)
        refusal = self._refused()
        if refusal or store is None:
            return refusal or Refusal(f"{path} is the index of no Kiyo store")
        records = self.snapshot.records
        mine = {name: record for name, record in records.items() if store.holds(name)}
        topics = {name: memory.title for name, memory in self.snapshot.memories.items()}
        return kiyo.repair_index(places_of(mine), topics, self._desk(store))

    def _kiyo(self, memory: Memory, act: Callable[[kiyo.Desk], Plan | Refusal]) -> Plan | Refusal:
        """An act on a record of a Kiyo store; nothing is written to an id that several records have."""
        store = self.snapshot.store_of(memory.path)
        refusal = self._refused()
        if refusal or store is None:
            return refusal or Refusal("no store holds this record")
        if memory.id in duplicated(self.snapshot):
            return Refusal(f"CONFLICT: {memory.id} is the id of several records; nothing is written to any of them")
        state = self.snapshot.states.get(memory.id)
        if state is not None and state.reason.startswith("its rule contradicts"):
            return Refusal(f"CONFLICT: {memory.id}: {state.reason}; a person decides which of the decisions holds")
        return act(self._desk(store))

    def _desk(self, store: Store) -> kiyo.Desk:
        return desk_of(self.snapshot, store, by=self.by, at=self.at, sources=self.saved)

    def stores_to_choose(self) -> tuple[Store, ...]:
        """The stores among which a person chooses where a capture goes; none where there is nothing to choose."""
        if self._refused() or self._named(self.snapshot.settings.store) or len(self.snapshot.stores) < 2:
            return ()
        return self.snapshot.stores

    def _named(self, name: str) -> Store | None:
        """The store with a path or a dialect."""
        wanted = name.strip().rstrip("/")
        return next((store for store in self.snapshot.stores if wanted and wanted in (store.path, store.dialect)), None)

    def _store(self, name: str) -> Store | Refusal:
        """The store that a capture goes to: the one that is named, or that the settings name, else the only one."""
        stores = self.snapshot.stores
        chosen = self._named(name or self.snapshot.settings.store)
        if chosen is not None:
            return chosen
        if len(stores) == 1 and not name:
            return stores[0]
        held = ", ".join(f"{store.path} ({store.dialect})" for store in stores)
        if name:
            return Refusal(f"there is no store {shown(name, 80)} here; this root holds {held}")
        return Refusal(f"this root holds {held}: name the one that gets new memories in the setting `store`")

    def _refused(self) -> Refusal | None:
        if self.snapshot.unreadable:
            return Refusal(f"{', '.join(self.snapshot.unreadable)} cannot be read: nothing is written")
        return Refusal(self.snapshot.refusal) if self.snapshot.refusal else None

    def _text(self, memory: Memory) -> str:
        return self.snapshot.records[memory.path].text

    def _exists(self, path: str) -> bool:
        return path in self.snapshot.records or not self.saved.read(path).missing


def _address(citation: Citation) -> Citation:
    return Citation(citation.path, citation.symbol, citation.lines, citation.kind, citation.excerpt)
