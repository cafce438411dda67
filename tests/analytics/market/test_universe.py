"""Breadth, mood, factors and ranks over a few made-up stocks, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest

from tests.support.builders import statement
from tests.support.fakes import make_prices
from tradingagents.analytics.market.factors import FACTORS, factor_regression, factor_returns, factor_series
from tradingagents.analytics.market.fear_greed import SYMBOLS, fear_greed, mood_of
from tradingagents.analytics.market.market_breadth import market_breadth
from tradingagents.analytics.market.universe import CompanyBooks, Universe, top_companies, universe
from tradingagents.dataflows.models import Prices, SectorMember
from tradingagents.errors import NoData

AS_OF = date(2025, 3, 14)
KNOWN = datetime(2025, 3, 14, 20, tzinfo=UTC)
RNG = np.random.default_rng(11)


def stock(symbol: str, closes: np.ndarray) -> Prices:
    bars = make_prices(symbol, last=AS_OF)
    column = closes[-len(bars) :]
    assert len(column) == len(bars)
    return replace(bars, close=column, adj_close=column.copy(), open=column, high=column, low=column)


def walk(drift: float, spread: float) -> np.ndarray:
    return 100 * np.cumprod(1 + RNG.normal(drift, spread, len(make_prices(last=AS_OF))))


def rising(slope: float) -> np.ndarray:
    return 100 + slope * np.arange(len(make_prices(last=AS_OF)))


def of(series: dict[str, np.ndarray], sector: str = "technology") -> Universe:
    prices = {symbol: stock(symbol, closes) for symbol, closes in series.items()}
    members = {sector: [SectorMember(symbol, f"{symbol} Works") for symbol in series]}
    found = universe(members, prices)
    assert found is not None
    return found


def test_a_stock_that_stopped_trading_is_no_part_of_the_universe():
    short = stock("GONE", rising(0.1)).upto(date(2025, 3, 1))
    members = {"energy": [SectorMember("ACME", "Acme"), SectorMember("GONE", "Gone")]}
    found = universe(members, {"ACME": stock("ACME", rising(0.1)), "GONE": short})
    assert found is not None
    assert found.symbols == ("ACME",)
    assert universe(members, {}) is None


def test_breadth_counts_what_rose_and_what_stands_above_its_mean():
    fell = rising(0.1)
    fell[-1] = 1.0
    found = market_breadth(
        of({"UPPA": rising(0.1), "UPPB": rising(0.2), "DOWN": rising(-0.1), "FELL": fell}),
        as_of=AS_OF,
        session=AS_OF,
        known_at=KNOWN,
    )
    assert (found.stocks, found.advancing, found.declining) == (4, 2, 2)
    assert (found.advancing_pct, found.above_50_pct, found.above_200_pct) == (50, 50, 50)
    assert (found.new_highs, found.new_lows) == (2, 2)
    (sector,) = found.sectors
    assert (sector.sector, sector.stocks, sector.above_200_pct) == ("technology", 4, 50)


def test_the_mood_is_greed_where_everything_stands_at_its_highest():
    n = len(make_prices(last=AS_OF))
    speeding = 100 + 0.0005 * np.arange(n) ** 2
    series = {symbol: stock(symbol, speeding) for symbol in SYMBOLS}
    series |= {"^VIX": stock("^VIX", 100 * np.exp(-1e-6 * np.arange(n) ** 2)), "TLT": stock("TLT", 100 + 0 * speeding)}
    series |= {"LQD": stock("LQD", 100 + 0 * speeding)}
    found = fear_greed(series, as_of=AS_OF, known_at=KNOWN)
    by_name = {one.name: one.score for one in found.components}
    assert by_name["volatility"] == 100
    assert by_name["breadth"] == 100
    assert found.score == pytest.approx(sum(by_name.values()) / 5)
    assert found.mood == mood_of(found.score)
    assert [mood_of(score) for score in (24.9, 25, 45, 55, 55.1, 75.1)] == [
        *("extreme fear", "fear", "neutral", "neutral", "greed", "extreme greed"),
    ]


def test_the_mood_needs_three_components():
    with pytest.raises(NoData, match="1 of 5 components"):
        fear_greed({"^GSPC": stock("^GSPC", rising(0.1))}, as_of=AS_OF, known_at=KNOWN)


def books(shares: float, equity: float, income: float, filed: date = date(2023, 2, 1)) -> CompanyBooks:
    """Two years of the same figures, the second filed a year after the first."""
    earned = {"net_income": income, "shares_diluted": shares}
    years = [(date(2022 + number, 12, 31), filed + timedelta(days=365 * number)) for number in range(2)]
    return CompanyBooks(
        tuple(statement(end, earned, "income", "annual", filed=known) for end, known in years),
        tuple(statement(end, {"equity": equity}, "balance", "annual", filed=known) for end, known in years),
    )


def test_each_factor_sorts_by_what_it_says():
    names = [f"S{number}" for number in range(10)]
    drifts = {name: walk(0.0002 * number, 0.004 + 0.002 * number) for number, name in enumerate(names)}
    known = {
        name: books(1e6 * (number + 1), 1e7 * (number + 1) ** 3, 1e6 * (number + 1) ** 4)
        for number, name in enumerate(names)
    }
    series = factor_series(of(drifts), known, stock("SPY", walk(0.0003, 0.01)))
    assert tuple(series.returns) == FACTORS
    assert set(series.longs["size"]) == {"S0", "S1", "S2"}, "the smallest are long"
    assert set(series.longs["quality"]) == {"S9", "S8", "S7"}
    assert set(series.longs["low_volatility"]) <= set(names[:5])
    assert {len(values) for values in series.returns.values()} == {len(series.days)} == {252}


def test_a_factor_is_the_mean_of_one_side_less_the_other():
    names = [f"S{number}" for number in range(6)]
    stocks = of({name: walk(0.0004 * number, 0.01) for number, name in enumerate(names)})
    series = factor_series(stocks, {}, None, sessions=63)
    assert tuple(series.returns) == ("momentum", "low_volatility")
    last = len(series.days) - 1 - (len(series.days) - 1) % 21  # the first day of the last period
    daily = stocks.returns[-len(series.days) :][last:]
    long, short = (stocks.symbols.index(one["momentum"][0]) for one in (series.longs, series.shorts))
    assert series.returns["momentum"][last:] == pytest.approx(daily[:, long] - daily[:, short])
    closes = stocks.closes[: len(stocks.days) - (len(series.days) - last)]
    past = closes[-1 - 21] / closes[-1 - 252] - 1
    assert (int(np.argmax(past)), int(np.argmin(past))) == (long, short)


def test_a_stock_whose_trading_does_not_fit_its_count_is_sorted_by_no_market_value():
    """Of 3 million shares at about 100 each, 5 million change hands on a usual day: other shares are counted."""
    names = [f"S{number}" for number in range(10)]
    counts_of_three_million = {name: books(3e6, 1e7, 1e6) for name in names}
    stocks = of({name: walk(0.0, 0.001) for name in names})
    counted = [
        factor_series(replace(stocks, usual_volumes=(usual, *9 * (1e6,))), counts_of_three_million, None).counts
        for usual in (1e6, 5e6)
    ]
    assert [(counts["size"], counts["value"], counts["quality"]) for counts in counted] == [(10, 10, 10), (9, 9, 10)]


def test_a_statement_counts_from_the_day_it_was_filed():
    """Filed after the window, it changes nothing in it."""
    names = [f"S{number}" for number in range(8)]
    stocks = of({name: walk(0.0, 0.01) for name in names})
    late = {name: books(1e6, 1e7, 1e6, filed=AS_OF) for name in names}
    assert set(factor_series(stocks, late, None).returns) == {"momentum", "low_volatility"}


def test_a_stock_made_of_the_factors_gets_its_loadings_back():
    names = [f"S{number}" for number in range(10)]
    stocks = of({name: walk(0.0001 * number, 0.01) for number, name in enumerate(names)})
    market = stock("SPY", walk(0.0003, 0.01))
    series = factor_series(stocks, {}, market)
    returns = 0.001 + 1.5 * series.returns["market"] - 0.5 * series.returns["momentum"]
    closes = np.concatenate((np.full(len(market) - len(returns), 100.0), 100 * np.cumprod(1 + returns)))
    result = factor_regression(stock("MADE", closes), series, stocks, as_of=AS_OF, known_at=KNOWN)
    loadings = {one.factor: one.loading for one in result.loadings}
    assert loadings == pytest.approx({"market": 1.5, "momentum": -0.5, "low_volatility": 0.0}, abs=1e-9)
    assert result.alpha_pct == pytest.approx(25.2)
    assert result.r_squared == pytest.approx(1.0)
    total = factor_returns(series, stocks, as_of=AS_OF, benchmark="SPY", known_at=KNOWN)
    assert total.factors[0].return_1y_pct == pytest.approx(100 * (np.prod(1 + series.returns["market"]) - 1))
    assert "size, value, quality" in total.notes[0]


def test_without_a_year_of_prices_there_is_no_factor():
    few = of({"ONE": rising(0.1), "TWO": rising(0.2)})
    with pytest.raises(NoData, match="No factor can be built"):
        factor_returns(factor_series(few, {}, None), few, as_of=AS_OF, benchmark=None, known_at=KNOWN)


def test_companies_are_ranked_by_price_times_shares():
    stocks = of({"BIGG": rising(0.0), "TINY": rising(0.0), "NONE": rising(0.0)})
    known = {"BIGG": books(5e6, 1e7, 1.0), "TINY": books(1e6, 1e7, 1.0)}
    found = top_companies(stocks, known, as_of=AS_OF, sector=None, limit=1, known_at=KNOWN)
    (first,) = found.companies
    assert (first.symbol, first.market_cap, first.change_pct) == ("BIGG", pytest.approx(5e8), 0)
    assert found.notes[0].startswith("1 of 3 companies")
    with pytest.raises(NoData, match="No company of energy"):
        top_companies(stocks, known, as_of=AS_OF, sector="energy", limit=1, known_at=KNOWN)
