"""The okf dialect: what it reads, what an edit touches, and what it says of broken records."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_lsp.core.model import Citation, Memory, Refusal, Status, TextEdit, Verification, apply_edits
from memory_lsp.core.placeholders import placeholder
from memory_lsp.dialects import okf
from memory_lsp.dialects.change import (
    Approved,
    Change,
    Draft,
    Rejected,
    Repointed,
    Retired,
    Superseded,
    Supersedes,
    Verified,
)
from tests.dialects.records import ANYTHING, NOW, OKF, SEEN, SEEN_ANEW, check_spans, damaged

PATH = ".memory/charges.md"
BY = "human:cy"


def memory_of(text: str) -> Memory:
    parsed = okf.parse(PATH, text)
    assert parsed.problems == ()
    (memory,) = parsed.memories
    return memory


def changed(text: str, change: Change) -> str:
    edits = okf.edit(text, memory_of(text), change)
    assert not isinstance(edits, Refusal), edits
    return apply_edits(text, edits)


def problem_of(text: str) -> str:
    (problem,) = okf.parse(PATH, text).problems
    assert problem.code == "memory-invalid"
    assert f"{PATH}:{text.count(chr(10), 0, problem.span.start) + 1}" in problem.message
    return problem.message


def test_every_field_is_read() -> None:
    memory = memory_of(OKF)
    assert (memory.id, memory.type, memory.status, memory.stored) == (
        "mem-k3x9q2m7wd",
        "decision",
        Status.PENDING,
        "draft",
    )
    assert memory.title == "Charges are idempotent"
    assert memory.statement == "Every attempt of `charge` has the same key."
    assert memory.tags == ("pay", "two words")
    assert (memory.author, memory.recorded_at) == ("human:ann", "2026-01-02T03:04:05Z")
    assert memory.context["why"] == "The processor bills what it has accepted."
    assert [text for text, _ in memory.predicates] == ["used requests in src/**/*.py"]
    first, second = memory.citations
    assert (first.text, first.fingerprint, first.blob[:4]) == ("src/pay.py#Gateway.charge", SEEN, "8300")
    assert (second.text, second.fingerprint) == ("config/pay.toml#processor.timeout", None)
    assert memory.verifications == (Verification("human:bo", "2026-02-03T00:00:00Z", "read it"),)
    assert memory.last_verified_at == "2026-02-03T00:00:00Z"
    assert memory.placeholders == ()


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("id", "mem-k3x9q2m7wd"),
        ("title", '"Charges are idempotent"'),
        ("status", "draft"),
        ("statement", "Every attempt of `charge` has the same key."),
        ("tags", '[pay, "two words"]'),
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_spans_point_at_the_value(field: str, text: str, newline: str, mark: str) -> None:
    document = mark + OKF.replace("\n", newline).replace("team", "\U0001f600")
    span = memory_of(document).spans[field]
    assert document[span.start : span.end] == text


def test_spans_of_a_citation_point_at_its_fields() -> None:
    first, second = memory_of(OKF).citations
    assert {key: OKF[span.start : span.end] for key, span in first.spans.items() if key in ("path", "symbol")} == {
        "path": "src/pay.py",
        "symbol": "Gateway.charge",
    }
    assert OKF[second.span.start : second.span.end].startswith("{path:")


@pytest.mark.parametrize("value", ["NO", "012", "2026-01-01", "1e3", "on", ".5", "0x1F"])
def test_scalars_are_text(value: str) -> None:
    assert memory_of(OKF.replace('"Charges are idempotent"', value)).title == value


@pytest.mark.parametrize(
    ("status", "more", "expected"),
    [
        ("draft", "", Status.PENDING),
        ("stable", "", Status.APPROVED),
        ("deprecated", "", Status.DEPRECATED),
        ("deprecated", "superseded_by: mem-other\n", Status.SUPERSEDED),
    ],
)
def test_okfs_status_words(status: str, more: str, expected: Status) -> None:
    assert memory_of(OKF.replace("status:  draft\n", f"status: {status}\n{more}")).status is expected


def test_without_a_description_the_first_paragraph_is_the_statement() -> None:
    text = OKF.replace("description: Every attempt of `charge` has the same key.\n", "")
    memory = memory_of(text)
    assert memory.statement == "Every attempt has the same key."
    span = memory.spans["statement"]
    assert text[span.start : span.end] == memory.statement


CHANGES: list[Change] = [
    Verified(Verification(BY, NOW, "ran it: fine # really"), ()),
    Approved(BY, NOW),
    Rejected(BY, NOW, "not so: 'never'"),
    Retired(BY, NOW, "gone"),
    Superseded("mem-new", BY, NOW, "five now"),
    Supersedes("mem-old", BY, NOW),
    Repointed(0, Citation("src/new.py", "Door.charge", fingerprint=SEEN_ANEW, blob="ab" * 20), BY, NOW),
    Repointed(1, Citation("config/new.toml", "p.t", fingerprint=SEEN_ANEW, blob="ab" * 20), BY, NOW),
]
"""One of each. ``Verified`` gets the memory's citations where it is used."""


