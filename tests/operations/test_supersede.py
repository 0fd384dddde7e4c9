from __future__ import annotations

import pytest

from memory_lsp.core.model import Event, Plan, Refusal, Status
from memory_lsp.core.pairs import PairSources
from memory_lsp.operations.capture import capture
from memory_lsp.operations.retire import retire
from memory_lsp.operations.supersede import supersede, supersede_by_capture
from tests.operations.world import ANN, BO, BOT, FILES, NOW, STORES, Held, hold, plan_of, read, refusal_of, request

PAIRS = pytest.mark.parametrize(("one", "other"), [("okf", "okf"), ("kage", "kage"), ("okf", "kage")])


def replace_by(old: Held, new: Held, *others: Held, by: str = BO) -> Plan | Refusal:
    memories = {held.memory.id: held.memory for held in (old, new, *others)}
    return supersede(old.memory, old.text, new.memory, new.text, memories=memories, by=by, at=NOW, reason="five now")


def done(old: Held, new: Held, plan: Plan) -> tuple[Held, Held]:
    first, second = plan.edits
    return (
        Held(read(old.memory.dialect, first), first.after, old.sources),
        Held(read(new.memory.dialect, second), second.after, new.sources),
    )


@PAIRS
def test_both_records_name_each_other(one: str, other: str) -> None:
    old, new = hold(one), hold(other, statement="It tries 5 times.")
    plan = plan_of(replace_by(old, new))
    was, now = done(old, new, plan)
    assert (was.memory.status, was.memory.superseded_by) == (Status.SUPERSEDED, (new.memory.id,))
    assert (now.memory.status, now.memory.supersedes) == (Status.APPROVED, (old.memory.id,))
    assert was.memory.context["reason"] == "five now"
    assert [event.memory for event in plan.events] == [old.memory.id, new.memory.id]
    assert "is superseded already" in refusal_of(replace_by(was, now)).message


@PAIRS
def test_cycles_and_itself_are_refused(one: str, other: str) -> None:
    first, second = hold(one), hold(other, statement="It tries 5 times.")
    assert "cannot supersede itself" in refusal_of(replace_by(first, first)).message
    was, now = done(first, second, plan_of(replace_by(first, second)))
    refusal = refusal_of(replace_by(now, was))
    assert "is superseded itself" in refusal.message


def test_a_cycle_over_several_memories_is_refused() -> None:
    a, b, c = hold("okf"), hold("okf", statement="B"), hold("okf", statement="C")
    _, b_now = done(a, b, plan_of(replace_by(a, b)))
    b_was, c_now = done(b_now, c, plan_of(replace_by(b_now, c)))
    # The record of `a` lost its status in a merge: the links of the others still tell.
    assert "would be a cycle" in refusal_of(replace_by(c_now, a, b_was)).message


def test_a_program_cannot_supersede() -> None:
    assert f"{BOT} is a program" in refusal_of(replace_by(hold("okf"), hold("okf"), by=BOT)).message


def test_what_is_over_cannot_take_a_place_and_what_is_pending_is_told() -> None:
    old, new = hold("okf"), hold("okf")
    over = plan_of(retire(new.memory, new.text, by=BO, at=NOW, reason="gone"))
    gone = Held(new.after(over), over.edits[0].after, new.sources)
    assert "is deprecated itself" in refusal_of(replace_by(old, gone)).message
    waiting = hold("okf", status=Status.PENDING)
    assert "nothing is served until it is approved" in plan_of(replace_by(old, waiting)).notes[0]


@pytest.mark.parametrize("dialect", ["okf", "kage"])
def test_a_new_memory_takes_the_place_in_one_plan(dialect: str) -> None:
    old = hold(dialect)
    asked = request("src/pay.py#charge", title="Five", statement="`charge` tries 3 times", supersedes=(old.memory.id,))
    made = plan_of(
        capture(
            asked,
            PairSources({}, FILES),
            STORES[dialect],
            by=ANN,
            at=NOW,
            exists=lambda path: False,
            memories=[old.memory],
        )
    )
    assert made.notes
    plan = plan_of(supersede_by_capture(old.memory, old.text, made, by=ANN, at=NOW))
    new_id = made.events[0].memory
    assert read(dialect, plan.edits[0]).superseded_by == (new_id,)
    assert read(dialect, plan.edits[1]).supersedes == (old.memory.id,)
    assert plan.events == (
        Event("supersede", old.memory.id, f"superseded by {new_id}"),
        Event("capture", new_id, f"supersedes {old.memory.id}"),
    )
    assert plan.notes == ()
