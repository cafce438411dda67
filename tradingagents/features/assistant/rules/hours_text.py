"""Sentences on when New York trades: its hours, the day that is asked about, the next days without trading."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from tradingagents.dataflows.reference.calendar import Sessions, sessions
from tradingagents.features.assistant.rules.texts import say, text_table
from tradingagents.retrieval.questions.days import NamedDays

MOST_DAYS = 10
"""Days without trading that are named, about a year of them."""
_AHEAD = timedelta(days=365)
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
    lines = [say(language, "hours", opens=opens, closes="16:00" if closes < "16:00" else closes)]
    lines += [_of_day(language, calendar, day) for day in _asked(days, today)]
    last = min(today + _AHEAD, calendar.days[-1])
    coming = [today + timedelta(days=at) for at in range(1, (last - today).days)]
    closed = [day for day in coming if day.weekday() < 5 and not calendar.is_session(day)]
    early = [day for day in coming if calendar.is_session(day) and _hours(calendar, day)[1] < "16:00"]
    for key, found in (("hours_holidays", closed), ("hours_early", early)):
        if found:
            named = ", ".join(_named(language, day, holiday=key == "hours_holidays") for day in found[:MOST_DAYS])
            lines.append(say(language, key, days=named))
    return "\n".join(lines)


def _asked(days: NamedDays, today: date) -> Iterator[date]:
    """Yield the days that a question names, those to come too."""
    said = days.text.lower().split()
    yield from (today + timedelta(days=ahead) for word, ahead in _WORDS.items() if word in said)
    yield from (day for day in days.days if day > today)


def _named(language: str, day: date, *, holiday: bool) -> str:
    """Return a day with its weekday; a holiday with its name, told by its month."""
    weekday = say(language, f"weekday_{day.weekday()}")
    if not holiday:
        return f"{day} ({weekday})"
    key = "new_year" if (day.month, day.day) <= (1, 2) else _HOLIDAY_OF_MONTH.get(day.month, "")
    name = text_table(language)["holidays"].get(key, "")
    return f"{day} ({weekday}{', ' if name else ''}{name})"


_HOLIDAY_OF_MONTH = {
    1: "king",
    2: "presidents",
    3: "good_friday",
    4: "good_friday",
    5: "memorial",
    6: "juneteenth",
    7: "independence",
    9: "labor",
    11: "thanksgiving",
    12: "christmas",
}


def _of_day(language: str, calendar: Sessions, day: date) -> str:
    weekday = say(language, f"weekday_{day.weekday()}")
    if not calendar.is_session(day):
        return say(language, "hours_closed", day=day, weekday=weekday)
    opens, closes = _hours(calendar, day)
    return say(language, "hours_open", day=day, weekday=weekday, opens=opens, closes=closes)


def _hours(calendar: Sessions, session: date) -> tuple[str, str]:
    """Return when a session opens and closes, in the time of New York."""
    moments = (calendar.next_open(session - timedelta(days=1)), calendar.close_of(session))
    opens, closes = (f"{moment.astimezone(calendar.zone):%H:%M}" for moment in moments)
    return opens, closes
