"""What git knows, in every state that a repository can be in, and that nothing it configures is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from repository import Repository

from memory_lsp.core.model import Verdict
from memory_lsp.core.text import blob_id
from memory_lsp.workspace import batch
from memory_lsp.workspace.git import Git
from memory_lsp.workspace.history import first_change
from memory_lsp.workspace.project import Project


def found(root: Path) -> Git:
    git = Git.find(root)
    assert git is not None
    return git


def test_objects_come_from_one_process_that_is_started_again_when_it_dies(repository: Repository) -> None:
    git = found(repository.root)
    data = repository.read("src/pay.py").encode()
    assert git.file("HEAD", "src/pay.py") == data
    process = git._objects._process
    assert process is not None
    assert git.blob(blob_id(data)) == data
    assert git._objects._process is process
    process.kill()
    process.wait()
    assert git.file("HEAD", "src/pay.py") == data
    assert git.file("HEAD", "nothing.py") is None
    assert git.file("HEAD", "src") is None
    assert git.blob("0" * 40) is None
    assert git.blob("HEAD") is None
    git.close()


def test_a_process_that_hangs_is_ended(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "TIME_LIMIT", 0.2)
    git = found(repository.root)
    git._objects._command = ["sleep", "60"]
    assert git.file("HEAD", "src/pay.py") is None
    git.close()


def test_without_a_commit_there_is_no_history(tmp_path: Path) -> None:
    made = Repository(tmp_path / "unborn")
    made.write("a.py", "A = 1\n")
    git = found(made.root)
    assert git.file("HEAD", "a.py") is None
    assert git.history("a.py") == ()
    assert git.tracked() == ("a.py",)
    assert git.changed_since("") == ("a.py",)
    git.close()


def test_a_folder_without_git_has_none(tmp_path: Path) -> None:
    assert Git.find(tmp_path) is None


def test_a_root_below_the_top_sees_its_own_files(tmp_path: Path) -> None:
    made = Repository(tmp_path / "top")
    made.write("part/a.py", "A = 1\n")
    made.write("b.py", "B = 1\n")
    made.commit()
    made.write("part/a.py", "A = 2\n")
    git = found(made.root / "part")
    assert git.file("HEAD", "a.py") == b"A = 1\n"
    assert git.tracked() == ("a.py",)
    assert [version.blob for version in git.history("a.py")] == [blob_id(b"A = 1\n")]
    assert git.changed_since("") == ("a.py",)
    git.close()


def test_history_is_newest_first_and_holds_deletions_and_merged_branches(repository: Repository) -> None:
    contents = [b"A = 1\n", b"A = 2\n"]
    repository.write("a.py", contents[0].decode())
    repository.commit("first")
    repository.git("checkout", "-q", "-b", "side")
    repository.write("a.py", contents[1].decode())
    repository.commit("second")
    repository.git("rm", "-q", "a.py")
    repository.commit("third")
    repository.git("checkout", "-q", "main")
    repository.write("other.txt", "x")
    repository.commit("beside")
    repository.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    git = found(repository.root)
    blobs = [version.blob for version in git.history("a.py")]
    assert {blob_id(content) for content in contents} <= set(blobs)
    assert git.history("a.py")[-1].subject == "first"
    assert git.history("a.py")[-1].author == "Ada"
    assert "" in blobs
    assert git.history("absent.py") == ()
    git.close()


def test_names_that_git_would_quote_are_read(repository: Repository) -> None:
    for name in ("src/größe.py", "src/with space.py", 'src/qu"ote.py', "src/[x]*.py"):
        repository.write(name, f"NAME = {name!r}\n")
    repository.commit()
    git = found(repository.root)
    for name in ("src/größe.py", "src/with space.py", 'src/qu"ote.py', "src/[x]*.py"):
        assert git.file("HEAD", name) == f"NAME = {name!r}\n".encode()
        assert len(git.history(name)) == 1
        assert name in git.tracked()
    git.close()


def test_nothing_that_the_repository_configures_is_run(repository: Repository, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    script.chmod(0o755)
    repository.write(".gitattributes", "*.py filter=evil diff=evil\n")
    repository.commit("attributes")
    for key in (
        "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.external", "diff.evil.textconv", "diff.evil.command",
        "core.fsmonitor", "core.pager", "pager.log", "gpg.program", "core.sshCommand", "core.askPass",
    ):  # fmt: skip
        repository.git("config", key, str(script))
    repository.git("config", "log.showSignature", "true")
    for name in ("post-index-change", "post-checkout"):
        hook = repository.root / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\ntouch {mark}\n")
        hook.chmod(0o755)
    repository.write("src/pay.py", repository.read("src/pay.py").replace("100", "999"))
    index = (repository.root / ".git/index").read_bytes()
    git = found(repository.root)
    git.history("src/pay.py")
    git.load_histories(["src/pay.py", ".gitattributes"])
    assert "src/pay.py" in git.changed_since("")
    assert "src/pay.py" in git.changed_since(git.commit("HEAD"))
    git.changed_between("HEAD", "HEAD")
    git.tracked()
    git.file("HEAD", "src/pay.py")
    git.close()
    assert not mark.exists()
    assert (repository.root / ".git/index").read_bytes() == index


def test_a_worktree_is_a_repository(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "tree"))
    git = found(tmp_path / "tree")
    assert git.file("HEAD", "src/pay.py") == repository.read("src/pay.py").encode()
    assert any(path.name == "side" and path.exists() for path in git.head_files())
    git.close()


def test_the_recorded_version_of_a_packet_is_found_by_its_hash(repository: Repository) -> None:
    repository.remember("packet-1", "src/pay.py", title="Gateway.charge is idempotent", dialect="kage")
    repository.commit("remember")
    text = repository.read("src/pay.py")
    for number in range(3):
        repository.write("src/pay.py", text.replace("refund", f"refund{number}"))
        repository.commit(f"change {number}")
    project = Project(repository.root)
    (memory,) = project.snapshot.memories.values()
    recorded = project.snapshot.sources.recorded(memory.citations[0])
    assert recorded is not None
    assert recorded.data == text.encode()


def test_a_shallow_clone_finds_what_it_holds(repository: Repository, tmp_path: Path) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.commit("remember")
    repository.write("src/pay.py", repository.read("src/pay.py").replace("* 100", "* 7"))
    repository.commit("change")
    shallow = tmp_path / "shallow"
    subprocess.run(
        ["git", "clone", "-q", "--depth", "1", f"file://{repository.root}", str(shallow)],
        check=True,
        env={**os.environ},
    )
    project = Project(shallow)
    judgement = project.snapshot.judgements["mem-a"][0]
    assert judgement.verdict is Verdict.CHANGED
    assert judgement.parts == ("body",)
    assert first_change(project.snapshot, project.snapshot.memories["mem-a"], 0, judgement) is None


def test_the_first_commit_that_changed_a_symbol_is_named(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.commit("remember")
    text = repository.read("src/pay.py")
    repository.write("src/pay.py", text.replace("-amount", "- amount"))
    repository.commit("somewhere else")
    text = repository.read("src/pay.py").replace("* 100", "* 7")
    repository.write("src/pay.py", text)
    wanted = repository.commit("count in sevenths")
    repository.write("src/pay.py", text.replace("* 7", "* 8"))
    repository.commit("and eighths")
    snapshot = Project(repository.root).snapshot
    since = first_change(snapshot, snapshot.memories["mem-a"], 0, snapshot.judgements["mem-a"][0])
    assert since is not None
    assert (since.commit, since.author, since.subject) == (wanted, "Ada", "count in sevenths")


def test_the_commit_that_changed_what_a_packet_names_is_named(repository: Repository) -> None:
    repository.remember(
        "packet-1", "src/pay.py", title="Charges", statement="`Gateway.charge` is idempotent.", dialect="kage"
    )
    repository.commit("remember")
    repository.write("src/pay.py", repository.read("src/pay.py").replace("-amount", "- amount - 1"))
    repository.commit("somewhere else")
    project = Project(repository.root)
    judgement = project.snapshot.judgements["packet-1"][0]
    assert (judgement.verdict, judgement.parts) == (Verdict.FRESH, ("elsewhere",))
    repository.write("src/pay.py", repository.read("src/pay.py").replace("* 100", "* 7"))
    wanted = repository.commit("count in sevenths")
    project.poll()
    project.poll()
    snapshot = project.snapshot
    judgement = snapshot.judgements["packet-1"][0]
    assert (judgement.verdict, judgement.symbol, judgement.parts) == (Verdict.CHANGED, "Gateway.charge", ("body",))
    since = first_change(snapshot, snapshot.memories["packet-1"], 0, judgement)
    assert since is not None
    assert since.commit == wanted


def test_a_change_that_is_not_committed_names_no_commit(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write("src/pay.py", repository.read("src/pay.py").replace("* 100", "* 7"))
    snapshot = Project(repository.root).snapshot
    since = first_change(snapshot, snapshot.memories["mem-a"], 0, snapshot.judgements["mem-a"][0])
    assert since is not None
    assert since.commit == ""


@pytest.mark.parametrize("how", ["committed", "staged", "working tree"])
def test_a_moved_file_is_followed(repository: Repository, how: str) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("mem-file", "src/pay.py")
    repository.commit("remember")
    if how == "working tree":
        (repository.root / "lib").mkdir()
        (repository.root / "src/pay.py").rename(repository.root / "lib/payments.py")
    else:
        (repository.root / "lib").mkdir()
        repository.git("mv", "src/pay.py", "lib/payments.py")
        if how == "committed":
            repository.commit("move")
    snapshot = Project(repository.root).snapshot
    assert [snapshot.judgements[name][0].to for name in ("mem-a", "mem-file")] == [
        "lib/payments.py#Gateway.charge",
        "lib/payments.py",
    ]


@pytest.mark.parametrize(("copied", "verdict"), [("2026-01-01", Verdict.MISSING), ("2026-02-01", Verdict.MOVED)])
def test_a_copy_that_was_there_when_it_was_verified_is_no_move(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, copied: str, verdict: Verdict
) -> None:
    def commit(date: str) -> None:
        monkeypatch.setenv("GIT_COMMITTER_DATE", f"{date}T12:00:00Z")
        repository.commit(date)

    text = repository.read("src/pay.py") + "\n\nVERSION = 2\n"
    repository.write("src/pay.py", text)
    commit("2025-12-01")
    repository.write("src/copy.py", text)
    commit(copied)
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    commit("2026-03-01")
    repository.git("rm", "-q", "src/pay.py")
    commit("2026-03-02")
    snapshot = Project(repository.root).snapshot
    assert snapshot.judgements["mem-a"][0].verdict is verdict


def test_a_commit_is_noticed(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    assert not project.poll()
    repository.commit("remember")
    project.poll()
    assert project.snapshot.sources.head(path) is not None


def test_a_large_object_is_read_whole_and_a_huge_one_not_at_all(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "x = 1\n" * 200_000
    repository.write("big.py", text)
    repository.commit()
    git = found(repository.root)
    assert git.file("HEAD", "big.py") == text.encode()
    monkeypatch.setattr(batch, "MAX_OBJECT_BYTES", 1000)
    assert git.file("HEAD", "big.py") is None
    assert git.file("HEAD", "src/pay.py") == repository.read("src/pay.py").encode()
    git.close()
