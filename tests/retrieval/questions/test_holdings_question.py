"""Questions about one's own holdings: what they state, and what they ask."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.questions.holdings import HoldingsQuestion, read_holdings_question


@pytest.mark.parametrize(
    ("text", "about", "stated", "symbols"),
    [
        ("I own 100 AAPL at 150: add, hold or trim?", "decision", "100 AAPL at 150", ("AAPL",)),
        ("We hold 100 shares of VELQ. Should we sell?", "decision", "100 shares of VELQ", ("VELQ",)),
        ("I have 100 VELQ and 50 MODZ, how risky is that?", "risk", "100 VELQ and 50 MODZ", ("MODZ", "VELQ")),
        ("my portfolio is 60 % VELQ and 40 % MODZ: how risky?", "risk", "60 % VELQ and 40 % MODZ", ("VELQ", "MODZ")),
        ("How diversified is my portfolio of 60% VELQ, 40% MODZ?", "risk", "60% VELQ, 40% MODZ", ("VELQ", "MODZ")),
        ("which of my holdings reports this week?", "results", "", ()),
        ("What is my portfolio worth?", "value", "", ()),
        ("How risky is my book?", "risk", "", ()),
        ("Should I trim my position?", "decision", "", ()),
    ],
)
def test_questions_about_holdings(text: str, about: str, stated: str, symbols: tuple[str, ...]):
    found = read_holdings_question(text)
    assert found is not None
    assert (found.about, found.stated, found.symbols) == (about, stated, symbols)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("which of my holdings report this week?", 7),
        ("which of my holdings report next week?", 14),
        ("which of my stocks report this month?", 30),
        ("which of my positions report in the next 10 days?", 10),
        ("which of my positions report in the next 99 days?", 60),
    ],
)
def test_the_days_ahead(text: str, days: int):
    assert read_holdings_question(text) == HoldingsQuestion("results", days_ahead=days)


@pytest.mark.parametrize(
    "text",
    [
        "What is AAPL trading at?",
        "Should I buy AAPL?",
        "I have a question about 100 companies",
        "What does the portfolio of Warren Buffett hold?",
        "How much cash does VELQ hold?",
        "Did they own 100 AAPL at 150?",
        "I own a house: what is AAPL worth?",
    ],
)
def test_other_questions(text: str):
    assert read_holdings_question(text) is None
