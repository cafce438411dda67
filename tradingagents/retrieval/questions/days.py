"""Days and windows that a question names: dates, months, years, the last weeks, since a day."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = [name.lower() for name in calendar.month_name[1:]]
_MONTH = rf"(?:{'|'.join(f'{name}|{name[:3]}' for name in _MONTHS)})\.?"
_DAY = (
    rf"(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH}),?\s+(?P<y1>(?:19|20)\d\d)"
    rf"|(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>(?:19|20)\d\d)"
    r"|(?P<y3>(?:19|20)\d\d)-(?P<m3>\d\d)-(?P<d3>\d\d))\b"
)
_DATES = re.compile(_DAY, re.IGNORECASE)
_WHOLE_MONTH = re.compile(rf"\b(?P<month>{_MONTH})\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_YEAR = re.compile(
    r"(?<!fiscal )(?<!fiscal year )(?<!fy)(?<!fy )(?<![\d-])\b(?P<year>(?:19|20)\d\d)\b(?!-)", re.IGNORECASE
)
_QUARTER = re.compile(
    r"(?<!fiscal )\b(?:q(?P<q1>[1-4])\s*(?:of\s+|in\s+)?(?P<y1>(?:19|20)\d\d)"
    r"|(?P<y2>(?:19|20)\d\d)\s*q(?P<q2>[1-4]))\b",
    re.IGNORECASE,
)
_COUNTS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10, "twelve": 12}
_LAST = re.compile(
    rf"\b(?:last|past|previous|preceding|trailing|latest)\s+(?P<count>\d+|{'|'.join(_COUNTS)})?"
    r"\s*-?\s*(?:fiscal |full |reported |trading )?"
    r"(?P<unit>day|week|month|quarter|year)s?\b",
    re.IGNORECASE,
)
_TO_DATE = re.compile(
    r"\byear[- ]to[- ]date\b|\bytd\b|\bthis year\b|\bso far this year\b|\bsince the start of the year\b", re.IGNORECASE
)
_SINCE = re.compile(r"\b(?:since|from|after|seit|depuis|desde)\s+(?:(?:the|dem|der|den)\s+)?$", re.IGNORECASE)
_AS_OF = re.compile(r"\b(?:as of|as at|at the close (?:of|on)|known (?:by|on))\s*$", re.IGNORECASE)
_BOTH = re.compile(r"\W*\b(?:and|und)\s+(?:(?:then|also|auch)\s+)?(?:on|am|an)\s+", re.IGNORECASE)
_FROM = re.compile(r"\b(?:from|between|since|zwischen|von|ab)\s+$", re.IGNORECASE)
"""`on Monday and on Tuesday` are days of their own, and what happened on the first counts too."""
_PERIOD_END = re.compile(
    r"\b(?:quarter|year|period|months)\s+(?:ended|ending|to|through|that ended)(?:\s+on)?\s*$", re.IGNORECASE
)
_HOLIDAYS = {
    "christmas": (12, 25),
    "xmas": (12, 25),
    "new year": (1, 1),
    "new years": (1, 1),
    "new year's": (1, 1),
    "halloween": (10, 31),
    "valentine": (2, 14),
    "independence day": (7, 4),
}
"""Feasts of one date, as questions name them."""
_ELECTION = "presidential election"
"""The day on which the United States elect a president: the first Tuesday after a Monday of November."""
FEASTS = (*_HOLIDAYS, "thanksgiving", "easter", _ELECTION)
"""Names of feasts, and of days like them, that a question may give."""


@dataclass(frozen=True, slots=True)
class NamedDays:
    """What a question says of days."""

    text: str
    """The question without its dates, for readers of fiscal years."""
    days: tuple[date, ...] = ()
    """Single days in the order of the text, but for the one it is asked as of."""
    as_of: date | None = None
    """The day as of which it is asked, as in `as of 3 June 2024`."""
    start: date | None = None
    """First day of a window; the close before it is the base of changes."""
    end: date | None = None
    base: date | None = None
    """Day of the close that changes are counted from."""
    period_end: date | None = None
    """Last day of a fiscal period, as in `the quarter ended October 31, 2024`."""
    count: int = 0
    """Number of units of a window such as `last 3 months`."""
    unit: str = ""
    """day, week, month, quarter or year."""
    broken: str = ""
    """A date that does not exist, as written."""

    @property
    def window(self) -> bool:
        """Whether it names a window of days."""
        return self.start is not None and self.end is not None


def read_days(text: str, today: date) -> NamedDays:
    """Return the days and windows that a question names.

    Args:
        text: The question.
        today: Its day; windows such as `the last three months` end on it.
    """
    found: list[tuple[date, re.Match[str]]] = []
    as_of = period_end = None
    since, broken = False, ""
    for match in _DATES.finditer(text):
        day = _day_of(match)
        if day is None:
            broken = match.group()
            continue
        before = text[: match.start()]
        if _AS_OF.search(before):
            as_of = day
        elif _PERIOD_END.search(before):
            period_end = day
        else:
            since = since or bool(_SINCE.search(before))
            found.append((day, match))
    plain = _DATES.sub(" ", text)
    days = tuple(day for day, _ in found)
    last = as_of or today
    known = NamedDays(plain, days, as_of, period_end=period_end, broken=broken)
    if len(days) == 2 and days[0] <= days[1]:
        first, second = (match for _, match in found)
        each = _BOTH.fullmatch(text[first.end() : second.start()]) and not _FROM.search(text[: first.start()])
        return _window(known, days[0], days[1], days[0] - timedelta(days=1) if each else days[0])
    if len(days) == 1 and since:
        return _window(known, days[0], last, days[0])
    return known if days else _named_window(known, plain, last)


def is_one_day(days: NamedDays) -> bool:
    """Tell whether days that are named are one day alone."""
    return len(days.days) == 1 or (days.window and days.start == days.end)


def whole_year(days: NamedDays) -> int:
    """Return the year of the calendar that days are, all of it; 0 for other days."""
    if not (days.window and days.start and days.end):
        return 0
    same = days.start.year == days.end.year
    whole = same and (days.start.month, days.end.month, days.end.day) == (1, 12, 31)
    return days.start.year if whole else 0


def _named_window(known: NamedDays, plain: str, last: date) -> NamedDays:
    month = _WHOLE_MONTH.search(plain)
    if month:
        number = month_number(month["month"])
        year = int(month["year"])
        start = date(year, number, 1)
        end = date(year, number, calendar.monthrange(year, number)[1])
        rest = _WHOLE_MONTH.sub(" ", plain)
        if _SINCE.search(plain[: month.start()]):
            return _window(known, start, last, start - timedelta(days=1), rest)
        return _window(known, start, end, start - timedelta(days=1), rest)
    if quarters := list(_QUARTER.finditer(plain)):
        starts = [_quarter_start(found) for found in quarters]
        end = earlier(max(starts), -3, "month") - timedelta(days=1)
        ending = last if _SINCE.search(plain[: quarters[0].start()]) and len(quarters) == 1 else end
        return _window(known, min(starts), ending, min(starts) - timedelta(days=1))
    if _TO_DATE.search(plain):
        start = date(last.year, 1, 1)
        return _window(known, start, last, start - timedelta(days=1))
    back = _LAST.search(plain)
    if back:
        said = back["count"]
        count = int(said) if said and said.isdigit() else _COUNTS.get((said or "").lower(), 1)
        unit = back["unit"].lower()
        start = earlier(last, count, unit)
        counted = NamedDays(known.text, known.days, known.as_of, period_end=known.period_end, count=count, unit=unit)
        return _window(counted, start, last, start)
    years = [int(match["year"]) for match in _YEAR.finditer(plain)]
    if years:
        start, end = date(min(years), 1, 1), date(max(years), 12, 31)
        ending = last if _SINCE.search(plain[: next(_YEAR.finditer(plain)).start()]) and len(years) == 1 else end
        return _window(known, start, ending, start - timedelta(days=1))
    return known


def _quarter_start(found: re.Match[str]) -> date:
    """Return the first day of a quarter of a calendar year."""
    return date(int(found["y1"] or found["y2"]), 3 * int(found["q1"] or found["q2"]) - 2, 1)


def _window(known: NamedDays, start: date, end: date, base: date, text: str | None = None) -> NamedDays:
    return NamedDays(
        known.text if text is None else text,
        known.days,
        known.as_of,
        start,
        end,
        base,
        known.period_end,
        known.count,
        known.unit,
        known.broken,
    )


def _day_of(match: re.Match[str]) -> date | None:
    parts = match.groupdict()
    day, month, year = (next(parts[f"{name}{one}"] for one in "123" if parts[f"{name}{one}"]) for name in "dmy")
    number = int(month) if month.isdigit() else month_number(month)
    try:
        return date(int(year), number, int(day))
    except ValueError:  # such as 31 June, which is no date
        return None


def month_number(name: str) -> int:
    """Return the number of a month by its name, or by the first three letters of it."""
    return [month[:3] for month in _MONTHS].index(name[:3].lower()) + 1


def earlier(day: date, count: int, unit: str) -> date:
    """Return the day so many units before a day; the last of a month where that month is shorter."""
    if unit in ("day", "week"):
        return day - timedelta(days=count * (7 if unit == "week" else 1))
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def feast_day(name: str, today: date) -> str:
    """Return the latest day of a feast that is not after the day of the question."""
    years = range(today.year, today.year - 8, -1)
    own = (_feast_of(name, year) for year in years if name != _ELECTION or year % 4 == 0)
    return next(day for day in own if day <= today).isoformat()


def _feast_of(name: str, year: int) -> date:
    if name == "thanksgiving":  # the fourth Thursday of November
        first = date(year, 11, 1)
        return first + timedelta(days=(3 - first.weekday()) % 7 + 21)
    if name == _ELECTION:
        first = date(year, 11, 1)
        return first + timedelta(days=(0 - first.weekday()) % 7 + 1)
    return _easter(year) if name == "easter" else date(year, *_HOLIDAYS[name])


def _easter(year: int) -> date:
    """Return Easter Sunday by the rule of the Gregorian calendar."""
    golden, century = year % 19, year // 100
    moon = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
    moon -= (moon // 28) * (1 - (moon // 28) * (29 // (moon + 1)) * ((21 - golden) // 11))
    offset = moon - (year + year // 4 + moon + 2 - century + century // 4) % 7
    month = 3 + (offset + 40) // 44
    return date(year, month, offset + 28 - 31 * (month // 4))
