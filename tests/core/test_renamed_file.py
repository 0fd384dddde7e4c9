"""A file that only has another name takes all its definitions with it, also those too small to be recognised alone."""

from __future__ import annotations

import pytest

from memory_lsp.core.pairs import compare

FILE = (
    "RATE = 1\n\n\ndef get(self):\n    return 1\n\n\ndef other(a, b):\n    total = a + b\n    product = a * b\n"
    '    return total, product, a, b, "long enough to be itself and nothing else"\n'
)


@pytest.mark.parametrize(
    ("before", "after", "verdict", "to"),
    [
        ({"a.py": FILE}, {"b.py": FILE}, "moved", "b.py#get"),
        ({"a.py": FILE}, {"b.py": FILE, "c.py": FILE}, "ambiguous", ""),
        ({"a.py": FILE}, {"b.py": FILE + "\n\ndef more():\n    return 2\n"}, "missing", ""),
        ({"a.py": FILE, "b.py": FILE}, {"b.py": FILE}, "missing", ""),
        ({"a.py": "def get():\n    return 1\n"}, {"b.py": "def get():\n    return 1\n"}, "missing", ""),
    ],
    ids=["renamed", "copied twice", "renamed and edited", "there already", "too little to mean it"],
)
def test_small_definition(before: dict[str, str], after: dict[str, str], verdict: str, to: str) -> None:
    old, new = ({path: text.encode() for path, text in files.items()} for files in (before, after))
    result = compare(old, new, "a.py", "get")
    assert (result.verdict.value, result.to) == (verdict, to)
