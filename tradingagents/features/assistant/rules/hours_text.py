"""Sentences on when New York trades: its hours, the day that is asked about, the next days without trading."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.features.assistant.rules.texts import say, text_table
from tradingagents.retrieval.questions.days import NamedDays

MOST_DAYS = 10
"""Days without trading that are named, about a year of them."""
USUAL_CLOSE = "16:00"
_AHEAD = timedelta(days=365)
_NOTICE = timedelta(days=1)
"""How long ahead a closure that is no holiday, as for a day of mourning, is taken as known: it is announced late."""
_WORDS = {"today": 0, "tomorrow": 1, "morgen": 1}


def hours_text(language: str, days: NamedDays, today: date) -> str:
    """Return when New York trades.

    Args:
        language: In which it is told.
        days: The days that the question names.
        today: Its day.
    """
    calendar = sessions()
    usual = calendar.on_or_before(today)
    opens, closes = _hours(calendar, usual)
    closes = max(closes, USUAL_CLOSE)  # the last session may have been half a day
    lines = [say(language, "hours", opens=opens, closes=closes)]
    for day in _asked(days, today):
        named = {"day": day, "weekday": say(language, f"weekday_{day.weekday()}")}
        trades = calendar.is_session(day)
        if not trades and (day <= today + _NOTICE or day.weekday() > _FRIDAY or _holiday(day)):
            lines.append(say(language, "hours_closed", **named))
            continue
        first, last = _hours(calendar, day) if trades else (opens, closes)
        lines.append(say(language, "hours_open", opens=first, closes=last, **named))
    coming = _coming(days, today, calendar.days[-1])
    closed = [day for day in coming if day.weekday() <= _FRIDAY and not calendar.is_session(day) and _holiday(day)]
    early = [day for day in coming if calendar.is_session(day) and _hours(calendar, day)[1] < USUAL_CLOSE]
    for key, found in (("hours_holidays", closed), ("hours_early", early)):
        if found:
            listed = ", ".join(_named(language, day, holiday=key == "hours_holidays") for day in found[:MOST_DAYS])
            lines.append(say(language, key, days=listed))
    return "\n".join(lines)


def _coming(days: NamedDays, today: date, last: date) -> list[date]:
    """Return the days of which closures are told: those of a span that is named, else the coming year's."""
    first, end = today + timedelta(days=1), today + _AHEAD
    if days.window and days.start and days.end and days.start != days.end and days.end != today:
        first, end = days.start, days.end + timedelta(days=1)
    first = max(first, sessions().days[0])
    return [first + timedelta(days=at) for at in range((min(end, last) - first).days)]


def _asked(days: NamedDays, today: date) -> Iterator[date]:
    """Yield the days that a question names, those to come too."""
    said = days.text.lower().replace("?", " ").split()
    yield from (today + timedelta(days=ahead) for word, ahead in _WORDS.items() if word in said)
    yield from (day for day in days.days if day > today)


def _named(language: str, day: date, *, holiday: bool) -> str:
    """Return a day with its weekday; a holiday with its name."""
    weekday = say(language, f"weekday_{day.weekday()}")
    return f"{day} ({weekday}, {text_table(language)['holidays'][_holiday(day)]})" if holiday else f"{day} ({weekday})"


def _holiday(day: date) -> str:
    """Return the key of the holiday of New York's exchange that falls on a day; empty where none does."""
    return next(
        (
            name
            for name, months, first, last, weekday in _HOLIDAYS
            if day.month in months and first <= day.day <= last and weekday in (None, day.weekday())
        ),
        "",
    )


_MONDAY, _THURSDAY, _FRIDAY = 0, 3, 4
_HOLIDAYS = (
    ("new_year", (1,), 1, 2, None),
    ("king", (1,), 15, 21, _MONDAY),
    ("presidents", (2,), 15, 21, _MONDAY),
    ("good_friday", (3, 4), 1, 31, _FRIDAY),
    ("memorial", (5,), 25, 31, _MONDAY),
    ("juneteenth", (6,), 18, 20, None),
    ("independence", (7,), 3, 5, None),
    ("labor", (9,), 1, 7, _MONDAY),
    ("thanksgiving", (11,), 22, 28, _THURSDAY),
    ("christmas", (12,), 24, 26, None),
)
"""Name, months, first and last day of the month, and weekday of each holiday; None where it has a date of its own, and
is kept on the weekday next to it."""


def _hours(calendar: Sessions, session: date) -> tuple[str, str]:
    """Return when a session opens and closes, in the time of New York."""
    moments = (calendar.next_open(session - timedelta(days=1)), calendar.close_of(session))
    opens, closes = (f"{moment.astimezone(calendar.zone):%H:%M}" for moment in moments)
    return opens, closes
