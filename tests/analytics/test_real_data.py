"""The analytics on recorded real data: known published numbers, and every answer as Markdown and JSON."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pandas as pd
import pytest

from tests.support.figures import parse_figures
from tradingagents.analytics.company.fundamentals import fundamentals
from tradingagents.analytics.company.peers import peer_comparison
from tradingagents.analytics.company.ttm import ttm
from tradingagents.analytics.market.macro_regime import macro_regime
from tradingagents.analytics.market.sectors import sector_relative
from tradingagents.analytics.price.indicators import INDICATORS, indicators
from tradingagents.analytics.price.stock_data import stock_data
from tradingagents.dataflows.models import Dividend, Prices, Profile, Split, Statement
from tradingagents.dataflows.reference.sectors import MACRO_SYMBOLS

pytestmark = pytest.mark.real_data

DAY = date(2025, 3, 14)
CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)
BASIS = {"raw+adj": "split_adjusted", "auto_adjusted": "fully_adjusted", "index": "index"}
ITEMS = {
    "revenues": "revenue",
    "gross_profit": "gross_profit",
    "operating_income_loss": "operating_income",
    "net_income_loss": "net_income",
    "diluted_earnings_per_share": "eps_diluted",
    "diluted_average_shares": "shares_diluted",
    "assets": "total_assets",
    "equity": "equity",
    "net_cash_flow_from_operating_activities": "operating_cash_flow",
}


@pytest.fixture(scope="module")
def prices(test_data: Path) -> Callable[[str, date], Prices]:
    """Reads the bars of a symbol as traded on a day."""
    table = pd.read_parquet(test_data / "snapshot" / "prices.parquet")
    actions = pd.read_csv(test_data / "snapshot" / "actions.csv", parse_dates=["date"])

    def read(symbol: str, last: date = DAY) -> Prices:
        rows = table[table.symbol == symbol].sort_values("date")
        dealt = actions[actions.symbol == symbol]
        columns = {name: rows[name].to_numpy(float) for name in ("open", "high", "low", "close", "adj_close", "volume")}
        return (
            Prices(
                symbol=symbol,
                days=rows["date"].to_numpy().astype("datetime64[D]"),
                currency="USD",
                vendor="recorded",
                fetched_at=datetime(2025, 8, 16, tzinfo=UTC),
                basis=BASIS[rows["basis"].iloc[0]],  # type: ignore[arg-type]
                splits=tuple(Split(row.date.date(), row.value) for row in dealt[dealt.action == "split"].itertuples()),
                dividends=tuple(
                    Dividend(row.date.date(), row.value) for row in dealt[dealt.action == "dividend"].itertuples()
                ),
                **columns,
            )
            .upto(last)
            .as_traded(last)
        )

    return read


@pytest.fixture(scope="module")
def apple(test_data: Path) -> dict[str, list[Statement]]:
    """Apple's statements known on the day, in our names."""
    found: dict[str, list[Statement]] = {"income": [], "balance": [], "cashflow": []}
    with gzip.open(test_data / "snapshot" / "statements.jsonl.gz", "rt") as lines:
        for row in map(json.loads, lines):
            end = date.fromisoformat(row["period_end"])
            filed = row["filed_at"] or datetime.combine(end + timedelta(days=90), time(21), tzinfo=UTC).isoformat()
            known_at = datetime.fromisoformat(filed)
            known_at = known_at if known_at.tzinfo else known_at.replace(tzinfo=UTC)
            if row["symbol"] != "AAPL" or known_at > CLOSE:
                continue
            items = {ITEMS[name]: value for name, value in row["items"].items() if name in ITEMS and value is not None}
            kind = row["statement"]
            found[kind].append(
                Statement("AAPL", kind, row["period"], end.year, row["fiscal_period"], end, known_at, "USD", "x", items)
            )
    return found


def test_apples_twelve_months_to_december_2024_are_as_published(apple):
    result = ttm(apple["income"], apple["balance"], apple["cashflow"], as_of=DAY)
    assert result.basis == "ttm"
    assert result.periods[0] == date(2024, 12, 28)
    assert result.ttm_revenue == pytest.approx(395.760e9)
    assert result.ttm_net_income == pytest.approx(96.150e9)
    assert result.revenue_yoy == pytest.approx(100 * (124.300 / 119.575 - 1), abs=0.01)


def test_apples_multiples_of_the_day(apple, prices):
    result = fundamentals(
        prices("AAPL"),
        apple["income"],
        apple["balance"],
        apple["cashflow"],
        Profile("AAPL", "Apple", "stock", "technology"),
        as_of=DAY,
        benchmark=prices("SPY"),
        known_at=CLOSE,
    )
    assert result.price == pytest.approx(213.49, abs=0.01)
    assert result.eps_ttm == pytest.approx(2.40 + 0.97 + 1.40 + 1.53)  # as filed
    assert result.pe_ttm == pytest.approx(213.49 / 6.30, abs=0.01)
    assert result.dividend_yield == pytest.approx(100 * 4 * 0.25 / 213.49, abs=0.01)
    assert result.shares == pytest.approx(15.150865e9)  # the derived fourth quarter's -55 million is passed over
    assert result.beta is not None
    assert 0.7 < result.beta < 1.5


def test_prices_before_a_split_read_as_they_did_that_day(prices):
    result = stock_data(
        prices("NVDA", date(2024, 5, 10)),
        as_of=date(2024, 5, 10),
        start=date(2024, 5, 1),
        end=date(2024, 5, 10),
        known_at=CLOSE,
    )
    assert result.last_close == pytest.approx(898.78, abs=0.01)


def test_march_2025_was_risk_off(prices):
    result = macro_regime({symbol: prices(symbol) for symbol in MACRO_SYMBOLS}, as_of=DAY, known_at=CLOSE)
    assert (result.regime, result.score, result.confidence) == ("risk-off", -5, "high")
    assert result.vix == pytest.approx(21.77)
    assert result.notes == ()


def test_every_answer_is_markdown_and_json(prices):
    stock, fund = prices("AAPL"), prices("XLK")
    peers = {symbol: prices(symbol) for symbol in ("MSFT", "NVDA", "IBM")}
    known = {"as_of": DAY, "known_at": CLOSE}
    answers = (
        stock_data(stock, start=date(2024, 3, 14), end=DAY, **known),
        indicators(stock, tuple(INDICATORS), **known),
        macro_regime({symbol: prices(symbol) for symbol in MACRO_SYMBOLS}, **known),
        peer_comparison(stock, peers, fund, sector="technology", **known),
        sector_relative(stock, fund, sector="technology", **known),
    )
    for answer in answers:
        read = parse_figures(answer.to_markdown())
        for figure in answer.figures():
            assert read[figure.name].value == figure.rounded
        assert json.loads(answer.model_dump_json())["as_of"] == "2025-03-14"


def test_oscillators_of_real_prices_are_in_range(prices):
    for symbol in ("AAPL", "NVDA", "JPM"):
        series = indicators(prices(symbol), ["rsi", "mfi"], as_of=DAY, known_at=CLOSE).series
        assert all(one.last is not None and 0 < one.last < 100 for one in series)
