"""Sentences on the market by what was asked about it: its day, sectors, movers, mood, and ranked lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date

from tradingagents.features.assistant.rules.aspect_calls import candidates
from tradingagents.features.assistant.rules.company.price_text import moved_text, peak_text
from tradingagents.features.assistant.rules.economy_text import economy_text, signed
from tradingagents.features.assistant.rules.found import TurnAnswers, close_day, count_asked, percent, places, shown
from tradingagents.features.assistant.rules.insiders import insiders_across
from tradingagents.features.assistant.rules.screens import SNAPSHOT, members_found, screen_text
from tradingagents.features.assistant.rules.sectors_text import MOST_ROWS, sector_text, sector_window, sectors_text
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact

VIX = "^VIX"
MOST_IDEAS = 5


def market_text(found: TurnAnswers, part: str, known: ConversationBrief) -> str:
    """Return what is known of the market on what was asked."""
    if part in _OF_CONVERSATION:
        return _OF_CONVERSATION[part](found, known)
    return _WRITERS[part](found) if part in _WRITERS else economy_text(found, part)


def _recap(found: TurnAnswers) -> str:
    if found.all("get_price_change"):
        lines = []
        for symbol in ("^GSPC", "^IXIC", "^DJI", "^RUT"):
            if known := found.changes(symbol):
                lines.append(f"- {found.who(symbol)}: {_moved(known[0])}")
            elif unknown := found.failed_changes(symbol):
                lines.append(f"- {found.who(symbol)}: {found.say('not_held', reason=unknown[0].reason)}")
        fact = found.one("get_sector_performance")
        of_days = fact is not None and bool(sector_window(found.frame.days, date.fromisoformat(close_day(fact))))
        told = of_days and "sectors" not in found.frame.parts
        return "\n".join([*lines, *(["", sectors_text(found)] if told else [])])
    sectors = "" if "sectors" in found.frame.parts else sectors_text(found)
    return "\n\n".join(part for part in (_indices(found), sectors, _movers(found)) if part)


def _moved(fact: ToolFact) -> str:
    days = f"{fact.facts.get('first_day', '')} to {fact.facts.get('last_day', '')}"
    return f"{fact.shown.get('last_close', 'n/a')} ({shown(fact, 'price_change')}, {days})"


def _indices(found: TurnAnswers, index: str = "") -> str:
    fact = found.one("get_market_indices")
    if fact is None:
        return found.say("not_held", reason=found.reason("get_market_indices"))
    rows = [row for _, row in places(fact, "indices") if index in ("", row.get("symbol"))]
    lines = [
        f"- {row.get('name', '')}: {fact.shown.get(row['symbol'] + '_last', 'n/a')} "
        f"({signed(fact, row['symbol'] + '_change_pct')})"
        for row in rows
    ]
    return "\n".join([found.say("indices", day=close_day(fact)), *lines])


def _index(found: TurnAnswers) -> str:
    index = found.frame.index
    lines, moved = [_indices(found, index)], found.changes(index)
    asked = found.asked_change(index) if found.frame.span and len(moved) > 1 else None
    of_days = asked is not None
    if asked is not None:
        lines.append(moved_text(found, asked, index))
    elif found.frame.span and (unknown := found.failed_changes(index)):
        lines.append(found.say("not_held", reason=unknown[0].reason))  # of its days nothing would be said else
    if moved and not (of_days and index == VIX):
        lines.append(peak_text(found, index))
    return "\n".join(lines)


def _today(found: TurnAnswers) -> str:
    return max((fact.as_of for fact in found.results if fact.as_of), default="")


def _movers(found: TurnAnswers) -> str:
    blocks = []
    for fact in found.all("get_market_movers"):
        if fact.failed:
            blocks.append(found.say("not_held", reason=fact.reason))
            continue
        key = {"day_gainers": "gainers", "day_losers": "losers"}.get(fact.facts.get("category", ""), "gainers")
        lines = []
        for _, row in places(fact, "movers"):
            symbol = row.get("symbol", "")
            if symbol in found.frame.excluded:
                continue
            lines.append(
                f"- {row.get('name', symbol)} ({symbol}): {signed(fact, f'{symbol}_change_1d')}, "
                f"{fact.shown.get(f'{symbol}_price', 'n/a')}"
            )
        rows = lines[: count_asked(found.frame) or MOST_ROWS]
        blocks.append("\n".join([found.say(key, day=fact.facts.get("session", fact.as_of)), *rows]))
    if found.frame.excluded:
        blocks.append(found.say("ranked_without", who=", ".join(map(found.who, found.frame.excluded))))
    return "\n\n".join(blocks)


def _mood(found: TurnAnswers) -> str:
    fact, indices = found.one("fear_greed"), found.one("get_market_indices")
    if fact is None:
        return found.say("not_held", reason=found.reason("fear_greed"))
    return found.say(
        "mood",
        day=fact.as_of,
        mood=fact.facts.get("mood", ""),
        score=fact.shown.get("fear_greed_score", "n/a"),
        vix=indices.shown.get("^VIX_last", "n/a") if indices else "n/a",
        change=signed(indices, "^VIX_change_pct") if indices else "n/a",
    )


CORRECTION, BEAR = 10.0, 20.0
"""Percent below a high from which on a fall is called a correction, and a bear market."""


def _correction(found: TurnAnswers) -> str:
    index = found.frame.index or "^GSPC"
    year = found.longest(index, "highest_close", "lowest_close")
    if year is None:
        return found.no_range(index)
    last, high, low = (year.figures[name] for name in ("last_close", "highest_close", "lowest_close"))
    after = year.facts.get("lowest_day", "") > year.facts.get("highest_day", "")
    now, deepest = 100 * (1 - last / high), 100 * (1 - low / high)
    given = {"high": year.shown["highest_close"], "high_day": year.facts.get("highest_day", "")}
    lines = [found.say("correction", who=found.who(index), now=percent(now), **given)]
    if after:
        given = {"low": year.shown["lowest_close"], "low_day": year.facts.get("lowest_day", "")}
        lines.append(found.say("correction_since", deepest=percent(deepest), **given))
    elif now > 0:  # the lowest close of the year lies before the high
        lines.append(found.say("correction_unknown"))
    was = after and deepest >= CORRECTION
    key = "bear" if now >= BEAR else "yes" if now >= CORRECTION else "was" if was else "no"
    return " ".join([*lines, found.say(f"correction_{key}")])


def _reporting(found: TurnAnswers) -> str:
    fact = found.one("get_earnings_calendar")
    if fact is None:
        return found.say("not_held", reason=found.reason("get_earnings_calendar"))
    given = {"start": fact.given.get("from_date", ""), "end": fact.given.get("to_date", ""), "day": fact.as_of}
    rows = sorted(
        (row.get("day", ""), row.get("name") or row.get("symbol", ""), row.get("symbol", ""), row.get("status", ""))
        for _, row in places(fact, "events")
    )
    lines = [
        f"- {day}: {name} ({symbol}), {_against_estimate(found, fact, symbol) or status}"
        for day, name, symbol, status in rows
    ]
    return "\n".join([found.say("reporting" if lines else "reporting_none", **given), *lines])


def _against_estimate(found: TurnAnswers, fact: ToolFact, symbol: str) -> str:
    """Return the earnings per share that a company reported beside the estimate; empty where either is not known."""
    earned, expected = (fact.figures.get(f"{symbol}_{name}") for name in ("eps", "eps_estimate"))
    if earned is None or expected is None:
        return ""
    key = "eps_beat" if earned > expected else "eps_missed" if earned < expected else "eps_met"
    return found.say(key, eps=fact.shown[f"{symbol}_eps"], estimate=fact.shown[f"{symbol}_eps_estimate"])


def _breadth(found: TurnAnswers) -> str:
    """Return how many stocks rose, and which part of them stands above its averages, what is asked for first."""
    fact = found.one("market_breadth")
    if fact is None:
        return found.say("not_held", reason=found.reason("market_breadth"))
    names = (
        "stocks",
        "advancing",
        "declining",
        "advancing_pct",
        "above_50_sma",
        "above_200_sma",
        "new_highs",
        "new_lows",
    )
    shown_as = {name: fact.shown.get(f"breadth_{name}", "n/a") for name in names}
    return found.say("breadth", day=close_day(fact), **shown_as)


def _ideas(found: TurnAnswers, known: ConversationBrief) -> str:
    order, count = candidates(known), len(members_found(known))
    day = _today(found)
    if not order:
        return found.say("ideas_none", count=count, day=day)
    lines = [found.say("ideas", count=count, day=day)]
    for symbol in order[:MOST_IDEAS]:
        fact, risk, pe = (
            found.one(SNAPSHOT, symbol),
            found.one("risk_profile", symbol),
            found.one("trailing_forward_pe", symbol),
        )
        if fact is None:
            continue
        given = {"rsi": fact.shown["rsi"], "price": fact.shown["price"], "return": shown(fact, "return_252d")}
        lines.append(
            found.say(
                "idea",
                who=found.who(symbol),
                pe=pe.shown.get("pe_ttm", "n/a").removesuffix("x") if pe else "n/a",
                vol=risk.shown.get("volatility_252d", "n/a") if risk else fact.shown.get("volatility_20d", "n/a"),
                deepest=risk.shown.get("drawdown_1", "n/a") if risk else "n/a",
                **given,
            )
        )
    return "\n".join([*lines, found.say("ideas_end", symbol=order[0])])


_WRITERS: Mapping[str, Callable[[TurnAnswers], str]] = {
    "recap": _recap,
    "index": _index,
    "sectors": sectors_text,
    "winners": _movers,
    "losers": lambda found: "" if found.frame.asked.has("winners") else _movers(found),
    "mood": _mood,
    "reporting": _reporting,
    "correction": _correction,
    "sector": sector_text,
    "breadth": _breadth,
}
_OF_CONVERSATION: Mapping[str, Callable[[TurnAnswers, ConversationBrief], str]] = {
    "insiders_across": insiders_across,
    "screen": screen_text,
    "ideas": _ideas,
}
