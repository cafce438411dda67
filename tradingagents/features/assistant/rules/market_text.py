"""Sentences on the market by what was asked about it: its day, sectors, movers, mood, and ranked lists."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from tradingagents.features.assistant.rules.aspect_calls import candidates
from tradingagents.features.assistant.rules.company.company_text import peak_text
from tradingagents.features.assistant.rules.economy_text import economy_text, signed
from tradingagents.features.assistant.rules.found import TurnAnswers, close_day, percent, places, shown
from tradingagents.features.assistant.rules.insiders import insiders_across
from tradingagents.features.assistant.rules.screens import SNAPSHOT, members_found, screen_text
from tradingagents.offline.questions.conversation import ConversationBrief, ToolFact
from tradingagents.retrieval.questions.spans import sessions_between

MOST_ROWS = 8
MOST_IDEAS = 5
_SECTOR_SPANS: Mapping[str, tuple[range, range]] = {
    "1d": (range(2), range(2)),
    "1w": (range(5, 6), range(2, 11)),
    "1m": (range(18, 24), range(11, 33)),
}
"""Windows of the sectors' returns: how many sessions a span may have to be that window, and to be next to it."""


def market_text(found: TurnAnswers, part: str, known: ConversationBrief) -> str:
    """Return what is known of the market on what was asked."""
    if part in _OF_CONVERSATION:
        return _OF_CONVERSATION[part](found, known)
    return _WRITERS[part](found) if part in _WRITERS else economy_text(found, part)


def _recap(found: TurnAnswers) -> str:
    if found.all("get_price_change"):
        lines = [
            f"- {found.who(symbol)}: {_moved(found.changes(symbol)[0])}"
            for symbol in ("^GSPC", "^IXIC", "^DJI", "^RUT")
            if found.changes(symbol)
        ]
        return "\n".join([*lines, *(["", _sectors(found)] if found.all("get_sector_performance") else [])])
    return "\n\n".join(part for part in (_indices(found), _sectors(found), _movers(found)) if part)


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
    if found.frame.span and moved and len(moved) > 1:
        lines.append(f"- {_moved(moved[0])}")
    if moved:
        lines.append(peak_text(found, index))
    return "\n".join(lines)


def _sectors(found: TurnAnswers) -> str:
    fact = found.one("get_sector_performance")
    if fact is None:
        return found.say("not_held", reason=found.reason("get_sector_performance"))
    key = sector_span(found, fact)
    if not key:
        return found.say("sector_span")
    named = [row.get("sector", "") for _, row in places(fact, "sectors")]
    rows = sorted(
        ((fact.figures[f"{name}_{key}"], name) for name in named if f"{name}_{key}" in fact.figures), reverse=True
    )
    lines = [f"- {name.replace('-', ' ').capitalize()}: {signed(fact, f'{name}_{key}')}" for _, name in rows]
    asked = found.frame.asked
    if "least" in asked.asks or "fell" in asked.claims or asked.has("losers"):
        lines.reverse()
        heading = found.say("sectors_weakest", span=found.say(f"span_{key}"), day=close_day(fact))
    else:
        heading = found.say("sectors", span=found.say(f"span_{key}"), day=close_day(fact))
    other = _other_span(found, fact, key)
    return "\n".join([*other, *_rank_of_sector(found, [name for _, name in rows], key), heading, *lines])


def _rank_of_sector(found: TurnAnswers, order: Sequence[str], key: str) -> list[str]:
    """Return where the sector that a question names stands among all, as `energy was the worst` takes for granted."""
    sector, fact = found.frame.sector, found.one("get_sector_performance")
    if sector not in order or fact is None:
        return []
    given = {"change": signed(fact, f"{sector}_{key}"), "span": found.say(f"span_{key}")}
    name = sector.replace("-", " ").capitalize()
    return [found.say("sector_rank", sector=name, rank=order.index(sector) + 1, of=len(order), **given), ""]


def sector_span(found: TurnAnswers, fact: ToolFact) -> str:
    """Return the key of the window of sector returns next to the days of a question; empty where none is near."""
    days, last = found.frame.days, date.fromisoformat(close_day(fact))
    if not (days.window and days.start and days.end):
        return "1d" if set(days.days) <= {last} else ""
    start = days.base or days.start
    if days.end < last:
        return ""
    if (days.start.month, days.start.day) == (1, 1) and days.start.year == last.year:
        return "ytd"
    count = sessions_between(start, last)
    return next((key for key, (_, near) in _SECTOR_SPANS.items() if count in near), "")


def _other_span(found: TurnAnswers, fact: ToolFact, key: str) -> list[str]:
    """Return that what follows is of another span than a question names; nothing where it is of that one."""
    days, last = found.frame.days, date.fromisoformat(close_day(fact))
    if key not in _SECTOR_SPANS or not (days.window and days.start) or (days.count, days.unit) == (1, "week"):
        return []
    exact, _ = _SECTOR_SPANS[key]
    if sessions_between(days.base or days.start, last) in exact:
        return []
    return [found.say("sectors_other_span", start=days.start, end=last)]


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
            lines.append(
                f"- {row.get('name', symbol)} ({symbol}): {signed(fact, f'{symbol}_change_1d')}, "
                f"{fact.shown.get(f'{symbol}_price', 'n/a')}"
            )
        blocks.append("\n".join([found.say(key, day=fact.facts.get("session", fact.as_of)), *lines[:MOST_ROWS]]))
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
    lines = [f"- {day}: {name} ({symbol}), {status}" for day, name, symbol, status in rows]
    return "\n".join([found.say("reporting" if lines else "reporting_none", **given), *lines])


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


def _sector(found: TurnAnswers) -> str:
    fact = found.one("get_industry_performance")
    if fact is None:
        return found.say("not_held", reason=found.reason("get_industry_performance"))
    key = sector_span(found, fact)
    if not key:
        return found.say("sector_span")
    own = key if key in ("1d", "1w", "1m") else "1m"
    names = {row.get("symbol", ""): row.get("name", "") for _, row in places(fact, "companies")}
    symbols = [name.removesuffix(f"_{own}") for name in fact.figures if name.endswith(f"_{own}")]
    rows = sorted(
        ((fact.figures[f"{symbol}_{own}"], symbol) for symbol in symbols if symbol == symbol.upper()), reverse=True
    )
    sector = found.frame.sector.replace("-", " ").capitalize()
    etf = found.one("get_sector_performance")
    whole = (
        f" ({signed(etf, f'{found.frame.sector}_{key}')})"
        if etf is not None and f"{found.frame.sector}_{key}" in etf.figures
        else ""
    )
    lines = [f"- {names.get(symbol) or symbol} ({symbol}): {signed(fact, f'{symbol}_{own}')}" for _, symbol in rows]
    cut = lines if len(lines) <= 2 * MOST_ROWS else [*lines[:MOST_ROWS], "- …", *lines[-MOST_ROWS:]]
    heading = f"{sector}{whole}, {found.say(f'span_{own}')} to {close_day(fact)}:"
    return "\n".join([*_other_span(found, fact, own), heading, *cut])


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
    "sectors": _sectors,
    "winners": _movers,
    "losers": lambda found: "" if found.frame.asked.has("winners") else _movers(found),
    "mood": _mood,
    "reporting": _reporting,
    "correction": _correction,
    "sector": _sector,
    "breadth": _breadth,
}
_OF_CONVERSATION: Mapping[str, Callable[[TurnAnswers, ConversationBrief], str]] = {
    "insiders_across": insiders_across,
    "screen": screen_text,
    "ideas": _ideas,
}
