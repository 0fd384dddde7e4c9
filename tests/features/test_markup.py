"""Text from records does nothing in a hover, whatever it is: held against a Markdown parser that knows more than editors do."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from memory_lsp.features.hover import shorten
from memory_lsp.features.markup import Markup, escape

NASTY = st.lists(
    st.sampled_from(
        [
            *"`*_[]<>()!#|~$&:\\-+=.1 \n\t\"'",
            "```",
            "~~~",
            "http://a.example",
            "https://",
            "www.a.example",
            "<b>",
            "<!--",
            "-->",
            "&lt;",
            "&#60;",
            "[x](command:y)",
            "![x](y)",
            "[x]: y",
            "javascript:",
            "mailto:a@b.example",
            "a@b.example",
            "---",
            "1. ",
            "- ",
            "\u202e",
            "\u200b",
            "\x1b[31m",
            "\x00",
            "word",
            "| a |",
        ]
    ),
    max_size=14,
).map("".join)
PARSER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
PARSER.validateLink = lambda url: True  # type: ignore[method-assign]  # take every address
HARMLESS = {
    "paragraph_open",
    "paragraph_close",
    "inline",
    "text",
    "code_inline",
    "text_special",
    "strong_open",
    "strong_close",
}


def tokens(text: str) -> list[Token]:
    found: list[Token] = []
    for token in PARSER.parse(text):
        found.append(token)
        found += token.children or []
    return found


@given(NASTY)
def test_escaped_text_is_text(text: str) -> None:
    shown = escape(text)
    assert "\n" not in shown and all(character.isprintable() for character in shown)
    for token in tokens(f"**before** · {shown}"):
        assert token.type in HARMLESS, (shown, token)
    for token in tokens(shown):
        assert token.type in HARMLESS, (shown, token)
    outside = re.sub(r"(?<![\\`])`[^`]+`(?!`)", "", shown)
    assert not re.search(r"(?<!\\)://|(?<!\w)www\.", outside), "no autolink of GitHub's dialect"


@given(NASTY)
def test_a_link_leads_where_we_say(label: str) -> None:
    markup = Markup(markdown=True)
    links = [token for token in tokens(markup.link(label, "file:///shop/x.md#L3")) if token.type == "link_open"]
    assert [token.attrs["href"] for token in links] == ["file:///shop/x.md#L3"]


@given(st.lists(NASTY, max_size=6))
def test_code_cannot_end_its_block(lines: list[str]) -> None:
    block = Markup(markdown=True).block("python", [line.replace("\n", " ") for line in lines])
    found = tokens(block + "\nafter")
    assert [token.type for token in found if token.type not in HARMLESS] == ["fence"]


@given(NASTY)
def test_code_spans_hold(text: str) -> None:
    for token in tokens("x " + Markup(markdown=True).code(text) + " x"):
        assert token.type in HARMLESS, token


def test_plain_text_has_no_marks() -> None:
    markup = Markup(markdown=False)
    assert markup.strong("a_b") == "a_b" and markup.link("a", "file:///x") == "a" and markup.code("`x`") == "`x`"
    assert markup.block("python", ["a", "\x1b[1mb"]) == "a\n[1mb"


def test_long_text_is_cut() -> None:
    assert len(escape("x" * 5_000)) == 240
    assert shorten([str(number) for number in range(20)], 6) == ["0", "1", "2", "3", "4", "… 15 more lines"]
