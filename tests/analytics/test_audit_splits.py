"""An independent audit around every split of the recorded folder: prices, sums of statements, EPS and multiples.

The expected figures are computed here from the folder's files with pandas and plain rules; nothing of the package's
analytics is imported for them. What is compared is what a run on that day would be shown.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tests.support.tiers import sampled
from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.analytics.company.multiples import OF_YEAR
from tradingagents.capabilities.company import get_fundamentals
from tradingagents.capabilities.prices import get_stock_data
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data
SPLITS = 25
"""How many the folder lists; one of them (DHR) is a spin-off."""
COUNT, EPS, INCOME = "DilutedAverageShares", "DilutedEPS", "NetIncome"
POLYGON = {
    COUNT: "diluted_average_shares",
    EPS: "diluted_earnings_per_share",
    INCOME: "net_income_loss_attributable_to_parent",
}
BY_HAND = {("AVGO", date(2022, 10, 31)): 4_320e6}
"""Shares, in those of the last split listed, by symbol and end of the newest income statement, where the average of its
period is not what counts: by hand, from the annual report. Of fiscal 2022 Broadcom states 423 million diluted and 409
million basic shares on average, and 418 million outstanding at its end: those and the 14 million of dilution are 432
million, ten times as many after the split. Everywhere else the average of the newest period counts."""


class Audit:
    """The folder's files, and what follows from them."""

    def __init__(self, folder: Path) -> None:
        self.bars = pd.read_parquet(folder / "prices.parquet")
        self.bars["date"] = pd.to_datetime(self.bars["date"])
        actions = pd.read_csv(folder / "actions.csv", parse_dates=["date"])
        self.splits = actions[actions.action == "split"]
        self.dividends = actions[actions.action == "dividend"]
        with gzip.open(folder / "statements.jsonl.gz", "rt") as lines:
            rows = [json.loads(line) for line in lines]
        self.income = [row for row in rows if row["statement"] == "income"]

    def ratio_after(self, symbol: str, day: pd.Timestamp) -> float:
        """Shares that one share of a day has become by the last split listed."""
        own = self.splits[(self.splits.symbol == symbol) & (self.splits.date > day)]
        return float(own.value.prod())

    def close(self, symbol: str, day: date) -> float:
        """The close as traded."""
        own = self.bars[(self.bars.symbol == symbol) & (self.bars.date <= pd.Timestamp(day))]
        return round(float(own.sort_values("date").close.iloc[-1]), 6) * self.ratio_after(symbol, pd.Timestamp(day))

    def dividend_yield(self, symbol: str, day: date) -> float:
        """Percent, of the 365 days before."""
        end = pd.Timestamp(day)
        own = self.dividends[(self.dividends.symbol == symbol) & (self.dividends.date <= end)]
        paid = own[own.date > end - pd.Timedelta(days=365)].value.sum() * self.ratio_after(symbol, end)
        return 100 * float(paid) / self.close(symbol, day)

    def statements(self, symbol: str, period: str, day: date) -> list[dict[str, Any]]:
        """Income statements known on a day, newest first, with shares and EPS in the shares of the day."""
        found = []
        for row in self.income:
            items = {name.replace(" ", ""): value for name, value in row["items"].items() if value is not None}
            if row["symbol"] != symbol or row["period"] != period or not items:
                continue
            end, filed = date.fromisoformat(row["period_end"]), row["filed_at"]
            restated = row["source"] == "yfinance"
            names = {name: name for name in POLYGON} if restated else POLYGON
            if names[INCOME] not in items:
                continue
            known = date.fromisoformat(filed[:10]) if filed else self._assumed(symbol, row)
            if known >= day:  # filed or assumed after that day's close, or on it
                continue
            to_day = self.ratio_after(symbol, pd.Timestamp(known)) / self.ratio_after(symbol, pd.Timestamp(day))
            factor = 1 / self.ratio_after(symbol, pd.Timestamp(day)) if restated else to_day
            eps, count = items.get(names[EPS]), items.get(names[COUNT])
            usable = count if restated or filed else None  # Polygon's fourth quarters are differences
            found.append(
                {
                    "end": end,
                    "eps": None if eps is None else eps / factor,
                    "shares": None if usable is None else usable * factor,
                    "income": items[names[INCOME]],
                }
            )
        return sorted(found, key=lambda one: one["end"], reverse=True)

    def _assumed(self, symbol: str, row: dict[str, Any]) -> date:
        """The day before the morning on which a statement without a filing date counts as known."""
        end = date.fromisoformat(row["period_end"])
        years = {one["period_end"][5:7] for one in self.income if one["symbol"] == symbol and one["period"] == "annual"}
        fourth = row["period"] == "annual" or row["period_end"][5:7] in (years or {"12"})
        return end + timedelta(days=90 if fourth else 45)

    def valuation(self, symbol: str, day: date) -> dict[str, float]:
        """Figures by the last four quarters, else by the last fiscal year."""
        quarters, years = (self.statements(symbol, period, day) for period in ("quarterly", "annual"))
        run = quarters[:4]
        gaps = [(one["end"] - two["end"]).days for one, two in pairwise(run)]
        used = run if len(run) == 4 and all(80 <= gap <= 100 for gap in gaps) else years[:1]
        counted = max((one for one in (*quarters, *years) if one["shares"]), key=lambda one: one["end"])
        given, income = sum(one["eps"] for one in used), sum(one["income"] for one in used)
        newest = next(one["shares"] for one in used if one["shares"])
        eps = given if abs(given - income / newest) <= max(0.05, abs(income / newest) / 4) else income / newest
        price = self.close(symbol, day)
        shares = counted["shares"]
        if by_hand := BY_HAND.get((symbol, counted["end"])):
            shares = by_hand / self.ratio_after(symbol, pd.Timestamp(day))
        return {
            "price": price,
            "eps_ttm": eps,
            "pe_ttm": price / eps,
            "market_cap": price * shares,
            "net_income": income,
        }


