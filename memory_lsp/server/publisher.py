"""What the client is shown without asking: diagnostics of open documents, the status, progress, fresh lenses.

*Invariant:* only differences are sent, each with the version of the document that it was computed for. ``version`` is a plain
optional property: it is sent to every client; whether one drops what is of another version it says by ``versionSupport``.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException

from memory_lsp.core.model import Finding, Severity
from memory_lsp.core.text import LineIndex
from memory_lsp.features.code_lens import code_lenses
from memory_lsp.features.status import Status, status_of
from memory_lsp.features.view import DocumentView
from memory_lsp.server.convert import diagnostic, join_uri, range_of
from memory_lsp.server.documents import Document
from memory_lsp.server.protocol import MemoryServer
from memory_lsp.server.root import Root
from memory_lsp.server.support import ClientSupport
from memory_lsp.workspace.snapshot import Snapshot

STATUS = "memoryLsp/status"
PROGRESS_AFTER_SECONDS = 0.5
"""What takes less is not worth a progress bar."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """What was last sent for a document, for which version, and whether only to say it again."""

    found: list[types.Diagnostic]
    version: int | None
    repeated: bool = False


_NOTHING = _Shown([], None)


class Publisher:
    """Remembers what the client shows for each document and each root."""

    def __init__(self, server: MemoryServer) -> None:
        self.support = ClientSupport()
        self._server = server
        self._shown: dict[str, _Shown] = {}
        self._lenses: dict[str, tuple[str, ...]] = {}
        self._statuses: dict[str, dict[str, Any]] = {}
        self._progress_tokens = 0

    def publish(self, root: Root, documents: Mapping[str, Document]) -> None:
        """Show what the root's newest snapshot says about its open documents, where that is different."""
        if root.project is None or root.dropped:
            return
        snapshot = root.project.snapshot
        lenses_differ = False
        for document in documents.values():
            if document.root != root.path or document.path in root.pending:
                continue
            found = self._diagnostics(root, snapshot, document, documents)
            self._show(document.uri, document.version, found)
            if self.support.lens_refresh:
                view = DocumentView(snapshot, document.path, document.lines)
                titles = tuple(lens.title for lens in code_lenses(view))
                lenses_differ |= titles != self._lenses.get(document.uri, titles)
                self._lenses[document.uri] = titles
        if lenses_differ:
            self._server.protocol.send_request(types.WORKSPACE_CODE_LENS_REFRESH)
        self.status(root, "ready")

    def clear(self, uri: str) -> None:
        """Show nothing for a document any more."""
        self._lenses.pop(uri, None)
        shown = self._shown.pop(uri, None)
        if shown is not None and (shown.found or self.support.diagnostic_version):
            self._send(uri, None, [])

    def forget(self, root: Root) -> None:
        """The root is gone."""
        if self._statuses.pop(root.uri, None) is not None and self.support.status:
            self._server.protocol.notify(STATUS, {"root": root.uri, "state": "closed"})

    def status(self, root: Root, state: str) -> None:
        """``memoryLsp/status``, for clients that asked for it, when it is different."""
        if not self.support.status:
            return
        found = status_of(root.project.snapshot) if root.project is not None else Status()
        params = status_params(root, state, found)
        if params != self._statuses.get(root.uri):
            self._statuses[root.uri] = params
            self._server.protocol.notify(STATUS, params)

    async def progress(self, title: str, message: str, done: asyncio.Event) -> None:
        """Show that something takes long until it is ``done``, where the client announced that it can."""
        if not self.support.progress:
            return
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(done.wait(), PROGRESS_AFTER_SECONDS)
            return
        self._progress_tokens += 1
        token = f"memory-lsp/{self._progress_tokens}"
        work = self._server.work_done_progress
        try:
            await work.create_async(token)
        except JsonRpcException:
            return  # the client does not want to see it
        work.begin(token, types.WorkDoneProgressBegin(title=title, message=message))
        await done.wait()
        work.end(token, types.WorkDoneProgressEnd())

    def _show(self, uri: str, version: int, found: list[types.Diagnostic]) -> None:
        """Send what is different. A client that drops diagnostics of another version gets them again for a newer one:
        what was sent may have crossed a change on its way."""
        shown = self._shown.get(uri, _NOTHING)
        again = self.support.diagnostic_version and version != shown.version and (found or not shown.repeated)
        if found != shown.found:
            self._shown[uri] = _Shown(found, version)
        elif again and shown is not _NOTHING:
            self._shown[uri] = _Shown(found, version, repeated=True)
        else:
            return
        self._send(uri, version, found)

    def _send(self, uri: str, version: int | None, found: list[types.Diagnostic]) -> None:
        self._server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=found)
        )

    def _diagnostics(
        self, root: Root, snapshot: Snapshot, document: Document, documents: Mapping[str, Document]
    ) -> list[types.Diagnostic]:
        found: list[types.Diagnostic] = []
        encoding = self.support.encoding
        for finding in snapshot.findings.get(document.path, ()):
            if finding.severity is not Severity.OFF:
                place = range_of(document.lines, finding.span.start, finding.span.end, encoding)
                found.append(self._diagnostic(finding, place, finding.severity, self._in_code(root, snapshot, finding)))
        store = snapshot.store_of(document.path)
        for finding in snapshot.findings.get(store.path, ()) if store is not None else ():
            # What is wrong with a store as a whole is shown at the top of each of its records that is open.
            found.append(self._diagnostic(finding, range_of(document.lines, 0, 0, encoding), finding.severity, None))
        for finding in snapshot.code_findings.get(document.path, ()):
            if finding.in_code is not None and finding.in_code_severity is not Severity.OFF:
                start = document.lines.byte_to_offset(finding.in_code.span.start)
                end = document.lines.byte_to_offset(finding.in_code.span.end)
                place = range_of(document.lines, start, end, encoding)
                related = self._in_record(root, snapshot, finding)
                link = self._record_link(root, snapshot, finding)
                found.append(self._diagnostic(finding, place, finding.in_code_severity, related, link))
        return found

    def _diagnostic(
        self,
        finding: Finding,
        place: types.Range,
        severity: Severity,
        related: types.DiagnosticRelatedInformation | None,
        link: str = "",
    ) -> types.Diagnostic:
        return diagnostic(finding, place, severity, related=related, data=self.support.diagnostic_data, link=link)

    def _record_link(self, root: Root, snapshot: Snapshot, finding: Finding) -> str:
        """What tells more about a finding in code: its record. Empty where the client shows no such link."""
        record = snapshot.records.get(finding.path)
        if not self.support.diagnostic_link or record is None:
            return ""
        line = record.text.count("\n", 0, finding.span.start)
        return join_uri(root.uri, finding.path) + (f"#L{line + 1}" if line else "")

    def _in_code(self, root: Root, snapshot: Snapshot, finding: Finding) -> types.DiagnosticRelatedInformation | None:
        """Where a finding in a record stands in code."""
        if not self.support.diagnostic_related or finding.in_code is None:
            return None
        data = snapshot.sources.read(finding.in_code.path).data
        if data is None:
            return None
        lines = LineIndex(data.decode("utf-8", "replace"))
        start = lines.byte_to_offset(finding.in_code.span.start)
        end = lines.byte_to_offset(finding.in_code.span.end)
        place = range_of(lines, start, end, self.support.encoding)
        return _related(join_uri(root.uri, finding.in_code.path), place, f"cited by {finding.memory}")

    def _in_record(self, root: Root, snapshot: Snapshot, finding: Finding) -> types.DiagnosticRelatedInformation | None:
        """Where a finding in code stands in its record."""
        record = snapshot.records.get(finding.path)
        if not self.support.diagnostic_related or record is None:
            return None
        place = range_of(LineIndex(record.text), finding.span.start, finding.span.end, self.support.encoding)
        return _related(join_uri(root.uri, finding.path), place, f"memory {finding.memory}")


def status_params(root: Root, state: str, found: Status) -> dict[str, Any]:
    """The params of ``memoryLsp/status``.

    ``state`` is ``indexing``, ``ready``, ``error`` or ``closed``; ``text`` is one line for a status bar; ``memories`` all,
    ``served``, ``unverified`` and ``withheld`` (a number for each reason) how they stand, ``toVerify`` how many need a look.
    """
    text = found.text if state == "ready" else {"indexing": "reading memories", "error": "error, see the log"}[state]
    return {
        "root": root.uri,
        "state": state,
        "text": text,
        "memories": found.memories,
        "served": found.served,
        "unverified": found.unverified,
        "withheld": dict(found.withheld),
        "toVerify": found.to_verify,
    }


def _related(uri: str, place: types.Range, message: str) -> types.DiagnosticRelatedInformation:
    return types.DiagnosticRelatedInformation(location=types.Location(uri=uri, range=place), message=message)
