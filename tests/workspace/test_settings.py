"""What a person may choose, and that one wrong key leaves the rest in force."""

from __future__ import annotations

import pytest

from memory_lsp.core.codes import CODES
from memory_lsp.core.model import Severity
from memory_lsp.workspace.settings import Settings, merge


def test_the_client_wins_over_the_file_key_by_key() -> None:
    settings, problems = merge(
        {"actor": "human:ada", "store": None}, 'actor = "human:eve"\nstore = "okf"\npoll = 5\n', trusted=True
    )
    assert (settings.actor, settings.store, settings.poll) == ("human:ada", "okf", 5.0)
    assert problems == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("actor = [\n", "not TOML"),
        ("actor = 3\n", "`actor`"),
        ("poll = -1\n", "`poll` must be between"),
        ('debounce = "soon"\n', "`debounce`"),
        ("colour = true\n", "no setting is called `colour`"),
        ('severity = "off"\n', "`severity`"),
        ('[severity]\nmemory-changed = "loud"\n', "`severity.memory-changed`"),
        ("[severity]\nmemory-changed = 3\n", "`severity.memory-changed`"),
        ('[severity.memory-changed]\nplace = "off"\n', "`severity.memory-changed`"),
        ('[severity]\nmemory-chnged = "off"\n', "`memory-chnged`"),
    ],
)
def test_a_wrong_key_is_a_problem_in_words_and_the_default_holds(text: str, words: str) -> None:
    settings, problems = merge({}, text, trusted=True)
    assert settings == Settings()
    assert len(problems) == 1
    assert words in problems[0]


def test_the_other_severities_stay_in_force() -> None:
    settings, problems = merge({"severity": {"memory-changed": "loud", "memory-moved": "hint"}}, None, trusted=True)
    assert len(problems) == 1
    assert settings.severities("memory-moved") == (Severity.HINT, Severity.INFORMATION)
    assert settings.severities("memory-changed") == (Severity.WARNING, Severity.INFORMATION)


def test_severities_by_place() -> None:
    settings, _ = merge({"severity": {"memory-changed": {"code": "off"}, "memory-moved": "off"}}, None, trusted=True)
    assert settings.severities("memory-changed") == (Severity.WARNING, Severity.OFF)
    assert settings.severities("memory-moved") == (Severity.OFF, Severity.OFF)
    assert all(settings.severities(code) for code in CODES)


def test_an_untrusted_file_sets_severities_alone() -> None:
    settings, _ = merge({}, 'actor = "human:eve"\nstore = "kage"\n[severity]\nmemory-moved = "off"\n', trusted=False)
    assert settings == Settings(severity={"memory-moved": "off"})
