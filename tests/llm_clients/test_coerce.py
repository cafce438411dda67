from __future__ import annotations

import pytest

from tests.llm_clients.schemas import Opinion
from tradingagents.llm_clients.reply_text import tidied


@pytest.mark.parametrize("word", ["null", "None", "N/A", "", " none ", None])
def test_words_for_null_in_an_optional_field_are_null(word: str | None) -> None:
    opinion = Opinion.model_validate(
        tidied(Opinion, {"action": "HOLD", "confidence": 0, "rationale": "balanced", "entry": word, "dissent": word})
    )
    assert opinion.entry is None
    assert opinion.dissent is None


def test_words_for_null_in_a_required_field_stay_and_fail() -> None:
    assert tidied(Opinion, {"action": "None", "rationale": ""}) == {"action": "None", "rationale": ""}


def test_null_where_a_default_stands_takes_the_default() -> None:
    opinion = Opinion.model_validate(
        tidied(Opinion, {"action": "BUY", "confidence": 1, "rationale": "clear", "facts": None, "urgency": "null"})
    )
    assert opinion.facts == []
    assert opinion.urgency == "low"


def test_a_choice_is_spelled_as_the_schema_spells_it() -> None:
    assert tidied(Opinion, {"action": " buy ", "urgency": "HIGH"}) == {"action": "BUY", "urgency": "high"}


def test_other_words_are_not_guessed_at() -> None:
    assert tidied(Opinion, {"action": "strong buy", "confidence": "64%"}) == {
        "action": "strong buy",
        "confidence": "64%",
    }


def test_numbers_as_text_are_read_by_validation() -> None:
    data = {"action": "buy", "confidence": "0.64", "rationale": "clear", "entry": " 101.5 ", "horizon_days": "90"}
    opinion = Opinion.model_validate(tidied(Opinion, data))
    assert (opinion.confidence, opinion.entry, opinion.horizon_days) == (0.64, 101.5, 90)


def test_text_in_nested_objects_is_left_as_it_is_where_it_must_be_given() -> None:
    data = {"facts": [{"claim": "none", "source": "get_news"}]}
    assert tidied(Opinion, data) == data


def test_entries_that_say_nothing_are_left_out_of_a_list() -> None:
    facts = [{"claim": "sales grew", "source": "get_news"}, None, "n/a", ""]
    assert tidied(Opinion, {"facts": facts})["facts"] == facts[:1]
