from __future__ import annotations

from memory_lsp.core.model import Span
from memory_lsp.core.placeholders import QUESTIONS, find_placeholders, is_filled, placeholder


def test_every_placeholder_is_found_where_it_stands() -> None:
    for field in QUESTIONS:
        text = f"\U0001f600 {placeholder(field)}\n"
        assert find_placeholders(text) == ((field, Span(2, len(text) - 1)),)


def test_other_angle_brackets_are_no_placeholders() -> None:
    assert find_placeholders("Map<key: value> <b>bold</b> <evidence: two\nlines>") == ()


def test_a_value_is_filled_once_a_person_wrote_it() -> None:
    assert is_filled("read the diff")
    assert not is_filled(" \n")
    assert not is_filled(f"partly {placeholder('evidence')}")
    for nothing in ("\u200b", "\u2060\ufeff", "-", "...", "<evidence>", "<what you checked>"):
        assert not is_filled(nothing)
    assert is_filled("`<b>` is escaped")
