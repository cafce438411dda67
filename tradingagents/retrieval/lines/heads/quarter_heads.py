"""Columns of quarters in a table of plain text: headed by quarters, or dated a quarter apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise

from tradingagents.retrieval.lines.heads.above_tables import first_figure, lines_above
from tradingagents.retrieval.models import Column, FiledTable, SourceDocument

_QUARTERS = re.compile(r"\b(?:([1-4])Q|Q([1-4])) ?'?((?:20)?\d\d)\b")
_QUARTER_LINE = re.compile(
    r"(?:^|.*?[^\w])(?P<quarters>(?:(?:[1-4]Q|Q[1-4]) ?'?(?:20)?\d\d\s*){2,})(?P<years>(?:(?:19|20)\d\d\s*)*)$"
)
_ORDINALS = r"(?:{0}(?: fiscal)?(?: quarter)?|{1}|q{2})[*]?(?:\s?\((?:\d|[a-z])\))?"
_NAMED_QUARTERS = re.compile(
    r"(?i)^(?:.*?[^\w.,])??"
    + r"\s".join(
        _ORDINALS.format(*names)
        for names in (("first", "1st", "1"), ("second", "2nd", "2"), ("third", "3rd", "3"), ("fourth", "4th", "4"))
    )
    + r"(?P<whole>\s(?:(?:total|fiscal|full|annual|the|for)\s)*(?:total|year|annual)?"
    + r"(?:\s?(?P<year>(?:19|20)\d\d))?)?\W*$"
)
"""The four quarters of one year, and the year where it stands beside them."""
_YEAR = re.compile(r"(?i)(?:^|\b(?:fiscal|ended|ending|years?|quarters?|\d,)\s)\D{0,20}?((?:19|20)\d\d)\W*$")
_QUARTER_HEAD = re.compile(r"(?i)(first|second|third|fourth) (?:fiscal )?quarter ((?:19|20)\d\d)")
_NUMBERS = ("first", "second", "third", "fourth")
_MOST_ABOVE = 4
"""Lines above a table in which its quarters may stand."""
_FEWEST_QUARTERS = 3
"""Columns that are dated a quarter apart from which on they are of quarters."""


def of_quarters(table: FiledTable, document: SourceDocument) -> FiledTable | None:
    """Return a table whose columns are quarters, as `2Q23 1Q23 4Q22` or dated a quarter apart; None for any other."""
    headed = [_QUARTER_HEAD.fullmatch(column.header) for column in table.columns]
    if document.info.fiscal_quarter is None and all(headed):
        quarters = [(_NUMBERS.index(head[1].lower()) + 1, int(head[2])) for head in headed if head]
        return _with_quarters(table, quarters, ())
    ends = [column.period_end for column in table.columns]
    months = [column.months for column in table.columns]
    days = [end for end in ends if end is not None]
    of_quarters = document.info.fiscal_quarter is None and set(months) == {_MONTHS}  # of an annual report
    if len(ends) >= _FEWEST_QUARTERS and len(days) == len(ends) and (of_quarters or not any(months)):
        apart = [(one - other).days for one, other in pairwise(days)]
        if all(_QUARTER_DAYS[0] <= abs(each) <= _QUARTER_DAYS[1] for each in apart):
            return _with_quarters(table, [_quarter_of_day(end, document, max(days)) for end in days], ())
        return None
    page = next((page for page in document.pages if page.number == table.page), None)
    begin = first_figure(table)
    heads = [column.header.strip() for column in table.columns]
    if page is None or begin is None or (all(heads) and len(set(heads)) == len(heads)):
        return None
    above = lines_above(page, begin)
    for at in range(len(above) - 1, max(-1, len(above) - 1 - _MOST_ABOVE), -1):
        line = above[at]
        if named := _NAMED_QUARTERS.match(line.strip()):
            return _of_one_year(table, named, above[max(0, at - _MOST_ABOVE) : at] + above[at + 1 :])
        if found := _QUARTER_LINE.match(line.strip()):
            quarters = [
                (int(one or other), 2000 + int(year) % 100) for one, other, year in _QUARTERS.findall(found["quarters"])
            ]
            years = tuple(int(year) for year in found["years"].split())
            return _with_quarters(table, quarters, years) if len(quarters) + len(years) == len(table.columns) else None
    return None


def _of_one_year(table: FiledTable, named: re.Match[str], near: Sequence[str]) -> FiledTable | None:
    """Return a table of the four quarters of a year, and maybe of the year itself; None where no year is told."""
    count = len(table.columns)
    if count not in (4, 5) or (count == 5) != bool((named["whole"] or "").strip()):
        return None
    told = [int(found[1]) for line in near if (found := _YEAR.search(line.strip()))]
    year = int(named["year"]) if named["year"] else told[-1] if told else 0
    if not year:
        return None
    heads = [Column(f"Q{quarter} {year}", fiscal_year=year, months=3) for quarter in range(1, 5)]
    heads += [Column(f"Year {year}", fiscal_year=year, months=12)] * (count - 4)
    return replace(table, columns=tuple(heads))


_QUARTER_DAYS, _MONTHS = (80, 100), 3


def _quarter_of_day(end: date, document: SourceDocument, newest: date) -> tuple[int, int]:
    """Return the fiscal quarter and year that end on a day, by the last month of the company's fiscal year.

    Where it is not known it is that of the last quarter which an annual report shows.
    """
    own = document.info.period_end or newest
    last = own.month if document.info.fiscal_quarter is None else 12
    quarter = 4 - ((last - end.month) % 12) // 3
    return quarter, end.year if end.month <= last else end.year + 1


def _with_quarters(table: FiledTable, quarters: Sequence[tuple[int, int]], years: Sequence[int]) -> FiledTable:
    """Return a table with columns of quarters, and after them of years so far, which are read as nothing."""
    heads = [Column(f"Q{quarter} {year}", fiscal_year=year, months=3) for quarter, year in quarters]
    heads += [Column(f"{year} to date") for year in years]
    return replace(table, columns=tuple(heads))