@pytest.fixture(scope="module")
def audit(test_data: Path) -> Audit:
    return Audit(test_data / "snapshot")


@pytest.fixture(scope="module")
def on(test_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[date], MarketData]:
    """The market on a day, every day with the same vendors."""
    given = {"data_vendor": "snapshot", "data_dir": test_data / "snapshot", "home": tmp_path_factory.mktemp("home")}
    settings = load_settings(given, environ={})
    vendors = Vendors(settings)
    return lambda day: MarketData(settings, day, vendors=vendors)


def around(audit: Audit, symbol: str, split: pd.Timestamp) -> list[date]:
    """Five sessions before a split, the eve, its day, and five after."""
    days = audit.bars[audit.bars.symbol == symbol].date.sort_values()
    at = int(days.searchsorted(split))
    return [days.iloc[index].date() for index in (at - 5, at - 1, at, at + 5)]


def multiple(shown: Fundamentals, name: str) -> float | None:
    """A multiple of the last twelve months, or of the fiscal year that the folder knows instead."""
    value: float | None = getattr(shown, name)
    return shown.of_year.get(OF_YEAR[name]) if value is None and name in OF_YEAR else value


def doubts(shown: Fundamentals) -> list[str]:
    """Why figures are withheld, but for a year that is not the last twelve months."""
    return [why for why in shown.withheld if not why.startswith("The newest twelve months known are the fiscal year")]


def test_the_folder_lists_the_splits_that_are_audited(audit: Audit):
    assert len(audit.splits) == SPLITS


def test_prices_around_every_split(audit: Audit, on: Callable[[date], MarketData]):
    checked = 0
    for row in audit.splits.itertuples():
        for day in around(audit, row.symbol, row.date):
            shown = get_stock_data.ask(on(day), symbol=row.symbol, start_date=day - timedelta(days=10), end_date=day)
            assert shown.last_close == pytest.approx(audit.close(row.symbol, day), rel=1e-6), (row.symbol, day)
            checked += 1
    assert checked == 4 * SPLITS


