"""Statements of the simulated market: they balance, become known when filed, and move prices."""

from __future__ import annotations

from datetime import UTC, date, time, timedelta
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import sampled
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.dataflows.reference.line_items import ITEMS, PER_SHARE, SHARES
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_STATEMENTS, SimulatedVendor
from tradingagents.errors import NoData

pytestmark = pytest.mark.own_market

VENDOR = SimulatedVendor()
FILERS = tuple(symbol for symbol, company in COMPANIES.items() if company.files)
KINDS: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
filers = st.sampled_from(FILERS)
quarters_back = st.integers(0, 40)


def quarterly(symbol: str, kind: StatementKind) -> tuple[Statement, ...]:
    return VENDOR.get_statements(symbol, kind, "quarterly")


@settings(deadline=None)
@given(symbol=filers, back=quarters_back)
def test_income_adds_up(symbol, back):
    items = quarterly(symbol, "income")[back].items
    assert items["gross_profit"] == items["revenue"] - items["cost_of_revenue"]
    assert items["operating_expenses"] == items["research_and_development"] + items["selling_general_administrative"]
    assert items["operating_income"] == items["gross_profit"] - items["operating_expenses"]
    assert items["ebitda"] == items["operating_income"] + items["depreciation_and_amortization"]
    assert items["pretax_income"] == items["operating_income"] - items["interest_expense"]
    assert items["net_income"] == items["pretax_income"] - items["income_tax"]
    assert items["eps_diluted"] == round(items["net_income"] / items["shares_diluted"], 2)
    assert items["shares_basic"] < items["shares_diluted"]
    assert min(items["revenue"], items["cost_of_revenue"], items["selling_general_administrative"]) > 0.0


@settings(deadline=None)
@given(symbol=filers, back=quarters_back)
def test_balance_sheets_balance(symbol, back):
    items = quarterly(symbol, "balance")[back].items
    assert items["total_assets"] == items["total_liabilities"] + items["equity"]
    assert items["current_assets"] == items["cash"] + items["receivables"] + items.get("inventory", 0.0)
    assert items["current_liabilities"] == items["accounts_payable"] + items["short_term_debt"]
    assert items["total_debt"] == items["short_term_debt"] + items["long_term_debt"]
    assert items["total_assets"] > items["current_assets"] + items["fixed_assets"]
    assert min(items["cash"], items["equity"], items["fixed_assets"], items["total_debt"]) > 0.0


@settings(deadline=None)
@given(symbol=filers, back=quarters_back)
def test_cash_flow_explains_the_change_of_cash(symbol, back):
    flow = quarterly(symbol, "cashflow")[back].items
    balance = quarterly(symbol, "balance")
    assert flow["free_cash_flow"] == flow["operating_cash_flow"] + flow["capital_expenditure"]
    total = flow["operating_cash_flow"] + flow["investing_cash_flow"] + flow["financing_cash_flow"]
    assert flow["net_change_in_cash"] == total
    assert balance[back].items["cash"] - balance[back + 1].items["cash"] == total
    assert max(flow["capital_expenditure"], flow["dividends_paid"], flow["share_repurchases"]) <= 0.0


@settings(deadline=None)
@given(symbol=filers, back=st.integers(0, 9), kind=st.sampled_from(KINDS))
def test_a_year_is_its_four_quarters(symbol, back, kind):
    year = VENDOR.get_statements(symbol, kind, "annual")[back]
    quarters = [one for one in quarterly(symbol, kind) if one.fiscal_year == year.fiscal_year]
    assert [one.fiscal_period for one in quarters] == ["Q4", "Q3", "Q2", "Q1"]
    assert (year.period_start, year.period_end) == (quarters[-1].period_start, quarters[0].period_end)
    assert year.known_at == quarters[0].known_at
    for name, value in year.items.items():
        if kind == "balance" or name in SHARES:
            assert value == quarters[0].items[name]
        elif name not in PER_SHARE:
            assert value == sum(one.items[name] for one in quarters)


