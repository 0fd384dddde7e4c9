"""What a root says about its memories, and how that follows the disk and the buffers."""

from __future__ import annotations

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from repository import Repository

from memory_lsp.core.model import Severity, Status, Verdict
from memory_lsp.workspace.project import Project, Snapshot


def codes(snapshot: Snapshot) -> list[str]:
    return sorted(finding.code for found in snapshot.findings.values() for finding in found)


def edit(repository: Repository, old: str, new: str, path: str = "src/pay.py") -> None:
    text = repository.read(path)
    assert old in text
    repository.write(path, text.replace(old, new))


def test_a_fresh_memory_is_served_without_findings(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    snapshot = Project(repository.root).snapshot
    assert snapshot.states["mem-a"].served == "served"
    assert snapshot.judgements["mem-a"][0].verdict is Verdict.FRESH
    assert codes(snapshot) == []


def test_a_changed_symbol_is_found_in_the_record_and_on_its_name(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    edit(repository, "amount * 100", "amount * 1000")
    snapshot = Project(repository.root).snapshot
    (finding,) = snapshot.findings[path]
    assert finding.code == "memory-changed"
    assert finding.severity is Severity.WARNING
    assert finding.message.startswith("Gateway.charge changed (body) since mem-a was verified: Charges are idempotent")
    record = snapshot.records[path].text
    assert "charge" in record[finding.span.start : finding.span.end]
    assert finding.in_code is not None
    source = repository.read("src/pay.py").encode()
    assert source[finding.in_code.span.start : finding.in_code.span.end] == b"charge"
    assert finding.in_code_severity is Severity.INFORMATION
    assert snapshot.code_findings["src/pay.py"] == (finding,)
    state = snapshot.states["mem-a"]
    assert (state.served, state.withheld) == ("withheld", "changed")


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (Status.PENDING, ["memory-changed"]),
        (Status.DEPRECATED, []),
        (Status.SUPERSEDED, ["memory-superseded"]),
    ],
)
def test_status_comes_before_verdict(repository: Repository, status: Status, expected: list[str]) -> None:
    repository.remember("mem-new", "src/pay.py#Gateway.refund")
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge", status=status)
    if status is Status.SUPERSEDED:
        edit(repository, "status: deprecated", "status: deprecated\nsuperseded_by: [mem-new]", path)
    edit(repository, "amount * 100", "amount * 1000")
    snapshot = Project(repository.root).snapshot
    assert codes(snapshot) == expected
    assert snapshot.states["mem-a"].served == "withheld"
    assert snapshot.states["mem-a"].withheld == status.value


