"""The limits of replies: by the words that a prompt asks for, larger for models that reason, none over a setting."""

from __future__ import annotations

import pytest

from tradingagents.llm_clients.model_profile import limit_of, report_limit, text_limit, words_asked
from tradingagents.settings import Settings


@pytest.mark.parametrize(
    ("instruction", "words"),
    [
        ("Write a report of 350 to 600 words:", 600),
        ("In 200 to 350 words: quote the bear.", 350),
        ("name the conditions. At most 200 words.", 200),
        ("what it says in a few words", None),
    ],
)
def test_the_words_that_a_prompt_asks_for(instruction: str, words: int | None):
    assert words_asked(instruction) == words


def test_four_tokens_a_word_and_room_for_the_table():
    assert text_limit("In 200 to 350 words") == 1_400
    assert report_limit("a report of 350 to 600 words") == 2_400 + 800
    assert text_limit("Answer.") == 6_000


def test_a_model_that_may_reason_gets_more_and_a_setting_replaces_all():
    assert limit_of("openai_compatible/x", 1_400, Settings(), reasons=False) == 1_400
    assert limit_of("openai_compatible/x", 1_400, Settings(), reasons=True) == 26_400
    assert limit_of("openai/gpt-5-mini", 1_400, Settings(), reasons=False) == 26_400
    assert limit_of("openai/gpt-5-mini", 1_400, Settings(max_output_tokens=9), reasons=True) is None
