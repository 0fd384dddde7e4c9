"""While someone types, findings stand still: every state of typing above, inside and below cited symbols, key by key.

While a text does not parse (for tree-sitter, or for Python's own parser), the findings on it are those of the last text that
did; a text that parses is judged as if it had just been opened.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "workspace"))

from repository import Repository
from typing_material import GO, LANGUAGES, Language

from memory_lsp.core.languages import language_of
from memory_lsp.core.outline import outline
from memory_lsp.workspace.project import Project, Snapshot

CLOSING = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "`": "`"}


def plain(text: str, at: int, keys: str) -> Iterator[str]:
    """One state per key; then one per backspace, until all is gone again."""
    for number in range(1, len(keys) + 1):
        yield text[:at] + keys[:number] + text[at:]
    for number in range(len(keys) - 1, -1, -1):
        yield text[:at] + keys[:number] + text[at:]


def helped(text: str, at: int, keys: str) -> Iterator[str]:
    """One state per key in an editor that indents new lines and closes brackets and quotes, and types over what it closed."""
    typed, closed = "", ""
    position = 0
    while position < len(keys):
        key = keys[position]
        position += 1
        if closed.startswith(key):
            closed = closed[1:]
        elif key in CLOSING and (key not in "'\"`" or not typed[-1:].isalnum()):
            closed = CLOSING[key] + closed
        typed += key
        if key == "\n":
            while position < len(keys) and keys[position] in " \t":
                typed += keys[position]
                position += 1
        yield text[:at] + typed + closed + text[at:]


def findings(snapshot: Snapshot) -> Counter[tuple[str, str]]:
    """What a user sees: codes by memory, in records and in code."""
    found = [item for side in (snapshot.findings, snapshot.code_findings) for items in side.values() for item in items]
    return Counter((item.memory, item.code) for item in found)


def verdicts(snapshot: Snapshot) -> dict[str, tuple[str, str]]:
    return {
        name: (judgements[0].verdict.value, judgements[0].to)
        for name, judgements in sorted(snapshot.judgements.items())
    }


def parses(path: str, text: str) -> bool:
    """Whether a text parses: for the grammar, and Python's also for Python, which is stricter about indentation."""
    language = language_of(path)
    assert language is not None
    return not outline(language, text.encode()).broken and (language != "python" or python_reads(text))


