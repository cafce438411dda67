"""Which capabilities answer a question on stated positions: prices and dividends of companies, never what is held."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from tradingagents.features.assistant.rules.screens import SNAPSHOT, Call
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.positions.stated_positions import CASH, MARKET, PositionsQuestion

CHANGE, DIVIDENDS, BETA = "get_price_change", "get_dividends", "beta_estimate"


SPLITS_SEEN = (timedelta(days=5 * 365), timedelta(days=3 * 365))
"""How far back a split is looked for where a price paid is stated without its day; less where the data begin later."""


def bought_between(days: NamedDays, today: date) -> tuple[date, date] | None:
    """Return the days of the closes between which something was bought; the same day twice where one is said."""
    if days.days:
        return days.days[0], days.days[0]
    if not days.window or days.start is None or days.end is None:
        return None
    last_year = days.unit == "year" and days.count == 1 and "last 1 years" not in days.text
    if last_year:  # `bought last year`, which is no day a year ago
        return date(today.year - 2, 12, 31), date(today.year - 1, 12, 31)
    if days.end >= today:
        return (
            days.start if days.count else days.base or days.start,
            days.start if days.count else days.base or days.start,
        )
    return days.base or days.start, days.end


def position_calls(asked: PositionsQuestion, today: date) -> list[Call]:
    """Return the calls that answer a question on positions."""
    calls = list(_calls(asked, today))
    return list({(name, repr(sorted(given.items()))): (name, given) for name, given in calls}.values())


def _calls(asked: PositionsQuestion, today: date) -> Iterator[Call]:
    for position in asked.positions:
        if position.symbol == CASH:
            continue
        symbol = position.symbol
        bought = bought_between(position.bought, today) if position.bought is not None else None
        yield SNAPSHOT, {"ticker": symbol}
        if bought is not None:
            yield change_call(symbol, bought[0], today)
            if bought[1] > bought[0]:
                yield change_call(symbol, *bought)
        elif position.paid is not None:
            yield from (change_call(symbol, today - back, today) for back in SPLITS_SEEN)
        if "change" in asked.asks and (span := span_of(asked, today)):
            yield change_call(symbol, *span)
        if "dividends" in asked.asks:
            yield DIVIDENDS, {"ticker": symbol}
        if any(move.subject == MARKET for move in asked.moves):
            yield BETA, {"ticker": symbol}
    if "index" in asked.asks and (since := since_of(asked, today)):
        yield change_call(asked.index, *since)


def since_of(asked: PositionsQuestion, today: date) -> tuple[date, date] | None:
    """Return the days over which an index is compared: since the buying, else those of the change."""
    if asked.bought is not None and (bought := bought_between(asked.bought, today)):
        return (bought[0], today) if bought[0] == bought[1] else None
    return span_of(asked, today)


def span_of(asked: PositionsQuestion, today: date) -> tuple[date, date] | None:
    """Return the days over which a change is asked for: that of the close before, and the last one."""
    days = asked.span
    if days is None:
        return None
    if days.window and days.start is not None and days.end is not None:
        return days.base or days.start, min(days.end, today)
    return (days.days[0] - timedelta(days=1), days.days[0]) if days.days else None


def change_call(symbol: str, start: date, end: date) -> Call:
    """Return the call on what a price did from the close of one day to that of another."""
    return CHANGE, {"ticker": symbol, "start_date": start.isoformat(), "end_date": end.isoformat()}
