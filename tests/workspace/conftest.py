from __future__ import annotations

from pathlib import Path

import pytest
from repository import Repository

PAY = '''"""Payments."""


class Gateway:
    """A gateway."""

    def charge(self, amount, key):
        """Charge once."""
        if key in self.seen:
            return self.seen[key]
        self.seen[key] = self.send(amount * 100, key)
        return self.seen[key]

    def refund(self, amount):
        return self.send(-amount, None)
'''


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A committed repository with ``src/pay.py`` and an empty ``.memory``."""
    made = Repository(tmp_path / "project")
    made.write("src/pay.py", PAY)
    made.write(".memory/index.md", "---\ntype: index\n---\n")
    made.commit("start")
    return made
