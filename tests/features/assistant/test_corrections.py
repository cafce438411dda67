"""Whether an index is in a correction: its lowest close counts only where it lies after the high."""

from __future__ import annotations

import pytest

from tradingagents.features.assistant.rules.found import TurnAnswers
from tradingagents.features.assistant.rules.market_text import _correction
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.retrieval.questions.aspects import AskedAspects
from tradingagents.retrieval.questions.days import NamedDays


def said(*, last: float, low: float, low_day: str) -> str:
    closes = {"last_close": last, "highest_close": 200.0, "lowest_close": low}
    year = ToolFact(
        tool="get_price_change",
        symbol="^GSPC",
        arguments={"ticker": "^GSPC", "start_date": "2024-03-14", "end_date": "2025-03-14"},
        facts={"highest_day": "2024-12-02", "lowest_day": low_day, "last_day": "2025-03-14"},
        figures=closes,
        shown={name: f"{value:.2f}" for name, value in closes.items()},
    )
    return _correction(TurnAnswers((year,), "en", QuestionFrame(AskedAspects(), NamedDays(""))))


@pytest.mark.parametrize(
    ("last", "low", "low_day", "held", "missing"),
    [
        (190.0, 150.0, "2024-04-01", "What its lowest close since then was is not told", "150.00"),
        (190.0, 170.0, "2025-01-10", "was 170.00 on 2025-01-10, 15.0% below it", "not told"),
        (170.0, 150.0, "2024-04-01", "So by its last close it is in a correction.", "150.00"),
        (200.0, 150.0, "2024-04-01", "So by its last close it is in none.", "lowest close"),
    ],
)
def test_only_a_low_after_the_high_is_since_it(last: float, low: float, low_day: str, held: str, missing: str) -> None:
    text = said(last=last, low=low, low_day=low_day)
    assert held in text
    assert missing not in text


def test_a_fall_that_has_passed_is_said() -> None:
    assert "though it was in one at that low" in said(last=190.0, low=170.0, low_day="2025-01-10")
