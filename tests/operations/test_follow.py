from __future__ import annotations

import pytest

from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import Plan, Refusal, Verdict
from memory_lsp.core.pairs import PairSources
from memory_lsp.operations.follow import follow
from tests.operations.world import BOT, CHANGED, FILES, GONE, MOVED, NOW, Held, hold, plan_of, refusal_of

DIALECTS = pytest.mark.parametrize("dialect", ["okf", "kage"])


def point(held: Held, index: int | None = None, to: str = "") -> Plan | Refusal:
    return follow(held.memory, held.text, held.judgements, held.sources, by=BOT, at=NOW, index=index, to=to)


@DIALECTS
def test_moved_code_is_followed_without_evidence_and_without_a_verification(dialect: str) -> None:
    held = hold(dialect, "src/util.py#pause", "src/pay.py#charge", now=MOVED)
    plan = plan_of(point(held))
    memory = held.after(plan)
    assert sorted(c.text for c in memory.citations) == ["src/pay.py#Gateway.bill", "src/util.py#pause"]
    assert {j.verdict for j in judge_memory(memory, PairSources({}, MOVED))} == {Verdict.FRESH}
    assert (memory.last_verified_at, memory.verifications) == (held.memory.last_verified_at, held.memory.verifications)
    assert plan.events[0].reason == "src/pay.py#Gateway.charge -> src/pay.py#Gateway.bill"


@DIALECTS
def test_a_file_that_moved_is_followed(dialect: str) -> None:
    files = {("lib/tools.py" if path == "src/util.py" else path): data for path, data in FILES.items()}
    held = hold(dialect, "src/util.py#pause", now=files)
    assert [j.verdict for j in held.judgements] == [Verdict.MOVED]
    assert [c.text for c in held.after(plan_of(point(held))).citations] == ["lib/tools.py#pause"]


@DIALECTS
@pytest.mark.parametrize("now", [FILES, CHANGED, GONE])
def test_what_has_not_moved_is_refused(dialect: str, now: dict[str, bytes]) -> None:
    held = hold(dialect, now=now)
    assert "nothing that has moved" in refusal_of(point(held)).message
    assert "has not moved to any one place" in refusal_of(point(held, 0)).message
    assert "there is no citation 8" in refusal_of(point(held, 7)).message


@DIALECTS
def test_a_citation_pointed_at_other_code_is_not_taken_for_verified(dialect: str) -> None:
    held = hold(dialect, now=GONE)
    memory = held.after(plan_of(point(held, 0, "src/pay.py#Gateway")))
    assert [c.text for c in memory.citations] == ["src/pay.py#Gateway"]
    assert memory.citations[0].fingerprint == held.memory.citations[0].fingerprint
    assert not judge_memory(memory, held.sources)[0].verdict.served


def test_a_target_that_is_not_there_is_refused_with_the_nearest() -> None:
    refusal = refusal_of(point(hold("okf", now=GONE), 0, "src/pay.py#Gatewya"))
    assert refusal.candidates == ("src/pay.py#Gateway",)


def test_which_of_several_citations_is_meant_has_to_be_said() -> None:
    held = hold("okf", "src/pay.py#charge", "src/util.py#pause", now=GONE)
    assert "say which of them" in refusal_of(point(held, None, "src/pay.py#Gateway")).message
