"""Options of the test suite."""

from __future__ import annotations

import pytest
from hypothesis import settings

# A busy machine is no bug.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite what the marker fixtures of tests/features want")
