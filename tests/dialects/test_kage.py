"""The kage dialect: what it reads, what an edit touches, how a form is finished, and what it says of broken packets."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_lsp.core.judge import judge_memory
from memory_lsp.core.model import Citation, Memory, Refusal, Status, Verdict, Verification, apply_edits
from memory_lsp.core.pairs import PairSources
from memory_lsp.core.placeholders import placeholder
from memory_lsp.dialects import kage
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
from tests.dialects.packets import BODY, LOANS, NEW, OLD, OURS, STATE, packet, sha256, spaced, with_state
from tests.dialects.records import ANYTHING, NOW, SEEN, SEEN_ANEW, check_spans, damaged

PATH = ".agent_memory/packets/house_rule-loans-end-on-an-open-day-0f0f0f0f.md"
BY = "human:joon"
PLAIN = packet()
WITH_OURS = packet(STATE | {"memory_lsp": OURS})
LATER = "5e" * 32


def memory_of(text: str, path: str = PATH) -> Memory:
    parsed = kage.parse(path, text)
    assert parsed.problems == ()
    check_spans(parsed, text)
    (memory,) = parsed.memories
    return memory


def changed(text: str, change: Change, path: str = PATH) -> str:
    edits = kage.edit(text, memory_of(text, path), change)
    assert not isinstance(edits, Refusal), edits
    return apply_edits(text, edits)


def refused(text: str, change: Change) -> str:
    (memory,) = kage.parse(PATH, text).memories
    result = kage.edit(text, memory, change)
    assert isinstance(result, Refusal)
    return result.message


def state_of(text: str) -> dict[str, Any]:
    """The packet as a reader that knows nothing but the format would take it."""
    line = text.split("## Kage state")[-1].split("```json kage-state")[1].split("```")[0].strip()
    assert "\n" not in line and "\r" not in line
    values: dict[str, Any] = json.loads(line)
    return values


def in_form(text: str, old: str, new: str) -> str:
    """The document with something else in its Markdown part."""
    form, heading, state = text.rpartition("## Kage state")
    assert old in form
    return form.replace(old, new) + heading + state


def told(text: str, path: str = PATH) -> str:
    """The problems, one a line: each names the file and the line, and what to do."""
    parsed = kage.parse(path, text)
    check_spans(parsed, text)
    for problem in parsed.problems:
        assert problem.code == "memory-invalid"
        assert re.search(re.escape(path) + r":\d+\); \w", problem.message)
    return "\n".join(problem.message for problem in parsed.problems)


# Reading


def test_every_field_is_read() -> None:
    memory = memory_of(PLAIN)
    assert (memory.id, memory.dialect, memory.path) == ("pk-loans-7", "kage", PATH)
    assert (memory.status, memory.stored, memory.type) == (Status.APPROVED, "approved", "house_rule")
    assert memory.title == "Loans end on an open day"
    assert memory.statement == "Loans never end while the library is closed."
    assert (memory.author, memory.tags, memory.scope) == ("Ines", ("loans", "calendar"), "repo")
    assert memory.context["rejected_alternatives"] == "two extra days\nno due dates"
    assert "closed door" in memory.prose and "`Loan.due`" in memory.prose
    assert memory.verifications == (
        Verification("human:ines", "2025-12-01T10:00:00.000Z", "walked through the calendar", "library/days.py"),
    )
    assert (memory.supersedes, memory.superseded_by) == (("pk-loans-1",), ())
    assert (memory.recorded_at, memory.last_verified_at) == ("2025-11-03T08:00:00.000Z", "2025-12-01T10:00:00.000Z")
    assert memory.ttl_days == 90
    assert [text for text, _ in memory.predicates] == ["used next_open in library/**/*.py"]


def test_what_is_read_is_pointed_at() -> None:
    memory = memory_of(WITH_OURS)
    written = {name: WITH_OURS[span.start : span.end] for name, span in memory.spans.items()}
    assert (written["id"], written["title"]) == ('"pk-loans-7"', '"Loans end on an open day"')
    assert written["ttl_days"] == "90"
    assert written["memory_lsp.citations"].startswith("[{")
    ((predicate, span),) = memory.predicates
    assert WITH_OURS[span.start : span.end] == predicate
    due, days = memory.citations
    assert WITH_OURS[due.spans["symbol"].start : due.spans["symbol"].end] == '"Loan.due"'
    assert WITH_OURS[days.span.start : days.span.end] == "library/days.py"
    assert WITH_OURS[: days.span.start].endswith("\n2. ")


def test_paths_are_cited_with_what_is_recorded_of_them() -> None:
    loans, days = memory_of(PLAIN).citations
    assert (loans.path, loans.symbol, loans.sha256, loans.size) == ("library/loans.py", "", OLD, 115)
    assert loans.anchors == (("loan.due", "method", "3c" * 32),)
    assert loans.names == days.names == ("Loan.due",)
    assert (days.sha256, days.size, days.fingerprint) == (NEW, 40, None)
    without = with_state(lambda state: state["freshness"].pop("path_fingerprints"))
    assert [(c.path, c.sha256) for c in memory_of(packet(without)).citations] == [
        ("library/loans.py", ""),
        ("library/days.py", ""),
    ]


def test_our_symbols_take_the_place_of_their_path() -> None:
    due, days = memory_of(WITH_OURS).citations
    assert (due.text, due.kind, due.fingerprint, due.blob) == ("library/loans.py#Loan.due", "method", SEEN, "4d" * 20)
    assert (due.sha256, due.names, days.text) == (OLD, (), "library/days.py")


def test_what_kage_verified_since_counts_and_not_what_we_saw() -> None:
    state = json.loads(json.dumps(STATE | {"memory_lsp": OURS}))
    state["freshness"]["path_fingerprints"][0] |= {"sha256": sha256(LOANS), "size": len(LOANS)}
    due = memory_of(packet(state)).citations[0]
    assert (due.text, due.fingerprint, due.blob) == ("library/loans.py#Loan.due", None, "")
    assert (due.sha256, due.size) == (sha256(LOANS), len(LOANS))
    memory = memory_of(packet(state))

    def verdict(now: bytes, then: bytes | None = LOANS) -> Verdict:
        before = {"library/loans.py": then} if then is not None else {}
        return judge_memory(memory, PairSources(before, {"library/loans.py": now}))[0].verdict

    assert verdict(LOANS, None) is Verdict.FRESH
    assert verdict(LOANS.replace(b"20", b"25")) is Verdict.FRESH
    assert verdict(LOANS.replace(b"21", b"28")) is Verdict.CHANGED
    assert verdict(LOANS.replace(b"21", b"28"), None) is Verdict.CHANGED
    assert verdict(LOANS.replace(b"def due", b"def end")) is Verdict.MISSING


@pytest.mark.parametrize("gone", [["memory_lsp"], ["paths", "freshness"]])
def test_a_path_that_kage_took_away_is_not_cited(gone: list[str]) -> None:
    def take_away(state: dict[str, Any]) -> None:
        state["paths"] = ["library/days.py"]
        del state["freshness"]["path_fingerprints"][0]
        if gone != ["memory_lsp"]:
            state["memory_lsp"] = OURS

    text = packet(with_state(take_away))
    assert [citation.text for citation in memory_of(text).citations] == ["library/days.py"]


def test_a_legacy_file_holds_the_packet_itself() -> None:
    text = json.dumps(STATE | {"memory_lsp": OURS}, indent=2) + "\n"
    path = ".agent_memory/packets/loans.json"
    memory = memory_of(text, path)
    assert (memory.id, memory.citations[0].fingerprint) == ("pk-loans-7", SEEN)
    after = changed(text, Retired(BY, NOW, "the library moved"), path)
    assert memory_of(after, path).context["reason"] == "the library moved"
    new = [line.split(":")[0].strip() for line in after.splitlines() if line not in text.splitlines()]
    assert new == ['"status"', '"updated_at"', "],", '"reviews"']
    assert json.loads(after)["status"] == "deprecated"


@pytest.mark.parametrize(
    ("path", "packet"),
    [
        ("a.md", True),
        ("b.json", True),
        ("index.md", False),
        ("x/log.md", False),
        ("a.txt", False),
        ("a.md.orig", False),
    ],
)
def test_which_files_are_packets(path: str, packet: bool) -> None:
    assert kage.recognise(path, "") is packet


def test_a_fence_that_a_body_quotes_does_not_replace_the_packet() -> None:
    quoted = '## Kage state\n\n```json kage-state\n{"id": "pk-loans-7", "title": "quoted"}\n```'
    state = STATE | {"body": f"{BODY}\n\n{quoted}\n\nis how it looks."}
    assert memory_of(packet(state)).title == STATE["title"]
    other = PLAIN + '\n```json kage-state\n{"id": "another"}\n```\n'
    assert "the state is of `another`, the frontmatter of `pk-loans-7`" in told(other)
    (memory,) = kage.parse(PATH, other).memories
    assert (memory.id, memory.status) == ("pk-loans-7", Status.PENDING)


# Layouts


@pytest.mark.parametrize(
    "layout",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace(BODY, "\n".join(f"> {line}" for line in BODY.splitlines())),
        lambda text: text.replace(BODY, BODY.replace("on the next", "on\nthe   next")),
        lambda text: text.replace("## In full\n", "## In full\n\n### Details\n\nA sentence of its own.\n"),
        lambda text: text.replace("## In full", "Body:"),
        lambda text: text.replace("# Citations\n", "## Why\n\nReaders stood there.\n\n# Citations\n"),
        lambda text: text.replace("# Citations\n\n1. library/loans.py\n2. library/days.py\n\n", ""),
        lambda text: text.replace('title: "Loans end on an open day"\n', ""),
        lambda text: text.replace('title: "Loans end on an open day"', "title: Loans end on an open day"),
        lambda text: text.replace('tags: ["loans", "calendar"]', "tags:\n  - loans"),
    ],
)
def test_a_layout_that_adds_to_the_state_agrees_with_it(layout: Callable[[str], str]) -> None:
    text = layout(PLAIN)
    assert text != PLAIN
    memory_of(text)


@pytest.mark.parametrize(
    ("old", "new", "field"),
    [
        ('title: "Loans end on an open day"', 'title: "Loans end on a Monday"', "title"),
        ('x-kage-type: "house_rule"', 'x-kage-type: "decision"', "type"),
        ('x-kage-status: "approved"', 'x-kage-status: "pending"', "status"),
        ('tags: ["loans", "calendar"]', 'tags: ["loans"]', "tags"),
        ('x-kage-paths: ["library/loans.py", "library/days.py"]', 'x-kage-paths: ["library/loans.py"]', "paths"),
        (BODY, BODY.replace("Sunday", "Monday"), "body"),
    ],
)
def test_what_the_form_says_differently_is_told_and_does_not_count(old: str, new: str, field: str) -> None:
    text = PLAIN.replace(old, new, 1)
    parsed = kage.parse(PATH, text)
    (problem,) = parsed.problems
    assert (problem.code, problem.field) == ("memory-invalid", field)
    assert replace(parsed.memories[0], spans={}, citations=(), span=memory_of(PLAIN).span, predicates=()) == replace(
        memory_of(PLAIN), spans={}, citations=(), predicates=()
    )
    assert PATH in refused(text, Approved(BY, NOW))
    ended = kage.edit(text, parsed.memories[0], Retired(BY, NOW, "moved"))
    assert isinstance(ended, tuple) and ended


# Broken packets


def without(name: str) -> str:
    return packet({key: value for key, value in STATE.items() if key != name}, **{"x-kage-id": "pk-loans-7"})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PLAIN[: PLAIN.index("## Kage state")], "its state is missing"),
        (PLAIN[: PLAIN.index("```json")], "its state is missing"),
        (PLAIN[: PLAIN.index('"source_refs"')], "cannot be read"),
        (PLAIN[: PLAIN.rindex("```")], "is not closed"),
        (PLAIN.replace("## Kage state\n", ""), "no heading `## Kage state`"),
        (PLAIN.replace("}\n```", "}}\n```"), "something stands behind"),
        (packet(line=""), "it is no JSON object"),
        (packet(line="[1]"), "it is no JSON object"),
        (packet(line='{"id": NaN}'), "cannot be read"),
        (packet(line='{"a":' * 50_000), "cannot be read"),
        (packet(line='{"a":"' + "x" * 1_000_001 + '"}'), "more than 1000000"),
        (PLAIN.replace("---\n", "", 1), "frontmatter is missing"),
        (PLAIN.replace('x-kage-id: "pk-loans-7"\n', ""), "no `x-kage-id`"),
        (PLAIN.replace('x-kage-id: "pk-loans-7"', 'x-kage-id: "pk-loans-8"'), "the frontmatter of `pk-loans-8`"),
        (PLAIN.replace('title: "Loans', 'title: "a"\ntitle: "Loans', 1), "`title` is given twice"),
        (packet(line=spaced(STATE).replace('"id"', '"title": "a", "id"')), "`title` is given twice"),
        (
            packet(line=spaced(STATE).replace('"ttl_days"', '"ttl_days": 1, "ttl_days"')),
            "`freshness.ttl_days` is given",
        ),
        ("<<<<<<< ours\n" + PLAIN + ">>>>>>> theirs\n", "conflict markers"),
        (packet(STATE | {"schema_version": 3}), "`schema_version` is 3, not 2"),
        (packet(STATE | {"status": "fine"}), "the status `fine` is not known"),
        (packet(STATE | {"paths": [1]}), "`paths` holds something that is no text"),
        (packet(STATE | {"edges": ["a"]}), "`edges` holds something that is no object"),
        (packet(STATE | {"freshness": []}), "`freshness` is not an object"),
        (packet(STATE | {"freshness": {"path_fingerprints": [{"sha256": OLD}]}}), "has no `path`"),
        (packet(STATE | {"freshness": {"path_fingerprints": 1}}), "is not a list"),
        (packet(STATE | {"freshness": {"ttl_days": "soon"}}), "no number of days"),
        (packet(STATE | {"memory_lsp": []}), "`memory_lsp` is not an object"),
        (packet(STATE | {"context": "because"}), "`context` is not an object"),
        (packet(STATE | {"id": " "}), "`id` is empty"),
        (without("id"), "the state is of ``"),
        *(
            (without(name), f"the packet has no `{name}`")
            for name in STATE
            if name not in ("id", "author_name", "context")
        ),
        *(
            (packet(STATE | {name: 7}, **{"x-kage-id": "pk-loans-7"}), f"`{name}` is not text")
            for name in ("title", "summary", "body", "type", "scope", "created_at", "updated_at")
        ),
    ],
)
def test_a_broken_packet_is_told_and_withheld(text: str, says: str) -> None:
    message = told(text)
    assert says in message
    (memory,) = kage.parse(PATH, text).memories
    assert memory.status is Status.PENDING
    assert refused(text, Verified(Verification(BY, NOW, "looked"), memory.citations)).startswith("not written: ")
    assert isinstance(kage.finish(text, memory, by=BY, at=NOW), Refusal)


def test_a_torn_packet_is_known_by_its_frontmatter() -> None:
    (memory,) = kage.parse(PATH, PLAIN[: PLAIN.index('"source_refs"')]).memories
    assert (memory.id, memory.title, memory.stored) == ("pk-loans-7", "Loans end on an open day", "approved")
    assert [citation.text for citation in memory.citations] == ["library/loans.py", "library/days.py"]


def test_the_line_of_a_problem_is_where_it_is() -> None:
    text = packet(STATE | {"status": "fine"})
    assert f"{PATH}:{text[: text.index('{')].count(chr(10)) + 1})" in told(text)


def test_a_fingerprint_that_is_none_is_told_and_can_be_renewed() -> None:
    ours = json.loads(json.dumps(OURS).replace(json.dumps(OURS["citations"][0]["fingerprint"]), '"lost"'))
    text = packet(STATE | {"memory_lsp": ours})
    assert "the fingerprint of library/loans.py#Loan.due cannot be read" in told(text)
    (memory,) = kage.parse(PATH, text).memories
    assert memory.status is Status.APPROVED
    edits = kage.edit(text, memory, verified(memory))
    assert isinstance(edits, tuple)
    assert memory_of(apply_edits(text, edits)).citations[0].fingerprint == SEEN_ANEW


# Edits


def verified(memory: Memory, evidence: str = "counted the days again") -> Verified:
    """All citations as they are once ``library/loans.py`` has changed."""
    seen = tuple(
        replace(citation, fingerprint=SEEN_ANEW, blob="6f" * 20, sha256=LATER, size=116)
        if citation.path == "library/loans.py"
        else citation
        for citation in memory.citations
    )
    return Verified(Verification(BY, NOW, evidence), seen)


CHANGES: list[Change] = [
    verified(memory_of(WITH_OURS)),
    verified(memory_of(WITH_OURS), placeholder("evidence")),
    Rejected(BY, NOW, "no"),
    Retired(BY, NOW, placeholder("reason")),
    Superseded("pk-loans-9", BY, NOW, "shorter loans"),
    Supersedes("pk-loans-3", BY, NOW),
    Repointed(0, Citation("library/loans.py", "Loan.ends", fingerprint=SEEN_ANEW, sha256=LATER, size=116), BY, NOW),
    Repointed(1, Citation("library/calendar.py", sha256=LATER, size=9), BY, NOW),
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_an_edit_touches_nothing_but_what_it_changes(change: Change, newline: str, mark: str) -> None:
    text = mark + WITH_OURS.replace("\n", newline)
    after = changed(text, change)
    assert after.startswith(mark + "---" + newline)
    assert ("\n" in after) == ("\n" in newline) and after.count("\r") == (
        after.count(newline) if "\r" in newline else 0
    )
    for kept in (
        "7.50e-1",
        '"x_unknown" : {"a":1.0, "b":[ ]}',
        '"note" :  "kept"' if not isinstance(change, Repointed) else "",
    ):
        assert kept in after
    old, new = text.split(newline), after.split(newline)
    state = next(line for line in new if line.startswith("{"))
    values = json.loads(state)
    assert values["updated_at"] == NOW
    assert f'timestamp: "{NOW}"' in new
    memory = memory_of(after)
    assert (memory.id, f'x-kage-status: "{values["status"]}"' in new) == ("pk-loans-7", True)
    different = [line for line in new if line not in old and not line.startswith(("{", "timestamp:", "x-kage-status:"))]
    assert len(different) <= (2 if isinstance(change, Repointed) else 1)


def test_approving_and_what_changes_nothing() -> None:
    pending = packet(STATE | {"status": "pending"})
    after = changed(pending, Approved(BY, NOW))
    assert memory_of(after).status is Status.APPROVED
    assert state_of(after)["memory_lsp"]["reviews"] == [{"by": BY, "at": NOW, "decision": "approved"}]
    assert changed(after, Approved(BY, NOW)) == after
    assert changed(PLAIN, Supersedes("pk-loans-1", BY, NOW)) == PLAIN
    gone = changed(PLAIN, Retired(BY, NOW, "moved"))
    assert changed(gone, Rejected(BY, NOW, "again")) == gone
    memory = memory_of(WITH_OURS)
    assert changed(WITH_OURS, Repointed(0, memory.citations[0], BY, NOW)) == WITH_OURS


def test_a_verification_is_recorded_as_kage_records_it() -> None:
    after = changed(WITH_OURS, verified(memory_of(WITH_OURS)))
    values = state_of(after)
    assert values["source_refs"][-1] == {
        "kind": "reverification",
        "at": NOW,
        "verified_by": BY,
        "evidence": "counted the days again",
        "changed_paths": [{"path": "library/loans.py", "prior_sha256": OLD, "sha256": LATER}],
    }
    assert values["freshness"]["last_verified_at"] == NOW
    loans, days = values["freshness"]["path_fingerprints"]
    assert loans == {"path": "library/loans.py", "sha256": LATER, "size": 116, "symbols": []}
    assert days == STATE["freshness"]["path_fingerprints"][1]
    memory = memory_of(after)
    assert (memory.citations[0].fingerprint, memory.citations[0].blob) == (SEEN_ANEW, "6f" * 20)
    assert memory.verifications[-1] == Verification(BY, NOW, "counted the days again", "library/loans.py")
    assert memory.last_verified_at == NOW
    assert set(STATE) <= values.keys()


def test_times_have_milliseconds_and_say_that_they_are_utc() -> None:
    after = changed(PLAIN, Superseded("pk-9", BY, "2026-03-04T07:06:07+02:00"))
    values = state_of(after)
    assert values["freshness"]["superseded_at"] == values["updated_at"] == "2026-03-04T05:06:07.000Z"
    assert values["edges"][-1]["created_at"] == "2026-03-04T05:06:07.000Z"


def test_superseding_links_both_ways() -> None:
    old = changed(PLAIN, Superseded("pk-loans-9", BY, NOW, "shorter loans"))
    values = state_of(old)
    assert values["edges"][-1] == {
        "relation": "superseded_by", "to": "pk-loans-9", "evidence": "shorter loans", "created_at": NOW
    }  # fmt: skip
    assert values["freshness"] | {"superseded_at": NOW, "superseded_by": "pk-loans-9"} == values["freshness"]
    memory = memory_of(old)
    assert (memory.status, memory.superseded_by) == (Status.SUPERSEDED, ("pk-loans-9",))
    assert (memory.context["reason"], memory.valid_until) == ("shorter loans", NOW)
    new = changed(PLAIN, Supersedes("pk-loans-3", BY, NOW, "wider"))
    assert state_of(new)["edges"][-1]["relation"] == "supersedes"
    assert memory_of(new).supersedes == ("pk-loans-1", "pk-loans-3")


def test_a_symbol_that_is_pointed_elsewhere_in_its_file() -> None:
    new = Citation("library/loans.py", "Loan.ends", fingerprint=SEEN_ANEW, blob="6f" * 20, sha256=LATER, size=116)
    after = changed(WITH_OURS, Repointed(0, new, BY, NOW))
    memory = memory_of(after)
    assert (memory.citations[0].text, memory.citations[0].fingerprint) == ("library/loans.py#Loan.ends", SEEN_ANEW)
    # What the packet records of the file speaks for all that it cites there: it stays until somebody verifies it.
    assert state_of(after)["freshness"] == STATE["freshness"]
    assert state_of(after)["memory_lsp"]["citations"][0]["note"] == "kept"


def test_a_citation_is_narrowed_to_some_lines_and_widened_again() -> None:
    memory = memory_of(WITH_OURS)
    narrow = replace(memory.citations[0], excerpt="return next_open(day + 21)", fingerprint=SEEN_ANEW)
    for change in (
        Repointed(0, narrow, BY, NOW),
        Verified(Verification(BY, NOW, "read it"), (narrow, memory.citations[1])),
    ):
        text = changed(WITH_OURS, change)
        assert (memory_of(text).citations[0].excerpt, memory_of(text).citations[0].fingerprint) == (
            narrow.excerpt,
            SEEN_ANEW,
        )
        assert memory_of(changed(text, Repointed(0, memory.citations[0], BY, NOW))).citations[0].excerpt == ""


def test_a_file_that_is_renamed_takes_its_record_along() -> None:
    old = memory_of(PLAIN).citations[0]
    after = changed(PLAIN, Repointed(0, replace(old, path="desk/loans.py"), BY, NOW))
    values = state_of(after)
    assert values["paths"] == ["desk/loans.py", "library/days.py"]
    assert values["freshness"]["path_fingerprints"][0] == STATE["freshness"]["path_fingerprints"][0] | {
        "path": "desk/loans.py"
    }
    assert "1. desk/loans.py\n" in after and 'resource: "desk/loans.py"' in after
    assert [citation.text for citation in memory_of(after).citations] == ["desk/loans.py", "library/days.py"]


def test_several_citations_are_pointed_elsewhere_one_after_the_other() -> None:
    memory = memory_of(WITH_OURS)
    text = changed(WITH_OURS, Repointed(0, replace(memory.citations[0], path="library/days.py"), BY, NOW))
    edits = kage.edit(text, memory, Repointed(1, Citation("library/days.py", "is_open", sha256=NEW), BY, NOW))
    assert isinstance(edits, tuple)
    after = memory_of(apply_edits(text, edits))
    assert sorted(citation.text for citation in after.citations) == [
        "library/days.py#Loan.due",
        "library/days.py#is_open",
    ]
    assert state_of(apply_edits(text, edits))["paths"] == ["library/days.py"]
    assert "citation 9" in refused(WITH_OURS, Repointed(8, memory.citations[0], BY, NOW))


def test_a_path_that_stays_cited_beside_its_symbol() -> None:
    text = changed(WITH_OURS, Repointed(1, Citation("library/loans.py"), BY, NOW))
    assert [citation.text for citation in memory_of(text).citations] == [
        "library/loans.py#Loan.due",
        "library/loans.py",
    ]


def test_another_memory_is_not_written_over() -> None:
    memory = replace(memory_of(PLAIN), id="pk-2")
    result = kage.edit(PLAIN, memory, Approved(BY, NOW))
    assert isinstance(result, Refusal) and "does not hold this id" in result.message
    assert isinstance(kage.finish(PLAIN, memory, by=BY, at=NOW), Refusal)


def test_a_number_that_json_cannot_hold_is_left_alone_or_refused() -> None:
    beside = packet(line=spaced(STATE).replace('"votes"', '"huge": 1e999, "votes"'))
    assert "1e999" in changed(beside, Retired(BY, NOW, "moved"))
    inside = packet(line=spaced(STATE).replace('"size" :  115', '"size" :  115, "x": 1e999'))
    moved = Repointed(1, Citation("library/loans.py"), BY, NOW)
    assert "cannot be written" in refused(inside, moved)


# Forms


def test_evidence_is_asked_for_above_the_state_and_counts_once_it_is_finished() -> None:
    text = changed(WITH_OURS, verified(memory_of(WITH_OURS), placeholder("evidence")))
    assert f"\nevidence: {placeholder('evidence')}\n\n```json kage-state\n" in text
    memory = memory_of(text)
    assert [name for name, _ in memory.placeholders] == ["evidence"]
    assert (memory.citations[0].fingerprint, len(memory.verifications)) == (SEEN, 1)
    assert isinstance(kage.finish(text, memory, by=BY, at=NOW), Refusal)
    written = text.replace(placeholder("evidence"), "counted on two calendars")
    (waiting,) = kage.parse(PATH, written).memories
    assert (waiting.placeholders, waiting.citations[0].fingerprint) == ((), SEEN)
    (problem,) = kage.parse(PATH, written).problems
    assert (problem.code, problem.field) == ("memory-draft", "evidence")
    assert "is filled in" in refused(written, Approved(BY, NOW))
    edits = kage.finish(written, waiting, by="human:kim", at="2026-03-05T00:00:00Z")
    assert isinstance(edits, tuple)
    after = apply_edits(written, edits)
    done = memory_of(after)
    assert done.verifications[-1] == Verification("human:kim", NOW, "counted on two calendars", "library/loans.py")
    assert done.citations[0].fingerprint == SEEN_ANEW
    assert "evidence:" not in after and "pending" not in state_of(after)["memory_lsp"]
    assert kage.finish(after, done, by=BY, at=NOW) == ()
    assert [line for line in after.splitlines() if not line.startswith(("{", "timestamp"))] == [
        line for line in WITH_OURS.splitlines() if not line.startswith(("{", "timestamp"))
    ]


def test_a_verification_whose_line_is_taken_away_is_given_up() -> None:
    text = changed(WITH_OURS, verified(memory_of(WITH_OURS), placeholder("evidence")))
    bare = text.replace(f"evidence: {placeholder('evidence')}\n\n", "")
    edits = kage.finish(bare, memory_of(bare), by=BY, at=NOW)
    assert isinstance(edits, tuple)
    after = apply_edits(bare, edits)
    assert memory_of(after).citations[0].fingerprint == SEEN
    assert "pending" not in state_of(after)["memory_lsp"]


@pytest.mark.parametrize(
    "change", [verified(memory_of(WITH_OURS)), Retired(BY, NOW, "moved"), Superseded("p", BY, NOW)]
)
def test_what_waits_for_evidence_gives_way(change: Change) -> None:
    text = changed(WITH_OURS, verified(memory_of(WITH_OURS), placeholder("evidence")))
    after = changed(text, change)
    assert "evidence:" not in after and memory_of(after).placeholders == ()


def test_a_reason_is_asked_for_above_the_state() -> None:
    text = changed(PLAIN, Retired(BY, NOW, placeholder("reason")))
    memory = memory_of(text)
    assert ([name for name, _ in memory.placeholders], memory.status) == (["reason"], Status.APPROVED)
    assert (memory.decision, memory.valid_until) == ("retired", "")
    written = text.replace(f"reason: {placeholder('reason')}", "reason: the library closed")
    edits = kage.finish(written, memory, by=BY, at=NOW)
    assert isinstance(edits, tuple)
    assert kage.parse(PATH, written).memories[0].status is Status.APPROVED, "the form is not finished"
    done = memory_of(apply_edits(written, edits))
    assert (done.context["reason"], done.placeholders) == ("the library closed", ())
    assert (done.status, done.valid_until) == (Status.DEPRECATED, NOW)


@pytest.mark.parametrize("change", [Retired, Rejected])
@pytest.mark.parametrize("legacy", [False, True])
def test_a_pending_packet_stays_pending_until_the_reason_is_there(change: type[Change], legacy: bool) -> None:
    path = ".agent_memory/packets/loans.json" if legacy else PATH
    state = STATE | {"status": "pending"}
    text = json.dumps(state, indent=1) if legacy else packet(state)
    after = changed(text, change(BY, NOW, placeholder("reason")), path)
    memory = memory_of(after, path)
    assert ([name for name, _ in memory.placeholders], memory.status) == (["reason"], Status.PENDING)
    if legacy:
        assert memory_of(after.replace(placeholder("reason"), "gone"), path).status is Status.DEPRECATED


def test_a_legacy_file_asks_in_its_own_lines() -> None:
    path = ".agent_memory/packets/loans.json"
    text = json.dumps(STATE | {"memory_lsp": OURS}, indent=1)
    asked = changed(text, verified(memory_of(text, path), placeholder("evidence")), path)
    assert [name for name, _ in memory_of(asked, path).placeholders] == ["evidence"]
    written = asked.replace(placeholder("evidence"), "counted")
    edits = kage.finish(written, memory_of(written, path), by=BY, at=NOW)
    assert isinstance(edits, tuple)
    done = memory_of(apply_edits(written, edits), path)
    assert (done.verifications[-1].evidence, done.citations[0].fingerprint) == ("counted", SEEN_ANEW)


DRAFT = Draft(
    id="mem-parcelshop",
    title='Parcels are weighed bare: "no box" # ever',
    statement="`Shop.weigh` counts the items alone.\n\nThe carrier adds the box.",
    type="House rule",
    citations=(
        Citation("shop/parcel.py", "Shop.weigh", kind="method", fingerprint=SEEN, blob="12" * 20, sha256=OLD, size=7),
        Citation("shop/parcel.py", lines=(3, 9), blob="12" * 20, sha256=OLD, size=7),
        Citation("shop/parcel.py", sha256=OLD, size=7),
        Citation("shop/box.py", sha256=NEW, size=8),
    ),
    author="human:ann",
    at=NOW,
    status=Status.APPROVED,
    tags=("post", "weight"),
    context={"why": "because: no", "stale_when": "when: absent shop/box.py"},
    supersedes=("mem-old",),
)


def made(draft: Draft = DRAFT) -> tuple[str, str]:
    return kage.create(draft, ".agent_memory/packets", lambda _: False)


def test_a_created_packet_reads_back_as_drafted() -> None:
    path, text = made()
    digest = hashlib.sha256(DRAFT.id.encode()).hexdigest()[:8]
    assert path == f".agent_memory/packets/house-rule-parcels-are-weighed-bare-no-box-ever-{digest}.md"
    memory = memory_of(text, path)
    assert (memory.id, memory.title, memory.type, memory.status) == (DRAFT.id, DRAFT.title, DRAFT.type, Status.APPROVED)
    assert memory.statement == "`Shop.weigh` counts the items alone."
    assert [citation.text for citation in memory.citations] == [
        "shop/parcel.py#Shop.weigh", "shop/parcel.py#L3-L9", "shop/parcel.py", "shop/box.py"
    ]  # fmt: skip
    assert memory.citations[0].fingerprint == SEEN
    assert (memory.citations[2].names, memory.citations[3].sha256) == (("Shop.weigh",), NEW)
    assert (memory.author, memory.recorded_at, memory.last_verified_at) == ("human:ann", NOW, NOW)
    assert (memory.tags, memory.supersedes, memory.verifications) == (DRAFT.tags, ("mem-old",), ())
    assert memory.predicates[0][0] == "absent shop/box.py"
    symbol = memory.citations[0].spans["symbol"]
    assert text[: symbol.end].endswith("- shop/parcel.py#Shop.weigh")


def test_a_created_packet_has_all_that_kage_requires() -> None:
    values = state_of(made()[1])
    required = set(STATE) - {"context", "author_name"}
    assert required <= values.keys()
    assert values["schema_version"] == 2
    front = dict(re.findall(r"^([\w-]+): (.*)$", made()[1].split("---\n")[1], re.MULTILINE))
    assert json.loads(front["x-kage-id"]) == values["id"]
    assert json.loads(front["x-kage-paths"]) == values["paths"] == ["shop/parcel.py", "shop/box.py"]
    assert [item["path"] for item in values["freshness"]["path_fingerprints"]] == values["paths"]
    assert json.loads(front["title"]) == values["title"]


def test_a_slug_that_two_titles_share_does_not_overwrite() -> None:
    first, second = made()[0], made(replace(DRAFT, id="mem-other", title=DRAFT.title.upper()))[0]
    assert first != second and first.rpartition("-")[0] == second.rpartition("-")[0]
    assert kage.create(DRAFT, ".agent_memory/packets", lambda path: path == first)[0] != first
    long = made(replace(DRAFT, title="parcel " * 40, type="../../x"))[0]
    assert re.fullmatch(r"\.agent_memory/packets/x-[a-z-]{1,80}-[0-9a-f]{8}\.md", long)


def test_evidence_of_a_capture() -> None:
    _, text = made(replace(DRAFT, evidence="weighed three"))
    assert memory_of(text).verifications == (Verification("human:ann", NOW, "weighed three"),)
    _, text = made(replace(DRAFT, evidence=placeholder("evidence")))
    assert [name for name, _ in memory_of(text).placeholders] == ["evidence"]
    written = text.replace(placeholder("evidence"), "weighed one")
    edits = kage.finish(written, memory_of(text), by=BY, at=NOW)
    assert isinstance(edits, tuple)
    assert memory_of(apply_edits(written, edits)).verifications == (Verification(BY, NOW, "weighed one"),)


def test_a_form_is_withheld_until_it_is_filled_in_and_finished() -> None:
    path, text = made(replace(DRAFT, title=placeholder("title"), statement=placeholder("statement")))
    assert "house-rule-shop-weigh-" in path
    memory = memory_of(text, path)
    assert ([name for name, _ in memory.placeholders], memory.status) == (["title", "statement"], Status.PENDING)
    refusal = kage.finish(text, memory, by=BY, at=NOW)
    assert isinstance(refusal, Refusal) and "title is still to be filled in" in refusal.message

    def fill(name: str, new: str, text: str) -> str:
        return text.replace(placeholder(name), new, 1)

    half = fill("title", 'Bare \\"weight\\"', text)
    assert memory_of(half, path).status is Status.PENDING
    filled = fill("statement", "Only the items count.\n\nSee `Shop.weigh`.", half)
    (memory,) = kage.parse(path, filled).memories
    assert (memory.placeholders, memory.status) == ((), Status.PENDING)
    assert {problem.code for problem in kage.parse(path, filled).problems} == {"memory-draft"}
    edits = kage.finish(filled, memory, by=BY, at=NOW)
    assert isinstance(edits, tuple)
    done = apply_edits(filled, edits)
    memory = memory_of(done, path)
    assert (memory.title, memory.statement, memory.status) == (
        'Bare "weight"',
        "Only the items count.",
        Status.APPROVED,
    )
    assert state_of(done)["body"] == "Only the items count.\n\nSee `Shop.weigh`."
    assert 'description: "Only the items count."' in done
    assert kage.finish(done, memory, by=BY, at=NOW) == ()


def test_in_our_layout_the_text_and_the_frontmatter_are_taken_over() -> None:
    path, text = made()
    edited = in_form(text, "adds the box.", "adds the box itself.\n\n# Citations\n\nare below.")
    edited = in_form(edited, 'tags: ["post","weight"]', 'tags: ["post"]')
    edited = in_form(edited, 'x-kage-type: "House rule"', 'x-kage-type: "Fact"')
    (memory,) = kage.parse(path, edited).memories
    assert memory.tags == DRAFT.tags
    edits = kage.finish(edited, memory, by=BY, at=NOW)
    assert isinstance(edits, tuple)
    done = apply_edits(edited, edits)
    assert state_of(done)["body"].endswith("itself.\n\n# Citations\n\nare below.")
    assert (memory_of(done).tags, memory_of(done).type) == (("post",), "Fact")
    assert done.startswith('---\ntype: "Fact"\ntitle')
    emptied = in_form(text, DRAFT.statement, "")
    refusal = kage.finish(emptied, memory, by=BY, at=NOW)
    assert isinstance(refusal, Refusal) and "is empty" in refusal.message


def test_in_another_layout_only_what_can_be_located_is_taken_over() -> None:
    titled = PLAIN.replace('title: "Loans end on an open day"', "title: 'Loans end on a day that''s open'")
    edits = kage.finish(titled, memory_of(PLAIN), by=BY, at=NOW)
    assert isinstance(edits, tuple)
    assert state_of(apply_edits(titled, edits))["title"] == "Loans end on a day that's open"
    edited = in_form(PLAIN, "ends on the next", "ends on the second")
    refusal = kage.finish(edited, memory_of(PLAIN), by=BY, at=NOW)
    assert isinstance(refusal, Refusal) and "set it back, or change the packet with Kage" in refusal.message
    for line in ('title: "Loans" end"', 'title: ""', 'x-kage-status: "pending"'):
        key = line.partition(":")[0]
        wrong = re.sub(f"^{key}: .*$", line, PLAIN, count=1, flags=re.MULTILINE)
        assert isinstance(kage.finish(wrong, memory_of(PLAIN), by=BY, at=NOW), Refusal)
    assert kage.finish(PLAIN, memory_of(PLAIN), by=BY, at=NOW) == ()


def test_a_placeholder_that_text_only_quotes_holds_nothing_up() -> None:
    _, text = made(replace(DRAFT, statement=f"A form reads:\n\n```\n{placeholder('statement')}\n```"))
    assert memory_of(text).placeholders == ()
    assert memory_of(text).status is Status.APPROVED


# Anything


@given(ANYTHING, st.sampled_from(["a.md", "a.json"]))
def test_anything_can_be_parsed(text: str, path: str) -> None:
    parsed = kage.parse(path, text)
    check_spans(parsed, text)
    assert len(parsed.memories) == 1 and parsed.memories[0].status is Status.PENDING


@settings(max_examples=300)
@given(st.one_of(damaged(PLAIN), damaged(WITH_OURS), damaged(made()[1])), st.sampled_from(CHANGES))
def test_a_damaged_packet_never_raises(text: str, change: Change) -> None:
    parsed = kage.parse(PATH, text)
    check_spans(parsed, text)
    (memory,) = parsed.memories
    edits = kage.edit(text, memory, change)
    if not isinstance(edits, Refusal):
        kage.parse(PATH, apply_edits(text, edits))
    finished = kage.finish(text, memory, by=BY, at=NOW)
    if not isinstance(finished, Refusal):
        assert kage.finish(apply_edits(text, finished), memory, by=BY, at=NOW) == ()


LEAVES = st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.text(max_size=8)
LISTS = st.lists(LEAVES, max_size=3)
VALUES = LEAVES | LISTS | st.dictionaries(st.text(max_size=5), LEAVES | LISTS, max_size=3)
UNKNOWN = st.dictionaries(st.text(min_size=1, max_size=6).map(lambda name: f"x_{name}"), VALUES, max_size=3)


@settings(max_examples=60)
@given(
    UNKNOWN,
    st.sampled_from([", ", ",", " ,\t"]),
    st.sampled_from([":", ": ", " :  "]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\ufeff"]),
    st.booleans(),
    st.sampled_from(CHANGES),
)
def test_what_is_not_known_stays_as_it_is_written(
    unknown: dict[str, Any], comma: str, colon: str, newline: str, mark: str, escaped: bool, change: Change
) -> None:
    values = unknown | STATE | {"memory_lsp": OURS}
    line = json.dumps(values, ensure_ascii=escaped, separators=(comma, colon))
    text = mark + packet(values, line).replace("\n", newline)
    after = changed(text, change)
    for name, value in unknown.items():
        written = json.dumps({name: value}, ensure_ascii=escaped, separators=(comma, colon))[1:-1]
        assert written in after
    assert state_of(after.replace("\r\n", "\n")) | unknown == state_of(after.replace("\r\n", "\n"))
    assert after.count("\r\n") == (after.count("\n") if newline == "\r\n" else 0)
    again = kage.edit(text, memory_of(text), Approved(BY, NOW))
    assert again == () and kage.finish(text, memory_of(text), by=BY, at=NOW) == ()


@given(st.text(max_size=60), st.text(max_size=200), st.text(min_size=1, max_size=30))
def test_any_draft_reads_back(title: str, statement: str, reason: str) -> None:
    def held(text: str) -> str:
        return "".join("\ufffd" if 0xD800 <= ord(character) <= 0xDFFF else character for character in text)

    path, text = made(replace(DRAFT, title=title, statement=statement))
    parsed = kage.parse(path, text)
    (memory,) = parsed.memories
    assert parsed.problems == ()
    assert memory.title == " ".join(held(title).split())
    assert state_of(text)["body"].split() == held(statement).split()
    edits = kage.edit(text, memory, Retired(BY, NOW, reason))
    assert isinstance(edits, tuple)
    assert kage.parse(path, apply_edits(text, edits)).memories[0].context.get("reason", "") == reason.strip()
