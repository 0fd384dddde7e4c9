"""``show``, ``compare``, ``bench edits``, ``init`` and the command line itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from repository import Repository

from memory_lsp import __version__
from memory_lsp.cli.main import COMMANDS

DATA = Path(__file__).parent.parent / "data" / "edits"


def test_show_prints_what_is_stored_and_judges_nothing(repository: Repository, run) -> None:  # type: ignore[no-untyped-def]
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write("src/pay.py", "broken(")
    code, output, _ = run("show", "mem-a")
    assert code == 0
    assert "changed" not in output
    for part in (
        "status: stable",
        f"record: {path}",
        "cites: src/pay.py#Gateway.charge",
        "claim: A charge is sent once.",
    ):
        assert part in output
    code, report, _ = run("show", "mem-a", "--format", "json")
    (memory,) = report["memories"]
    assert memory["statement"] == "A charge is sent once."
    assert "verdict" not in memory
    assert run("show", "mem-x")[0] == 4
    assert run("show")[1].startswith("mem-a  stable  ")


def test_show_without_a_store(run) -> None:  # type: ignore[no-untyped-def]
    assert run("show")[0] == 0
    assert run("show", "mem-a")[0] == 4
    assert run("show", "--format", "json")[1]["memories"] == []


@pytest.mark.parametrize(
    ("after", "code", "verdict", "parts"),
    [
        ("def pay(a):\n    return a + 1\n", 0, "fresh", []),
        ('def pay(a):\n    """Why."""\n    return (a + 1)\n', 0, "cosmetic", ["documentation"]),
        ("def pay(a):\n    return a + 2\n", 1, "changed", ["body"]),
        ("def other(a):\n    return a + 9\n", 1, "missing", []),
        ("def pay(a:\n    return a + 1\n", 4, "held", []),
    ],
)
def test_compare_two_files(run, repository: Repository, after: str, code: int, verdict: str, parts: list[str]) -> None:  # type: ignore[no-untyped-def]
    repository.write("old.py", "def pay(a):\n    return a + 1\n")
    repository.write("new.py", after)
    found, report, _ = run("compare", "old.py", "new.py", "--symbol", "pay", "--format", "json")
    assert (found, report["verdict"]) == (code, verdict)
    assert report.keys() >= {"schema", "verdict", "parts", "touched", "to", "diff"}
    if parts:
        assert report["parts"] == parts
        assert "+" in report["diff"]
    found, output, _ = run("compare", "old.py", "new.py", "--symbol", "pay")
    assert found == code
    assert output.startswith(f"old.py#pay: {verdict}")


def test_compare_folders_and_revisions_follow_a_move(run, repository: Repository) -> None:  # type: ignore[no-untyped-def]
    old = repository.read("src/pay.py")
    repository.git("tag", "v1")
    repository.write("src/pay.py", "class Gateway:\n    pass\n")
    repository.write("src/wire.py", old)
    repository.commit("move")
    for path, text in (("one/pay.py", old), ("two/pay.py", "class Gateway:\n    pass\n"), ("two/wire.py", old)):
        repository.write(path, text)
    code, report, _ = run(
        "compare", "v1", "HEAD", "--repo", ".", "--path", "src/pay.py", "--symbol", "Gateway.charge", "--format", "json"
    )
    assert (code, report["verdict"], report["to"]) == (0, "moved", "src/wire.py#Gateway.charge")
    code, report, _ = run("compare", "one", "two", "--path", "pay.py", "--symbol", "Gateway.charge", "--format", "json")
    assert (code, report["verdict"], report["to"]) == (0, "moved", "wire.py#Gateway.charge")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nothing.py", "src/pay.py"], "nothing.py"),
        (["src", "src/pay.py"], "two files or two folders"),
        (["src", "src"], "--path"),
        (["src", "src", "--path", "../x.py"], "outside the root"),
        (["v9", "HEAD", "--repo", ".", "--path", "src/pay.py"], "no such revision"),
        (["HEAD", "HEAD", "--repo", ".", "--path", "gone.py"], "not in HEAD"),
        (["HEAD", "HEAD", "--repo", "nowhere", "--path", "gone.py"], "no git repository"),
    ],
)
def test_compare_says_what_is_wrong_in_one_line(run, arguments: list[str], words: str) -> None:  # type: ignore[no-untyped-def]
    code, output, errors = run("compare", *arguments, "--symbol", "x")
    assert code == 2
    assert output == ""
    assert words in errors
    assert errors.startswith("memory-lsp: ")
    assert errors.count("\n") == 1


def test_bench_edits_counts(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    def case(number: int, after: str, want: str, **more: object) -> dict[str, object]:
        before = "def pay(a):\n    return a + 1\n"
        return {
            "id": f"py-{number}",
            "language": "python",
            "path": "a.py",
            "symbol": "pay",
            "before": {"a.py": before},
            "after": {"a.py": after},
            "want": want,
            **more,
        }

    cases = [
        case(1, "def pay(a):\n    return a + 2\n", "changed", parts=["body"]),
        case(2, "def pay(a):\n    return a + 2\n", "changed", parts=["signature"]),
        case(3, "def pay(a):\n    return a + 2\n", "fresh"),
        case(4, "def pay(a):\n    return a + 1\n", "changed"),
    ]
    file = tmp_path / "edits/python.json"
    file.parent.mkdir()
    file.write_text(json.dumps(cases))
    code, report, _ = run("bench", "edits", str(file.parent), "--format", "json")
    assert code == 0
    assert report["schema"] == "memory-lsp.bench-edits/1"
    assert report["total"] == {"cases": 4, "right": 1, "false_alarms": 1, "misses": 1, "wrong_moves": 0}
    assert report["languages"].keys() == {"python"}
    assert list(report["cases"][0]) == [
        "id",
        "language",
        "want",
        "got",
        "want_parts",
        "got_parts",
        "want_to",
        "got_to",
        "right",
    ]
    _, output, _ = run("bench", "edits", str(file))
    assert "py-3: want fresh, got changed body" in output


def test_bench_edits_refuses_what_is_no_list_of_edits(run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "x.json").write_text("{}")
    assert run("bench", "edits", str(tmp_path / "x.json"))[0] == 2
    assert run("bench", "edits", str(tmp_path / "nothing"))[0] == 2


def test_init_previews_then_writes_once(run, repository: Repository) -> None:  # type: ignore[no-untyped-def]
    code, output, _ = run("init")
    assert code == 0
    assert "--write" in output
    assert not (repository.root / ".memory").exists()
    assert run("init", "--write")[0] == 0
    text = repository.read(".memory/index.md")
    assert text.startswith("---\n")
    assert "type: " in text
    assert run("init", "--write")[0] == 0
    assert repository.read(".memory/index.md") == text
    assert run("check")[0] == 0
    assert not (repository.root / ".memory-lsp").exists()


def test_init_makes_the_store_at_the_top_of_the_repository(
    run, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.chdir(repository.root / "src")
    assert run("init", "--write")[0] == 0
    assert (repository.root / ".memory/index.md").exists()


def test_init_never_makes_a_second_store(run, repository: Repository) -> None:  # type: ignore[no-untyped-def]
    repository.remember("packet-1", "src/pay.py", dialect="kage")
    code, _, errors = run("init", "--write")
    assert code == 3
    assert ".agent_memory/packets" in errors
    assert not (repository.root / ".memory").exists()


def test_the_home_folder_is_refused(run, repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("HOME", str(repository.root))
    code, _, errors = run("init", "--write")
    assert code == 2
    assert "home folder" in errors


def test_help_names_every_command_and_each_explains_itself(run) -> None:  # type: ignore[no-untyped-def]
    code, output, _ = run("--help")
    assert code == 0
    assert all(f"\n  {name} " in output for name in COMMANDS)
    for name in COMMANDS:
        code, output, _ = run(name, "--help")
        assert code == 0, name
        assert "--root" in output
        if name not in ("serve", "demo"):
            assert "examples" in output, name


def test_mistakes_are_one_line(run) -> None:  # type: ignore[no-untyped-def]
    assert run("--version")[1] == f"memory-lsp {__version__}\n"
    assert run("check", "--version")[1] == f"memory-lsp {__version__}\n"
    code, _, errors = run("chek")
    assert code == 2
    assert errors == "memory-lsp: there is no command `chek`; did you mean `check`?\n"
    assert run()[0] == 2


def test_common_options_stand_before_or_behind_the_command(
    run, repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    monkeypatch.chdir(tmp_path)
    for arguments in (
        ("--root", str(repository.root), "show", "--format", "json"),
        ("show", "--format", "json", "--root", str(repository.root)),
    ):
        assert [memory["id"] for memory in run(*arguments)[1]["memories"]] == ["mem-a"]


def test_a_bug_is_one_line_and_its_trace_is_in_the_log(
    run, repository: Repository, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    repository.remember("mem-a", "src/pay.py#Gateway.charge")

    def broken(_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("memory_lsp.cli.check.open_project", broken)
    code, _, errors = run("check", "--log-file", str(tmp_path / "log"))
    assert code == 70
    assert errors == "memory-lsp: this is a bug: RuntimeError: boom; --log-file FILE keeps the details\n"
    assert "Traceback" in (tmp_path / "log").read_text()


def test_the_recorded_edits_of_the_spine_are_all_right(run) -> None:  # type: ignore[no-untyped-def]
    files = [str(DATA / f"{language}.json") for language in ("python", "typescript", "go", "rust", "javascript")]
    _, report, _ = run("bench", "edits", *files, "--format", "json")
    assert [case["id"] for case in report["cases"] if not case["right"]] == []
