"""approve, reject, retire: who may, when, and what stays."""

from __future__ import annotations

import json

import pytest

from memory_lsp.core.model import Event, Memory, Plan, Refusal, Status
from memory_lsp.core.placeholders import placeholder
from memory_lsp.dialects import okf
from memory_lsp.operations.approve import approve
from memory_lsp.operations.reject import reject
from memory_lsp.operations.retire import retire
from memory_lsp.operations.tombstones import PATH, read_tombstones
from tests.operations.world import BO, BOT, NOW, Held, hold, plan_of, refusal_of

DIALECTS = pytest.mark.parametrize("dialect", ["okf", "kage"])
PROGRAMS = pytest.mark.parametrize("by", [BOT, "claude/4.5"])


@DIALECTS
def test_a_person_approves(dialect: str) -> None:
    held = hold(dialect, status=Status.PENDING)
    plan = plan_of(approve(held.memory, held.text, by=BO, at=NOW))
    assert held.after(plan).status is Status.APPROVED
    assert BO in plan.edits[0].after
    assert plan.events == (Event("approve", held.memory.id),)


@DIALECTS
def test_approving_twice_changes_nothing(dialect: str) -> None:
    held = hold(dialect)
    assert plan_of(approve(held.memory, held.text, by=BO, at=NOW)).edits == ()


@DIALECTS
@PROGRAMS
def test_a_program_cannot_approve_or_reject(dialect: str, by: str) -> None:
    held = hold(dialect, status=Status.PENDING)
    for result in (
        approve(held.memory, held.text, by=by, at=NOW),
        reject(held.memory, held.text, by=by, at=NOW, reason="no", tombstones=None),
    ):
        assert f"{by} is a program" in refusal_of(result).message


@DIALECTS
def test_rejecting_leaves_a_tombstone_behind_those_that_are_there(dialect: str) -> None:
    held = hold(dialect, status=Status.PENDING)
    older = '{"claim": "an older one", "memory": "mem-old", "union": "kept"}'
    plan = plan_of(reject(held.memory, held.text, by=BO, at=NOW, reason=" not so ", tombstones=older))
    assert held.after(plan).status is Status.DEPRECATED
    grave = plan.edits[1]
    assert grave.path == PATH and grave.after.startswith(older + "\n")
    assert [(stone.memory, stone.reason) for stone in read_tombstones(grave.after)] == [
        ("mem-old", ""),
        (held.memory.id, "not so"),
    ]
    line = json.loads(grave.after.splitlines()[-1])
    assert (line["by"], line["at"], line["citations"]) == (BO, NOW, ["src/pay.py#Gateway.charge"])


def test_tombstones_that_cannot_be_read_are_passed_over() -> None:
    assert read_tombstones('torn {"claim\n[1]\n{"claim": 3}\n\n{"claim": "x", "citations": [1, "a"]}')[0].citations == (
        "a",
    )


@DIALECTS
def test_only_what_is_pending_is_approved_or_rejected(dialect: str) -> None:
    held = hold(dialect)
    assert (
        "retire it instead"
        in refusal_of(reject(held.memory, held.text, by=BO, at=NOW, reason="no", tombstones=None)).message
    )
    plan = plan_of(retire(held.memory, held.text, by=BO, at=NOW, reason="gone"))
    gone = Held(held.after(plan), plan.edits[0].after, held.sources)
    assert "is deprecated" in refusal_of(approve(gone.memory, gone.text, by=BO, at=NOW)).message


@DIALECTS
def test_reasons_are_needed(dialect: str) -> None:
    held, waiting = hold(dialect), hold(dialect, status=Status.PENDING)
    assert "--reason" in refusal_of(retire(held.memory, held.text, by=BO, at=NOW, reason=" ")).message
    result = reject(waiting.memory, waiting.text, by=BO, at=NOW, reason="", tombstones=None)
    assert "--reason" in refusal_of(result).message


@DIALECTS
def test_retiring_ends_a_memory_with_its_reason(dialect: str) -> None:
    held = hold(dialect)
    plan = plan_of(retire(held.memory, held.text, by=BOT, at=NOW, reason="removed in 4.0"))
    memory = held.after(plan)
    assert (memory.status, memory.context["reason"], memory.valid_until) == (Status.DEPRECATED, "removed in 4.0", NOW)
    assert plan_of(retire(memory, plan.edits[0].after, by=BO, at=NOW, reason="again")).edits == ()


@DIALECTS
@pytest.mark.parametrize(
    ("act", "status"), [("retire", Status.APPROVED), ("retire", Status.PENDING), ("reject", Status.PENDING)]
)
def test_a_memory_is_what_it_was_until_its_end_has_a_reason(dialect: str, act: str, status: Status) -> None:
    held = hold(dialect, status=status)

    def end(memory: Memory, text: str, reason: str = "") -> Plan | Refusal:
        if act == "retire":
            return retire(memory, text, by=BO, at=NOW, reason=reason, form=not reason)
        return reject(memory, text, by=BO, at=NOW, reason=reason, tombstones=None, form=not reason)

    asked = plan_of(end(held.memory, held.text))
    memory, text = held.after(asked), asked.edits[0].after
    word = {"retire": "retired", "reject": "rejected"}[act]
    assert (memory.status, memory.decision, memory.valid_until) == (status, word, "")
    assert [name for name, _ in memory.placeholders] == ["reason"]
    for again in (end(memory, text), end(memory, text, "moved"), approve(memory, text, by=BO, at=NOW)):
        assert f"{memory.id}: that it is {word} waits in {memory.path} for its reason" in refusal_of(again).message
    if dialect == "okf":
        (done,) = okf.parse(memory.path, text.replace(placeholder("reason"), "the bank is gone")).memories
        assert (done.status, done.decision, done.context["reason"]) == (Status.DEPRECATED, word, "the bank is gone")
        assert done.valid_until == (NOW if act == "retire" else "")
