"""Prints a book: what is held, and what it is worth at the prices of a day."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.table import Table

from .text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.dataflows.valued_book import ValuedBook, ValuedPosition
    from tradingagents.schemas.portfolio import Portfolio


def print_book(console: Console, book: Portfolio) -> None:
    """Print a book as it was imported."""
    console.print(f"Book of {book.day}", markup=False)
    if book.positions:
        table = _table("Position", "Quantity", "Average price", "Account")
        for position in book.positions:
            paid = _money(position.average_price, position.currency)
            table.add_row(position.symbol, f"{position.quantity:,.10g}", paid, one_line(position.account) or "-")
        console.print(table)
    else:
        console.print("Nothing is held.", markup=False)
    cash = ", ".join(f"{amount:,.2f} {currency}" for currency, amount in book.cash.items())
    console.print(f"Cash {cash or 'not named'}", markup=False)


def print_valued(console: Console, book: Portfolio, valued: ValuedBook) -> None:
    """Print a book at the prices of a day."""
    console.print(
        f"Book of {book.day} on {valued.day}: {valued.equity:,.2f} {valued.currency}{_day_change(valued)}", markup=False
    )
    if valued.positions:
        names = ("Quantity", "Average price", "Price", f"Value {valued.currency}", "Weight", "Day", "Gain")
        table = _table("Position", *names)
        several = Counter(position.symbol for position in valued.positions)
        for position in valued.positions:
            table.add_row(*_cells(position, valued.equity, with_account=several[position.symbol] > 1))
        console.print(table)
    else:
        console.print("Nothing is held.", markup=False)
    console.print(f"Cash {valued.cash:,.2f} {valued.currency}" if book.cash else "Cash not named", markup=False)
    for currency, amount in valued.unconverted.items():
        gap = valued.rate_gaps[currency].why
        words = f"Note: cash of {amount:,.2f} {currency} is not counted: {one_line(gap)}"
        console.print(words, markup=False, soft_wrap=True)
    for position in valued.positions:
        if position.note:
            console.print(f"Note: {position.symbol}: {one_line(position.note)}", markup=False, soft_wrap=True)
    if valued.without_value:
        names_left = ", ".join(valued.without_value)
        console.print(f"Note: weights are without {names_left}, whose value is not known", markup=False, soft_wrap=True)


def _cells(position: ValuedPosition, equity: float, *, with_account: bool) -> tuple[str, ...]:
    value, change = position.value, position.day_change
    name = f"{position.symbol} ({one_line(position.account) or '-'})" if with_account else position.symbol
    return (
        name,
        f"{position.quantity:,.10g}",
        _money(position.average_price, position.paid_in),
        _money(position.price, position.currency),
        "-" if value is None else f"{value:,.2f}",
        "-" if value is None or equity <= 0 else f"{100 * value / equity:.1f} %",
        "-" if change is None else f"{change:+,.2f}",
        "-" if position.gain is None else f"{100 * position.gain:+.1f} %",
    )


def _day_change(valued: ValuedBook) -> str:
    """Say by how much the positions of known value changed since the close before; nothing where that is not known."""
    changes = [position.day_change for position in valued.positions if position.day_change is not None]
    return f", {sum(changes):+,.2f} on the day" if changes else ""


def _money(amount: float | None, currency: str | None) -> str:
    return "-" if amount is None else f"{amount:,.2f} {currency or ''}".rstrip()


def _table(first: str, *names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column(first)
    for name in names:
        table.add_column(name, justify="right")
    return table
