from __future__ import annotations

import re
from dataclasses import replace

import pytest

from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import Citation, Event, Memory, Plan, Refusal, Status, Verdict
from memory_lsp.core.pairs import PairSources
from memory_lsp.operations.capture import CaptureRequest, StoreView, capture, choose_store
from memory_lsp.operations.finish import finish
from memory_lsp.operations.reject import reject
from memory_lsp.operations.tombstones import read_tombstones
from tests.operations.world import ANN, BO, BOT, FILES, NOW, STORES, THEN, hold, plan_of, read, refusal_of, request

DIALECTS = pytest.mark.parametrize("dialect", ["okf", "kage"])


def take(asked: CaptureRequest, dialect: str = "okf", by: str = ANN, **more: object) -> Plan | Refusal:
    return capture(
        asked,
        PairSources({}, FILES),
        STORES[dialect],
        by=by,
        at=THEN,
        exists=lambda path: False,
        **more,  # type: ignore[arg-type]
    )


@DIALECTS
def test_a_capture_records_what_was_seen_and_is_fresh(dialect: str) -> None:
    held = hold(dialect, "src/pay.py#Gateway.charge", "src/util.py", "logo.png", "src/util.py#L1-L2")
    assert [citation.text for citation in held.memory.citations if citation.path == "src/pay.py"] == [
        "src/pay.py#Gateway.charge"
    ]
    verdicts = {
        citation.text: judgement.verdict
        for citation, judgement in zip(held.memory.citations, held.judgements, strict=True)
    }
    assert set(verdicts.values()) == {Verdict.FRESH}
    assert held.memory.status is Status.APPROVED
    assert (held.memory.author, held.memory.last_verified_at) == (ANN, THEN)


@DIALECTS
def test_a_suffix_is_stored_as_the_full_path(dialect: str) -> None:
    assert [c.symbol for c in hold(dialect, "src/pay.py#charge").memory.citations] == ["Gateway.charge"]


@DIALECTS
def test_a_programs_capture_waits_for_approval(dialect: str) -> None:
    plan = plan_of(take(request("src/util.py#pause"), dialect, by=BOT))
    assert read(dialect, plan.edits[0]).status is Status.PENDING
    assert "waits for approval" in plan.summary


@pytest.mark.parametrize(
    ("cite", "told", "candidate"),
    [
        (
            "src/pay.py#Gateway.chargeback",
            "src/pay.py defines no `Gateway.chargeback`; did you mean ",
            "src/pay.py#Gateway.charge",
        ),
        ("src/pays.py#charge", "src/pays.py does not exist; did you mean src/pay.py", "src/pay.py"),
        ("src/pay.py#refund", "`refund` is ambiguous in src/pay.py: it may be ", "src/pay.py#Backup.refund"),
        ("logo.png#Image", "cite the whole file, without `#Image`", "logo.png"),
        ("src/util.py#L2-L9", "src/util.py has 3 lines", ""),
    ],
)
@DIALECTS
def test_what_does_not_resolve_is_refused_with_the_names_to_take(
    dialect: str, cite: str, told: str, candidate: str
) -> None:
    refusal = refusal_of(take(request("src/util.py", cite), dialect))
    assert refusal.message.startswith("not captured: ") and told in refusal.message
    assert "\n" not in refusal.message
    assert candidate in (*refusal.candidates, "")


def test_code_that_does_not_parse_is_refused() -> None:
    broken = PairSources({}, {"a.py": b"def f(:\n    return 1\n"})
    result = capture(request("a.py#f"), broken, STORES["okf"], by=ANN, at=THEN, exists=lambda path: False)
    assert refusal_of(result).message.startswith("not captured: a.py ")


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"title": " "}, "needs a title"),
        ({"statement": ""}, "needs a statement"),
        ({"statement": "<statement: the claim, in one or two sentences>"}, "needs a statement"),
        ({"citations": ()}, "cite at least one place"),
        ({"scope": "galaxy"}, "scope `galaxy` is not known"),
    ],
)
def test_an_incomplete_request_is_refused(values: dict[str, object], told: str) -> None:
    assert told in refusal_of(take(request("src/util.py", **values))).message


def test_an_actor_is_written_in_one_of_three_ways() -> None:
    assert "human:<name>" in refusal_of(take(request("src/util.py"), by="ann")).message
    assert isinstance(take(request("src/util.py"), by="claude/4.5"), Plan)


@DIALECTS
def test_a_type_is_free_text(dialect: str) -> None:
    plan = plan_of(take(request("src/util.py", type=" House rule "), dialect))
    assert read(dialect, plan.edits[0]).type == "House rule"


