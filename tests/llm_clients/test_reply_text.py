from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tradingagents.llm_clients.reply_text import is_unclosed, json_object, json_objects, without_thoughts


@pytest.mark.parametrize(
    "text",
    [
        '{"a": {"b": 1}}',
        '  \n{"a": {"b": 1}}\n ',
        '```json\n{"a": {"b": 1}}\n```',
        '```\n{"a": {"b": 1}}\n```',
        '<think>maybe {"a": 2}?</think>{"a": {"b": 1}}',
        'the opening tag was lost {"a": 2} </think>\n{"a": {"b": 1}}',
        '<thinking>hm</thinking>\n```json\n{"a": {"b": 1}}\n```',
        'Here it is: {"a": {"b": 1}} - hope that helps.',
        'See `code` first.\n```json\n{"a": {"b": 1}}\n```\nDone.',
    ],
)
def test_the_object_is_found_bare_after_thoughts_in_fences_and_amid_prose(text: str) -> None:
    assert json_object(text) == {"a": {"b": 1}}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object"),
        ("   \n", "no JSON object"),
        ("I would buy.", "no JSON object"),
        ("<think>never done", "no JSON object"),
        ("[1, 2]", "not list"),
        ('[{"a": 1}]', "not list"),
        ('"BUY"', "no JSON object"),
        ('{"a": 1', "cut off"),
        ('Sure: {"a": 1', "cut off"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": Infinity}', "Infinity is not a number"),
        ("{'a': 1}", "double quotes"),
    ],
)
def test_what_holds_no_object_is_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        json_object(text)


plain = st.text(alphabet=st.characters(exclude_characters="{}[]<>`", exclude_categories=["Cs"]), max_size=30)
scalars = st.none() | st.booleans() | st.integers() | plain


@given(before=plain, after=plain, value=st.dictionaries(plain, scalars | st.lists(scalars, max_size=3), max_size=4))
def test_any_object_survives_prose_around_it(before: str, after: str, value: dict[str, object]) -> None:
    assert json_object(f"{before}\n{json.dumps(value)}\n{after}") == value


def test_thoughts_are_taken_out_and_the_rest_stays() -> None:
    assert without_thoughts("<think>a\nb</think>\n\n# Report\nI think so.") == "# Report\nI think so."
    assert without_thoughts("<think>never done") == ""
    assert without_thoughts("No thoughts < 3.") == "No thoughts < 3."


@pytest.mark.parametrize(
    ("text", "objects", "unclosed"),
    [
        ('{"a": {"b": 1}, "c": [{"d": 2}, {"e', [], True),
        ('Sure: {"a": {"b": 1}, "c": "}', [], False),
        ('{"a": {"b": 1},, "c": 2} {"d": 3}', [{"d": 3}], False),
        ('{"a": "he said "{" twice", "b": {"c": 1}}', [], False),
        ('a set {x} and {"a": 1}', [{"a": 1}], False),
        ('{ {"a": 1}', [{"a": 1}], False),
        ('{"a": 1} and then {"b": {"c": 1}', [{"a": 1}], False),
        ('{"a": 1} and then {"b": {"c": 1}, "d', [{"a": 1}], True),
        ("No object.", [], False),
    ],
)
def test_nothing_is_read_from_the_inside_of_a_broken_object(text: str, objects: list[object], unclosed: bool) -> None:
    assert json_objects(text) == objects
    assert is_unclosed(text) == unclosed


@given(
    value=st.dictionaries(plain, st.dictionaries(plain, scalars, max_size=2), min_size=1, max_size=3),
    share=st.floats(0, 1, exclude_max=True),
)
def test_a_cut_object_gives_nothing(value: dict[str, object], share: float) -> None:
    text = json.dumps(value)
    assert json_objects(text[: int(share * len(text))]) == []
