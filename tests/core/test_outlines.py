"""Every kind of definition of every language, by its qualified name: a source and the list of its symbols."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_lsp.core.languages import LANGUAGES, language_of
from memory_lsp.core.outline import outline

FOLDER = Path(__file__).parent / "outlines"


def source(language: str) -> Path:
    return next(path for path in sorted(FOLDER.glob(f"{language}.*")) if path.suffix != ".outline")


@pytest.mark.parametrize("language", LANGUAGES)
def test_symbols(language: str) -> None:
    path = source(language)
    assert language_of(path.name) == language
    found = outline(language, path.read_bytes())
    assert not found.errors
    lines = [f"{group.path} {group.kind}" for group in found.groups.values()]
    assert lines == (FOLDER / f"{language}.outline").read_text("utf-8").splitlines()


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_stand_where_the_outline_says(language: str) -> None:
    data = source(language).read_bytes()
    for group in outline(language, data).groups.values():
        for definition in group.definitions:
            assert definition.start <= definition.name_start < definition.name_end <= definition.end
            name = data[definition.name_start : definition.name_end].decode()
            assert name.strip(":'\"`{}") in group.name or group.name in name
