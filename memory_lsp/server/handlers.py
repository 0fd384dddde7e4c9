"""The protocol's methods: each handler translates, asks the session or a feature, and translates back.

Handlers are bound functions that take ``params``. Requests are ``async`` and so can be cancelled; they compute their answer
from one snapshot. Notifications that change documents run at once, in the order in which they came.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types

from memory_lsp.core.text import LineIndex
from memory_lsp.features.code_lens import code_lenses
from memory_lsp.features.definition import definition
from memory_lsp.features.document_links import document_links
from memory_lsp.features.hover import hover
from memory_lsp.features.outline import Entry, outline_of
from memory_lsp.features.references import references
from memory_lsp.features.view import DocumentView
from memory_lsp.server.actions import Actions
from memory_lsp.server.commands import Commands
from memory_lsp.server.convert import join_uri, offset_of, range_of
from memory_lsp.server.edits import uri_of
from memory_lsp.server.parent import watch_parent
from memory_lsp.server.protocol import MemoryServer
from memory_lsp.server.publisher import Publisher
from memory_lsp.server.root import Root
from memory_lsp.server.saving import Saving
from memory_lsp.server.session import Session
from memory_lsp.server.support import ClientSupport

logger = logging.getLogger(__name__)

SECTION = "memoryLsp"
CONFIGURATION_SECONDS = 2.0
"""How long a client may take to tell its settings before the roots are read without them."""

WATCHED = ("**/{.memory,.agent_memory,.memory-lsp}/**", "**/.git/HEAD", "**/*.{%s}")


def make_server(end: Callable[[int], None]) -> MemoryServer:
    """The server with all its features; ``end`` is called with the exit code when it is to end."""
    server = MemoryServer()
    server.protocol.on_exit = end
    handlers = Handlers(server, end)
    server.protocol.on_initialize = handlers.initialize
    # pygls's decorator marks what it registers, which bound functions do not take.
    server.protocol.fm.features.update(handlers.methods())
    return server


class Handlers:
    """One client's handlers."""

    def __init__(self, server: MemoryServer, end: Callable[[int], None]) -> None:
        self._server = server
        self._end = end
        self._publisher = Publisher(server)
        self._session = Session(self._publisher, self._ask_configuration, server.protocol.tell_once)
        self._commands = Commands(server, self._session)
        self._actions = Actions(self._session)
        self._saving = Saving(self._session)

    def methods(self) -> dict[str, Callable[[Any], Any]]:
        """Every handler by its method."""
        return {
            types.INITIALIZED: self.initialized,
            types.TEXT_DOCUMENT_DID_OPEN: self.did_open,
            types.TEXT_DOCUMENT_DID_CHANGE: self.did_change,
            types.TEXT_DOCUMENT_DID_SAVE: self.did_save,
            types.TEXT_DOCUMENT_DID_CLOSE: self.did_close,
            types.WORKSPACE_DID_CHANGE_CONFIGURATION: self.did_change_configuration,
            types.WORKSPACE_DID_CHANGE_WATCHED_FILES: self.did_change_watched_files,
            types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: self.did_change_workspace_folders,
            types.WORKSPACE_EXECUTE_COMMAND: self._commands.execute,
            types.TEXT_DOCUMENT_HOVER: self.hover,
            types.TEXT_DOCUMENT_DEFINITION: self.definition,
            types.TEXT_DOCUMENT_REFERENCES: self.references,
            types.TEXT_DOCUMENT_DOCUMENT_SYMBOL: self.document_symbol,
            types.TEXT_DOCUMENT_DOCUMENT_LINK: self.document_link,
            types.TEXT_DOCUMENT_CODE_LENS: self.code_lens,
            types.TEXT_DOCUMENT_CODE_ACTION: self._actions.answer,
        }

    # Life

    def initialize(self, params: Mapping[str, Any], support: ClientSupport) -> None:
        """The params of ``initialize``, found usable."""
        self._session.initialize(params, support)
        process = params.get("processId")
        if process is not None:
            watch_parent(process, lambda: self._end(1))

    def initialized(self, params: types.InitializedParams) -> None:
        """The client is ready for requests."""
        self._session.start()
        self._session.spawn(self._register())

    async def _register(self) -> None:
        support = self._session.support
        registrations = []
        if support.register_watched_files:
            options = types.DidChangeWatchedFilesRegistrationOptions(
                watchers=[types.FileSystemWatcher(glob_pattern=pattern) for pattern in watched_patterns()]
            )
            registrations.append(
                types.Registration(
                    id="memory-lsp/files", method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options
                )
            )
        if support.register_configuration:
            configuration = types.DidChangeConfigurationRegistrationOptions(section=SECTION)
            registrations.append(
                types.Registration(
                    id="memory-lsp/settings",
                    method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                    register_options=configuration,
                )
            )
        if registrations:
            await self._server.client_register_capability_async(types.RegistrationParams(registrations=registrations))

    async def _ask_configuration(self, scopes: list[str]) -> list[Mapping[str, object]]:
        """The client's settings for each folder; empty ones if it does not answer in time."""
        items = [types.ConfigurationItem(scope_uri=uri, section=SECTION) for uri in scopes]
        try:
            answers = await asyncio.wait_for(
                self._server.workspace_configuration_async(types.ConfigurationParams(items=items)),
                CONFIGURATION_SECONDS,
            )
        except Exception as error:
            logger.warning("the client did not tell its settings (%s)", type(error).__name__)
            answers = ()
        told: list[Mapping[str, object]] = [answer if isinstance(answer, dict) else {} for answer in answers or ()]
        return [*told, *({} for _ in scopes)][: len(scopes)]

    # Documents and the workspace

    def did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        """``textDocument/didOpen``."""
        document = params.text_document
        self._session.open(document.uri, document.text, document.version)

    def did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        """``textDocument/didChange``: the last full text counts."""
        for change in reversed(params.content_changes):
            if isinstance(change, types.TextDocumentContentChangeWholeDocument):
                self._session.edit(params.text_document.uri, change.text, params.text_document.version)
                return
        logger.warning("ignored a change of a part of a document: full text was negotiated")

    def did_save(self, params: types.DidSaveTextDocumentParams) -> None:
        """``textDocument/didSave``: the audit log gets what was completed."""
        saved = self._session.save(params.text_document.uri)
        if saved is not None:
            root, document = saved
            self._session.spawn(self._saving.saved(root, document, document.text))

    def did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        """``textDocument/didClose``."""
        self._session.close(params.text_document.uri)

    def did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        """``workspace/didChangeConfiguration``: settings are asked for, or taken from the push."""
        settings = params.settings
        pushed = settings.get(SECTION, settings) if isinstance(settings, dict) else None
        self._session.spawn(self._session.reconfigure(pushed if isinstance(pushed, dict) else None))

    def did_change_watched_files(self, params: types.DidChangeWatchedFilesParams) -> None:
        """``workspace/didChangeWatchedFiles``."""
        self._session.spawn(self._session.refresh([change.uri for change in params.changes]))

    def did_change_workspace_folders(self, params: types.DidChangeWorkspaceFoldersParams) -> None:
        """``workspace/didChangeWorkspaceFolders``."""
        self._session.change_folders(
            [folder.uri for folder in params.event.added], [folder.uri for folder in params.event.removed]
        )

    # Requests

    async def hover(self, params: types.HoverParams) -> types.Hover | None:
        """``textDocument/hover``."""
        async with self._session.view(params.text_document.uri) as found:
            if found is None:
                return None
            root, view = found
            markdown = self._session.support.hover_markdown
            answer = hover(
                view,
                offset_of(view.lines, params.position, self._session.encoding),
                lambda path, line: self._link(root, path, line),
                root.histories.phrases if root.histories is not None else {},
                markdown=markdown,
            )
            if answer is None:
                return None
            kind = types.MarkupKind.Markdown if markdown else types.MarkupKind.PlainText
            return types.Hover(
                contents=types.MarkupContent(kind=kind, value=answer.text),
                range=range_of(view.lines, answer.span.start, answer.span.end, self._session.encoding),
            )

    async def definition(
        self, params: types.DefinitionParams
    ) -> list[types.Location] | list[types.LocationLink] | None:
        """``textDocument/definition``."""
        encoding = self._session.encoding
        async with self._session.view(params.text_document.uri) as found:
            if found is None:
                return None
            root, view = found
            links = []
            for target in definition(view, offset_of(view.lines, params.position, encoding)):
                data = view.snapshot.sources.read(target.place.path).data or b""
                lines = LineIndex(data.decode("utf-8", "replace"))
                start = lines.byte_to_offset(target.place.span.start)
                end = lines.byte_to_offset(target.place.span.end)
                place = range_of(lines, start, end, encoding)
                links.append(
                    types.LocationLink(
                        target_uri=uri_of(self._session, root, target.place.path),
                        target_range=place,
                        target_selection_range=place,
                        origin_selection_range=range_of(view.lines, target.span.start, target.span.end, encoding),
                    )
                )
        if self._session.support.definition_links:
            return links
        return [types.Location(uri=link.target_uri, range=link.target_selection_range) for link in links]

    async def references(self, params: types.ReferenceParams) -> list[types.Location] | None:
        """``textDocument/references``: where a cited symbol is remembered; nothing where nothing is."""
        encoding = self._session.encoding
        async with self._session.view(params.text_document.uri) as found:
            if found is None:
                return None
            root, view = found
            places = []
            for item in references(view, offset_of(view.lines, params.position, encoding)):
                lines = LineIndex(view.snapshot.records[item.path].text)
                place = range_of(lines, item.span.start, item.span.end, encoding)
                places.append(types.Location(uri=uri_of(self._session, root, item.path), range=place))
            return places or None

    async def document_symbol(
        self, params: types.DocumentSymbolParams
    ) -> list[types.DocumentSymbol] | list[types.SymbolInformation] | None:
        """``textDocument/documentSymbol`` of a record; nothing for other documents."""
        async with self._session.view(params.text_document.uri) as found:
            if found is None:
                return None
            view = found[1]
            entries = outline_of(view)
            if not entries:
                return None
            if self._session.support.symbol_trees:
                return [self._symbol(view, entry, types.SymbolKind.Class) for entry in entries]
            flat = []
            for entry in entries:
                for item, kind in (
                    (entry, types.SymbolKind.Class),
                    *((one, types.SymbolKind.Field) for one in entry.children),
                ):
                    place = range_of(view.lines, item.span.start, item.span.end, self._session.encoding)
                    location = types.Location(uri=params.text_document.uri, range=place)
                    container = entry.name if item is not entry else None
                    flat.append(
                        types.SymbolInformation(location=location, name=item.name, kind=kind, container_name=container)
                    )
            return flat

    def _symbol(self, view: DocumentView, entry: Entry, kind: types.SymbolKind) -> types.DocumentSymbol:
        encoding = self._session.encoding
        return types.DocumentSymbol(
            name=entry.name,
            detail=entry.detail or None,
            kind=kind,
            range=range_of(view.lines, entry.span.start, entry.span.end, encoding),
            selection_range=range_of(view.lines, entry.place.start, entry.place.end, encoding),
            children=[self._symbol(view, child, types.SymbolKind.Field) for child in entry.children],
        )

    async def document_link(self, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
        """``textDocument/documentLink``."""
        async with self._session.view(params.text_document.uri) as found:
            if found is None:
                return None
            root, view = found
            return [
                types.DocumentLink(
                    range=range_of(view.lines, link.span.start, link.span.end, self._session.encoding),
                    target=self._link(root, link.path, link.line),
                    tooltip=link.tooltip if self._session.support.link_tooltips else None,
                )
                for link in document_links(view)
            ]

    async def code_lens(self, params: types.CodeLensParams) -> list[types.CodeLens] | None:
        """``textDocument/codeLens``."""
        async with self._session.view(params.text_document.uri) as found:
            if found is None:
                return None
            root, view = found
            return [
                types.CodeLens(
                    range=range_of(view.lines, lens.span.start, lens.span.end, self._session.encoding),
                    command=types.Command(
                        title=lens.title,
                        command="memoryLsp.server.open",
                        arguments=[{"memory": lens.memories[0], "memories": list(lens.memories), "root": root.uri}],
                    ),
                )
                for lens in code_lenses(view)
            ]

    def _link(self, root: Root, path: str, line: int) -> str:
        uri = uri_of(self._session, root, path) if path else join_uri(root.uri, path)
        return f"{uri}#L{line + 1}" if line else uri


def watched_patterns() -> list[str]:
    """Globs of what a change matters of: stores, settings, HEAD, and source files in every language that is read."""
    from memory_lsp.core.languages import LANGUAGES

    suffixes = ",".join(sorted(name[1:] for language in LANGUAGES.values() for name in language.extensions))
    return [pattern % suffixes if "%s" in pattern else pattern for pattern in WATCHED]
