"""Compare revenue, net income, assets and operating cash flow of the same periods between two sources."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.metrics import Figure

COMPARED: Mapping[StatementKind, tuple[str, ...]] = {
    "income": ("revenue", "net_income"),
    "balance": ("total_assets",),
    "cashflow": ("operating_cash_flow",),
}
SAME_PERIOD = timedelta(days=7)
"""Period ends this close count as equal: some sources move the end of a 52- or 53-week year to the end of the month."""
TOLERANCE = 0.005
"""Relative difference that counts as rounding."""
LARGE = 1e9
"""Companies with a figure of this size report in millions, smaller ones in thousands; one such unit is rounding too."""
SHOWN = 6
"""Maximum number of differences listed per source."""


class Difference(BaseModel):
    """One item of one period with different values in two sources."""

    model_config = ConfigDict(frozen=True)

    period_end: date
    item: str
    value: float
    """Value of the main source, in the currency of the result, like `other`."""
    other: float


class Check(BaseModel):
    """Comparison with one other source."""

    model_config = ConfigDict(frozen=True)

    source: str
    periods: int
    """Period ends for which both sources have at least one of the items."""
    agreed: int
    """Periods among them in which all common items are equal within rounding."""
    differences: tuple[Difference, ...]
    """Newest period first."""

    def notes(self, source: str, currency: str) -> tuple[str, ...]:
        """Return the result as notes; differences come first, as warnings.

        Args:
            source: The main source.
            currency: ISO code of the figures.
        """
        if not self.periods:
            return (f"Not checked against {self.source}: it has none of these figures of the same periods.",)
        warnings = [
            f"Warning: {difference.item} of the period to {difference.period_end} is "
            f"{_money(difference.value, currency)} at {source} and "
            f"{_money(difference.other, currency)} at {self.source}; look into the filing."
            for difference in self.differences[:SHOWN]
        ]
        if more := len(self.differences) - SHOWN:
            warnings += [f"Warning: {more} more figures differ between {source} and {self.source}."] if more > 0 else []
        of = "" if self.agreed == self.periods else f" of {self.periods}"
        if self.agreed:
            warnings.append(f"{source} agrees with {self.source} for {self.agreed}{of} periods.")
        return tuple(warnings)


def compare(own: Sequence[Statement], source: str, other: Sequence[Statement]) -> Check:
    """Compare the statements of one source with another's of the same kinds and frequency.

    Two figures are equal if they differ by at most 0.5 %, or by one unit of rounding: a million, or a thousand for
    companies whose compared figures are all below a billion. Figures in another currency are not compared.

    Args:
        own: Statements of the main source, one version of each period.
        source: The other source.
        other: Its statements, one version of each period.
    """
    pairs = list(_pairs(own, other))
    size = max((max(abs(mine), abs(theirs)) for _, _, mine, theirs in pairs), default=0.0)
    rounding = 1e6 if size >= LARGE else 1e3
    different = [
        Difference(period_end=end, item=item, value=mine, other=theirs)
        for end, item, mine, theirs in pairs
        if abs(mine - theirs) > max(TOLERANCE * max(abs(mine), abs(theirs)), rounding)
    ]
    ends = _merged(end for end, *_ in pairs)
    wrong = {_nearest(difference.period_end, ends) for difference in different}
    return Check(
        source=source,
        periods=len(ends),
        agreed=len(ends) - len(wrong),
        differences=tuple(sorted(different, key=lambda difference: difference.period_end, reverse=True)),
    )


def _pairs(own: Iterable[Statement], other: Sequence[Statement]) -> Iterable[tuple[date, str, float, float]]:
    """Yield the figures that both sources have: period end, item, and the two values."""
    for mine in own:
        same = [statement for statement in other if statement.kind == mine.kind and statement.currency == mine.currency]
        theirs = min(same, key=lambda statement: abs(statement.period_end - mine.period_end), default=None)
        if theirs is None or abs(theirs.period_end - mine.period_end) > SAME_PERIOD:
            continue
        for item in COMPARED[mine.kind]:
            if item in mine.items and item in theirs.items:
                yield mine.period_end, item, mine.items[item], theirs.items[item]


def _merged(ends: Iterable[date]) -> list[date]:
    """Return the period ends, newest first; those within a week of each other are merged."""
    found: list[date] = []
    for end in sorted(set(ends), reverse=True):
        if not found or found[-1] - end > SAME_PERIOD:
            found.append(end)
    return found


def _nearest(day: date, ends: Sequence[date]) -> date:
    return min(ends, key=lambda end: abs(end - day))


def _money(value: float, currency: str) -> str:
    return Figure("", value, currency).text