def fitted(change: Change, memory: Memory) -> Change:
    if not isinstance(change, Verified):
        return change
    seen = tuple(replace(citation, fingerprint=SEEN_ANEW, blob="cd" * 20) for citation in memory.citations)
    return Verified(change.verification, seen)


def assert_made(before: Memory, after: Memory, change: Change) -> None:
    """Exactly the change is in the memory that is read back."""
    expected = replace(before)
    if isinstance(change, Verified):
        assert [(c.fingerprint, c.blob) for c in after.citations] == [(SEEN_ANEW, "cd" * 20)] * len(before.citations)
        last = after.verifications[-1]
        assert (last.by, last.at, last.evidence) == (BY, NOW, change.verification.evidence)
        assert after.last_verified_at == NOW
    elif isinstance(change, Approved):
        expected = replace(before, status=Status.APPROVED, stored="stable")
    elif isinstance(change, Rejected | Retired):
        assert after.context["reason"] == change.reason
        expected = replace(before, status=Status.DEPRECATED, stored="deprecated")
    elif isinstance(change, Superseded):
        assert after.superseded_by == (*before.superseded_by, change.by_memory)
        expected = replace(before, status=Status.SUPERSEDED, stored="deprecated")
    elif isinstance(change, Supersedes):
        assert after.supersedes == (*before.supersedes, change.old_id)
    else:
        moved = after.citations[change.index]
        assert (moved.text, moved.fingerprint, moved.blob) == (change.citation.text, SEEN_ANEW, "ab" * 20)
    for field in ("id", "title", "type", "statement", "status", "stored", "scope", "author", "tags", "recorded_at"):
        assert getattr(after, field) == getattr(expected, field), field
    assert len(after.citations) == len(before.citations)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: type(change).__name__)
def test_an_edit_makes_its_change_and_keeps_every_other_line(change: Change, mark: str, newline: str) -> None:
    text = mark + OKF.replace("\n", newline)
    before = memory_of(text)
    change = fitted(change, before)
    after = changed(text, change)
    assert_made(before, memory_of(after), change)
    assert after.count("\n") == after.count(newline)
    old, new = text.split(newline), after.split(newline)
    gone = [line for line in old if line not in new]
    assert all(
        line.strip().startswith(("status:", "- path:", "symbol:", "fingerprint:", "blob:", "- {path")) for line in gone
    )
    kept = [line for line in old if line in new]
    assert [line for line in new if line in kept and kept.count(line) == new.count(line)] == [
        line for line in kept if kept.count(line) == new.count(line)
    ]


LINES = st.sampled_from(
    [
        "# a comment", "", "   ", "x-unknown: [1, 2]", "x-map: {a: b}", "x-text: |\n  two\n   lines\n", "x-long: a\n  folded value",
        "status: draft", "status:   'draft'", 'status: "draft" # waits', "status:", "tags: []", "tags:\n- a\n- b", "tags: one",
        "verified:", "verified: []", "verified:\n- by: human:x\n  at: 2026-01-01", "verified: [{by: human:x, at: 2026-01-01}]",
        "verified:\n      - by: human:x\n        evidence: |\n          read\n          it\n", "reviews:\n- by: a",
        "supersedes: mem-a", "supersedes: [mem-a, mem-b,]", "supersedes:\n  - mem-a  # first", "superseded_by:", "superseded_by: []",
        "cites:\n- path: a.py\n  symbol: f", "cites: [{path: a.py}]", "cites: ['a.py#f']", "cites: a.py#f", "cites:\n- a.py\n- path: b.py",
        "valid_until: 2027-01-01", "'quoted key': 1", "? odd\n: key", "scope: org", "description: >-\n  folded\n  text", "id: mem-two",
    ]
)  # fmt: skip


