"""Sentences on a ratio that is asked for by its name: what it is, against those of peers, against its earlier years."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from statistics import median
from typing import Any

from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.offline.questions.measures import FUNDAMENTALS, RATIOS

PEERS = "get_peer_multiples"
EARLIER_YEARS = 5
"""Years before the day whose ratio is shown beside that of the day."""
FEWEST_PEERS = 3
"""Peers from which on the middle of them is a yardstick."""
FEWEST_EARLIER = 2
"""Earlier years from which on their middle is a yardstick."""


def ratio_calls(ratio: str, symbol: str, frame: QuestionFrame, today: date) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the calls that give a ratio, that of the day first; those of peers and earlier years where asked for."""
    yield FUNDAMENTALS, {"ticker": symbol, "curr_date": today.isoformat()}
    if frame.past_day is not None and frame.past_day < today:
        yield FUNDAMENTALS, {"ticker": symbol, "curr_date": frame.past_day.isoformat()}
    if "peers" in frame.asked.asks and RATIOS[ratio].of_peers:
        yield PEERS, {"ticker": symbol}
    if "history" in frame.asked.asks:
        yield from ((FUNDAMENTALS, {"ticker": symbol, "curr_date": day.isoformat()}) for day in _earlier_days(today))


def _earlier_days(today: date) -> Iterator[date]:
    for years in range(1, EARLIER_YEARS + 1):
        day = 28 if (today.month, today.day) == (2, 29) else today.day
        yield date(today.year - years, today.month, day)


def ratio_text(found: TurnAnswers, ratio: str, symbol: str) -> str:
    """Return a ratio of a company and, where a question asks for them, those of its peers and of earlier years."""
    figure = RATIOS[ratio].figure
    if found.frame.past_day is not None:
        return _of_a_day(found, ratio, symbol, found.frame.past_day)
    own = next(iter(found.all(FUNDAMENTALS, symbol)), None)
    if own is None or own.failed:
        return found.missing(FUNDAMENTALS, symbol)
    if figure not in own.shown:
        return unknown_text(found, ratio, own, symbol)
    value = own.shown[figure]
    lines = [found.say("ratio", who=found.who(symbol), label=found.label(figure), value=value, day=own.as_of)]
    if ratio == "current_ratio":
        lines.append(found.say("bills_covered" if own.figures[figure] >= 1 else "bills_not_covered"))
    if "peers" in found.frame.asked.asks:
        lines.append(_against_peers(found, ratio, own, symbol))
    if "history" in found.frame.asked.asks:
        lines.append(_against_years(found, figure, own, symbol))
    return "\n".join(lines)


def _of_a_day(found: TurnAnswers, ratio: str, symbol: str, day: date) -> str:
    """Return a ratio of a company on a day behind, and today's beside it."""
    figure, lines = RATIOS[ratio].figure, []
    facts = {str(fact.given.get("curr_date", "")): fact for fact in found.all(FUNDAMENTALS, symbol)}
    for at in sorted({day.isoformat(), *facts}):
        fact = facts.get(at)
        if fact is None or fact.failed:
            lines.append(f"{symbol}, {at}: {found.say('not_held', reason=fact.reason if fact is not None else 'n/a')}")
        elif figure not in fact.shown:
            lines.append(unknown_text(found, ratio, fact, symbol))
        else:
            given = {"label": found.label(figure), "value": fact.shown[figure], "day": at}
            lines.append(found.say("ratio", who=found.who(symbol), **given))
    return "\n".join(lines)


def unknown_text(found: TurnAnswers, ratio: str, own: ToolFact, symbol: str) -> str:
    """Return that a ratio is not known, and why the answer withholds it."""
    figure = RATIOS[ratio].figure
    older = figure.replace("_ttm", "_fy") if figure.endswith("_ttm") else f"{figure}_fy"
    reason = next((text for place, text in own.facts.items() if place.startswith("withheld.")), "")
    lines = [found.say("ratio_unknown", who=found.who(symbol), label=found.label(figure), day=own.as_of)]
    if reason:
        lines.append(reason)
    if older in own.shown:
        lines.append(found.say("ratio_of_year", label=found.label(figure), value=own.shown[older]))
    return " ".join(lines)


def _against_peers(found: TurnAnswers, ratio: str, own: ToolFact, symbol: str) -> str:
    figure, label = RATIOS[ratio].figure, found.label(RATIOS[ratio].figure)
    fact = found.one(PEERS, symbol)
    middle = f"peer_median_{figure}"
    if fact is None or middle not in fact.figures:
        return found.say("ratio_no_peers", label=label, reason=found.reason(PEERS, symbol) or "n/a")
    name = f"values.{figure}"
    rows = [row for _, row in places(fact, "companies") if row.get("role") == "peer" and row.get(name)]
    each = ", ".join(f"{row.get('symbol', '')} {float(row[name]):.2f}" for row in rows)
    if len(rows) < FEWEST_PEERS:
        return found.say("ratio_few_peers", label=label, each=each, count=len(rows))
    return found.say(
        "ratio_peers",
        label=label,
        middle=fact.shown[middle],
        side=_side(found, own.figures[figure], fact.figures[middle]),
        each=each,
    )


def _against_years(found: TurnAnswers, figure: str, own: ToolFact, symbol: str) -> str:
    earlier = [
        fact for fact in found.all(FUNDAMENTALS, symbol) if fact is not own and not fact.failed and figure in fact.shown
    ]
    if len(earlier) < FEWEST_EARLIER:
        return found.say("ratio_no_years", label=found.label(figure))
    each = ", ".join(f"{fact.given.get('curr_date', '')} {fact.shown[figure]}" for fact in earlier)
    middle = median(fact.figures[figure] for fact in earlier)
    unit = own.shown[figure].lstrip("-0123456789.,")
    return found.say(
        "ratio_years",
        each=each,
        middle=f"{middle:.2f}{unit}",
        side=_side(found, own.figures[figure], middle),
    )


def _side(found: TurnAnswers, value: float, middle: float) -> str:
    return found.say("above" if value > middle else "below" if value < middle else "as_large")
