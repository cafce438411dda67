"""When New York trades, by the calendar as it was known on the day of the question."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.features.assistant.rules.hours_text import hours_text
from tradingagents.retrieval.questions.spans import named_days


def hours(question: str, today: date, language: str = "en") -> str:
    return hours_text(language, named_days(question, today), today)


def test_each_holiday_is_named() -> None:
    said = hours("when is the next market holiday?", date(2023, 12, 28))
    for holiday in (
        "2024-01-01 (Monday, New Year's Day)",
        "2024-01-15 (Monday, Martin Luther King Day)",
        "2024-02-19 (Monday, Presidents' Day)",
        "2024-03-29 (Friday, Good Friday)",
        "2024-05-27 (Monday, Memorial Day)",
        "2024-06-19 (Wednesday, Juneteenth)",
        "2024-07-04 (Thursday, Independence Day)",
        "2024-09-02 (Monday, Labor Day)",
        "2024-11-28 (Thursday, Thanksgiving)",
        "2024-12-25 (Wednesday, Christmas)",
    ):
        assert holiday in said
    assert "2024-07-03 (Wednesday)" in said.splitlines()[-1]


def test_a_day_of_mourning_is_not_known_before_it_was_announced() -> None:
    """Of 2025-01-09 nobody knew before 2024-12-30."""
    assert "2025-01-09" not in hours("when is the next market holiday?", date(2024, 12, 20))
    assert "2025-01-09 (Thursday): open, 09:30 to 16:00" in hours("is it open on 2025-01-09?", date(2024, 12, 20))
    assert "2025-01-09 (Thursday): closed." in hours("is the market open tomorrow?", date(2025, 1, 8))


@pytest.mark.parametrize(
    ("question", "today", "said"),
    [
        ("is the market open tomorrow?", date(2025, 7, 2), "2025-07-03 (Thursday): open, 09:30 to 13:00"),
        ("is the market open tomorrow", date(2025, 3, 14), "2025-03-15 (Saturday): closed."),
        ("trading hours?", date(2024, 11, 29), "from 09:30 to 16:00"),
    ],
)
def test_the_day_that_is_asked_about(question: str, today: date, said: str) -> None:
    assert said in hours(question, today)
