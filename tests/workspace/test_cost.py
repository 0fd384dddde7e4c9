"""What an edit costs: the citations of its file, not the store and not the repository."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from repository import Repository

import memory_lsp.workspace.judging as judging_module
from memory_lsp.core.model import Verdict
from memory_lsp.core.outline import outline
from memory_lsp.workspace.project import Project
from memory_lsp.workspace.search import holds, telling_words
from memory_lsp.workspace.sources import World

FUNCTION = "def {name}(order, rate):\n    total = order.net_amount * (1 + rate)\n    return round(total + order.shipping_cost - order.store_credit, 2)\n"


@pytest.fixture
def judged(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Ids of the memories that were judged."""
    ids: list[str] = []
    verdict = judging_module.Judging._verdict

    def counted(self, memory, index, view):  # type: ignore[no-untyped-def]
        ids.append(memory.id)
        return verdict(self, memory, index, view)

    monkeypatch.setattr(judging_module.Judging, "_verdict", counted)
    yield ids


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Paths of the files whose outline was asked for."""
    paths: list[str] = []
    real = World.outline

    def counted(self: World, path: str, data: bytes):  # type: ignore[no-untyped-def]
        paths.append(path)
        return real(self, path, data)

    monkeypatch.setattr(World, "outline", counted)
    yield paths


def test_an_edit_judges_the_citations_of_its_file(repository: Repository, judged: list[str]) -> None:
    repository.write("src/other.py", FUNCTION.format(name="price"))
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("mem-b", "src/pay.py#Gateway.refund")
    repository.remember("mem-c", "src/other.py#price")
    project = Project(repository.root)
    judged.clear()
    project.open("src/pay.py", repository.read("src/pay.py") + "\n", 1)
    assert sorted(judged) == ["mem-a", "mem-b"]
    judged.clear()
    project.open("src/uncited.py", "X = 1\n", 1)
    project.poll()
    assert judged == []


def test_an_edit_of_a_record_judges_its_memory(repository: Repository, judged: list[str]) -> None:
    path = repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.remember("mem-b", "src/pay.py#Gateway.refund")
    project = Project(repository.root)
    judged.clear()
    project.open(path, repository.read(path) + "More.\n", 1)
    assert judged == ["mem-a"]


def test_an_edit_never_searches_the_repository(repository: Repository, parsed: list[str]) -> None:
    repository.write("src/price.py", FUNCTION.format(name="price"))
    repository.remember("mem-a", "src/price.py#price")
    for number in range(20):
        repository.write(f"src/more{number}.py", FUNCTION.format(name=f"unlike{number}").replace("round", f"f{number}"))
    project = Project(repository.root)
    parsed.clear()
    snapshot = project.open("src/price.py", "# gone\n", 1)
    assert snapshot.judgements["mem-a"][0].verdict is Verdict.MISSING
    snapshot = project.open("src/price.py", "# gone \n", 2)
    project.open("src/more3.py", "X = 1\n", 1)
    assert not {path for path in parsed if path not in ("src/price.py", "src/more3.py")}


def test_a_look_at_the_disk_searches_once_and_passes_over_what_cannot_hold_it(
    repository: Repository, parsed: list[str]
) -> None:
    repository.write("src/price.py", FUNCTION.format(name="price"))
    repository.commit()
    repository.remember("mem-a", "src/price.py#price")
    for number in range(20):
        repository.write(f"src/more{number}.py", f"def other{number}(shipping_cost):\n    return shipping_cost\n")
    repository.commit("more")
    repository.write("lib/cost.py", FUNCTION.format(name="full_price"))
    project = Project(repository.root)
    parsed.clear()
    project.open("src/price.py", "# gone\n", 1)
    assert project.poll()
    assert project.snapshot.judgements["mem-a"][0].to == "lib/cost.py#full_price"
    assert not {path for path in parsed if path.startswith("src/more")}
    parsed.clear()
    assert not project.poll()
    assert parsed == []


def test_a_moved_finding_follows_its_name_in_the_other_file(repository: Repository) -> None:
    repository.write("src/price.py", FUNCTION.format(name="price"))
    repository.commit()
    repository.remember("mem-a", "src/price.py#price")
    moved = FUNCTION.format(name="full_price")
    project = Project(repository.root)
    project.open("src/cost.py", moved, 1)
    project.open("src/price.py", "# gone\n", 1)
    for text in (moved, "# one more line\n" + moved):
        (finding,) = project.open("src/cost.py", text, 2).code_findings["src/cost.py"]
        assert finding.in_code is not None
        assert text.encode()[finding.in_code.span.start : finding.in_code.span.end] == b"full_price"
    snapshot = project.open("src/cost.py", "# gone too\n", 3)
    assert snapshot.judgements["mem-a"][0].verdict is Verdict.MISSING
    assert "src/cost.py" not in snapshot.code_findings


def test_telling_words_are_in_every_twin() -> None:
    text = FUNCTION.format(name="price").encode()
    words = telling_words(outline("python", text), "price")
    assert {b"net_amount", b"shipping_cost", b"store_credit"} <= set(words)
    assert b"price" not in words
    assert holds(FUNCTION.format(name="other").replace("(1 + rate)", "( 1+rate )").encode(), words)
    assert not holds(b"def price(): return 1\n", words)
    assert telling_words(None, "price") == ()
    assert telling_words(outline("python", text), "absent") == ()
