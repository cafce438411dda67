"""Sentences on sessions of a price put together: its months and weeks, its volume, its last close beyond a level."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from tradingagents.features.assistant.rules.company.daily_moves import (
    A_YEAR,
    LONGEST,
    TradedSession,
    asks_ever,
    bars_calls,
    sessions_gap,
    sessions_of,
    sessions_within,
)
from tradingagents.features.assistant.rules.company.risk_text import UNUSUAL
from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.offline.questions.forms.session_kinds import LEVEL, PERIODS, THE_FIRST, VOLUMES, unit_asked
from tradingagents.offline.questions.frame_words import UNDER
from tradingagents.offline.questions.frames import QuestionFrame
from tradingagents.retrieval.questions.spans import last_session

CHANGE = "get_price_change"
LEVELS_BACK = timedelta(days=2 * 365)
"""How far back a close beyond a level is looked for."""
BEHIND = timedelta(days=7)
"""Days before a span among which the close before it lies, over a holiday too."""
USUAL_BEHIND, USUAL = timedelta(days=40), 20
"""Days before one whose volume is asked about, and the sessions among them by which the usual volume is told."""
MOST_TOLD = 53
"""Months or weeks that are listed where each is asked for."""


def session_calls(
    part: str, symbol: str, frame: QuestionFrame, window: tuple[date, date] | None, today: date
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the calls that give the sessions of a price, and the splits among them.

    Args:
        part: What is told of them.
        symbol: Whose they are.
        frame: The question.
        window: The close before the days of a question, and the last of them; None where it names none.
        today: Its day.
    """
    start, end = window or (today - (LEVELS_BACK if part == LEVEL else A_YEAR), today)
    if end - start > LONGEST or (part != LEVEL and asks_ever(frame)):
        return
    one_day = part == VOLUMES and end - start <= BEHIND
    yield from bars_calls(symbol, start - (USUAL_BEHIND if one_day else BEHIND), end)
    if part != PERIODS:  # the change of a session is of shares of one day anyway
        yield CHANGE, {"ticker": symbol, "start_date": start.isoformat(), "end_date": end.isoformat()}


@dataclass(frozen=True, slots=True)
class _CalendarPeriod:
    """A month or a week of the calendar."""

    name: str
    rows: Sequence[TradedSession]

    @property
    def move(self) -> float:
        """By how many percent it closed above the close before it."""
        return 100 * (math.prod(1 + row.move / 100 for row in self.rows) - 1)

    @property
    def said(self) -> str:
        """Its name and what the price did in it."""
        return f"{self.name} {self.move:+.2f}%"


def periods_text(found: TurnAnswers, symbol: str) -> str:
    """Return the best and the worst whole month or week of a span, and each of them where a question asks for it."""
    monthly = unit_asked(found.frame.asked, found.frame.demands, found.frame.days.unit) == "by_month"
    sessions = sessions_of(found, symbol)
    if not sessions:
        return sessions_gap(found, symbol)
    whole, current = _periods(sessions, sessions_within(found.frame, sessions), monthly=monthly)
    if len(whole) < 2:
        return found.say("daily_none", who=found.who(symbol))
    order = sorted(whole, key=lambda period: period.move)
    given = {"best": order[-1].said, "worst": order[0].said, "count": len(whole)}
    days = {"start": whole[0].rows[0].day, "end": whole[-1].rows[-1].day}
    units = found.say("periods_months" if monthly else "periods_weeks")
    rose = sum(period.move > 0 for period in whole)
    lines = [found.say("periods", who=found.who(symbol), units=units, rose=rose, **given, **days)]
    if "each_period" in found.frame.demands:
        lines.append(found.say("periods_each", each=", ".join(period.said for period in whole[-MOST_TOLD:])))
    if current is not None:
        lines.append(found.say("periods_current", said=current.said, day=current.rows[-1].day))
    return "\n".join(lines)


def _periods(
    sessions: Sequence[TradedSession], within: Sequence[TradedSession], *, monthly: bool
) -> tuple[list[_CalendarPeriod], _CalendarPeriod | None]:
    """Return the whole months or weeks within some days, and the one that goes on behind them.

    Args:
        sessions: All sessions that are known, those before the days too: by them is told where a first month began.
        within: Those of the days.
        monthly: Whether months are told, else weeks.
    """
    grouped: dict[str, list[TradedSession]] = {}
    for row in within:
        grouped.setdefault(_key(row.day, monthly=monthly), []).append(row)
    before = {_key(row.day, monthly=monthly) for row in sessions if within and row.day < within[0].day}
    before |= {_key(within[0].day_before, monthly=monthly)} if within else set()
    found = [_CalendarPeriod(_name(rows, monthly=monthly), rows) for key, rows in grouped.items() if key not in before]
    if not found or _last_day(found[-1].rows[-1].day, monthly=monthly) <= found[-1].rows[-1].day:
        return found, None
    return found[:-1], found[-1]


