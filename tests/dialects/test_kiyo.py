"""The dialect ``kiyo``: what real files look like (F1 to F14). A no-op edit gives equal bytes, an edit of one field its span alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_lsp.core.model import Memory, Refusal, Status, apply_edits
from memory_lsp.dialects import kiyo
from memory_lsp.dialects.kiyo_index import read_rows
from memory_lsp.dialects.kiyo_read import read_entries, read_values
from memory_lsp.dialects.kiyo_source import Known, read_source
from memory_lsp.workspace.files import MAX_RECORD_BYTES, Files
from memory_lsp.workspace.kiyo_stores import declarations, find_kiyo
from memory_lsp.workspace.records import read_record
from memory_lsp.workspace.snapshot import Store

FIELDS = """- id: MEM-CONV-0001
- record_type: observation
- status: ACTIVE
- statement: Rates are clamped.
- source: repository; rates.py; clamp_rate
- observed_date: 2026-01-10
- last_modified: 2026-01-10
- last_verified: 2026-01-10
- verification_status: VERIFIED
- verification_scope: rates.py; read
- uncertainty: NONE
- repository_context: shop; main; clean
- git_revision: UNKNOWN
"""
RECORD = f"# Conventions\n\n## MEM-CONV-0001 — Rates\n\n{FIELDS}\nHuman note: keep me\n\n### Evidence notes\n\n- source: mine\n"


def one(text: str) -> Memory:
    memories = kiyo.parse("conventions.md", text).memories
    assert len(memories) == 1
    return memories[0]


def value(text: str, memory: Memory, field: str) -> str:
    span = memory.spans[field]
    return text[span.start : span.end]


def check_edits(text: str, memory_id: str, field: str, new: str) -> str:
    """The text with one field edited; everything outside the field's span is as it was."""
    memory = next(item for item in kiyo.parse("a.md", text).memories if item.id == memory_id)
    same = kiyo.set_fields(text, memory_id, {field: memory.fields[field]})
    assert same == ()
    edits = kiyo.set_fields(text, memory_id, {field: new})
    assert not isinstance(edits, Refusal)
    after = apply_edits(text, edits)
    span = memory.spans[field]
    assert after == text[: span.start] + new + text[span.end :]
    return after


@pytest.mark.parametrize("dash", [" — ", " – ", " - ", ": ", " "])
def test_f1_dash_kinds_and_none(dash: str) -> None:
    text = RECORD.replace(" — ", dash)
    memory = one(text)
    assert (memory.id, memory.title, kiyo.parse("a.md", text).problems) == ("MEM-CONV-0001", "Rates", ())
    assert value(text, memory, "statement") == "Rates are clamped."
    check_edits(text, memory.id, "statement", "Otherwise.")


def test_f2_a_lower_case_status_is_read_and_left() -> None:
    text = RECORD.replace("status: ACTIVE", "status: active")
    memory = one(text)
    assert (memory.status, memory.stored, kiyo.parse("a.md", text).problems) == (Status.APPROVED, "ACTIVE", ())
    assert "status: active" in check_edits(text, memory.id, "statement", "Otherwise.")


def test_f3_a_file_with_one_heading_and_partial_records() -> None:
    text = "# Decisions\n\nIntro.\n\n- id: D-MAP\n- record_type: decision\n- status: APPROVED\n- statement: Map.\nHistory: 2025 by the board\n\n- id: D-TWO\n- statement: Two.\n"
    memories = kiyo.parse("decisions.md", text).memories
    assert [(item.id, item.type, item.status) for item in memories] == [
        ("D-MAP", "decision", Status.APPROVED),
        ("D-TWO", "", Status.PENDING),
    ]
    assert memories[0].last_verified_at == "" and memories[0].citations == ()
    after = check_edits(text, "D-MAP", "statement", "Map by hand.")
    assert "History: 2025 by the board" in after
    added = kiyo.set_fields(text, "D-MAP", {"last_verified": "2026-03-01"})
    assert not isinstance(added, Refusal)
    assert "- statement: Map.\n- last_verified: 2026-03-01\nHistory:" in apply_edits(text, added)


def test_f4_wrapped_values_are_one_value() -> None:
    text = RECORD.replace("Rates are clamped.", "Rates are\n  clamped, and\n  more.").replace(
        "rates.py; read", "rates.py;\n    read"
    )
    memory = one(text)
    assert memory.statement == "Rates are clamped, and more."
    assert memory.fields["verification_scope"] == "rates.py; read"
    assert value(text, memory, "statement") == "Rates are\n  clamped, and\n  more."
    check_edits(text, memory.id, "statement", "Short.")


