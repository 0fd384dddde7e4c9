"""Writing is all or nothing, and never over something that was not read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from repository import Repository

from memory_lsp.core.model import Event, FileEdit, Plan, Refusal, TextEdit
from memory_lsp.workspace import audit, writer
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.writer import create_file, write, write_apart

IDS = {".memory/a.md": frozenset({"mem-a"}), ".memory/b.md": frozenset({"mem-b"})}


def ids(path: str, _text: str) -> frozenset[str]:
    return IDS.get(path, frozenset())


def plan(*edits: FileEdit, memory: str = "mem-a") -> Plan:
    return Plan("Change it", tuple(edits), (Event("verify", memory, "it holds"),))


def replaced(path: str, before: str | None, after: str) -> FileEdit:
    return FileEdit(path, before, (TextEdit(0, len(before or ""), after),))


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_plan_is_written_byte_for_byte_and_logged(repository: Repository) -> None:
    before = "\ufeffone\r\ntwo\u2028\n"
    file = repository.write(".memory/a.md", before)
    file.chmod(0o640)
    done = write(
        repository.root, plan(replaced(".memory/a.md", before, before + "three\r\n")), actor="human:ada", record_ids=ids
    )
    assert done == (".memory/a.md",)
    assert repository.read(".memory/a.md") == before + "three\r\n"
    assert file.stat().st_mode & 0o777 == 0o640
    (line,) = repository.read(".memory-lsp/audit.jsonl").splitlines()
    event = json.loads(line)
    assert list(event) == ["at", "actor", "action", "memory", "before", "after", "reason", "result"]
    assert (event["actor"], event["action"], event["memory"], event["reason"]) == (
        "human:ada",
        "verify",
        "mem-a",
        "it holds",
    )
    assert len(event["before"]) == len(event["after"]) == 64
    assert "audit.jsonl merge=union" in repository.read(".memory-lsp/.gitattributes")
    assert not list((repository.root / ".memory").glob(".memory-lsp-*"))


def test_a_record_that_changed_meanwhile_stops_everything(repository: Repository) -> None:
    repository.write(".memory/a.md", "a")
    repository.write(".memory/b.md", "other")
    result = write(
        repository.root,
        plan(replaced(".memory/a.md", "a", "A"), replaced(".memory/b.md", "b", "B")),
        actor="x",
        record_ids=ids,
    )
    assert isinstance(result, Refusal)
    assert "b.md changed" in result.message
    assert repository.read(".memory/a.md") == "a"
    assert not (repository.root / ".memory-lsp").exists()


def test_a_new_record_never_replaces_one(repository: Repository) -> None:
    repository.write(".memory/a.md", "a")
    result = write(repository.root, plan(replaced(".memory/a.md", None, "A")), actor="x", record_ids=ids)
    assert isinstance(result, Refusal)
    assert write(repository.root, plan(replaced(".memory/new/c.md", None, "C")), actor="x", record_ids=ids) == (
        ".memory/new/c.md",
    )


@pytest.mark.parametrize("path", ["../a.md", "/etc/a.md", "out/a.md"])
def test_nothing_is_written_outside_the_root(repository: Repository, tmp_path: Path, path: str) -> None:
    (repository.root / "out").symlink_to(tmp_path)
    result = write(repository.root, plan(replaced(path, None, "A")), actor="x", record_ids=ids)
    assert isinstance(result, Refusal)
    assert not (tmp_path / "a.md").exists()


def test_a_plan_that_changes_nothing_writes_nothing(repository: Repository) -> None:
    repository.write(".memory/a.md", "a")
    assert write(repository.root, plan(replaced(".memory/a.md", "a", "a")), actor="x", record_ids=ids) == ()
    assert not (repository.root / ".memory-lsp").exists()


def test_a_failure_half_way_puts_back_what_was_written(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    repository.write(".memory/a.md", "a")
    repository.write(".memory/b.md", "b")
    replace, calls = os.replace, []

    def failing(source: str, target: str) -> None:
        calls.append(target)
        if len(calls) == 2:
            raise OSError(28, "No space left on device", target)
        replace(source, target)

    monkeypatch.setattr(writer.os, "replace", failing)
    result = write(
        repository.root,
        plan(replaced(".memory/a.md", "a", "A"), replaced(".memory/b.md", "b", "B")),
        actor="x",
        record_ids=ids,
    )
    assert isinstance(result, Refusal)
    assert "No space left" in result.message
    assert (repository.read(".memory/a.md"), repository.read(".memory/b.md")) == ("a", "b")
    assert sorted(path.name for path in (repository.root / ".memory").iterdir()) == ["a.md", "b.md", "index.md"]


def test_two_writers_wait_for_each_other(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "LOCK_SECONDS", 0.1)
    with writer._locked(str(repository.root)):
        assert "another memory-lsp" in create_file(repository.root, ".memory/c.md", "c")
    assert create_file(repository.root, ".memory/c.md", "c") == ""


def test_what_the_log_does_not_explain_is_found(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    packet = repository.remember("packet-1", "src/pay.py", dialect="kage")
    project = Project(repository.root)
    text = repository.read(path)
    after = text.replace("title:", "title: ").replace("title:  ", "title: ")
    edited = text.replace("Charges are", "All charges are")
    assert after == text
    done = write(
        project.root,
        Plan("", (replaced(path, text, edited),), (Event("verify", "mem-a"),)),
        actor="human:ada",
        record_ids=project.record_ids,
    )
    assert done == (path,)
    project.poll()
    assert not project.snapshot.findings.get(path)
    repository.write(path, edited.replace("All charges", "No charges"))
    project.poll()
    assert [finding.code for finding in project.snapshot.findings[path]] == ["memory-unaudited"]
    assert packet not in project.snapshot.findings


def test_a_torn_log_is_read_as_far_as_it_goes(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(".memory-lsp/audit.jsonl", '{"memory": "mem-a", "after": "0"}\n{"memory": 3}\n[]\n{"mem\n')
    snapshot = Project(repository.root).snapshot
    assert [finding.code for found in snapshot.findings.values() for finding in found] == ["memory-unaudited"]


def test_a_torn_line_of_the_log_does_not_swallow_the_next(tmp_path: Path) -> None:
    audit.append(tmp_path, ["one"])
    log = tmp_path / audit.AUDIT_PATH
    log.write_bytes(log.read_bytes() + b'{"at": "202')
    audit.append(tmp_path, ["two"])
    assert log.read_text("utf-8").splitlines() == ["one", '{"at": "202', "two"]


def test_a_line_that_does_not_fit_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    audit.append(tmp_path, ["one"])
    write = os.write
    monkeypatch.setattr(audit.os, "write", lambda handle, data: write(handle, data[:3]))
    with pytest.raises(OSError, match="No space left"):
        audit.append(tmp_path, ["second"])
    assert (tmp_path / audit.AUDIT_PATH).read_text("utf-8") == "one\n"


def test_a_log_that_is_no_file_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / audit.FOLDER).mkdir()
    os.mkfifo(tmp_path / audit.AUDIT_PATH)
    with pytest.raises(OSError, match="not a regular file"):
        audit.append(tmp_path, ["one"])


@pytest.mark.parametrize("made", [True, False])
def test_where_the_log_cannot_be_opened_nothing_is_written(repository: Repository, made: bool) -> None:
    (repository.root / ".memory-lsp/audit.jsonl").mkdir(parents=True)
    before = "a" if made else None
    if before:
        repository.write(".memory/a.md", before)
    edit = replaced(".memory/a.md", before, "A")
    result = write(repository.root, plan(edit), actor="x", record_ids=ids)
    assert isinstance(result, Refusal)
    assert ".memory-lsp/audit.jsonl" in result.message and "nothing was written" in result.message
    apart = write_apart(repository.root, plan(edit), actor="x", record_ids=ids)
    assert isinstance(apart, Refusal) and "nothing was written" in apart.message
    assert (repository.root / ".memory/a.md").exists() is made
    assert before is None or repository.read(".memory/a.md") == before


@pytest.mark.parametrize("made", [True, False])
def test_where_the_log_fails_afterwards_the_record_is_put_back(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, made: bool
) -> None:
    before = "a" if made else None
    if before:
        repository.write(".memory/a.md", before)
    repository.write(".memory-lsp/audit.jsonl", "{}\n")
    real = os.write
    # A full disk takes a part of the line.
    monkeypatch.setattr(audit.os, "write", lambda handle, data: real(handle, data[:5]))
    result = write(repository.root, plan(replaced(".memory/a.md", before, "A")), actor="x", record_ids=ids)
    assert isinstance(result, Refusal)
    assert "No space left" in result.message and ".memory/a.md was put back" in result.message
    assert (repository.root / ".memory/a.md").exists() is made
    assert before is None or repository.read(".memory/a.md") == before
    assert repository.read(".memory-lsp/audit.jsonl") == "{}\n"
