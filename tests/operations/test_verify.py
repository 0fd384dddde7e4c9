from __future__ import annotations

import pytest

from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import Event, Status, Verdict
from memory_lsp.core.pairs import PairSources
from memory_lsp.core.placeholders import find_placeholders, placeholder
from memory_lsp.operations.retire import retire
from memory_lsp.operations.verify import verify
from tests.operations.world import BO, BOT, CHANGED, FILES, GONE, LAYOUT, MOVED, NOW, Held, hold, plan_of, refusal_of

DIALECTS = pytest.mark.parametrize("dialect", ["okf", "kage"])


def check(held: Held, evidence: str = "", by: str = BO, **more: bool):  # type: ignore[no-untyped-def]
    return verify(held.memory, held.text, held.judgements, held.sources, by=by, at=NOW, evidence=evidence, **more)


@DIALECTS
@pytest.mark.parametrize("cite", ["src/pay.py#charge", "src/pay.py"])
def test_changed_code_is_fresh_again_once_there_is_evidence(dialect: str, cite: str) -> None:
    held = hold(dialect, cite, now=CHANGED, statement="It tries 3 times.")
    assert [judgement.verdict for judgement in held.judgements] == [Verdict.CHANGED]
    refusal = refusal_of(check(held))
    assert "is changed" in refusal.message and "--evidence" in refusal.message
    plan = plan_of(check(held, " five, by decision of 3 March "))
    memory = held.after(plan)
    assert judge_memory(memory, PairSources({}, CHANGED))[0].verdict is Verdict.FRESH
    event = memory.verifications[-1]
    assert (event.by, event.at, event.evidence) == (BO, NOW, "five, by decision of 3 March")
    assert "src/pay.py" in event.changes
    assert plan.events == (Event("verify", memory.id, "five, by decision of 3 March"),)


@DIALECTS
@pytest.mark.parametrize("now", [FILES, LAYOUT])
def test_code_that_means_the_same_needs_no_evidence(dialect: str, now: dict[str, bytes]) -> None:
    held = hold(dialect, now=now)
    memory = held.after(plan_of(check(held, by=BOT)))
    assert memory.last_verified_at == NOW
    assert memory.verifications[-1].evidence == ""


@DIALECTS
def test_moved_code_is_followed(dialect: str) -> None:
    held = hold(dialect, now=MOVED)
    assert held.judgements[0].verdict is Verdict.MOVED
    memory = held.after(plan_of(check(held)))
    assert [citation.text for citation in memory.citations] == ["src/pay.py#Gateway.bill"]
    assert judge_memory(memory, PairSources({}, MOVED))[0].verdict is Verdict.FRESH
    assert memory.last_verified_at == NOW


@DIALECTS
def test_missing_code_cannot_be_verified(dialect: str) -> None:
    refusal = refusal_of(check(hold(dialect, now=GONE), "looked"))
    assert "defines no `Gateway.charge`" in refusal.message
    assert "--to PATH#SYMBOL" in refusal.message and "supersede" in refusal.message


@DIALECTS
def test_a_placeholder_is_no_evidence(dialect: str) -> None:
    held = hold(dialect, now=CHANGED)
    assert "placeholder" in refusal_of(check(held, placeholder("evidence"))).message


@DIALECTS
def test_as_a_form_the_evidence_is_asked_for_and_does_not_count_yet(dialect: str) -> None:
    held = hold(dialect, now=CHANGED)
    plan = plan_of(check(held, form=True))
    assert [name for name, _ in find_placeholders(plan.edits[0].after)] == ["evidence"]
    memory = held.after(plan)
    assert memory.verifications == ()
    assert judge_memory(memory, held.sources)[0].verdict is Verdict.CHANGED


def test_an_expired_memory_needs_evidence_though_its_code_is_fresh() -> None:
    held = hold("okf")
    assert "expired" in refusal_of(check(held, expired=True)).message
    assert plan_of(check(held, "asked the team", expired=True)).edits


@DIALECTS
def test_what_is_retired_or_still_a_form_cannot_be_verified(dialect: str) -> None:
    held = hold(dialect)
    retired = held.after(plan_of(retire(held.memory, held.text, by=BO, at=NOW, reason="gone")))
    assert retired.status is Status.DEPRECATED
    refusal = refusal_of(check(Held(retired, held.text, held.sources)))
    assert "is deprecated" in refusal.message
    form = hold(dialect, title="", form=True)
    assert "title is still to be filled in" in refusal_of(check(form)).message


def test_a_record_that_changed_meanwhile_is_not_written_over() -> None:
    held = hold("okf")
    result = verify(
        held.memory, held.text.replace(held.memory.id, "mem-other"), held.judgements, held.sources, by=BO, at=NOW
    )
    assert "does not hold this id" in refusal_of(result).message
