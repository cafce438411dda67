"""Outcomes from prices: splits and dividends, missing benchmarks, stocks that stopped trading, other markets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import numpy as np
import pytest

from tests.support.fakes import RowsVendor, clock, make_prices
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, Split
from tradingagents.errors import AllVendorsFailed, NoData, VendorDown
from tradingagents.graph.evaluation.decision import Case
from tradingagents.graph.evaluation.lessons import describe_reported_outcome
from tradingagents.graph.evaluation.outcome import NotYet, measure
from tradingagents.memory.cohort import Cohort
from tradingagents.memory.outcome import Said
from tradingagents.schemas.records import JudgedByRecord
from tradingagents.settings import Settings

START, END = date(2025, 3, 14), date(2025, 4, 14)


def case(price: float, *, action: str = "BUY", ticker: str = "ACME", benchmark: str | None = "SPY") -> Case:
    return Case(
        run_id="r1",
        ticker=ticker,
        sector=None,
        currency="USD",
        trade_date=START,
        reports={},
        debates={},
        agents={"Risk Manager": Said(action, 0.6)},
        models={},
        vintage="v",
        cohort=Cohort("real", "models"),
        judged_by=JudgedByRecord(
            as_of_price=price,
            as_of_session=START.isoformat(),
            horizon_days=30,
            until="2025-04-13",
            benchmark=benchmark,
        ),
    )


def market(
    prices: Mapping[str, Prices], as_of: date = date(2025, 5, 1), *, error: Exception | None = None
) -> MarketData:
    vendor = RowsVendor(prices=prices, error=error)
    vendors = Vendors(settings := Settings(data_vendor="rows", tool_vendors={}), {"rows": vendor})
    return MarketData(settings, as_of, vendors=vendors, now=clock)


def close(prices: Prices, day: date) -> float:
    return float(prices.close[int(np.searchsorted(prices.days, np.datetime64(day)))])


def test_an_outcome_by_hand():
    stock, spy = make_prices(step=0.5), make_prices("SPY", start=400, step=0.4)
    found = measure(case(close(stock, START)), market({"ACME": stock, "SPY": spy}))
    assert found.total_return == pytest.approx(close(stock, END) / close(stock, START) - 1)
    assert found.benchmark_return == pytest.approx(close(spy, END) / close(spy, START) - 1)
    assert (found.start, found.end, found.settled_on, found.vendor) == (START, END, END, "rows")
    assert found.drawdown == 0


def test_a_decision_that_knew_the_weekend_s_news_is_judged_from_the_next_open():
    stock, spy = make_prices(step=0.5), make_prices("SPY", start=400, step=0.4)
    known = case(close(stock, START))
    assert known.judged_by is not None
    monday = date(2025, 3, 17)
    found = measure(
        replace(known, judged_by=known.judged_by.model_copy(update={"entry_open": monday.isoformat()})),
        market({"ACME": stock, "SPY": spy}),
    )
    at = int(np.searchsorted(stock.days, np.datetime64(monday)))
    adjusted_open = float(stock.open[at] * stock.adj_close[at] / stock.close[at])
    assert (found.start, found.end, found.as_of_price) == (monday, END, close(stock, START))
    assert found.total_return == pytest.approx(close(stock, END) / adjusted_open - 1)


def test_a_split_within_the_window_changes_no_return_and_the_as_of_price_is_that_of_the_day():
    # The vendor shows half of what was traded before the split.
    halved = replace(make_prices(step=0.5, start=50), splits=(Split(date(2025, 3, 31), 2.0),))
    found = measure(case(2 * close(halved, START)), market({"ACME": halved, "SPY": make_prices("SPY")}))
    assert found.total_return == pytest.approx(close(halved, END) / close(halved, START) - 1)


def test_a_split_after_the_window_changes_nothing_at_all():
    halved = replace(make_prices(step=0.5, start=50), splits=(Split(date(2025, 6, 2), 2.0),))
    found = measure(
        case(2 * close(halved, START)), market({"ACME": halved, "SPY": make_prices("SPY")}, date(2025, 8, 1))
    )
    assert found.total_return == pytest.approx(close(halved, END) / close(halved, START) - 1)


def test_a_dividend_within_the_window_counts():
    plain = make_prices(step=0.0)
    paid = np.datetime64("2025-04-01")
    adjusted = replace(plain, adj_close=np.where(plain.days < paid, 98.0, 100.0))
    found = measure(case(100.0), market({"ACME": adjusted, "SPY": make_prices("SPY")}))
    assert found.total_return == pytest.approx(100 / 98 - 1)


def test_what_came_after_the_window_does_not_reach_the_outcome():
    stock = make_prices(step=0.5)
    poisoned = replace(stock, adj_close=np.where(stock.days > np.datetime64(END), 1e6, stock.adj_close))
    spy = make_prices("SPY")
    asked = case(close(stock, START))
    clean = measure(asked, market({"ACME": stock, "SPY": spy}))
    assert measure(asked, market({"ACME": poisoned, "SPY": spy}, date(2025, 8, 1))) == clean


@pytest.mark.parametrize("benchmark", [None, "NONE"])
def test_without_a_benchmark_there_is_no_comparison(benchmark: str | None):
    found = measure(case(100.0, benchmark=benchmark), market({"ACME": make_prices(step=0.0)}))
    assert (found.benchmark, found.benchmark_return, found.total_return) == (benchmark, None, 0.0)


def test_a_window_that_has_not_passed_is_not_settled():
    with pytest.raises(NotYet, match="settle it after that"):
        measure(case(100.0), market({"ACME": make_prices(step=0.0)}, date(2025, 4, 13)))


@pytest.mark.parametrize("last", [date(2025, 4, 11), date(2025, 3, 14), date(2025, 3, 20)])
def test_a_stock_that_stopped_trading_stays_unsettled(last: date):
    delisted = make_prices(step=0.0, last=last)
    with pytest.raises(NoData):
        measure(case(100.0), market({"ACME": delisted, "SPY": make_prices("SPY")}))


def test_prices_of_another_market_are_refused():
    with pytest.raises(
        NoData, match=r"rows has ACME at 100\.00 on 2025-03-14, the run had it at 57\.00: settle it with"
    ):
        measure(case(57.0), market({"ACME": make_prices(step=0.0), "SPY": make_prices("SPY")}))


def test_a_vendor_that_is_silent_for_now_is_waited_for():
    with pytest.raises(AllVendorsFailed):
        measure(case(100.0), market({"ACME": make_prices(step=0.0)}, error=VendorDown("down.")))


def test_another_exchange_keeps_its_own_sessions():
    from tradingagents.dataflows.reference.calendar import sessions

    tokyo = sessions("XTKS")
    days = np.array(tokyo.between(date(2024, 12, 2), date(2025, 6, 30)), dtype="datetime64[D]")
    flat: dict[str, Any] = {name: np.full(len(days), 100.0) for name in ("open", "high", "low", "close", "adj_close")}
    stock = replace(make_prices("7203.T"), days=days, volume=np.full(len(days), 1.0), **flat)
    found = measure(case(100.0, ticker="7203.T"), market({"7203.T": stock, "SPY": make_prices("SPY", step=0.0)}))
    assert (found.end, found.settled_on, found.benchmark_return) == (END, END, 0.0)


@pytest.mark.parametrize(("strength", "told"), [(None, "Confidence: 0.49"), (0.64, "Strength: 0.64")])
def test_a_lesson_says_how_sure_a_model_or_rules_were(strength: float | None, told: str):
    said = Said("BUY", 0.49, strength=strength)
    assert describe_reported_outcome(said, "5 %").text.splitlines()[:2] == ["Action: BUY", told]
