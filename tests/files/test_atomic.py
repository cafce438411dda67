"""Lines of logs: the JSON that `one_line_json` gives, without spaces. Cards: one such line for each item."""

from __future__ import annotations

import json
from datetime import date
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.files.atomic import as_json, indented_json, log_line, one_line_json
from tradingagents.schemas.record import Record

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


@given(VALUES)
def test_a_line_has_the_value_of_the_json_that_cards_have(value: Any) -> None:
    line = log_line(value)
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == json.loads(one_line_json(value)) == value


@pytest.mark.parametrize("text", ["NaN and Infinity are words here", "\x7f\x9b31m", "\u202eabc", "\ud800", "é"])
def test_a_line_escapes_what_a_terminal_or_an_encoding_would_trip_over(text: str) -> None:
    line = log_line({"text": text})
    assert json.loads(line) == {"text": text}
    assert not any(one in line.decode() for one in "\x7f\x9b\u202e")


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_a_line_holds_no_number_that_json_does_not_have(number: float) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        log_line({"deep": [number]})


def test_other_objects_are_written_as_text() -> None:
    assert log_line({"day": date(2025, 3, 14), "kind": Fraction(1, 2)}) == b'{"day":"2025-03-14","kind":"1/2"}\n'


@given(st.lists(VALUES, min_size=1, max_size=5))
def test_each_item_of_a_list_takes_the_line_that_it_has_by_itself(items: list[Any]) -> None:
    lines = ",\n".join(f"    {one_line_json(item)}" for item in items)
    assert as_json({"rows": items}) == f'{{\n  "rows": [\n{lines}\n  ]\n}}\n'


@given(st.dictionaries(st.text(), VALUES, max_size=4))
def test_a_card_is_read_as_it_was_written(card: dict[str, Any]) -> None:
    assert json.loads(as_json(card)) == card


@given(VALUES)
def test_indented_json_is_that_of_the_standard_library(value: Any) -> None:
    assert indented_json(value) == json.dumps(value, ensure_ascii=False, indent=2)


def test_a_record_among_plain_values_is_written_as_it_is_in_a_card() -> None:
    class Held(Record):
        name: str
        since: date
        note: str = ""

    value = {"held": [Held(name="VELQ", since=date(2025, 3, 14))]}
    assert one_line_json(value) == '{"held": [{"name": "VELQ", "since": "2025-03-14"}]}'
    assert json.loads(log_line(value)) == json.loads(one_line_json(value))