@pytest.mark.parametrize(
    "text",
    [
        RECORD.replace("\n", "\r\n"),
        RECORD.replace("\n", "\r\n", 7),
        "\ufeff" + RECORD,
        RECORD[: RECORD.index("\n\nHuman")],
        "\ufeff" + RECORD.replace("\n", "\r\n").rstrip(),
    ],
)
def test_f5_endings_mark_and_no_final_newline(text: str) -> None:
    memory = one(text)
    assert value(text, memory, "statement") == "Rates are clamped."
    check_edits(text, memory.id, "statement", "Otherwise.")
    edits = kiyo.set_fields(text, memory.id, {"related_ids": "MEM-CONV-0009"})
    assert not isinstance(edits, Refusal)
    after = apply_edits(text, edits)
    index = after.index("- related_ids")
    neighbour = text[memory.spans["git_revision"].end :]
    ending = "\r\n" if neighbour.startswith("\r\n") or (not neighbour and "\r\n" in text) else "\n"
    assert after[:index].endswith(ending) and after.replace(f"{ending}- related_ids: MEM-CONV-0009", "") == text


def test_f6_fences_and_comments_hold_nothing() -> None:
    fenced = f"# Template\n\n```markdown\n## MEM-X-0001 — Example\n\n{FIELDS}```\n\n<!--\n{FIELDS}-->\n\n~~~\n- id: A-1\n~~~\n"
    assert kiyo.parse("a.md", fenced).memories == () and not kiyo.recognise("a.md", fenced)
    text = RECORD.replace("- uncertainty: NONE\n", "<!-- - uncertainty: hidden -->\n- uncertainty: NONE\n")
    memory = one(text)
    assert memory.fields["uncertainty"] == "NONE"
    check_edits(text, memory.id, "uncertainty", "some")


def test_f7_values_with_marks() -> None:
    text = (
        RECORD.replace("Rates are clamped.", "Rates: `a; b`, [c](d.md): `e`; f.")
        .replace("- status", "* **status**")
        .replace("- uncertainty:", "+ Uncertainty:")
    )
    memory = one(text.replace("* **status**:", "* **status:**"))
    assert memory.statement == "Rates: `a; b`, [c](d.md): `e`; f."
    assert one(text).stored == "ACTIVE" and one(text).fields["uncertainty"] == "NONE"
    check_edits(text, memory.id, "statement", "x: y; z")
    check_edits(text, memory.id, "status", "ARCHIVED")


KNOWN = Known(
    lambda path: path in ("Makefile", "rates.py", "docs/a.md", "lib/x.py"),
    lambda path, name: {
        "clamp_rate": "clamp_rate",
        "Rate.limit": "Rate.limit",
        "limit": "Rate.limit",
        "First part": "First part",
    }.get(name, ""),
    lambda word: word == "MEM-CONV-0009",
)


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ("repository; rates.py; clamp_rate", ["rates.py#clamp_rate"]),
        ("test", []),
        ("repository; Makefile", ["Makefile"]),
        ("repository; rates.py; limit", ["rates.py#Rate.limit"]),
        ("repository; rates.py; Rate.limit; clamp_rate", ["rates.py#Rate.limit", "rates.py#clamp_rate"]),
        ("repository; `docs/a.md`; First part", ["docs/a.md#First part"]),
        ("rates.py; lines 12-20", ["rates.py#L12-L20"]),
        ("rates.py; line 12", ["rates.py#L12"]),
        ("rates.py; L12", ["rates.py#L12"]),
        ("rates.py:12", ["rates.py#L12"]),
        ("rates.py:12-20", ["rates.py#L12-L20"]),
        ("rates.py#L10-L20", ["rates.py#L10-L20"]),
        ("rates.py#clamp_rate", ["rates.py#clamp_rate"]),
        ("repository; rates.py, lib/x.py", ["rates.py", "lib/x.py"]),
        ("[the rates](rates.py); clamp_rate", ["rates.py#clamp_rate"]),
        ("repository; lib\\x.py", ["lib/x.py"]),
        ("repository; rates.py; MEM-CONV-0009", ["rates.py"]),
        ("https://example.invalid/a.py; rates.py; ran the tests twice", ["rates.py"]),
        ("repository; rates.py; clamp_rate; formerly old.py", ["rates.py#clamp_rate"]),
        ("UNKNOWN", []),
        ("<where from>", []),
        ("", []),
        ("repository; src/gone.py; gone_now", ["src/gone.py#gone_now"]),
    ],
)
def test_f8_source_forms(source: str, texts: list[str]) -> None:
    said = read_source(source, 100, KNOWN)
    assert [citation.text for citation in said.citations] == texts
    for citation in said.citations:
        for span in citation.spans.values():
            assert source[span.start - 100 : span.end - 100].strip() != ""
    assert said.related == (("MEM-CONV-0009",) if "MEM-CONV-0009" in source else ())


