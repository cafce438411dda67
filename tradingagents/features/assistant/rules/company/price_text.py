"""Sentences on the price of one company: where it stands, what it did over a span, how far it is from its high."""

from __future__ import annotations

from datetime import date

from tradingagents.features.assistant.rules.company.daily_moves import asks_ever
from tradingagents.features.assistant.rules.company.split_text import split_within_text
from tradingagents.features.assistant.rules.found import TurnAnswers, close_day, percent, shown
from tradingagents.offline.questions.conversation import ToolFact

SNAPSHOT, CHANGE = "market_snapshot", "get_price_change"
A_FEW_DAYS = 5
"""By which a year may be longer or shorter."""


def price_text(found: TurnAnswers, symbol: str) -> str:
    """Return what a price did over the span of a question, or where it stands."""
    changes = found.changes(symbol)
    if found.frame.also is not None and len(changes) > 1:
        return "\n".join(moved_text(found, change, symbol) for change in changes)
    if found.frame.span and (asked := found.asked_change(symbol)) is not None:
        return "\n".join(text for text in (moved_text(found, asked, symbol), _invested(found, asked)) if text)
    if found.frame.span and (unknown := found.failed_changes(symbol)):
        return f"{symbol}: {found.say('not_held', reason=unknown[0].reason)}"
    snapshot = found.one(SNAPSHOT, symbol)
    if snapshot is None:
        return found.missing(SNAPSHOT, symbol) if found.all(SNAPSHOT, symbol) else found.missing(CHANGE, symbol)
    return "\n".join(
        [
            stands_text(found, snapshot, symbol),
            *([peak_text(found, symbol)] if changes and not found.frame.asked.has("peak") else []),
        ]
    )


def _invested(found: TurnAnswers, fact: ToolFact) -> str:
    """Return what an amount that a question puts in would have become; empty for another question."""
    if "invested" not in found.frame.asked.asks or not found.frame.levels:
        return ""
    amount, unit = found.frame.levels[0], fact.shown.get("last_close", "").rpartition(" ")[2]

    def worth(figure: str) -> str:
        return f"{amount * (1 + fact.figures[figure] / 100):,.2f} {unit}"

    total = found.say("invested_total", value=worth("total_return")) if "total_return" in fact.figures else ""
    return found.say(
        "invested",
        amount=f"{amount:,.2f} {unit}",
        value=worth("price_change"),
        change=shown(fact, "price_change"),
        first_day=fact.facts.get("first_day", ""),
        last_day=fact.facts.get("last_day", ""),
        dividends=total,
    )


def stands_text(found: TurnAnswers, fact: ToolFact, symbol: str) -> str:
    """Return where a price stands, and what it did over the usual spans."""
    return found.say(
        "price_now",
        who=found.who(symbol),
        price=fact.shown.get("price", "n/a"),
        day=close_day(fact),
        d1=shown(fact, "change_1d"),
        w1=shown(fact, "change_1w"),
        m1=shown(fact, "change_1m"),
        ytd=shown(fact, "return_ytd"),
    )


def moved_text(found: TurnAnswers, fact: ToolFact, symbol: str) -> str:
    """Return what a price did over a window of days."""
    first_day, last_day = fact.facts.get("first_day", ""), fact.facts.get("last_day", "")
    if first_day == last_day:
        return found.say("no_session_in", who=found.who(symbol), last=fact.shown.get("last_close", "n/a"), day=last_day)
    total = shown(fact, "total_return")
    differs = "total_return" in fact.shown and total != shown(fact, "price_change")
    said = found.say(
        "price_span",
        who=found.who(symbol),
        first=fact.shown.get("first_close", "n/a"),
        first_day=first_day,
        last=fact.shown.get("last_close", "n/a"),
        last_day=last_day,
        change=shown(fact, "price_change"),
        dividends=found.say("with_dividends", total=total) if differs else "",
    )
    return "\n".join(text for text in (said, _amount(found, fact), split_within_text(found, fact)) if text)


def _amount(found: TurnAnswers, fact: ToolFact, since: str = "first_close") -> str:
    """Return by how much a price moved in its unit, where a question asks for points or dollars; empty for another."""
    if "amount" not in found.frame.demands or not {since, "last_close"} <= fact.figures.keys():
        return ""
    unit = fact.shown["last_close"].partition(" ")[2] or found.say("points_unit")
    return found.say("amount", amount=f"{fact.figures['last_close'] - fact.figures[since]:+,.2f} {unit}")


def above_low_text(found: TurnAnswers, fact: ToolFact) -> str:
    """Return how far a price stands above its lowest close, where a question asks how far; empty for another."""
    asks = "gap" in found.frame.demands or bool({"far", "weit"} & found.frame.words) or "多远" in found.frame.words
    if not asks or not {"lowest_close", "last_close"} <= fact.figures.keys():
        return ""
    over = percent(100 * (fact.figures["last_close"] / fact.figures["lowest_close"] - 1))
    said = found.say("above_low", last=fact.shown["last_close"], day=fact.facts.get("last_day", ""), over=over)
    return " ".join(text for text in (said, _amount(found, fact, "lowest_close")) if text)


def peak_text(found: TurnAnswers, symbol: str) -> str:
    """Return how far a price stands below its highest close of a year, or that it stands at it."""
    year = found.ranged(symbol, "highest_close")
    if year is None:
        return f"{symbol}: {found.no_range(symbol)}"
    last, high = year.figures["last_close"], year.figures["highest_close"]
    given = {
        "who": found.who(symbol),
        "high": year.shown["highest_close"],
        "high_day": year.facts.get("highest_day", ""),
        "span": span_said(found, year),
    }
    if last >= high:
        return found.say("at_high", **given)
    off = found.say("off_high", off=percent(100 * (last / high - 1)), **given)
    back = found.say("regain", rise=percent(100 * (high / last - 1))) if "regain" in found.frame.demands else ""
    return " ".join(text for text in (off, _amount(found, year, "highest_close"), back) if text)


def span_said(found: TurnAnswers, change: ToolFact) -> str:
    """Return of which days a highest close is: of twelve months, or of those from one day to another.

    Of twelve months it says that earlier closes are not looked up, where the question asks for a record.
    """
    if not is_of_a_year(found, change):
        return found.say("between_days", start=change.given["start_date"], end=change.given["end_date"])
    return found.say("twelve_months_only" if asks_ever(found.frame) else "twelve_months")


def is_of_a_year(found: TurnAnswers, change: ToolFact) -> bool:
    """Tell whether a change of a price is over about twelve months to now, or over days that nobody named."""
    days = found.frame.days
    if (
        days.window
        and days.start != days.end
        and not (days.count and days.base == days.start)
        and change.given.get("end_date") == str(days.end)
        and change.given.get("start_date") in (str(days.start), str(days.base))
    ):
        return False  # such as a year of the calendar
    start, end = (str(change.given.get(f"{name}_date", "")) for name in ("start", "end"))
    if not (start and end):
        return True
    return abs((date.fromisoformat(end) - date.fromisoformat(start)).days - 365) <= A_FEW_DAYS


def listing_text(found: TurnAnswers, symbol: str) -> str:
    """Return the day of the first price of a company that is known, and what it did since: no source tells more."""
    info, changes = found.one("company_info", symbol), found.changes(symbol)
    if info is None or not info.facts.get("prices_from"):
        return found.missing("company_info", symbol)
    first = found.say("listing", who=found.who(symbol), day=info.facts["prices_from"])
    return "\n".join([first, *(moved_text(found, change, symbol) for change in changes[:1])])
