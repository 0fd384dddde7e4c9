"""What cannot be read or judged is told as that, with the reason, and never taken for something else."""

from __future__ import annotations

import pytest
from repository import Repository

from memory_lsp.core.model import Verdict
from memory_lsp.core.text import blob_id
from memory_lsp.workspace.project import Project


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("L3-L4", "no symbol encloses the lines: cite a symbol or the whole file"),
        ("L1", "no symbol encloses the lines: cite a symbol or the whole file"),
        ("L8-L7", "the lines run backwards: name the first one first"),
    ],
)
def test_lines_without_a_symbol_around_them_are_unchecked_and_never_the_file(
    repository: Repository, lines: str, reason: str
) -> None:
    text = "import math\n\nVAT = 19\nCURRENCY = 'EUR'\n\n\ndef gross(net):\n    return net * VAT\n"
    repository.write("src/prices.py", text)
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    cites = f"cites:\n  - path: src/prices.py\n    symbol: {lines}\n    blob: {blob_id(text.encode())}\n"
    record = repository.read(path)
    repository.write(path, record[: record.index("cites:")] + cites + record[record.rindex("---\n\n") :])
    repository.commit()
    repository.write("src/prices.py", text.replace("* VAT", "* VAT / 100"))
    snapshot = Project(repository.root).snapshot
    (judgement,) = snapshot.judgements["mem-a"]
    assert (judgement.verdict, judgement.reason) == (Verdict.UNCHECKED, reason)
    (finding,) = snapshot.findings[path]
    assert finding.code == "memory-unchecked" and reason in finding.message
    assert snapshot.states["mem-a"].served == "unverified"


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        ("v9/", "the fingerprint was made by another version of memory-lsp: verify it again"),
        ("v1/!", "the fingerprint cannot be read: verify it again"),
    ],
)
@pytest.mark.parametrize("dialect", ["okf", "kage"])
def test_a_fingerprint_that_cannot_be_read_says_so(
    repository: Repository, dialect: str, damage: str, reason: str
) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge", dialect=dialect)
    repository.write(path, repository.read(path).replace("v1/", damage))
    repository.write("src/pay.py", repository.read("src/pay.py").replace("amount * 100", "amount * 1000"))
    snapshot = Project(repository.root).snapshot
    (judgement,) = snapshot.judgements["mem-a"]
    assert (judgement.verdict, judgement.reason) == (Verdict.UNCHECKED, reason)
    assert [finding.code for finding in snapshot.findings[path]] == ["memory-unchecked"]


@pytest.mark.parametrize(
    ("dialect", "sound", "broken"),
    [
        ("okf", "title: ", "title: [torn "),
        ("okf", "scope: repo\n", "<<<<<<< ours\nscope: repo\n=======\nscope: org\n>>>>>>> theirs\n"),
        ("kage", '{"schema_version":2', '{"schema_version":,'),
        ("kage", '"body":', '"body":"","body":'),
    ],
)
def test_a_record_that_cannot_be_read_is_invalid_and_nobody_is_sent_to_approve_it(
    repository: Repository, dialect: str, sound: str, broken: str
) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge", dialect=dialect)
    repository.write(".memory-lsp/audit.jsonl", '{"memory": "mem-a", "after": "0"}\n')
    assert sound in repository.read(path)
    repository.write(path, repository.read(path).replace(sound, broken, 1))
    repository.write("src/pay.py", repository.read("src/pay.py").replace("amount * 100", "amount * 1000"))
    snapshot = Project(repository.root).snapshot
    state = snapshot.states["mem-a"]
    assert (state.served, state.withheld, state.reason) == ("withheld", "invalid", "invalid: cannot be read")
    assert {finding.code for finding in snapshot.findings[path]} == {"memory-invalid"}
