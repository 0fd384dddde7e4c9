from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lsp.core.model import apply_edits
from memory_lsp.dialects.json_text import JsonFault, append_items, compact, items, members, set_members

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=5), VALUES, max_size=5)
INDENTS = st.sampled_from([None, 2, "\t"])


@given(OBJECTS, INDENTS, st.text(max_size=5))
def test_values_stand_where_they_are_said_to(value: dict[str, Any], indent: Any, lead: str) -> None:
    text = lead + json.dumps(value, indent=indent) + " tail"
    found, repeated, end = members(text, len(lead))
    assert {key: item.value for key, item in found.items()} == value
    assert repeated == []
    assert text[end:] == " tail"
    assert all(json.loads(text[item.start : item.end]) == item.value for item in found.values())


@given(OBJECTS, INDENTS, st.dictionaries(st.text(max_size=3), VALUES, max_size=4))
def test_setting_members_sets_them_and_leaves_the_rest(value: dict[str, Any], indent: Any, new: dict[str, Any]) -> None:
    text = json.dumps(value, indent=indent)
    edits = set_members(text, 0, new)
    after = apply_edits(text, tuple(edits))
    assert json.loads(after) == {**value, **new}
    found, _, _ = members(text, 0)
    kept = {key: text[item.start : item.end] for key, item in found.items() if key not in new}
    now, _, _ = members(after, 0)
    assert {key: after[now[key].start : now[key].end] for key in kept} == kept
    assert set_members(after, 0, new) == []


@given(st.lists(VALUES, max_size=4), INDENTS, st.lists(VALUES, max_size=3))
def test_appended_items_stand_at_the_end(value: list[Any], indent: Any, new: list[Any]) -> None:
    text = json.dumps(value, indent=indent)
    after = apply_edits(text, tuple(append_items(text, 0, new)))
    assert json.loads(after) == value + new
    assert [item.value for item in items(after, 0)] == value + new


@given(VALUES)
def test_compact_json_is_one_line_of_valid_text(value: Any) -> None:
    text = compact(value)
    text.encode("utf-8")
    assert json.loads(text) == value
    assert "\n" not in text


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("", 0),
        ("[1]", 0),
        ('{"a":1', 6),
        ('{"a" 1}', 5),
        ("{a:1}", 1),
        ('{"a":1 "b":2}', 7),
        ('{"a":NaN}', 5),
        ('{"a":"x\ny"}', 7),
        ('{"a":1,}', 7),
        ('{"a":' + "[" * 100_000 + "]" * 100_000 + "}", 5),
        ('{"a":' + "9" * 5000 + "}", 5),
    ],
    ids=lambda value: str(value)[:20],
)
def test_what_is_no_json_is_said_to_be_none_and_where(text: str, at: int) -> None:
    with pytest.raises(JsonFault) as raised:
        members(text, 0)
    assert raised.value.at == at
    assert "\n" not in str(raised.value)


def test_a_key_given_twice_is_told() -> None:
    assert members('{"a":1,"b":2,"a":3}', 0)[1] == ["a"]