def test_f9_unknown_keys_predicates_and_links() -> None:
    more = "- git_revision: UNKNOWN\n- team: rates\n- stale_when: used automapper in a/**/*.py; after 2030-01-01\n- related_ids: MEM-CONV-0002, MEM-CONV-0003\n- supersedes: `MEM-CONV-0000`\n"
    text = RECORD.replace("- git_revision: UNKNOWN\n", more)
    memory = one(text)
    assert memory.fields["team"] == "rates" and memory.supersedes == ("MEM-CONV-0000",)
    assert [(said, text[span.start : span.end]) for said, span in memory.predicates] == [
        ("used automapper in a/**/*.py", "used automapper in a/**/*.py"),
        ("after 2030-01-01", "after 2030-01-01"),
    ]
    assert "- team: rates" in check_edits(text, memory.id, "related_ids", "MEM-CONV-0004")


@pytest.mark.parametrize(
    ("old", "new", "field", "code"),
    [
        ("- uncertainty: NONE\n", "- uncertainty: NONE\n- uncertainty: two\n", "uncertainty", "memory-invalid"),
        ("status: ACTIVE", "status: MAYBE", "status", "memory-invalid"),
        ("status: ACTIVE", "status: APPROVED", "status", "memory-invalid"),
        ("record_type: observation", "record_type: rumour", "record_type", "memory-invalid"),
        ("last_verified: 2026-01-10", "last_verified: yesterday", "last_verified", "memory-invalid"),
        ("last_verified: 2026-01-10", "last_verified: UNKNOWN", "verification_status", "memory-invalid"),
        ("uncertainty: NONE", "approver: jane" + "@" + "example.invalid", "approver", "memory-secret"),
    ],
)
def test_f10_what_is_wrong_is_told_at_its_field(old: str, new: str, field: str, code: str) -> None:
    parsed = kiyo.parse("a.md", RECORD.replace(old, new))
    assert [(item.field, item.code) for item in parsed.problems] == [(field, code)]
    assert parsed.memories[0].statement == "Rates are clamped."


def test_f10_a_duplicate_key_blocks_writes_and_a_placeholder_is_a_draft() -> None:
    text = RECORD.replace("- uncertainty: NONE\n", "- uncertainty: NONE\n- uncertainty: two\n")
    assert isinstance(kiyo.set_fields(text, "MEM-CONV-0001", {"uncertainty": "x"}), Refusal)
    assert not isinstance(kiyo.set_fields(text, "MEM-CONV-0001", {"statement": "x"}), Refusal)
    memory = one(RECORD.replace("Rates are clamped.", "<the claim>"))
    assert [name for name, _ in memory.placeholders] == ["statement"]


def test_f11_ids() -> None:
    text = RECORD.replace("## MEM-CONV-0001", "## MEM-CONV-0007")
    assert one(text).id == "MEM-CONV-0001"
    assert [item.field for item in kiyo.parse("a.md", text).problems] == ["id"]
    for name in ("OBS-P25-001", "D-MAP", "7"):
        assert one(RECORD.replace("MEM-CONV-0001", name)).id == name
    second = RECORD[RECORD.index("##") :].replace("MEM-CONV-0001", "mem-conv-0001")
    parsed = kiyo.parse("a.md", RECORD + "\n" + second)
    assert [item.code for item in parsed.problems] == ["memory-duplicate-id"] * 2
    assert isinstance(kiyo.set_fields(RECORD + "\n" + second, "MEM-CONV-0001", {"statement": "x"}), Refusal)


def test_f12_index_forms() -> None:
    table = "# Memory index\n\n| Entry ID | File | Topic |\n| --- | --- | --- |\n| MEM-A-0001 | domain.md#mem-a-0001 | a |\n| `MEM-A-0002` | [domain](domain.md#mem-a-0002) | b |\n"
    assert [(item.id, item.file, item.anchor, item.topic) for item in read_rows(table)] == [
        ("MEM-A-0001", "domain.md", "mem-a-0001", "a"),
        ("MEM-A-0002", "domain.md", "mem-a-0002", "b"),
    ]
    listed = "# Index\n\n- [Project observation](project.md)\n- [site](https://example.invalid)\n"
    assert [(item.id, item.file, item.topic) for item in read_rows(listed)] == [
        ("", "project.md", "Project observation")
    ]
    assert one("# Memory index\n\n" + RECORD[RECORD.index("##") :]).id == "MEM-CONV-0001"