def test_nothing_but_the_price_moves_over_any_split(audit: Audit, on: Callable[[date], MarketData]):
    """The law, on every split of the folder: from the eve to the morning multiples move as the adjusted price does."""
    valued = set()
    for row in audit.splits.itertuples():
        _, eve, morning, _ = around(audit, row.symbol, row.date)
        before, after = (get_fundamentals.ask(on(day), ticker=row.symbol, curr_date=day) for day in (eve, morning))
        ratio = row.value
        moved = after.price * ratio / before.price
        assert 0.8 < moved < 1.25, row.symbol
        assert doubts(before) == doubts(after) == [], row.symbol
        for name in ("market_cap", "pe_ttm", "ps_ttm", "pb"):
            old, new = multiple(before, name), multiple(after, name)
            if old is None or new is None:
                assert old is new, (row.symbol, name)
                continue
            assert new / old == pytest.approx(moved, rel=1e-6), (row.symbol, name)
            valued.add(row.symbol)
        cash, eps = ([multiple(one, name) for one in (before, after)] for name in ("fcf_yield", "eps_ttm"))
        if cash[0]:
            assert cash[0] / cash[1] == pytest.approx(moved, rel=1e-6), row.symbol
        if eps[0]:
            assert eps[0] == pytest.approx(eps[1] * ratio, rel=1e-6), row.symbol
        if before.dividend_yield and row.symbol in set(audit.dividends.symbol):
            assert before.dividend_yield == pytest.approx(audit.dividend_yield(row.symbol, eve), rel=1e-6)
            assert after.dividend_yield == pytest.approx(audit.dividend_yield(row.symbol, morning), rel=1e-6)
    assert valued == {"AMZN", "AVGO", "GOOGL", "NVDA", "TSLA", "WMT"} & valued
    assert {"AMZN", "AVGO", "NVDA", "WMT"} <= valued


@pytest.mark.parametrize("symbol", sampled(["AMZN", "AVGO", "NVDA", "WMT"], every=3))
def test_valuations_around_the_splits_with_statements(audit: Audit, on: Callable[[date], MarketData], symbol: str):
    """From half a year before the split to a year after it, every third week."""
    split = audit.splits[audit.splits.symbol == symbol].date.iloc[0]
    days = audit.bars[(audit.bars.symbol == symbol)].date.sort_values()
    window = days[(days >= split - pd.Timedelta(days=180)) & (days <= split + pd.Timedelta(days=365))]
    compared = 0
    for day in [*window.iloc[::15].dt.date, *around(audit, symbol, split)]:
        try:
            shown = get_fundamentals.ask(on(day), ticker=symbol, curr_date=day)
        except NoData:
            continue
        eps = multiple(shown, "eps_ttm")
        if eps is None or eps <= 0:
            continue
        for name, value in audit.valuation(symbol, day).items():
            figure = shown.flows[name] if name in shown.flows else multiple(shown, name)
            assert figure == pytest.approx(value, rel=1e-4), (symbol, day, name)
            compared += 1
    assert compared >= 60


@pytest.mark.parametrize(
    ("symbol", "day", "pe", "trillions"),
    [
        ("NVDA", date(2024, 5, 10), 76, 2.2),
        ("NVDA", date(2024, 6, 5), 103, 3.1),
        ("NVDA", date(2024, 6, 12), 105, 3.1),
        ("NVDA", date(2024, 12, 2), 116, 3.5),
        ("AVGO", date(2024, 7, 1), 50, 0.7),
        ("WMT", date(2024, 2, 5), 39.5, 0.46),
    ],
)
def test_known_valuations(on: Callable[[date], MarketData], symbol: str, day: date, pe: float, trillions: float):
    """By hand, from the companies' reports and the closes of those days."""
    shown = get_fundamentals.ask(on(day), ticker=symbol, curr_date=day)
    assert multiple(shown, "pe_ttm") == pytest.approx(pe, rel=0.01)
    assert shown.pe_ttm is None or (day - shown.periods[0]).days <= 200, "an old year is not the last twelve months"
    assert shown.market_cap == pytest.approx(trillions * 1e12, rel=0.03)
