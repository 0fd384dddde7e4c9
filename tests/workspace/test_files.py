"""Reads stay inside the root, whatever a path says."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from memory_lsp.workspace.files import Files


@pytest.fixture
def files(tmp_path: Path) -> Files:
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src/a.py").write_text("A = 1\n")
    (tmp_path / "secret.txt").write_text("secret")
    return Files.of(root)


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt", "src/../../secret.txt", "/etc/passwd", "~/x", "C:/x", "c:x", "\\\\server\\share\\x", "\\x", "src\\..\\..\\secret.txt",
        "", "a\0b", "a\nb",
    ],
)  # fmt: skip
def test_a_path_that_leaves_the_root_is_refused(files: Files, path: str) -> None:
    source = files.read(path)
    assert source.data is None
    assert source.problem in ("outside the root", "not a path")
    assert not files.exists(path)
    assert files.stamp(path) is None
    assert files.writable_path(path) is None


def test_a_link_out_of_the_root_is_refused_and_one_inside_is_followed(files: Files, tmp_path: Path) -> None:
    (files.root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (files.root / "folder").symlink_to(tmp_path)
    (files.root / "in.py").symlink_to(files.root / "src/a.py")
    (files.root / "loop").symlink_to("loop")
    assert files.read("out.txt").problem == "outside the root"
    assert files.read("folder/secret.txt").problem == "outside the root"
    assert files.read("in.py").data == b"A = 1\n"
    assert files.read("loop").data is None
    assert files.writable_path("folder/new.md") is None


def test_a_root_that_is_a_link_is_one_root(files: Files, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(files.root)
    assert Files.of(tmp_path / "link").read("src/a.py").data == b"A = 1\n"


def test_only_regular_files_are_opened(files: Files) -> None:
    os.mkfifo(files.root / "pipe")
    assert files.read("pipe").problem == "not a regular file"
    assert files.read("src").problem == "a folder"
    assert files.read("nothing.py").missing
    assert files.read("src/a.py/b").missing


def test_a_file_above_the_limit_is_reported(files: Files) -> None:
    assert files.read("src/a.py", 3).problem == "too large (6 bytes)"


def test_a_name_that_is_too_long_is_a_problem_in_words(files: Files) -> None:
    source = files.read("x" * 5000)
    assert source.data is None
    assert source.problem


def test_records_are_listed_without_hidden_and_linked_folders(files: Files, tmp_path: Path) -> None:
    for path in ("store/a.md", "store/deep/b.md", "store/.hidden/c.md", "store/.d.md"):
        (files.root / path).parent.mkdir(parents=True, exist_ok=True)
        (files.root / path).write_text("x")
    (files.root / "store/linked").symlink_to(tmp_path)
    assert sorted(path for path, _ in files.records("store")) == ["store/a.md", "store/deep/b.md"]
