"""``check``: what it prints, its JSON and its exit codes (design section 11)."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from repository import Repository

from memory_lsp.core.model import Status


def change(repository: Repository) -> None:
    repository.write("src/pay.py", repository.read("src/pay.py").replace("* 100", "* 7"))


def test_without_a_store_it_says_where_it_looked(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    code, output, errors = run("check")
    assert code == 0
    assert str(repository.root / ".memory") in output
    assert "memory-lsp init" in output
    assert errors == ""
    code, report, _ = run("check", "--format", "json")
    assert code == 0
    assert report["stores"] == []
    assert report["summary"] == {"total": 0, "served": 0, "unverified": 0, "withheld": {}}


def test_json_has_every_key_of_the_schema(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("mem-b", "src/pay.py#Gateway.refund")
    repository.remember("mem-c", "src/other.py", verified=False)
    repository.remember("mem-d", "src/other.py", status=Status.PENDING)
    change(repository)
    code, report, _ = run("check", "--format", "json")
    assert code == 1
    assert report["schema"] == "memory-lsp.check/1"
    assert report["root"] == str(repository.root)
    assert report["stores"] == [{"dialect": "okf", "path": ".memory"}]
    assert report["summary"] == {"total": 4, "served": 1, "unverified": 1, "withheld": {"changed": 1, "pending": 1}}
    (memory,) = [memory for memory in report["memories"] if memory["id"] == "mem-a"]
    assert memory["path"] == path
    assert (memory["status"], memory["stored"], memory["verdict"], memory["served"]) == (
        "approved",
        "stable",
        "changed",
        "withheld",
    )
    (citation,) = memory["citations"]
    assert {key: citation[key] for key in ("text", "path", "symbol", "verdict", "parts", "to")} == {
        "text": "src/pay.py#Gateway.charge", "path": "src/pay.py", "symbol": "Gateway.charge", "verdict": "changed", "parts": ["body"], "to": None,
    }  # fmt: skip
    assert citation.keys() >= {"touched", "baseline", "reason"}
    (finding,) = [finding for finding in report["findings"] if finding["memory"] == "mem-a"]
    assert list(finding) == [
        "code", "severity", "memory", "dialect", "path", "range", "field", "symbol", "verdict", "parts", "reason", "message", "in_code",
    ]  # fmt: skip
    assert (finding["code"], finding["severity"], finding["path"]) == ("memory-changed", "warning", path)
    assert finding["in_code"] == {
        "path": "src/pay.py", "range": {"start": {"line": 1, "character": 8}, "end": {"line": 1, "character": 14}},
    }  # fmt: skip


def test_ranges_count_utf_16_units(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    repository.write("src/emoji.py", "def ok(): return 1\nA = '🎉🎉'; B = 2\n")
    repository.remember("mem-a", "src/emoji.py#B", title="🎉 party")
    repository.write("src/emoji.py", "def ok(): return 1\nA = '🎉🎉'; B = 3\n")
    _, report, _ = run("check", "--format", "json")
    (finding,) = report["findings"]
    assert finding["in_code"]["range"]["start"] == {"line": 1, "character": 12}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([], 1), (["--fail-on", "never"], 0), (["--fail-on", "error"], 0), (["--fail-on", "hint"], 1), (["mem-b"], 0), (["src/other.py"], 4),
        (["mem-c"], 4), (["mem-c", "--fail-on", "hint"], 1), (["nothing"], 4), (["mem-a", "nothing"], 1), (["--fail-on", "x"], 2),
        (["--nothing"], 2), (["--root", "nowhere"], 2),
    ],
)  # fmt: skip
def test_exit_codes(repository: Repository, run, arguments: list[str], code: int) -> None:  # type: ignore[no-untyped-def]
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("mem-b", "src/pay.py#Gateway.refund")
    repository.remember("mem-c", "src/other.py", verified=False)
    change(repository)
    assert run("check", *arguments)[0] == code


def test_a_store_conflict_fails_whatever_the_limit(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    code, output, _ = run("check", "--store", "notes", "--fail-on", "never")
    assert code == 1
    assert "memory-store-conflict" in output


def test_paths_select_records_files_and_folders(repository: Repository, run, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("mem-b", "src/other.py")
    for name, ids in (
        (path, ["mem-a"]), ("src/pay.py", ["mem-a"]), ("src", ["mem-a", "mem-b"]), (".", ["mem-a", "mem-b"]), ("src/../src/other.py", ["mem-b"]),
        (str(repository.root / "src/pay.py"), ["mem-a"]),
    ):  # fmt: skip
        _, report, _ = run("check", name, "--format", "json")
        assert sorted(memory["id"] for memory in report["memories"]) == ids, name
    monkeypatch.chdir(repository.root / "src")
    _, report, _ = run("check", "pay.py", "--format", "json")
    assert [memory["id"] for memory in report["memories"]] == ["mem-a"]


def test_text_is_one_line_per_finding_and_a_summary(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge", title="Charges \x1b[31mare\u202e once")
    change(repository)
    _, output, _ = run("check")
    lines = output.splitlines()
    assert lines[0] == path
    assert "warning memory-changed Gateway.charge changed (body) since mem-a was verified: Charges" in lines[1]
    assert lines[2] == "1 memory: 0 served, 1 withheld (changed 1)"
    assert len(lines) == 3
    assert "\x1b" not in output
    assert "\u202e" not in output


def test_one_memory_in_detail(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    repository.remember("mem-a", "src/pay.py#Gateway.charge", statement="Sent `* 100` once.")
    repository.commit("remember")
    change(repository)
    commit = repository.commit("count in sevenths")
    code, output, _ = run("check", "mem-a")
    assert code == 1
    for part in (
        "approved, changed: withheld", "src/pay.py#Gateway.charge  changed  body", f"since: {commit[:9]} by Ada on ", ": count in sevenths",
        "-        self.seen[key] = self.send(amount * 100, key)", "+        self.seen[key] = self.send(amount * 7, key)",
        "last verified 2026-01-31T09:30:00.000Z by human:ada: read it",
    ):  # fmt: skip
        assert part in output, part


def test_colour_is_for_terminals_that_want_it(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    change(repository)

    def on_terminal(**environment: str) -> bytes:
        import pty

        leader, follower = pty.openpty()
        kept = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
        process = subprocess.Popen(
            [sys.executable, "-m", "memory_lsp", "check"], cwd=repository.root, stdout=follower, stdin=subprocess.DEVNULL, env={**kept, "TERM": "xterm", **environment}
        )  # fmt: skip
        os.close(follower)
        output = b""
        try:
            while chunk := os.read(leader, 4096):
                output += chunk
        except OSError:
            pass
        process.wait()
        os.close(leader)
        return output

    assert b"\x1b[33m" in on_terminal()
    assert b"\x1b[33m" not in on_terminal(NO_COLOR="1")


def test_a_record_with_conflict_markers_is_counted_as_invalid(repository: Repository, run: Any) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(
        path, repository.read(path).replace("scope: repo", "<<<<<<< ours\nscope: repo\n=======\n>>>>>>> x")
    )
    code, report, _ = run("check", "--format", "json")
    assert code == 1 and report["summary"]["withheld"] == {"invalid": 1}
    assert (report["memories"][0]["status"], report["memories"][0]["reason"]) == ("pending", "invalid: cannot be read")
    assert "1 withheld (invalid 1)" in run("check")[1]
    assert "invalid, " in run("check", "mem-a")[1] and "pending" not in run("check", "mem-a")[1]
