"""The days of bars: in order, one bar a session, no session missing for long, none of a neighbouring day.

`lost_sessions` names the sessions whose bar is missing or left out, so that a window of 20 bars that spans more than 20
sessions is known as one (`Prices.spans_gap`). Where many are missing, or days are shifted and each bar is of another
day, `longest_missing` and `shifted` return the places that no window may cross. Bars of a company whose symbol another
one has by now are withheld: no figure crosses from the one to the other.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import Days, PriceBreak, Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.data_faults import FaultKind
from tradingagents.dataflows.reference.symbols import CHANGES

US_INDICES = frozenset({"^GSPC", "^DJI", "^IXIC", "^RUT", "^VIX", "^NDX", "^OEX", "^TNX", "^TYX", "^FVX", "^IRX"})
"""Indices that have values on New York sessions only; for others the calendar is unknown."""
WINDOW, MOST_MISSING = 20, 5
"""Of a window of 20 bars, as of the volatility, at most so many sessions may be missing: a week. With more, what is
called a month spans more than five weeks."""
LONGEST_CLOSURE = 10
"""Calendar days without a bar that any exchange may be closed: the limit where the calendar is unknown."""
PAIRED_DAYS = 5
"""Calendar days within which a bar on a day without a session and a session without a bar belong together."""
LEAST_PAIRS = 2
"""Such pairs from which days are shifted: one alone is a bar of a wrong day."""
_WEEK = np.timedelta64(7, "D")
Mask = npt.NDArray[np.bool_]
ARRAYS = ("open", "high", "low", "close", "adj_close", "volume")


def with_bars(prices: Prices, chosen: Mask | npt.NDArray[np.intp]) -> Prices:
    """Return some of the bars, by a mask or in an order."""
    arrays = {name: getattr(prices, name)[chosen] for name in ARRAYS}
    return replace(prices, days=prices.days[chosen], **arrays)


def in_order(prices: Prices, last: date, faults: list[Fault]) -> Prices:
    """Return the bars up to a day, sorted by day; those of one day stay in the order given."""
    falls = prices.days[1:] < prices.days[:-1]
    if not falls.any():
        return prices.upto(last)
    known = with_bars(prices, prices.days <= np.datetime64(last))
    falls = known.days[1:] < known.days[:-1]
    if not falls.any():
        return known
    at = int(np.flatnonzero(falls)[0]) + 1
    what = f"its bar follows that of {known.days[at - 1]}: the bars are not in the order of their days"
    faults.append(Fault(prices.symbol, known.days[at].item(), what, "they are sorted", kind="unsorted-days"))
    return with_bars(known, np.argsort(known.days, kind="stable"))


def without_copies(prices: Prices, faults: list[Fault]) -> Prices:
    """Return the bars without those that equal the one before in day and values."""
    same = prices.days[1:] == prices.days[:-1]
    if not same.any():
        return prices
    for name in ARRAYS:
        values = getattr(prices, name)
        same &= (values[1:] == values[:-1]) | (np.isnan(values[1:]) & np.isnan(values[:-1]))
    for index in np.flatnonzero(same):
        day = prices.days[index].item()
        faults.append(Fault(prices.symbol, day, "a bar that is there twice", "it counts once", kind="repeated-bar"))
    return with_bars(prices, np.insert(~same, 0, True))


def first_of_two(prices: Prices) -> int | None:
    """Return the index of the first bar that is followed by one of the same session; None if there is none."""
    repeated = np.flatnonzero(prices.days[1:] <= prices.days[:-1])
    return int(repeated[0]) if len(repeated) else None


def trading_calendar(symbol: str) -> Sessions | None:
    """Return the sessions of a symbol's calendar; None if the calendar is unknown."""
    if symbol.endswith("=F") or (symbol.startswith("^") and symbol not in US_INDICES):
        return None
    return sessions(exchange_of(symbol))


def off_calendar(symbol: str, days: Days) -> Mask:
    """Return which days aren't sessions of the symbol's exchange; days outside its calendar aren't checked."""
    calendar = trading_calendar(symbol)
    if calendar is None or not len(days):
        return np.zeros(len(days), dtype=np.bool_)
    known = session_days(calendar.exchange)
    inside = (days >= known[0]) & (days <= known[-1])
    found = known[np.minimum(np.searchsorted(known, days), len(known) - 1)]
    return np.asarray(inside & (found != days), dtype=np.bool_)


@lru_cache(maxsize=32)
def session_days(exchange: str) -> Days:
    """Return the sessions of an exchange as an array."""
    return np.array(sessions(exchange).days, dtype="datetime64[D]")


def missing_before(prices: Prices) -> npt.NDArray[np.int64]:
    """Return how many sessions are missing between each bar and the one before; 0 for the first.

    A session whose bar was left out because it shows no trade isn't missing.
    Where the calendar is unknown, a gap longer than any closure counts with its weekdays, a shorter one with none.
    """
    days, calendar = prices.days, trading_calendar(prices.symbol)
    if calendar is None:
        gaps = np.diff(days).astype(np.int64)
        return np.insert(np.where(gaps > LONGEST_CLOSURE, np.busday_count(days[:-1], days[1:]) - 1, 0), 0, 0)
    numbers = np.searchsorted(session_days(calendar.exchange), days)
    if prices.untraded:
        numbers -= np.searchsorted(np.array(prices.untraded, "datetime64[D]"), days)
    missing = np.zeros(len(days), np.int64)
    missing[1:] = np.maximum(numbers[1:] - numbers[:-1] - 1, 0)
    return missing


