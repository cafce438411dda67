"""Whether and when a company reports: an announced day before one that its past lets expect, the due quarter first.

A quarter that has ended and whose results are not known is due next, whatever a calendar expects for the one after it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from tradingagents.features.assistant.rules.found import TurnAnswers, places
from tradingagents.offline.questions.conversation import ToolFact

_QUARTER, _YEAR = timedelta(days=91), timedelta(weeks=52)
_SAME = timedelta(days=20)
"""By how much the ends of a quarter and of that of an earlier year may differ from whole years."""
_FEW = timedelta(days=14)
"""Days behind the end of a quarter within which nobody reports it."""


@dataclass(frozen=True, slots=True)
class _Quarter:
    """A quarter whose results are known."""

    day: date
    """Of the results."""
    end: date
    name: str


def report_date_text(found: TurnAnswers, symbol: str) -> str:
    """Return whether the results of the last quarter are known, where that is asked, and when the next ones are due."""
    calendar, earned = found.one("get_earnings_calendar", symbol), found.one("earnings", symbol)
    if calendar is None and earned is None:
        reason = found.reason("get_earnings_calendar", symbol) or found.reason("earnings", symbol)
        return f"{symbol}: {found.say('not_held', reason=reason or 'n/a')}"
    today = date.fromisoformat((earned or calendar).as_of)  # type: ignore[union-attr]
    quarters = _known(earned)
    if earned is not None and (behind := _days_behind(found, today)) is not None:
        return _within(found, symbol, quarters, *behind)
    outstanding = bool(quarters) and _next_end(quarters[0].end) + _FEW <= today
    lines: list[str] = []
    announced, expected = (_days(calendar, symbol, status, today) for status in ("announced", "expected"))
    due = _due(found, symbol, quarters, today) if outstanding and not announced else ""
    if announced:
        key = "report_today" if announced[0] == today else "report_announced"
        lines.append(found.say(key, who=found.who(symbol), day=announced[0]))
    elif due:
        lines.append(due)
    elif expected:
        lines.append(found.say("report_expected", who=found.who(symbol), day=expected[0]))
    else:
        lines.append(found.say("report_none", who=found.who(symbol), day=today))
    known = _last(found, symbol, earned, quarters, outstanding=outstanding)
    lines.insert(0 if _asks_whether(found) else 1, known)
    return " ".join(line for line in lines if line)


def _days_behind(found: TurnAnswers, today: date) -> tuple[date, date] | None:
    """Return the days behind on which a question asks whether a company reported; None for another question."""
    days = found.frame.days
    start, end = (days.start, days.end) if days.window else (days.days * 2)[:2] or (None, None)
    if start is None or end is None:
        return None
    behind = end < today or (start < end == today and bool(_REPORTED & found.frame.words))
    return (start, end) if behind else None


_REPORTED = frozenset({"did", "reported", "berichtete", "berichtet", "公布了", "发布了"})


def _within(found: TurnAnswers, symbol: str, quarters: Sequence[_Quarter], start: date, end: date) -> str:
    """Return on which days behind a company reported, of the quarters that are known."""
    given = {"who": found.who(symbol), "start": start, "end": end}
    inside = [quarter for quarter in quarters if start <= quarter.day <= end]
    oldest = min((quarter.day for quarter in quarters), default=None)
    lines = []
    if inside:
        told = ", ".join(f"{quarter.day} ({quarter.name})" for quarter in reversed(inside))
        lines.append(found.say("reported_within", told=told, **given))
    if not inside or (oldest is not None and start < oldest):
        lines.append(found.say("reported_not_known" if inside else "reported_none", oldest=oldest or "n/a", **given))
    return " ".join(lines)


def _last(
    found: TurnAnswers, symbol: str, earned: ToolFact | None, quarters: list[_Quarter], *, outstanding: bool
) -> str:
    """Return which results were the last ones, and whether a later quarter is due, where that is asked."""
    if earned is None or not quarters:
        return ""
    last = quarters[0]
    if not _asks_whether(found):
        return found.say("reported_last", who=found.who(symbol), day=last.day, quarter=last.name, end=last.end)
    given = {name: earned.shown.get(f"eps_{name}", "n/a") for name in ("reported", "estimate")}
    given |= {"who": found.who(symbol), "quarter": last.name, "today": earned.as_of}
    key = "not_reported_yet" if outstanding else "has_reported"
    return found.say(key, day=last.day, end=last.end, **given)


def _asks_whether(found: TurnAnswers) -> bool:
    """Tell whether a question is on whether results are out, and not on when they come."""
    said = found.frame.asked.said_of("report_date")
    if "when" in found.frame.demands:
        return False
    return "reported" in found.frame.demands or said.endswith("了") or bool(_OF_PAST & set(said.split()))


_OF_PAST = frozenset({"reported", "out", "did", "is", "are", "reporting", "already", "schon", "bereits", "hat"})


def report_order_text(found: TurnAnswers, symbols: Sequence[str]) -> str:
    """Return in which order several companies report next, as far as their days are known and apart."""
    known = {symbol: days for symbol in symbols if (days := _next_days(found, symbol)) is not None}
    if len(known) < 2:
        return ""
    order = sorted(known, key=lambda symbol: known[symbol])
    told = ", ".join(
        f"{found.who(symbol)} {found.say('report_due_since', day=since) if since else first}"
        for symbol in order
        for first, _, since in (known[symbol],)
    )
    apart = all(known[one][1] < known[other][0] for one, other in pairwise(order))
    missing = [found.who(symbol) for symbol in symbols if symbol not in known]
    lines = [found.say("report_order" if apart else "report_order_unsure", order=told)]
    return " ".join([*lines, *([found.say("report_order_without", who=", ".join(missing))] if missing else [])])


def _next_days(found: TurnAnswers, symbol: str) -> tuple[date, date, str] | None:
    """Return the first and the last day on which next results are due, and since when they are overdue."""
    calendar, earned = found.one("get_earnings_calendar", symbol), found.one("earnings", symbol)
    fact = earned or calendar
    if fact is None:
        return None
    today, quarters = date.fromisoformat(fact.as_of), _known(earned)
    announced, expected = (_days(calendar, symbol, status, today) for status in ("announced", "expected"))
    if announced:
        return announced[0], announced[0], ""
    past = _past_days(quarters) if quarters and _next_end(quarters[0].end) + _FEW <= today else []
    if past:
        last = max(due for _, due in past)
        since = last.isoformat() if last < today else ""
        return max(min(due for _, due in past), today), max(last, today), since
    return (expected[0], expected[0], "") if expected else None


def _past_days(quarters: list[_Quarter]) -> list[tuple[date, date]]:
    """Return on which days the quarter that has ended was reported in earlier years, each with its day of this year."""
    ended = _next_end(quarters[0].end)
    return [
        (quarter.day, quarter.day + years * _YEAR)
        for years in (1, 2)
        for quarter in quarters
        if abs(quarter.end + years * timedelta(days=365) - ended) <= _SAME
    ]


def _due(found: TurnAnswers, symbol: str, quarters: list[_Quarter], today: date) -> str:
    """Return when the results of the quarter are due that has ended: by those of the same quarter in earlier years."""
    ended, past = _next_end(quarters[0].end), _past_days(quarters)
    if not past:
        return ""
    first, last = min(due for _, due in past), max(due for _, due in past)
    before = found.say("or").join(day.isoformat() for day, _ in past)
    key = "report_overdue" if last < today else "report_due_now" if first <= today else "report_due"
    given = {"who": found.who(symbol), "before": before, "ended": ended}
    return found.say(key, first=first, last=last, **given)


def _next_end(end: date) -> date:
    """Return on which day the quarter after another ends: the last of a month behind a last one."""
    if (end + timedelta(days=1)).day != 1:
        return end + _QUARTER
    months = end.year * 12 + end.month + 3  # that of the first day behind it, counted from 0
    return date(months // 12, months % 12 + 1, 1) - timedelta(days=1)


def _known(earned: ToolFact | None) -> list[_Quarter]:
    """Return the quarters whose results are known, the latest first."""
    rows = [row for _, row in places(earned, "quarters")] if earned is not None else []
    return [
        _Quarter(date.fromisoformat(row["day"]), date.fromisoformat(row["period_end"]), row.get("fiscal_period", ""))
        for row in rows
        if row.get("day") and row.get("period_end")
    ]


def _days(calendar: ToolFact | None, symbol: str, status: str, today: date) -> list[date]:
    rows = [row for _, row in places(calendar, "events")] if calendar is not None else []
    own = (row for row in rows if row.get("symbol") == symbol and row.get("status") == status)
    return sorted(day for row in own if (day := date.fromisoformat(row["day"])) >= today)
