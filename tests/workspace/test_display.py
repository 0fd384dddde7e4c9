"""What a message may show of a record's text."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from memory_lsp.core.display import shown


@given(st.text(max_size=400), st.integers(10, 120))
def test_it_is_one_short_line_without_control(text: str, limit: int) -> None:
    line = shown(text, limit)
    assert len(line) <= limit
    assert not {unicodedata.category(character) for character in line} & {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    assert not any("\u202a" <= character <= "\u202e" or "\u2066" <= character <= "\u2069" for character in line)


def test_plain_text_stays_and_a_cut_is_marked() -> None:
    assert shown("Charges are idempotent") == "Charges are idempotent"
    assert shown("größe 🎉 日本語") == "größe 🎉 日本語"
    assert shown("a\tb\r\n  c") == "a b c"
    assert shown("x" * 50, 10) == "xxxxxxxxx…"
    assert shown("\x1b[31mred\x1b[0m \u202eevil") == "[31mred[0m evil"
