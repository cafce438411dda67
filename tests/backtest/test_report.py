"""What a backtest's report says: a test of less than a year makes no yearly claim."""

from __future__ import annotations

from typing import Any

import pytest

from tradingagents.backtest.report import interval, smallest, span, verdict

TEST = {"difference": 9.491, "low": -2.52, "high": 20.16, "smallest_edge": 2.52}


def record_of(sessions: int) -> dict[str, Any]:
    own = {"total_return": 0.4, "exposure": 0.5, "ci_equal_exposure": TEST}
    held = {"total_return": 0.1, "exposure": 1.0}
    choice = {"edge": None, "trials": 1}
    return {
        "sessions": sessions,
        "strategies": {"decisions": own, "buy_and_hold": held},
        "power": {"smallest_edge": 2.52},
        "choice": choice,
    }


@pytest.mark.parametrize(("sessions", "said"), [(251, "over the 251 sessions"), (252, "a year"), (600, "a year")])
def test_a_year_is_claimed_from_a_year_on(sessions: int, said: str):
    assert span(record_of(sessions))[1] == said


def test_twenty_five_sessions_are_stated_as_twenty_five_sessions():
    # Scaled to a year the difference would read 949.1 %; over 25 of 252 sessions it is 94.2 %.
    text = verdict(record_of(25))
    assert "At equal exposure that is 94.2 % over the 25 sessions beyond buy and hold, which chance explains" in text
    assert "(80 % power) is 25.0 % over the 25 sessions." in text
    assert "949.1" not in text


def test_intervals_and_edges_are_of_the_same_span():
    scale, _ = span(record_of(126))
    assert interval(TEST, scale) == "474.5 % (-126.0 % to 1008.0 %)"
    assert smallest(TEST, scale) == "126.0 %"
    assert (interval(None, scale), smallest(None, scale)) == ("", "")