@settings(deadline=None)
@given(symbol=filers, back=quarters_back, kind=st.sampled_from(KINDS))
def test_a_filing_comes_after_a_close_some_weeks_after_the_period(symbol, back, kind):
    statement = quarterly(symbol, kind)[back]
    lag = (statement.known_at.date() - statement.period_end).days
    assert 45 <= lag <= 75 if statement.fiscal_period == "Q4" else 25 <= lag <= 45
    assert time(20, 5) <= statement.known_at.time() <= time(22, 0)
    assert statement.known_at.tzinfo is UTC
    assert statement.known_at > sessions("XNYS").close_of(statement.known_at.date())
    assert statement.known_by == "accepted"


@pytest.mark.parametrize("symbol", sampled(FILERS, every=3))
def test_quarters_follow_each_other_without_a_gap(symbol):
    income = quarterly(symbol, "income")
    for later, earlier in pairwise(income):
        assert later.period_start == earlier.period_end + timedelta(days=1)
        assert later.known_at > earlier.known_at
    assert income[-1].period_end <= date(2016, 3, 31)
    assert {one.fiscal_period for one in income if one.period_end.month == COMPANIES[symbol].year_end} == {"Q4"}


def test_a_fiscal_year_is_named_for_the_year_it_ends_in():
    newest = next(one for one in quarterly("VELQ", "income") if one.period_end == date(2024, 1, 31))
    assert (newest.fiscal_year, newest.fiscal_period, newest.period_start) == (2024, "Q4", date(2023, 11, 1))


@pytest.mark.parametrize("symbol", sampled(FILERS, every=3))
def test_statements_speak_in_our_item_names(symbol):
    for kind in KINDS:
        known = set(ITEMS[kind])
        for statement in quarterly(symbol, kind):
            assert set(statement.items) <= known
            assert known - set(statement.items) <= {"inventory"}
    lends = COMPANIES[symbol].sector in {"financials", "real-estate", "communication-services"}
    assert ("inventory" in quarterly(symbol, "balance")[0].items) == (not lends)


def test_a_longer_calendar_leaves_earlier_filings_as_they_were():
    whole = sessions("XNYS")
    calendar = Sessions("XNYS", whole.days[:-90], whole.opens[:-90], whole.closes[:-90])
    shorter = SimulatedVendor(calendar=calendar)
    for symbol in FILERS:
        known = shorter.get_statements(symbol, "cashflow", "quarterly")
        assert known == quarterly(symbol, "cashflow")[-len(known) :]
        assert quarterly(symbol, "cashflow")[-len(known) - 1].known_at > calendar.closes[-1]


def test_shares_are_counted_as_on_the_day_of_filing():
    income = {one.period_end: one for one in quarterly("VELQ", "income")}
    before, after = income[date(2021, 4, 30)], income[date(2021, 7, 31)]
    assert before.known_at.date() < date(2021, 7, 20) < after.known_at.date()
    assert after.items["shares_basic"] / before.items["shares_basic"] == pytest.approx(4.0, rel=0.01)


@pytest.mark.parametrize("symbol", ["OMBZ", "TOBQ", "HOMQ", "NODQ"])
def test_dividends_in_the_books_are_those_of_the_shares(symbol):
    bars = VENDOR.get_stock_data(symbol, date(2023, 1, 1), date(2024, 12, 31))
    flows = {one.period_end: one for one in quarterly(symbol, "cashflow")}
    for income in quarterly(symbol, "income"):
        assert income.period_start is not None
        if not (income.period_start >= date(2023, 2, 1) and income.period_end <= date(2024, 12, 31)):
            continue
        a_share = sum(paid.amount for paid in bars.dividends if income.period_start <= paid.day <= income.period_end)
        paid = -flows[income.period_end].items["dividends_paid"]
        assert paid / income.items["shares_basic"] == pytest.approx(a_share, rel=0.005)


@pytest.mark.parametrize("symbol", [*NO_STATEMENTS, "SPY", "^VIX", "TLT"])
def test_what_files_nothing_says_so_and_names_who_does(symbol):
    with pytest.raises(NoData, match=rf"^{symbol.replace('^', '.')} files no statements .*; these do: VELQ, OMBZ"):
        VENDOR.get_statements(symbol, "income", "quarterly")


