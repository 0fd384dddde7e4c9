"""A Kage packet cites files; what its text names in code form decides, then or else now, across all of its files."""

from __future__ import annotations

import hashlib

import pytest

from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import Citation, Judgement, Memory, Status, Verdict, worst
from memory_lsp.core.pairs import PairSources
from memory_lsp.dialects.prose import code_names

PAY = """class Gateway:
    def charge(self, amount, key):
        if key in self.seen:
            return self.seen[key]
        self.seen[key] = self.send(amount * 100, key)
        return self.seen[key]

    def refund(self, amount):
        return self.send(-amount, None)


def audit(entries, log):
    for entry in sorted(entries):
        log.write(f"{entry.at} {entry.what}")
"""
SHOP = """def order(items, gateway):
    total = sum(item.price * item.count for item in items)
    return gateway.charge(total, key=items[0].id)
"""


def judged(text: str, before: dict[str, str], after: dict[str, str], paths: list[str] | None = None) -> list[Judgement]:
    then, now = ({path: value.encode() for path, value in side.items()} for side in (before, after))
    citations = tuple(
        Citation(path, sha256=hashlib.sha256(then[path]).hexdigest(), size=len(then[path]), names=code_names(text))
        for path in paths or before
    )
    memory = Memory("m", "kage", "m.md", Status.APPROVED, prose=text, citations=citations)
    return list(judge_memory(memory, PairSources(then, now)))


BOTH = {"pay.py": PAY, "shop.py": SHOP}


@pytest.mark.parametrize(
    ("text", "after", "verdicts"),
    [
        # The definition named is untouched; others of its file change.
        ("`charge` is idempotent", {**BOTH, "pay.py": PAY.replace("-amount", "amount")}, ["fresh", "fresh"]),
        ("`charge` is idempotent", {**BOTH, "pay.py": PAY.replace("* 100", "* 1000")}, ["changed", "fresh"]),
        # Named in one file of two: what changes in the other one is elsewhere.
        ("`charge` is idempotent", {**BOTH, "shop.py": SHOP.replace("*", "+")}, ["fresh", "fresh"]),
        ("orders go through order() and charge()", {**BOTH, "shop.py": SHOP.replace("*", "+")}, ["fresh", "changed"]),
        # Nothing is named: the files decide.
        ("Money is kept in cents.", {**BOTH, "shop.py": SHOP.replace("*", "+")}, ["fresh", "changed"]),
        ("Run `make test` first", {**BOTH, "shop.py": SHOP.replace("*", "+")}, ["fresh", "changed"]),
        # A file in which nothing is named goes away: that is no change elsewhere.
        ("`charge` is idempotent", {"pay.py": PAY}, ["fresh", "missing"]),
        # What a name meant then counts, though it means another definition now.
        ("`charge` is idempotent", {**BOTH, "pay.py": PAY.replace("class Gateway", "class Till")}, ["moved", "fresh"]),
        ("`audit` is written in order", {**BOTH, "pay.py": PAY.replace("def audit", "def record")}, ["moved", "fresh"]),
        ("`refund` is never retried", {**BOTH, "pay.py": PAY.replace("def refund", "def repay")}, ["missing", "fresh"]),
        # A name that is new: what was verified was without it.
        ("call `settle` at night", {**BOTH, "pay.py": PAY + "\n\ndef settle(books):\n    return books.close()\n"}, ["changed", "fresh"]),
    ],
)  # fmt: skip
def test_the_definitions_that_a_text_names_decide(text: str, after: dict[str, str], verdicts: list[str]) -> None:
    assert [judgement.verdict.value for judgement in judged(text, BOTH, after)] == verdicts


def test_a_name_that_means_several_definitions_does_not_decide() -> None:
    twice = PAY + "\n\nclass Test:\n    def charge(self):\n        return None\n"
    # Ambiguous then and now: the whole file decides.
    result = judged("`charge` is idempotent", {"pay.py": twice}, {"pay.py": twice.replace("-amount", "amount")})
    assert [judgement.verdict for judgement in result] == [Verdict.CHANGED]
    # Its full path means one.
    result = judged("`Gateway.charge` is idempotent", {"pay.py": twice}, {"pay.py": twice.replace("-amount", "amount")})
    assert [judgement.verdict for judgement in result] == [Verdict.FRESH]
    # Ambiguous then, clear now.
    result = judged("`charge` is idempotent", {"pay.py": twice}, {"pay.py": PAY.replace("* 100", "* 1")})
    assert [(item.verdict, item.symbol) for item in result] == [(Verdict.CHANGED, "Gateway.charge")]


def test_elsewhere_is_said_and_is_no_finding() -> None:
    (result,) = judged("`charge` is idempotent", {"pay.py": PAY}, {"pay.py": PAY.replace("-amount", "amount")})
    assert (result.verdict, result.parts) == (Verdict.FRESH, ("elsewhere",))


def test_the_finding_names_definition_and_part() -> None:
    text = "`charge` and `refund` take cents"
    after = PAY.replace("* 100", "* 10").replace("def refund(self, amount)", "def refund(self, amount=0)")
    (result,) = judged(text, {"pay.py": PAY}, {"pay.py": after})
    assert (result.symbol, set(result.parts)) == ("Gateway.charge, Gateway.refund", {"body", "signature"})
    assert result.reason == "Gateway.charge: body; Gateway.refund: signature"


def test_the_worst_of_the_named_definitions_is_the_packets_verdict() -> None:
    after = PAY.replace("* 100", "* 10")
    result = judged("`charge`, `refund`, `audit`", {"pay.py": PAY}, {"pay.py": after})
    assert worst([item.verdict for item in result]) is Verdict.CHANGED
    assert result[0].symbol == "Gateway.charge"
