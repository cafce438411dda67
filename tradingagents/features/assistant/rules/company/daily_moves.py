"""Sentences on single sessions of a price: the best and worst, how often it fell, days in a row, gaps, correlation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np

from tradingagents.features.assistant.rules.found import TurnAnswers, count_asked
from tradingagents.offline.questions.frame_words import EVER, IN_YEARS
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.retrieval.questions.names import percentage_in

BARS = "get_stock_data"
STRETCH = timedelta(days=80)
"""Calendar days of bars of one call: within them each session is told, and older ones are not merged."""
OVERLAP = timedelta(days=7)
"""By how much calls overlap: each session is set against the one before it of the same call."""
LONGEST_YEARS = 3
LONGEST = timedelta(days=LONGEST_YEARS * 366) + OVERLAP
"""The longest span whose sessions are looked up, with the days among which the close before it lies."""
A_YEAR, LATELY = timedelta(days=365), timedelta(days=70)
SESSIONS_PER_YEAR = 252
FEWEST_MOVES = 10
"""Sessions from which on the volatility of some days is told."""
FEWEST_PAIRS = 20
"""Sessions from which on a correlation is told."""
MOST_DAYS_TOLD = 10
STRONG, MIDDLING, OPPOSITE = 0.7, 0.3, -0.2
"""Correlations from which on, and down to which, two prices are said to move together or against each other."""


@dataclass(frozen=True, slots=True)
class TradedSession:
    """A session and the one before it, in shares of the same day: a split between two calls is in neither."""

    day: str
    open: float
    high: float
    low: float
    close: float
    day_before: str
    high_before: float
    low_before: float
    close_before: float
    volume: float
    """Shares traded, as its call counts them: in those of the last day of that call."""
    counted_on: str
    """The last day of its call: a split behind it is not in its prices."""

    @property
    def move(self) -> float:
        """By how many percent it closed above the one before."""
        return 100 * (self.close / self.close_before - 1)


def days_asked(frame: QuestionFrame, window: tuple[date, date] | None, today: date) -> tuple[date, date]:
    """Return the first and the last day of the bars that a question on single sessions needs.

    Args:
        frame: The question.
        window: The close before the days that it names, and the last of them; None where it names none.
        today: Its day.
    """
    if frame.last_alike or (window is None and IN_YEARS & frame.words):
        end = window[1] if window is not None else today
        return end - LONGEST, end
    if window is None and asks_ever(frame):
        return today + timedelta(days=1), today  # none: the longest history at hand is not all there was
    if window is None:
        longest = any(word in frame.asked.said_of("streak") for word in _LONGEST_RUN)
        lately = frame.asked.has("streak", "gap") and not (frame.demands & {"extreme", "how_often"} or longest)
        return today - (LATELY if lately else A_YEAR), today
    start = window[0] - timedelta(days=7)  # the close before it, over a holiday too
    if window[1] - start > LONGEST:
        return window[1] + timedelta(days=1), window[1]  # none: days of a part of it would be another answer
    return start, window[1]


def asks_ever(frame: QuestionFrame) -> bool:
    """Tell whether a question asks for a record of all time."""
    return bool(EVER & frame.words or {"all", "time"} <= frame.words or any("历史" in word for word in frame.words))


def bars_calls(symbol: str, start: date, end: date) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the calls that give each session of a price between two days."""
    while start <= end:
        last = min(start + STRETCH, end)
        yield BARS, {"symbol": symbol, "start_date": start.isoformat(), "end_date": last.isoformat()}
        start = last - OVERLAP if last < end else end + timedelta(days=1)


