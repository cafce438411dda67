"""What cash earns: rates known at each close, interest by hand, and returns beyond bills."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.features.backtest.audit.made_backtests import made, services_of
from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.features.backtest.test_accounting import FREE, always, once, postings, run
from tests.features.backtest.test_backtest import ASKED, services_in
from tradingagents.analytics.performance import performance
from tradingagents.dataflows.models import MacroSeries, Prices
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.errors import NoData
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.book import Book
from tradingagents.features.backtest.financing.bills import (
    SHORT_RATES,
    BillRates,
    _known_at,
    bill_record,
    interest,
    read_bills,
)
from tradingagents.features.backtest.financing.vendor_prices import read_prices
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import ShortRules
from tradingagents.features.backtest.market import read_market
from tradingagents.features.backtest.pages.report import backtest_report, conventions
from tradingagents.features.backtest.postings import Deposit, Interest
from tradingagents.features.backtest.run import backtest
from tradingagents.features.backtest.score import run_account, score_account

FIRST = date(2024, 1, 2)
"""A Tuesday."""


def rates_of(days: tuple[date, ...], rate: float = 0.0365) -> BillRates:
    return BillRates(dict.fromkeys(days, rate), "made")


def test_cash_earns_the_rate_known_at_the_close_before_on_calendar_days():
    days = days_of(6)  # Tuesday to Tuesday: 1, 1, 1, 3 and 1 days
    bills = BillRates(dict(zip(days, (0.0365, 0.0365, 0.0365, 0.0730, 0.0, 9.0), strict=True)), "made")
    ledger, table = BookLedger(), table_of(made_prices("A", days, [10.0] * 6), days=days)
    run(ledger, table, days, replace(FREE, bills=bills), always({}))
    # 10,000.00 at 3.65 % a year earn 1.00 a day; 10,003.00 at 7.30 % earn 6.0018 over a weekend
    assert [(day, one.value, one.days) for day, one in postings(ledger, Interest)] == [  # type: ignore[attr-defined]
        (days[1], 100, 1), (days[2], 100, 1), (days[3], 100, 1), (days[4], 600, 3)
    ]  # fmt: skip
    assert ledger.book.cash == 1_000_900
    assert ledger.book.interest == 900
    assert ledger.book.to_json()["interest"] == 900


def test_what_is_invested_earns_no_interest_and_the_days_purchase_does_not_lose_the_nights():
    days = days_of(3)
    ledger, table = BookLedger(), table_of(made_prices("A", days, [100.0] * 3), days=days)
    run(ledger, table, days, replace(FREE, bills=rates_of(days)), once(days[0], {"A": 0.5}))
    assert [one.cash for _, one in postings(ledger, Interest)] == [1_000_000, 500_100]  # type: ignore[attr-defined]


def test_borrowed_shares_are_secured_by_cash_that_earns_nothing_and_a_debt_pays():
    days, bills = days_of(2), rates_of(days_of(2), 0.365)
    book = Book(cash=1_500_000, lots={})
    (whole,) = interest(book, {}, *days, bills)
    assert (whole.cash, whole.value) == (1_500_000, 1_500)
    short = replace_lots(book, {"A": -50})
    (part,) = interest(short, {"A": 100.0}, *days, bills)
    assert (part.cash, part.value) == (1_000_000, 1_000)
    assert interest(replace_lots(book, {"A": -500}), {"A": 100.0}, *days, bills) == []
    debt = Book(cash=-100_000)
    (owed,) = interest(debt, {}, *days, bills)
    assert owed.value == -100
    debt.apply(days[1], owed)
    assert debt.cash == -100_100


def replace_lots(book: Book, shares: dict[str, int]) -> Book:
    from tradingagents.features.backtest.book import Lot

    return Book(cash=book.cash, lots={one: (Lot(FIRST, count, 100 * count),) for one, count in shares.items()})


def test_negative_rates_take_from_cash_but_never_make_a_debt():
    book, days = Book(cash=1), days_of(2)
    assert interest(book, {}, *days, rates_of(days, -0.5)) == []
    (paid,) = interest(Book(cash=1_000_000), {}, *days, rates_of(days, -0.00365))
    assert paid.value == -10


def test_a_rate_counts_from_the_close_by_which_it_was_published():
    close = [(day, datetime(2024, 1, day.day, 21, tzinfo=UTC)) for day in days_of(4)]
    oldest = SHORT_RATES["USD"].oldest
    known = [
        (datetime(2024, 1, 3, 21, tzinfo=UTC), date(2024, 1, 2), 0.05),  # known at the close of the next day
        (datetime(2024, 1, 4, 21, 0, 1, tzinfo=UTC), date(2024, 1, 3), 0.06),  # a second after the close of the 4th
        (datetime(2024, 1, 5, 10, tzinfo=UTC), date(2024, 1, 1), 0.99),  # late news of an earlier day
    ]
    assert _known_at(known, close, oldest) == {
        date(2024, 1, 3): 0.05, date(2024, 1, 4): 0.05, date(2024, 1, 5): 0.06
    }  # fmt: skip
    old = [(datetime(2023, 11, 1, tzinfo=UTC), date(2023, 11, 1), 0.05)]
    assert _known_at(old, close, oldest) == {}


def test_an_account_of_cash_alone_makes_bills_and_has_no_ratio():
    days = days_of(60)
    bills = BillRates({day: 0.05 + 0.0001 * number for number, day in enumerate(days)}, "made")
    rules = replace(FREE, deposit=1_234.56, bills=bills)
    table = table_of(made_prices("A", days, np.linspace(10, 12, 60).tolist()), days=days)
    cash = run_account(table, days, rules, always({}))
    record = bill_record(bills, days)
    assert record is not None
    assert cash.returns.sum() > 0.01
    assert cash.equity[-1] / cash.equity[0] - 1 == pytest.approx(record.total_return, abs=2e-5)  # cents of 1,234.56
    assert not cash.excess.any()
    held = run_account(table, days, rules, once(days[0], {"A": 1.0}))
    score = score_account(cash, held)
    assert (score.sharpe, score.sortino, score.probabilistic_sharpe, score.beyond_bills) == (None, None, None, 0.0)
    assert score.exposure_matched_alpha == 0.0
    assert score.interest == pytest.approx(float(cash.equity[-1] - cash.equity[0]))
    assert cash.matched(held) == pytest.approx(cash.returns, abs=5e-6)


def test_half_a_benchmark_and_half_in_bills_is_no_better_than_the_benchmark():
    days = days_of(80)
    closes = 100 * np.cumprod(1 + np.random.default_rng(5).normal(0.001, 0.01, 80))
    table, bills = table_of(made_prices("A", days, closes.tolist()), days=days), rates_of(days, 0.05)
    rules = AccountRules(1e8, NO_COSTS, FREE.limits, least_trade=0.0, bills=bills)
    held = run_account(table, days, rules, once(days[0], {"A": 1.0}))
    half = run_account(table, days, rules, always({"A": 0.5}))
    score = score_account(half, held)
    assert score.exposure_matched_alpha == pytest.approx(0.0, abs=2e-3)
    plain = half.returns - half.share_of(held) * held.returns  # with cash that earns nothing in the comparison
    assert float(plain.mean()) * 252 > 0.02


def test_ratios_are_beyond_the_bill_of_each_session_and_returns_are_total():
    days = days_of(4)
    bills = BillRates(dict(zip(days, (0.365, 0.73, 0.0, 0.0), strict=True)), "made")  # 0.1 %, 0.2 %, 0 % a session
    table = table_of(made_prices("A", days, [100.0, 102.0, 101.0, 103.0]), days=days)
    account = run_account(table, days, replace(FREE, deposit=1e7, bills=bills), once(days[0], {"A": 1.0}))
    score = score_account(account, None)
    excess = account.returns - np.array([0.001, 0.002, 0.0])
    assert score.total_return == pytest.approx(account.equity[-1] / 1e7 - 1)
    assert score.sharpe == pytest.approx(excess.mean() / excess.std(ddof=1) * np.sqrt(252))
    assert score.beyond_bills == pytest.approx(excess.mean() * 252)
    assert score.annual_volatility == pytest.approx(account.returns.std(ddof=1) * np.sqrt(252))
    without = score_account(replace(account, bills=None), None)
    assert without.beyond_bills is None
    assert without.sharpe == performance(account.returns).sharpe


def test_the_regression_on_the_fund_is_of_returns_beyond_bills():
    days, random = days_of(120), np.random.default_rng(3)
    fund = 100 * np.cumprod(1 + random.normal(0.0005, 0.01, 120))
    own = 100 * np.cumprod(1 + random.normal(0.0005, 0.01, 120))
    table = table_of(made_prices("F", days, fund.tolist()), made_prices("A", days, own.tolist()), days=days)
    rules = replace(FREE, deposit=1e7, bills=rates_of(days, 0.05))
    market = run_account(table, days, rules, once(days[0], {"F": 1.0}))
    account = run_account(table, days, rules, once(days[0], {"A": 0.5, "F": 0.3}))
    found = score_account(account, None, fund=market).regression
    assert found is not None
    beta, alpha = np.polyfit(market.excess, account.excess, 1)
    assert (found.alpha, found.beta) == (pytest.approx(alpha * 252), pytest.approx(beta))
    plain = np.polyfit(market.returns, account.returns, 1)[1]
    assert plain - alpha == pytest.approx(0.05 / 365 * 1.45 * (1 - beta), rel=0.02)  # cash is no skill


def test_a_posting_of_interest_is_in_the_ledger_as_it_was(tmp_path: Path):
    days, path = days_of(3), tmp_path / "ledger.jsonl"
    table = table_of(made_prices("A", days, [10.0] * 3), days=days)
    ledger = BookLedger(path)
    run(ledger, table, days, replace(FREE, bills=rates_of(days)), always({}))
    assert BookLedger(path).book == ledger.book
    assert postings(BookLedger(path), Interest)[0][1] == Interest(1_000_000, 1, 0.0365, 100)
    assert [type(one) for one in ledger.lines[0].postings] == [Deposit]


def test_short_sellers_get_interest_on_their_own_money_only():
    days = days_of(3)
    table = table_of(made_prices("A", days, [100.0] * 3), days=days)
    rules = replace(FREE, shorts=ShortRules(borrow_bp=0.0), bills=rates_of(days))
    ledger = BookLedger()
    run(ledger, table, days, rules, once(days[0], {"A": -0.1}))
    assert ledger.book.cash > 1_050_000  # with what the sale brought
    assert [one.cash for _, one in postings(ledger, Interest)] == [1_000_000, 1_000_100]  # type: ignore[attr-defined]


def test_the_simulated_market_has_bills(tmp_path: Path):
    market = read_market(services_in(tmp_path), ASKED)
    assert market.bills is not None
    assert {*market.bills.rates} == {*market.days[:-1]}
    assert 0.0 < min(market.bills.rates.values()) < max(market.bills.rates.values()) < 0.2


def test_a_currency_without_rates_earns_nothing_and_says_so(tmp_path: Path):
    services, days = services_in(tmp_path), days_of(10)
    with pytest.raises(NoData, match="short rates in XYZ"):
        read_bills(services, "XYZ", sessions(), days)
    with pytest.raises(NoData, match="IR3TIB01EZM156N"):
        read_bills(services, "EUR", sessions(), days)


class WithoutSeries(SimulatedVendor):
    """Has the discount rate of the 13-week bill as a price, and no series of its yield."""

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        raise NoData(f"no series {series}")

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        if symbol != "^IRX":
            return super().get_stock_data(symbol, start, end)
        days = sessions().between(start, end)
        return made_prices(symbol, days, [discount_of(day) for day in days])


def discount_of(day: date) -> float:
    return 5.0 if day < date(2024, 10, 1) else 5.0 + 0.01 * day.day


def test_without_the_series_dollars_earn_the_yield_of_the_13_week_bill(tmp_path: Path):
    services, days = services_of(tmp_path, WithoutSeries()), sessions().between(date(2024, 9, 30), date(2024, 10, 31))
    bills = read_bills(services, "USD", sessions(), days)
    assert bills.source == "yield of the 13-week Treasury bill (^IRX, made)"
    assert bills.rates[days[0]] == pytest.approx(0.051343, abs=1e-6)  # 365 times 5 % over 360 - 91 times 5 %
    known = 0.05 + 0.0001 * days[2].day  # vendors have a close a moment after it, so that of the session before counts
    assert bills.rates[days[3]] == pytest.approx(365 * known / (360 - 91 * known))
    assert made(tmp_path, services=services).audited().kinds == frozenset()


async def test_a_report_says_what_ratios_are_beyond(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = await backtest(services_in(tmp_path), ASKED)
    record = found.record
    assert record["bills"]["source"] == "Treasury yield, 3 months (DGS3MO, simulated)"
    assert record["strategies"]["decisions"]["beyond_bills"] is not None
    assert record["strategies"]["decisions"]["interest"] > 0
    assert record["strategies"]["decisions"]["regression"]["sessions"] == record["sessions"] - 1
    assert record["strategies"]["benchmark"]["regression"] is None
    report = backtest_report(record)
    assert "Sharpe beyond bills" in report
    assert "Cash earned the same." in report
    earlier = {**record, "bills": None}
    del earlier["bills"]  # as results of earlier versions are
    for strategy in earlier["strategies"].values():
        del strategy["beyond_bills"], strategy["interest"], strategy["regression"]
    told = backtest_report(earlier)
    assert "Sharpe of plain returns" in told
    assert "ratios are of plain returns" in conventions(earlier)

    def none(*_: Any) -> BillRates:
        raise NoData("nobody knows it")

    monkeypatch.setattr("tradingagents.features.backtest.market.read_bills", none)
    without = await backtest(services_in(tmp_path), ASKED)
    assert without.result.bills is None
    assert any("cash earns nothing" in one and "nobody knows it" in one for one in without.result.warnings)
    assert without.result.strategies["decisions"].interest == 0.0


@pytest.mark.real_data
def test_bills_of_2024_made_what_a_bill_fund_made_and_its_fee(tmp_path: Path, test_data: Path):
    services = services_in(tmp_path, data_vendor="snapshot", data_dir=str(test_data / "snapshot"))
    days = sessions().between(date(2023, 12, 29), date(2024, 12, 31))
    bills = read_bills(services, "USD", sessions(), days)
    record = bill_record(bills, days)
    assert record is not None
    fund = read_prices(services, "BIL", days[0], days[-1])
    made = float(fund.adj_close[-1] / fund.adj_close[0] - 1)
    assert made == pytest.approx(0.0519, abs=2e-4)
    # The fund's fee is 0.1356 %; the rest is interest on each day's interest and the shorter bills of the fund.
    assert 0.0013 < record.total_return - made < 0.0025
    cash = run_account(table_of(fund, days=days), days, replace(FREE, deposit=1e6, bills=bills), always({}))
    assert cash.equity[-1] / 1e6 - 1 == pytest.approx(record.total_return, abs=1e-6)
