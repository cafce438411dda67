"""Statements of a snapshot: the period of each, and when it was known."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.currencies import NOT_STATED
from tradingagents.dataflows.reference.fiscal_periods import assumed_known_at
from tradingagents.dataflows.vendors.snapshot.folder import (
    MadeWhenAsked,
    Unreadable,
    check_texts,
    known_by,
    known_from,
    moment,
    read_lines,
    reading,
    recorded_day,
    spelled,
)
from tradingagents.dataflows.vendors.snapshot.items import ANCHORS, our_items

LARGEST = 1e300
"""Magnitude below which computing with a number is safe."""
_DRIFT = timedelta(days=7)
"""A 52/53-week year may end in the first days of the next month."""
RESTATED_SOURCES = frozenset({"yfinance"})
"""Sources that restate share counts and per-share items for every later split, up to the recording unless a row says
otherwise."""


def load_statements(
    path: Path,
    unreadable: Unreadable | None = None,
    *,
    recorded_at: Callable[[str], datetime] = lambda _: datetime.max.replace(tzinfo=UTC),
) -> Mapping[str, tuple[Statement, ...]]:
    """Read statements.jsonl.gz by symbol, newest period first; {} if it doesn't exist.

    Every line is checked; a symbol's statements are built on first use.

    Rows without any central item of their kind (`items.ANCHORS`) are placeholders of the source and skipped.

    Args:
        recorded_at: Share basis of rows of `RESTATED_SOURCES` that don't state one, by symbol.

    Raises:
        VendorDown: The file is corrupt, or too many rows lack a field; names the line.
    """
    by_symbol: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in read_lines(path, checked_row, unreadable):
        by_symbol[row["symbol"]].append(row)

    def statements_of(symbol: str) -> tuple[Statement, ...]:
        with reading(path):
            return _statements(symbol, by_symbol[symbol], recorded_at(symbol))

    return MadeWhenAsked(by_symbol, statements_of)


def checked_row(row: dict[str, Any]) -> dict[str, Any]:
    """Parse a row's dates and texts, so that an invalid one is reported with its line."""
    if row["statement"] not in get_args(StatementKind) or row["period"] not in get_args(Frequency):
        raise ValueError(f"unknown statement {row['statement']!r} or period {row['period']!r}")
    symbol = spelled(row["symbol"])
    check_texts(row, "source", "currency", "fiscal_period")
    if row.get("fiscal_period"):
        int(row["fiscal_year"])
    filed, start = row.get("known_at") or row.get("filed_at"), row.get("period_start")
    exact = "known_at" in row
    return row | {
        "exact": exact,
        "known_by": known_by(row, dated=bool(filed)),
        "symbol": symbol,
        "period_end": recorded_day(row["period_end"]),
        "period_start": recorded_day(start) if start else None,
        "filed": known_from(filed, exchange_of(symbol)) if filed else None,
        **_share_basis(row),
        **_items(row, exact, bool(filed)),
    }


def _items(row: Mapping[str, Any], exact: bool, filed: bool) -> dict[str, Any]:
    """Return the items with the library's names; plain numbers, which can't fail, are left to `named_items`."""
    if exact:
        return {"items": _numbers(row["items"])}
    raw = row["items"]
    if isinstance(raw, dict) and all(map(_is_plain, raw.values())):
        return {"items": None, "recorded_items": raw}
    return {"items": our_items(row["source"], row["statement"], raw, filed=filed)}


def _is_plain(value: Any) -> bool:
    return value is None or (type(value) in (float, int) and -LARGEST < value < LARGEST)


def named_items(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a checked row with the library's item names."""
    if row["items"] is not None:
        return row
    filed = bool(row.get("known_at") or row.get("filed_at"))
    return {**row, "items": our_items(row["source"], row["statement"], row["recorded_items"], filed=filed)}


def _share_basis(row: Mapping[str, Any]) -> dict[str, Any]:
    """Parse a row's share basis: as filed, as of an instant, or as of the recording (`restated`)."""
    if "shares_as_of" in row:
        given = row["shares_as_of"]
        return {"shares_as_of": _end_of(given) if given else None, "restated": False}
    return {"shares_as_of": None, "restated": row["source"] in RESTATED_SOURCES}


def _end_of(text: str) -> datetime:
    """Return an instant; for a day its evening, when every split of the day has been applied."""
    instant, day_only = moment(text)
    return instant.replace(hour=20) if day_only else instant


def _numbers(items: Mapping[str, Any]) -> dict[str, float]:
    return {item: float(value) for item, value in items.items() if value is not None}


def _statements(symbol: str, rows: Sequence[Mapping[str, Any]], recorded_at: datetime) -> tuple[Statement, ...]:
    rows = [named_items(row) for row in rows]
    month = _year_end_month(rows)
    filings = [(row["period_end"], row["filed"]) for row in rows if row["filed"] and row["known_by"] == "accepted"]
    found = [
        _statement(symbol, row, month, filings, recorded_at)
        for row in rows
        if row["exact"] or any(item in row["items"] for item in ANCHORS[row["statement"]])
    ]
    return tuple(sorted(found, key=lambda row: (row.period_end, row.known_at), reverse=True))


def _statement(
    symbol: str,
    row: Mapping[str, Any],
    year_end_month: int,
    filings: Iterable[tuple[date, datetime]],
    recorded_at: datetime,
) -> Statement:
    year, period = _fiscal(row, year_end_month)
    return Statement(
        symbol=symbol,
        kind=row["statement"],
        frequency=row["period"],
        fiscal_year=year,
        fiscal_period=period,
        period_start=row["period_start"],
        period_end=row["period_end"],
        known_at=row["filed"] or _assumed(symbol, row["period_end"], period, filings),
        known_by=row["known_by"],
        currency=row.get("currency") or NOT_STATED,
        source=row["source"],
        items=row["items"],
        shares_as_of=recorded_at if row["restated"] else row["shares_as_of"],
    )


def _assumed(symbol: str, period_end: date, period: str, filings: Iterable[tuple[date, datetime]]) -> datetime:
    """Return when a statement without a date is assumed to be known: never later than the filing for a later period."""
    annual = period in ("Q4", "FY")
    assumed = assumed_known_at(period_end, annual=annual, exchange=exchange_of(symbol))
    return min([assumed, *(filed for end, filed in filings if end > period_end)])


def _fiscal(row: Mapping[str, Any], year_end_month: int) -> tuple[int, str]:
    """Return fiscal year and period; derived from the month of the fiscal year's end if the row doesn't say."""
    if row.get("fiscal_period"):
        return int(row["fiscal_year"]), row["fiscal_period"]
    end = row["period_end"] - _DRIFT
    if row["period"] == "annual":
        return end.year, "FY"
    months = (end.month - year_end_month - 1) % 12 + 1
    return end.year + (end.month > year_end_month), f"Q{(months + 2) // 3}"


def _year_end_month(rows: Iterable[Mapping[str, Any]]) -> int:
    """Return the month in which a company's fiscal years end, from its annual statements; December if it has none."""
    months = Counter((row["period_end"] - _DRIFT).month for row in rows if row["period"] == "annual")
    return months.most_common(1)[0][0] if months else 12
