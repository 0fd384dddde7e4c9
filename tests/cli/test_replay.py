"""``bench replay``: what was verified at one revision, told at another, and held against ``ast`` and git."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path
from typing import Any

import pytest
from repository import AT, Repository

from memory_lsp.core.model import Citation, Status
from memory_lsp.dialects import kage
from memory_lsp.dialects.change import Draft

BEFORE = '''"""Payments."""

import logging

LIMIT = 10


def convert(amount, rate):
    """Convert once."""
    # keep it simple
    return amount * rate


def total(items, tax):
    result = 0
    for item in items:
        result += item.price * item.count + tax.of(item)
    return round(result, 2)


def retries(job, limit):
    for attempt in range(limit):
        if job.run(attempt):
            return attempt
        job.wait(attempt * 2)
    raise TimeoutError(job)


def export(rows, target):
    for row in sorted(rows):
        target.write(",".join(map(str, row)))
        target.write("\\n")
    target.flush()


def forget(cache):
    cache.clear()


def wrapped(first, second, third): return {'first': first, 'second': second, 'third': third}
'''
AFTER = (
    BEFORE.replace("# keep it simple", "# kept simple on purpose")
    .replace("item.price * item.count", "item.price + item.count")
    .replace("def retries(", "def attempts(")
    .replace("def forget(cache):\n    cache.clear()\n\n\n", "")
)
EXPORT = BEFORE[BEFORE.index("def export") : BEFORE.index("def forget")].rstrip() + "\n"
FORMATTED = """def wrapped(
    first,
    second,
    third,
):
    return {"first": first, "second": second, "third": third}