@pytest.mark.parametrize("symbol", sampled(FILERS, every=3))
def test_earnings_beat_what_was_expected_exactly_when_they_surprise(symbol):
    for truth in VENDOR.earnings_truth(symbol):
        assert truth.revenue == pytest.approx(truth.expected_revenue * np.exp(0.015 * truth.surprise), rel=1e-5)
        assert (truth.eps - truth.expected_eps) * truth.surprise >= 0.0


def test_a_surprise_moves_the_first_open_after_the_filing():
    gaps: dict[bool, list[float]] = {True: [], False: []}
    for symbol in FILERS:
        bars = VENDOR.get_stock_data(symbol, date(2018, 1, 2), date(2026, 6, 30))
        for truth in VENDOR.earnings_truth(symbol):
            if (
                truth.reaction is None
                or abs(truth.surprise) < 1.0
                or not date(2018, 2, 1) < truth.reaction < date(2026, 6, 1)
            ):
                continue
            assert truth.reaction == sessions("XNYS").after(truth.filed_at.date())
            assert truth.jump == pytest.approx(0.03 * truth.surprise)
            at = int(np.searchsorted(bars.days, np.datetime64(truth.reaction)))
            gaps[truth.surprise > 0.0].append(float(np.log(bars.open[at] / bars.close[at - 1])))
    assert np.mean(gaps[True]) > 0.035
    assert np.mean(gaps[False]) < -0.035
    assert np.mean(np.array(gaps[True]) > 0.0) > 0.95


def test_prices_drift_on_after_a_surprise():
    drifts: dict[bool, list[float]] = {True: [], False: []}
    for symbol in FILERS:
        beta = VENDOR.traits(symbol).beta
        bars, index = (VENDOR.get_stock_data(name, date(2018, 1, 2), date(2026, 10, 30)) for name in (symbol, "SPY"))
        for truth in VENDOR.earnings_truth(symbol):
            if (
                truth.reaction is None
                or abs(truth.surprise) < 0.7
                or not date(2018, 2, 1) < truth.reaction < date(2026, 6, 1)
            ):
                continue
            at = int(np.searchsorted(bars.days, np.datetime64(truth.reaction)))
            own = np.log(bars.close[at + 40] / bars.close[at]) - beta * np.log(index.close[at + 40] / index.close[at])
            drifts[truth.surprise > 0.0].append(float(own))
    assert np.mean(drifts[True]) - np.mean(drifts[False]) > 0.03


def test_prices_are_a_plausible_multiple_of_earnings():
    multiples = []
    for symbol in FILERS:
        known = [one for one in quarterly(symbol, "income") if one.known_at.date() <= date(2024, 5, 10)][:4]
        bars = VENDOR.get_stock_data(symbol, date(2024, 5, 1), date(2024, 5, 10)).as_traded(date(2024, 5, 10))
        earned = sum(one.items["net_income"] for one in known)
        if earned > 0.0:
            multiples.append(float(bars.close[-1]) * known[0].items["shares_diluted"] / earned)
    assert len(multiples) > 50
    assert 12.0 < np.median(multiples) < 35.0
    assert np.percentile(multiples, 5) > 6.0


def test_the_good_and_the_bad_company_of_the_roster_live_up_to_it():
    for symbol, grows in (("VELQ", True), ("MODZ", False)):
        years = {one.fiscal_year: one.items for one in VENDOR.get_statements(symbol, "income", "annual")}
        bars = VENDOR.get_stock_data(symbol, date(2019, 12, 31), date(2025, 12, 31))
        assert (years[2025]["revenue"] > 1.8 * years[2019]["revenue"]) == grows
        assert (years[2025]["revenue"] < years[2019]["revenue"]) != grows
        assert (bars.close[-1] > 2.0 * bars.close[0]) == grows
        assert (bars.close[-1] < bars.close[0]) != grows
