"""A paper account as a document: value next to the benchmark's, positions, orders with reasons, decisions, warnings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from markupsafe import Markup

from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.pages.wording import percent
from tradingagents.features.backtest.paper.journal import PaperDay, PaperOrder, paper_days, paper_orders, rationale_of
from tradingagents.features.backtest.paper.status import PaperStatus
from tradingagents.offline.calibration import record_of_rules
from tradingagents.reports.blocks import warnings_on_page
from tradingagents.reports.charts.comparison_chart import comparison_chart
from tradingagents.reports.charts.price_chart import chart_css
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Exhibit,
    Heading,
    Line,
    Masthead,
    Prose,
    Section,
    Table,
)

WIDTHS = (("wide", 960), ("narrow", 380))
MOST_ORDERS = 60
MOST_POINTS = 700


def paper_document(home: Path, status: PaperStatus, ledger: BookLedger) -> Document:
    """Return an account as a document.

    Args:
        home: The home folder, whose decision store has the reasons.
        status: Where the account stands.
        ledger: The account, up to the same session.
    """
    plan = status.plan
    orders = paper_orders(ledger)[::-1][:MOST_ORDERS]
    reasons = rationale_of(home, [decision.key for decision in status.last_decisions])
    what = ", ".join(plan.tickers) or "the watch list"
    period = f"{status.first_session} to {status.last_session}" if status.last_session else "not run yet"
    return Document(
        title=f"Paper account {plan.name}",
        facts=[("Account", plan.name), ("Tickers", what), ("Period", period)],
        masthead=Masthead(
            title=f"Paper account {plan.name}",
            eyebrow="Paper account",
            heading=plan.name,
            detail=period,
            facts=[("Tickers", what), ("Sessions", str(status.sessions)), ("Decided every", _sessions(plan.every))],
            identity=f"Ledger {status.head}",
        ),
        sections=[
            Section("Result", _result(status), id="result", menu="Result"),
            warnings_on_page(status.warnings),
            Section("Warnings", [Bullets(status.warnings)] if status.warnings else [], only="file"),
            Section("Value", _value(paper_days(ledger, plan.deposit), status), id="value", menu="Value"),
            Section("Positions", _positions(status), id="positions", menu="Positions"),
            Section("Decisions", _decisions(status, reasons), id="decisions", menu="Decisions"),
            Section("Orders", _orders(orders), id="orders", menu="Orders"),
            Section("Costs and plan", _plan(status), id="plan", menu="Plan"),
        ],
        inline_styles=(chart_css(),),
    )


def _result(status: PaperStatus) -> list[Block]:
    currency = status.plan.currency
    counted = "no prices" if status.benchmark_return is None else "with dividends, without costs"
    terms = (
        ("Worth", f"{status.equity:,.2f} {currency}", f"cash {status.cash:,.2f}"),
        ("Since the start", _signed(status.total_return), "after all costs"),
        (status.benchmark or "Benchmark", _signed(status.benchmark_return), counted),
        ("Orders for the next open", str(len(status.orders)), _named(status.orders)),
    )
    return [
        Card("value_terms", (terms,), [Table(("What", "Value", "More"), terms)]),
    ]


def _value(days: Sequence[PaperDay], status: PaperStatus) -> list[Block]:
    if len(days) < 2:
        return []
    every = -(-len(days) // MOST_POINTS)
    shown = [day for at, day in enumerate(days) if at % every == 0 or at == len(days) - 1]
    start = status.plan.deposit
    lines = {"Account": np.array([100 * day.equity / start for day in shown])}
    known = [np.nan if day.benchmark is None else 100 * day.benchmark / start for day in shown]
    if status.benchmark is not None and np.isfinite(known).any():
        lines[status.benchmark] = np.array(known)
    on = [day.day for day in shown]
    rows = [(name, f"{values[-1]:.1f}") for name, values in lines.items()]
    charts = [(kind, Markup(comparison_chart(on, lines, width=width))) for kind, width in WIDTHS]  # noqa: S704 - escaped
    unit = f"Value at the close, 100 at the start, after all costs; {on[0]} to {on[-1]}"
    return [Exhibit(1, "Value next to the benchmark", unit, "the ledger", charts, Table(("", "Start 100"), rows))]


def _positions(status: PaperStatus) -> list[Block]:
    if not status.positions:
        return [Line("The account holds no shares.")]
    rows = [
        (
            position.symbol,
            f"{position.shares:,}",
            f"{position.price:,.2f}",
            f"{position.value:,.2f}",
            percent(position.weight),
            f"{position.unrealised:+,.2f}",
        )
        for position in status.positions
    ]
    return [_numbers(Table(("Symbol", "Shares", "Price", "Value", "Weight", "Profit"), rows))]


def _decisions(status: PaperStatus, reasons: dict[str, str]) -> list[Block]:
    if status.last_decided is None:
        return [Line("Nothing has been decided yet.")]
    unknown = f", and {status.cost_unknown} of unknown cost" if status.cost_unknown else ""
    counted = ", ".join(f"{count} {name}" for name, count in status.decisions.items())
    blocks: list[Block] = [
        Line(f"After the close of {status.last_decided}. In all {counted}, for {status.cost_usd:,.2f} USD{unknown}."),
        Line(record_of_rules(status.last_decisions)),
    ]
    for decision in status.last_decisions:
        said = decision.reason if decision.reason else reasons.get(decision.key, "The decision is no longer stored.")
        blocks += [
            Heading(f"{decision.ticker}: {decision.action}, {decision.sureness}"),
            Prose(said, under=4),
        ]
    return blocks


def _orders(orders: Sequence[PaperOrder]) -> list[Block]:
    if not orders:
        return [Line("No order has been given yet.")]
    head = ("Decided", "Symbol", "Order", "Why", "Filled", "Price", "Commission")
    rows = [
        (
            str(order.decided),
            order.symbol,
            _shares(order.shares),
            order.reason,
            _outcome(order),
            "" if order.price is None else f"{order.price:,.2f}",
            f"{order.commission:,.2f}" if order.traded else "",
        )
        for order in orders
    ]
    more = f" The latest {MOST_ORDERS}; the ledger has all." if len(orders) == MOST_ORDERS else ""
    return [
        Line(f"The newest first. An order is filled at the open after its decision.{more}"),
        Table(head, rows),
    ]


def _outcome(order: PaperOrder) -> str:
    if order.traded is None:
        return f"no: {order.unfilled}" if order.unfilled else "at the next open"
    whole = "" if order.filled == order.shares else f"{abs(order.filled):,}, rest: {order.unfilled}; "
    return f"{whole}{order.traded}"


def _plan(status: PaperStatus) -> list[Block]:
    plan, costs = status.plan, status.costs
    shorts = "no" if plan.shorts is None else f"up to {percent(plan.shorts.max_short)} each"
    rows = [
        ("Began with", f"{plan.deposit:,.2f} {plan.currency}"),
        ("Weights", plan.scheme.replace("_", " ")),
        ("Short positions", shorts),
        ("Stops and targets", "followed within a session" if plan.exits == "plan" else "not followed"),
        *((name.replace("_", " ").capitalize(), f"{value:g}") for name, value in _limits(status)),
        *((name, f"{costs[key]:,.2f}") for key, name in _COSTS.items()),
    ]
    table = Table(("What", "Value"), rows)
    return [Card("wrapped_table", (table,), [table])]


_COSTS = {
    "commissions": "Commissions paid",
    "slippage": "Spread and impact",
    "borrow_fees": "Borrowed shares",
    "charges": "Models",
    "dividends": "Dividends received",
    "interest": "Interest on cash",
    "realised": "Realised profit",
}


def _limits(status: PaperStatus) -> list[tuple[str, float]]:
    limits = status.plan.limits
    return [(name, getattr(limits, name)) for name in ("max_positions", "max_position", "max_sector", "min_cash")]


def _numbers(table: Table) -> Card:
    return Card("number_table", (table, 1), [table])


def _named(orders: dict[str, int]) -> str:
    return ", ".join(f"{_shares(count)} {symbol}" for symbol, count in orders.items())


def _signed(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.2f} %"


def _shares(count: int) -> str:
    return f"{'buy' if count > 0 else 'sell'} {abs(count):,}"


def _sessions(every: int) -> str:
    return "session" if every == 1 else f"{every} sessions"
