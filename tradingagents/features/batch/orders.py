"""The orders of a batch: all its decisions as one list for a book, and that list as a file for a broker."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from functools import partial

from pydantic import Field

from tradingagents.analytics.holdings.day_orders import DayDecision, day_orders
from tradingagents.analytics.holdings.limits import commission
from tradingagents.analytics.holdings.order_list import OrderRules
from tradingagents.analytics.holdings.reader_book import read_book
from tradingagents.analytics.holdings.weights import Scheme
from tradingagents.dataflows.cutoff import Cutoff, Moment
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.exchanges import benchmark_of
from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.runtime.request import Request
from tradingagents.runtime.services import Services
from tradingagents.schemas.batches import BatchRow
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.portfolio import OrderListRecord, Portfolio

ORDERS = "orders.csv"
HEADER = (
    *("symbol", "side", "quantity", "order_type", "currency", "reference_price", "stop", "target"),
    *("book_currency", "book_amount", "book_commission"),
)
"""Prices of a row are in `currency`, that of the instrument; money is in `book_currency`."""


class OrderPlan(Request):
    """How decisions become orders; fractions of what the book is worth. The largest position is a setting."""

    weights: Scheme = Field("confidence", description="How purchases are weighted")
    max_positions: int = Field(15, ge=1, le=1000, description="Positions at most")
    max_sector: float = Field(0.35, ge=0, le=1, description="Largest sector")
    max_turnover: float = Field(1.0, ge=0, le=10, description="Largest sum of all orders")
    min_cash: float = Field(0.05, ge=0, le=1, description="Smallest share of cash after purchases")
    fractions: bool = Field(False, description="Whether fractions of shares are traded")
    commission: float = Field(0.005, ge=0, description="Per share, in the book's currency")
    min_commission: float = Field(1.0, ge=0, description="Per order, in the book's currency")

    def rules(self, max_position: float) -> OrderRules:
        """Return the limits and costs.

        Args:
            max_position: Largest position.
        """
        return OrderRules(
            max_positions=self.max_positions,
            max_position=max_position,
            max_sector=self.max_sector,
            min_cash=self.min_cash,
            max_turnover=self.max_turnover,
            whole_shares=not self.fractions,
            commission=partial(_commission, self),
        )


def _commission(plan: OrderPlan, shares: float, price: float) -> float:  # noqa: ARG001 - it depends on the shares alone
    return commission(shares, plan.commission, plan.min_commission)


def orders_of(
    services: Services, cutoff: Cutoff, book: Portfolio, rows: Sequence[BatchRow], plan: OrderPlan
) -> OrderListRecord:
    """Return the orders of a batch's decisions. Waits for vendors.

    Args:
        services: What runs share.
        cutoff: Of the batch.
        book: What is held.
        rows: Of the batch; those without a decision order nothing.
        plan: How decisions become orders.
    """
    settings = services.settings
    data = MarketData(
        settings,
        cutoff.as_of,
        exchange=exchange_of(MARKET),
        vendors=services.vendors,
        cache=services.cache,
        memo=services.memo,
        moment=Moment(at=settings.decide_at),
    )
    decisions = {row.ticker: _decided(row.decision) for row in rows if row.decision is not None}
    benchmark = settings.benchmark_ticker or benchmark_of(MARKET, exchange_of(MARKET))
    reader = read_book(book, data, tuple(decisions), benchmark)
    rules = plan.rules(settings.max_position_size)
    return day_orders(reader, decisions, plan.weights, rules, shorting=settings.sell_means == "short")


def _decided(decision: Decision) -> DayDecision:
    return DayDecision(decision.action, decision.conviction, decision.stop, decision.target)


def orders_csv(orders: OrderListRecord) -> str:
    """Return the orders as a file for a broker's upload: market orders, sales first."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(HEADER)
    for line in orders.lines:
        if line.shares:
            side, amount = ("BUY" if line.shares > 0 else "SELL"), abs(line.shares) * line.price
            prices = (_price(level) for level in (line.quoted, line.stop, line.target))
            money = (orders.currency, f"{amount:.2f}", f"{line.commission:.2f}")
            writer.writerow(
                (line.symbol, side, f"{abs(line.shares):.10g}", "MARKET", line.quoted_in or "", *prices, *money)
            )
    return table.getvalue()


def _price(level: float | None) -> str:
    return "" if level is None else f"{level:.4f}"
