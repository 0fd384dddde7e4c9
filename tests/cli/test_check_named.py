"""``check PATH`` and ``check ID``: what is known about the code that was named, and what moved."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from repository import Repository


def test_a_path_lists_what_is_known_about_it_also_when_all_is_well(repository: Repository, run: Any) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge", title="Sent once", statement="`charge` is sent once.")
    repository.remember("mem-b", "src/other.py")
    code, output, _ = run("check", "src/pay.py")
    assert code == 0
    for part in ("mem-a  Sent once", "fresh: served", "claim: `charge` is sent once.", "1 memory: 1 served"):
        assert part in output, part
    assert "mem-b" not in output
    assert "claim: `charge` is sent once." in run("check", "mem-a")[1]
    (memory,) = run("check", "src/pay.py", "--format", "json")[1]["memories"]
    assert memory["statement"] == "`charge` is sent once."


def test_one_memory_as_json_says_since_when_and_what(repository: Repository, run: Any) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.commit("remember")
    repository.write("src/pay.py", repository.read("src/pay.py").replace("* 100", "* 7"))
    commit = repository.commit("count in sevenths")
    (memory,) = run("check", "mem-a", "--format", "json")[1]["memories"]
    (citation,) = memory["citations"]
    assert (citation["since"]["commit"], citation["since"]["author"]) == (commit, "Ada")
    assert "+        self.seen[key] = self.send(amount * 7, key)" in citation["diff"].splitlines()
    (memory,) = run("check", "--format", "json")[1]["memories"]
    assert "since" not in memory["citations"][0]


def test_a_store_conflict_is_explained_whatever_is_named(repository: Repository, run: Any) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    repository.write(".memory-lsp/config.toml", 'store = "nope"\n')
    for names in ((), ("mem-a",), ("src/pay.py",)):
        code, output, _ = run("check", *names)
        assert code == 1
        assert "memory-store-conflict" in output and "nope" in output


@pytest.mark.parametrize("form", ["text", "json"])
def test_an_output_that_is_full_is_one_line(repository: Repository, form: str) -> None:
    repository.remember("mem-a", "src/pay.py#Gateway.charge")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "memory_lsp", "check", "--format", form],
            cwd=repository.root, stdout=full, stderr=subprocess.PIPE, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 4
    assert done.stderr == "memory-lsp: the output could not be written: No space left on device\n"
