"""A vendor's answer against another vendor's to the same question: what both must agree on, or it is withheld.

Two vendors differ for honest reasons: rounding, restatements, what a line item comprises. So only what no such reason
explains counts: closes of the same sessions by more than half a percent as traded, all amounts of statements by one
factor, a line item by a hundred, a thousand or a million, items that stand at another period. Neither vendor is known
to be the right one; what disagrees is withheld, and both are named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any

import numpy as np

from tradingagents.dataflows.gateway.checks.price_days import with_bars
from tradingagents.dataflows.gateway.checks.statement_checks import bound_to
from tradingagents.dataflows.gateway.checks.statement_units import POWERS, TINY
from tradingagents.dataflows.gateway.drift.earlier_answers import Compared, named_days
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import PriceBreak, Prices, Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

SAME_CLOSE = 0.005
"""Relative difference up to which closes as traded are the same; consolidated ones agree to a tenth of a percent."""
MOST_OTHER = 0.05
"""Share of the common sessions whose closes may differ one by one; of more, all are in doubt."""
LEAST_BARS = 3
LATE = 1
"""Sessions that a live answer may end before the other's: some vendors have the close on the next morning."""
NEAR_END = timedelta(days=7)
"""How far the ends of one period lie apart: some vendors date fiscal quarters by the end of the month."""
LATER_BY = timedelta(days=7)
"""How much later a vendor may have a statement: some have the press release, some the filing."""
LEAST_ITEMS, ALIKE = 3, 0.7
SAME_FACTOR, OTHER_FACTOR = 0.02, 0.04
"""How far ratios lie apart to be one factor; and from which difference from 1 on it is another unit or currency."""
SAME_ITEM = 0.01
WHAT_IS_LEFT = "other_"
"""Items that hold what a vendor has no other line for: those of 470 recorded periods differ up to eleven times."""
DRAWN_OTHERWISE = frozenset({"total_debt", "long_term_investments"})
"""Items that one vendor gives with leases, or with shares that are not listed, and another without."""
OTHER_ITEM = 2.0
"""Factor from which on one item is another one: vendors draw the line between costs, or between profits, elsewhere."""
LEAST_PART = 0.01
"""Of the largest item of a statement: smaller ones are rounding."""


NEAR_POWER = 0.02
"""How near, in powers of ten, shares and figures per share lie to a hundred, a thousand or a million times."""
Held = dict[date, dict[str, str]]
"""Why items are withheld, by the end of the period."""


def compare_prices(prices: Prices, other: Prices, last: date, *, live: bool) -> Compared:
    """Compare closes as traded, the newest session and the first one.

    Args:
        prices: What is checked.
        other: What another vendor gives for the same window.
        last: The last session that had closed by the cut-off: later bars of either count for nothing.
        live: Whether the newest bar may be late.
    """
    known = [bars.upto(last) for bars in (prices, other)]
    if any(bars is None for bars in known) or not _comparable(prices, other):
        return Compared(prices)
    mine, theirs = (bars for bars in known if bars is not None)
    _, here, there = np.intersect1d(mine.days, theirs.days, return_indices=True)
    if len(here) < LEAST_BARS:
        return Compared(prices)
    ratios = _as_traded(mine)[here] / _as_traded(theirs)[there]
    odd = np.abs(ratios - 1) > SAME_CLOSE
    if odd.mean() > MOST_OTHER:
        usual = float(np.median(ratios))
        size = f", usually {usual:.4g} times" if abs(usual - 1) > SAME_CLOSE else ""
        return Compared(prices, unusable=f"closes of {odd.sum()} of {len(here)} sessions differ{size}")
    behind = int((theirs.days > mine.days[-1]).sum())
    if behind > (LATE if live else 0):
        return Compared(prices, late=f"bars end on {mine.days[-1]} and not on {theirs.days[-1]}")
    told: list[str] = []
    prices = _cut_at_the_front(prices, mine, theirs, told)
    if odd.any():
        days = mine.days[here[odd]]
        told.append(f"bars of {named_days(days)} have other closes and are left out")
        prices = with_bars(prices, ~np.isin(prices.days, days))
    return Compared(prices, tuple(told))


def _comparable(prices: Prices, other: Prices) -> bool:
    return prices.currency == other.currency and all(
        bars.basis == "split_adjusted" and bars.splits_listed for bars in (prices, other)
    )