def _key(day: str, *, monthly: bool) -> str:
    own = date.fromisoformat(day)
    return day[:7] if monthly else str(own - timedelta(days=own.weekday()))


def _name(rows: Sequence[TradedSession], *, monthly: bool) -> str:
    return rows[0].day[:7] if monthly else f"{rows[0].day} / {rows[-1].day}"


def _last_day(day: str, *, monthly: bool) -> str:
    """Return the last session of the month or the week of a day."""
    own = date.fromisoformat(day)
    end = (own.replace(day=1) + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return str(last_session(end if monthly else own + timedelta(days=4 - own.weekday())))


def volumes_text(found: TurnAnswers, symbol: str) -> str:
    """Return how many shares were traded over the days of a question, and on which of them most and fewest."""
    if not sessions_of(found, symbol):
        return sessions_gap(found, symbol)
    every = [row for row in _of_one_share(found, symbol) if row.volume > 0]
    rows = _named(found, every)
    if not rows:
        return found.say("volume_none", who=found.who(symbol))
    order, total = sorted(rows, key=lambda row: row.volume), sum(row.volume for row in rows)
    given = {"who": found.who(symbol), "start": rows[0].day, "end": rows[-1].day, "count": len(rows)}
    if len(rows) == 1:
        before = [row.volume for row in every if row.day < rows[0].day][-USUAL:]
        if len(before) < USUAL:
            return found.say("volume_on", total=f"{total:,.0f}", **given)
        usual = sum(before) / len(before)
        side = "high" if total >= UNUSUAL * usual else "low" if total <= usual / UNUSUAL else "usual"
        against = {"times": f"{total / usual:.2f}", "usual": f"{usual:,.0f}", "side": found.say(f"volume_{side}")}
        return found.say("volume_against", total=f"{total:,.0f}", **given, **against)
    ends = {"most": f"{order[-1].volume:,.0f}", "most_day": order[-1].day}
    ends |= {"fewest": f"{order[0].volume:,.0f}", "fewest_day": order[0].day}
    return found.say("volume_span", total=f"{total:,.0f}", average=f"{total / len(rows):,.0f}", **given, **ends)


def _named(found: TurnAnswers, rows: Sequence[TradedSession]) -> list[TradedSession]:
    """Return the sessions of the days that a question names, one day too; those of a year where it names none."""
    named = {day.isoformat() for day in found.frame.days.days}
    if found.frame.days.window or not named:
        return sessions_within(found.frame, rows)
    return [row for row in rows if row.day in named]


def level_text(found: TurnAnswers, symbol: str) -> str:
    """Return on which session a price last closed above or below a level; the first one where that is asked for."""
    rows, level = _of_one_share(found, symbol), found.frame.levels[0]
    if not rows:
        return sessions_gap(found, symbol)
    under = bool(UNDER & found.frame.words)
    beyond = [row for row in rows if (row.close < level if under else row.close > level)]
    side = found.say("level_below" if under else "level_above")
    given = {"who": found.who(symbol), "side": side, "level": f"{level:,g}", "start": rows[0].day, "end": rows[-1].day}
    given |= {"last": f"{rows[-1].close:,.2f}"}
    if not beyond:
        return found.say("level_never", **given)
    if not THE_FIRST.isdisjoint(found.frame.words):
        key = "level_before" if beyond[0] is rows[0] else "level_first"
        return found.say(key, day=beyond[0].day, close=f"{beyond[0].close:,.2f}", **given)
    key = "level_now" if beyond[-1] is rows[-1] else "level_was"
    return found.say(key, day=beyond[-1].day, close=f"{beyond[-1].close:,.2f}", **given)


def _of_one_share(found: TurnAnswers, symbol: str) -> list[TradedSession]:
    """Return the sessions of a price with closes and volumes in shares of the last day, whatever call they are from.

    None where it is not known whether there was a split among them.
    """
    fact = next(iter(found.changes(symbol)[::-1]), None)
    if fact is None:
        return []
    splits = [(row.get("day", ""), float(row.get("ratio", 0))) for _, row in places(fact, "splits")]
    rows = []
    for row in sessions_of(found, symbol):
        ratio = math.prod(ratio for day, ratio in splits if row.counted_on < day)
        rows.append(replace(row, close=row.close / ratio, volume=row.volume * ratio))
    return rows
