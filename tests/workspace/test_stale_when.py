"""Machine predicates withhold a memory when they hold, and follow the files that they look at."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from repository import Repository

from memory_lsp.core.model import Severity, Verdict
from memory_lsp.workspace.project import Project, Snapshot


def codes(snapshot: Snapshot) -> list[str]:
    return sorted(finding.code for found in snapshot.findings.values() for finding in found)


def with_predicates(text: str, *predicates: str) -> str:
    lines = "".join(f"    - when: {predicate}\n" for predicate in predicates)
    head, _, rest = text.rpartition("---\n\n")
    return f"{head}context:\n  stale_when:\n{lines}---\n\n{rest}"


def remember(repository: Repository, *predicates: str) -> str:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(path, with_predicates(repository.read(path), *predicates))
    return path


def test_a_predicate_that_holds_withholds_and_says_where(repository: Repository) -> None:
    path = remember(repository, "used legacy_send in src/**/*.py")
    project = Project(repository.root)
    assert codes(project.snapshot) == []
    repository.write("src/new.py", "# legacy_send\nX = 'legacy_send'\n")
    project.poll()
    assert project.snapshot.states["mem-a"].served == "served"
    repository.write("src/new.py", "legacy_send(1)\n")
    project.poll()
    state = project.snapshot.states["mem-a"]
    assert (state.verdict, state.served, state.withheld) == (Verdict.EXPIRED, "withheld", "expired")
    (finding,) = project.snapshot.findings[path]
    assert finding.code == "memory-expired"
    assert "used legacy_send in src/**/*.py" in finding.message
    assert "src/new.py" in finding.message
    assert (
        project.snapshot.records[path].text[finding.span.start : finding.span.end] == "used legacy_send in src/**/*.py"
    )
    assert project.snapshot.code_findings["src/new.py"] == (finding,)
    repository.write("src/new.py", "other(1)\n")
    project.poll()
    assert codes(project.snapshot) == []
    assert project.snapshot.code_findings == {}


def test_a_named_file_counts_while_it_is_typed(repository: Repository) -> None:
    remember(repository, "absent src/pay.py#Gateway.refund")
    project = Project(repository.root)
    text = repository.read("src/pay.py")
    assert codes(project.open("src/pay.py", text.replace("refund", "repay"), 1)) == ["memory-expired"]
    assert codes(project.open("src/pay.py", text, 2)) == []


def test_a_date_comes_true_while_nothing_changes(repository: Repository) -> None:
    remember(repository, "after 2026-03-01")
    times = [datetime(2026, 3, 1, 12, tzinfo=timezone.utc)]
    project = Project(repository.root, now=lambda: times[-1])
    assert codes(project.snapshot) == []
    times.append(times[-1] + timedelta(days=1))
    assert project.poll()
    assert codes(project.snapshot) == ["memory-expired"]


@pytest.mark.parametrize(
    ("predicate", "code", "severity"),
    [
        ("used in src/pay.py", "memory-invalid", Severity.ERROR),
        ("exists ../secret", "memory-invalid", Severity.ERROR),
        ("dependency left-pad present in package.json", "memory-unchecked", Severity.HINT),
    ],
)
def test_what_cannot_be_evaluated_is_a_finding_and_withholds_nothing(
    repository: Repository, predicate: str, code: str, severity: Severity
) -> None:
    path = remember(repository, predicate)
    snapshot = Project(repository.root).snapshot
    (finding,) = snapshot.findings[path]
    assert (finding.code, finding.severity, finding.field) == (code, severity, "stale_when")
    assert snapshot.states["mem-a"].served == "served"


def test_a_new_predicate_counts_at_once(repository: Repository) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    before = repository.read(path)
    after = with_predicates(before, "exists src/other.py")
    project = Project(repository.root)
    assert codes(project.open(path, after, 1)) == []
    repository.write("src/other.py", "X = 1\n")
    project.poll()
    project.poll()
    assert codes(project.snapshot) == ["memory-expired"]
    assert codes(project.open(path, before, 2)) == []


def by_hand(repository: Repository, *lines: str) -> str:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(path, with_predicates(repository.read(path), *lines).replace("- when: ", "- "))
    return path


def test_a_plain_line_that_begins_as_a_predicate_is_one(repository: Repository) -> None:
    path = by_hand(repository, '"absent src/pay.py#nope"', "the processor changes")
    snapshot = Project(repository.root).snapshot
    assert snapshot.states["mem-a"].withheld == "expired"
    (finding,) = snapshot.findings[path]
    assert (finding.code, finding.field) == ("memory-expired", "stale_when")
    assert snapshot.records[path].text[finding.span.start : finding.span.end] == "absent src/pay.py#nope"


def test_a_plain_line_that_cannot_be_read_as_a_predicate_is_told_and_withholds_nothing(repository: Repository) -> None:
    path = by_hand(repository, "used Foo in")
    snapshot = Project(repository.root).snapshot
    assert snapshot.states["mem-a"].served == "served"
    (finding,) = snapshot.findings[path]
    assert (finding.code, finding.field) == ("memory-invalid", "stale_when")
    assert "write used NAME in GLOB" in finding.message
    assert snapshot.records[path].text[finding.span.start : finding.span.end] == "used Foo in"
