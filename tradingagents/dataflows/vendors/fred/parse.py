"""Convert FRED's JSON to values with their real-time periods, series metadata, and release days."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal

from tradingagents.dataflows.models import MacroObservation
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.responses.lost_rows import SCHEDULED, lost

Frequency = Literal["daily", "weekly", "monthly", "quarterly", "annual", ""]
MISSING = "."
"""FRED's placeholder for a missing value."""
_FREQUENCIES: Mapping[str, Frequency] = {
    "D": "daily",
    "W": "weekly",
    "M": "monthly",
    "Q": "quarterly",
    "A": "annual",
}
_OUT_AFTER: Mapping[Frequency, int] = {"daily": 0, "weekly": 7, "monthly": 75, "quarterly": 210, "annual": 730}
"""Days after a value's date (the first of its month, quarter or year, a week's last) by which it is assumed published
if the source has no vintages: six weeks after a month, four months after a quarter, a year after a year."""
_OUT_AFTER_OTHERS = 365
DECIMALS: Mapping[str, int] = {
    **dict.fromkeys(("PAYEMS", "ICSA", "JTSJOL"), 0),
    **dict.fromkeys(("UNRATE", "UMCSENT", "A191RL1Q225SBEA"), 1),
    **dict.fromkeys(("FEDFUNDS", "DFEDTARU", "DGS3MO", "DGS2", "DGS10", "DGS30", "DFII10", "T10Y2Y", "T10Y3M"), 2),
    **dict.fromkeys(("T10YIE", "BAMLH0A0HYM2", "BAMLC0A0CM", "VIXCLS", "DCOILWTICO", "MORTGAGE30US"), 2),
}
"""With how many decimals the sources publish a series."""
MOST_OF: Mapping[str, float] = {"UNRATE": 100.0}
"""The most that a value can be: a share of the labour force, in percent."""
_NOT_ADJUSTED = ("", "Not Applicable")


@dataclass(frozen=True, slots=True)
class Vintage:
    """A value and its real-time period."""

    day: date
    """Reference date: the first day of its period, a week's last, or the day itself."""
    value: float
    first: date
    """Day of publication; the first requested day if it was known before."""
    last: date
    """Day before its replacement; the last requested day if it is still current."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Metadata of a series."""

    title: str
    unit: str
    frequency: Frequency


def vintages(rows: Sequence[Any]) -> tuple[Vintage, ...] | None:
    """Return the rows that hold a value; None if none is readable, which is an invalid answer."""
    blank = [row for row in rows if isinstance(row, dict) and row.get("value") == MISSING]
    found = tuple(read for row in rows if (read := _vintage(row)) is not None)
    return None if rows and not found and not blank else found


def is_as_published(series: str, rows: Sequence[Any]) -> bool:
    """Tell whether most values have no more decimals than the series is published with, and are no share above one.

    Values in another unit or currency are the published ones times a factor, which gives them more.
    """
    digits = DECIMALS.get(series)
    texts = [row["value"] for row in rows if isinstance(row, dict) and _number(row.get("value")) is not None]
    if digits is None or not texts:
        return True
    longer = sum(len(text.partition(".")[2].rstrip("0")) > digits for text in texts)
    beyond = sum(abs(float(text)) > MOST_OF.get(series, math.inf) for text in texts)
    return 2 * max(longer, beyond) <= len(texts)


def facts_of(answer: Mapping[str, Any]) -> Facts | None:
    """Parse `fred/series`; None if unreadable."""
    rows = answer.get("seriess")
    row = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
    title = _text(row.get("title"))
    if not title:
        return None
    adjusted = _text(row.get("seasonal_adjustment"))
    unit = "%" if _text(row.get("units_short")) == "%" else _text(row.get("units"))
    return Facts(
        title=title if adjusted in _NOT_ADJUSTED else f"{title}, {adjusted.lower()}",
        unit=unit,
        frequency=_FREQUENCIES.get(_text(row.get("frequency_short")), ""),
    )


def release_number(answer: Mapping[str, Any]) -> int | None:
    """Parse `fred/series/release`; None if unreadable."""
    rows = answer.get("releases")
    number = rows[0].get("id") if isinstance(rows, list) and rows and isinstance(rows[0], dict) else None
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def release_days(answer: Mapping[str, Any]) -> tuple[date, ...] | None:
    """Parse `fred/release/dates`; None if unreadable."""
    rows = answer.get("release_dates")
    if not isinstance(rows, list):
        return None
    days = [_day(row.get("date")) if isinstance(row, dict) else None for row in rows]
    found = tuple(day for day in days if day is not None)
    for day in days:
        if day is None:
            lost("day of a release", since=SCHEDULED, date=day)
    return None if rows and not found else found


def published(rows: Sequence[Vintage]) -> tuple[MacroObservation, ...]:
    """Convert values with vintages, by day and vintage: known from the open after the publication day."""
    calendar = sessions()
    ordered = sorted(rows, key=lambda row: (row.day, row.first))
    return tuple(MacroObservation(row.day, row.value, calendar.next_open(row.first)) for row in ordered)


def assumed(rows: Sequence[Vintage], frequency: Frequency) -> tuple[MacroObservation, ...]:
    """Convert values without vintages, by day: known from the open after the assumed publication day."""
    calendar, lag = sessions(), timedelta(days=_OUT_AFTER.get(frequency, _OUT_AFTER_OTHERS))
    return tuple(
        MacroObservation(row.day, row.value, calendar.known_after(row.day + lag))
        for row in sorted(rows, key=lambda row: row.day)
    )


def _vintage(row: Any) -> Vintage | None:
    if not isinstance(row, dict) or row.get("value") == MISSING:
        return None
    day, value = _day(row.get("date")), _number(row.get("value"))
    first, last = _day(row.get("realtime_start")), _day(row.get("realtime_end"))
    if day is None or value is None or first is None or last is None or first > last:
        lost("observation", since=first or day, date=day, value=value, realtime_start=first, realtime_end=last)
        return None
    return Vintage(day, value, first, last)


def _number(value: Any) -> float | None:
    """Parse a value, which FRED writes as text."""
    if not isinstance(value, str):
        return None
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _day(value: Any) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _text(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
