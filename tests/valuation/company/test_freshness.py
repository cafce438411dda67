"""A report that was due and is missing withholds the value of a share; a person may accept the figures as they are."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import cache
from pathlib import Path

import pytest

from tests.support.fakes import make_prices
from tests.valuation.company.test_facts import PROFILE, income, statement
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.valuation import build_valuation_inputs, reverse_valuation, sensitivity, valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.inputs import InadmissibleInput

DAY, TICKER = date(2025, 3, 14), "CURZ"
GIVEN = "target_margin=0.2"
LATE = (
    r"^No value from these figures: they are of the four quarters to 2024-09-30, 5.4 months old, and the report for "
    r"the quarter to 2024-12-31 was due by 2025-03-08 and is not known\. Choose .* base_period=2024-09-30 to value"
)
"""165 days after 2024-09-30 are 5.4 months; 60 days after 2024-12-31 is 2025-03-01, and a week later 2025-03-08."""


@cache
def market(day: date = DAY) -> MarketData:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    return MarketData(settings, day, vendors=Vendors(settings))


@pytest.mark.parametrize("question", [valuation, sensitivity])
def test_an_overdue_report_withholds_the_value_with_its_reason(question: Capability) -> None:
    with pytest.raises(NoData, match=LATE):
        question.ask(market(), ticker=TICKER, assumptions=GIVEN)


def test_assumptions_history_and_what_the_price_implies_still_answer_without_a_value() -> None:
    built = build_valuation_inputs.ask(market(), ticker=TICKER, assumptions=GIVEN)
    assert built.history
    assert built.assumptions
    assert (built.base_period, built.figures_of) == (date(2024, 9, 30), "four quarters to 2024-09-30, 5.4 months old")
    assert built.title.endswith("figures of four quarters to 2024-09-30, 5.4 months old")
    found = reverse_valuation.ask(market(), ticker=TICKER, assumptions=GIVEN)
    assert built.notes[-1] == found.notes[-1]
    assert found.notes[-1].startswith("No value from these figures: they are of the four quarters to 2024-09-30")
    assert found.base_value is None
    assert {one.base_value for one in found.drivers} == {None}
    assert any(one.level is not None for one in found.drivers)


def test_a_person_accepts_the_figures_by_naming_their_last_day() -> None:
    found = valuation.ask(market(), ticker=TICKER, assumptions=f"{GIVEN}; base_period=2024-09-30")
    assert found.value_per_share > 0
    assert (
        "Doubtful: the figures are of the four quarters to 2024-09-30, 5.4 months old, as accepted by "
        "base_period=2024-09-30: the report for the quarter to 2024-12-31 was due by 2025-03-08 and is not known."
    ) in found.opening
    assert found.title.endswith("figures of four quarters to 2024-09-30, 5.4 months old")


@pytest.mark.parametrize("period", ["2024-12-31", "2024", "true"])
def test_another_period_than_that_of_the_figures_is_not_accepted(period: str) -> None:
    with pytest.raises(InadmissibleInput, match=r"^base_period: the newest figures known are of the four quarters to"):
        valuation.ask(market(), ticker=TICKER, assumptions=f"{GIVEN}; base_period={period}")


def test_figures_that_no_report_should_have_replaced_stand_and_may_be_named() -> None:
    plain = valuation.ask(market(), ticker="VELQ")
    named = valuation.ask(market(), ticker="VELQ", assumptions=f"base_period={plain.base_period}")
    assert plain.figures_of == "four quarters to 2024-10-31"
    assert named.value_per_share == plain.value_per_share
    assert named.notes == plain.notes


def facts(last: date, price: float = 100.0, size: float = 1.0, **sheet: float) -> CompanyFacts:
    """Four quarters to 2024-12-31, the last of a fiscal year, of 50 shares, or so many times as large."""
    rows = [
        replace(one, items={name: value * (1 if name == "eps_diluted" else size) for name, value in one.items.items()})
        for one in income()
    ]
    balance = [statement("balance", date(2024, 12, 31), equity=300.0 * size, **sheet)]
    return company_facts(make_prices("ACMQ", last=last, start=price, step=0.0), rows, balance, [], PROFILE)


def test_a_large_company_has_the_time_of_the_law_and_a_small_one_that_of_the_slowest_filer() -> None:
    large, small = (14.0, 1e6), (13.99, 1e6)  # 50 million shares at 14 are 700 million
    assert facts(date(2025, 5, 16), *large).overdue == ""
    late = facts(date(2025, 5, 19), *large)
    assert late.overdue == "the report for the quarter to 2025-03-31 was due by 2025-05-17 and is not known"
    assert late.figures_of == "four quarters to 2024-12-31, 4.6 months old"  # 139 days
    assert facts(date(2025, 5, 19), *small).overdue == ""
    last = facts(date(2025, 7, 18), *small)
    assert (last.overdue, last.is_current) == ("", True)  # 199 days


def test_outstanding_shares_of_after_a_merger_divide_the_value_and_both_counts_are_said() -> None:
    found = facts(date(2025, 3, 14), shares_outstanding=60.0)
    assert found.shares is not None
    assert found.shares.value == 60.0
    assert found.shares.source.startswith("get_balance_sheet: shares_outstanding, 2024-12-31")
    assert any("50.00 shares are the average" in one and "60.00 are outstanding" in one for one in found.notes)


def test_an_unknown_share_count_says_where_one_stands() -> None:
    rows = [statement("income", one.period_end, revenue=100.0, net_income=12.0) for one in income()]
    found = company_facts(make_prices("ACMQ"), rows, [], [], Profile("ACMQ", "Acme", "stock"))
    assert found.shares is None
    assert " ".join(found.withheld) == (
        "No usable share count: the income statement of the period to 2024-12-31 gives none, nor does an earlier one. "
        "A company's report prints one in its note on earnings per share."
    )


@pytest.mark.parametrize(("price", "shares", "debt"), [(100.0, 50.0, 1000.0), (50.0, 40.0, 1800.0)])
def test_convertible_debt_counts_once(price: float, shares: float, debt: float) -> None:
    """10 of the 50 shares are of the debt of 800: worth 1000 at 100, and 500 at 50."""
    rows = income()
    rows = [statement("income", one.period_end, **one.items, convertible_shares=10.0) for one in rows]
    sheet = [statement("balance", date(2024, 12, 31), equity=300.0, total_debt=1800.0, convertible_debt=800.0)]
    found = company_facts(make_prices("ACMQ", start=price, step=0.0), rows, sheet, [], PROFILE)
    assert found.shares is not None
    assert found.debt is not None
    assert (found.shares.value, found.debt.value) == (shares, debt)
    (note,) = [one for one in found.notes if one.startswith("Convertible debt of 800.00")]
    assert note.endswith("it counts as shares, not as debt." if debt == 1000 else "it counts as debt, not as shares.")
    assert not any("Counted as debt" in one for one in found.notes)


def test_an_old_count_says_how_old_it_is() -> None:
    rows = income()
    rows[0] = statement("income", rows[0].period_end, revenue=100.0, net_income=12.0)
    found = company_facts(make_prices("ACMQ"), rows, [], [], PROFILE)
    assert found.shares is not None
    assert found.shares.source == "get_income_statement: shares_diluted, average of the quarter to 2024-09-30"
    assert "The share count is the average of the period to 2024-09-30: no newer one is usable." in found.notes


def test_convertible_debt_without_its_shares_by_name_is_debt_and_may_count_twice() -> None:
    found = facts(date(2025, 3, 14), total_debt=1800.0, convertible_debt=800.0)
    assert found.debt is not None
    assert found.debt.value == 1800.0
    assert any(one.startswith("Counted as debt: convertible_debt 800.00") for one in found.notes)


@pytest.mark.real_data
def test_recorded_companies_one_to_four_quarters_behind_have_no_headline(test_data: Path) -> None:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    recorded = MarketData(settings, DAY, vendors=Vendors(settings))
    for symbol, missing in (
        ("NVDA", "fiscal year to 2024-01-31, 13.4 months old, and the report for the quarter to 2024-04-30"),
        ("MSFT", "four quarters to 2024-09-30, 5.4 months old, and the report for the quarter to 2024-12-31"),
        ("JPM", "four quarters to 2024-09-30, 5.4 months old, and the report for the quarter to 2024-12-31"),
        ("XOM", "fiscal year to 2023-12-31, 14.4 months old, and the report for the quarter to 2024-03-31"),
    ):
        with pytest.raises(NoData, match=missing):
            valuation.ask(recorded, ticker=symbol)
    assert valuation.ask(recorded, ticker="AAPL").figures_of == "four quarters to 2024-12-28"