@st.composite
def written(draw: st.DrawFn) -> str:
    lines = list(draw(st.lists(LINES, max_size=10, unique_by=lambda line: line.split(":")[0] or line)))
    if not any(line.startswith("id:") for line in lines):
        lines.insert(draw(st.integers(0, len(lines))), "id: mem-one")
    lines.insert(draw(st.integers(0, len(lines))), "type: decision")
    body = draw(st.sampled_from(["", "Text.\n", "\n# H\n\n---\ntext", "no end"]))
    text = "---\n" + "".join(f"{line}\n" for line in lines) + "---\n" + body
    newline, mark = draw(st.sampled_from(["\n", "\r\n"])), draw(st.sampled_from(["", "\ufeff"]))
    return mark + text.replace("\n", newline)


@settings(max_examples=400)
@given(written(), st.sampled_from(CHANGES))
def test_edits_of_odd_records_read_back_as_meant(text: str, change: Change) -> None:
    parsed = okf.parse(PATH, text)
    check_spans(parsed, text)
    (before,) = parsed.memories
    if isinstance(change, Repointed) and change.index >= len(before.citations):
        return
    change = fitted(change, before)
    edits = okf.edit(text, before, change)
    assert not isinstance(edits, Refusal), edits
    after = apply_edits(text, edits)
    (memory,) = okf.parse(PATH, after).memories
    if edits:
        assert_made(before, memory, change)
        newline = "\r\n" if "\r\n" in text else "\n"
        assert after.replace(newline, "").count("\n") == 0
    again = okf.edit(after, memory, change)
    if not isinstance(change, Verified):
        assert again == ()


@given(ANYTHING)
def test_nothing_makes_the_parser_raise(text: str) -> None:
    for document in (text, f"---\n{text}\n---\n", f"---\nid: mem-a\ntype: x\n{text}"):
        check_spans(okf.parse(PATH, document), document)


@given(damaged(OKF), st.sampled_from(CHANGES))
def test_a_damaged_record_is_reported_or_reads_and_never_raises(text: str, change: Change) -> None:
    parsed = okf.parse(PATH, text)
    check_spans(parsed, text)
    assert all(PATH in problem.message for problem in parsed.problems)
    for memory in parsed.memories:
        okf.edit(text, memory, fitted(change, memory))


def test_a_torn_record_keeps_its_name() -> None:
    text = OKF[: OKF.index("verified:")]
    assert "the frontmatter is not closed" in problem_of(text)
    (memory,) = okf.parse(PATH, text).memories
    assert (memory.id, memory.title, memory.status) == ("mem-k3x9q2m7wd", "Charges are idempotent", Status.PENDING)
    assert isinstance(okf.edit(text, memory, Approved(BY, NOW)), Refusal)


def test_conflict_markers_are_one_problem() -> None:
    ours = "<<<<<<< HEAD\nstatus: stable\n=======\nstatus: deprecated\n>>>>>>> other\n"
    text = OKF.replace("status:  draft\n", ours)
    assert "conflict markers" in problem_of(text)
    (memory,) = okf.parse(PATH, text).memories
    assert (memory.id, memory.status) == ("mem-k3x9q2m7wd", Status.PENDING)
    assert isinstance(okf.edit(text, memory, Approved(BY, NOW)), Refusal)


def test_conflict_markers_in_a_fenced_block_are_text() -> None:
    assert memory_of(OKF + "\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> other\n```\n")


