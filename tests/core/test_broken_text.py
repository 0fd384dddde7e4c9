"""No text of any kind makes an outline or a fingerprint raise: random text, and sources cut off or spoilt anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_lsp.core.fingerprint import dump, fingerprint, load
from memory_lsp.core.languages import LANGUAGES
from memory_lsp.core.outline import outline

FOLDER = Path(__file__).parent / "outlines"
QUIET = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
PIECES = [
    *"(){}[]<>;:,.=+-*/%&|!?@#$~^\\'\"` \n\t",
    *(
        "def",
        "class",
        "function",
        "end",
        "do",
        "enum",
        "struct",
        "public",
        "private:",
        "import",
        "case",
        "where",
        "module",
    ),
    *(
        "/*",
        "*/",
        "//",
        "--",
        "--[[",
        "{-",
        '"""',
        "<<~EOS\nx\n",
        "<<EOF\nx\nEOF\n",
        "#define x",
        "#if A",
        "@doc",
        "val x",
        "= 1",
    ),
    *(
        "CREATE TABLE",
        "CREATE FUNCTION f",
        "AS $$",
        "BEGIN",
        "END",
        "é",
        "\u0130",
        "\ufeff",
        "\r\n",
        "\x00",
        "\U0001f600",
    ),
]


def source(language: str) -> bytes:
    return next(path for path in sorted(FOLDER.glob(f"{language}.*")) if path.suffix != ".outline").read_bytes()


def exercise(language: str, data: bytes) -> None:
    """Everything that reading a source does; groups lie inside the text and their fingerprints survive their line form."""
    found = outline(language, data)
    for path, group in found.groups.items():
        assert found.find(path) is group
        for definition in group.definitions:
            assert 0 <= definition.start <= definition.name_start <= definition.name_end <= definition.end <= len(data)
        value = fingerprint(found, path)
        assert value is not None
        assert load(dump(value)) == value
    assert fingerprint(found, "") is not None


@pytest.mark.parametrize("language", LANGUAGES)
@given(pieces=st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=60))
@QUIET
def test_random_text(language: str, pieces: list[str]) -> None:
    exercise(language, " ".join(pieces).encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
@QUIET
def test_spoilt_source(language: str, data: st.DataObject) -> None:
    text = source(language)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    put = data.draw(st.sampled_from(PIECES)).encode()
    exercise(language, text[:start] + put + text[end:])


@pytest.mark.parametrize("language", LANGUAGES)
@given(end=st.integers(0, 4000))
@QUIET
def test_cut_source(language: str, end: int) -> None:
    text = source(language)
    exercise(language, text[: end % (len(text) + 1)])


@pytest.mark.parametrize("language", LANGUAGES)
def test_deep_nesting(language: str) -> None:
    for opening in ("(", "[", "{", "a.b(", "if (x) {", "- "):
        exercise(language, (opening * 3000).encode())
