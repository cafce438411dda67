"""How long after its newest period ended a company's figures may be called current: one rule for all of them.

A figure of statements (a sum of twelve months, growth, a margin, a ratio) is current until the next period should have
been filed. A multiple sets today's price against them, so a fiscal year stands for the last twelve months only as long
as interim periods would: its P/E a year later is that of another time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal

from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.period_lengths import HALF_YEAR_GAP, length_of

Interval = Literal["quarter", "half-year", "year"]
ODD_QUARTERS = ("Q1", "Q3")
"""Quarters at whose end no half of a fiscal year ends."""
ENOUGH_ENDS = 3
"""Ends half a year apart of which quarters between are unlikely to be missing."""
LONGEST_AGE: Mapping[Interval, int] = {"quarter": 200, "half-year": 300, "year": 460}
"""Days from a period's end after which its figures are withheld: the next period (91, 182 or 365 days), the slowest
filing of it (95 days) and some slack."""


def interim_interval(ends: Iterable[date]) -> Interval:
    """Return how often a company reports within a year, told by the ends of the periods filed as quarters.

    Sources file half-years as quarters. A company reports half-yearly if all these periods lie about half a year apart
    or more; a single distance of a quarter makes it a quarterly one. So does a single period, or none.
    """
    ordered = sorted(set(ends), reverse=True)
    gaps = [(later - earlier).days for later, earlier in pairwise(ordered)]
    shortest, longest = HALF_YEAR_GAP
    return "half-year" if gaps and min(gaps) >= shortest and gaps[0] <= longest else "quarter"


def is_current(statement: Statement, statements: Sequence[Statement], as_of: date) -> bool:
    """Tell whether figures of a statement may be called current on a day.

    Args:
        statement: The newest of its kind.
        statements: Those known of its kind: their distances tell how often the company reports.
    """
    is_sheet = statement.kind == "balance"
    if statement.frequency == "annual" if is_sheet else length_of(statement) == "year":
        return (as_of - statement.period_end).days <= LONGEST_AGE["year"]
    return may_be_priced(statement.period_end, statements, as_of)


def may_be_priced(end: date, statements: Sequence[Statement], as_of: date) -> bool:
    """Tell whether a multiple of a price of the day may rest on figures of a period that ended on `end`.

    Args:
        end: The last day of the twelve months, or the day of a balance sheet.
        statements: Those known of that kind.
    """
    return (as_of - end).days <= LONGEST_AGE[reporting_interval(statements)]


def reporting_interval(statements: Iterable[Statement]) -> Interval:
    """Return how often a company reports within a year, by the lengths of its flows where given, else by their ends.

    Args:
        statements: Of one kind; years do not count.
    """
    interims = [one for one in statements if one.frequency == "quarterly"]
    lengths = {length_of(one) for one in interims if one.kind != "balance" and one.period_start is not None}
    if "quarter" in lengths:
        return "quarter"
    if "half-year" in lengths:
        return "half-year"
    ends = {one.period_end for one in interims}
    if len(ends) < ENOUGH_ENDS and any(one.kind != "balance" and one.fiscal_period in ODD_QUARTERS for one in interims):
        return "quarter"
    return interim_interval(ends)


def stale_reason(period: str, end: date, as_of: date, withheld: str) -> str:
    """Return in one sentence why figures are withheld.

    Args:
        period: The newest known, such as `quarter` or `balance sheet`.
        end: The day on which it ended.
        withheld: What is withheld, as a plural subject.
    """
    days = (as_of - end).days
    return f"The newest {period} known is of {end}, {days} days before {as_of}: {withheld} are withheld."