def test_no_frontmatter_is_no_memory() -> None:
    assert "no frontmatter" in problem_of("# Notes\n\nhello\n")
    assert okf.parse(PATH, "# Notes\n").memories == ()
    assert "no frontmatter" in problem_of("")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("tags: [pay", "tags: [pay, [", "not valid YAML"),
        ("x-team:   payments", "x-team: 'payments", "not valid YAML"),
        ("x-team:   payments", "x-team: \x00", "a character that YAML does not allow"),
        ("x-team:   payments", "x-team: &a [*a]", "YAML alias"),
        ("x-team:   payments", "x-team: !!python/object:os.system x", "YAML tag"),
        ("x-team:   payments", "x-team: " + "[" * 40 + "]" * 40, "nests deeper"),
        ("x-team:   payments", "title: again", "given twice"),
        ("x-team:   payments", "scope: galaxy", "scope `galaxy` is not known"),
        ("status:  draft", "status: aproved", "status `aproved` is not known"),
        ("status:  draft", "status: [draft]", "`status` is a list"),
        ("type: decision", "type: {a: b}", "`type` is a map"),
        ("tags: [pay,", "tags: [{a: b},", "`tags` holds a map"),
        ("  - path: src/pay.py", "  - file: src/pay.py", "no `path`"),
        ("generated: {by: human:ann, at: 2026-01-02T03:04:05Z}", "generated: ann", "`generated` is not a mapping"),
        ("- by: human:bo", "- just text\n- by: human:bo", "`verified` is not a mapping"),
        ("id: mem-k3x9q2m7wd\n", "", "no `id`"),
        ("type: decision\n", "", "no `type`"),
        ("context:\n", "context: text\nx-rest:\n", "`context` is not a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_remedy_and_costs_nothing_else(old: str, new: str, what: str) -> None:
    assert old in OKF
    text = OKF.replace(old, new, 1)
    messages = [problem.message for problem in okf.parse(PATH, text).problems]
    assert any(what in message for message in messages), messages
    assert all("; " in message and f"({PATH}:" in message for message in messages)
    (memory,) = okf.parse(PATH, text).memories
    if "title: again" not in new:
        assert memory.title == "Charges are idempotent"
    assert len(memory.citations) == 2 or "file:" in new
    assert len(messages) == (2 if what in ("`type` is a map",) else 1)


def test_frontmatter_beyond_the_cap_is_reported() -> None:
    text = OKF.replace("x-team:   payments", f"x-team: {'a' * 300_000}")
    assert "more than 256000" in problem_of(text)


def test_a_record_without_id_is_never_written() -> None:
    text = OKF.replace("id: mem-k3x9q2m7wd\n", "")
    (memory,) = okf.parse(PATH, text).memories
    assert memory.id == PATH
    assert isinstance(okf.edit(text, memory, Approved(BY, NOW)), Refusal)


def test_an_unknown_version_of_a_fingerprint_is_not_a_problem_but_garbage_is() -> None:
    held = OKF[OKF.index('"v1/') : OKF.index("\n", OKF.index('"v1/'))]
    assert memory_of(OKF.replace(held, "v9/python-9 q=1")).citations[0].fingerprint is None
    assert "cannot be read" in problem_of(OKF.replace(held, "nonsense"))


def test_a_verification_counts_once_its_evidence_is_written() -> None:
    memory = memory_of(OKF)
    seen = tuple(replace(citation, fingerprint=SEEN_ANEW) for citation in memory.citations)
    waiting = changed(OKF, Verified(Verification(BY, NOW, placeholder("evidence")), seen))
    still = memory_of(waiting)
    assert still.citations[0].fingerprint == SEEN
    assert still.verifications == memory.verifications
    assert [name for name, _ in still.placeholders] == ["evidence"]
    done = memory_of(waiting.replace(placeholder("evidence"), "I ran it", 1))
    assert done.citations[0].fingerprint == SEEN_ANEW
    assert done.verifications[-1].evidence == "I ran it"
    assert done.placeholders == ()


def test_verifying_what_expired_lets_it_hold_for_as_long_again() -> None:
    text = OKF.replace("x-team:   payments", "stale_after: 2026-03-03")
    memory = memory_of(text)
    assert memory.last_verified_at.startswith("2026-02-03")
    assert (
        memory_of(changed(text, Verified(Verification(BY, NOW, "asked"), memory.citations))).stale_after == "2026-04-01"
    )
    waiting = changed(text, Verified(Verification(BY, NOW, placeholder("evidence")), memory.citations))
    assert memory_of(waiting).stale_after == "2026-03-03"
    later = OKF.replace("x-team:   payments", "stale_after: 2026-12-31")
    assert memory_of(changed(later, Verified(Verification(BY, NOW), memory.citations))).stale_after == "2026-12-31"


def test_facts_of_a_created_record_stand_one_a_line() -> None:
    context = {"stale_when": "the processor changes\nwhen: used a: b in src/**", "rejected_alternatives": "one: a\ntwo"}
    path, text = okf.create(replace(DRAFT, context=context), ".memory", lambda _: False)
    (memory,) = okf.parse(path, text).memories
    assert [predicate for predicate, _ in memory.predicates] == ["used a: b in src/**"]
    assert memory.context == context
    assert '    - "one: a"\n    - "two"\n' in text


def test_an_edit_that_changes_nothing_writes_nothing() -> None:
    approved = changed(OKF, Approved(BY, NOW))
    assert okf.edit(approved, memory_of(approved), Approved("human:other", NOW)) == ()
    memory = memory_of(OKF)
    assert okf.edit(OKF, memory, Repointed(0, memory.citations[0], BY, NOW)) == ()


def test_following_there_and_back_judges_by_what_was_seen_last() -> None:
    memory = memory_of(OKF)
    first = replace(memory.citations[0], fingerprint=SEEN_ANEW)
    text = changed(OKF, Verified(Verification(BY, NOW, "looked"), (first, memory.citations[1])))
    away = replace(first, path="src/b.py", fingerprint=SEEN_ANEW)
    text = changed(text, Repointed(0, away, BY, NOW))
    back = replace(first, fingerprint=SEEN, blob="ee" * 20)
    text = changed(text, Repointed(0, back, BY, NOW))
    assert memory_of(text).citations[0].fingerprint == SEEN


def test_a_retired_memory_holds_no_longer() -> None:
    assert memory_of(changed(OKF, Retired(BY, NOW, "gone"))).valid_until == NOW


DRAFT = Draft(
    id="mem-k3x9q2m7wd",
    title="Charges: are 'idempotent' # really",
    statement="Every attempt has the same key.\n\nTwo paragraphs.",
    type="decision",
    citations=(
        Citation("src/pay.py", "Gateway.charge", fingerprint=SEEN, blob="12" * 20),
        Citation("b.py", lines=(3, 9)),
    ),
    author="human:ann",
    at=NOW,
    status=Status.APPROVED,
    tags=("pay", "yes"),
    context={"why": "because: no"},
    supersedes=("mem-old",),
)


def test_a_created_record_reads_back_as_drafted() -> None:
    path, text = okf.create(DRAFT, ".memory", lambda _: False)
    assert path == ".memory/charges-are-idempotent-really-q2m7wd.md"
    parsed = okf.parse(path, text)
    (memory,) = parsed.memories
    assert parsed.problems == ()
    assert (memory.id, memory.title, memory.status) == (DRAFT.id, DRAFT.title, Status.APPROVED)
    assert memory.statement == "Every attempt has the same key."
    assert [c.text for c in memory.citations] == ["src/pay.py#Gateway.charge", "b.py#L3-L9"]
    assert (memory.citations[0].fingerprint, memory.tags, memory.context) == (SEEN, DRAFT.tags, DRAFT.context)
    assert (memory.author, memory.recorded_at, memory.last_verified_at) == ("human:ann", NOW, NOW)
    assert memory.supersedes == ("mem-old",)


def test_a_created_record_never_takes_a_path_that_is_taken() -> None:
    taken = okf.create(DRAFT, ".memory", lambda _: False)[0]
    assert okf.create(DRAFT, ".memory", lambda path: path == taken)[0] != taken


def test_a_form_is_withheld_until_it_is_filled_in() -> None:
    draft = replace(DRAFT, title=placeholder("title"), statement=placeholder("statement"))
    path, text = okf.create(draft, ".memory", lambda _: False)
    assert "gateway-charge" in path
    (memory,) = okf.parse(path, text).memories
    assert [name for name, _ in memory.placeholders] == ["title", "statement"]
    assert memory.status is Status.PENDING
    filled = text.replace(placeholder("title"), "T").replace(placeholder("statement"), "S")
    (memory,) = okf.parse(path, filled).memories
    assert (memory.placeholders, memory.status, memory.statement) == ((), Status.APPROVED, "S")


@given(st.text(max_size=40), st.text(max_size=40))
def test_any_title_and_reason_survive_being_written(title: str, reason: str) -> None:
    def held(text: str) -> str:
        return "".join("\ufffd" if 0xD800 <= ord(character) <= 0xDFFF else character for character in text).strip()

    path, text = okf.create(replace(DRAFT, title=title), ".memory", lambda _: False)
    (memory,) = okf.parse(path, text).memories
    assert memory.title == held(title)
    if title and not memory.placeholders:
        edits = okf.edit(text, memory, Retired(BY, NOW, reason or "x"))
        assert isinstance(edits, tuple) and all(isinstance(edit, TextEdit) for edit in edits)
        assert okf.parse(path, apply_edits(text, edits)).memories[0].context["reason"] == held(reason or "x")


@pytest.mark.parametrize(
    ("path", "record"), [("a.md", True), ("index.md", False), ("x/log.md", False), ("a.txt", False)]
)
def test_reserved_names_are_no_records(path: str, record: bool) -> None:
    assert okf.recognise(path, "") is record
