"""Sentences on sectors: what each did over the days of a question, where one stands among all, and its companies."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.features.assistant.rules.economy_text import signed
from tradingagents.features.assistant.rules.found import TurnAnswers, close_day, of_industry, places, shown
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.retrieval.questions.days import NamedDays
from tradingagents.retrieval.questions.spans import sessions_between

MOST_ROWS = 8
_SECTOR_SPANS: Mapping[str, tuple[range, range]] = {
    "1d": (range(2), range(2)),
    "1w": (range(5, 6), range(2, 11)),
    "1m": (range(18, 24), range(11, 33)),
}
"""Windows of the sectors' returns: how many sessions a span may have to be that window, and to be next to it."""


def sector_window(days: NamedDays, last: date) -> str:
    """Return the key of the window of sector returns that the days of a question are; empty where they are none.

    Args:
        days: The days that the question names.
        last: The last session.
    """
    if not (days.window and days.start and days.end):
        return "1d" if set(days.days) <= {last} else ""
    if days.end < last:
        return ""
    start = days.base or days.start
    if (days.start.month, days.start.day) == (1, 1) and days.start.year == last.year:
        return "ytd"
    if (days.count, days.unit) == (1, "week"):
        return "1w"
    count = sessions_between(start, last)
    return next((key for key, (exact, _) in _SECTOR_SPANS.items() if count in exact), "")


def _nearest_window(days: NamedDays, last: date) -> str:
    """Return the key of the window of sector returns next to the days of a question; empty where none is near."""
    if key := sector_window(days, last):
        return key
    if not (days.window and days.start and days.end) or days.end < last:
        return ""
    count = sessions_between(days.base or days.start, last)
    return next((key for key, (_, near) in _SECTOR_SPANS.items() if count in near), "")


def sectors_text(found: TurnAnswers) -> str:
    """Return all sectors in the order of what they did over the days of a question."""
    fact, funds = found.one("get_sector_performance"), _funds(found)
    asked = found.frame.asked
    weakest = ("least" in asked.asks and "most" not in asked.asks) or "fell" in asked.claims or asked.has("losers")
    side = "_weakest" if weakest else ""
    if len(funds) == len(SECTOR_ETF):
        rows = {sector: (each.figures["price_change"], shown(each, "price_change")) for sector, each in funds.items()}
        any_fund = next(iter(funds.values()))
        days = {name: any_fund.facts.get(name, "") for name in ("first_day", "last_day")}
        heading, span = found.say(f"sectors_days{side}", **days), found.say("this_span")
    elif fact is None:
        return found.say("not_held", reason=found.reason("get_sector_performance"))
    elif key := sector_window(found.frame.days, date.fromisoformat(close_day(fact))):
        named = [row.get("sector", "") for _, row in places(fact, "sectors")]
        rows = {
            name: (fact.figures[f"{name}_{key}"], signed(fact, f"{name}_{key}"))
            for name in named
            if f"{name}_{key}" in fact.figures
        }
        span = found.say(f"span_{key}")
        heading = found.say(f"sectors{side}", span=span, day=close_day(fact))
    else:
        return _span_unknown(found)
    order = sorted(rows, key=lambda sector: rows[sector], reverse=True)
    lines = [f"- {found.sector(sector)}: {rows[sector][1]}" for sector in order]
    own = found.frame.sector
    rank = []
    if own in rows:
        given = {"change": rows[own][1], "span": span, "rank": order.index(own) + 1, "of": len(order)}
        rank = [found.say("sector_rank", sector=found.sector(own), **given), ""]
    return "\n".join([*rank, heading, *(reversed(lines) if weakest else lines)])


def _funds(found: TurnAnswers) -> dict[str, ToolFact]:
    """Return what the fund of each sector did over the days of a question, where that was looked up."""
    changes = {sector: next(iter(found.changes(symbol)), None) for sector, symbol in SECTOR_ETF.items()}
    return {sector: fact for sector, fact in changes.items() if fact is not None and "price_change" in fact.figures}


def _span_unknown(found: TurnAnswers) -> str:
    """Return why what sectors did over some days is not told: a fund has no price of them, or they are no window."""
    failed = (fact for symbol in SECTOR_ETF.values() for fact in found.failed_changes(symbol))
    reason = next((fact.reason for fact in failed), "")
    return found.say("not_held", reason=reason) if reason else found.say("sector_span")


def sector_text(found: TurnAnswers) -> str:
    """Return what the companies of a sector did, the strongest first, and the sector as a whole."""
    fact = found.one("get_industry_performance")
    if fact is None:
        return found.say("not_held", reason=found.reason("get_industry_performance"))
    days, last = found.frame.days, date.fromisoformat(close_day(fact))
    own = _nearest_window(days, last)
    if own not in _SECTOR_SPANS:
        return "\n".join(_whole_sector(found, own)) or _span_unknown(found)
    industry = found.frame.industry
    names = {row["symbol"]: row.get("name", "") for row in of_industry(fact, industry)}
    if industry and not names:
        return found.say("industry_none", industry=found.industry(industry))
    of_span = {symbol: fact.figures.get(f"{symbol}_{own}") for symbol in names}
    rows = sorted(((by, symbol) for symbol, by in of_span.items() if by is not None), reverse=True)
    lines = [f"- {names.get(symbol) or symbol} ({symbol}): {signed(fact, f'{symbol}_{own}')}" for _, symbol in rows]
    cut = lines if len(lines) <= 2 * MOST_ROWS else [*lines[:MOST_ROWS], "- …", *lines[-MOST_ROWS:]]
    heading = found.say("sector_companies", span=found.say(f"span_{own}"), day=close_day(fact))
    if industry:
        given = {"industry": found.industry(industry), "span": found.say(f"span_{own}"), "day": close_day(fact)}
        heading = found.say("industry_companies", **given)
    exact = own == sector_window(days, last)
    other = [] if exact else [found.say("sectors_other_span", start=days.start, end=last)]
    return "\n".join([*_whole_sector(found, own), *other, heading, *cut])


def _whole_sector(found: TurnAnswers, key: str) -> list[str]:
    """Return what a sector as a whole did: over the days of the question where its fund was looked up for them."""
    sector, fact = found.frame.sector, found.one("get_sector_performance")
    if fund := _funds(found).get(sector):
        days = {name: fund.facts.get(name, "") for name in ("first_day", "last_day")}
        return [found.say("sector_whole_days", sector=found.sector(sector), change=shown(fund, "price_change"), **days)]
    if fact is None or f"{sector}_{key}" not in fact.figures:
        return []
    given = {"change": signed(fact, f"{sector}_{key}"), "span": found.say(f"span_{key}"), "day": close_day(fact)}
    return [found.say("sector_whole", sector=found.sector(sector), **given)]
