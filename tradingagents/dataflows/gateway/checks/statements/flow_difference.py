"""A flow less its part: the second quarter from a half-year and the first quarter, the fourth from a year."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import PER_SHARE, SHARES

NOT_ADDITIVE = PER_SHARE | SHARES
"""Items of which the figure of a period is not the sum of those of its parts: averages over the period."""
DAY = timedelta(days=1)


def difference(
    whole: Statement, parts: Sequence[Statement], start: date, end: date, *, reason: str, note: str
) -> Statement:
    """Return the rest of a period: each item less that of all parts. An item that a part lacks is not there.

    Share counts and figures per share are withheld: they are averages of the whole period, and no difference of two is
    one of the rest.

    Args:
        whole: The longer period.
        parts: Periods inside it that do not overlap, in its currency.
        start: First day of the rest.
        end: Last day of the rest.
        reason: Why the averages are withheld, in one sentence.
        note: How the rest was worked out, in one sentence.
    """
    items = {
        name: value - sum(part.items[name] for part in parts)
        for name, value in whole.items.items()
        if name not in NOT_ADDITIVE and all(name in part.items for part in parts)
    }
    known = max((whole, *parts), key=lambda one: one.known_at)
    dated = "assumed" if any(one.known_by == "assumed" for one in (whole, *parts)) else known.known_by
    return replace(
        whole,
        items=items,
        period_start=start,
        period_end=end,
        known_at=known.known_at,
        known_by=dated,
        withheld={**whole.withheld, **{name: reason for name in whole.items if name in NOT_ADDITIVE}},
        gate_notes=tuple(dict.fromkeys((*whole.gate_notes, note))),
    )
