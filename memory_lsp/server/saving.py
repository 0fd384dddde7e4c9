"""When a record is saved: append to the audit log what was completed in it, and bury what was rejected. The record itself
is the editor's to write."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from memory_lsp.core.model import Event, Memory, Plan
from memory_lsp.dialects import parse
from memory_lsp.features.completed import completed
from memory_lsp.operations.finish import finish
from memory_lsp.operations.tombstones import tombstone
from memory_lsp.server.documents import Document
from memory_lsp.server.root import Root
from memory_lsp.server.session import Session
from memory_lsp.workspace import audit
from memory_lsp.workspace.actor import actor_of
from memory_lsp.workspace.files import Files
from memory_lsp.workspace.project import Project

logger = logging.getLogger(__name__)


class Saving:
    """Follows the saves of one session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    async def saved(self, root: Root, document: Document, text: str) -> None:
        """``document`` was saved with ``text``."""
        await self._session.change(root, lambda project: self._took(project, document, text, root.person()))

    def _took(self, project: Project, document: Document, text: str, actor: str) -> None:
        record = project.snapshot.records.get(document.path)
        if record is not None:
            if record.dialect == "kiyo":
                # Roles only: the name that git knows is personal data there.
                actor = actor_of(project.world, project.snapshot.settings, person=False)
            on_disk = Files.of(project.root).read(document.path).data
            written = on_disk.decode("utf-8", "replace") if on_disk is not None else text
            if written.removeprefix("\ufeff") != text.removeprefix("\ufeff"):
                written = text  # changed again already; what was saved is what the event is about
            at = audit.now_text()

            def waiting(memory: Memory) -> bool:
                plan = finish(memory, written, by=actor, at=at)
                return isinstance(plan, Plan) and bool(plan.edits)

            parsed = parse(record.dialect, document.path, written)
            events: tuple[Event, ...] = ()
            before: str | None = None
            for before in _baselines(document, written):
                known = parse(record.dialect, document.path, before) if before else None
                events = completed(known, parsed, waiting)
                if events:
                    break
            if events:
                document.audited, document.opened = written, None
                lines = [
                    audit.line(event, at=at, actor=actor, before=before or None, after=written) for event in events
                ]
                self._append(project, lines)
                rejected = {event.memory: event.reason for event in events if event.action == "reject"}
                graves = [
                    tombstone(memory, by=actor, at=at, reason=rejected[memory.id])
                    for memory in parsed.memories
                    if memory.id in rejected
                ]
                self._append(project, graves, "tombstones.jsonl")
        project.refresh([document.path])

    def _append(self, project: Project, lines: list[str], name: str = "audit.jsonl") -> None:
        try:
            audit.append(project.root, lines, name)
        except OSError as error:
            logger.error("%s could not be written: %s", name, error.strerror or type(error).__name__)
            self._session.failed()


def _baselines(document: Document, written: str) -> Iterator[str | None]:
    """The texts from which a save may have started: what the client opened, then what was on disk at that moment.

    What the client opened may hold acts already that were never saved; what was on disk may be what it saved right
    afterwards, or nothing while it was being written.
    """
    if document.opened is not None:
        yield document.opened
    if document.audited or document.opened in (None, "", written):
        yield document.audited