"""
AFTER = AFTER.replace(EXPORT + "\n\n", "")
AFTER = AFTER[: AFTER.index("def wrapped")] + FORMATTED
TOOLS = '''def slug(title):
    """A title as a file name."""
    words = [word.lower() for word in title.split() if word.isalnum()]
    return "-".join(words)[:80] or "untitled"
'''

EXPECTED = {
    "src/pay.py#LIMIT": "fresh",
    "src/pay.py#convert": "cosmetic",
    "src/pay.py#total": "changed",
    "src/pay.py#retries": "moved",
    "src/pay.py#export": "moved",
    "src/pay.py#forget": "missing",
    "src/pay.py#wrapped": "cosmetic",
    "src/tools.py#slug": "moved",
    "src/gone.py#gone": "missing",
}


@pytest.fixture
def history(repository: Repository) -> Repository:
    """Two commits, tagged ``a`` and ``b``, with one edit of each kind between them."""
    repository.write("src/pay.py", BEFORE)
    repository.write("src/tools.py", TOOLS)
    repository.write("src/gone.py", "def gone(a):\n    return a\n")
    repository.write("README.md", "# Shop\n\nIt sells.\n")
    repository.commit("before")
    repository.git("tag", "a")
    repository.write("src/pay.py", AFTER)
    repository.write("src/report.py", EXPORT)
    repository.git("mv", "src/tools.py", "src/text.py")
    repository.git("rm", "-q", "src/gone.py")
    repository.commit("after")
    repository.git("tag", "b")
    return repository


def sampled(run: Any, *more: str) -> dict[str, Any]:
    code, report, errors = run(
        "bench", "replay", "--from", "a", "--to", "b", "--sample", "100", "--format", "json", *more
    )
    assert (code, errors) == (0, "")
    result: dict[str, Any] = report
    return result


def test_a_sample_gets_every_verdict_and_no_witness_contradicts(history: Repository, run: Any) -> None:
    report = sampled(run)
    assert report["schema"] == "memory-lsp.bench-replay/1"
    assert report["unit"] == "symbol"
    flagged = {item["id"]: item["verdict"] for item in report["flagged"]}
    assert flagged == {name: verdict for name, verdict in EXPECTED.items() if verdict in ("changed", "missing")}
    counted = {verdict: list(EXPECTED.values()).count(verdict) for verdict in EXPECTED.values()}
    # `src/other.py#OTHER` of the repository's first commit did not change.
    assert report["verdicts"] == {**counted, "fresh": 2}
    oracle = report["oracle"]
    assert (oracle["false_alarms"], oracle["misses"], oracle["checked"]) == (0, 0, len(EXPECTED) + 1)
    assert report["renames"] == {
        "files": 1, "citations": 1, "followed": 1, "another": 0, "changed": 0, "unfollowed": 0, "cases": []
    }  # fmt: skip
    (total,) = (item for item in report["flagged"] if item["id"] == "src/pay.py#total")
    (citation,) = total["citations"]
    assert (citation["text"], citation["symbol"]) == ("src/pay.py#total", "total")
    assert (citation["parts"], citation["to"]) == (["body"], None)


def test_a_sample_depends_on_the_seed_alone(history: Repository, run: Any) -> None:
    seen = []
    for seed in ("1", "1", "2", "3", "4"):
        code, report, _ = run(
            "bench", "replay", "--from", "a", "--to", "b", "--sample", "3", "--seed", seed, "--format", "json"
        )
        assert code == 0
        assert sum(report["verdicts"].values()) == 3
        seen.append((report["verdicts"], [item["id"] for item in report["flagged"]]))
    assert seen[0] == seen[1]
    assert any(other != seen[0] for other in seen[2:])


def test_nothing_is_checked_out_and_no_process_runs_per_file(
    history: Repository, run: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(30):
        history.write(f"src/many{number}.py", f"def f{number}(a):\n    return a + {number}\n")
    history.commit("many")
    history.git("tag", "-f", "a")
    for number in range(30):
        history.write(f"src/many{number}.py", f"def f{number}(a):\n    return a - {number}\n")
    history.commit("many changed")
    history.git("tag", "-f", "b")
    (history.root / "src/pay.py").unlink()
    started: list[object] = []
    real = subprocess.Popen.__init__

    def counted(self: Any, *arguments: Any, **keywords: Any) -> None:
        started.append(arguments)
        real(self, *arguments, **keywords)

    monkeypatch.setattr(subprocess.Popen, "__init__", counted)
    report = sampled(run)
    assert report["verdicts"]["changed"] == 30
    assert len(started) < 12
    assert not (history.root / "src/pay.py").exists()


def test_an_okf_store_is_read_and_verified_at_the_first_revision(history: Repository, run: Any) -> None:
    history.git("checkout", "-q", "-b", "stored", "a")
    history.remember("mem-total", "src/pay.py#total")
    history.remember("mem-rename", "src/pay.py#retries")
    history.remember("mem-readme", "README.md")
    history.remember("mem-pending", "src/pay.py#total", status=Status.PENDING)
    history.commit("memories")
    history.git("tag", "stored-a")
    history.write("src/pay.py", AFTER)
    history.git("rm", "-q", "-r", ".memory")
    history.commit("later")
    code, report, _ = run("bench", "replay", "--from", "stored-a", "--to", "HEAD", "--format", "json")
    assert code == 0
    assert report["unit"] == "memory"
    assert report["verdicts"] == {"fresh": 1, "moved": 1, "changed": 1}
    assert [item["id"] for item in report["flagged"]] == ["mem-total"]


def packet(store: Path, repository: Repository, name: str, paths: list[str], body: str, status: Status) -> None:
    data = {path: (repository.root / path).read_bytes() for path in paths}
    draft = Draft(
        id=f"memory:{name}",
        title=f"About {name}",
        statement=body,
        type="gotcha",
        citations=tuple(
            Citation(path, sha256=hashlib.sha256(data[path]).hexdigest(), size=len(data[path])) for path in paths
        ),
        author="human:ada",
        at=AT,
        status=status,
        evidence="read it",
    )
    path, text = kage.create(draft, "packets", lambda path: False)
    store.mkdir(parents=True, exist_ok=True)
    (store / Path(path).name).write_text(text, "utf-8")


PACKETS = {
    "named-unchanged": (["src/pay.py"], "`convert` is the only place with rates."),
    "named-changed": (["src/pay.py"], "`total()` rounds once, at the end."),
    "named-renamed": (["src/pay.py"], "`retries` gives up after `limit`."),
    "named-elsewhere": (["src/pay.py", "src/tools.py"], "`slug` cuts at 80 characters."),
    "unnamed": (["src/pay.py"], "Money is kept in cents."),
    "unnamed-unchanged": (["README.md"], "The read-me is short."),
}  # fmt: skip


@pytest.mark.parametrize("inside", [True, False])
def test_a_kage_store_is_judged_by_the_definitions_that_its_packets_name(
    history: Repository, run: Any, tmp_path: Path, inside: bool
) -> None:
    history.git("checkout", "-q", "a")
    store = history.root / ".agent_memory/packets" if inside else tmp_path / "elsewhere"
    for name, (paths, body) in PACKETS.items():
        packet(store, history, name, paths, body, Status.APPROVED)
    packet(store, history, "pending", ["src/pay.py"], "`total` is slow.", Status.PENDING)
    before, after = "a", "b"
    if inside:
        before = history.commit("packets")
        history.git("rm", "-q", "-r", ".agent_memory")
        history.git("checkout", "b", "--", "src")
        history.git("rm", "-q", "src/tools.py")
        after = history.commit("after")
    code, report, _ = run(
        "bench", "replay", "--repo", str(history.root), "--from", before, "--to", after,
        "--store", ".agent_memory/packets" if inside else str(store), "--format", "json",
    )  # fmt: skip
    assert code == 0
    assert report["unit"] == "memory"
    assert sum(report["verdicts"].values()) == len(PACKETS)
    flagged = {item["id"].removeprefix("memory:"): item["citations"] for item in report["flagged"]}
    assert sorted(flagged) == ["named-changed", "unnamed"]
    (citation,) = flagged["named-changed"]
    assert (citation["symbol"], citation["parts"], citation["reason"]) == ("total", ["body"], "total: body")
    assert report["verdicts"]["moved"] == 2
    # Hashing whole files would flag every packet but the one about the read-me.
    assert report["whole_file"] == len(PACKETS) - 1
    # The oracle cannot say anything about Markdown.
    assert report["oracle"] | {"cases": [], "unfollowed": []} == {
        "false_alarms": 0, "misses": 0, "checked": len(PACKETS) - 1, "directives": 0, "cases": [], "unfollowed": []
    }  # fmt: skip


def test_a_packet_is_held_against_the_version_that_it_recorded(history: Repository, run: Any, tmp_path: Path) -> None:
    history.git("checkout", "-q", "a")
    packet(tmp_path / "old", history, "older", ["src/pay.py"], "`total()` rounds once.", Status.APPROVED)
    arguments = ("bench", "replay", "--to", "b", "--store", str(tmp_path / "old"), "--format", "json")
    # Between b and b nothing changed, but the packet recorded the file as it was before b.
    _, report, _ = run(*arguments, "--from", "b")
    (flagged,) = report["flagged"]
    assert flagged["citations"][0]["symbol"] == "total"


def test_the_text_begins_with_the_figures(history: Repository, run: Any) -> None:
    code, output, errors = run("bench", "replay", "--from", "a", "--to", "b", "--sample", "100")
    assert (code, errors) == (0, "")
    lines = output.splitlines()
    assert lines[0].split() == ["verdict", "symbols", "share"]
    assert "flagged: 3 of 10 (30.0 %)" in output
    assert "10 checked, 0 false alarms, 0 misses" in output
    assert "changed: src/pay.py#total" in lines


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--from", "nowhere", "--to", "b", "--sample", "3"), "nowhere"),
        (("--from", "a", "--to", "b"), "--sample"),
        (("--from", "a", "--to", "b", "--store", "no/such"), "no/such"),
        (("--from", "a", "--to", "b", "--sample", "3", "--store", "x"), "exclude"),
        (("--from", "a", "--to", "b", "--sample", "0"), "--sample"),
        (("--from", "a", "--to", "b", "--repo", "no-such-folder", "--sample", "3"), "no-such-folder"),
    ],
)
def test_what_is_not_there_is_a_usage_error(
    history: Repository, run: Any, arguments: tuple[str, ...], expected: str
) -> None:
    code, output, errors = run("bench", "replay", *arguments)
    assert (code, output) == (2, "")
    assert expected in errors


def test_the_oracle_finds_what_a_wrong_verdict_would_hide(history: Repository, run: Any, monkeypatch: Any) -> None:
    from memory_lsp.core import compare as engine
    from memory_lsp.core.model import Verdict

    def blind(*arguments: Any) -> Any:
        result = real(*arguments)
        return None if result is None else engine.Comparison(Verdict.FRESH, (), result.name)

    real = engine.compare_symbol
    monkeypatch.setattr("memory_lsp.core.judge.compare_symbol", blind)
    assert [case["id"] for case in sampled(run)["oracle"]["cases"]] == ["src/pay.py#total"]
