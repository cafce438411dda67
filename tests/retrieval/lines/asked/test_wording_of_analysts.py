"""What analysts write beside the words of a line: remarks on the fiscal year, totals, rates per annum, buybacks."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, LineQuestion


def read(question: str) -> LineQuestion:
    return read_line_question(question.replace("@", chr(COMPANY_MARK)))


@pytest.mark.parametrize(
    "remark", ["(ends jan 2023)", "(both ended 28 January 2023)", "(fiscal year ending Jan. 2023)"]
)
def test_a_remark_on_when_a_year_ends_is_no_further_period(remark: str) -> None:
    asked = read(f"@ comparable sales fy2020, fy2021, fy2022 {remark}")
    assert [period.label for period in asked.span.periods] == ["FY2020", "FY2021", "FY2022"]
    assert (asked.unread, asked.labels) == ((), ("comparable sales",))
    assert read(f"@ comparable sales {remark}").span.periods  # where it is all that tells the period


@pytest.mark.parametrize("said", ["growth rate per annum", "the two-year growth rate per annum", "growth rate p.a."])
def test_a_rate_per_annum_is_compound_growth(said: str) -> None:
    asked = read(f"@ Greater China EBIT FY17-FY19, with {said}")
    assert (asked.functions, asked.labels) == (("cagr",), ("greater china",))


@pytest.mark.parametrize("said", ["- total too", ", and the total as well", "plus the total", ", total also"])
def test_a_total_may_be_asked_for_at_the_end(said: str) -> None:
    asked = read(f"@ free cash flow 2015, 2016, 2017 {said}")
    assert (asked.functions, asked.labels) == (("sum",), ())


@pytest.mark.parametrize("said", ["bought back more stock", "bought back more of its shares", "buys back more stock"])
def test_what_was_bought_back_is_share_repurchases(said: str) -> None:
    asked = read(f"Who {said} in FY2024, @?")
    assert [measure.item for measure in asked.measures] == ["share_repurchases"]
    assert asked.labels == ()


def test_the_whole_group_is_no_part() -> None:
    assert read("@ adjusted EBIT FY23 whole group").labels == ()
    assert read("@ adjusted EBIT FY23 consumer group").labels == ("consumer group",)


def test_a_date_in_figures_is_a_day() -> None:
    asked = read("@ total internet connections at 12/31/21")
    assert asked.labels == ("internet connections",)
    assert {period.year for period in asked.span.periods} == {2021}
