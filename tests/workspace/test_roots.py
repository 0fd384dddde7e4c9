"""Which folder is the root, and which stores it holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from repository import Repository

from memory_lsp.workspace.project import Project, find_root
from memory_lsp.workspace.roots import LOCATIONS, find_stores, looked_at


def test_the_root_is_the_first_folder_upwards_with_a_store(tmp_path: Path) -> None:
    made = Repository(tmp_path / "top")
    (made.root / ".memory").mkdir()
    deep = made.root / "a/b"
    deep.mkdir(parents=True)
    assert find_root(deep) == made.root
    (made.root / "a/.agent_memory/packets").mkdir(parents=True)
    assert find_root(deep) == made.root / "a"
    assert find_root(made.write("a/b/c.py", "")) == made.root / "a"


def test_the_search_ends_at_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".memory").mkdir()
    made = Repository(tmp_path / "inner")
    assert find_root(made.root) is None


def test_without_git_only_the_opened_folder_counts(tmp_path: Path) -> None:
    (tmp_path / ".memory").mkdir()
    (tmp_path / "sub").mkdir()
    assert find_root(tmp_path) == tmp_path
    assert find_root(tmp_path / "sub") is None


def test_a_worktree_file_ends_the_search(tmp_path: Path) -> None:
    (tmp_path / ".memory").mkdir()
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere\n")
    assert find_root(tmp_path / "tree") is None


def test_the_home_folder_is_no_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".memory").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_root(tmp_path) is None


def test_a_store_that_is_a_link_out_of_the_root_is_none(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "root").mkdir()
    (tmp_path / "root/.memory").symlink_to(tmp_path / "elsewhere")
    assert find_root(tmp_path / "root") is None


def test_two_dialects_are_one_picture(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("packet-1", "src/pay.py", dialect="kage")
    snapshot = Project(repository.root).snapshot
    assert sorted(memory.dialect for memory in snapshot.memories.values()) == ["kage", "okf"]
    assert snapshot.writable


def test_two_stores_of_one_dialect_are_read_and_not_written(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = {**LOCATIONS, "okf": (".memory", "docs/memory")}
    monkeypatch.setattr("memory_lsp.workspace.roots.LOCATIONS", places)
    (repository.root / "docs/memory").mkdir(parents=True)
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    assert "mem-a" in project.snapshot.memories
    assert ".memory and docs/memory" in project.snapshot.refusal
    assert [finding.code for found in project.snapshot.findings.values() for finding in found] == [
        "memory-store-conflict"
    ]
    snapshot = project.configure({"store": ".memory"})
    assert snapshot.writable
    assert [store.path for store in snapshot.stores] == [".memory"]
    (repository.root / "docs/memory").rmdir()
    assert Project(repository.root).snapshot.writable


def test_a_setting_that_names_no_store_is_a_conflict(repository: Repository) -> None:
    found = find_stores(repository.root, "notes")
    assert "names `notes`" in found.conflict
    assert find_stores(repository.root, "okf").conflict == ""
    assert find_stores(repository.root, "./.memory/").conflict == ""


def test_where_it_looked_is_said(tmp_path: Path) -> None:
    assert str(tmp_path / ".memory") in looked_at(tmp_path)
