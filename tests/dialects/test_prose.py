from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given

from memory_lsp.dialects import kage, okf
from memory_lsp.dialects.prose import blank_fences, code_names, first_paragraph
from tests.dialects.records import ANYTHING

FENCE = '\n\n## Kage state\n\n```json kage-state\n{"id":"a","title":"t","body":"b"}\n```\n'


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


@pytest.mark.parametrize(
    "text",
    [
        " " * 400_000,
        "```\nx\n```\n" * 20_000,
        "`a " * 60_000,
        "a." * 100_000,
        "# Citations\n" + "[1] x " * 60_000 + "\nend",
        "<title: " * 60_000,
    ],
    ids=["spaces", "fences", "ticks", "dots", "citations", "brackets"],
)
def test_hostile_text_is_read_in_linear_time(text: str) -> None:
    started = process_time()
    for path, document in (
        ("a.md", f"---\nid: a\ntype: b\n---\n{text}"),
        ("b.md", f"---\nx-kage-id: a\n---\n{text}{FENCE}"),
    ):
        okf.parse(path, document)
        kage.parse(path, document)
    # Linear work takes well below a second; anything worse takes minutes.
    assert process_time() - started < 20
