"""Questions for figures are read by rules: tool, arguments and period; or why no rule answers them."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from tradingagents.offline.questions.asked import read_asked
from tradingagents.offline.questions.lookups import indices_named
from tradingagents.retrieval.questions.reading import QuestionReading

DAY = date(2025, 3, 14)
YEAR = {"figure": "operating margin", "period": "FY2023"}


@pytest.mark.parametrize(
    ("question", "tool", "arguments"),
    [
        ("What was the operating margin of VELQ in fiscal 2023?", "get_statement_figure", YEAR),
        ("Operating margin of VELQ, FY2023?", "get_statement_figure", YEAR),
        ("revenue of VELQ in Q3 2024", "get_statement_figure", {"figure": "revenue", "period": "Q3 FY2024"}),
        ("What is the free cash flow of VELQ?", "get_statement_figure", {"period": "twelve_months"}),
        ("What was the revenue of VELQ in the latest quarter?", "get_statement_figure", {"period": "latest_quarter"}),
        ("How fast did revenue of VELQ grow in fiscal 2024?", "get_statement_figure", {"change": "growth"}),
        (
            "average operating margin of VELQ over the last three fiscal years",
            "get_statement_figure",
            {"change": "average", "from_period": "2 years before", "period": "latest_year"},
        ),
        ("P/E of VELQ as of 2024-06-28?", "get_fundamentals", {"curr_date": "2024-06-28"}),
        ("Close of VELQ on 3 June 2024?", "get_price_change", {"start_date": "2024-06-03", "end_date": "2024-06-03"}),
        ("total return of VELQ in 2023", "get_price_change", {"start_date": "2022-12-31", "end_date": "2023-12-31"}),
        ("highest close of VELQ in March 2023", "get_price_change", {"start_date": "2023-03-01"}),
        ("How did VELQ perform over the last 3 months?", "get_price_change", {"start_date": "2024-12-14"}),
        ("Piotroski F-score of VELQ", "fundamental_screen", {"framework": "piotroski_f"}),
        ("What revenue does the fiscal 2024 10-K of VELQ report?", "answer_from_filings", {}),
    ],
)  # fmt: skip
def test_a_question_is_read_as_the_call_that_answers_it(question: str, tool: str, arguments: dict[str, Any]):
    asked = read_asked(QuestionReading(question, DAY))
    assert asked.gap == ""
    (figure,) = asked.figures
    assert figure.tool == tool
    assert dict(figure.arguments).items() >= arguments.items()


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What did VELQ close at on 2025-06-30?", "lies after"),
        ("What was the revenue of VELQ on 31 June 2024?", "There is no day"),
        ("What is the market share of VELQ?", "No rule answers questions about market share"),
        ("What will the revenue of VELQ be next year?", "what lies ahead"),
        ("Piotroski F-score of VELQ as of 2024-06-28", "ask as of 2024-06-28"),
        ("How many insider sales of VELQ in 2023?", "six months"),
        ("revenue of VELQ over the last three fiscal years", "Name the fiscal years"),
        ("operating margin of VELQ on 2024-06-28", "fiscal periods"),
        ("What happened to VELQ on 2024-06-28?", "No rule knows which figure"),
    ],
)
def test_what_no_rule_can_answer_is_said(question: str, said: str):
    asked = read_asked(QuestionReading(question, DAY))
    assert said in asked.gap
    assert asked.figures == ()


def test_bounds_and_sides():
    screen = read_asked(
        QuestionReading("Which of VELQ and MODZ have a net margin of at least 20% in fiscal 2024?", DAY)
    )
    assert screen.threshold is not None
    assert (screen.threshold.met(20.0), screen.threshold.met(19.99)) == (True, False)
    assert read_asked(QuestionReading("Which of VELQ and MODZ had the lowest net margin?", DAY)).side == "lowest"


@pytest.mark.parametrize(
    ("question", "indices"),
    [
        ("price of Dow Inc", ()),
        ("how is Dow stock doing", ()),
        ("S&P Global price", ()),
        ("Dow Inc vs the Dow this year", ("^DJI",)),
        ("which Dow stocks fell most today", ("^DJI",)),
        ("how is the Dow doing", ("^DJI",)),
    ],
)
def test_a_company_called_like_an_index_is_none(question: str, indices: tuple[str, ...]) -> None:
    assert indices_named(QuestionReading(question, DAY)) == indices
