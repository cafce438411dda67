"""Convert the cells of your own tables to rows of the snapshot format, and validate them.

Splits, dividends and bases may stand in columns next to the bars, as many exports have them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, get_args

from tradingagents.dataflows.gateway.checks.row_checks import has_title
from tradingagents.dataflows.models import Frequency, InstrumentKind, StatementKind
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.snapshots.columns import (
    BadCell,
    Kind,
    TableLine,
    as_dated,
    as_day,
    as_number,
    as_session,
    as_symbol,
    as_text,
)
from tradingagents.dataflows.vendors.snapshot.insiders import Kind as TradeKind
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, ENDS, listing_end
from tradingagents.errors import UsageError

Row = dict[str, Any]
Basis = Literal["split_adjusted", "fully_adjusted", "index"]
_WORD = {ours: word for word, ours in BASIS.items()}


def _needed(number: float | None, name: str) -> float:
    if number is None:
        raise BadCell(f"{name} is empty")
    return number


def _one_of(cell: Any, known: tuple[str, ...], name: str) -> str:
    text = (as_text(cell) or "").lower()
    if text not in known:
        raise BadCell(f"{name} is {text!r}, and can be {', '.join(known)}")
    return text


def _maybe_dated(cell: Any) -> str | None:
    return as_dated(cell) if as_text(cell) else None


def _price(cells: Mapping[str, Any], basis: Basis) -> Row:
    symbol = as_symbol(cells["symbol"])
    numbers = {name: _needed(as_number(cells[name]), name) for name in ("open", "high", "low", "close")}
    adjusted = as_number(cells.get("adj_close"))
    volume = as_number(cells.get("volume")) or 0.0
    bad = [name for name, number in numbers.items() if number <= 0]
    if bad or (adjusted is not None and adjusted <= 0):
        raise BadCell(f"{bad[0] if bad else 'adj_close'} is not above zero")
    if numbers["high"] < numbers["low"]:
        raise BadCell(f"the high {numbers['high']:g} lies below the low {numbers['low']:g}")
    if volume < 0:
        raise BadCell("the volume is negative")
    if adjusted is None or basis == "fully_adjusted":
        adjusted = numbers["close"]
    return {
        "symbol": symbol,
        "date": as_session(cells["date"], symbol).isoformat(),
        **numbers,
        "adj_close": adjusted,
        "volume": volume,
        "basis": _WORD[basis],
    }


def _action(cells: Mapping[str, Any], _: Basis) -> Row:
    action = _one_of(cells["action"], ("split", "dividend", *ENDS), "action")
    if action in ENDS:
        return _end(cells, action)
    new, colon, old = (as_text(cells["value"]) or "").replace("/", ":").partition(":")
    value = _needed(as_number(new), "value") / (_needed(as_number(old), "value") or float("nan") if colon else 1.0)
    if not value > 0:
        raise BadCell("the value is not above zero")
    return {
        "symbol": as_symbol(cells["symbol"]),
        "date": as_day(cells["date"]).isoformat(),
        "action": action,
        "value": value,
    }


def _end(cells: Mapping[str, Any], action: str) -> Row:
    """Return the end of a listing: delisted, or merged for cash, for shares of another symbol, or for both."""
    cash, shares = as_number(cells.get("value")), as_number(cells.get("into_shares"))
    into = as_symbol(cells["into"]) if as_text(cells.get("into")) else None
    row: Row = {"symbol": as_symbol(cells["symbol"]), "date": as_day(cells["date"]).isoformat(), "action": action}
    row |= {"value": cash, "into": into, "into_shares": shares}
    try:
        listing_end(row, as_day(cells["date"]))
    except ValueError as error:
        raise BadCell(str(error)) from None
    return row


def _profile(cells: Mapping[str, Any], _: Basis) -> Row:
    kind, sector = as_text(cells.get("kind")), as_text(cells.get("sector"))
    if sector and sector_key(sector) is None:
        raise BadCell(f"{sector!r} is not one of the eleven sectors")
    row: Row = {"symbol": as_symbol(cells["symbol"]), "name": as_text(cells["name"]), "sector": sector}
    row |= {name: as_text(cells.get(name)) for name in ("industry", "exchange", "currency")}
    if row["exchange"]:
        try:
            sessions(row["exchange"])
        except ValueError:
            raise BadCell(f"{row['exchange']!r} is not an exchange with a known calendar") from None
    if kind:
        row |= {"kind": _one_of(kind, get_args(InstrumentKind), "kind"), "exact": True}
    return {name: value for name, value in row.items() if value is not None}


def _article(cells: Mapping[str, Any], _: Basis) -> Row:
    title = as_text(cells["title"])
    if title is None:
        raise BadCell("the title is empty")
    if not has_title(title):
        raise BadCell(f"{title!r} is no title")
    return {
        "symbol": as_symbol(cells["symbol"]),
        "published_at": as_dated(cells["published_at"]),
        "title": title,
        **{name: as_text(cells.get(name)) for name in ("summary", "source", "url")},
    }


def _trade(cells: Mapping[str, Any], _: Basis) -> Row:
    insider, traded, filed = as_text(cells["insider"]), as_day(cells["transaction_date"]), cells.get("filed_at")
    kind = as_text(cells.get("kind"))
    row: Row = {
        "symbol": as_symbol(cells["symbol"]),
        "transaction_date": traded.isoformat(),
        "insider": insider,
        "shares": _needed(as_number(cells["shares"]), "shares"),
        "value": as_number(cells.get("value")),
        "relation": as_text(cells.get("relation")) or "",
        "text": as_text(cells.get("text")) or "",
        "filed_at": _maybe_dated(filed),
    }
    if insider is None:
        raise BadCell("the insider has no name")
    if row["filed_at"] and row["filed_at"][:10] < row["transaction_date"]:
        raise BadCell(f"it was filed on {row['filed_at'][:10]}, before the trade on {traded}")
    return {**row, "kind": _one_of(kind, get_args(TradeKind), "kind")} if kind else row


def _statement(cells: Mapping[str, Any], _: Basis) -> Row:
    kind = _one_of(cells["statement"], get_args(StatementKind), "statement")
    known = (*ITEMS[kind], *UNLISTED.get(kind, ()))
    items = {item: number for item in known if (number := as_number(cells.get(item))) is not None}
    if not items:
        raise BadCell(f"none of the items of {kind} has a number")
    end, filed = as_day(cells["period_end"]), _maybe_dated(cells.get("filed_at"))
    if filed and filed[:10] < end.isoformat():
        raise BadCell(f"it was filed on {filed[:10]}, before its period ended on {end}")
    year, period = as_number(cells.get("fiscal_year")), (as_text(cells.get("fiscal_period")) or "").upper()
    if period and (year is None or period not in ("Q1", "Q2", "Q3", "Q4", "FY")):
        raise BadCell("fiscal_period can be Q1, Q2, Q3, Q4 or FY, and comes with fiscal_year")
    return {
        "symbol": as_symbol(cells["symbol"]),
        "statement": kind,
        "period": _one_of(cells["period"], get_args(Frequency), "period"),
        "fiscal_year": None if year is None else int(year),
        "fiscal_period": period or None,
        "period_start": as_day(cells["period_start"]).isoformat() if as_text(cells.get("period_start")) else None,
        "period_end": end.isoformat(),
        "filed_at": filed,
        "currency": (as_text(cells.get("currency")) or "").upper() or None,
        "source": "imported",
        "shares_as_of": _maybe_dated(cells.get("shares_as_of")),
        "items": items,
    }


CONVERT: Mapping[Kind, Callable[[Mapping[str, Any], Basis], Row]] = {
    "prices": _price,
    "actions": _action,
    "profiles": _profile,
    "statements": _statement,
    "news": _article,
    "insiders": _trade,
}
"""Converts cells by column name to a row of the snapshot format; raises `BadCell`."""


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
