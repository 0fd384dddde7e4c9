"""Where a name stands in text that does not parse."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from memory_lsp.core.model import Span
from memory_lsp.workspace.judging import carried

LINES = st.lists(
    st.sampled_from(["def charge(a):", "    return a", "# note", "", "x = charge(1)", "é = '🎉'"]), max_size=12
)


@given(LINES, LINES, LINES)
def test_a_name_outside_the_edit_keeps_its_text(before: list[str], inside: list[str], after: list[str]) -> None:
    then = "\n".join([*before, "def refund(b):", *after]).encode()
    start = then.index(b"refund")
    span = Span(start, start + 6)
    for now in (
        "\n".join([*inside, *before, "def refund(b):", *after]),
        "\n".join([*before, "def refund(b):", *after, *inside]),
    ):
        found = carried(then, now.encode(), span)
        assert now.encode()[found.start : found.end] == b"refund"


def test_a_name_between_two_edits_is_found_again() -> None:
    then = b"import a\n\n\ndef charge(a):\n    return a\n"
    now = b"import a\nimport b\n\n\ndef charge(a, b:\n    return a\n"
    start = then.index(b"charge")
    found = carried(then, now, Span(start, start + 6))
    assert now[found.start : found.end] == b"charge"


def test_the_span_always_lies_in_the_text() -> None:
    chance = random.Random(1)
    for _ in range(300):
        then, now = (bytes(chance.choices(b"ab\n", k=chance.randrange(12))) for _ in range(2))
        start = chance.randrange(len(then) + 1)
        found = carried(then, now, Span(start, chance.randrange(start, len(then) + 1)))
        assert 0 <= found.start <= found.end <= len(now)
