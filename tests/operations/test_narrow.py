from __future__ import annotations

import pytest

from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import Memory, Plan, Refusal, Verdict
from memory_lsp.core.pairs import PairSources
from memory_lsp.core.placeholders import placeholder
from memory_lsp.dialects import DIALECTS as DIALECTS_BY_NAME
from memory_lsp.operations.finish import finish
from memory_lsp.operations.narrow import narrow
from memory_lsp.operations.verify import verify
from tests.operations.world import ANN, BO, CHANGED, FILES, GONE, LAYOUT, MOVED, NOW, Held, hold, plan_of, refusal_of

DIALECTS = pytest.mark.parametrize("dialect", ["okf", "kage"])
SEND = "answer = self.send(order, amount, attempt)\nif answer.ok:\n    return answer.receipt"
AFTER = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"raise Declined(order)", b"raise Declined(order, amount)")}


def ask(held: Held, **more: object) -> Plan | Refusal:
    values: dict[str, object] = {"lines": (4, 6), "index": 0, "by": BO, "at": NOW, **more}
    return narrow(held.memory, held.text, held.judgements, held.sources, **values)  # type: ignore[arg-type]


def verdict(memory: Memory, now: dict[str, bytes], then: dict[str, bytes] = FILES) -> tuple[str, tuple[str, ...]]:
    (judgement,) = judge_memory(memory, PairSources(then, now))
    return judgement.verdict.value, judgement.parts


@DIALECTS
@pytest.mark.parametrize("now", [FILES, LAYOUT])
def test_as_verified_needs_no_evidence(dialect: str, now: dict[str, bytes]) -> None:
    held = hold(dialect, now=now)
    plan = plan_of(ask(held))
    memory = held.after(plan)
    assert [(citation.text, citation.excerpt) for citation in memory.citations] == [("src/pay.py#Gateway.charge", SEND)]
    assert memory.verifications == held.memory.verifications
    assert verdict(memory, AFTER) == ("fresh", ("elsewhere",))
    assert (
        verdict(memory, {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"answer.ok", b"answer.fine")})[0]
        == "changed"
    )
    assert (
        plan_of(
            narrow(
                memory,
                plan.edits[0].after,
                judge_memory(memory, held.sources),
                held.sources,
                by=BO,
                at=NOW,
                index=0,
                lines=(4, 6),
            )
        ).edits
        == ()
    )
    wider = narrow(
        memory,
        plan.edits[0].after,
        judge_memory(memory, held.sources),
        held.sources,
        by=BO,
        at=NOW,
        index=0,
        lines=(4, 7),
    )
    assert held.after(plan_of(wider)).citations[0].excerpt.startswith("for attempt")


@DIALECTS
def test_a_change_elsewhere_needs_evidence(dialect: str) -> None:
    held = hold(dialect, now=AFTER)
    assert held.judgements[0].verdict is Verdict.CHANGED
    assert "say what you checked" in refusal_of(ask(held)).message
    assert "placeholder" in refusal_of(ask(held, evidence=placeholder("evidence"))).message
    memory = held.after(plan_of(ask(held, evidence="the claim is about the attempts")))
    assert memory.verifications[-1].evidence == "the claim is about the attempts"
    assert memory.citations[0].excerpt == SEND
    assert verdict(memory, AFTER)[0] == "fresh"


@DIALECTS
def test_until_the_evidence_is_written_the_wide_citation_judges(dialect: str) -> None:
    held = hold(dialect, now=AFTER)
    plan = plan_of(ask(held, form=True))
    memory = held.after(plan)
    assert [name for name, _ in memory.placeholders] == ["evidence"]
    assert memory.citations[0].excerpt == "" and verdict(memory, AFTER)[0] == "changed"
    again = narrow(
        memory, plan.edits[0].after, held.judgements, held.sources, by=BO, at=NOW, index=0, lines=(4, 6), form=True
    )
    assert "waits" in refusal_of(again).message


