"""How long the period of a flow is: a quarter, a half-year, nine months or a year, by its days and not its label.

A year of 52 or 53 weeks is a year, and a quarter of 12 to 17 weeks a quarter. What lies between, such as a transition
period of five months, is none of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Literal

from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.data_faults import FaultKind, reference

Length = Literal["quarter", "half-year", "nine months", "year"]
LENGTHS: Mapping[Length, tuple[int, int]] = {
    "quarter": (80, 119),
    "half-year": (160, 200),
    "nine months": (250, 285),
    "year": (350, 380),
}
"""Days, both ends included. Quarters of 16 and 17 weeks exist (Costco, PepsiCo); four months have 120 days at least."""
_OF_VALUES: tuple[FaultKind, ...] = ("statement-missing", "unit-jump", "currency-unknown")
"""Faults for which all items of a statement are withheld though its period is not in doubt."""
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

    Without a first day the label decides: the gateway has checked it against the rows around (`flow_periods`).
    """
    if statement.period_start is None:
        return "year" if statement.frequency == "annual" else "quarter"
    return length_of_days(days_of(statement.period_start, statement.period_end))


def is_as_labelled(statement: Statement) -> bool:
    """Return whether a statement is what its label says: a quarter or a year of which anything is known.

    A balance sheet is of an instant, so any is. A flow that is missing, or of which every item is in another unit or
    currency, is its period all the same, so that no older one takes its place; any other without items is not.
    """
    if statement.kind == "balance":
        return True
    wanted: Length = "year" if statement.frequency == "annual" else "quarter"
    return length_of(statement) == wanted and (not is_withheld(statement) or _is_sure_of_length(statement))


def is_withheld(statement: Statement) -> bool:
    """Return whether the gateway withholds all of a statement's items."""
    return bool(statement.withheld) and not statement.items


def _is_sure_of_length(statement: Statement) -> bool:
    """Return whether a statement of which every item is withheld is so for its values, not for its length."""
    sure = [reference(kind) for kind in _OF_VALUES]
    return all(any(one in why for one in sure) for why in statement.withheld.values())


def is_missing(statement: Statement) -> bool:
    """Return whether a statement stands for one that the source lacks (`missing_statements`)."""
    return is_withheld(statement) and all(reference("statement-missing") in why for why in statement.withheld.values())