def daily_text(found: TurnAnswers, symbol: str) -> str:
    """Return what a question on single sessions of a price asks."""
    frame, sessions = found.frame, sessions_of(found, symbol)
    if frame.asked.has("correlation"):
        return _together(found, symbol)
    if not sessions:
        return sessions_gap(found, symbol)
    if frame.asked.has("gap"):
        return _gap(found, symbol, sessions)
    if frame.asked.has("streak"):
        return _streak(found, symbol, sessions)
    if frame.last_alike:
        return _last_alike(found, symbol, sessions)
    inside = sessions_within(frame, sessions)
    often = bool(frame.demands & {"how_often", "how_long"})
    return _often(found, symbol, inside) if often else _extremes(found, symbol, inside)


def sessions_gap(found: TurnAnswers, symbol: str) -> str:
    """Return why the sessions that a question asks for are not told: too many, or none of them known."""
    days = found.frame.days
    start = days.base or days.start
    if asks_ever(found.frame) or (days.window and start and days.end and days.end - start > LONGEST):
        return found.say("sessions_too_long", who=found.who(symbol), years=LONGEST_YEARS)
    if reason := found.reason(BARS, symbol):
        return f"{symbol}: {found.say('not_held', reason=reason)}"
    return found.say("daily_none", who=found.who(symbol))


def sessions_of(found: TurnAnswers, symbol: str) -> list[TradedSession]:
    """Return the sessions of a price in their order."""
    rows: dict[str, TradedSession] = {}
    for fact in (fact for fact in found.all(BARS, symbol) if _is_daily(fact.given)):
        lines = (line.split(",") for line in fact.facts.get("csv", "").splitlines()[1:])
        bars = [(day, [float(level or 0) for level in levels[:5]]) for day, *levels in lines]
        for (day_before, before), (day, own) in pairwise(bars):
            opened, high, low, close, volume = own
            _, high_before, low_before, close_before, _ = before
            prices = (opened, high, low, close, day_before, high_before, low_before, close_before)
            rows[day] = TradedSession(day, *prices, volume, str(fact.given["end_date"]))
    return [rows[day] for day in sorted(rows)]


def _is_daily(given: Mapping[str, Any]) -> bool:
    """Tell whether bars were asked of so few days that each session is one: of more days older ones are merged."""
    start, end = (date.fromisoformat(str(given[f"{name}_date"])) for name in ("start", "end"))
    return end - start <= STRETCH


def sessions_within(frame: QuestionFrame, sessions: Sequence[TradedSession]) -> list[TradedSession]:
    """Return the sessions of the days of a question, behind the close before them."""
    days = frame.days
    if not (days.window and days.base and days.end):
        return list(sessions)
    base, end = days.base.isoformat(), days.end.isoformat()
    return [row for row in sessions if base < row.day <= end]


def _signed(percent: float) -> str:
    return f"{percent:+.2f}%"


def _extremes(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession]) -> str:
    if not sessions:
        return found.say("daily_none", who=found.who(symbol))
    order = sorted(sessions, key=lambda row: row.move)
    count = count_asked(found.frame)
    if 1 < count <= len(order):
        return _several_ends(found, symbol, sessions, count)
    worst, best = order[0], order[-1]
    given = {"best_day": best.day, "best": _signed(best.move), "worst_day": worst.day, "worst": _signed(worst.move)}
    return found.say("daily_extreme", who=found.who(symbol), start=sessions[0].day, end=sessions[-1].day, **given)


def _several_ends(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession], count: int) -> str:
    """Return the best or the worst sessions, as many as a question asks for; both where it says neither."""
    frame, order = found.frame, sorted(sessions, key=lambda row: row.move)
    said = {"fell": bool(_WORST & frame.words) or "fell" in frame.asked.claims, "rose": bool(_BEST & frame.words)}
    lines = []
    for way, rows in (("rose", order[::-1]), ("fell", order)):
        if said[way] or not any(said.values()):
            days = ", ".join(f"{row.day} {_signed(row.move)}" for row in rows[:count])
            given = {"count": count, "days": days, "start": sessions[0].day, "end": sessions[-1].day}
            lines.append(found.say("daily_best" if way == "rose" else "daily_worst", who=found.who(symbol), **given))
    return "\n".join(lines)


