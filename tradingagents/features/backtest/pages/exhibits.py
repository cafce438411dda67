"""The charts of a backtest's page, each with its numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Any

import numpy as np
from markupsafe import Markup

from tradingagents.dataflows.models import Floats, Prices
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.pages.charts import (
    LEGEND,
    TRADES,
    TRADES_LEGEND,
    DecisionMark,
    ReliabilityPoint,
    deciders_chart,
    decision_chart,
    reliability_chart,
)
from tradingagents.features.backtest.pages.tables import decision_table, reliability_table
from tradingagents.features.backtest.pages.trades import TradeRow, trade_rows
from tradingagents.features.backtest.pages.wording import percent
from tradingagents.features.backtest.run import Backtest
from tradingagents.features.backtest.statistics.outcomes import Wanted
from tradingagents.features.backtest.strategies import DECISIONS
from tradingagents.reports.charts.comparison_chart import comparison_chart, percent_chart
from tradingagents.reports.document import Exhibit, Table
from tradingagents.schemas.decision import sureness_words

WIDTHS = (("wide", 960), ("narrow", 380))
DRAWN: Mapping[str, str] = {
    DECISIONS: "Decisions",
    "buy_and_hold": "Buy & hold",
    "benchmark": "Benchmark",
    "always_buy": "Always buy",
    "equal_weight": "Equal weight",
}
"""Accounts that charts draw, with short names; the others are in the table and in `equity.csv`."""
NARROW_LINES = 4
MOST_POINTS = 700
"""Sessions drawn at most: of longer backtests every second, third, … is."""
Draw = Callable[[int], str]


class BacktestExhibits:
    """The charts of one backtest, numbered in the order in which they are asked for."""

    def __init__(self, found: Backtest, known: Mapping[Wanted, float]) -> None:
        """Read a backtest; nothing is drawn yet.

        Args:
            found: The backtest.
            known: Return after each decision.
        """
        self._found, self._known, self._number = found, known, 0
        self._accounts = {DRAWN[name]: account for name, account in found.accounts.items() if name in DRAWN}
        self._accounts = {name: self._accounts[name] for name in DRAWN.values() if name in self._accounts}
        account = found.accounts[DECISIONS]
        self._days = account.days
        self._places = _thinned(len(self._days))
        self._held = [frozenset(line.mark.prices) for line in account.ledger.lines]

    def random_deciders(self, found: Mapping[str, Any]) -> Exhibit:
        """Return what random deciders made, with the tested account among them; it must be known."""
        quantiles, own = found["quantiles"], found["total_return"]
        rows = [(f"{name} of 100 made less than", percent(value)) for name, value in quantiles.items()]
        return self._drawn(
            "The decisions among random deciders",
            f"Total return of {found['draws']} accounts with the same decisions on other tickers and days; the band "
            f"holds the middle half, the line 90 of 100, the triangle is the tested account; {self._span()}",
            lambda width: deciders_chart(quantiles, own, width=width),
            Table(("Random deciders", "Return"), [*rows, ("The decisions", percent(own))]),
        )

    def equity(self) -> Exhibit:
        """Return the value of the accounts."""
        lines = {name: account.equity / account.equity[0] * 100 for name, account in self._accounts.items()}
        rows = [
            (name, f"{account.equity[-1]:,.2f}", f"{lines[name][-1]:.1f}") for name, account in self._accounts.items()
        ]
        return self._drawn(
            "Equity against baselines",
            f"Value of each account at the close, 100 at the start, after all costs; {self._span()}",
            lambda width: comparison_chart(*self._lines(lines, width), width=width),
            Table(("Strategy", "At the end", "Start 100"), rows),
        )

    def drawdown(self) -> Exhibit:
        """Return how far each account was below its highest close before."""
        lines = {
            name: account.equity / np.maximum.accumulate(account.equity) - 1 for name, account in self._accounts.items()
        }
        rows = [
            (name, percent(float(drawdown.min())), str(self._days[int(drawdown.argmin())]))
            for name, drawdown in lines.items()
        ]
        return self._drawn(
            "Drawdown",
            f"Percent below the highest close before; {self._span()}",
            lambda width: percent_chart("Drawdown", *self._lines(lines, width), width=width),
            Table(("Strategy", "Deepest", "On"), rows),
        )

    def exposure(self) -> Exhibit:
        """Return how much of each account was invested."""
        names = [name for name in self._accounts if name in ("Decisions", "Buy & hold", "Always buy")]
        lines = {name: self._accounts[name].exposure for name in names}
        rows = [(name, percent(float(share.mean())), percent(float(share.max()))) for name, share in lines.items()]
        return self._drawn(
            "Exposure over time",
            f"Percent of the account that is invested at the close; {self._span()}",
            lambda width: percent_chart("Exposure", *self._lines(lines, width), width=width),
            Table(("Strategy", "Mean", "Highest"), rows),
        )

    def reliability(self, bins: Sequence[Mapping[str, float]]) -> Exhibit:
        """Return stated confidence against the share of calls that was right."""
        points = [ReliabilityPoint(calls["confidence"], calls["right"], int(calls["calls"])) for calls in bins]
        return self._drawn(
            "Reliability of confidence",
            "Calls to buy or sell, by stated confidence; on the dashed line confidence equals the share that was right",
            lambda width: reliability_chart(points, width=width),
            reliability_table(bins),
        )

    def book(self) -> Exhibit:
        """Return the account's value with its trades."""
        account = self._found.accounts[DECISIONS]
        rows = list(trade_rows(account.ledger, self._found.decided))
        marks = list(_trade_marks(rows))
        held = [bool(weights) for weights in self._held]
        currency = str(self._found.record["currency"])
        return self._drawn(
            "The whole book with its trades",
            f"Value of the account in {currency}; a mark is a session with trades: {TRADES_LEGEND}",
            lambda width: decision_chart(
                "Account",
                currency,
                self._days,
                account.equity.tolist(),
                marks,
                held,
                width=width,
                counted=("Sessions with trades", TRADES),
            ),
            None,
        )

    def ticker(self, symbol: str) -> Exhibit:
        """Return a ticker's price with the decisions on it."""
        prices = self._found.prices[symbol]
        decided = [decision for (name, _), decision in sorted(self._found.decided.items()) if name == symbol]
        marks = [_decision_mark(decision, self._known.get((symbol, decision.day))) for decision in decided]
        closes, held = _closes(prices, self._days), [symbol in weights for weights in self._held]
        title = f"{symbol}: decisions on the price"
        if not np.isfinite(closes).any():
            self._number += 1
            return Exhibit(self._number, title, "", "", missing="no close is known")
        return self._drawn(
            title,
            f"Close in {prices.currency}, adjusted for splits; {LEGEND}",
            lambda width: decision_chart(
                symbol, prices.currency, self._days, closes.tolist(), marks, held, width=width
            ),
            decision_table([(decision, self._known.get((symbol, decision.day))) for decision in decided]),
        )

    def _lines(self, lines: Mapping[str, Floats], width: int) -> tuple[list[date], dict[str, Floats]]:
        """Return days and lines as far as a chart of this width shows them."""
        names = list(lines) if width > 600 else list(lines)[:NARROW_LINES]
        return [self._days[at] for at in self._places], {name: lines[name][self._places] for name in names}

    def _span(self) -> str:
        return f"{self._days[0]} to {self._days[-1]}"

    def _drawn(self, title: str, unit: str, draw: Draw, table: Table | None) -> Exhibit:
        self._number += 1
        charts = [(kind, Markup(draw(width))) for kind, width in WIDTHS]  # noqa: S704 - charts escape their texts
        return Exhibit(self._number, title, unit, "this backtest", charts, table)


