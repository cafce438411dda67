"""Convert the cells of your own tables to rows of the snapshot format, and validate them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, get_args

from tradingagents.dataflows.models import Frequency, InstrumentKind, StatementKind
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.line_items import ITEMS, UNLISTED
from tradingagents.dataflows.reference.sectors import sector_key
from tradingagents.dataflows.snapshots.columns import (
    BadCell,
    Kind,
    as_dated,
    as_day,
    as_number,
    as_session,
    as_symbol,
    as_text,
)
from tradingagents.dataflows.vendors.snapshot.insiders import Kind as TradeKind
from tradingagents.dataflows.vendors.snapshot.prices import BASIS, ENDS, listing_end

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
