"""Dates, durations and fiscal years as column headers print them."""

from __future__ import annotations

import calendar
import math
import re
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS = {name[:3].lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTH = (
    r"(?P<month>jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|aug(?:ust|\.)?|"
    r"sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"
)
_DATE = re.compile(rf"\b{_MONTH}\s+(?P<day>\d{{1,2}})\s*,?\s*(?P<year>(?:19|20)\d\d)?\b", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(?P<day>\d{{1,2}})\s+{_MONTH}(?![a-z])(?!\s+\d{{1,2}}\b)", re.IGNORECASE)
_SLASHED = re.compile(r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>(?:19|20)?\d\d)\b")
_YEAR = re.compile(r"\b(?:FY\s?)?(?P<year>(?:19|20)\d\d)\b", re.IGNORECASE)
_NUMBERS = {
    "three": 3, "six": 6, "nine": 9, "twelve": 12, "twelve-month": 12, "thirteen": 13, "fourteen": 14,
    "twenty-six": 26, "thirty-nine": 39, "fifty-two": 52, "fifty-three": 53, "two": 2, "one": 1, "four": 4,
    "twenty-seven": 27, "forty": 40, "sixteen": 16, "eight": 8, "twenty-four": 24, "thirty-six": 36,
}  # fmt: skip
_DURATION = re.compile(
    r"\b(?P<count>[a-z]+(?:-(?:six|seven|nine|two|three|four))?|\d{1,2})[\s-]+(?P<unit>month|week)s?\b", re.IGNORECASE
)
_WHOLE_YEAR = re.compile(r"\b(?:(?:fiscal )?years?(?:\s+ended|\s+ending)|for the (?:fiscal )?years?)\b", re.IGNORECASE)
_QUARTER = re.compile(r"\bquarters?\s+(?:ended|ending)\b|\b(?:first|second|third|fourth) quarter\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Header:
    """What a column's header says about its period."""

    end: date | None = None
    months: int | None = None
    """Length of the period where it is given in months."""
    weeks: int | None = None
    """Length of the period where it is given in weeks."""
    year: int | None = None
    """A year that stands alone, without a day."""

    @property
    def start(self) -> date | None:
        """First day of the period, where its length is told and its end is a day."""
        if self.end is None:
            return None
        if self.weeks is not None:
            return self.end - timedelta(days=7 * self.weeks - 1)
        if self.months is None or (self.end + timedelta(days=1)).day != 1:
            return None  # years of 52 or 53 weeks: the header does not tell which
        return months_before(self.end, self.months)


def months_before(end: date, months: int) -> date:
    """Return the first day of a period of whole months that ends on the last day of a month."""
    index = end.year * 12 + end.month - months
    return date(index // 12, index % 12 + 1, 1) if index >= 12 else end


def read_header(text: str) -> Header:
    """Read a header, its rows joined from top to bottom."""
    text = _month_first(text)
    day = _last_date(text)
    months, weeks = _length(text)
    year: int | None = None
    without = _DATE.sub(lambda found: found[0] if found["year"] is None else " ", text)
    if day is None and (years := [int(found["year"]) for found in _YEAR.finditer(without)]):
        if found := _DATE.search(text):
            day = _day(years[-1], found)
        else:
            year = years[-1] if len(set(years)) == 1 else None
    return Header(day, months, weeks, year)


def _month_first(text: str) -> str:
    """Return a text with `31 December` as `December 31`."""
    return _DAY_FIRST.sub(lambda found: f"{found['month']} {found['day']}", text)


def _last_date(text: str) -> date | None:
    for found in reversed([*_DATE.finditer(text), *_SLASHED.finditer(text)]):
        if found["year"]:
            year = int(found["year"])
            if (day := _day(year + 2000 if year < 100 else year, found)) is not None:
                return day
    return None


def _day(year: int, found: re.Match[str]) -> date | None:
    month = found["month"].lower()
    try:
        return date(year, int(month) if month.isdigit() else _MONTHS[month[:3]], int(found["day"]))
    except ValueError:
        return None


def _length(text: str) -> tuple[int | None, int | None]:
    for found in _DURATION.finditer(text):
        count = found["count"].lower()
        number = int(count) if count.isdigit() else _NUMBERS.get(count)
        if number:
            return (number, None) if found["unit"].lower() == "month" else (None, number)
    if _WHOLE_YEAR.search(text):
        return 12, None
    return (3, None) if _QUARTER.search(text) else (None, None)


def find_date(text: str) -> date | None:
    """Return the first date with a year in a text."""
    text = _month_first(text)
    for found in _DATE.finditer(text):
        if found["year"]:
            return _day(int(found["year"]), found)
    return None


def fiscal_year_of(day: date, known_year: int, known_end: date, year_end: tuple[int, int]) -> int:
    """Return the fiscal year in which a day lies.

    Args:
        day: The last day of a period.
        known_year: A fiscal year of the company.
        known_end: The last day of a period of it.
        year_end: Month and day on which fiscal years end, about: years of 52 weeks end up to a week off.
    """
    end = _year_end_after(known_end, year_end)
    return known_year + math.ceil(((day - end).days - 10) / 365.25)


def _year_end_after(day: date, year_end: tuple[int, int]) -> date:
    """Return the end of the fiscal year in which a day lies."""
    for year in (day.year - 1, day.year, day.year + 1):
        last = calendar.monthrange(year, year_end[0])[1]
        found = date(year, year_end[0], min(year_end[1], last))
        if found >= day - timedelta(days=10):
            return found
    raise AssertionError("a year holds the day")  # pragma: no cover
