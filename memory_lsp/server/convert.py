"""Between our values and the protocol's: URIs and paths, offsets and positions, plans and workspace edits.

Pure functions. This is the only module that makes positions. Paths of memories are relative to a root, with ``/``; a URI
that goes back to the client is always the client's own, or its folder's with the path behind it: links are never resolved.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from urllib.parse import quote, unquote, urlsplit

from lsprotocol import types

from memory_lsp.core.codes import SOURCE
from memory_lsp.core.model import FileEdit, Finding, Severity, TextEdit
from memory_lsp.core.text import Encoding, LineIndex

_DRIVE = re.compile(r"^/?([A-Za-z])[:|](?=/|$)")
WINDOWS = os.name == "nt"

_SEVERITY = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
    Severity.INFORMATION: types.DiagnosticSeverity.Information,
    Severity.HINT: types.DiagnosticSeverity.Hint,
}


def uri_to_path(uri: str, windows: bool = WINDOWS) -> str | None:
    """The absolute path of a ``file:`` URI, spelled as the client spelled it; ``None`` for every other URI.

    On Windows ``file:///c%3A/a`` is ``c:\\a`` and ``file://server/share/a`` is ``\\\\server\\share\\a`` (RFC 8089).
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme.lower() != "file":
        return None
    path = unquote(parts.path, errors="surrogateescape")
    if "\0" in path:
        return None
    host = unquote(parts.netloc)
    if not windows:
        return path if path.startswith("/") and host in ("", "localhost") else None
    if host not in ("", "localhost"):
        return "\\\\" + host + path.replace("/", "\\")
    match = _DRIVE.match(path)
    return f"{match[1]}:{path[match.end() :]}".replace("/", "\\") if match else None


def path_to_uri(path: str, windows: bool = WINDOWS) -> str:
    """The ``file:`` URI of an absolute path; the inverse of ``uri_to_path``."""
    if not windows:
        return "file://" + _quoted(path)
    path = path.replace("\\", "/")
    if path.startswith("//"):
        return "file:" + _quoted(path)
    return "file:///" + _quoted(path)


def relative_path(path: str, root: str, windows: bool = WINDOWS) -> str | None:
    """``path`` relative to ``root`` with ``/``, by spelling alone; ``None`` if it is not below it. Windows ignores case."""
    separator = "\\" if windows else "/"
    if windows:
        path, root = path.replace("/", "\\"), root.replace("/", "\\")
    prefix = root.rstrip(separator) + separator
    head = path[: len(prefix)]
    if (head.lower() != prefix.lower()) if windows else (head != prefix):
        return None
    inner = path[len(prefix) :].replace(separator, "/")
    parts = inner.split("/")
    return inner if inner and ".." not in parts and "." not in parts and "" not in parts else None


def join_uri(root_uri: str, path: str) -> str:
    """The URI of a path relative to a root, below the root's URI as the client spelled it."""
    return root_uri.rstrip("/") + "/" + _quoted(path)


def parent_uri(uri: str, levels: int) -> str:
    """The URI of the folder ``levels`` above a folder's URI."""
    for _ in range(levels):
        uri = uri.rstrip("/").rpartition("/")[0]
    return uri


def _quoted(path: str) -> str:
    return quote(path, safe="/", errors="surrogateescape")


def offset_of(lines: LineIndex, position: types.Position, encoding: Encoding) -> int:
    """The code point offset of a position; positions outside the document clamp to it."""
    return lines.offset(position.line, position.character, encoding)


def range_of(lines: LineIndex, start: int, end: int, encoding: Encoding) -> types.Range:
    """The range of two code point offsets."""
    first, last = lines.position(start, encoding), lines.position(max(start, end), encoding)
    return types.Range(start=types.Position(*first), end=types.Position(*last))


def text_edits(lines: LineIndex, edits: tuple[TextEdit, ...], encoding: Encoding) -> list[types.TextEdit]:
    """The protocol's edits of one document, in document order."""
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    return [
        types.TextEdit(range=range_of(lines, edit.start, edit.end, encoding), new_text=edit.new) for edit in ordered
    ]


def workspace_edit(
    edits: tuple[FileEdit, ...],
    *,
    uri: Callable[[str], str],
    version: Callable[[str], int | None],
    encoding: Encoding,
    document_changes: bool,
    create_files: bool,
) -> types.WorkspaceEdit:
    """The edit of a plan in the form that the client announced.

    With ``documentChanges`` every document carries its version and a new file is created by ``CreateFile`` (never over an
    existing one); without it, and for a new file where ``CreateFile`` was not announced, plain ``changes``.
    """
    if not document_changes or (not create_files and any(edit.before is None for edit in edits)):
        return types.WorkspaceEdit(
            changes={uri(edit.path): text_edits(LineIndex(edit.before or ""), edit.edits, encoding) for edit in edits}
        )
    changes: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile] = []
    for edit in edits:
        target = uri(edit.path)
        if edit.before is None:
            changes.append(types.CreateFile(uri=target, options=types.CreateFileOptions(ignore_if_exists=True)))
        changes.append(
            types.TextDocumentEdit(
                text_document=types.OptionalVersionedTextDocumentIdentifier(uri=target, version=version(edit.path)),
                edits=list(text_edits(LineIndex(edit.before or ""), edit.edits, encoding)),
            )
        )
    return types.WorkspaceEdit(document_changes=changes)


def diagnostic(
    finding: Finding,
    place: types.Range,
    severity: Severity,
    *,
    related: types.DiagnosticRelatedInformation | None,
    data: bool,
    link: str,
) -> types.Diagnostic:
    """One diagnostic. ``related``, ``data`` and ``link`` are given only where the client announced them."""
    details: Mapping[str, object] = {"memory": finding.memory, "path": finding.path, "symbol": finding.symbol}
    return types.Diagnostic(
        range=place,
        severity=_SEVERITY[severity],
        code=finding.code,
        code_description=types.CodeDescription(href=link) if link else None,
        source=SOURCE,
        message=finding.message,
        related_information=[related] if related else None,
        data=dict(details) if data else None,
    )