@DIALECTS
def test_lines_that_were_never_verified_are_refused(dialect: str) -> None:
    held = hold(dialect, now=AFTER)
    assert "not what was verified" in refusal_of(ask(held, lines=(7, 7), evidence="looked")).message


def test_nothing_new_slips_into_a_narrow_citation() -> None:
    held = hold("okf", now=AFTER)
    first = hold("okf")
    plan = plan_of(ask(first, lines=(4, 4)))
    narrowed, text = first.after(plan), plan.edits[0].after
    judgements = judge_memory(narrowed, held.sources)
    assert (judgements[0].verdict, judgements[0].parts) == (Verdict.FRESH, ("elsewhere",))
    refusal = narrow(narrowed, text, judgements, held.sources, by=BO, at=NOW, index=0, lines=(7, 7))
    assert "not what was verified" in refusal_of(refusal).message
    without = PairSources({}, AFTER)  # the version that was verified is lost
    assert (
        "evidence"
        in refusal_of(narrow(narrowed, text, judgements, without, by=BO, at=NOW, index=0, lines=(5, 5))).message
    )


@DIALECTS
def test_a_moved_citation_is_followed(dialect: str) -> None:
    held = hold(dialect, now=MOVED)
    memory = held.after(plan_of(ask(held)))
    assert [(citation.text, citation.excerpt) for citation in memory.citations] == [("src/pay.py#Gateway.bill", SEND)]
    assert verdict(memory, MOVED)[0] == "fresh"


@DIALECTS
def test_to_the_only_member_that_changed(dialect: str) -> None:
    held = hold(dialect, "src/pay.py#Gateway", now=CHANGED)
    assert held.judgements[0].parts == ("member:charge",)
    waiting = held.after(plan_of(ask(held, lines=None, member="charge", form=True)))
    assert [citation.text for citation in waiting.citations] == ["src/pay.py#Gateway.charge"]
    assert verdict(waiting, CHANGED) == ("changed", ("body",)), "nobody said yet that it still holds"
    memory = held.after(plan_of(ask(held, lines=None, member="charge", evidence="five are fine")))
    assert verdict(memory, CHANGED)[0] == "fresh"
    refund = {**CHANGED, "src/pay.py": CHANGED["src/pay.py"].replace(b"-order.paid, 0", b"-order.paid, 1")}
    assert verdict(memory, refund)[0] == "fresh"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"lines": (1, 8)}, "are all of"),
        ({"lines": (8, 8)}, "hold no statement"),
        ({"lines": (90, 95)}, "hold no statement"),
        ({"index": 1}, "no citation 2"),
        ({"lines": None, "member": "nobody"}, "defines no `Gateway.charge.nobody`"),
        ({"by": "nobody"}, "not one of"),
    ],
)
def test_refused(more: dict[str, object], message: str) -> None:
    assert message in refusal_of(ask(hold("okf"), **more)).message


def test_what_is_gone_is_pointed_elsewhere_first() -> None:
    assert "point the citation" in refusal_of(ask(hold("okf", now=GONE))).message


def test_a_whole_file_is_not_one_symbol() -> None:
    assert "not one symbol" in refusal_of(ask(hold("okf", "src/util.py"))).message


@DIALECTS
@pytest.mark.parametrize(
    ("cite", "text", "excerpt"),
    [
        ("src/pay.py#L4-L6", "src/pay.py#Gateway.charge", SEND),
        ("src/pay.py#L2-L7", "src/pay.py#Gateway.charge", ""),
        ("src/pay.py#L8-L9", "src/pay.py#L8-L9", None),
        ("src/pay.py#L3", "src/pay.py#Gateway.charge", "attempt in range(3)"),
    ],
)
def test_captured_lines_are_tied_to_their_symbol(dialect: str, cite: str, text: str, excerpt: str | None) -> None:
    memory = hold(dialect, cite).memory
    (citation,) = memory.citations
    if excerpt is not None:
        assert (citation.text, citation.excerpt) == (text, excerpt)
    assert verdict(memory, FILES)[0] == "fresh"


