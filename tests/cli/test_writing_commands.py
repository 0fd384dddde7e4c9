"""``capture``, ``verify``, ``supersede``, ``retire``, ``approve``, ``reject`` and ``follow``, from the command line to the disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from repository import Repository

ANN = ("--by", "human:ann")
CAPTURE = ("capture", "--title", "Sent once", "--statement", "`charge` is sent once.", "--type", "decision")
HEAD = ("--cite", "src/pay.py#charge", *ANN)


@pytest.fixture
def store(repository: Repository) -> Path:
    (repository.root / ".memory").mkdir()
    return repository.root / ".memory"


def captured(run: Any, *more: str) -> str:
    """The id of a memory that is captured and written."""
    code, report, errors = run(*CAPTURE, *(more or HEAD), "--write", "--format", "json")
    assert (code, errors) == (0, ""), errors
    assert report["written"] is True
    return str(report["events"][-1]["memory"])


def checked(run: Any, name: str) -> dict[str, Any]:
    _, report, _ = run("check", "--format", "json")
    return next(memory for memory in report["memories"] if memory["id"] == name)


def events(repository: Repository) -> list[tuple[str, str, str]]:
    lines = (repository.root / ".memory-lsp/audit.jsonl").read_text(encoding="utf-8").splitlines()
    return [(event["action"], event["actor"], event["reason"]) for event in map(json.loads, lines)]


def test_without_write_a_capture_is_shown_and_nothing_is_written(repository: Repository, store: Path, run: Any) -> None:
    code, output, _ = run(*CAPTURE, *HEAD)
    assert code == 0
    assert "+    symbol: Gateway.charge" in output and "Nothing was written" in output
    assert list(store.iterdir()) == [] and not (repository.root / ".memory-lsp").exists()


def test_with_write_it_is_on_disk_served_and_in_the_log(repository: Repository, store: Path, run: Any) -> None:
    name = captured(run, *HEAD, "--why", "billing: once", "--tag", "pay", "--rejected", "a key per try")
    memory = checked(run, name)
    assert (memory["verdict"], memory["served"]) == ("fresh", "served")
    shown = run("show", name, "--format", "json")[1]["memories"][0]
    assert shown["context"] == {"why": "billing: once", "rejected_alternatives": "a key per try"}
    assert shown["tags"] == ["pay"]
    assert events(repository) == [("capture", "human:ann", "")]


@pytest.mark.parametrize(
    ("cite", "told"),
    [
        ("src/pay.py#Gateway.chargeback", "did you mean src/pay.py#Gateway.charge,"),
        ("src/pey.py", "did you mean src/pay.py"),
        ("../outside.py", "outside the root"),
        ("/etc/passwd", "outside the root"),
        ("linked.py", "outside the root"),
        ("src", "a folder"),
    ],
)
def test_a_capture_of_what_is_not_there_is_one_line_and_exit_3(
    repository: Repository, store: Path, run: Any, cite: str, told: str
) -> None:
    outside = repository.root.parent / "outside.py"
    outside.write_text("SECRET = 1\n", encoding="utf-8")
    (repository.root / "linked.py").symlink_to(outside)
    code, output, errors = run(*CAPTURE, "--cite", cite, *ANN, "--write")
    assert (code, output) == (3, "")
    assert errors.startswith("memory-lsp: not captured: ") and errors.count("\n") == 1
    assert told in errors and "SECRET" not in errors
    assert list(store.iterdir()) == []


def test_a_capture_without_a_store_is_refused_and_says_how_to_start_one(repository: Repository, run: Any) -> None:
    code, _, errors = run(*CAPTURE, *HEAD, "--write")
    assert code == 3
    assert "`memory-lsp init` starts one" in errors


def test_with_two_stores_one_is_named(repository: Repository, store: Path, run: Any) -> None:
    (repository.root / ".agent_memory/packets").mkdir(parents=True)
    code, _, errors = run(*CAPTURE, *HEAD, "--write")
    assert code == 3 and "--store" in errors
    name = captured(run, *HEAD, "--store", "kage")
    assert checked(run, name)["path"].startswith(".agent_memory/packets/decision-sent-once-")
    assert checked(run, captured(run, "--cite", "src/pay.py", *ANN, "--store", ".memory"))["dialect"] == "okf"


def test_paths_count_from_the_current_folder(
    repository: Repository, store: Path, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(repository.root / "src")
    name = captured(run, "--cite", "pay.py", "--lines", "2-3", *ANN)
    assert [citation["text"] for citation in checked(run, name)["citations"]] == ["src/pay.py#Gateway.charge"]
    name = captured(run, "--cite", "src/pay.py", *ANN)
    assert [citation["text"] for citation in checked(run, name)["citations"]] == ["src/pay.py"]


@pytest.mark.parametrize(
    "cite",
    [
        ("--cite", "src/pay.py", "--lines", "4-5"),
        ("--cite", "src/pay.py#charge", "--lines", "4-5"),
        ("--cite", "src/pay.py#L4-L5"),
    ],
)
def test_lines_in_a_symbol_are_what_a_capture_is_about(
    repository: Repository, store: Path, run: Any, cite: tuple[str, ...]
) -> None:
    name = captured(run, *cite, *ANN)
    (citation,) = run("show", name, "--format", "json")[1]["memories"][0]["citations"]
    assert citation["text"] == "src/pay.py#Gateway.charge"
    assert citation["excerpt"] == "if key in self.seen:\n    return self.seen[key]"
    path = repository.root / "src/pay.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("amount * 100", "amount * 1000"), encoding="utf-8")
    (citation,) = checked(run, name)["citations"]
    assert (citation["verdict"], citation["parts"]) == ("fresh", ["elsewhere"])
    path.write_text(text.replace("if key in", "if key not in"), encoding="utf-8")
    assert checked(run, name)["verdict"] == "changed"
    code, _, errors = run("verify", name, "--evidence", "the key is new", "--by", "human:ann", "--write")
    assert (code, errors) == (0, "")
    assert checked(run, name)["verdict"] == "fresh"
    (citation,) = run("show", name, "--format", "json")[1]["memories"][0]["citations"]
    assert citation["excerpt"] == "if key not in self.seen:\n    return self.seen[key]"


@pytest.mark.parametrize("lines", ["20-30", "10"], ids=["behind the file", "in another symbol"])
def test_lines_that_are_not_in_the_symbol_are_refused(store: Path, run: Any, lines: str) -> None:
    code, _, errors = run(*CAPTURE, *HEAD, "--lines", lines, "--write")
    assert code == 3 and "line" in errors
    assert list(store.iterdir()) == []


@pytest.mark.parametrize(
    "arguments",
    [
        ("capture", "--title", "T", "--cite", "src/pay.py"),
        (*CAPTURE, "--cite", "src/pay.py#L1", "--lines", "1-2"),
        (*CAPTURE, "--cite", "src/pay.py", "--cite", "src/pay.py#charge", "--lines", "1-2"),
        (*CAPTURE, "--cite", "src/pay.py", "--lines", "one"),
        ("supersede", "mem-a"),
        ("supersede", "mem-a", "--by-memory", "mem-b", "--title", "T"),
        ("retire", "mem-a"),
        ("reject", "mem-a"),
        ("follow",),
        ("follow", "mem-a", "--all"),
        ("verify",),
    ],
)
def test_wrong_usage_is_exit_2(store: Path, run: Any, arguments: tuple[str, ...]) -> None:
    code, _, errors = run(*arguments)
    assert code == 2 and errors


@pytest.mark.parametrize(
    "arguments",
    [("verify", "mem-x"), ("approve", "mem-x"), ("retire", "mem-x", "--reason", "r"), ("follow", "mem-x")],
)
def test_an_unknown_id_is_refused_with_the_nearest(store: Path, run: Any, arguments: tuple[str, ...]) -> None:
    name = captured(run)
    code, _, errors = run(arguments[0], name[:-1], *arguments[2:])
    assert code == 3 and f"did you mean {name}" in errors


@pytest.mark.parametrize("dialect", ["okf", "kage"])
def test_the_way_of_a_memory(repository: Repository, store: Path, run: Any, dialect: str) -> None:
    (repository.root / ".agent_memory/packets").mkdir(parents=True)
    name = captured(run, "--cite", "src/pay.py#charge", "--by", "process:bot", "--store", dialect)
    assert checked(run, name)["served"] == "withheld"
    assert run("approve", name, "--by", "process:bot", "--write")[0] == 3
    assert run("approve", name, *ANN, "--write")[0] == 0
    assert checked(run, name)["served"] == "served"

    code = (repository.root / "src/pay.py").read_text(encoding="utf-8")
    repository.write("src/pay.py", code.replace("* 100", "* 1000"))
    assert checked(run, name)["verdict"] == "changed"
    refused, _, errors = run("verify", name, *ANN, "--write")
    assert refused == 3 and "--evidence" in errors
    assert run("verify", name, "--evidence", "mills now", *ANN, "--write")[0] == 0
    assert (checked(run, name)["verdict"], checked(run, name)["served"]) == ("fresh", "served")

    repository.write("src/pay.py", code.replace("* 100", "* 1000").replace("def charge", "def bill"))
    assert checked(run, name)["verdict"] == "moved"
    assert run("follow", "--all", *ANN, "--write")[0] == 0
    assert checked(run, name)["citations"][0]["text"] == "src/pay.py#Gateway.bill"
    assert checked(run, name)["verdict"] == "fresh"
    assert "No memory's code has moved" in run("follow", "--all", *ANN)[1]

    newer = ("--title", "Billed", "--statement", "It is billed.", "--cite", "src/pay.py#bill", "--store", dialect)
    code_, report, _ = run("supersede", name, *newer, *ANN, "--write", "--format", "json")
    assert code_ == 0
    heir = report["events"][-1]["memory"]
    assert (checked(run, name)["status"], checked(run, heir)["served"]) == ("superseded", "served")

    assert run("retire", heir, "--reason", "gone", *ANN, "--write")[0] == 0
    assert checked(run, heir)["status"] == "deprecated"
    assert [action for action, _, _ in events(repository)] == [
        "capture", "approve", "verify", "follow", "supersede", "capture", "retire",
    ]  # fmt: skip


def test_what_was_rejected_does_not_come_back(repository: Repository, store: Path, run: Any) -> None:
    name = captured(run, "--cite", "src/pay.py#charge", "--by", "process:bot")
    assert run("reject", name, "--reason", "twice, in fact", *ANN, "--write")[0] == 0
    assert (repository.root / ".memory-lsp/tombstones.jsonl").read_text(encoding="utf-8").count("\n") == 1
    code, _, errors = run(*CAPTURE, *HEAD, "--write")
    assert code == 3 and "twice, in fact" in errors
    other = captured(run, "--cite", "src/pay.py#refund", "--by", "process:bot")
    assert run("reject", other, "--reason", "no", *ANN, "--write")[0] == 0
    assert (repository.root / ".memory-lsp/tombstones.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_an_existing_memory_takes_the_place(store: Path, run: Any) -> None:
    old, new = captured(run), captured(run, "--cite", "src/pay.py#refund", *ANN)
    assert run("supersede", old, "--by-memory", new, *ANN, "--write")[0] == 0
    assert checked(run, old)["status"] == "superseded"
    assert run("supersede", new, "--by-memory", old, *ANN, "--write")[0] == 3


def test_a_refusal_as_json(store: Path, run: Any) -> None:
    code, report, _ = run(*CAPTURE, "--cite", "src/pay.py#chrge", *ANN, "--format", "json")
    assert code == 3
    assert (report["written"], report["candidates"]) == (False, ["src/pay.py#Gateway.charge"])


def test_line_ends_and_the_byte_order_mark_of_a_record_stay(repository: Repository, store: Path, run: Any) -> None:
    name = captured(run)
    (record,) = store.iterdir()
    record.write_bytes(b"\xef\xbb\xbf" + record.read_bytes().replace(b"\n", b"\r\n"))
    assert run("retire", name, "--reason", "gone", *ANN, "--write")[0] == 0
    data = record.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf---\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


def test_a_log_that_cannot_be_written_leaves_no_record_behind(repository: Repository, store: Path, run: Any) -> None:
    (repository.root / ".memory-lsp/audit.jsonl").mkdir(parents=True)
    for _ in range(2):
        code, report, errors = run(*CAPTURE, *HEAD, "--write", "--format", "json")
        assert (code, report["written"]) == (3, False)
        assert ".memory-lsp/audit.jsonl" in errors and "nothing was written" in errors
    assert list(store.iterdir()) == []


STALE = ("--stale-when", "absent src/pay.py#nope", "--stale-when", "the processor changes")


@pytest.mark.parametrize("dialect", ["okf", "kage"])
def test_predicates_given_to_a_capture_are_evaluated_and_prose_stays_prose(
    repository: Repository, run: Any, dialect: str
) -> None:
    (repository.root / {"okf": ".memory", "kage": ".agent_memory/packets"}[dialect]).mkdir(parents=True)
    name = captured(run, *HEAD, *STALE)
    memory = checked(run, name)
    assert (memory["verdict"], memory["served"]) == ("expired", "withheld")
    assert "absent src/pay.py#nope" in memory["reason"]
    (finding,) = run("check", "--format", "json")[1]["findings"]
    assert (finding["code"], finding["field"]) == ("memory-expired", "stale_when")
    if dialect == "okf":
        text = (repository.root / memory["path"]).read_text(encoding="utf-8")
        assert '    - when: "absent src/pay.py#nope"\n    - "the processor changes"\n' in text


def test_a_predicate_that_cannot_be_read_is_not_captured(repository: Repository, store: Path, run: Any) -> None:
    code, _, errors = run(*CAPTURE, *HEAD, "--stale-when", "used Foo in", "--write")
    assert code == 3 and errors.count("\n") == 1
    assert "`used Foo in`: write used NAME in GLOB" in errors and list(store.iterdir()) == []


PRICES = "import math\n\nVAT = 19\nCURRENCY = 'EUR'\n\n\ndef gross(net):\n    return net * VAT\n"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("3-4", "are in no one symbol: cite src/prices.py#VAT, src/prices.py#CURRENCY instead"),
        ("4-8", "are in no one symbol: cite src/prices.py#CURRENCY, src/prices.py#gross instead"),
        ("1", "are in no symbol, so no change of them can be followed: cite a symbol or the whole file"),
        ("5-6", "are empty: cite a symbol or the whole file"),
    ],
)
def test_lines_that_no_symbol_encloses_are_refused_and_never_become_the_file(
    repository: Repository, store: Path, run: Any, lines: str, told: str
) -> None:
    repository.write("src/prices.py", PRICES)
    code, _, errors = run(*CAPTURE, "--cite", "src/prices.py", "--lines", lines, *ANN, "--write")
    assert code == 3 and errors.count("\n") == 1 and told in errors, errors
    assert list(store.iterdir()) == []


def test_lines_that_run_backwards_are_refused(repository: Repository, store: Path, run: Any) -> None:
    code, _, errors = run(*CAPTURE, "--cite", "src/pay.py", "--lines", "5-4", *ANN, "--write")
    assert code == 2 and "the first line comes first" in errors
    code, _, errors = run(*CAPTURE, "--cite", "src/pay.py#L5-L4", *ANN, "--write")
    assert code == 3 and errors.count("\n") == 1 and "src/pay.py#L5-L4: the lines run backwards" in errors
    assert list(store.iterdir()) == []


def test_a_citation_that_is_gone_is_pointed_at_what_took_its_place(
    repository: Repository, store: Path, run: Any
) -> None:
    name = captured(run, "--cite", "src/pay.py#charge", "--cite", "src/pay.py#refund", *ANN)
    code = (repository.root / "src/pay.py").read_text(encoding="utf-8")
    repository.write("src/pay.py", code.replace("* 100", "* 7 + 1").replace("def charge", "def charge_once"))
    output = run("check")[1]
    assert f"memory-lsp follow {name} --to PATH#SYMBOL" in output and "src/pay.py#Gateway.charge_once" in output
    assert "--to PATH#SYMBOL" in run("follow", name, *ANN)[2]
    assert "--to PATH#SYMBOL" in run("verify", name, "--evidence", "read it", *ANN)[2]
    to = ("--to", "src/pay.py#Gateway.charge_once", *ANN, "--write")
    refused, _, errors = run("follow", name, *to)
    assert refused == 3 and "--cite" in errors and "2 src/pay.py#Gateway.refund" in errors
    assert run("follow", name, *to, "--cite", "3")[0] == 3
    assert run("follow", name, *to, "--cite", "0")[0] == run("follow", "--all", *to)[0] == 2
    assert run("follow", name, *to, "--cite", "1")[0] == 0
    memory = checked(run, name)
    assert memory["citations"][0]["text"] == "src/pay.py#Gateway.charge_once"
    assert (memory["verdict"], memory["served"]) == ("changed", "withheld")
    assert run("verify", name, "--evidence", "one more mill", *ANN, "--write")[0] == 0
    assert checked(run, name)["served"] == "served"


def test_a_person_takes_up_what_was_rejected(repository: Repository, store: Path, run: Any) -> None:
    name = captured(run, "--cite", "src/pay.py#charge", "--by", "process:bot")
    assert run("reject", name, "--reason", "twice, in fact", *ANN, "--write")[0] == 0
    code, _, errors = run("approve", name, *ANN, "--write")
    assert code == 3 and "was rejected" in errors and "capture --again" in errors
    code, _, errors = run(*CAPTURE, *HEAD, "--write")
    assert code == 3 and "--again" in errors
    code, _, errors = run(*CAPTURE, "--cite", "src/pay.py#charge", "--by", "process:bot", "--again", "--write")
    assert code == 3 and "a person has to do it, in an editor or on a terminal" in errors and "human:<" not in errors
    again = captured(run, *HEAD, "--again")
    assert checked(run, again)["served"] == "served"
    assert events(repository)[-1] == ("capture", "human:ann", f"again, rejected before as {name}")


def test_the_same_capture_twice_is_refused_and_a_near_one_is_told(
    repository: Repository, store: Path, run: Any
) -> None:
    name = captured(run)
    code, report, errors = run(*CAPTURE, *HEAD, "--write", "--format", "json")
    assert (code, report["written"]) == (3, False) and f"{name} says the same" in errors
    assert len(list(store.iterdir())) == 1
    code, report, _ = run(*CAPTURE, "--cite", "src/pay.py#refund", *ANN, "--format", "json")
    assert code == 0 and name in report["notes"][0]


def test_follow_tells_each_memory_on_a_line_of_its_own(repository: Repository, store: Path, run: Any) -> None:
    names = [captured(run), captured(run, "--cite", "src/pay.py#refund", *ANN)]
    code = (repository.root / "src/pay.py").read_text(encoding="utf-8")
    repository.write("src/pay.py", code.replace("class Gateway", "class Till"))
    code_, output, _ = run("follow", *names, *ANN)
    assert code_ == 0 and "\ufffd" not in output
    assert [line.split(":")[0] for line in output.splitlines() if line.startswith("Follow ")] == [
        f"Follow {name}" for name in names
    ]


def test_a_placeholder_in_a_statement_is_named(store: Path, run: Any) -> None:
    code, _, errors = run("capture", "--title", "T", "--statement", "It is <evidence: foo> so.", *HEAD, "--write")
    assert code == 3 and "a statement without the placeholder `<evidence: foo>`" in errors


def test_a_claim_that_ends_in_a_full_stop_is_told_with_one(repository: Repository, store: Path, run: Any) -> None:
    captured(run, *HEAD, "--title", "It is sent once.")
    code = (repository.root / "src/pay.py").read_text(encoding="utf-8")
    repository.write("src/pay.py", code.replace("* 100", "* 7"))
    output = run("check")[1]
    assert "It is sent once. Still true" in output and ".." not in output


@pytest.mark.parametrize("text", ["the key is AKIAQWERTYUIOPASDFGH", "ask ada@example.org before a release"])
@pytest.mark.parametrize("field", ["title", "statement", "why"])
def test_what_must_not_be_kept_is_refused_and_found_where_it_stands(
    repository: Repository, store: Path, run: Any, text: str, field: str
) -> None:
    texts = {"title": "Sent once", "statement": "It is sent once.", "why": "billing", field: text}
    code, _, errors = run(
        "capture", *(word for key, value in texts.items() for word in (f"--{key}", value)), *HEAD, "--write"
    )
    assert code == 3
    assert f"the {field} holds" in errors and text not in errors
    assert list(store.iterdir()) == []
    captured(run, *HEAD, "--title", "Sent once", "--statement", "It is sent once.", "--why", "billing")
    (record,) = store.iterdir()
    old = {"title": "Sent once", "statement": "It is sent once.", "why": "billing"}[field]
    record.write_text(record.read_text("utf-8").replace(old, text), encoding="utf-8")
    code, report, _ = run("check", "--format", "json")
    found = [finding for finding in report["findings"] if finding["code"] == "memory-secret"]
    assert code == 1 and [finding["severity"] for finding in found] == ["error"]
    assert text not in found[0]["message"]


def test_hashes_and_ids_are_no_secrets(repository: Repository, store: Path, run: Any) -> None:
    captured(
        run,
        *HEAD,
        "--title",
        "Commit 5dec4dc1b2a3f4e5d6c7b8a9",
        "--statement",
        "Since `fabdf792ce3c11a81b30049b3d1b71374d49bb61` it is sent once.",
    )
    report = run("check", "--format", "json")[1]
    assert not [finding for finding in report["findings"] if finding["code"] == "memory-secret"]


def test_a_title_that_says_nothing_is_refused(repository: Repository, store: Path, run: Any) -> None:
    code, _, errors = run("capture", "--title", "...", "--statement", "It is sent once.", *HEAD, "--write")
    assert (code, "says something" in errors) == (3, True)
