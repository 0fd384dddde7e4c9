"""What the server holds for one client: workspace folders, open documents, and one project per root.

*Invariants.* Everything here runs on the event loop; what may take longer than a few milliseconds (loading a root, looking
at the disk, new settings) runs in a thread while the root's lock is held: a project has one writer at a time, and nobody
reads its files through a snapshot meanwhile. A request sees the newest text: pending edits are applied first.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from memory_lsp.core.text import Encoding
from memory_lsp.features.view import DocumentView
from memory_lsp.server.convert import path_to_uri, relative_path, uri_to_path
from memory_lsp.server.documents import Document, text_on_disk, without_mark
from memory_lsp.server.histories import Histories
from memory_lsp.server.places import Home, find_places
from memory_lsp.server.publisher import Publisher
from memory_lsp.server.root import Root
from memory_lsp.server.support import ClientSupport
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.settings import Settings

logger = logging.getLogger(__name__)
Result = TypeVar("Result")

SETTING_NAMES = frozenset(field.name for field in fields(Settings))
CLOSED_DOCUMENTS = 16
"""How many documents that were closed with unsaved text are remembered, since their save may be told afterwards."""
LOOK_FOR_ROOTS_SECONDS = 2.0
"""How often a folder without a store is looked at again."""


class Session:
    """``publisher`` sends what the client shows; ``ask_configuration`` reads the client's settings for folder URIs."""

    def __init__(
        self,
        publisher: Publisher,
        ask_configuration: Callable[[list[str]], Awaitable[list[Mapping[str, object]]]],
        failed: Callable[[], None],
    ) -> None:
        self.support = ClientSupport()
        self.documents: dict[str, Document] = {}
        self._closed: dict[str, Document] = {}
        self.roots: dict[str, Root] = {}
        self.trusted = True
        self._folders: dict[str, str] = {}
        self._publisher = publisher
        self._ask_configuration = ask_configuration
        self.failed = failed
        self._tasks: set[asyncio.Task[Any]] = set()
        self._pool = ThreadPoolExecutor(max_workers=2, thread_name_prefix="project")
        self._started = False

    @property
    def encoding(self) -> Encoding:
        """The negotiated position encoding."""
        return self.support.encoding

    # Life

    def initialize(self, params: Mapping[str, Any], support: ClientSupport) -> None:
        """Remember what the client said; nothing is read or sent before ``initialized``."""
        self.support = support
        self.trusted = support.trusted
        self._publisher.support = support
        folders = params.get("workspaceFolders")
        uris = [folder["uri"] for folder in folders] if isinstance(folders, list) else []
        if not uris:
            root_uri, root_path = params.get("rootUri"), params.get("rootPath")
            uris = [root_uri] if root_uri else [path_to_uri(root_path)] if root_path else []
        self.change_folders(uris, ())

    def start(self) -> None:
        """The client is ready: load the roots and keep looking."""
        self._started = True
        self.find_roots()
        self.spawn(self._look_for_roots())

    def spawn(self, work: Awaitable[Any]) -> None:
        """Run in the background; an error is logged and told once."""

        async def run() -> None:
            try:
                await work
            except Exception:
                logger.exception("work in the background failed")
                self.failed()

        task = asyncio.get_running_loop().create_task(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Folders and roots

    def change_folders(self, added: Iterable[str], removed: Iterable[str]) -> None:
        """Workspace folders by URI."""
        for uri in removed:
            self._folders.pop(uri, None)
        for uri in added:
            path = uri_to_path(uri)
            if path is not None:
                self._folders[uri] = path.rstrip("/\\") or path
        if self._started:
            self.find_roots()

    def find_roots(self) -> None:
        """Load the roots of all folders and open documents, drop those that nothing needs any more."""
        places = find_places(self._folders, self.documents)
        for key in [key for key in self.roots if key not in places.roots]:
            self._drop(key)
        for key, uri in places.roots.items():
            if key not in self.roots:
                self._load(key, uri)
        for document in self.documents.values():
            home = places.homes[document.uri]
            if (document.root, document.path) != (home or (None, "")):
                self._place(document, home)

    def _load(self, key: str, uri: str) -> None:
        root = Root(key, uri)
        self.roots[key] = root
        self.spawn(self._loading(root))

    async def _loading(self, root: Root) -> None:
        self._publisher.status(root, "indexing")
        self.spawn(self._publisher.progress("memories", f"reading {Path(root.path).name}", root.loaded))
        try:
            async with root.lock:
                configuration = asyncio.ensure_future(self._configuration([root]))
                project = await self._threaded(lambda: Project(Path(root.path), trusted=self.trusted))
                settings = self._settings((await configuration)[0])
                await self._threaded(lambda: project.configure(settings))
                if root.dropped:
                    await self._threaded(project.close_down)
                    return
                root.project = project
                await self._threaded(root.person)
                root.histories = Histories(Path(root.path))
                for document in self.documents.values():
                    if document.root == root.path:
                        root.pending[document.path] = document
                self._apply_pending(root, project)
                self._show(root)
        except Exception:
            self._publisher.status(root, "error")
            raise
        finally:
            root.loaded.set()
        self.spawn(self._look(root))

    def _drop(self, key: str) -> None:
        root = self.roots.pop(key)
        root.dropped = True
        root.cancel_timer()
        for document in self.documents.values():
            if document.root == key:
                document.root = None
                self._publisher.clear(document.uri)
        self._publisher.forget(root)
        if root.histories is not None:
            root.histories.close()
        if root.project is not None:
            self.spawn(self._close_project(root))

    async def _close_project(self, root: Root) -> None:
        async with root.lock:
            if root.project is not None:
                await self._threaded(root.project.close_down)

    async def _look_for_roots(self) -> None:
        while True:
            await asyncio.sleep(LOOK_FOR_ROOTS_SECONDS)
            with contextlib.suppress(OSError):
                self.find_roots()

    async def _look(self, root: Root) -> None:
        """Look at the disk again and again: agents edit files that no editor has open."""
        while not root.dropped and root.project is not None:
            seconds = root.project.snapshot.settings.poll
            await asyncio.sleep(seconds or LOOK_FOR_ROOTS_SECONDS)
            if seconds and not root.dropped:
                try:
                    await self.change(root, lambda project: (project.poll(), root.person()))
                except Exception:
                    # One look that fails must not be the last one.
                    logger.exception("the disk could not be looked at")
                    self.failed()

    # Settings

    async def _configuration(self, roots: list[Root]) -> list[Mapping[str, object]]:
        if not self.support.configuration:
            return [self.support.settings for _ in roots]
        answers = await self._ask_configuration([root.uri for root in roots])
        return [{**self.support.settings, **answer} for answer in answers]

    def _settings(self, answer: Mapping[str, object]) -> dict[str, object]:
        """What of a client's section is ours: ``trusted`` is the workspace's, the rest may be the client's own."""
        trusted = answer.get("trusted")
        if isinstance(trusted, bool):
            self.trust(trusted)
        return {name: value for name, value in answer.items() if name in SETTING_NAMES}

    async def reconfigure(self, pushed: Mapping[str, object] | None) -> None:
        """The client's settings changed: ask for them, or take what was pushed by a client that cannot be asked."""
        roots = list(self.roots.values())
        if self.support.configuration:
            answers = await self._configuration(roots)
        else:
            answers = [{**self.support.settings, **(pushed or {})} for _ in roots]
        for root, answer in zip(roots, answers, strict=True):
            settings = self._settings(answer)
            await self.change(root, lambda project, root=root, settings=settings: _configure(root, project, settings))  # type: ignore[misc]

    def trust(self, trusted: bool) -> None:
        """The workspace became trusted, or is not any more: load everything anew under the other rule."""
        if trusted == self.trusted:
            return
        self.trusted = trusted
        for key in list(self.roots):
            self._drop(key)
        self.find_roots()

    # Documents

    def open(self, uri: str, text: str, version: int) -> None:
        """``textDocument/didOpen``."""
        self._closed.pop(uri, None)
        self.documents[uri] = Document(uri, version, text, opened=text)
        self.find_roots()

    def edit(self, uri: str, text: str, version: int) -> None:
        """``textDocument/didChange`` with the full text; of a document that is not open it is ignored."""
        document = self.documents.get(uri)
        if document is None:
            logger.info("ignored a change of a document that is not open")
            return
        document.change(text, version)
        root = self._root(document)
        if root is None or root.project is None:
            return
        root.pending[document.path] = document
        milliseconds = root.project.snapshot.settings.debounce
        root.cancel_timer()
        if milliseconds:
            loop = asyncio.get_running_loop()
            root.timer = loop.call_later(milliseconds / 1000, lambda: self._settle_soon(root))
        else:
            self._settle_soon(root)

    def close(self, uri: str) -> None:
        """``textDocument/didClose``: the disk counts again, and nothing is shown for it any more."""
        document = self.documents.pop(uri, None)
        if document is None:
            return
        if document.text != document.saved:
            self._closed[uri] = document
            if len(self._closed) > CLOSED_DOCUMENTS:
                del self._closed[next(iter(self._closed))]
        self._publisher.clear(uri)
        root = self._root(document)
        if root is not None:
            root.pending[document.path] = None
            self._settle_soon(root)
        self.find_roots()

    def save(self, uri: str) -> tuple[Root, Document] | None:
        """``textDocument/didSave``: the disk holds the buffer's text now. VS Code closes a document that no tab shows before it says so."""
        document = self.documents.get(uri) or self._closed.pop(uri, None)
        if document is None:
            return None
        document.saved = document.text
        root = self._root(document)
        if root is None:
            self.find_roots()
            return None
        return root, document

    async def refresh(self, uris: Iterable[str]) -> None:
        """The client saw these files change on disk."""
        paths = [path for path in (uri_to_path(uri) for uri in uris) if path is not None]
        self.find_roots()
        for root in list(self.roots.values()):
            inner = [found for found in (relative_path(path, root.path) for path in paths) if found]
            if inner:
                await self.change(root, lambda project, inner=inner: project.refresh(inner))  # type: ignore[misc]

    @contextlib.asynccontextmanager
    async def view(self, uri: str) -> AsyncIterator[tuple[Root, DocumentView] | None]:
        """An open document as the newest snapshot sees it, while nobody changes the root; ``None`` where no store is responsible."""
        document = self.documents.get(uri)
        root = self._root(document) if document is not None else None
        if document is None or root is None:
            yield None
            return
        async with self.quiet(root) as project:
            if project is None or document.root != root.path or self.documents.get(uri) is not document:
                yield None
            else:
                yield root, DocumentView(project.snapshot, document.path, document.lines)

    @contextlib.asynccontextmanager
    async def quiet(self, root: Root) -> AsyncIterator[Project | None]:
        """The root's project with all pending edits applied, while nobody changes it; ``None`` if it is gone."""
        await root.loaded.wait()
        async with root.lock:
            if root.project is None or root.dropped:
                yield None
                return
            if root.pending:
                self._apply_pending(root, root.project)
                self._show(root)
            yield root.project

    # Changes of a project

    async def change(self, root: Root, act: Callable[[Project], object]) -> None:
        """Let ``act`` change the project in a thread, then show what is different."""
        async with self.quiet(root) as project:
            if project is not None:
                await self._threaded(lambda: act(project))
                self._show(root)

    async def settle(self, root: Root) -> None:
        """Apply pending edits now."""
        async with self.quiet(root):
            pass

    def _show(self, root: Root) -> None:
        """Show what is different, and find out in the background since when."""
        self._publisher.publish(root, self.documents)
        if root.project is not None and root.project.snapshot.problems != root.problems:
            root.problems = root.project.snapshot.problems
            for problem in root.problems:
                logger.warning("%s", problem)
        if root.project is None or root.histories is None or root.dropped:
            return
        snapshot = root.project.snapshot
        paths = [document.path for document in self.documents.values() if document.root == root.path]
        root.histories.ask(snapshot, paths, asyncio.get_running_loop())

    def _settle_soon(self, root: Root) -> None:
        if root.lock.locked():
            self.spawn(self.settle(root))
        elif root.project is not None and root.pending:
            try:
                self._apply_pending(root, root.project)
                self._show(root)
            except Exception:
                logger.exception("an edit could not be judged")
                self.failed()

    def _apply_pending(self, root: Root, project: Project) -> None:
        root.cancel_timer()
        pending, root.pending = root.pending, {}
        for path, document in pending.items():
            if document is None:
                project.close(path)
            else:
                project.open(path, document.text, document.version)

    def _place(self, document: Document, home: Home | None) -> None:
        """Another root is responsible for a document now."""
        previous = self._root(document)
        if previous is not None:
            previous.pending[document.path] = None
            self._settle_soon(previous)
            self._publisher.clear(document.uri)
        document.root, document.path = home if home is not None else (None, "")
        root = self._root(document)
        if root is not None:
            document.audited = text_on_disk(root.path, document.path)
            document.saved = without_mark(document.audited)
            root.pending[document.path] = document
            self._settle_soon(root)

    def _root(self, document: Document) -> Root | None:
        return self.roots.get(document.root) if document.root is not None else None

    async def _threaded(self, work: Callable[[], Result]) -> Result:
        """Run in a thread. No request waits for this, so that a cancelled one cannot give the lock away too early."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)


def _configure(root: Root, project: Project, settings: Mapping[str, object]) -> None:
    project.configure(settings)
    root.person()  # in the thread: it may ask git