def test_two_excerpts_of_one_symbol_are_two_memories() -> None:
    with pytest.raises(AssertionError, match="cited twice"):
        hold("okf", "src/pay.py#L4", "src/pay.py#L7")


@DIALECTS
def test_an_excerpt_that_changed_is_verified_where_it_stands_now(dialect: str) -> None:
    now = {
        **FILES,
        "src/pay.py": FILES["src/pay.py"].replace(b"if answer.ok:", b"log(answer)\n            if answer.fine:"),
    }
    held = hold(dialect, "src/pay.py#L4-L6", now=now)
    assert verdict(held.memory, now)[0] == "changed"
    plan = plan_of(verify(held.memory, held.text, held.judgements, held.sources, by=BO, at=NOW, evidence="read it"))
    memory = held.after(plan)
    assert "log(answer)\nif answer.fine:" in memory.citations[0].excerpt
    assert verdict(memory, now)[0] == "fresh" and "other lines" in plan.notes[0]
    elsewhere = {**now, "src/pay.py": now["src/pay.py"].replace(b"range(3)", b"range(9)")}
    assert verdict(memory, elsewhere) == ("fresh", ("elsewhere",))


@DIALECTS
def test_an_excerpt_that_is_gone_becomes_the_whole_symbol(dialect: str) -> None:
    now = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"answer = self.send(order, amount, attempt)", b"pass")}
    held = hold(dialect, "src/pay.py#L4", now=now)
    plan = plan_of(verify(held.memory, held.text, held.judgements, held.sources, by=BO, at=NOW, evidence="read it"))
    memory = held.after(plan)
    assert memory.citations[0].excerpt == "" and "all of it" in plan.notes[0]
    assert verdict(memory, now)[0] == "fresh"
    assert verdict(memory, {**now, "src/pay.py": now["src/pay.py"].replace(b"range(3)", b"range(9)")})[0] == "changed"


def test_layout_inside_an_excerpt_is_verified_as_it_was() -> None:
    now = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"(order, amount, attempt)", b"(order,amount , attempt)")}
    held = hold("okf", "src/pay.py#L4-L6", now=now)
    memory = held.after(plan_of(verify(held.memory, held.text, held.judgements, held.sources, by=ANN, at=NOW)))
    assert memory.citations[0].excerpt == SEND and verdict(memory, now)[0] == "fresh"


@DIALECTS
def test_once_the_evidence_is_written_the_lines_judge(dialect: str) -> None:
    held = hold(dialect, now=AFTER)
    text = plan_of(ask(held, form=True)).edits[0].after.replace(placeholder("evidence"), "read it")
    (waiting,) = DIALECTS_BY_NAME[dialect].parse(held.memory.path, text).memories
    finished = plan_of(finish(waiting, text, by=BO, at=NOW))
    text = finished.edits[0].after if finished.edits else text
    (memory,) = DIALECTS_BY_NAME[dialect].parse(held.memory.path, text).memories
    assert memory.citations[0].excerpt == SEND and verdict(memory, AFTER)[0] == "fresh"
    assert memory.verifications[-1].evidence == "read it"


@DIALECTS
def test_a_whole_file_is_narrowed_to_the_only_definition_that_changed(dialect: str) -> None:
    now = {**FILES, "src/pay.py": FILES["src/pay.py"].replace(b"return None", b"return 0")}
    held = hold(dialect, "src/pay.py", now=now, statement="It never fails.")
    assert held.judgements[0].parts == ("member:Backup",)
    memory = held.after(plan_of(ask(held, lines=None, member="Backup", evidence="zero is none")))
    assert [citation.text for citation in memory.citations] == ["src/pay.py#Backup"]
    assert verdict(memory, now)[0] == "fresh"
    other = {**now, "src/pay.py": now["src/pay.py"].replace(b"range(3)", b"range(4)")}
    assert verdict(memory, other, then=now)[0] == "fresh"