def python_reads(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    made = Repository(tmp_path / "project")
    made.write(".memory/index.md", "---\ntype: index\n---\n")
    return made


def remembered(repository: Repository, language: Language) -> str:
    """Memories about what the file holds, verified; then it changes. Returns its text as it is then."""
    upper = language is GO
    names = ["first", "changed", "gone", "old"]
    repository.write(language.path, language.text)
    for name in (
        *(name.capitalize() if upper else name for name in names),
        language.member,
        language.member.split(".")[0],
    ):
        repository.remember(f"mem-{name.lower().replace('.', '-')}", f"{language.path}#{name}")
    repository.commit("start")
    text = language.text
    for old, new in language.later:
        assert old in text
        text = text.replace(old, new)
    repository.write(language.path, text)
    repository.commit("later")
    return text


@pytest.mark.parametrize("how", [plain, helped], ids=["plain", "helped"])
@pytest.mark.parametrize("name", LANGUAGES)
def test_no_finding_flickers(
    repository: Repository, name: str, how: Any, record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    language = LANGUAGES[name]
    text = remembered(repository, language)
    project, fresh = Project(repository.root), Project(repository.root)
    start = verdicts(project.snapshot)
    assert {key: value[0] for key, value in start.items()} == {
        "mem-first": "fresh",
        "mem-changed": "changed",
        "mem-gone": "missing",
        "mem-old": "moved",
        "mem-cart": "fresh",
        "mem-cart-total": "fresh",
    }
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for what, (place, keys) in language.typed.items():
        assert text.count(place) == 1, what
        project.open(language.path, text, 0)
        seen = findings(project.snapshot), verdicts(project.snapshot)
        for version, state in enumerate(how(text, text.index(place) + len(place), keys), 1):
            snapshot = project.open(language.path, state, version)
            now = findings(snapshot), verdicts(snapshot)
            if parses(language.path, state):
                counts["parse"] += 1
                fresh.close(language.path)
                opened = fresh.open(language.path, state, version)
                if now != (findings(opened), verdicts(opened)):
                    wrong.append(
                        f"{what}: not as a fresh open: {_difference(now[1], verdicts(opened))}\n{_around(state, text)}"
                    )
                seen = now
            else:
                counts["broken"] += 1
                if now != seen:
                    wrong.append(f"{what}: {_difference(seen[1], now[1])}\n{_around(state, text)}")
                    counts["flickered"] += 1
    for key, value in counts.items():
        record_property(f"{name} {key}", value)
    with capsys.disabled():
        print(f"\n{name}, {how.__name__}: {dict(counts)}")
    assert not wrong, f"{len(wrong)} wrong states of {counts.total()}; the first:\n" + "\n".join(wrong[:10])
    assert counts["broken"] > 100
    assert counts["parse"] > 20
    project.close_down()
    fresh.close_down()


def test_a_twin_in_another_file_that_is_being_typed_in_stands(repository: Repository) -> None:
    """The definition moved to a file that does not parse just now: it has not gone."""
    body = "def total(items, tax):\n    result = 0\n    for item in items:\n        result += item.price + tax.of(item)\n    return result\n"
    repository.write("shop.py", body)
    repository.remember("mem-a", "shop.py#total")
    repository.commit("start")
    repository.write("shop.py", "import sums\n")
    repository.write("sums.py", body)
    repository.commit("moved")
    project = Project(repository.root)
    seen = []
    for version, state in enumerate(plain(body, body.index("    result = 0"), "    if tax == (1, [\n        'x',\n")):
        snapshot = project.open("sums.py", state, version)
        if not parses("sums.py", state):
            seen.append(verdicts(snapshot)["mem-a"])
    assert len(seen) > 20
    assert set(seen) == {("moved", "sums.py#total")}
    assert verdicts(project.open("sums.py", body.replace("+ tax", "- tax"), 1000))["mem-a"] == ("missing", "")
    project.close_down()


def test_a_change_is_told_though_another_function_is_left_open(repository: Repository) -> None:
    """Held is local: what does not parse elsewhere in the file, and is not being typed, hides nothing."""
    text = (
        "def first(a):\n    return a + 1\n\n\ndef second(b):\n    return b + 2\n\n\ndef third(c):\n    return c + 3\n"
    )
    repository.write("shop.py", text)
    repository.remember("mem-first", "shop.py#first")
    repository.remember("mem-third", "shop.py#third")
    repository.commit("start")
    project = Project(repository.root)
    broken = text.replace("def third(c):\n    return c + 3", "def third(c):\n    return (c + 3")
    assert not parses("shop.py", broken)
    still = {"mem-first": ("fresh", ""), "mem-third": ("fresh", "")}
    assert verdicts(project.open("shop.py", broken, 1)) == still
    changed = broken.replace("a + 1", "a - 1")
    assert verdicts(project.open("shop.py", changed, 2)) == {**still, "mem-first": ("changed", "")}
    assert verdicts(project.open("shop.py", broken, 3)) == still
    project.close_down()


def _difference(before: dict[str, tuple[str, str]], after: dict[str, tuple[str, str]]) -> str:
    return (
        ", ".join(f"{key} {before[key]} -> {after[key]}" for key in before if before[key] != after[key]) or "findings"
    )


def _around(state: str, text: str) -> str:
    """The lines of a state that the text does not have."""
    known = set(text.splitlines())
    return "\n".join(f"    {line}" for line in state.splitlines() if line not in known)