_WORST = frozenset({"worst", "schlechtesten", "schwächsten", "最差", "最惨"})
_BEST = frozenset({"best", "besten", "stärksten", "最好"})


def _last_alike(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession]) -> str:
    """Return the last session before that of the question in which a price moved as far in the same direction."""
    days = found.frame.days
    named = days.days[0] if days.days else days.end if days.window else None
    until = [row for row in sessions if named is None or row.day <= named.isoformat()]
    if not until:
        return found.say("daily_none", who=found.who(symbol))
    *before, own = until
    alike = [row for row in before if (row.move <= own.move if own.move < 0 else row.move >= own.move)]
    given = {"who": found.who(symbol), "move": _signed(own.move), "day": own.day, "start": until[0].day}
    if not alike:
        return found.say("daily_alike_none", **given)
    return found.say("daily_alike", **given, last_day=alike[-1].day, last=_signed(alike[-1].move))


def _often(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession]) -> str:
    fell = "fell" in found.frame.asked.claims
    if not sessions:
        return found.say("daily_none", who=found.who(symbol))
    claimed = percentage_in(found.frame.days.text)
    limit = claimed[0] if claimed else float(".".join(found.frame.asked.numbers[:2]) or 0)
    kept = [row for row in sessions if (row.move < 0 if fell else row.move > 0) and abs(row.move) >= limit]
    given = {"way": found.say("daily_fell" if fell else "daily_rose"), "start": sessions[0].day}
    counts = {"who": found.who(symbol), "count": len(kept), "all": len(sessions), "end": sessions[-1].day}
    if not limit:
        return found.say("daily_often_any", **given, **counts)
    told = ", ".join(f"{row.day} {_signed(row.move)}" for row in kept[-MOST_DAYS_TOLD:])
    days = f" ({'… ' if len(kept) > MOST_DAYS_TOLD else ''}{told})" if kept else ""
    return found.say("daily_often", limit=f"{limit:g}%", days=days, **given, **counts)


def _streak(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession]) -> str:
    if any(word in found.frame.asked.said_of("streak") for word in _LONGEST_RUN):
        return _longest_runs(found, symbol, sessions_within(found.frame, sessions))
    last = sessions[-1]
    way = np.sign(last.move)
    count = next((at for at, row in enumerate(reversed(sessions)) if np.sign(row.move) != way), len(sessions))
    run, key = sessions[-count:], "rose" if way > 0 else "fell" if way < 0 else "flat"
    change = 100 * (math.prod(1 + row.move / 100 for row in run) - 1)
    given = {"way": found.say(f"daily_{key}"), "start": run[0].day_before, "end": last.day, "change": _signed(change)}
    return found.say("daily_streak", who=found.who(symbol), count=count, **given)


_LONGEST_RUN = ("longest", "langste", "längste", "最长")


def _longest_runs(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession]) -> str:
    """Return the longest run of rises and the longest of falls within some sessions."""
    runs: dict[str, list[TradedSession]] = {"rose": [], "fell": []}
    own: list[TradedSession] = []
    for row in sessions:
        own = [*own, row] if own and np.sign(own[-1].move) == np.sign(row.move) else [row]
        way = "rose" if row.move > 0 else "fell"
        if row.move and len(own) > len(runs[way]):
            runs[way] = own
    if not (runs["rose"] and runs["fell"]):
        return found.say("daily_none", who=found.who(symbol))
    lines = []
    for way, run in runs.items():
        change = 100 * (math.prod(1 + row.move / 100 for row in run) - 1)
        given = {"way": found.say(f"daily_{way}"), "count": len(run), "first": run[0].day, "last": run[-1].day}
        days = {"start": sessions[0].day, "end": sessions[-1].day, "change": _signed(change)}
        lines.append(found.say("daily_longest", who=found.who(symbol), **given, **days))
    return "\n".join(lines)


