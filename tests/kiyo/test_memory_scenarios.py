"""MEM-S01 to MEM-S12: reading, correcting and following records, each against the real command line."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from shop import BY, CONVENTIONS, DECISIONS, HEAD, INDEX, JSON, RATES, WRITE, Run, Shop, observation, row

EVIDENCE = ("--verify", "--evidence", "read clamp_rate")
NEW = "The limit itself is refused too."
S04 = ("sync", "MEM-CONV-0001", "--set", f"statement={NEW}", *EVIDENCE, *WRITE)


def made(tmp_path: Path, run: Run, flavour: str) -> Shop:
    """Fixture F in a flavour; B3 has the sidecar of an earlier verification."""
    shop = Shop(tmp_path / "shop", flavour)
    if flavour == "B3":
        for name in ("MEM-CONV-0001", "MEM-CONV-0002"):
            assert run("verify", name, "--evidence", "read", *WRITE)[0] == 0
        shop.change(CONVENTIONS, "2026-03-01", "2026-01-10")
        for path in (shop.root / ".memory-lsp/anchors").iterdir():
            path.write_text(path.read_text().replace("2026-03-01", "2026-01-10"))
        shop.settle()
    return shop


def memory(report: dict[str, Any], name: str = "MEM-CONV-0001") -> dict[str, Any]:
    return next(item for item in report["memories"] if item["id"] == name)


def verdicts(report: dict[str, Any]) -> dict[str, tuple[str, str]]:
    return {item["id"]: (item["verdict"], item["outcome"]) for item in report["memories"]}


BASELINES = {"B1": "git_revision", "B2": "last_verified_commit", "B3": "sidecar"}


def only(shop: Shop, before: dict[str, Any], text: str, path: str, name: str, fields: set[str]) -> None:
    """Oracle ONLY: every other file is as it was; with the old values back in the named fields so is this one."""
    from memory_lsp.core.model import apply_edits
    from memory_lsp.dialects.kiyo_read import read_entries

    now = shop.state()
    allowed = {path, ".memory-lsp", ".memory-lsp/audit.jsonl", ".memory-lsp/.gitattributes", ".memory-lsp/anchors"}
    allowed.add(f".memory-lsp/anchors/{name}.json")
    assert {key: value for key, value in now.items() if key not in allowed} == {
        key: value for key, value in before.items() if key not in allowed
    }
    old = next(entry for entry in read_entries(text) if entry.id == name)
    changed = shop.read(path)
    new = next(entry for entry in read_entries(changed) if entry.id == name)
    edits = []
    for key in fields:
        if key in old.fields and key in new.fields:
            from memory_lsp.core.model import TextEdit

            span, was = new.fields[key].span, old.fields[key].span
            edits.append(TextEdit(span.start, span.end, text[was.start : was.end]))
        elif key in new.fields:
            item = new.fields[key]
            start = changed.rindex("\n", 0, item.key.start)
            edits.append(TextEdit(start, item.end, ""))
    assert apply_edits(changed, tuple(edits)) == text


# S01


@pytest.mark.parametrize("flavour", ["B1", "B2", "B3"])
def test_mem_s01_matching_observation_nothing_to_do(tmp_path: Path, run: Run, flavour: str) -> None:
    shop = made(tmp_path, run, flavour)
    before = shop.state()
    code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    found = memory(report)
    assert (code, found["verdict"], found["outcome"]) == (0, "fresh", "VERIFIED")
    assert (report["findings"], found["findings"], report["writes"]) == ([], [], [])
    assert (report["impact"]["value"], report["impact"]["state"]) == ("NONE", "none")
    assert found["citations"][0]["baseline"] == BASELINES[flavour]
    assert report["context"]["checked"] == "2026-03-01"
    code, report, _ = run("sync", "MEM-CONV-0001", *WRITE)
    assert (code, report["impact"]["value"], report["writes"]) == (0, "NONE", [])
    assert shop.state() == before


def test_mem_s01_without_a_baseline(tmp_path: Path, run: Run) -> None:
    shop = made(tmp_path, run, "B0")
    before = shop.state()
    code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    found = memory(report)
    assert (code, found["verdict"], found["outcome"]) == (4, "unchecked", "UNVERIFIED")
    assert [item["code"] for item in found["findings"]] == ["memory-unchecked"]
    assert (report["impact"]["value"], found["citations"][0]["baseline"]) == ("NOT_ASSESSED", "none")
    assert run("sync", "MEM-CONV-0001", *WRITE)[1]["writes"] == []
    assert shop.state() == before


def test_mem_s01_reformatted_is_cosmetic(tmp_path: Path, run: Run) -> None:
    shop = made(tmp_path, run, "B1")
    text = RATES.replace("    return rate\n", "    # as given\n    return (rate)\n").replace("\n", "\r\n")
    shop.write("rates.py", text)
    before = shop.state()
    code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    assert (code, *verdicts(report)["MEM-CONV-0001"]) == (0, "cosmetic", "VERIFIED")
    assert report["impact"]["value"] == "NONE"
    assert shop.state() == before


# S02


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("flavour", ["B1", "B2", "B3"])
def test_mem_s02_code_changed_by_hand(tmp_path: Path, run: Run, flavour: str, committed: bool) -> None:
    shop = made(tmp_path, run, flavour)
    shop.clamp_changed()
    if committed and flavour != "B3":
        shop.commit("C3: stricter")
    before = shop.state()
    code, report, _ = run("check", *JSON)
    found = memory(report)
    assert (code, found["verdict"], found["outcome"]) == (1, "changed", "STALE")
    assert found["stored"] == {"status": "ACTIVE", "verification_status": "VERIFIED", "last_verified": "2026-01-10"}
    assert found["citations"][0]["parts"] == ["body"]
    finding = next(item for item in report["findings"] if item["code"] == "memory-changed")
    line = shop.read(CONVENTIONS).split("\n")[finding["range"]["start"]["line"]]
    assert line.startswith("- source:")
    assert finding["in_code"] == {
        "path": "rates.py",
        "range": {"start": {"line": 3, "character": 4}, "end": {"line": 3, "character": 14}},
    }
    assert "statement" in found["proposal"]["fields"] and found["proposal"]["note"] == "found by this check"
    assert (report["impact"]["value"], report["impact"]["state"]) == ("UPDATE_REQUIRED", "pending")
    assert memory(report, "MEM-CONV-0002")["verdict"] == "fresh"
    text = run("check", "MEM-CONV-0001")[1]
    if flavour != "B3":
        assert "-    if rate < 0 or rate > LIMIT:" in text and "+    if rate < 0 or rate >= LIMIT:" in text
        assert ("C3: stricter" in text) is committed
    assert shop.state() == before


def test_mem_s02_never_stale_without_a_baseline(tmp_path: Path, run: Run) -> None:
    shop = made(tmp_path, run, "B0")
    shop.clamp_changed()
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("unchecked", "UNVERIFIED")


def test_mem_s02_in_an_open_buffer(shop: Shop) -> None:
    from memory_lsp.workspace.project import Project

    before = shop.state()
    project = Project(shop.root)
    snapshot = project.open("rates.py", RATES.replace("rate > LIMIT", "rate >= LIMIT"), 7)
    assert [item.code for item in snapshot.code_findings["rates.py"]] == ["memory-changed"]
    assert snapshot.documents["rates.py"].version == 7
    project.close_down()
    assert shop.state() == before


def test_mem_s02_a_record_that_moves_in_its_file(shop: Shop) -> None:
    from memory_lsp.workspace.project import Project

    shop.clamp_changed()
    project = Project(shop.root)
    text = shop.read(CONVENTIONS)
    for lead in ("", "One more line.\n\n", "Two\nmore\nlines.\n\n"):
        changed = text.replace("# Conventions\n\n", f"# Conventions\n\n{lead}")
        snapshot = project.open(CONVENTIONS, changed, 1)
        (finding,) = snapshot.findings[CONVENTIONS]
        assert changed[finding.span.start : finding.span.end] == "clamp_rate"
        assert finding.span.start == changed.index("; clamp_rate\n- observed") + 2
    snapshot = project.open(CONVENTIONS, text.replace("rates.py; clamp_rate\n- obs", "rates.py; mean\n- obs"), 2)
    assert CONVENTIONS not in snapshot.findings
    project.close_down()


# S04


@pytest.mark.parametrize("flavour", ["B1", "B2", "B3", "B0"])
def test_mem_s04_authorised_correction(tmp_path: Path, run: Run, flavour: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = made(tmp_path, run, flavour)
    shop.clamp_changed()
    shop.settle()
    before, text, was = shop.state(), shop.read(CONVENTIONS), shop.fields("MEM-CONV-0001")
    audit = len(shop.audit())
    code, report, errors = run(*S04)
    assert (code, errors) == (0, "")
    assert (report["impact"]["value"], report["impact"]["state"]) == ("UPDATE_REQUIRED", "applied")
    fields = {"statement", "last_modified", "last_verified", "verification_scope", "git_revision", "repository_context"}
    only(shop, before, text, CONVENTIONS, "MEM-CONV-0001", fields | {"verification_status"})
    now = shop.fields("MEM-CONV-0001")
    assert (now["last_modified"], now["last_verified"], now["observed_date"]) == (
        "2026-03-01",
        "2026-03-01",
        "2026-01-10",
    )
    assert (now["statement"], now["verification_scope"]) == (NEW, "read clamp_rate")
    if flavour in ("B1", "B2"):
        assert now["git_revision"] == f"{shop.c2} (dirty: rates.py)"
        assert now["repository_context"] == "shop; main; dirty"
    else:
        assert {key: now[key] for key in ("git_revision", "repository_context")} == {
            key: was[key] for key in ("git_revision", "repository_context")
        }
    assert len(shop.audit()) == audit + 1
    assert verdicts(run("check", "MEM-CONV-0001", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    from datetime import timedelta

    from shop import CLOCK

    monkeypatch.setattr("memory_lsp.workspace.clock.now", lambda: CLOCK + timedelta(days=1))
    after = shop.state()
    code, report, _ = run(*S04)
    assert (code, report["impact"]["value"], report["writes"]) == (0, "NONE", [])
    assert shop.state() == after


# S05


def test_mem_s05_memory_not_readable(shop: Shop, run: Run, deny: Any) -> None:
    before = shop.state()
    touched = deny(shop.root / ".kiyo/memory")
    code, report, errors = run("check", "MEM-CONV-0001", *JSON)
    assert (code, memory(report)["outcome"], memory(report)["reason"]) == (4, "UNVERIFIED", "denied")
    assert (report["impact"]["value"], report["impact"]["reason"]) == ("NOT_ASSESSED", "denied")
    assert report["impact"]["not_assessed"][0]["id"] == ".kiyo/memory" and ".kiyo/memory" in errors
    for command in (("show",), ("impact",)):
        code, report, errors = run(*command, *JSON)
        assert (code, report["impact"]["value"], report["impact"]["reason"]) == (4, "NOT_ASSESSED", "denied")
        code, text, _ = run(*command)
        assert ".kiyo/memory" in text and "no store" not in text.lower() and "NONE" not in text
    root, outside = os.path.realpath(shop.root), os.path.realpath(shop.root.parent)
    project = [path for path in touched if path.startswith(outside) and "/cache/" not in path]
    assert project and all(path.startswith(root) for path in project)
    for command in (
        ("capture", "--statement", "x", "--source", "rates.py", "--write", *BY),
        ("init", "--dialect", "kiyo", "--write"),
        S04,
        ("repair", "MEM-CONV-0001", *WRITE),
        ("repair", "--index", *WRITE),
    ):
        assert run(*command)[0] == 3, command
    deny.allow()
    assert shop.state() == before


# S06


def legacy(tmp_path: Path, folder: str, declaration: str = "", index: str = "index.md") -> Shop:
    shop = Shop(tmp_path / "shop")
    shop.remove(".kiyo/policy.md")
    (shop.root / folder).parent.mkdir(parents=True, exist_ok=True)
    shutil.move(shop.root / ".kiyo/memory", shop.root / folder)
    if index != "index.md":
        (shop.root / folder / "index.md").rename(shop.root / folder / index)
    if declaration:
        shop.write(".kiyo/config.md", declaration)
    shop.commit("legacy")
    shop.settle()
    return shop


@pytest.mark.parametrize(
    ("folder", "declaration", "index"),
    [
        ("docs/project-memory", "Canonical memory location: docs/project-memory\n", "index.md"),
        (".kiyo/project/memory", "", "index.md"),
        ("docs/project-memory", "- Canonical Memory index: ../docs/project-memory/catalog.md\n", "catalog.md"),
        ("docs/project-memory", "* **canonical memory index:** [here](docs/project-memory/catalog.md)\n", "catalog.md"),
    ],
)
def test_mem_s06_legacy_store(tmp_path: Path, run: Run, folder: str, declaration: str, index: str) -> None:
    shop = legacy(tmp_path, folder, declaration, index)
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert report["stores"] == [{"dialect": "kiyo", "path": folder}]
    assert (code, report["impact"]["value"]) == (0, "NONE"), report
    assert shop.state() == before
    code, report, errors = run(
        "capture", "--statement", "mean of nothing is 0.", "--source", "rates.py#mean", "--topic", "conventions", *WRITE
    )
    assert (code, errors) == (0, "")
    assert [item["path"] for item in report["writes"]] == [f"{folder}/conventions.md", f"{folder}/{index}"]
    assert report["events"][0]["memory"] == "MEM-CONV-0003"
    now = shop.state()
    changed = {path for path in now if before.get(path) != now[path]}
    assert {path for path in changed if not path.startswith(".memory-lsp")} == {
        f"{folder}/conventions.md",
        f"{folder}/{index}",
    }
    assert not (shop.root / ".kiyo/memory").exists()


# S07


def two_stores(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path / "shop")
    shop.write(".kiyo/config.md", "Canonical memory location: docs/project-memory\n")
    shop.write("docs/project-memory/index.md", HEAD + row("MEM-CONV-0009"))
    shop.write("docs/project-memory/conventions.md", observation("MEM-CONV-0009", "mean"))
    shop.commit("two")
    shop.settle()
    return shop


def test_mem_s07_two_stores(tmp_path: Path, run: Run) -> None:
    shop = two_stores(tmp_path)
    before = shop.state()
    reports = []
    for newer in (".kiyo/memory/conventions.md", "docs/project-memory/conventions.md"):
        os.utime(shop.root / newer, (2_000_000_000, 2_000_000_000))
        code, report, _ = run("check", *JSON)
        places = [
            (item["path"], item["range"]["start"]["line"])
            for item in report["findings"]
            if item["code"] == "memory-store-conflict"
        ]
        assert (code, report["impact"]["value"], places) == (
            1,
            "CONFLICT",
            [(".kiyo/config.md", 0), (".kiyo/policy.md", 2)],
        )
        assert [store["path"] for store in report["stores"]] == [".kiyo/memory", "docs/project-memory"]
        reports.append([item["id"] for item in report["memories"]])
        code, report, _ = run("show", *JSON)
        assert {item["id"]: item["store"] for item in report["memories"]}["MEM-CONV-0009"] == "docs/project-memory"
        assert (code, report["impact"]["value"]) == (1, "CONFLICT")
        shop.settle()
    assert reports[0] == reports[1] and {"MEM-CONV-0001", "MEM-CONV-0009"} <= set(reports[0])
    shop.settle()
    sync = ("sync", "MEM-CONV-0009", "--set", "uncertainty=none known")
    capture = ("capture", "--statement", "x holds.", "--source", "rates.py#mean")
    for command in (
        (*sync, *WRITE),
        (*capture, *WRITE),
        ("init", "--dialect", "kiyo", "--write"),
        ("repair", "--index", *WRITE),
    ):
        assert run(*command)[0] == 3, command
    chosen = ("--store", "docs/project-memory")
    assert run(*sync, "--write", "--by", "process:x", *chosen, *JSON)[0] == 3
    assert shop.state() == before
    code, report, errors = run(*sync, *WRITE, *chosen)
    assert (code, errors) == (0, "")
    now = shop.state()
    changed = {path for path in now if before.get(path) != now[path] and not path.startswith(".memory-lsp")}
    assert changed == {"docs/project-memory/conventions.md"}


def test_mem_s07_defaults_and_broken_locator(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.remove(".kiyo/policy.md")
    shutil.copytree(shop.root / ".kiyo/memory", shop.root / ".kiyo/project/memory")
    code, report, _ = run("check", *JSON)
    assert (code, report["impact"]["value"]) == (1, "CONFLICT")
    shop.remove(".kiyo/project")
    shop.write(".kiyo/policy.md", "- Canonical Memory index: elsewhere/index.md\n")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert (code, report["impact"]["value"]) == (1, "CONFLICT")
    assert run(*S04)[0] == 3
    assert shop.state() == before


# S08


def test_mem_s08_branch_switch_and_dirty_files(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.git("switch", "-q", "-c", "b")
    shop.write("other.py", "X = 1\n")
    code, report, _ = run("check", *JSON)
    assert (code, report["impact"]["value"], report["context"]["branch"]) == (0, "NONE", "b")
    shop.clamp_changed()
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert (code, *verdicts(report)["MEM-CONV-0001"]) == (1, "changed", "STALE")
    assert sorted(report["context"]["dirty"]) == ["other.py", "rates.py"]
    assert verdicts(report)["MEM-DEC-0001"] == ("fresh", "VERIFIED")
    assert shop.state() == before
    shop.write("rates.py", RATES)
    shop.git("checkout", "-q", "--detach")
    code, report, _ = run("check", *JSON)
    assert (code, report["impact"]["value"], report["context"]["branch"]) == (0, "NONE", "UNKNOWN")


def test_mem_s08_iii_an_equal_hash_verifies_no_dirty_content(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.git("reset", "-q", "--soft", shop.c1)
    shop.git("reset", "-q")
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    shop.clamp_changed()
    report = run("check", *JSON)[1]
    assert verdicts(report)["MEM-CONV-0001"] == ("changed", "STALE")
    assert memory(report)["citations"][0]["baseline"] == "git_revision"


def test_mem_s08_iv_verified_on_dirty_content(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.change(CONVENTIONS, "2026-01-10", "2026-02-01")
    shop.change(CONVENTIONS, f"- git_revision: {shop.c1}", f"- git_revision: {shop.c1} (dirty: rates.py)")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    assert (code, *verdicts(report)["MEM-CONV-0001"]) == (4, "unchecked", "UNVERIFIED")
    assert report["impact"]["value"] == "NOT_ASSESSED"
    assert shop.state() == before


def test_mem_s08_vi_unborn_head(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B0")
    shop.git("init", "-q", "-b", "main")
    shop.settle()
    text, before = shop.read(CONVENTIONS), shop.state()
    code, _, errors = run("verify", "MEM-CONV-0001", "--evidence", "read it", *WRITE)
    assert (code, errors) == (0, "")
    assert shop.fields("MEM-CONV-0001")["git_revision"] == "UNKNOWN"
    fields = {"last_verified", "verification_status", "verification_scope", "git_revision", "repository_context"}
    only(shop, before, text, CONVENTIONS, "MEM-CONV-0001", fields)
    assert verdicts(run("check", "MEM-CONV-0001", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")


# S09


def test_mem_s09_two_worktrees(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    other = tmp_path / "w2"
    shop.git("worktree", "add", "-q", "-b", "w2", str(other))
    shop.clamp_changed()
    assert run(*S04)[0] == 0
    shutil.copy(shop.root / CONVENTIONS, other / CONVENTIONS)
    code, report, _ = run("check", "MEM-CONV-0001", *JSON, at=other)
    found = memory(report)
    assert (code, found["verdict"], found["outcome"]) == (4, "unchecked", "UNVERIFIED")
    assert "not committed and is not here" in found["reason"] and report["impact"]["value"] == "NOT_ASSESSED"
    shutil.copytree(shop.root / ".memory-lsp/anchors", other / ".memory-lsp/anchors")
    assert verdicts(run("check", *JSON, at=other)[1])["MEM-CONV-0001"] == ("changed", "STALE")
    before = shop.state()
    assert run("sync", "MEM-CONV-0001", "--set", "uncertainty=some", *WRITE, at=other)[0] == 0
    assert shop.state() == before
    shutil.copy(shop.root / "rates.py", other / "rates.py")
    assert verdicts(run("check", *JSON, at=other)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    shutil.rmtree(other / ".memory-lsp")
    shutil.copy(shop.root / CONVENTIONS, other / CONVENTIONS)
    assert verdicts(run("check", *JSON, at=other)[1])["MEM-CONV-0001"] == ("unchecked", "UNVERIFIED")


# S10


def components(tmp_path: Path) -> Shop:
    shop = Shop(tmp_path / "shop")
    for name in ("a", "b"):
        shop.write(f"component_{name}/code.py", f"def {name}_rate(value):\n    return value * {len(name)}\n")
    entries = "".join(
        observation(
            f"MEM-{name.upper()}-0001",
            f"{name}_rate",
            context=f"shop; component_{name}; main; clean",
            source=f"repository; component_{name}/code.py; {name}_rate",
        )
        for name in ("a", "b")
    )
    shop.write(".kiyo/memory/domain.md", "# Domain\n\n" + entries)
    shop.write(INDEX, shop.read(INDEX) + row("MEM-A-0001", "domain.md") + row("MEM-B-0001", "domain.md"))
    shop.commit("components")
    shop.write("component_b/code.py", "def b_rate(value):\n    return value * 7\n")
    shop.settle()
    return shop


def test_mem_s10_one_component_asked(tmp_path: Path, run: Run, deny: Any) -> None:
    shop = components(tmp_path)
    before = shop.state()
    code, report, _ = run("check", "--component", "component_a", *JSON)
    assert (code, report["impact"]["value"], verdicts(report)) == (
        0,
        "NONE",
        {"MEM-A-0001": ("fresh", "VERIFIED"), "MEM-DEC-0001": ("fresh", "VERIFIED")},
    )
    assert "MEM-B-0001" in [item["id"] for item in report["impact"]["not_assessed"]]
    code, report, _ = run("check", *JSON)
    assert (code, verdicts(report)["MEM-B-0001"]) == (1, ("changed", "STALE"))
    assert shop.state() == before
    deny(shop.root / "component_b")
    code, report, _ = run("check", "--component", "component_a", *JSON)
    assert (code, report["impact"]["value"]) == (0, "NONE")
    assert not (shop.root / "component_a/.kiyo").exists()


def test_mem_s10_a_path_in_both_places_is_ambiguous(tmp_path: Path, run: Run) -> None:
    shop = components(tmp_path)
    shop.change(".kiyo/memory/domain.md", "component_a/code.py; a_rate", "code.py; a_rate")
    shop.commit("relative")
    assert verdicts(run("check", *JSON)[1])["MEM-A-0001"][0] == "fresh"
    shop.write("code.py", "def a_rate(value):\n    return value\n")
    report = run("check", *JSON)[1]
    assert verdicts(report)["MEM-A-0001"] == ("ambiguous", "UNVERIFIED")
    assert memory(report, "MEM-A-0001")["citations"][0]["candidates"] == ["code.py", "component_a/code.py"]


# S11


@pytest.mark.parametrize("how", ["committed", "uncommitted", "into another file"])
def test_mem_s11_a_moved_evidence(tmp_path: Path, run: Run, how: str) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.write("pricing.py", "OTHER = 1\n")
    shop.commit("pricing")
    target = "pricing.py"
    if how == "into another file":
        shop.write("pricing.py", "OTHER = 1\n\n\n" + RATES[RATES.index("def clamp") : RATES.index("def mean")])
        shop.write("rates.py", "LIMIT = 1.0\n\n\n" + RATES[RATES.index("def mean") :])
    else:
        shop.remove("pricing.py")
        shop.git("mv", "rates.py", "pricing.py")
        if how == "committed":
            shop.commit("move")
    shop.settle()
    before, text = shop.state(), shop.read(CONVENTIONS)
    code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    found = memory(report)
    assert (code, found["verdict"], found["outcome"]) == (1, "moved", "VERIFIED")
    assert (report["impact"]["value"], report["impact"]["state"]) == ("UPDATE_REQUIRED", "pending")
    wanted = f"repository; {target}; clamp_rate; formerly rates.py"
    assert found["proposal"]["fields"]["source"] == wanted
    assert shop.state() == before
    code, _, errors = run("repair", "MEM-CONV-0001", *WRITE)
    assert (code, errors) == (0, "")
    only(shop, before, text, CONVENTIONS, "MEM-CONV-0001", {"source", "last_modified"})
    now = shop.fields("MEM-CONV-0001")
    assert (now["source"], now["last_modified"], now["last_verified"]) == (wanted, "2026-03-01", "2026-01-10")
    assert verdicts(run("check", "MEM-CONV-0001", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")


def test_mem_s11_b_deleted_evidence(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.git("rm", "-q", "rates.py")
    shop.change(DECISIONS, "accepted record; docs/adr/0007.md", "repository; rates.py")
    shop.commit("gone")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert (code, *verdicts(report)["MEM-CONV-0001"]) == (1, "missing", "UNVERIFIED")
    assert (report["impact"]["value"], report["impact"]["state"]) == ("UPDATE_REQUIRED", "waiting")
    assert verdicts(report)["MEM-DEC-0001"] == ("missing", "UNVERIFIED")
    code, _, errors = run("repair", "MEM-CONV-0001", *WRITE)
    assert code == 3 and "no established target" in errors
    assert shop.state() == before


def test_mem_s11_c_denied_evidence(tmp_path: Path, run: Run, deny: Any) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    before = shop.state()
    deny(shop.root / "rates.py")
    code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    found = memory(report)
    assert (code, found["verdict"], found["outcome"], found["reason"]) == (4, "unchecked", "UNVERIFIED", "denied")
    assert (report["impact"]["value"], report["impact"]["reason"]) == ("NOT_ASSESSED", "denied")
    assert run("repair", "MEM-CONV-0001", *WRITE)[0] == 3
    assert shop.state() == before


def test_mem_s11_d_two_twins(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.write("one.py", RATES)
    shop.write("two.py", RATES)
    shop.remove("rates.py")
    shop.settle()
    before = shop.state()
    _code, report, _ = run("check", "MEM-CONV-0001", *JSON)
    found = memory(report)
    assert (found["verdict"], found["outcome"], report["impact"]["value"]) == (
        "ambiguous",
        "UNVERIFIED",
        "NOT_ASSESSED",
    )
    assert found["citations"][0]["candidates"] == ["one.py#clamp_rate", "two.py#clamp_rate"]
    assert run("repair", "MEM-CONV-0001", *WRITE)[0] == 3
    assert shop.state() == before


def test_mem_s11_e_never_existed(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.change(CONVENTIONS, "rates.py; clamp_rate\n- observed", "nowhere.py; clamp_rate\n- observed")
    shop.commit("never")
    shop.settle()
    before = shop.state()
    code, report, _ = run("check", *JSON)
    assert (code, *verdicts(report)["MEM-CONV-0001"]) == (1, "missing", "UNVERIFIED")
    assert "memory-unresolved" in [item["code"] for item in memory(report)["findings"]]
    assert run("repair", "MEM-CONV-0001", *WRITE)[0] == 3
    assert shop.state() == before


# Baselines in history


def test_a_store_that_moved_is_followed_to_its_verification(tmp_path: Path, run: Run) -> None:
    shop = legacy(tmp_path, "docs/project-memory", "Canonical memory location: docs/project-memory\n")
    shop.clamp_changed()
    shop.commit("stricter")
    (shop.root / "notes").mkdir()
    shop.git("mv", "docs/project-memory", "notes/memory")
    shop.write(".kiyo/config.md", "Canonical memory location: notes/memory\n")
    shop.commit("move the store")
    report = run("check", *JSON)[1]
    assert verdicts(report)["MEM-CONV-0001"] == ("changed", "STALE")
    assert verdicts(report)["MEM-CONV-0002"] == ("fresh", "VERIFIED")


def test_a_record_that_moved_to_another_file_keeps_its_baseline(shop: Shop, run: Run) -> None:
    shop.clamp_changed()
    shop.commit("stricter")
    text = shop.read(CONVENTIONS)
    start = text.index("## MEM-CONV-0001")
    end = text.index("## MEM-CONV-0002")
    shop.write(".kiyo/memory/domain.md", "# Domain\n\n" + text[start:end])
    shop.write(CONVENTIONS, text[:start] + text[end:])
    shop.commit("move the record")
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("changed", "STALE")


def test_a_merge_is_no_verification(shop: Shop, run: Run) -> None:
    shop.git("switch", "-q", "-c", "old", shop.c1)
    shop.clamp_changed()
    shop.commit("stricter")
    shop.git("merge", "-q", "--no-edit", "main")
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("changed", "STALE")


def test_white_space_in_the_record_is_no_verification(shop: Shop, run: Run) -> None:
    shop.clamp_changed()
    shop.commit("stricter")
    shop.change(CONVENTIONS, "- last_verified: 2026-01-10", "-  last_verified:   2026-01-10")
    shop.commit("layout")
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("changed", "STALE")


def test_a_shallow_clone_has_no_baseline_beyond_its_boundary(tmp_path: Path, run: Run) -> None:
    shop = Shop(tmp_path / "shop")
    shop.clamp_changed()
    shop.commit("stricter")
    clone = tmp_path / "clone"
    shop.git("clone", "-q", "--depth", "1", f"file://{shop.root}", str(clone))
    report = run("check", *JSON, at=clone)[1]
    assert verdicts(report)["MEM-CONV-0001"] == ("unchecked", "UNVERIFIED")
    assert "history" in memory(report)["reason"]


# S12


def test_mem_s12_dates_are_per_entry(tmp_path: Path, run: Run, deny: Any) -> None:
    shop = Shop(tmp_path / "shop", "B1")
    shop.write("mean.py", RATES[RATES.index("def mean") :])
    shop.change(CONVENTIONS, "repository; rates.py; mean", "repository; mean.py; mean")
    shop.commit("apart")
    shop.clamp_changed()
    shop.change("mean.py", "else 0", "else 1")
    shop.settle()
    before, text = shop.state(), shop.read(CONVENTIONS)
    deny(shop.root / "mean.py")
    code, _, errors = run(*S04)
    assert (code, errors) == (0, "")
    fields = {"statement", "last_modified", "last_verified", "verification_scope", "git_revision", "repository_context"}
    only(shop, before, text, CONVENTIONS, "MEM-CONV-0001", fields)
    report = run("check", *JSON)[1]
    assert verdicts(report)["MEM-CONV-0002"] == ("unchecked", "UNVERIFIED")
    assert shop.fields("MEM-CONV-0002")["last_verified"] == "2026-01-10"
    assert {"id": "MEM-CONV-0002", "reason": "denied"} in report["impact"]["not_assessed"]


def test_mem_s12_a_new_text_without_verification(shop: Shop, run: Run) -> None:
    before, text = shop.state(), shop.read(CONVENTIONS)
    code, _, errors = run("sync", "MEM-CONV-0001", "--set", f"statement={NEW}", *WRITE)
    assert (code, errors) == (0, "")
    now = shop.fields("MEM-CONV-0001")
    assert (now["verification_status"], now["last_verified"], now["last_modified"]) == (
        "UNVERIFIED",
        "UNKNOWN",
        "2026-03-01",
    )
    assert "2026-01-10" in now["verification_scope"]
    only(
        shop,
        before,
        text,
        CONVENTIONS,
        "MEM-CONV-0001",
        {"statement", "verification_status", "last_verified", "last_modified", "verification_scope"},
    )
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("unchecked", "UNVERIFIED")


def test_mem_s12_touching_and_a_date_of_the_file_change_nothing(shop: Shop, run: Run) -> None:
    os.utime(shop.root / CONVENTIONS)
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")
    shop.change(CONVENTIONS, "# Conventions\n", "# Conventions\n\nlast_verified: 1999-01-01\n")
    assert verdicts(run("check", *JSON)[1])["MEM-CONV-0001"] == ("fresh", "VERIFIED")
