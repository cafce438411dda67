"""Shared by vendors that hold a whole market: one market for all users, movers of a session, earnings by filing day.

A market in memory is shared within a process by all users of the same market.
"""

from __future__ import annotations

import math
import os
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import TypeVar
from weakref import WeakValueDictionary

from tradingagents.dataflows.gateway.checks.neighbouring_statements import judged_by_filing
from tradingagents.dataflows.gateway.checks.price_breaks import price_breaks
from tradingagents.dataflows.gateway.checks.price_checks import wrong_bars
from tradingagents.dataflows.gateway.checks.price_days import missing_before
from tradingagents.dataflows.gateway.checks.statement_checks import check_statements
from tradingagents.dataflows.models import EarningsEvent, Mover, MoverCategory, Prices, Profile, Statement
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.fiscal_periods import length_of
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData

V = TypeVar("V", bound=Vendor)
_OPEN: WeakValueDictionary[Hashable, Vendor] = WeakValueDictionary()
_LOCK = threading.Lock()


def shared(key: Hashable, make: Callable[[], V]) -> V:
    """Return the vendor of a market that is already open, or create it; it is freed with the last graph that uses it.

    Args:
        key: Kind of vendor and everything its answers depend on.
    """
    own = (os.getpid(), key)  # a forked process must not inherit locks held by another thread
    with _LOCK:
        found = _OPEN.get(own)
        if found is None:
            found = _OPEN[own] = make()
    return found  # type: ignore[return-value]


MOVERS = 25
"""Number of movers per category."""
LOOK_BACK = timedelta(days=10)
"""How far before a session the previous close may be: longer than any closure of the supported exchanges. A stock
suspended for longer has no one-session change."""
_HALVES = {"Q2": "H1", "Q4": "H2", "FY": "H2"}
"""Fiscal periods of half-years that sources label quarters."""


@dataclass(frozen=True, slots=True)
class SessionChanges:
    """What stocks did in a session."""

    movers: tuple[Mover, ...]
    left_out: tuple[str, ...] = ()
    """A sentence for each stock that has bars of the days before and is not ranked, with the reason."""


def session_movers(
    category: MoverCategory,
    session: date,
    companies: Iterable[Profile],
    bars: Callable[[str, date, date], Prices],
    known_at: datetime,
    limit: int = MOVERS,
) -> tuple[Mover, ...]:
    """Return the stocks that rose, fell or were traded most in a session: `session_changes`, then `ranked`."""
    return ranked(category, session_changes(session, companies, bars, known_at).movers, limit)


def session_changes(
    session: date, companies: Iterable[Profile], bars: Callable[[str, date, date], Prices], known_at: datetime
) -> SessionChanges:
    """Compute every stock's change in a session, for all categories at once.

    Left out are symbols that aren't stocks, stocks without a sound bar on this session or on the one before, and those
    whose change cannot be told from an error (`price_breaks`).

    Args:
        session: The session; nothing later is read.
        companies: The candidates.
        bars: Returns the bars of a symbol in [start, end], or raises `NoData`.
        known_at: When the session's bars were known.
    """
    moved: list[Mover] = []
    left_out: list[str] = []
    for profile in companies:
        recent = _recent(profile, session, bars) if profile.kind == "stock" else None
        if recent is None:
            continue
        if (reason := _unranked(recent, session)) is not None:
            left_out.append(f"{profile.symbol} is not ranked: {reason}.")
        else:
            moved.append(_mover(profile, recent, known_at))
    return SessionChanges(tuple(replace(mover, among=len(moved)) for mover in moved), tuple(left_out))


def ranked(category: MoverCategory, changes: Iterable[Mover], limit: int = MOVERS) -> tuple[Mover, ...]:
    """Return the first stocks of a category, at most `limit`; ties are sorted by symbol.

    Gainers only rose, losers only fell; the most active have the highest volume in shares.
    """
    if category == "day_gainers":
        some = sorted((row for row in changes if row.change_pct > 0), key=lambda row: (-row.change_pct, row.symbol))
    elif category == "day_losers":
        some = sorted((row for row in changes if row.change_pct < 0), key=lambda row: (row.change_pct, row.symbol))
    else:
        some = sorted((row for row in changes if row.volume > 0), key=lambda row: (-row.volume, row.symbol))
    return tuple(some[:limit])


