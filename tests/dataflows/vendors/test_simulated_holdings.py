"""Investors of the simulated market: reproducible reports, in the shares and at the prices of their quarter."""

from __future__ import annotations

from datetime import date

import pytest

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.dataflows.vendors.simulated.owners import CONFIDENTIAL, INVESTORS, OPTIONS
from tradingagents.errors import NoData

ALWAYS = (date(2018, 1, 1), date(2030, 1, 1))


@pytest.fixture(scope="module")
def market() -> SimulatedVendor:
    return SimulatedVendor()


@pytest.mark.parametrize("investor", INVESTORS, ids=lambda one: one.name)
def test_reports_are_the_same_by_name_and_number_and_are_known_45_days_after_the_quarter(market, investor):
    reports = market.get_holdings(investor.name, *ALWAYS)
    assert reports == market.get_holdings(str(investor.cik), *ALWAYS) == market.get_holdings(investor.also[0], *ALWAYS)
    assert reports == SimulatedVendor().get_holdings(investor.name, *ALWAYS)
    assert len(reports) > 20
    for report in reports:
        assert (report.known_at.date() - report.period_end).days >= 45
        assert report.filed_on == report.known_at.date()
    assert [report.known_at for report in reports] == sorted((report.known_at for report in reports), reverse=True)


def test_values_are_shares_at_the_price_as_traded(market):
    checked = 0
    for report in market.get_holdings(INVESTORS[0].name, date(2019, 1, 1), date(2025, 3, 1)):
        for line in report.holdings:
            last = sessions().on_or_before(report.period_end)
            bar = market.get_stock_data(line.symbol, last, last).as_traded(last)
            assert line.value == pytest.approx(line.amount * float(bar.close[0]), rel=1e-6)
            checked += 1
    assert checked > 100


def test_a_holding_kept_back_is_added_by_an_amendment_a_month_later(market):
    investor = next(one for one in INVESTORS if one.cik == CONFIDENTIAL)
    amended = [report for report in market.get_holdings(investor.name, *ALWAYS) if report.amendment]
    assert amended
    for report in amended:
        base = next(
            one
            for one in market.get_holdings(investor.name, *ALWAYS)
            if one.period_end == report.period_end and not one.amendment
        )
        assert (report.amendment, report.form, len(report.holdings)) == ("new_holdings", "13F-HR/A", 1)
        assert (report.known_at - base.known_at).days >= 29
        assert report.holdings[0].cusip not in {line.cusip for line in base.holdings}


def test_one_investor_holds_puts(market):
    investor = next(one for one in INVESTORS if one.cik == OPTIONS)
    assert all(
        sum(line.kind == "put" for line in report.holdings) == 1
        for report in market.get_holdings(investor.name, *ALWAYS)
    )


@pytest.mark.parametrize("name", ["Berkshire Hathaway", "1067983"])
def test_real_investors_are_not_of_this_market(market, name: str):
    with pytest.raises(NoData, match="Larkspur Hill Capital"):
        market.get_holdings(name, *ALWAYS)
