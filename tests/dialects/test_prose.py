from __future__ import annotations

import pytest
from hypothesis import given

from memory_lsp.dialects.prose import blank_fences, code_names, first_paragraph
from tests.dialects.records import ANYTHING


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("`charge` and `Gateway.charge()` and `a::B::c`", ("charge", "Gateway.charge", "a.B.c")),
        ("calls charge() and Gateway.refund, not plain words", ("charge", "Gateway.refund")),
        ("`x = charge(order)` in ``retry_all``", ("charge", "retry_all")),
        ("two file(s), see `src/pay.py` and src/other.py and https://example.org/a.html", ()),
        ("`charge` twice: `charge`", ("charge",)),
        ("`a - b` `--flag` `'text'` `42`", ()),
        ("`größe` is a name", ("größe",)),
    ],
)
def test_names_in_code_form(text: str, names: tuple[str, ...]) -> None:
    assert code_names(text) == names


def test_fenced_blocks_are_blanked_in_place() -> None:
    text = "a\r\n```py\r\nb()\r\n```\r\nc\n~~~~\n```\nd\n~~~~\n``` not `a` fence\ne\n```\nopen"
    blanked = blank_fences(text)
    assert "".join(blanked.split()) == "ac```not`a`fencee"
    assert len(blanked) == len(text)


@given(ANYTHING)
def test_blanking_keeps_length_and_line_ends(text: str) -> None:
    blanked = blank_fences(text)
    assert len(blanked) == len(text)
    assert all(new in (old, " ") for old, new in zip(text, blanked, strict=True))
    start, end = first_paragraph(text)
    assert 0 <= start <= end <= len(text)


@pytest.mark.parametrize(
    ("text", "paragraph"),
    [
        ("# T\n\nOne.\nTwo.\n\nThree.", "One.\nTwo."),
        ("# T\nright below\n", "right below"),
        ("> quoted\n\n```\ncode\n```\n\nText", "Text"),
        ("\r\n\r\nOne.\r\nTwo.\r\n", "One.\r\nTwo."),
        ("# only\n## headings\n", ""),
        ("", ""),
    ],
)
def test_the_first_paragraph(text: str, paragraph: str) -> None:
    start, end = first_paragraph(text)
    assert text[start:end] == paragraph