@DIALECTS
def test_ids_are_random_and_never_made_from_the_title(dialect: str) -> None:
    ids = {plan_of(take(request("src/util.py"), dialect)).events[0].memory for _ in range(20)}
    assert len(ids) == 20
    assert all(re.fullmatch(r"mem-[a-z2-7]{10}", name) for name in ids)


@DIALECTS
def test_what_was_rejected_is_refused_when_it_comes_again(dialect: str) -> None:
    held = hold(dialect, status=Status.PENDING)
    rejected = plan_of(reject(held.memory, held.text, by=BO, at=NOW, reason="not so", tombstones=None))
    graves = read_tombstones(rejected.edits[1].after)
    again = request("src/pay.py#charge", statement="`Charge`  tries 3 times!", title="Another title")
    refusal = refusal_of(take(again, dialect, tombstones=graves))
    assert held.memory.id in refusal.message and "not so" in refusal.message
    elsewhere = request("src/util.py#pause", statement="`charge` tries 3 times.")
    assert isinstance(take(elsewhere, dialect, tombstones=graves), Plan)
    assert isinstance(
        take(request("src/pay.py#charge", statement="It never retries."), dialect, tombstones=graves), Plan
    )


def test_a_near_duplicate_is_told_and_does_not_hinder() -> None:
    known = hold("okf").memory
    plan = plan_of(take(request("src/pay.py#charge", statement="`charge` always tries 3 times."), memories=[known]))
    assert [note.split(" ")[0] for note in plan.notes] == [known.id]
    assert plan_of(take(request("src/pay.py", statement="Refunds are negative."), memories=[known])).notes == ()
    retired: Memory = replace(known, status=Status.DEPRECATED)
    assert plan_of(take(request("src/pay.py#charge"), memories=[retired])).notes == ()


@DIALECTS
def test_a_form_has_placeholders_for_what_is_not_said(dialect: str) -> None:
    plan = plan_of(take(request("src/util.py#pause", title="", statement="", form=True), dialect))
    memory = read(dialect, plan.edits[0])
    assert sorted(name for name, _ in memory.placeholders) == ["statement", "title"]
    assert memory.status is Status.PENDING


def test_finishing_a_form_is_an_event_and_an_unfinished_one_is_refused() -> None:
    plan = plan_of(take(request("src/util.py#pause", title="", statement="Pauses grow.", form=True), "kage"))
    memory, text = read("kage", plan.edits[0]), plan.edits[0].after
    assert "title is still to be filled in" in refusal_of(finish(memory, text, by=ANN, at=NOW)).message
    start, _, state = text.partition("## Kage state")
    filled = re.sub(r"<title: [^>]*>", "Pauses", start) + "## Kage state" + state
    done = plan_of(finish(memory, filled, by=ANN, at=NOW))
    assert done.events == (Event("finish", memory.id),)
    assert read("kage", done.edits[0]).title == "Pauses"
    assert plan_of(finish(memory, done.edits[0].after, by=ANN, at=NOW)).edits == ()
    assert plan_of(finish(hold("okf").memory, "", by=ANN, at=NOW)).edits == ()


def test_a_store_is_chosen_by_name_or_because_it_is_the_only_one() -> None:
    okf, kage = STORES["okf"], STORES["kage"]
    assert choose_store([okf]) == okf
    assert choose_store([okf, kage], "kage") == kage
    assert choose_store([okf, kage], ".memory/") == okf
    for stores, wanted in (([], ""), ([okf, kage], ""), ([okf], "kage")):
        assert isinstance(choose_store(stores, wanted), Refusal)
    assert isinstance(
        capture(request("a"), PairSources({}, {}), StoreView("lore", "x"), by=ANN, at=THEN, exists=bool), Refusal
    )


@DIALECTS
def test_a_capture_may_be_about_some_statements_of_a_symbol_alone(dialect: str) -> None:
    excerpt = "answer = self.send(order, amount, attempt)\nif answer.ok:\n    return answer.receipt"
    narrow = Citation("src/pay.py", "charge", excerpt=excerpt)
    plan = plan_of(take(request(citations=(narrow,)), dialect))
    memory = read(dialect, plan.edits[0])
    assert memory.citations[0].excerpt == excerpt
    elsewhere = FILES["src/pay.py"].replace(b"range(3)", b"range(5)")
    (judged,) = judge_memory(memory, PairSources(FILES, {**FILES, "src/pay.py": elsewhere}))
    assert (judged.verdict, judged.parts) == (Verdict.FRESH, ("elsewhere",))
    gone = request(citations=(replace(narrow, excerpt="raise Refused(order)"),))
    assert "excerpt" in refusal_of(take(gone, dialect)).message
