"""A narrow citation stands while its statements stand, under the same rules of meaning as everything else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_lsp.core.excerpt import excerpt_like, excerpt_of_lines, excerpt_of_text
from memory_lsp.core.fingerprint import dump, fingerprint, load
from memory_lsp.core.judge import judge
from memory_lsp.core.model import Citation, Judgement
from memory_lsp.core.outline import outline
from memory_lsp.core.pairs import PairSources

BEFORE = """\
def settle(order, rate):
    total = order.net * (1 + rate)
    if order.paid:
        log.info("settled", order.id)
        order.close(total, reason="paid in full", by=rate)
    return total
"""


def judged(after: dict[str, str], first: int, last: int, before: str = BEFORE) -> Judgement:
    old = outline("python", before.encode())
    group = old.find("settle")
    assert group is not None
    excerpt = excerpt_of_lines(old, group, first, last)
    assert excerpt is not None
    seen = fingerprint(old, "settle", excerpt.text)
    assert seen is not None
    assert load(dump(seen)) == seen
    citation = Citation("a.py", "settle", excerpt=excerpt.text, fingerprint=seen)
    files = {path: text.encode() for path, text in after.items()}
    return judge(citation, PairSources({"a.py": before.encode()}, files))


@pytest.mark.parametrize(
    ("old", "new", "verdict", "parts"),
    [
        ("(1 + rate)", "(2 + rate)", "fresh", ("elsewhere",)),
        ('"settled"', "'settled'", "cosmetic", ()),
        ("        log.info", "        # seen\n        audit(order)\n        log.info", "fresh", ("elsewhere",)),
        ("order.close(total, ", "order.close(\n            total, ", "cosmetic", ()),
        ("paid in full", "paid  in full", "changed", ("body",)),
        ("        order.close", "        wait()\n        order.close", "changed", ("body",)),
        ("        order.close", "    order.close", "changed", ("body",)),
    ],
)
def test_statements_of_lines_4_and_5(old: str, new: str, verdict: str, parts: tuple[str, ...]) -> None:
    result = judged({"a.py": BEFORE.replace(old, new)}, 4, 5)
    assert (result.verdict.value, result.parts) == (verdict, parts)


def test_found_again_in_a_function_that_grew_and_has_another_name() -> None:
    grown = BEFORE.replace("def settle", "def close_out").replace(
        "    return total", "    notify(order)\n    return total"
    )
    result = judged({"b.py": grown}, 4, 5)
    assert (result.verdict.value, result.to) == ("moved", "b.py#close_out")


def test_part_of_a_line_is_the_smallest_whole_node() -> None:
    result = judged({"a.py": BEFORE.replace("log.info", "log.debug")}, 3, 3)
    assert (result.verdict.value, result.parts) == ("fresh", ("elsewhere",))
    result = judged({"a.py": BEFORE.replace("order.paid", "order.sent")}, 3, 3)
    assert result.verdict.value == "changed"


def test_lines_with_only_a_comment_are_nothing_to_cite() -> None:
    item = outline("python", b"def f():\n    # why\n    return 1\n")
    group = item.find("f")
    assert group is not None
    assert excerpt_of_lines(item, group, 2, 2) is None


def test_a_statement_is_not_taken_for_the_start_of_a_longer_one() -> None:
    text = "def domain(app):\n    rv = app.domain\n    if rv:\n        return rv if rv else None\n    rv = app.name\n    return rv\n"
    now = outline("python", text.encode())
    group = now.find("domain")
    assert group is not None
    found = excerpt_of_text(now, group, "return rv")
    assert found is not None
    assert (found.text, found.span.start) == ("return rv", text.rindex("return rv"))


def test_a_text_inside_a_longer_one_is_passed_over() -> None:
    item = outline("python", b"def f(x):\n    ii += 1\n    if x:\n        i += 1\n")
    group = item.find("f")
    assert group is not None
    found = excerpt_of_text(item, group, "i += 1")
    assert found is not None and found.text == "i += 1" and found.span.start == 40


def test_all_parts_of_a_statement_are_the_statement() -> None:
    item = outline("python", BEFORE.encode())
    group = item.find("settle")
    assert group is not None
    found = excerpt_of_lines(item, group, 3, 4)
    assert found is not None and found.text.startswith("if order.paid:\n    log.info")


@pytest.mark.parametrize(
    ("now", "lines"),
    [
        (BEFORE.replace('"settled", order.id', '"settled", order.number'), (4, 5)),
        (BEFORE.replace("        order.close", "        wait(order)\n        order.close"), (4, 6)),
        (BEFORE.replace("    total =", "    check(order)\n    total =").replace("order.close", "order.finish"), (5, 6)),
        ("def settle(order, rate):\n    return order.archive\n", None),
    ],
)
def test_what_is_most_like_statements_that_changed(now: str, lines: tuple[int, int] | None) -> None:
    item = outline("python", now.encode())
    group = item.find("settle")
    assert group is not None
    text = 'log.info("settled", order.id)\norder.close(total, reason="paid in full", by=rate)'
    found = excerpt_like(item, group, text)
    if lines is None:
        assert found is None
    else:
        wanted = excerpt_of_lines(item, group, *lines)
        assert found is not None and wanted is not None and found.span == wanted.span


def test_an_excerpt_survives_another_grammar() -> None:
    old = outline("python", BEFORE.encode())
    seen = fingerprint(old, "settle", "return total")
    assert seen is not None
    citation = Citation("a.py", "settle", excerpt="return total", fingerprint=replace(seen, producer="v1/python-0.1"))
    after = {"a.py": BEFORE.replace("1 + rate", "2 + rate").encode()}
    result = judge(citation, PairSources({"a.py": BEFORE.encode()}, after))
    assert (result.verdict.value, result.parts) == ("fresh", ("elsewhere",))
