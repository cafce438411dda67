"""Rows of plain text that carry their own day: the balances of a table of changes, and the changes between two of them.

    Balance at December 31, 2018 $ 1,564 $ 33      of the end of 2018
    Acquired during the year 118 —                 of the year 2019
    Balance at December 31, 2019 $ 1,682 $ 33      of the end of 2019

The columns of such a table are names, and no head dates them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import groupby

from tradingagents.retrieval.lines.heads.above_tables import is_tagged
from tradingagents.retrieval.lines.heads.report_days import ReportDay
from tradingagents.retrieval.models import Column, FiledTable, Row
from tradingagents.retrieval.text_figures import MONTH, MONTHS

_BALANCE = re.compile(
    rf"(?i)^(?P<of>[^\d]{{0,90}}?)(?P<month>{MONTH})\s+(?P<day>\d{{1,2}}),?\s+(?P<year>(?:19|20)\d\d)\s*(?:\(\w\)|[*:,])?$"
)
_NAMED = re.compile(r"(?i)\b(?:balances?|outstanding|nonvested|non-vested|unvested|unrecognized tax benefits)\b")
_FEWEST = 2
"""Balances of a table from which on it is one of changes."""
_YEAR_DAYS = (350, 380)
_MOST_YEARS = 4
"""Years before that of the report that it may print."""

_Period = tuple[date | None, date, int]
"""First day of changes, or None for a balance; the last day; the fiscal year."""


def by_dated_rows(table: FiledTable, of: ReportDay | None) -> Iterator[FiledTable]:
    """Yield a table, or its rows by the period that they tell where nothing dates its columns; the others follow."""
    if of is None or any(column.fiscal_year or column.months for column in table.columns) or is_tagged(table):
        yield table
        return
    periods = _periods(table.rows, of)
    if not any(periods):
        yield table
        return
    for period, group in groupby(zip(periods, table.rows, strict=True), key=lambda pair: pair[0]):
        rows = tuple(row for _, row in group)
        yield replace(table, rows=rows, columns=table.columns if period is None else _columns(table, period))


def _columns(table: FiledTable, period: _Period) -> tuple[Column, ...]:
    start, end, year = period
    return tuple(
        replace(column, period_start=start, period_end=end, fiscal_year=year, months=None if start is None else 12)
        for column in table.columns
    )


def _periods(rows: Sequence[Row], of: ReportDay) -> list[_Period | None]:
    """Return the period of each row; None where it tells none, and for all where the balances are no years apart."""
    days = [_day(row) for row in rows]
    balances = [day for day in days if day is not None]
    if len(balances) < _FEWEST or any(day > of.day + timedelta(days=1) for day in balances):
        return [None] * len(rows)
    found: list[_Period | None] = []
    for at, day in enumerate(days):
        if day is not None:
            year = of.year_of(day)
            known = year is not None and of.fiscal_year - year <= _MOST_YEARS
            found.append((None, day, year) if known and year is not None else None)
            continue
        before = next((each for each in reversed(days[:at]) if each is not None), None)
        after = next((each for each in days[at:] if each is not None), None)
        found.append(_between(before, after, of))
    return found


def _between(before: date | None, after: date | None, of: ReportDay) -> _Period | None:
    """Return the year between two balances; None where they are not a year apart, or none of a yearly report."""
    if before is None or after is None or of.fiscal_quarter is not None:
        return None
    year = of.year_of(after)
    if year is None or not _YEAR_DAYS[0] <= (after - before).days <= _YEAR_DAYS[1]:
        return None
    first = before if before.day == 1 else before + timedelta(days=1)
    return (first, after, year) if of.fiscal_year - year <= _MOST_YEARS else None


def _day(row: Row) -> date | None:
    """Return the day of a row that is a balance; None for any other."""
    found = _BALANCE.match(row.label.strip())
    if found is None or (found["of"].strip(" ,") and not _NAMED.search(found["of"])):
        return None
    month = next(at for at, name in enumerate(MONTHS, 1) if name.startswith(found["month"].lower().rstrip(".")[:3]))
    try:
        return date(int(found["year"]), month, int(found["day"]))
    except ValueError:
        return None
