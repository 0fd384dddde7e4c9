"""URIs, paths and edits as pure functions, Windows spellings among them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from memory_lsp.core.model import FileEdit, TextEdit, apply_edits
from memory_lsp.core.text import Encoding, LineIndex
from memory_lsp.server.convert import (
    join_uri,
    parent_uri,
    path_to_uri,
    range_of,
    relative_path,
    text_edits,
    uri_to_path,
    workspace_edit,
)

NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=("Cs",)), min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..")
)
ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///c%3A/Users/a%20b/x.py", "c:\\Users\\a b\\x.py"),
        ("file:///C:/Users/x.py", "C:\\Users\\x.py"),
        ("file:///c|/x.py", "c:\\x.py"),
        ("file:///C:", "C:"),
        ("file://server/share/x%23y.py", "\\\\server\\share\\x#y.py"),
        ("file://localhost/D:/x.py", "D:\\x.py"),
        ("FILE:///d:/x.py", "d:\\x.py"),
        ("file:///no/drive.py", None),
        ("untitled:Untitled-1", None),
        ("http://c/x.py", None),
        ("file:///c:/%00", None),
    ],
)
def test_uris_of_windows(uri: str, path: str | None) -> None:
    assert uri_to_path(uri, windows=True) == path


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("C:\\Users\\a b\\é.py", "file:///C%3A/Users/a%20b/%C3%A9.py"),
        ("\\\\server\\share\\x.py", "file://server/share/x.py"),
    ],
)
def test_paths_of_windows(path: str, uri: str) -> None:
    assert path_to_uri(path, windows=True) == uri
    assert uri_to_path(uri, windows=True) == path


@pytest.mark.parametrize(
    ("path", "root", "inner"),
    [
        ("C:\\Shop\\src\\x.py", "c:\\shop", "src/x.py"),
        ("c:/shop/x.py", "C:\\shop\\", "x.py"),
        ("C:\\shopshop\\x.py", "C:\\shop", None),
        ("C:\\shop", "C:\\shop", None),
        ("C:\\shop\\..\\x.py", "C:\\shop", None),
        ("\\\\server\\share\\x.py", "\\\\SERVER\\share", "x.py"),
    ],
)
def test_relative_paths_of_windows(path: str, root: str, inner: str | None) -> None:
    assert relative_path(path, root, windows=True) == inner


@pytest.mark.parametrize(
    ("path", "root", "inner"),
    [
        ("/shop/src/x.py", "/shop", "src/x.py"),
        ("/shop/x.py", "/", "shop/x.py"),
        ("/Work/x.py", "/shop", None),
        ("/shopshop/x.py", "/shop", None),
        ("/shop/../x.py", "/shop", None),
        ("/shop//x.py", "/shop", None),
        ("/shop/", "/shop", None),
        ("/shop/a\\b.py", "/shop", "a\\b.py"),
    ],
)
def test_relative_paths(path: str, root: str, inner: str | None) -> None:
    assert relative_path(path, root, windows=False) == inner


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_paths_survive_uris(names: list[str]) -> None:
    path = "/" + "/".join(names)
    assert uri_to_path(path_to_uri(path, windows=False), windows=False) == path
    joined = join_uri("file:///r%C3%B6ot/", "/".join(names))
    assert joined.startswith("file:///r%C3%B6ot/"), "the client's spelling stays"
    assert uri_to_path(joined, windows=False) == "/röot" + path
    assert parent_uri(joined, len(names)) == "file:///r%C3%B6ot"


def test_a_name_that_is_not_utf8_survives() -> None:
    path = "/caf\udce9.py"
    assert uri_to_path(path_to_uri(path, windows=False), windows=False) == path


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(
    st.text(st.sampled_from("aé𝐱🔑\u2028\u0085\n\r\ue000"), max_size=30),
    st.lists(
        st.tuples(st.integers(0, 30), st.integers(0, 5), st.text(st.sampled_from("xy\n𝐱"), max_size=3)), max_size=4
    ),
)
def test_edits_mean_the_same_in_every_encoding(
    encoding: Encoding, text: str, wanted: list[tuple[int, int, str]]
) -> None:
    """Applied by an independent client, the protocol's edits give the text that the plan means."""
    edits: list[TextEdit] = []
    at = 0
    for skip, length, new in wanted:
        start = min(len(text), at + skip)
        end = min(len(text), start + length)
        if any(0 < edge < len(text) and text[edge - 1 : edge + 1] == "\r\n" for edge in (start, end)):
            continue  # no position lies inside a line end
        if edits and start == edits[-1].end:
            continue
        edits.append(TextEdit(start, end, new))
        at = end
    lines = LineIndex(text)
    converted = text_edits(lines, tuple(edits), encoding)
    assert _applied(text, converted, encoding) == apply_edits(text, tuple(edits))


def _applied(text: str, edits: list[types.TextEdit], encoding: Encoding) -> str:
    """An editor of its own: lines split by hand, characters counted in encoded bytes."""
    code, unit = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]
    starts = [0]
    position = 0
    while position < len(text):
        if text[position : position + 2] == "\r\n":
            position += 2
        elif text[position] in "\r\n":
            position += 1
        else:
            position += 1
            continue
        starts.append(position)

    def offset(place: types.Position) -> int:
        rest = text[starts[place.line] :].encode(code)[: place.character * unit]
        return starts[place.line] + len(rest.decode(code))

    for edit in reversed(edits):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


def _edit(document_changes: bool, create_files: bool, *edits: FileEdit) -> types.WorkspaceEdit:
    return workspace_edit(
        edits,
        uri=lambda path: f"file:///{path}",
        version=lambda path: 7 if path == "open" else None,
        encoding="utf-16",
        document_changes=document_changes,
        create_files=create_files,
    )


def test_the_form_of_a_workspace_edit_is_what_was_announced() -> None:
    old = FileEdit("open", "a\nb", (TextEdit(2, 3, "c"), TextEdit(0, 1, "d")))
    new = FileEdit("new", None, (TextEdit(0, 0, "text"),))
    plain = _edit(False, False, old, new)
    assert plain.document_changes is None and plain.changes is not None
    assert [edit.new_text for edit in plain.changes["file:///open"]] == ["d", "c"]
    assert plain.changes["file:///new"][0].range == range_of(LineIndex(""), 0, 0, "utf-16")
    versioned = _edit(True, True, old, new)
    assert versioned.changes is None and versioned.document_changes is not None
    first, created, filled = versioned.document_changes
    assert isinstance(first, types.TextDocumentEdit) and first.text_document.version == 7
    assert isinstance(created, types.CreateFile) and created.options == types.CreateFileOptions(ignore_if_exists=True)
    assert isinstance(filled, types.TextDocumentEdit) and filled.text_document.version is None
    assert _edit(True, False, old).changes is None
    assert _edit(True, False, old, new).document_changes is None, "no CreateFile where it was not announced"