def test_a_moved_symbol_is_served_and_shown_where_it_went(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    edit(repository, "charge(self", "bill(self")
    snapshot = Project(repository.root).snapshot
    (finding,) = snapshot.findings[path]
    assert finding.code == "memory-moved"
    assert "src/pay.py#Gateway.bill" in finding.message
    assert finding.in_code is not None
    source = repository.read("src/pay.py").encode()
    assert source[finding.in_code.span.start : finding.in_code.span.end] == b"bill"
    assert snapshot.states["mem-a"].served == "served"


def test_a_missing_symbol_is_shown_on_the_scope_that_is_left(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.refund")
    edit(repository, "    def refund(self, amount):\n        return self.send(-amount, None)\n", "")
    snapshot = Project(repository.root).snapshot
    (finding,) = snapshot.code_findings["src/pay.py"]
    assert finding.code == "memory-missing"
    assert finding.in_code is not None
    source = repository.read("src/pay.py").encode()
    assert source[finding.in_code.span.start : finding.in_code.span.end] == b"Gateway"


def test_a_citation_that_never_resolved_is_an_error(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.chrage", verified=False)
    repository.remember("mem-b", "../outside.py", verified=False)
    repository.remember("mem-c", "src/gone.py", verified=False)
    snapshot = Project(repository.root).snapshot
    assert set(codes(snapshot)) <= {"memory-unresolved", "memory-invalid"}
    assert codes(snapshot).count("memory-unresolved") >= 2
    assert snapshot.states["mem-a"].served == "withheld"


def test_a_citation_without_fingerprint_is_served_as_unverified(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge", verified=False)
    snapshot = Project(repository.root).snapshot
    assert codes(snapshot) == ["memory-unchecked"]
    assert snapshot.states["mem-a"].served == "unverified"


def test_two_records_with_one_id_are_both_found(repository: Repository) -> None:
    first = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(".memory/zz-copy.md", repository.read(first))
    project = Project(repository.root)
    assert codes(project.snapshot) == ["memory-duplicate-id", "memory-duplicate-id"]
    assert project.snapshot.memories["mem-a"].path == first
    (repository.root / ".memory/zz-copy.md").unlink()
    project.poll()
    project.poll()
    assert codes(project.snapshot) == []


def test_superseding_in_a_circle_is_invalid(repository: Repository) -> None:
    for name, other in (("mem-a", "mem-b"), ("mem-b", "mem-a")):
        path = repository.remember(name, "src/pay.py#Gateway.charge", status=Status.SUPERSEDED)
        edit(repository, "status: deprecated", f"status: deprecated\nsuperseded_by: [{other}]", path)
    project = Project(repository.root)
    assert codes(project.snapshot).count("memory-invalid") == 2
    edit(repository, "superseded_by: [mem-a]", "superseded_by: [mem-x]", path)
    project.poll()
    messages = [
        finding.message
        for found in project.snapshot.findings.values()
        for finding in found
        if finding.code == "memory-invalid"
    ]
    assert messages == ["mem-b: `superseded_by` names mem-x, which no record of this root has. Correct the id."]


def test_a_buffer_counts_before_it_is_saved(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    text = repository.read("src/pay.py")
    assert codes(project.open("src/pay.py", text.replace("* 100", "* 7"), 2)) == ["memory-changed"]
    assert codes(project.open("src/pay.py", text, 3)) == []
    assert codes(project.open("src/pay.py", text.replace("* 100", "* 7"), 4)) == ["memory-changed"]
    assert codes(project.close("src/pay.py")) == []


def test_the_last_verdict_stands_while_the_text_is_broken(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    text = repository.read("src/pay.py")
    changed = text.replace("* 100", "* 7")
    assert codes(project.open("src/pay.py", changed, 2)) == ["memory-changed"]
    broken = changed.replace("if key in self.seen:", "if key in (self.seen:")
    snapshot = project.open("src/pay.py", "# one more line\n" + broken, 3)
    assert codes(snapshot) == ["memory-changed"]
    (finding,) = snapshot.code_findings["src/pay.py"]
    assert finding.in_code is not None
    data = ("# one more line\n" + broken).encode()
    assert data[finding.in_code.span.start : finding.in_code.span.end] == b"charge"


def test_broken_text_without_a_known_verdict_is_judged_as_saved_then_as_committed(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    text = repository.read("src/pay.py")
    broken = text.replace("if key in self.seen:", "if key in (self.seen:")
    repository.write("src/pay.py", broken)
    snapshot = Project(repository.root).snapshot
    assert snapshot.judgements["mem-a"][0].verdict is Verdict.FRESH
    repository.commit("broken")
    judgement = Project(repository.root).snapshot.judgements["mem-a"][0]
    assert (judgement.verdict, judgement.reason) == (Verdict.UNCHECKED, "does not parse")


def test_poll_sees_code_records_head_and_settings(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    assert not project.poll()
    edit(repository, "* 100", "* 7")
    assert project.poll()
    assert codes(project.snapshot) == ["memory-changed"]
    assert not project.poll()
    repository.write(".memory-lsp/config.toml", '[severity]\nmemory-changed = "off"\n')
    assert project.poll()
    assert codes(project.snapshot) == []
    repository.write(".memory-lsp/config.toml", '[severity]\nmemory-changed = "error"\n')
    assert project.poll()
    assert project.snapshot.findings[path][0].severity is Severity.ERROR
    other = repository.remember("mem-b", "src/pay.py#Gateway.refund")
    assert project.poll()
    assert "mem-b" in project.snapshot.memories
    (repository.root / other).unlink()
    assert not project.poll()
    assert project.poll()
    assert "mem-b" not in project.snapshot.memories


def test_a_file_that_is_away_while_it_is_saved_is_not_missing(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    file = repository.root / "src/pay.py"
    away = file.with_suffix(".bck")
    file.rename(away)
    assert not project.poll()
    assert codes(project.snapshot) == []
    away.rename(file)
    project.poll()
    assert codes(project.snapshot) == []
    file.unlink()
    project.poll()
    project.poll()
    assert codes(project.snapshot) == ["memory-missing"]


def test_a_definition_that_turns_up_in_an_uncited_file_is_followed(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    text = repository.read("src/pay.py")
    start, end = text.index("    def charge"), text.index("    def refund")
    repository.write("src/pay.py", text[:start] + text[end:])
    project.poll()
    assert codes(project.snapshot) == ["memory-missing"]
    repository.write("src/other.py", "class Other:\n" + text[start:end])
    project.poll()
    assert codes(project.snapshot) == ["memory-moved"]
    assert project.snapshot.judgements["mem-a"][0].to == "src/other.py#Other.charge"


def test_a_definition_that_is_pasted_into_another_buffer_is_followed(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    text = repository.read("src/pay.py")
    start, end = text.index("    def charge"), text.index("    def refund")
    project.open("src/other.py", "class Other:\n    pass\n", 1)
    assert codes(project.open("src/pay.py", text[:start] + text[end:], 1)) == ["memory-missing"]
    assert codes(project.open("src/other.py", "class Other:\n" + text[start:end], 2)) == ["memory-moved"]


def test_a_record_in_a_buffer_counts_before_it_exists(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    text = repository.read(path)
    (repository.root / path).unlink()
    project = Project(repository.root)
    assert project.open(path, text, 1).records[path].version == 1
    assert "mem-a" in project.snapshot.memories
    assert "mem-a" not in project.close(path).memories


def test_settings_of_the_client_win_and_an_untrusted_file_sets_severities_alone(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    edit(repository, "* 100", "* 7")
    repository.write(".memory-lsp/config.toml", 'actor = "human:eve"\n[severity]\nmemory-changed = "hint"\n')
    project = Project(repository.root, trusted=False)
    assert project.snapshot.settings.actor == ""
    assert project.snapshot.findings[path][0].severity is Severity.HINT
    snapshot = project.configure({"severity": {"memory-changed": {"record": "error", "code": "off"}}})
    assert snapshot.findings[path][0].severity is Severity.ERROR
    assert snapshot.code_findings == {}
    snapshot = project.configure({"severity": {"memory-chnged": "error"}, "colour": 1, "poll": "often"})
    assert len(snapshot.problems) == 3
    assert Project(repository.root).snapshot.settings.actor == "human:eve"


def test_a_time_to_live_runs_out_while_nothing_changes(repository: Repository) -> None:
    from datetime import datetime, timedelta, timezone

    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    edit(repository, "scope: repo", "scope: repo\nstale_after: 2026-03-01", path)
    times = [datetime(2026, 3, 1, 12, tzinfo=timezone.utc)]
    project = Project(repository.root, now=lambda: times[-1])
    assert codes(project.snapshot) == []
    times.append(times[-1] + timedelta(days=1))
    assert project.poll()
    assert codes(project.snapshot) == ["memory-expired"]
    assert project.snapshot.states["mem-a"].withheld == "expired"


def test_an_earlier_snapshot_never_changes(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    before = project.snapshot
    states, findings = dict(before.states), dict(before.findings)
    project.open("src/pay.py", repository.read("src/pay.py").replace("* 100", "* 7"), 2)
    assert dict(before.states) == states
    assert dict(before.findings) == findings
    assert project.snapshot.revision == before.revision + 1


def test_one_unreadable_record_leaves_the_others_alone(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    (repository.root / ".memory/latin.md").write_bytes(b"---\ntype: fact\ntitle: caf\xe9\n---\n")
    (repository.root / ".memory/huge.md").write_bytes(b"x" * 1_000_001)
    os.mkfifo(repository.root / ".memory/pipe.md")
    (repository.root / ".memory/away.md").symlink_to("/etc/hostname")
    snapshot = Project(repository.root).snapshot
    assert codes(snapshot) == ["memory-invalid"] * 4
    assert snapshot.states["mem-a"].served == "served"
    assert all("/etc" not in finding.message for found in snapshot.findings.values() for finding in found)


def test_without_git_everything_but_history_works(tmp_path: Path) -> None:
    made = Repository(tmp_path / "plain", git=False)
    made.write("a.py", "def pay(total):\n    return total * 2 + fee(total) - rebate(total) + tax(total, 3)\n")
    made.remember("mem-a", "a.py#pay")
    project = Project(made.root)
    assert project.snapshot.states["mem-a"].served == "served"
    made.write("b.py", made.read("a.py"))
    made.write("a.py", "")
    project.poll()
    assert project.snapshot.judgements["mem-a"][0].verdict is Verdict.MOVED


def test_what_a_client_reports_is_read_again_and_confirms_no_absence(repository: Repository) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    project = Project(repository.root)
    file = repository.root / "src/pay.py"
    stamp = file.stat()
    edit(repository, "* 100", "* 999")
    os.utime(file, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert codes(project.refresh(["src/pay.py"])) == ["memory-changed"]
    file.rename(file.with_suffix(".bck"))
    project.refresh(["src/pay.py"])
    assert codes(project.refresh(["src/pay.py"])) == ["memory-changed"]
    project.poll()
    assert codes(project.snapshot) == ["memory-missing"]
    assert codes(project.refresh()) == ["memory-missing"]


def test_a_repository_that_is_made_later_is_found_when_everything_is_read_anew(tmp_path: Path) -> None:
    made = Repository(tmp_path / "plain", git=False)
    made.write("a.py", "A = 1\n")
    made.remember("mem-a", "a.py#A")
    project = Project(made.root)
    assert project.snapshot.sources.head("a.py") is None
    made.git("init", "-q")
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.commit()
    assert project.refresh().sources.head("a.py") == b"A = 1\n"


def test_a_store_that_cannot_be_listed_is_told_apart_from_an_empty_one(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Project(repository.root).snapshot.unreadable == ()
    monkeypatch.setattr("memory_lsp.workspace.files.Files.can_list", lambda self, folder: False)
    assert Project(repository.root).snapshot.unreadable == (".memory",)


def dated(repository: Repository, line: str) -> str:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(path, repository.read(path).replace("scope: repo\n", f"scope: repo\n{line}\n"))
    return path


@pytest.mark.parametrize("field", ["stale_after", "valid_from", "valid_until"])
def test_what_is_no_date_is_told_on_its_field(repository: Repository, field: str) -> None:
    path = dated(repository, f"{field}: someday")
    snapshot = Project(repository.root).snapshot
    (finding,) = snapshot.findings[path]
    assert (finding.code, finding.field) == ("memory-invalid", field)
    assert f"`{field}` is no date" in finding.message
    assert snapshot.records[path].text[finding.span.start : finding.span.end] == "someday"


def test_a_claim_that_is_not_valid_any_more_is_withheld(repository: Repository) -> None:
    path = dated(repository, "valid_until: 2026-03-01")
    there = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
    assert Project(repository.root, now=lambda: there).snapshot.states["mem-a"].served == "served"
    snapshot = Project(repository.root, now=lambda: there + timedelta(days=1)).snapshot
    state = snapshot.states["mem-a"]
    assert (state.verdict, state.served, state.reason) == (Verdict.EXPIRED, "withheld", "valid until 2026-03-01")
    (finding,) = snapshot.findings[path]
    assert (finding.code, finding.field) == ("memory-expired", "valid_until")
    assert "Supersede or retire the memory" in finding.message
