from __future__ import annotations

import pytest

from memory_lsp.core.citations import parse_citation, target_of


@pytest.mark.parametrize(
    ("text", "path", "symbol", "lines"),
    [
        ("src/a.py", "src/a.py", "", None),
        ("./src/a.py#Gateway.charge", "src/a.py", "Gateway.charge", None),
        ("a.py#L10", "a.py", "", (10, 10)),
        ("a.py#L10-L20", "a.py", "", (10, 20)),
        ("a.py#L20-10", "a.py", "", (20, 10)),
        ("a.py#Lines", "a.py", "Lines", None),
        ('a.md#"1.2 Set up".C#', "a.md", '"1.2 Set up".C#', None),
        ("a.py#cafe\u0301", "a.py", "caf\u00e9", None),
    ],
)
def test_a_citation_is_read_from_its_text(text: str, path: str, symbol: str, lines: tuple[int, int] | None) -> None:
    citation = parse_citation(text)
    assert (citation.path, citation.symbol, citation.lines) == (path, symbol, lines)
    assert parse_citation(citation.text) == citation
    assert citation.text == citation.path + ("#" + target_of(citation) if target_of(citation) else "")
