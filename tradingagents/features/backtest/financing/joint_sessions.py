"""Sessions of several exchanges as one calendar: an account is marked after the last close of each day."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from itertools import pairwise

from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.errors import UsageError


def joint_sessions(exchanges: Iterable[str]) -> Sessions:
    """Return the days on which any of the exchanges trades, from the first open to the last close of each.

    A decision is made after the last close of a day and filled at the next open, so every close of a day must come
    before every open of the next one.

    Args:
        exchanges: MICs.

    Raises:
        UsageError: One exchange opens before another has closed the day before.
    """
    found = [sessions(exchange) for exchange in sorted(set(exchanges))]
    if len(found) == 1:
        return found[0]
    first = max(calendar.days[0] for calendar in found)
    opens, closes = dict[date, datetime](), dict[date, datetime]()
    for calendar in found:
        for day, opened, closed in zip(calendar.days, calendar.opens, calendar.closes, strict=True):
            if day >= first:
                opens[day] = min(opens.get(day, opened), opened)
                closes[day] = max(closes.get(day, closed), closed)
    days = sorted(opens)
    name = "+".join(calendar.exchange for calendar in found)
    if any(opens[after] < closes[before] for before, after in pairwise(days)):
        raise UsageError(
            f"The exchanges {name} cannot share an account: one opens before another has closed the day before, so a "
            "decision would come too late. Use an account for each."
        )
    return Sessions(name, tuple(days), tuple(map(opens.__getitem__, days)), tuple(map(closes.__getitem__, days)))