class QuarterlyResults:
    """The quarterly results of a company by day of filing; each is judged when it is first read. Thread-safe.

    The day is the filing day at the company's exchange: a press release may have been earlier. The first filing of a
    period counts. Statements with an assumed filing date are left out. Figures that the data gate withholds, by what
    was known when they were filed, are absent.
    """

    def __init__(self, statements: Iterable[Statement], profile: Profile) -> None:
        """Find the first filing of each period.

        Args:
            statements: The company's, of any kinds and frequencies.
            profile: Who the company is.
        """
        first: dict[date, Statement] = {}
        self._quarterly = [row for row in statements if row.frequency == "quarterly"]
        for row in self._quarterly:
            if row.kind != "income" or row.known_by == "assumed":
                continue
            if row.period_end not in first or row.known_at < first[row.period_end].known_at:
                first[row.period_end] = row
        self._profile = profile
        self._filed = sorted(
            ((_filing_day(row, profile), row) for row in first.values()),
            key=lambda filed: (filed[0], filed[1].known_at),
        )
        self._events: dict[int, EarningsEvent] = {}

    def __len__(self) -> int:
        """Return the number of results."""
        return len(self._filed)

    def between(self, start: date, end: date) -> tuple[EarningsEvent, ...]:
        """Return one event per result filed on the days [start, end], by day."""
        first = bisect_left(self._filed, start, key=lambda filed: filed[0])
        stop = bisect_right(self._filed, end, key=lambda filed: filed[0])
        return tuple(self._event(place) for place in range(first, stop))

    def _event(self, place: int) -> EarningsEvent:
        found = self._events.get(place)
        if found is None:
            day, row = self._filed[place]
            judged = _as_judged(row, self._quarterly)
            found = self._events[place] = _earnings_event(judged, day, self._profile)
        return found


def _as_judged(row: Statement, rows: Sequence[Statement]) -> Statement:
    """Return a statement as the data gate judged it when it was filed: by the rows known by then alone.

    Args:
        row: An income statement.
        rows: The company's quarterly statements of all kinds.
    """
    known = [one for one in rows if one.known_at <= row.known_at]
    income = tuple(statement for statement in known if statement.kind == "income")
    sound, _ = check_statements(income, row.known_at)
    same = (
        statement for statement in sound if (statement.period_end, statement.known_at) == (row.period_end, row.known_at)
    )
    judged = row if sound is income else next(same, replace(row, items={}))
    balance = tuple(statement for statement in known if statement.kind == "balance")
    return judged_by_filing((judged,), check_statements(balance, row.known_at)[0])[0] if balance else judged


def _recent(profile: Profile, session: date, bars: Callable[[str, date, date], Prices]) -> Prices | None:
    """Return the bars of a stock up to a session; None for one that was listed, or delisted, around it."""
    try:
        recent = bars(profile.symbol, session - LOOK_BACK, session).upto(session).as_traded(session)
    except NoData:
        return None
    return recent if len(recent) >= 2 else None


def _unranked(recent: Prices, session: date) -> str | None:
    """Return why the change of a stock in a session is not known; None if it is."""
    last = recent.days[-1].item()
    if last != session:
        return f"it has no bar of {session}, the last is of {last}"
    if wrong_bars(recent)[-2:].any() or not (recent.close[-2:] > 0).all():
        return f"its bar of {session}, or the one before, cannot be true"
    if missing_before(recent)[-1] > 0:
        return f"the session before {session} has no bar"
    if recent.days[-2] == recent.days[-1]:
        return f"it has two bars of {session}"
    found = next((one for one in price_breaks(recent) if one.sound_from == session), None)
    return None if found is None else found.text


def _mover(profile: Profile, recent: Prices, known_at: datetime) -> Mover:
    before, price, volume = float(recent.close[-2]), float(recent.close[-1]), float(recent.volume[-1])
    return Mover(
        symbol=profile.symbol,
        name=profile.name,
        price=price,
        change_pct=100.0 * (price / before - 1.0),
        volume=volume if math.isfinite(volume) else 0.0,
        known_at=known_at,
        sector=profile.sector,
        currency=recent.currency,
        adjusted=recent.basis == "fully_adjusted",
    )


def _filing_day(row: Statement, profile: Profile) -> date:
    clock = sessions(profile.exchange or exchange_of(row.symbol)).zone
    return row.known_at.astimezone(clock).date()


def _earnings_event(row: Statement, day: date, profile: Profile) -> EarningsEvent:
    return EarningsEvent(
        symbol=row.symbol,
        name=profile.name,
        day=day,
        known_at=row.known_at,
        period_end=row.period_end,
        fiscal_period=_HALVES.get(row.fiscal_period, "H") if length_of(row) == "half-year" else row.fiscal_period,
        eps=row.items.get("eps_diluted"),
        revenue=row.items.get("revenue"),
        currency=row.currency,
        shares_as_of=row.shares_as_of,
        withheld=next((row.withheld[item] for item in ("revenue", "eps_diluted") if item in row.withheld), ""),
    )
