"""A file that would take too long to parse is honestly unchecked, by its bytes or by its lines."""

from __future__ import annotations

import pytest

from memory_lsp.core.fingerprint import fingerprint
from memory_lsp.core.judge import judge
from memory_lsp.core.model import Citation
from memory_lsp.core.outline import outline
from memory_lsp.core.pairs import PairSources
from memory_lsp.core.sources import MAX_SOURCE_BYTES, MAX_SOURCE_LINES

FUNCTION = "def price(net, rate):\n    return net * (1 + rate)\n"


@pytest.mark.parametrize("filler", ["# " + "x" * MAX_SOURCE_BYTES + "\n", "\n" * (MAX_SOURCE_LINES + 1)])
def test_unchecked(filler: str) -> None:
    seen = fingerprint(outline("python", FUNCTION.encode()), "price")
    sources = PairSources({"a.py": FUNCTION.encode()}, {"a.py": (filler + FUNCTION).encode()})
    result = judge(Citation("a.py", "price", fingerprint=seen), sources)
    assert result.verdict.value == "unchecked"
    assert "too large to parse" in result.reason
