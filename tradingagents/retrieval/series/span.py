"""`Span`: which fiscal years or quarters a series covers, and how such a span is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tradingagents.errors import UsageError

MOST_PERIODS = 80
"""Most periods of a span: twenty years of quarters."""
FIRST_YEAR, LAST_YEAR = 1980, 2100
_PERIOD = re.compile(r"(?:q(?P<quarter>[1-4])[\s_-]*)?(?:fy[\s_-]*)?(?P<year>(?:19|20)\d\d)")
_LAST = re.compile(r"(?:the )?(?:last|latest|past) (?:(?P<count>\d{1,3}) )?(?:fiscal )?(?P<every>year|quarter)s?")
_SINCE = re.compile(r"since (?P<first>.{4,20})")
_BETWEEN = re.compile(r"between (?P<first>.{4,20}?) and (?P<last>.{4,20})")
_FROM = re.compile(r"(?:from )?(?P<first>.{4,20}?)(?: ?\.\. ?| to | ?- ?)(?P<last>.{4,20})")


class FiscalPeriod(NamedTuple):
    """A fiscal year, or one of its quarters."""

    year: int
    quarter: int | None = None
    """1 to 4; None for the whole year."""

    @property
    def label(self) -> str:
        """Such as `FY2024` or `Q3 FY2024`."""
        return f"FY{self.year}" if self.quarter is None else f"Q{self.quarter} FY{self.year}"

    @property
    def before(self) -> FiscalPeriod:
        """The year, or the quarter, before it."""
        if self.quarter is None:
            return FiscalPeriod(self.year - 1)
        return FiscalPeriod(self.year - 1, 4) if self.quarter == 1 else FiscalPeriod(self.year, self.quarter - 1)

    @property
    def after(self) -> FiscalPeriod:
        """The year, or the quarter, after it."""
        if self.quarter is None:
            return FiscalPeriod(self.year + 1)
        return FiscalPeriod(self.year + 1, 1) if self.quarter == 4 else FiscalPeriod(self.year, self.quarter + 1)


Period = FiscalPeriod | tuple[int, int | None] | int
"""A fiscal year as 2024, or one of its quarters as (2024, 3)."""


@dataclass(frozen=True, slots=True)
class Span:
    """The fiscal years, or the fiscal quarters, that are asked for: named, the last few, or from one to another.

    Make one with `years`, `quarters`, `last_years`, `last_quarters`, `since` or `between`, or `read` one from a text.
    """

    periods: tuple[FiscalPeriod, ...] = ()
    """Those named, in order; empty where the span is told otherwise."""
    last: int = 0
    """Count of the newest periods; 0 where the span is told otherwise."""
    first: FiscalPeriod | None = None
    """First period, of a span that reaches to the newest period known."""
    quarterly: bool = False
    """Whether its periods are quarters."""

    @staticmethod
    def years(*years: int) -> Span:
        """Return the fiscal years named, in their order in time.

        Raises:
            UsageError: There are none, or too many.
        """
        return Span._named(FiscalPeriod(year) for year in years)

    @staticmethod
    def quarters(*quarters: tuple[int, int]) -> Span:
        """Return the fiscal quarters named, each as (fiscal year, 1 to 4). Raises as `years` does."""
        return Span._named((FiscalPeriod(year, quarter) for year, quarter in quarters), quarterly=True)

    @staticmethod
    def last_years(count: int) -> Span:
        """Return the newest fiscal years that the company has reported by the day asked. Raises as `years` does."""
        return Span(last=_counted(count))

    @staticmethod
    def last_quarters(count: int) -> Span:
        """Return the newest fiscal quarters that the company has reported by the day asked. Raises as `years` does."""
        return Span(last=_counted(count), quarterly=True)

    @staticmethod
    def since(year: int, quarter: int | None = None) -> Span:
        """Return the periods from a fiscal year or quarter to the newest one reported. Raises as `years` does."""
        return Span(first=_checked(FiscalPeriod(year, quarter)), quarterly=quarter is not None)

    @staticmethod
    def between(first: Period, last: Period) -> Span:
        """Return the periods from one to another, both included: years as 2020, quarters as (2020, 3).

        Raises:
            UsageError: One is a year and the other a quarter, the last lies before the first, or there are too many.
        """
        start, end = _period(first), _period(last)
        if (start.quarter is None) != (end.quarter is None):
            raise UsageError(f"A span from {start.label} to {end.label} mixes a year and a quarter; name two years.")
        if end < start:
            raise UsageError(f"The span begins with {start.label}, after its end {end.label}; exchange the two.")
        return Span._named(_run(start, end), quarterly=start.quarter is not None)

    @staticmethod
    def read(text: str) -> Span:
        """Return the span that a text names.

        Written `FY2024`, `Q3 FY2024`, a list with commas, `2019..2024`, `Q1 FY2023..Q4 FY2024`, `since 2019`,
        `last 5 years` or `last 8 quarters`.

        Raises:
            UsageError: It is written otherwise, or is a span that cannot be.
        """
        plain = " ".join(text.lower().split())
        if match := _LAST.fullmatch(plain):
            count = int(match["count"] or 1)
            return Span.last_years(count) if match["every"] == "year" else Span.last_quarters(count)
        if (match := _SINCE.fullmatch(plain)) and (first := _written(match["first"])):
            return Span.since(*first)
        if (match := _BETWEEN.fullmatch(plain) or _FROM.fullmatch(plain)) and "," not in plain:
            start, end = _written(match["first"]), _written(match["last"])
            if start and end:
                return Span.between(start, end)
        named = [_written(part) for part in re.split(r",| and ", plain) if part.strip()]
        periods = [period for period in named if period is not None]
        if periods and len(periods) == len(named):
            if len({period.quarter is None for period in periods}) > 1:
                raise UsageError(f"The span {text!r} mixes years and quarters; ask for one of a kind.")
            return Span._named(periods, quarterly=periods[0].quarter is not None)
        raise UsageError(
            f"The span {text[:60]!r} is not understood; write FY2024, Q3 FY2024, 2021, 2023, 2019..2024, since 2019, "
            f"last 5 years or last 8 quarters."
        )

    def resolve(self, newest: FiscalPeriod | None) -> tuple[FiscalPeriod, ...]:
        """Return the periods of the span, oldest first.

        Args:
            newest: The newest year, or quarter, that the company has reported; None where it has reported none.
        """
        if self.periods:
            return self.periods
        if newest is None:
            return ()
        if self.first is not None:
            return tuple(_run(self.first, newest))[-MOST_PERIODS:]
        found = [newest]
        while len(found) < self.last:
            found.append(found[-1].before)
        return tuple(reversed(found))

    @property
    def label(self) -> str:
        """The span in words."""
        every = "quarters" if self.quarterly else "years"
        if self.last:
            return f"the last {self.last} {every}"
        if self.first is not None:
            return f"since {self.first.label}"
        return ", ".join(period.label for period in self.periods)

    @staticmethod
    def _named(periods: Iterable[FiscalPeriod], *, quarterly: bool = False) -> Span:
        found = tuple(sorted(set(map(_checked, periods))))
        if not found:
            raise UsageError("A span names at least one fiscal year or quarter.")
        _counted(len(found))
        return Span(periods=found, quarterly=quarterly)


def _counted(count: int) -> int:
    if not 1 <= count <= MOST_PERIODS:
        raise UsageError(f"A span has 1 to {MOST_PERIODS} periods, not {count}; ask for fewer.")
    return count


def _checked(period: FiscalPeriod) -> FiscalPeriod:
    if not FIRST_YEAR <= period.year <= LAST_YEAR or (period.quarter is not None and not 1 <= period.quarter <= 4):
        raise UsageError(f"There is no fiscal period {period.label}; years are written like 2024, quarters 1 to 4.")
    return period


def _period(given: Period) -> FiscalPeriod:
    return FiscalPeriod(given) if isinstance(given, int) else FiscalPeriod(*given)


def _run(first: FiscalPeriod, last: FiscalPeriod) -> Iterable[FiscalPeriod]:
    period = first
    while period <= last and period.year <= LAST_YEAR:
        yield period
        period = period.after


def _written(text: str) -> FiscalPeriod | None:
    match = _PERIOD.fullmatch(text.strip())
    if match is None:
        return None
    return FiscalPeriod(int(match["year"]), int(match["quarter"]) if match["quarter"] else None)
