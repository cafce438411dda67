"""Dividends that a source does not list come from its adjusted closes, or the symbol is refused with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.features.backtest.test_vendor_prices import services_of
from tests.support.snapshot_folder import write_prices
from tests.test_thin_prices import year_and_more
from tradingagents.dataflows.models import Dividend, Prices, Split
from tradingagents.dataflows.vendors.snapshot.prices import Actions, load_actions, load_prices
from tradingagents.errors import NoData
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.audit.second.prices import history_of, with_dividends_of_ratio
from tradingagents.features.backtest.financing.vendor_prices import with_unlisted_dividends
from tradingagents.features.backtest.limits import RiskLimits
from tradingagents.features.backtest.market import read_market
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.score import run_account
from tradingagents.features.backtest.strategies import constant_targets, month_starts

NEVER = datetime(2026, 1, 1, tzinfo=UTC)
KNOWN = [("BIL", 2024, 0.052), ("SPY", 2023, 0.2619), ("SPY", 2024, 0.2489)]
"""Total returns that the funds themselves publish, of the net asset value or nearly so."""

WHOLE = AccountRules(costs=NO_COSTS, limits=RiskLimits(1, 1.0, 1.0, 0.0), least_trade=0.0)


def unlisted(prices: Prices) -> Prices:
    """The same from a source that lists no dividends."""
    return replace(prices, dividends=())


def paying(count: int = 60, **more: object) -> Prices:
    days = days_of(count)
    closes = [90 + 5 * np.sin(place / 7) for place in range(count)]
    paid = [(days[place], 0.30 + place / 1000) for place in range(10, count, 15)]
    return made_prices("FUND", days, [round(one, 2) for one in closes], dividends=paid, **more)  # type: ignore[arg-type]


def test_a_dividend_by_hand():
    days = days_of(3)
    given = made_prices("FUND", days, [100.0, 99.5, 99.0])
    given = replace(given, adj_close=np.array([99.0, 99.5, 99.0]))  # 1 % of 100 was paid on the second day
    (paid,) = with_unlisted_dividends(given).dividends
    assert (paid.day, round(paid.amount, 9)) == (days[1], 1.0)
    assert paid.rounding > 0


def test_all_are_found_on_their_days_and_within_their_rounding():
    listed = paying()
    found = with_unlisted_dividends(unlisted(listed)).dividends
    assert [one.day for one in found] == [one.day for one in listed.dividends]
    for own, true in zip(found, listed.dividends, strict=True):
        assert abs(own.amount - true.amount) <= own.rounding


def test_listed_ones_are_used_and_nothing_is_added_to_them():
    listed = paying()
    assert with_unlisted_dividends(listed) is listed


def test_a_list_that_begins_late_is_completed_before_it():
    listed = paying()
    late = replace(listed, dividends=listed.dividends[2:])
    found = with_unlisted_dividends(late).dividends
    assert [one.day for one in found] == [one.day for one in listed.dividends]
    assert [bool(one.rounding) for one in found] == [True, True, *[False] * (len(found) - 2)]


def test_a_listed_dividend_is_not_paid_again_on_the_day_after():
    listed = paying()
    days = [day.item() for day in listed.days]
    moved = tuple(Dividend(days[days.index(one.day) + 1], one.amount) for one in listed.dividends)
    assert with_unlisted_dividends(replace(listed, dividends=moved)).dividends == moved


def test_a_spin_off_that_the_closes_show_is_paid_out():
    days = days_of(30)
    listed = made_prices("CO", days, [100.0] * 20 + [80.0] * 10, dividends=[(days[5], 1.0), (days[20], 20.0)])
    found = with_unlisted_dividends(replace(listed, dividends=listed.dividends[:1])).dividends
    assert [one.day for one in found] == [days[5], days[20]]
    assert found[1].amount == pytest.approx(20.0, abs=1e-3)


def test_a_split_on_the_way_leaves_amounts_in_shares_of_today():
    days = days_of(30)
    listed = made_prices(
        "FUND", days, [100.0] * 15 + [50.0] * 15, splits=[Split(days[15], 2.0)], dividends=[(days[5], 1.0)]
    )
    (paid,) = with_unlisted_dividends(unlisted(listed)).dividends
    assert (paid.day, paid.amount) == (days[5], pytest.approx(0.5, abs=1e-3))
    table = table_of(with_unlisted_dividends(unlisted(listed)), days=days)
    found = table.dividend("FUND", days[4], days[5])
    assert found is not None
    assert found.per_share == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("decimals", [2, 3, 4])
def test_rounding_is_no_dividend(decimals: int):
    days = days_of(250)
    closes = np.round(20 + 3 * np.sin(np.arange(250) / 9), 2)
    given = made_prices("CO", days, closes.tolist())
    rounded = replace(given, adj_close=np.round(closes * 1.0, decimals))
    assert with_unlisted_dividends(rounded).dividends == ()
    wobbling = replace(given, adj_close=np.round(closes * 0.9 / 0.9, decimals), close=closes)
    assert with_unlisted_dividends(wobbling).dividends == ()


def test_dividends_in_cents_are_found_where_they_are_larger_than_the_rounding():
    listed = paying()
    coarse = replace(unlisted(listed), adj_close=np.round(listed.adj_close, 2))
    found = with_unlisted_dividends(coarse).dividends
    assert [one.day for one in found] == [one.day for one in listed.dividends]
    assert all(abs(own.amount - true.amount) <= own.rounding < 0.03
               for own, true in zip(found, listed.dividends, strict=True))  # fmt: skip


def test_dividends_below_the_rounding_are_refused_and_not_lost():
    days = days_of(240)
    closes = [2.0] * 240
    listed = made_prices("FUND", days, closes, dividends=[(day, 0.004) for day in days[10::15]])
    coarse = replace(unlisted(listed), adj_close=np.round(listed.adj_close, 2))
    with pytest.raises(NoData, match=r"no dividends of FUND .* too small to be distinguished from their rounding"):
        with_unlisted_dividends(coarse)


def test_adjusted_closes_that_fall_against_the_closes_are_refused():
    given = unlisted(paying())
    adjusted = given.adj_close.copy()
    adjusted[30:] *= 0.9997
    with pytest.raises(NoData, match=r"they fall by 0\.0300% against the closes on 2024-02-14"):
        with_unlisted_dividends(replace(given, adj_close=adjusted))


def test_closes_that_contain_dividends_have_none_to_pay():
    given = replace(unlisted(paying()), basis="fully_adjusted")
    assert with_unlisted_dividends(given) is given


def test_the_second_book_derives_the_same_with_other_code():
    listed = paying()
    own, second = with_unlisted_dividends(unlisted(listed)), with_dividends_of_ratio(unlisted(listed))
    assert [one.day for one in own.dividends] == [one.day for one in second.dividends]
    assert [one.amount for one in own.dividends] == pytest.approx([one.amount for one in second.dividends], rel=1e-12)


def total_return(prices: Prices, first: date, last: date) -> float:
    """The return of an account that holds a symbol and reinvests at the next open, and in it the dividends."""
    days = tuple(day.item() for day in prices.days)
    inside = [day for day in days if first <= day <= last]
    flat = replace(prices, open=prices.close)  # so that reinvesting at an open makes nothing of its own
    account = run_account(table_of(flat, days=days), inside, replace(WHOLE, deposit=1e8),
                          constant_targets({prices.symbol: 1.0}, inside))  # fmt: skip
    equity = [line.mark.equity for line in account.ledger.lines]
    return equity[-1] / equity[1] - 1


def test_an_account_earns_what_the_adjusted_closes_say():
    listed = paying(240)
    days = [day.item() for day in listed.days]
    found = total_return(with_unlisted_dividends(unlisted(listed)), days[0], days[-1])
    assert found == pytest.approx(listed.adj_close[-1] / listed.adj_close[1] - 1, abs=5e-4)
    assert total_return(unlisted(listed), days[0], days[-1]) < found - 0.04


def recorded_prices(folder: Path) -> Iterator[Prices]:
    """All symbols of a snapshot as its vendor gives them."""
    table, actions = load_prices(folder / "prices.parquet"), load_actions(folder / "actions.csv")
    for symbol in table.symbols:
        bars, own = table.bars(symbol, date.min, date.max), actions.get(symbol, Actions())
        yield Prices(
            symbol=symbol, days=bars.days, **bars.columns, currency="USD", vendor="snapshot", fetched_at=NEVER,
            splits=own.splits, dividends=own.dividends, basis=bars.basis,
        )  # fmt: skip


@pytest.mark.real_data
def test_recorded_companies_list_what_would_be_derived(test_data: Path):
    checked, errors = 0, []
    for prices in recorded_prices(test_data / "snapshot"):
        if prices.basis != "split_adjusted" or not prices.dividends:
            continue
        found = {one.day: one for one in with_unlisted_dividends(unlisted(prices)).dividends}
        places = np.searchsorted(prices.days, np.array([one.day for one in prices.dividends], "datetime64[D]"))
        inside = [(one, int(at)) for one, at in zip(prices.dividends, places, strict=True) if 0 < at < len(prices)]
        first = inside[0][0].day
        assert {day for day in found if day >= first} == {one.day for one, _ in inside}, prices.symbol
        for dividend, at in inside:
            assert abs(found[dividend.day].amount - dividend.amount) <= found[dividend.day].rounding, (
                prices.symbol,
                dividend,
            )
            errors.append(abs(found[dividend.day].amount - dividend.amount) / prices.close[at - 1])
        checked += len(inside)
    assert checked == 443
    assert np.median(errors) < 2e-7
    assert max(errors) < 1e-6


@pytest.mark.real_data
def test_recorded_funds_earn_their_total_return(test_data: Path):
    checked = []
    for prices in recorded_prices(test_data / "snapshot"):
        found = with_unlisted_dividends(prices)
        if prices.basis != "split_adjusted" or prices.dividends or not found.dividends:
            continue
        checked.append(prices.symbol)
        days = [day.item() for day in prices.days]
        earned = total_return(found, days[0], days[-1])
        # A large dividend on a day of a large move counts otherwise: it is cash by the open, and no part of the close.
        least = 5e-4 if prices.symbol in ("SPY", "QQQ", "VTI", "AGG", "IEF", "TLT", "SHY", "BIL") else 2e-3
        assert earned == pytest.approx(prices.adj_close[-1] / prices.adj_close[1] - 1, abs=least), prices.symbol
        second = history_of(with_dividends_of_ratio(prices), days).dividends
        own = table_of(found, days=days)
        for day, amount in second.items():
            paid = own.dividend(prices.symbol, days[days.index(day) - 1], day)
            assert paid is not None
            assert paid.per_share == pytest.approx(amount, abs=1e-9)
    assert len(checked) == 17


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("symbol", "year", "wanted"), [("BIL", 2024, 0.052), ("SPY", 2023, 0.2619), ("SPY", 2024, 0.2489)]
)
def test_the_returns_that_are_known(test_data: Path, symbol: str, year: int, wanted: float):
    prices = with_unlisted_dividends(
        next(one for one in recorded_prices(test_data / "snapshot") if one.symbol == symbol)
    )
    days = [day.item() for day in prices.days]
    first = max(day for day in days if day.year < year)
    last = max(day for day in days if day.year == year)
    begun = days[days.index(first) - 1]
    assert total_return(prices, begun, last) == pytest.approx(wanted, abs=1e-3)


@pytest.mark.real_data
def test_60_40_earns_what_the_adjusted_closes_say(test_data: Path):
    funds = {one.symbol: one for one in recorded_prices(test_data / "snapshot") if one.symbol in ("SPY", "AGG")}
    days = [day.item() for day in funds["SPY"].days]
    weights, months = {"SPY": 0.6, "AGG": 0.4}, month_starts(days)
    flat = [replace(with_unlisted_dividends(one), open=one.close) for one in funds.values()]
    rules = replace(WHOLE, deposit=1e8, limits=RiskLimits(2, 1.0, 1.0, 0.0))
    account = run_account(table_of(*flat, days=days), days, rules, constant_targets(weights, months))
    worth = 1.0
    rebalanced = [days.index(day) + 1 for day in months if day != days[-1]]  # traded on the session after
    for first, last in pairwise([*rebalanced, len(days) - 1]):
        worth *= sum(share * funds[one].adj_close[last] / funds[one].adj_close[first] for one, share in weights.items())
    earned = account.ledger.lines[-1].mark.equity / 1e10
    assert earned == pytest.approx(worth, abs=2e-3)
    unpaid = [replace(one, dividends=(), open=one.close) for one in funds.values()]
    lost = run_account(table_of(*unpaid, days=days), days, rules, constant_targets(weights, months))
    assert lost.ledger.lines[-1].mark.equity / 1e10 < worth - 0.07


def test_a_fund_that_pays_and_has_no_dividend_anywhere_is_no_baseline_and_no_ticker(tmp_path: Path):
    folder = year_and_more(tmp_path / "f")  # its SPY and TLT have adjusted closes that are their closes
    asked = BacktestRequest(tickers=("ACMQ",), start=date(2025, 1, 15), end=date(2025, 3, 14), every=12)
    found = read_market(services_of(folder, tmp_path), asked)
    assert "SPY" not in found.funds
    assert [
        one for one in found.warnings if one.startswith("SPY is left out of the baselines: snapshot has no dividends")
    ]
    with pytest.raises(NoData, match="No dividend of SPY is listed or in the adjusted closes"):
        read_market(services_of(folder, tmp_path), replace(asked, tickers=("SPY",)))


def test_a_refused_fund_is_named_with_its_reason(tmp_path: Path):
    folder = year_and_more(tmp_path / "f")
    rows = pq.ParquetFile(folder / "prices.parquet").read().to_pylist()
    for row in rows:
        if row["symbol"] == "TLT" and row["date"].date() > date(2024, 6, 3):
            row["adj_close"] *= 0.9997
    write_prices(folder, rows)
    asked = BacktestRequest(tickers=("ACMQ",), start=date(2025, 1, 15), end=date(2025, 3, 14), every=12)
    (told,) = [one for one in read_market(services_of(folder, tmp_path), asked).warnings if one.startswith("TLT")]
    assert told.startswith("TLT is left out of the baselines: snapshot lists no dividends of TLT")
