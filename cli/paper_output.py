"""Prints paper accounts: where one stands, and a list of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.table import Table

from tradingagents.offline.calibration import record_of_rules

from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.features.backtest.capabilities.paper import PaperAccountSummary
    from tradingagents.features.backtest.paper.status import PaperStatus

_COST_NAMES = {
    "commissions": "commissions",
    "slippage": "spread and impact",
    "borrow_fees": "borrowed shares",
    "charges": "models",
}


def print_status(console: Console, status: PaperStatus) -> None:
    """Print where an account stands."""
    plan = status.plan
    if status.last_session is None:
        words = f"{plan.name}: {status.cash:,.2f} {plan.currency}; it has not been run yet."
        console.print(words, markup=False)
        return
    count = f"{status.sessions} session{'' if status.sessions == 1 else 's'}"
    days = f"{status.first_session} to {status.last_session}, {count}"
    console.print(f"{plan.name}: {status.equity:,.2f} {plan.currency} ({days})", markup=False)
    console.print(_returns(status), markup=False)
    if status.positions:
        console.print(_positions(status))
    console.print(f"Cash {status.cash:,.2f}; orders for the next open: {_orders(status.orders)}", markup=False)
    costs = f"Costs: {_costs(status.costs)}; dividends {status.costs['dividends']:,.2f}"
    console.print(costs, markup=False, soft_wrap=True)
    console.print(_decisions(status), markup=False, soft_wrap=True)
    counts = {"orders not filled": sum(status.unfilled.values()), "clamps": status.clamps}
    counts |= {"margin calls": status.margin_calls, "corrections of earlier prices": status.corrections}
    if any(counts.values()):
        recorded = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
        console.print(f"Recorded: {recorded}", markup=False, soft_wrap=True)
    for warning in status.warnings:
        console.print(f"Note: {one_line(warning)}", markup=False, soft_wrap=True)


def print_accounts(console: Console, accounts: Sequence[PaperAccountSummary]) -> None:
    """Print a line for each account, and why one cannot be read."""
    table = _table("Account", "Until", "Equity", "Return", "Benchmark", "Positions")
    for account in accounts:
        if account.error:
            table.add_row(account.account, "damaged", "-", "-", "-", "-")
            continue
        until = "not run yet" if account.last_session is None else account.last_session.isoformat()
        money = f"{account.equity:,.2f} {account.currency}"
        row = (percent(account.total_return), percent(account.benchmark_return), str(account.positions))
        table.add_row(account.account, until, money, *row)
    console.print(table)
    for account in accounts:
        if account.error:
            console.print(f"{account.account}: {one_line(account.error)}", markup=False, soft_wrap=True)


def percent(value: float | None) -> str:
    """Return a fraction in percent with its sign; a dash for none."""
    return "-" if value is None else f"{100 * value:+.2f} %"


def _returns(status: PaperStatus) -> str:
    own = f"Since the start {percent(status.total_return)}"
    if status.benchmark_return is None:
        return f"{own}; there are no prices of a benchmark."
    gap = status.total_return - status.benchmark_return
    return f"{own}, {status.benchmark} {percent(status.benchmark_return)}: {percent(gap)} beyond it."


def _positions(status: PaperStatus) -> Table:
    table = _table("Position", "Shares", "Price", "Value", "Weight", "Profit")
    for position in status.positions:
        weight = "-" if position.weight is None else f"{100 * position.weight:.1f} %"
        figures = (f"{position.price:,.2f}", f"{position.value:,.2f}", weight, f"{position.unrealised:+,.2f}")
        table.add_row(position.symbol, str(position.shares), *figures)
    return table


def _orders(orders: Mapping[str, int]) -> str:
    named = (f"{'buy' if count > 0 else 'sell'} {abs(count)} {symbol}" for symbol, count in orders.items())
    return ", ".join(named) or "none"


def _costs(costs: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {costs[key]:,.2f}" for key, name in _COST_NAMES.items())


def _decisions(status: PaperStatus) -> str:
    if status.last_decided is None:
        return "Nothing has been decided yet."
    made = ", ".join(f"{decision.ticker} {decision.action} ({decision.sureness})" for decision in status.last_decisions)
    unknown = f", and {status.cost_unknown} of unknown cost" if status.cost_unknown else ""
    total = f"{sum(status.decisions.values())} decisions in all for {status.cost_usd:.2f} USD{unknown}"
    return one_line(
        f"Decided on {status.last_decided}: {made}. {total}. {record_of_rules(status.last_decisions)}".strip()
    )


def _table(first: str, *names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(first)
    for name in names:
        table.add_column(name, justify="right")
    return table
