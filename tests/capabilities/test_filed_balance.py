"""Cash, debt and securities of a filed balance sheet in the place of a vendor's, none of them counted twice."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tests.support.fakes import make_prices
from tests.valuation.company.test_claims import sheet
from tests.valuation.company.test_facts import ENDS, PROFILE, income
from tradingagents.capabilities.filed_balance import with_balance
from tradingagents.retrieval.figures.filed_figures import FiledBalance, FiledCell
from tradingagents.valuation.company.facts import CompanyFacts, company_facts

DAY = date(2025, 3, 14)


def facts(**items: float) -> CompanyFacts:
    return company_facts(make_prices("ACMQ"), income(), [sheet({"equity": 300.0, **items})], [], PROFILE)


def filed(end: date = ENDS[0], **amounts: float) -> FiledBalance:
    cells = tuple(
        FiledCell(
            name=name,
            label=name,
            column="2024",
            value=value,
            unit="USD",
            text=str(value),
            document="10-K",
            key="10-K/1",
            page=3,
            line=name,
            known_at=datetime(2025, 2, 1, tzinfo=UTC),
        )
        for name, value in amounts.items()
    )
    return FiledBalance(end=end, column="2024", cells=cells)


def test_short_term_securities_of_the_vendor_are_not_added_to_cash_that_holds_them() -> None:
    known = facts(cash=40.0, short_term_investments=15.0, total_debt=100.0)
    found = with_balance(known, filed(cash=41.0, short_term_investments=14.0, long_term_debt=90.0), DAY)
    assert found.cash is not None
    assert (found.cash.value, found.claims.short_term_investments.value) == (55.0, 0.0)


def test_securities_of_the_sheet_are_taken_where_the_vendor_has_none() -> None:
    found = with_balance(
        facts(total_debt=100.0, other_noncurrent_assets=80.0), filed(cash=40.0, long_term_investments=25.0), DAY
    )
    assert found.claims.investments.value == 25.0
    assert found.notes == facts(total_debt=100.0, cash=40.0).notes  # cash is known now: nothing is said of other assets


@pytest.mark.parametrize(("end", "worth"), [(ENDS[0], 60.0), (ENDS[1], 25.0)])
def test_investments_with_stakes_stay_where_they_are_of_the_same_day(end: date, worth: float) -> None:
    known = facts(cash=40.0, total_debt=100.0, long_term_investments=60.0)
    found = with_balance(known, filed(end, cash=40.0, long_term_debt=90.0, long_term_investments=25.0), DAY)
    assert found.claims.investments.value == worth
    if end == ENDS[0]:
        assert found.years[0].invested_capital == 300 + 90 - 40 - 60
