"""Share counts or closes that jump like a split although no listed split explains it.

Such a jump isn't growth: a split is missing from the source's list, or the source mixes statements as filed with
restated ones. All share-based figures would be wrong by the split's ratio.

    count_jump, price_jump    a jump between two statements, or two closes
    basis_gap                 the days whose share counts are on another basis for it, or may be
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from sys import float_info

import numpy as np

from tradingagents.dataflows.models import PriceBreak, Prices, Statement
from tradingagents.dataflows.reference.data_faults import FaultKind
from tradingagents.dataflows.reference.metrics import Figure

USUAL_RATIOS = (1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 10.0, 12.0, 15.0, 20.0, 25.0, 30.0, 40.0, 50.0)
"""Common split ratios (new shares per old one); reverse splits are their inverses."""
NEAR_COUNT = 0.04
"""Tolerance around a common ratio for share counts: covers a quarter's buybacks and issues."""
NEAR_PRICE = 0.02
"""Tolerance around a common ratio for daily closes."""
MIN_PRICE_RATIO = 2.0
"""Minimum jump of a close: smaller ones are ordinary price moves."""
SMALLEST_TESTABLE_EPS = 0.05
"""As filed. Below this, rounding to cents makes earnings per share useless for checking a share count."""
SMALLEST_EPS_FOR_COUNT = 0.17
"""As filed. From this value on, rounding to cents changes net income / earnings per share by less than 3 %."""

OF_SPLITS: frozenset[FaultKind] = frozenset(
    ("split-not-applied", "split-not-listed", "split-applied-twice", "price-jump")
)
"""Breaks of the closes that may be a split. Those of the unit or the currency say nothing of share counts."""
COMPARED = 9
"""Newest periods whose counts are compared: two years of quarters, and the one before."""
NEAR_LISTED, NEAR_LISTED_RATIO = timedelta(days=16), 0.12
"""How far from a break, in time and in its ratio, a listed split is taken for the one that shows there."""


