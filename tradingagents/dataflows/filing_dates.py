"""When a statement or an insider's trade was known if its source gives no date: by the regulator's list, or assumed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import TypeVar

from tradingagents.dataflows.models import Filing, InsiderTransaction, Statement
from tradingagents.dataflows.reference.calendar import NEVER, sessions

QUARTER_LAG = timedelta(days=45)
"""A 10-Q is due 40 to 45 days after its quarter, depending on the filer's size."""
YEAR_LAG = timedelta(days=90)
"""A 10-K is due 60 to 90 days after its year; the fourth quarter is published with it."""
LARGE_QUARTER_LAG, LARGE_YEAR_LAG = timedelta(days=40), timedelta(days=60)
"""The same for a large accelerated filer, one whose shares held by the public are worth `LARGE_FILER` or more."""
LARGE_FILER = 700e6
"""USD (17 CFR 240.12b-2)."""
REPORTING_SESSIONS = 2
"""A Form 4 is due before the end of the second business day after the trade (17 CFR 240.16a-3)."""

DOMESTIC_REPORTS = frozenset({"10-Q", "10-QT", "10-K", "10-K405", "10-KT"})
FOREIGN_REPORTS = frozenset({"20-F", "40-F"})
"""Of years only. A foreign company's 6-K does not say which quarter it is about."""
INSIDER_FORM = "4"
SAME_PERIOD = timedelta(days=10)
"""Sources give the end of the month for years of 52 or 53 weeks, which end some days before or after it."""
FORM_SPAN = timedelta(days=4)
"""A Form 4 gives the day of its earliest trade and may report trades of the two business days after it."""

Row = TypeVar("Row", Statement, InsiderTransaction)


def assumed_known_at(period_end: date, *, annual: bool, exchange: str = "XNYS") -> datetime:
    """Return when a statement is assumed to be known: the first open after the deadline's day, UTC.

    Args:
        period_end: Last day of the period.
        annual: Whether it is published with the annual report: a year, or the quarter that ends one.
        exchange: Whose sessions count.
    """
    if period_end.year >= NEVER.year:
        return NEVER
    return sessions(exchange).known_after(period_end + (YEAR_LAG if annual else QUARTER_LAG))


def assumed_reported_at(traded: date, *, exchange: str = "XNYS") -> datetime:
    """Return when an insider's trade is assumed to be known: the first open after the deadline's day, UTC.

    Args:
        traded: Day of the trade.
        exchange: Whose sessions count.
    """
    return sessions(exchange).known_after(traded, REPORTING_SESSIONS + 1)


class FilingTimes:
    """When one company's statements and insiders' trades were filed, from the regulator's list of filings."""

    def __init__(self, filings: Iterable[Filing], *, since: date) -> None:
        """Read a list.

        Args:
            filings: What the company filed from `since` on, all of it; amendments date nothing.
            since: First day of the list.
        """
        dated = [one for one in filings if one.period_end is not None]
        self._since = since
        self._reports = [one for one in dated if one.form in DOMESTIC_REPORTS | FOREIGN_REPORTS]
        self._forms = [one for one in dated if one.form == INSIDER_FORM]

    def dated(self, row: Row) -> Row:
        """Return a row with the acceptance of its filing in place of an assumed date; a dated one as it is."""
        if row.known_by != "assumed":
            return row
        return self._statement(row) if isinstance(row, Statement) else self._trade(row)

    def _statement(self, row: Statement) -> Statement:
        """Date a statement by the report of its period.

        A period without a report, of a company that files them, is overdue. Its statement is known with the next
        period's report, which repeats it; until there is one, at no moment.
        """
        ends = [(one.period_end, one.known_at) for one in self._reports if one.period_end is not None]
        own = [(abs(end - row.period_end), at) for end, at in ends if abs(end - row.period_end) <= SAME_PERIOD]
        if own:
            return replace(row, known_at=min(own)[1], known_by="accepted")
        if row.period_end < self._since or not self._are_filed(annual=row.fiscal_period in ("FY", "Q4")):
            return row
        repeated = [known_at for end, known_at in ends if end > row.period_end]
        return replace(row, known_at=max(row.known_at, min(repeated)) if repeated else NEVER)

    def _are_filed(self, *, annual: bool) -> bool:
        """Return whether the company files reports of such periods."""
        return any(one.form in DOMESTIC_REPORTS or (annual and one.form in FOREIGN_REPORTS) for one in self._reports)

    def _trade(self, row: InsiderTransaction) -> InsiderTransaction:
        """Date a trade by the last of the forms that may report it: the list doesn't name the insider.

        A trade without such a form keeps its date.
        """
        first, traded = row.transaction_date - FORM_SPAN, row.transaction_date
        forms = [(one.period_end, one.known_at) for one in self._forms if one.period_end is not None]
        accepted = [known_at for day, known_at in forms if first <= day <= traded <= known_at.date()]
        return replace(row, known_at=max(accepted), known_by="accepted") if accepted else row