def _thinned(sessions: int) -> list[int]:
    every = -(-sessions // MOST_POINTS)
    places = list(range(0, sessions, every))
    return places if places[-1] == sessions - 1 else [*places, sessions - 1]


def _closes(prices: Prices, days: Sequence[date]) -> Floats:
    known = dict(zip((day.item() for day in prices.days), prices.close.tolist(), strict=True))
    return np.array([known.get(day, np.nan) for day in days], dtype=np.float64)


def _decision_mark(stored: StoredDecision, change: float | None) -> DecisionMark:
    made = stored.decision
    said = f"{made.action}, {sureness_words(made.confidence, made.strength)}"
    then = "" if change is None else f"; until the next decision {percent(change)}"
    return DecisionMark(stored.day, made.action, f"{said}{then}")


def _trade_marks(rows: Sequence[TradeRow]) -> Iterator[DecisionMark]:
    """Yield a mark for each session with trades: BUY where more was bought than sold."""
    for day, trades in groupby(rows, key=lambda trade: trade.day):
        made = list(trades)
        bought = sum(trade.value if trade.side == "buy" else -trade.value for trade in made)
        traded = ", ".join(f"{trade.side} {trade.shares:,} {trade.ticker} at {trade.price:,.2f}" for trade in made)
        yield DecisionMark(day, "BUY" if bought > 0 else "SELL", traded)