@pytest.mark.parametrize(
    ("line", "folder"),
    [
        ("- Canonical Memory index: memory/index.md", ".kiyo/memory"),
        ("Canonical memory location: .kiyo/memory", ".kiyo/memory"),
        ("* CANONICAL MEMORY INDEX: `memory/index.md`", ".kiyo/memory"),
        ("- Canonical Memory index: [index](memory/index.md)", ".kiyo/memory"),
        ("- Canonical Memory index: <path>", ""),
        ("- Canonical Memory index:", ""),
        ("- Canonical Memory index: UNKNOWN", ""),
        ("```\n- Canonical Memory index: memory/index.md\n```", ""),
    ],
)
def test_f13_policy_forms(tmp_path: Path, line: str, folder: str) -> None:
    (tmp_path / ".kiyo/memory").mkdir(parents=True)
    (tmp_path / ".kiyo/memory/index.md").write_text("# Index\n")
    found = declarations(Files.of(tmp_path), ".kiyo/policy.md", f"# Policy\n\n{line}\n")
    assert [item.folder for item in found] == ([folder] if folder else [])
    assert all(item.found for item in found)


def test_f13_both_resolutions_exist_and_differ(tmp_path: Path) -> None:
    for folder in (".kiyo/memory", "memory"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "index.md").write_text("# Index\n")
    (tmp_path / ".kiyo/policy.md").write_text("- Canonical Memory index: memory/index.md\n")
    assert find_kiyo(Files.of(tmp_path)).conflict
    assert find_kiyo(Files.of(tmp_path), ".kiyo/memory").conflict == ""


@pytest.mark.parametrize(("data", "told"), [(b"# A\n\xff\n", "UTF-8"), (b"x" * (MAX_RECORD_BYTES + 1), "too large")])
def test_f14_what_cannot_be_read_is_reported(tmp_path: Path, data: bytes, told: str) -> None:
    (tmp_path / ".kiyo/memory").mkdir(parents=True)
    (tmp_path / ".kiyo/memory/a.md").write_bytes(data)
    record = read_record(Files.of(tmp_path), Store("kiyo", ".kiyo/memory"), ".kiyo/memory/a.md", None)
    assert record is not None and record.parsed.memories == ()
    assert told in record.parsed.problems[0].message


@pytest.mark.parametrize(
    "text",
    [
        RECORD,
        RECORD.replace("\n", "\r\n"),
        RECORD + "\n" + RECORD[RECORD.index("##") :].replace("MEM-CONV-0001", "MEM-CONV-0002"),
        RECORD.replace("- last_verified", "* Last Verified"),
        RECORD.replace("- last_verified", "- **last_verified**"),
        RECORD.replace("git_revision: UNKNOWN", "git_revision: 0123abc\n  (dirty: a.py)"),
        RECORD.replace("## MEM-CONV-0001 — Rates", "## MEM-CONV-0009 — Rates"),
        RECORD.replace("- id: MEM-CONV-0001\n", ""),
        RECORD.replace("### Evidence notes\n\n- source: mine", "### Evidence notes\n\n- last_verified: 1999-01-01"),
        RECORD.replace("- last_verified: 2026-01-10\n", "").replace("- source: mine", "- last_verified: 1999-01-01"),
        RECORD + "\n```\n" + RECORD + "```\n",
        "\ufeff" + RECORD,
        RECORD.replace("- last_verified: 2026-01-10\n", "- last_verified: 2026-01-10\n- last_verified: 2026-01-11\n"),
        "# One\n\n- id: A-1\n- last_verified: 2026-01-01\n\n- id: A-2\n- last_verified: 2026-01-02\n",
        "## MEM-A-0001\n\nno fields\n\n## Other\n\n- last_verified: 2026-01-01\n",
    ],
)
def test_history_is_read_as_the_dialect_reads(text: str) -> None:
    slow = {
        entry.id: tuple(" ".join(entry.get(name).strip("`").split()) for name in ("last_verified", "git_revision"))
        for entry in read_entries(text)
        if entry.id
    }
    assert read_values(text, "last_verified", "git_revision") == slow