def lost_sessions(prices: Prices, missing: npt.NDArray[np.int64], left_out: Days) -> tuple[date, ...]:
    """Return the sessions from the first bar to the last whose bar is missing or left out, ascending.

    Args:
        prices: One bar a session, sorted; its sessions without a trade are not lost.
        missing: As of `missing_before`.
        left_out: Days of the bars that are wrong. Where the calendar is unknown, no other session is lost.
    """
    first, last = prices.days[0], prices.days[-1]
    lost = set(left_out[(left_out >= first) & (left_out <= last)].tolist())
    calendar = trading_calendar(prices.symbol)
    if calendar is not None and missing.any():
        known = session_days(calendar.exchange)
        inside = known[np.searchsorted(known, first) : np.searchsorted(known, last, side="right")]
        lost |= {*inside.tolist()} - {*prices.days.tolist()} - {*prices.untraded}
    return tuple(sorted(lost))


def longest_missing(prices: Prices, missing: npt.NDArray[np.int64]) -> PriceBreak | None:
    """Return the newest place across which too many sessions are missing for a window; None if there is none.

    Args:
        prices: One bar a session, sorted.
        missing: As of `missing_before`.
    """
    if not missing.any():
        return None
    total = np.cumsum(missing)
    within = total - np.concatenate((np.zeros(WINDOW, np.int64), total))[: len(total)]
    ends = np.flatnonzero((missing > 0) & (within > MOST_MISSING))
    if not len(ends):
        return None
    index = int(ends[-1])
    lost, before, day = int(within[index]), prices.days[index - 1].item(), prices.days[index].item()
    where = f"between {before} and {day}" if missing[index] == lost else f"among the {WINDOW} bars up to {day}"
    cause = f"{lost} sessions are missing {where}, more than a window of {WINDOW} bars may lack"
    return _no_jump(prices, index, "missing-days", cause)


def shifted(prices: Prices, off: Mask) -> tuple[str, PriceBreak | None] | None:
    """Return how days are shifted against the sessions, and the break after them; None if they are not.

    A bar on a day without a session close to a session without a bar is that session's bar. Of days that are shifted
    by one, each week has such a pair, so a shift that goes on shows itself again within a week.

    Args:
        prices: One bar a day, sorted, those on days without a session included.
        off: Which bars are on days without a session.

    Returns:
        What is seen, and the break; None instead of a break where no bar is known to be of its day.
    """
    paired = prices.days[off][_next_to_empty(prices, off)]
    if len(paired) < LEAST_PAIRS:
        return None
    cause = (
        f"the days are shifted against the sessions: {len(paired)} bars are on days without one, the last on "
        f"{paired[-1]}, and sessions next to them have no bar"
    )
    sound = np.flatnonzero(~off & (prices.days > paired[-1] + _WEEK))
    return cause, _no_jump(prices, int(sound[0]), "day-without-session", cause) if len(sound) else None


def _next_to_empty(prices: Prices, off: Mask) -> Mask:
    """Return which of the bars on days without a session are close to a session without a bar."""
    days, calendar = prices.days[off], trading_calendar(prices.symbol)
    none = np.zeros(len(days), dtype=np.bool_)
    if calendar is None or not len(days):
        return none
    known = session_days(calendar.exchange)
    empty = np.setdiff1d(known[(known >= prices.days[0]) & (known <= prices.days[-1])], prices.days)
    if not len(empty):
        return none
    at = np.searchsorted(empty, days)
    apart = np.minimum(
        np.abs(empty[np.minimum(at, len(empty) - 1)] - days), np.abs(days - empty[np.maximum(at - 1, 0)])
    )
    return np.asarray(apart <= np.timedelta64(PAIRED_DAYS, "D"), dtype=np.bool_)


def _no_jump(prices: Prices, index: int, kind: FaultKind, cause: str) -> PriceBreak:
    before = max(index - 1, 0)
    return PriceBreak(
        kind=kind,
        before=prices.days[before].item(),
        day=prices.days[index].item(),
        close_before=float(prices.close[before]),
        close=float(prices.close[index]),
        until=None,
        close_after=None,
        cause=cause,
    )


NOT_TRADED = timedelta(days=20)
"""A symbol without bars for so long after a company gave it up belonged to nobody; no exchange closes for as long."""


def without_earlier_company(prices: Prices, last: date) -> tuple[Prices, Fault | None]:
    """Return the bars of the company that has the symbol now, and what was withheld; all bars where nothing was.

    A source that keeps a company under its old symbol has no gap, and its bars are of one company.

    Args:
        last: The last session that counts: what was known later changes nothing.
    """
    change = CHANGES.get(prices.symbol)
    if change is None:
        return prices, None
    known = prices.upto(last)
    later = int(np.searchsorted(known.days, np.datetime64(change.day, "D"), side="right"))
    if not 0 < later < len(known):
        return prices, None
    before, first = known.days[later - 1].item(), known.days[later].item()
    if first - before < NOT_TRADED:
        return prices, None
    owner = f"the company that is {change.new} since" if change.new else "a company that was last traded on"
    what = f"bars up to {before} are of {owner} {change.day}, those from {first} on of another one"
    fault = Fault(prices.symbol, first, what, "the earlier ones are withheld", kind="symbol-reused", withholds=True)
    note = f"Prices of {prices.symbol} before {first} are withheld: {what}. Figures that reach back further are n/a."
    return replace(prices.since(first), gate_notes=(*prices.gate_notes, note)), fault