def _as_traded(bars: Prices) -> Any:
    """Return the closes as they were traded, whatever splits a vendor has applied since."""
    factors = np.ones(len(bars))
    for split in bars.splits:
        factors[bars.days < np.datetime64(split.day)] *= split.ratio
    return bars.close * factors


def _cut_at_the_front(prices: Prices, mine: Prices, theirs: Prices, told: list[str]) -> Prices:
    """Return the bars with what came before the first one withheld, where the other vendor has it."""
    before = theirs.days[theirs.days < mine.days[0]]
    if not len(before):
        return prices
    first: date = mine.days[0].item()
    told.append(f"bars before {first} are missing")
    gap = PriceBreak(
        before=before[-1].item(),
        day=first,
        close_before=float(theirs.close[len(before) - 1]),
        close=float(mine.close[0]),
        until=None,
        close_after=None,
        cause=f"bars before {first} are missing, which {theirs.vendor} has",
        kind="missing-days",
    )
    return replace(prices, withheld=gap)


def compare_statements(
    rows: tuple[Statement, ...], others: Sequence[Statement], who: str, now: datetime
) -> tuple[tuple[Statement, ...], tuple[str, ...]]:
    """Return statements without what disagrees with another vendor's, and what that is.

    Args:
        rows: What is checked, of one kind and frequency, as far as it was known.
        others: The other vendor's, as far as they were known.
        who: The other vendor.
        now: The cut-off: what the other has known for days only is not missed yet.
    """
    if not rows:
        return rows, ()
    pairs = [(row, other) for row in rows if (other := _of_its_period(row, others)) is not None]
    held: Held = {}
    told: list[str] = []
    moved = [row for row, other in pairs if not _agrees(row, other) and _is_of_another_period(row, other, others)]
    if moved:
        what = f"its items stand at another period at {who}"
        for row in _doubted(rows, moved, pairs):
            _hold(held, row, row.items.keys(), what)
        told.append(
            f"items of {named_days(sorted((row.period_end for row in moved), reverse=True))} stand at other periods"
        )
        return _without(rows, held), tuple(told)
    held_currencies = [end for row, other in pairs if (end := _in_two_currencies(held, row, other, who)) is not None]
    if held_currencies:
        told.append(f"items of {named_days(held_currencies)} are the same in {pairs[0][0].currency}")
    factors = {row.period_end: factor for row, other in pairs if (factor := _factor(row, other)) is not None}
    if factors:
        size = median(factors.values())
        scaled = [row for row, _ in pairs if row.period_end in factors]
        for row in _doubted(rows, scaled, pairs):
            _hold(held, row, row.items.keys() - SHARES, f"all amounts are {size:.4g} times those of {who}")
        told.append(f"all amounts of {len(scaled)} periods are {size:.4g} times those")
        return _without(rows, held), tuple(told)
    for row, other in pairs:
        odd = [name for name, value in row.items.items() if _is_another(row, other, name, value)]
        for name in odd:
            told.append(f"{name} of {row.period_end} is {row.items[name]:.4g} and {other.items[name]:.4g}")
            _hold(held, row, (name, *bound_to((name,), row.items)), f"{name} is another one at {who}")
    missing = _missing(rows, [other for other in others if other.known_at <= now - LATER_BY])
    if missing:
        told.append(f"statements of {named_days([other.period_end for other in missing])} are missing")
    found = (*_without(rows, held), *(_absent(other, who) for other in missing))
    return tuple(sorted(found, key=lambda row: row.period_end, reverse=True)) if missing else found, tuple(told)


def _of_its_period(row: Statement, others: Sequence[Statement]) -> Statement | None:
    """Return the other vendor's newest version of a period; None where it has none."""
    same = [other for other in others if _is_of_one_period(row, other)]
    return max(same, key=lambda other: other.known_at, default=None)


def _ratios(row: Statement, other: Statement) -> list[float]:
    names = [name for name in row.items.keys() & other.items.keys() if name not in SHARES | PER_SHARE]
    return [row.items[name] / other.items[name] for name in names if abs(other.items[name]) > TINY and row.items[name]]


def _agrees(row: Statement, other: Statement) -> bool:
    ratios = _ratios(row, other)
    return len(ratios) >= LEAST_ITEMS and _share_near(ratios, 1.0, SAME_ITEM) >= ALIKE


