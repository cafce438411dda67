"""Whether two sources give the same figures of the same periods: revenue, net income, assets, operating cash flow."""

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
"""Some sources move the end of a 52- or 53-week year to the end of the month."""
TOLERANCE = 0.005
"""Relative difference that is rounding."""
LARGE = 1e9
"""Companies with a figure of this size report in millions, smaller ones in thousands: one of these is rounding too."""
SHOWN = 6
"""Most disagreements named of one source."""


class Difference(BaseModel):
    """One item of one period that two sources give differently."""

    model_config = ConfigDict(frozen=True)

    period_end: date
    item: str
    value: float
    """Of the source that answered, in the currency of the answer, as is `other`."""
    other: float


class Check(BaseModel):
    """How one other source compares."""

    model_config = ConfigDict(frozen=True)

    source: str
    periods: int
    """Period ends for which both give at least one of the items."""
    agreed: int
    """Those of them for which all items that both give are equal within rounding."""
    differences: tuple[Difference, ...]
    """The newest period first."""

    def notes(self, source: str, currency: str) -> tuple[str, ...]:
        """Return what the comparison says, disagreements first, each a warning.

        Args:
            source: Who answered.
            currency: ISO code of the figures.
        """
        if not self.periods:
            return (f"Not checked against {self.source}: it has none of these figures of the same periods.",)
        warnings = [
            f"Warning: {one.item} of the period to {one.period_end} is {_money(one.value, currency)} at {source} and "
            f"{_money(one.other, currency)} at {self.source}; look into the filing."
            for one in self.differences[:SHOWN]
        ]
        if more := len(self.differences) - SHOWN:
            warnings += [f"Warning: {more} more figures differ between {source} and {self.source}."] if more > 0 else []
        of = "" if self.agreed == self.periods else f" of {self.periods}"
        if self.agreed:
            warnings.append(f"{source} agrees with {self.source} for {self.agreed}{of} periods.")
        return tuple(warnings)


def compare(own: Sequence[Statement], source: str, other: Sequence[Statement]) -> Check:
    """Compare the statements of one source with another's of the same kinds and frequency.

    Two figures are equal where they differ by at most 0.5 %, or by one unit of rounding: a million, or a thousand for
    companies whose compared figures all stay below a billion. Figures in another currency are not compared.

    Args:
        own: Statements of the source that answered, one version of each period.
        source: The other source.
        other: Its statements, likewise.
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
    wrong = {_nearest(one.period_end, ends) for one in different}
    return Check(
        source=source,
        periods=len(ends),
        agreed=len(ends) - len(wrong),
        differences=tuple(sorted(different, key=lambda one: one.period_end, reverse=True)),
    )


def _pairs(own: Iterable[Statement], other: Sequence[Statement]) -> Iterable[tuple[date, str, float, float]]:
    """Give the figures that both have: period end, item, the one, the other."""
    for mine in own:
        same = [one for one in other if one.kind == mine.kind and one.currency == mine.currency]
        theirs = min(same, key=lambda one: abs(one.period_end - mine.period_end), default=None)
        if theirs is None or abs(theirs.period_end - mine.period_end) > SAME_PERIOD:
            continue
        for item in COMPARED[mine.kind]:
            if item in mine.items and item in theirs.items:
                yield mine.period_end, item, mine.items[item], theirs.items[item]


def _merged(ends: Iterable[date]) -> list[date]:
    """Return the period ends, newest first, those within a week of one another as one."""
    found: list[date] = []
    for end in sorted(set(ends), reverse=True):
        if not found or found[-1] - end > SAME_PERIOD:
            found.append(end)
    return found


def _nearest(day: date, ends: Sequence[date]) -> date:
    return min(ends, key=lambda end: abs(end - day))


def _money(value: float, currency: str) -> str:
    return Figure("", value, currency).text
