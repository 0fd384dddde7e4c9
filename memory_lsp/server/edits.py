"""What it takes to act on a root's records: who acts, what is saved, and plans as the client takes them."""

from __future__ import annotations

from lsprotocol import types

from memory_lsp.core.model import Plan
from memory_lsp.features.acts import Acts
from memory_lsp.operations.tombstones import PATH as TOMBSTONES
from memory_lsp.operations.tombstones import read_tombstones
from memory_lsp.server.convert import join_uri, workspace_edit
from memory_lsp.server.documents import text_on_disk, without_mark
from memory_lsp.server.root import Root
from memory_lsp.server.session import Session
from memory_lsp.workspace.audit import now_text
from memory_lsp.workspace.sources import View


def unsaved(session: Session, root: Root, path: str) -> bool:
    """Whether a file of a root is open with other text than on disk."""
    for document in session.documents.values():
        if document.root == root.path and document.path == path and document.text != document.saved:
            document.saved = without_mark(text_on_disk(root.path, path))
            if without_mark(document.text) != document.saved:
                return True
    return False


def uri_of(session: Session, root: Root, path: str) -> str:
    """The client's URI of a file in a root."""
    for document in session.documents.values():
        if document.root == root.path and document.path == path:
            return document.uri
    return join_uri(root.uri, path)


def version_of(session: Session, root: Root, path: str) -> int | None:
    """The version of a file in a root if it is open."""
    for document in session.documents.values():
        if document.root == root.path and document.path == path:
            return document.version
    return None


def acts_for(session: Session, root: Root) -> Acts:
    """The operations on a root's newest snapshot, for the person at the editor."""
    assert root.project is not None
    project = root.project
    return Acts(
        project.snapshot,
        root.person(),
        now_text(),
        View(project.world),
        lambda: read_tombstones((project.world.files.read(TOMBSTONES).data or b"").decode("utf-8", "replace")),
    )


def edit_of(session: Session, root: Root, plan: Plan) -> types.WorkspaceEdit:
    """A plan's edits as the client takes them."""
    return workspace_edit(
        plan.edits,
        uri=lambda path: uri_of(session, root, path),
        version=lambda path: version_of(session, root, path),
        encoding=session.encoding,
        document_changes=session.support.document_changes,
        create_files=session.support.create_files,
    )