def _share_near(ratios: Sequence[float], middle: float, spread: float) -> float:
    return sum(abs(ratio - middle) <= spread * abs(middle) for ratio in ratios) / max(1, len(ratios))


def _is_of_another_period(row: Statement, own: Statement, others: Sequence[Statement]) -> bool:
    return any(other.period_end != own.period_end and _agrees(row, other) for other in others)


def _factor(row: Statement, other: Statement) -> float | None:
    """Return by what all amounts are multiplied; None where they are the same, or by no one factor."""
    ratios = _ratios(row, other)
    if len(ratios) < LEAST_ITEMS or row.currency != other.currency:
        return None
    factor = median(ratios)
    alike = _share_near(ratios, factor, SAME_FACTOR) >= ALIKE
    return factor if alike and factor > 0 and abs(factor - 1) > OTHER_FACTOR else None


def _is_another(row: Statement, other: Statement, name: str, value: float) -> bool:
    """Tell whether an item is another one than rounding, restatements and definitions explain."""
    former = other.items.get(name)
    if former is None or row.currency != other.currency or name.startswith(WHAT_IS_LEFT):
        return False
    if name in SHARES | PER_SHARE | DRAWN_OTHERWISE:  # splits change the former by small factors
        return value * former > 0 and any(
            abs(abs(math.log10(value / former)) - power) <= NEAR_POWER for power in POWERS
        )
    largest = max(abs(size) for item, size in other.items.items() if item not in SHARES | PER_SHARE)
    if max(abs(value), abs(former)) < LEAST_PART * largest:
        return False
    return value * former <= 0 or not 1 / OTHER_ITEM < value / former < OTHER_ITEM


def _in_two_currencies(held: Held, row: Statement, other: Statement, who: str) -> date | None:
    """Withhold items that are the same number though the vendors state two currencies; return the period's end."""
    ratios = _ratios(row, other)
    if row.currency == other.currency or len(ratios) < LEAST_ITEMS or abs(median(ratios) - 1) <= OTHER_FACTOR:
        return None
    same = [
        name
        for name, value in row.items.items()
        if name not in SHARES and value and math.isclose(value, other.items.get(name, 0.0), rel_tol=SAME_ITEM)
    ]
    _hold(held, row, same, f"it is the same number in {row.currency} and, at {who}, in {other.currency}")
    return row.period_end if same else None


def _is_of_one_period(row: Statement, other: Statement) -> bool:
    return row.frequency == other.frequency and abs(row.period_end - other.period_end) <= NEAR_END


def _missing(rows: Sequence[Statement], others: Sequence[Statement]) -> list[Statement]:
    """Return the other vendor's statements of periods after the first that the rows lack, newest first."""
    first = min(row.period_end for row in rows)
    lacking = {
        other.period_end: other
        for other in others
        if other.period_end > first and not any(_is_of_one_period(row, other) for row in rows)
    }
    return [lacking[end] for end in sorted(lacking, reverse=True)]


def _absent(other: Statement, who: str) -> Statement:
    """Return a period that is missing, with every item withheld, so that no other stands in its place."""
    fault = Fault(
        other.symbol, other.period_end, f"only {who} has it", "it is withheld", kind="second-vendor", withholds=True
    )
    names = (*other.items, *other.withheld)
    return replace(other, items={}, withheld=dict.fromkeys(names, fault.reason), gate_notes=())


def _doubted(
    rows: Sequence[Statement], odd: Sequence[Statement], pairs: Sequence[tuple[Statement, Statement]]
) -> Sequence[Statement]:
    """Return the rows in doubt: all that do not agree with the other vendor's, where most of what it has is odd."""
    if 2 * len(odd) <= len(pairs):
        return odd
    sound = {id(row) for row, other in pairs if _agrees(row, other)}
    return [row for row in rows if id(row) not in sound]


def _hold(held: Held, row: Statement, names: Any, what: str) -> None:
    fault = Fault(row.symbol, row.period_end, what, "it is withheld", kind="second-vendor", withholds=True)
    reasons = held.setdefault(row.period_end, {})
    for name in names:
        reasons.setdefault(name, fault.reason)


def _without(rows: Sequence[Statement], held: Held) -> tuple[Statement, ...]:
    return tuple(
        replace(
            row,
            items={name: value for name, value in row.items.items() if name not in reasons},
            withheld={**reasons, **row.withheld},
        )
        if (reasons := held.get(row.period_end))
        else row
        for row in rows
    )
