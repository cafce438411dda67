"""Splits, dividends and bases from columns next to the bars, as many exports have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from tradingagents.dataflows.snapshots.columns import BadCell, TableLine, as_number, as_session, as_symbol, as_text
from tradingagents.dataflows.snapshots.own_rows import Basis
from tradingagents.errors import UsageError

Row = dict[str, Any]


def basis_of(cells: Mapping[str, Any], given: Basis) -> Basis:
    """Return the basis of a row: from its column, an index if the symbol is one, else `given`.

    Raises:
        BadCell: The column contains an invalid basis.
    """
    written = as_text(cells.get("basis"))
    if written is not None:
        known: tuple[Basis, ...] = get_args(Basis)
        found = next((basis for basis in known if basis == written.lower()), None)
        if found is None:
            raise BadCell(f"basis is {written!r}, and can be {', '.join(known)}")
        return found
    return "index" if as_symbol(cells["symbol"]).startswith("^") else given


def actions_in(lines: Iterable[TableLine]) -> list[Row]:
    """Return the splits and dividends from the columns `split` and `dividend`.

    Raises:
        BadCell: A cell isn't a number, or is below zero.
    """
    rows: list[Row] = []
    for line in lines:
        for action in ("split", "dividend"):
            value = as_number(line.cells.get(action))
            if value is None or value == 0 or (action == "split" and value == 1):
                continue
            if value < 0:
                raise BadCell(f"line {line.number}: the {action} {value:g} is below zero")
            symbol = as_symbol(line.cells["symbol"])
            day = as_session(line.cells["date"], symbol).isoformat()
            rows.append({"symbol": symbol, "date": day, "action": action, "value": value})
    return rows


def lists_splits(lines: Iterable[TableLine]) -> bool:
    """Return whether there is a column `split`: one without any split is a list too: there was none."""
    return any("split" in line.cells for line in lines)


def respelled(lines: Iterable[TableLine]) -> dict[str, str]:
    """Return the symbols of a file that are stored under another spelling, such as `SPX` as `^GSPC`."""
    written = dict.fromkeys(text for line in lines if (text := as_text(line.cells.get("symbol"))))
    kept = {text: as_symbol(text) for text in written}
    return {text: symbol for text, symbol in kept.items() if symbol != text.upper()}


def one_basis_each(rows: Sequence[Row], path: Path) -> None:
    """Refuse a file in which one symbol has prices with two bases.

    Raises:
        UsageError: Names the symbol.
    """
    bases: dict[str, str] = {}
    for row in rows:
        if bases.setdefault(row["symbol"], row["basis"]) != row["basis"]:
            raise UsageError(f"{path} has prices of {row['symbol']} in two bases; give each symbol one basis.")


def refuse_unadjusted(rows: Sequence[Row], actions: Sequence[Row], path: Path) -> None:
    """Refuse prices with dividends whose adjusted close is the close: which of the two it is cannot be told.

    yfinance's `history()` adjusts Close for dividends and lists them in a column; taken as traded, each dividend would
    count twice.

    Raises:
        UsageError: Names the symbol, and how to say what the closes are.
    """
    paid = {row["symbol"] for row in actions if row["action"] == "dividend"}
    for symbol in sorted(paid):
        own = [row for row in rows if row["symbol"] == symbol]
        first = min((row["date"] for row in own), default="")
        days = [row["date"] for row in actions if row["symbol"] == symbol and row["action"] == "dividend"]
        inside = [day for day in days if first < day]
        if inside and all(row["basis"] == "raw+adj" and row["adj_close"] == row["close"] for row in own):
            raise UsageError(
                f"{path} lists dividends of {symbol}, the first on {min(inside)}, and has no other adjusted close than "
                f"the close. Where its prices are adjusted for dividends, as those of yfinance's history() are, name "
                f"basis='fully_adjusted'; where they are as traded, add a column adj_close. Nothing was imported."
            )
