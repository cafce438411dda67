"""How long the period of a flow is: a quarter, a half-year, nine months or a year, by its days and not its label.

A year of 52 or 53 weeks is a year, and a quarter of 12 to 17 weeks a quarter. What lies between, such as a transition
period of five months, is none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import reference

Length = Literal["quarter", "half-year", "nine months", "year"]
LENGTHS: Mapping[Length, tuple[int, int]] = {
    "quarter": (80, 119),
    "half-year": (160, 200),
    "nine months": (250, 285),
    "year": (350, 380),
}
"""Days, both ends included. Quarters of 16 and 17 weeks exist (Costco, PepsiCo); four months have 120 days at least."""
HALF_YEAR_GAP = (150, 215)
"""Days between the ends of consecutive half-years."""


def days_of(start: date, end: date) -> int:
    """Return the length of a period in days, both ends included."""
    return (end - start).days + 1


def length_of_days(days: int) -> Length | None:
    """Return what a period of so many days is; None for none of `LENGTHS`."""
    return next((length for length, (low, high) in LENGTHS.items() if low <= days <= high), None)


def length_of(statement: Statement) -> Length | None:
    """Return the length of a statement's period; None for none of `LENGTHS`.

    Without a first day the label decides: the gateway has checked it against the rows around (`gateway.flow_periods`).
    """
    if statement.period_start is None:
        return "year" if statement.frequency == "annual" else "quarter"
    return length_of_days(days_of(statement.period_start, statement.period_end))


def is_as_labelled(statement: Statement) -> bool:
    """Return whether a statement is what its label says: a quarter or a year of which anything is known.

    A balance sheet is of an instant, so any is. A flow of which the gateway withholds every item is its period all the
    same, so that no older one takes its place, unless its length is what is in doubt.
    """
    if statement.kind == "balance":
        return True
    wanted: Length = "year" if statement.frequency == "annual" else "quarter"
    return length_of(statement) == wanted and not _is_of_unknown_length(statement)


def is_withheld(statement: Statement) -> bool:
    """Return whether the gateway withholds all of a statement's items."""
    return bool(statement.withheld) and not statement.items


def _is_of_unknown_length(statement: Statement) -> bool:
    reasons = statement.withheld.values() if is_withheld(statement) else ()
    return any(reference("period-length") in why or reference("year-to-date") in why for why in reasons)


def is_missing(statement: Statement) -> bool:
    """Return whether a statement stands for one that the source lacks (`gateway.missing_statements`)."""
    return is_withheld(statement) and all(reference("statement-missing") in why for why in statement.withheld.values())
