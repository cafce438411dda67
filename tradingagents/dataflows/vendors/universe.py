"""Shared by vendors that hold a whole market: the movers of a session, and earnings by filing day."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

from tradingagents.dataflows.gateway.price_breaks import price_breaks
from tradingagents.dataflows.gateway.price_checks import wrong_bars
from tradingagents.dataflows.gateway.price_days import missing_before
from tradingagents.dataflows.gateway.statement_checks import JUDGED, check_statements
from tradingagents.dataflows.models import EarningsEvent, Mover, MoverCategory, Prices, Profile, Statement
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.period_lengths import length_of
from tradingagents.errors import NoData

MOVERS = 25
"""Number of movers per category."""
LOOK_BACK = timedelta(days=10)
"""How far before a session the previous close may be: longer than any closure of the supported exchanges. A stock
suspended for longer has no one-session change."""
_HALVES = {"Q2": "H1", "Q4": "H2", "FY": "H2"}
"""Fiscal periods of half-years that sources label quarters."""
_EVER = datetime.max.replace(tzinfo=UTC)


def session_movers(
    category: MoverCategory,
    session: date,
    companies: Iterable[Profile],
    bars: Callable[[str, date, date], Prices],
    known_at: datetime,
    limit: int = MOVERS,
) -> tuple[Mover, ...]:
    """Return the stocks that rose, fell or were traded most in a session: `session_changes`, then `ranked`."""
    return ranked(category, session_changes(session, companies, bars, known_at), limit)


def session_changes(
    session: date, companies: Iterable[Profile], bars: Callable[[str, date, date], Prices], known_at: datetime
) -> tuple[Mover, ...]:
    """Compute every stock's change in a session, for all categories at once.

    Left out are symbols that aren't stocks, stocks without a sound bar on this session or on the one before, and those
    whose change cannot be told from an error (`price_breaks`).

    Args:
        session: The session; nothing later is read.
        companies: The candidates.
        bars: Returns the bars of a symbol in [start, end], or raises `NoData`.
        known_at: When the session's bars were known.
    """
    stocks = (profile for profile in companies if profile.kind == "stock")
    moved = [mover for profile in stocks if (mover := _mover(profile, session, bars, known_at)) is not None]
    return tuple(replace(mover, among=len(moved)) for mover in moved)


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


def earnings_events(statements: Iterable[Statement], profile_of: Callable[[str], Profile]) -> tuple[EarningsEvent, ...]:
    """Return one event per quarterly income statement, by day and symbol.

    The day is the filing day at the company's exchange: a press release may have been earlier. The first filing of a
    period counts. Statements with an assumed filing date are left out. Figures that the data gate withholds, by what
    was known when they were filed, are absent.

    Args:
        statements: Of any kinds and companies.
        profile_of: Returns a symbol's profile, for every symbol among the statements.
    """
    first: dict[tuple[str, date], Statement] = {}
    by_symbol: dict[str, list[Statement]] = {}
    for row in statements:
        if row.kind == "income" and row.frequency == "quarterly":
            by_symbol.setdefault(row.symbol, []).append(row)
            period = (row.symbol, row.period_end)
            if row.known_by != "assumed" and (period not in first or row.known_at < first[period].known_at):
                first[period] = row
    doubted = {symbol for symbol, rows in by_symbol.items() if _has_faults(rows)}
    judged = (_as_judged(row, by_symbol[row.symbol]) if row.symbol in doubted else row for row in first.values())
    events = (_earnings_event(row, profile_of(row.symbol)) for row in judged)
    return tuple(sorted(events, key=lambda event: (event.day, event.symbol, event.known_at)))


def _has_faults(rows: Sequence[Statement]) -> bool:
    """Return whether the data gate changes anything at any time; it holds the newest periods against each other."""
    instants = sorted({row.known_at for row in rows}, reverse=True)
    given = tuple(rows)
    judged = (check_statements(given, instant) for instant in (_EVER, *instants[JUDGED::JUDGED]))
    return any(faults or sound is not given for sound, faults in judged)


def _as_judged(row: Statement, rows: Sequence[Statement]) -> Statement:
    """Return a statement as the data gate judged it when it was filed."""
    known = tuple(one for one in rows if one.known_at <= row.known_at)
    sound, _ = check_statements(known, row.known_at)
    same = (one for one in sound if (one.period_end, one.known_at) == (row.period_end, row.known_at))
    return next(same, replace(row, items={}))


def _mover(
    profile: Profile, session: date, bars: Callable[[str, date, date], Prices], known_at: datetime
) -> Mover | None:
    try:
        recent = bars(profile.symbol, session - LOOK_BACK, session).upto(session).as_traded(session)
    except NoData:
        return None
    if len(recent) < 2 or recent.days[-1].item() != session:
        return None
    if wrong_bars(recent)[-2:].any() or missing_before(recent)[-1] > 0:
        return None
    if recent.days[-2] == recent.days[-1] or any(one.sound_from == session for one in price_breaks(recent)):
        return None
    before, price, volume = float(recent.close[-2]), float(recent.close[-1]), float(recent.volume[-1])
    if not (before > 0 and price > 0):
        return None
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


def _earnings_event(row: Statement, profile: Profile) -> EarningsEvent:
    clock = sessions(profile.exchange or exchange_of(row.symbol)).zone
    return EarningsEvent(
        symbol=row.symbol,
        name=profile.name,
        day=row.known_at.astimezone(clock).date(),
        known_at=row.known_at,
        period_end=row.period_end,
        fiscal_period=_HALVES.get(row.fiscal_period, "H") if length_of(row) == "half-year" else row.fiscal_period,
        eps=row.items.get("eps_diluted"),
        revenue=row.items.get("revenue"),
        currency=row.currency,
        shares_as_of=row.shares_as_of,
        withheld=next((row.withheld[item] for item in ("revenue", "eps_diluted") if item in row.withheld), ""),
    )
