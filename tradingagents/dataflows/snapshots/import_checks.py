"""Validate imported rows: days within the calendars and not in the future, plausible numbers."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

import numpy as np

from tradingagents.dataflows.gateway.checks.price_checks import HIGHEST_PRICE, HIGHEST_VOLUME, is_split
from tradingagents.dataflows.gateway.checks.price_days import off_calendar
from tradingagents.dataflows.gateway.checks.row_checks import FIRST_YEAR, LARGEST, is_currency
from tradingagents.dataflows.models import Split
from tradingagents.dataflows.snapshots.columns import BadCell, Kind

Row = dict[str, Any]
_AHEAD: Mapping[Kind, timedelta] = {"actions": timedelta(days=366)}
"""How far in the future a day may be: splits and dividends are announced ahead; for anything else one day, for time
zones."""
_A_DAY = timedelta(days=1)
_DAYS = ("date", "period_end", "period_start", "filed_at", "published_at", "transaction_date")


def check_imported(row: Row, kind: Kind, today: date) -> Row:
    """Return a valid row.

    Args:
        row: The row to write.
        kind: The kind of data.
        today: The current day, UTC.

    Raises:
        BadCell: It is invalid.
    """
    for name in _DAYS:
        if row.get(name):
            _check_day(name, date.fromisoformat(str(row[name])[:10]), today + _AHEAD.get(kind, _A_DAY))
    if kind == "prices":
        _check_bar(row)
    elif kind == "actions":
        _check_action(row)
    currency = row.get("currency")
    if currency is not None and not is_currency(currency):
        raise BadCell(f"{currency!r} is not a currency; write it like USD")
    numbers = {
        **row.get("items", {}),
        **{name: row.get(name) for name in ("shares", "value", "fiscal_year", "into_shares")},
    }
    for name, value in numbers.items():
        if value is not None and not -LARGEST <= value <= LARGEST:
            raise BadCell(f"{name} is {value:g}, which is not valid")
    return row


def _check_day(name: str, day: date, last: date) -> None:
    if day.year < FIRST_YEAR:
        raise BadCell(f"{name} is {day}, before all calendars")
    if day > last:
        raise BadCell(f"{name} is {day}, which lies in the future")


def _check_bar(row: Row) -> None:
    high = max(row[name] for name in ("open", "high", "low", "close", "adj_close"))
    if high > HIGHEST_PRICE:
        raise BadCell(f"{high:g} is not a valid price")
    if row["volume"] > HIGHEST_VOLUME:
        raise BadCell(f"{row['volume']:g} is not a valid volume")
    if off_calendar(row["symbol"], np.array([row["date"]], "datetime64[D]"))[0]:
        raise BadCell(f"{row['date']} is not a session of the exchange of {row['symbol']}")


def _check_action(row: Row) -> None:
    if row["action"] == "split" and not is_split(Split(date.fromisoformat(row["date"]), row["value"])):
        raise BadCell(f"{row['value']:g} is not a valid split ratio")
    if (row["value"] or 0.0) > HIGHEST_PRICE:
        raise BadCell(f"{row['value']:g} is not a valid dividend")