@dataclass(frozen=True, slots=True)
class BasisGap:
    """Days whose share counts are on another basis than that of the day, or may be."""

    first: date
    end: date
    """Counted from `first` on and before `end`."""
    day: date
    """Of the jump that shows it."""
    what: str
    """The jump, as a clause."""

    def covers(self, counted: date) -> bool:
        """Return whether shares counted on a day are in doubt."""
        return self.first <= counted < self.end


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump close to a split ratio."""

    ratio: float
    """The common ratio it is close to, or the jump itself if it exceeds the largest one: above 1 for more shares."""
    before: float
    after: float
    """The two counts, or closes."""
    from_day: date
    to_day: date
    """Ends of the two periods, or the two sessions."""

    @property
    def like_a_split(self) -> bool:
        """Return whether the jump is close to a common ratio; beyond the largest one, one of the counts is wrong."""
        return any(self.ratio in (usual, 1 / usual) for usual in USUAL_RATIOS)

    @property
    def text(self) -> str:
        """The jump of two counts, and that no split explains it, as a clause."""
        before, after = (Figure("shares", count).text for count in (self.before, self.after))
        size = max(self.after / self.before, self.before / self.after)
        why = f"the source lists no split of {self.words} that explains it"
        return (
            f"shares {'rose' if self.after > self.before else 'fell'} by a factor of {size:.2f}, from {before} (period "
            f"to {self.from_day}) to {after} (period to {self.to_day}), and "
            f"{why if self.like_a_split else 'no split explains it'}"
        )

    @property
    def words(self) -> str:
        """The ratio as text: `20 for 1`, `1 for 8`, `3 for 2`."""
        if self.ratio == 1.5:
            return "3 for 2"
        if self.ratio == 1 / 1.5:
            return "2 for 3"
        return f"{self.ratio:g} for 1" if self.ratio > 1 else f"1 for {1 / self.ratio:g}"


def usable_shares(statement: Statement) -> float | None:
    """Return the diluted (else basic) average shares; None if missing or inconsistent with earnings per share."""
    items = statement.items
    for count, per_share in (("shares_diluted", "eps_diluted"), ("shares_basic", "eps_basic")):
        found = items.get(count)
        if found is not None and found > 0 and _fits(statement, found, items.get(per_share)):
            return found
    return None


def count_jump(newer: Statement, older: Statement) -> Jump | None:
    """Return the jump of the share count between two statements on the same basis; None if there is none.

    Net income / earnings per share is used if a statement has no usable count. Any jump above the largest common ratio
    counts: one of the two is in thousands, or isn't a count.
    """
    after, before = _count(newer), _count(older)
    if after is None or before is None:
        return None
    change = min(max(after / before, float_info.min), float_info.max)  # invalid counts may differ by a factor of 1e308
    beyond = max(change, 1 / change) > USUAL_RATIOS[-1] * (1 + NEAR_COUNT)
    ratio = change if beyond else usual_ratio(change, near=NEAR_COUNT)
    return None if ratio is None else Jump(ratio, before, after, older.period_end, newer.period_end)


def count_jumps(statements: Sequence[Statement]) -> tuple[Jump, ...]:
    """Return the jumps between neighbours with a count, of statements newest first, on the same basis."""
    counted = [statement for statement in statements if _count(statement) is not None]
    found = (count_jump(newer, older) for newer, older in pairwise(counted))
    return tuple(jump for jump in found if jump is not None)


def price_jump(prices: Prices, since: date) -> Jump | None:
    """Return the newest jump of the close after a day that looks like an unlisted split; None if there is none.

    Bars withheld before a break count too, unless the prices came back to their level.
    """
    cut = prices.withheld
    if cut is not None and cut.is_jump and cut.until is None and cut.day > since:
        change = cut.close_before / cut.close
        return Jump(usual_ratio(change, near=NEAR_PRICE) or change, cut.close_before, cut.close, cut.before, cut.day)
    listed = {split.day for split in prices.splits}
    for index in _large_moves(prices):
        day = prices.days[index].item()
        if day <= since:
            return None
        before, after = float(prices.close[index - 1]), float(prices.close[index])
        if day in listed or not (before > 0 and after > 0):
            continue
        ratio = usual_ratio(before / after, near=NEAR_PRICE)
        if ratio is not None and max(ratio, 1 / ratio) >= MIN_PRICE_RATIO:
            return Jump(ratio, before, after, prices.days[index - 1].item(), day)
    return None


def basis_gap(prices: Prices) -> BasisGap | None:
    """Return the days whose share counts the newest break of the closes puts in doubt; None where there are none.

    Where the closes jump by the ratio of a split listed for that day, or its inverse, bars are adjusted wrongly and the
    list is right. Where the split is listed for a day near it, only shares counted between the two days are in doubt.

    Args:
        prices: As traded, up to the last session that counts.
    """
    cut = prices.withheld
    if cut is None or cut.kind not in OF_SPLITS or not (cut.close_before > 0 and cut.close > 0):
        return None
    if cut.until is not None:
        return BasisGap(cut.day, cut.until, cut.day, cut.text)
    listed = _listed_for(cut, prices)
    if listed is None:
        return BasisGap(date.min, cut.day, cut.day, cut.text)
    if listed == cut.day:
        return None
    return BasisGap(min(listed, cut.day), max(listed, cut.day), cut.day, cut.text)


def _listed_for(cut: PriceBreak, prices: Prices) -> date | None:
    """Return the day of the listed split that a break shows, applied to the bars not at all or twice."""
    change = cut.close_before / cut.close
    near = [
        split.day
        for split in prices.splits
        if abs(split.day - cut.day) <= NEAR_LISTED
        and any(abs(change / ratio - 1) <= NEAR_LISTED_RATIO for ratio in (split.ratio, 1 / split.ratio))
    ]
    return min(near, key=lambda day: abs(day - cut.day), default=None)


def newest_count_jump(statements: Sequence[Statement]) -> Jump | None:
    """Return the newest jump like a split among the share counts of the newest periods; None where there is none.

    Args:
        statements: On the same basis, as far as the listed splits tell; several versions of a period may be there.
    """
    ordered = sorted(statements, key=lambda statement: (statement.period_end, statement.known_at), reverse=True)
    ends = sorted({statement.period_end for statement in ordered}, reverse=True)[:COMPARED]
    jumps = count_jumps([statement for statement in ordered if statement.period_end >= ends[-1]]) if ends else ()
    return next((jump for jump in jumps if jump.like_a_split), None)


def _large_moves(prices: Prices) -> list[int]:
    """Return the bars whose close is so far from the one before that it may be a split, newest first."""
    before, after = prices.close[:-1], prices.close[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        small = np.maximum(before / after, after / before) < MIN_PRICE_RATIO * (1 - NEAR_PRICE) * (1 - 1e-9)
    found: list[int] = (np.flatnonzero(~small)[::-1] + 1).tolist()
    return found


def usual_ratio(change: float, *, near: float) -> float | None:
    """Return the split ratio close to a change, inverses included; None if there is none."""
    if not change > 0:
        return None
    size = max(change, 1 / change)
    ratio = next((usual for usual in USUAL_RATIOS if abs(size / usual - 1) <= near), None)
    return None if ratio is None else ratio if change > 1 else 1 / ratio


def _count(statement: Statement) -> float | None:
    found = usable_shares(statement)
    if found is not None:
        return found
    income = statement.items.get("net_income")
    per_share = statement.items.get("eps_diluted", statement.items.get("eps_basic"))
    if income is None or per_share is None or abs(per_share) * statement.share_factor < SMALLEST_EPS_FOR_COUNT:
        return None
    return income / per_share if income * per_share > 0 else None


def _fits(statement: Statement, count: float, per_share: float | None) -> bool:
    """Return whether a count matches net income / earnings per share within a factor of 2; True if untestable."""
    income = statement.items.get("net_income")
    if per_share is None or income is None or abs(per_share) * statement.share_factor < SMALLEST_TESTABLE_EPS:
        return True
    return income * per_share > 0 and 0.5 < count * per_share / income < 2