def _gap(found: TurnAnswers, symbol: str, sessions: Sequence[TradedSession]) -> str:
    days = found.frame.days
    asked = days.days[0] if days.days else days.end if days.window else None
    named = (row for row in sessions if asked is not None and row.day == asked.isoformat())
    own = next(named, sessions[-1])
    state = "up" if own.open > own.high_before else "down" if own.open < own.low_before else "none"
    return found.say(
        "daily_gap",
        who=found.who(symbol),
        day=own.day,
        open=f"{own.open:,.2f}",
        before=own.day_before,
        close=f"{own.close_before:,.2f}",
        gap=_signed(100 * (own.open / own.close_before - 1)),
        state=found.say(f"daily_gap_{state}", low=f"{own.low_before:,.2f}", high=f"{own.high_before:,.2f}"),
    )


def _together(found: TurnAnswers, symbol: str) -> str:
    """Return how closely the first price of a question moves with each of the others."""
    first, *others = found.frame.symbols or (symbol,)
    if symbol != first:
        return ""
    lines = []
    for other in others:
        pair = (sessions_within(found.frame, sessions_of(found, each)) for each in (first, other))
        left, right = ({row.day: row.move for row in rows} for rows in pair)
        common = sorted(left.keys() & right.keys())
        if len(common) < FEWEST_PAIRS:
            lines.append(sessions_gap(found, first if not left else other))
            continue
        value = float(np.corrcoef([left[day] for day in common], [right[day] for day in common])[0, 1])
        state = "strong" if value >= STRONG else "middling" if value >= MIDDLING else "weak"
        given = {"value": f"{value:.2f}", "count": len(common), "start": common[0], "end": common[-1]}
        state = found.say(f"daily_{'opposite' if value <= OPPOSITE else state}")
        lines.append(found.say("daily_together", who=found.who(first), other=found.who(other), state=state, **given))
    return "\n".join(lines) or found.say("which_company")


def swings_text(found: TurnAnswers, symbol: str) -> str:
    """Return the volatility of a price over the days of a question; empty where its sessions were not looked up."""
    rows = sessions_within(found.frame, sessions_of(found, symbol))
    if len(rows) < FEWEST_MOVES:
        return ""
    swings = 100 * float(np.std([math.log1p(row.move / 100) for row in rows], ddof=1)) * math.sqrt(SESSIONS_PER_YEAR)
    given = {"vol": f"{swings:.2f}%", "count": len(rows), "start": rows[0].day, "end": rows[-1].day}
    return found.say("daily_swings", who=found.who(symbol), **given)


def fall_text(found: TurnAnswers, symbol: str) -> str:
    """Return the deepest fall of a price within the days of a question; empty where they were not looked up."""
    rows = sessions_within(found.frame, sessions_of(found, symbol))
    if len(rows) < 2:
        return ""
    levels = np.cumprod([1.0, *(1 + row.move / 100 for row in rows)])
    days = [rows[0].day_before, *(row.day for row in rows)]
    falls = levels / np.maximum.accumulate(levels) - 1
    trough = int(np.argmin(falls))
    peak = int(np.argmax(levels[: trough + 1]))
    given = {"depth": f"{100 * falls[trough]:.2f}%", "peak": days[peak], "trough": days[trough]}
    return found.say("daily_fall", who=found.who(symbol), start=days[0], end=days[-1], **given)


def range_within(found: TurnAnswers, symbol: str, side: str) -> str:
    """Return the highest or lowest price within a session of the days of a question; empty where it is not known.

    Args:
        found: The answers.
        symbol: Of the company.
        side: high or low.
    """
    bars = sessions_within(found.frame, sessions_of(found, symbol))
    if not bars:
        return ""
    bar = max(bars, key=lambda bar: bar.high) if side == "high" else min(bars, key=lambda bar: bar.low)
    price = bar.high if side == "high" else bar.low
    return found.say(f"daily_{side}", price=f"{price:,.2f}", day=bar.day)
