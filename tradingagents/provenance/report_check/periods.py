"""Periods that a report names: `Q3 FY2025`, `3Q25`, `the quarter ended June 28, 2025`, `fiscal 2024`, `TTM`, a day."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

Span = Literal["quarter", "year", "twelve_months", "day", "part", ""]
"""`part`: several months that are neither a quarter nor a year; empty: not said."""
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = (
    rf"(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<us>\d{{1,2}}/\d{{1,2}}/(?:20)?\d\d)"
    rf"|(?P<md>{_MONTH}\s+\d{{1,2}},?\s+(?:19|20)\d\d)|(?P<dm>\d{{1,2}}\s+{_MONTH},?\s+(?:19|20)\d\d)"
    rf"|(?P<my>{_MONTH}\s+(?:19|20)\d\d))"
)
_FISCAL = r"(?:of\s+)?(?:the\s+)?(?:fiscal(?:\s+year)?|FY|calendar(?:\s+year)?|CY)?\s*[-/]?\s*"
_FOUR = r"(?:19|20)\d\d"


def _year(name: str) -> str:
    return rf"'?(?P<{name}>{_FOUR}|\d\d)"


def _forecast(name: str) -> str:
    return rf"(?P<{name}>\s?[EeFP]\b|\s?\((?:e|est\.?|forecast)\))?"


def _dated(prefix: str) -> str:
    return _DAY.replace("?P<", f"?P<{prefix}")


_TIED = re.compile(r"\s*(?:\(|(?:in|for|during|over|of|at|as of|at the end of)\s+(?:the\s+|its\s+)?)\s*", re.IGNORECASE)
"""Between a figure and its period."""
_LATEST = r"(?:latest|most\s+recent|last|past|reported|this|current)\s+(?:reported\s+)?(?:fiscal\s+)?"
_PATTERN = re.compile(
    rf"""(?<![\w$€£.,])(?:
      (?P<half>(?:[12]H|H[12]|(?:first|second)\s+half)\s*{_FISCAL}{_year("y0")}
        |(?:six|nine|6|9)\s+months\s+(?:ended|ending|to)\s+{_dated("h_")})
    | (?P<quarter>(?:fiscal\s+|F)?Q(?P<q1>[1-4])\s*[-/,']?\s*{_FISCAL}{_year("y1")}{_forecast("f1")}
      | (?P<q2>[1-4])\s?Q\s?{_FISCAL}{_year("y2")}{_forecast("f2")}
      | (?P<q3>first|second|third|fourth)[\s-]+(?:fiscal[\s-]+)?quarter\s*,?\s*{_FISCAL}(?P<y3>{_FOUR})
      | (?:fiscal\s+|FY\s?)(?P<y4>{_FOUR})\s+Q(?P<q4>[1-4])\b
      | (?P<y5>20\d\d)[\s-]?Q(?P<q5>[1-4])\b)
    | (?P<dated>(?:(?P<three>quarter|three\s+months|3\s+months|13\s+weeks)
        |(?P<twelve>(?:fiscal\s+)?year|FY|twelve\s+months|12\s+months|5[23]\s+weeks))
        \s+(?:period\s+)?(?:that\s+)?(?:ended|ending|ends|to|through)\s+(?:on\s+)?{_dated("d_")})
    | (?P<ttm>TTM|LTM|(?:trailing|last|past)[\s-]+(?:twelve|12)[\s-]+months?|(?:last|past|trailing)\s+four\s+quarters
        |trailing\s+earnings|12-month|twelve-month)\b
    | (?P<fiscal>(?:(?:the\s+)?(?:fiscal|financial)(?:\s+years?)?\s+|FY\s?-?|CY\s?|(?:the|full)[\s-]year\s+)
        {_year("y6")}{_forecast("f3")})(?![\d.,]\d)
    | (?P<latest>{_LATEST}(?P<unit>quarter|year)\b)
    | (?P<day>{_DAY})
    | (?P<plain>{_FOUR}(?P<f4>E|F|P)?)(?![\d\w]|[.,]\d|-\d|\s?(?:%|[mb]illion|shares))
    )""",
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """A period that a text names, characters [start, end)."""

    start: int
    end: int
    span: Span
    year: int | None = None
    """Fiscal year, as named."""
    quarter: int | None = None
    last_day: date | None = None
    """Where the text names the day on which it ends, or the day itself."""
    forecast: bool = False
    latest: bool = False
    """The newest one known, such as `the latest quarter`."""
    plain: bool = False
    """A bare year, such as 2024."""
    months_only: bool = False
    """Only the month of `last_day` is named."""


def named_periods(text: str) -> list[NamedPeriod]:
    """Return the periods that a text names, in order."""
    return list(_found(text))


def nearest_period(
    text: str, periods: Sequence[NamedPeriod], figure: tuple[int, int], part: tuple[int, int]
) -> NamedPeriod | None:
    """Return the period that a figure is of; None where the text names none.

    One that a preposition or a bracket ties to the figure goes first: `$2 in Q3`. Else it is the nearest of the part of
    the text in which no other figure stands, else the last before it, else the first behind it. A period that a colon
    follows is that of what comes behind: `$2 (Q2: $1)`.

    Args:
        text: The text.
        periods: The periods that it names.
        figure: Characters [start, end) of the figure.
        part: Characters around it without another figure.
    """
    begin, end = figure
    before = [one for one in periods if one.end <= begin]
    behind = [one for one in periods if one.start >= end and text[one.end : one.end + 1] != ":"]
    for one in behind[:1]:
        if one.end <= part[1] and _TIED.fullmatch(text, end, one.start):
            return one
    near = [one for one in (*before, *behind) if one.start >= part[0] and one.end <= part[1]]
    if near:
        return min(near, key=lambda one: (begin - one.end) if one.end <= begin else (one.start - end))
    return before[-1] if before else behind[0] if behind else None


def _found(text: str) -> Iterator[NamedPeriod]:
    for match in _PATTERN.finditer(text):
        if (made := _named(match)) is not None:
            yield made


def _named(match: re.Match[str]) -> NamedPeriod | None:
    start, end = match.span()
    got = match.groupdict()
    if got["half"]:
        return NamedPeriod(start, end, "part")
    if got["quarter"]:
        number = next(got[name] for name in ("q1", "q2", "q3", "q4", "q5") if got[name])
        year = next((got[name] for name in ("y1", "y2", "y3", "y4", "y5") if got[name]), "")
        quarter = _ORDINALS.get(number.lower()) or int(number)
        return NamedPeriod(start, end, "quarter", _full(year), quarter, forecast=bool(got["f1"] or got["f2"]))
    if got["dated"]:
        day = _day(got, "d_")
        span: Span = "quarter" if got["three"] else "year"
        return NamedPeriod(start, end, span, last_day=day, months_only=bool(got["d_my"])) if day else None
    if got["ttm"]:
        return NamedPeriod(start, end, "twelve_months")
    if got["fiscal"]:
        return NamedPeriod(start, end, "year", _full(got["y6"]), forecast=bool(got["f3"]))
    if got["latest"]:
        return NamedPeriod(start, end, "quarter" if got["unit"].lower() == "quarter" else "year", latest=True)
    if got["day"]:
        day = _day(got, "")
        return NamedPeriod(start, end, "day", last_day=day, months_only=bool(got["my"])) if day else None
    forecast = bool(got["f4"])
    return NamedPeriod(start, end, "year", int(got["plain"][:4]), forecast=forecast, plain=True)


def _full(year: str) -> int:
    return int(year) if len(year) == 4 else 2000 + int(year)


def _day(got: dict[str, str | None], prefix: str) -> date | None:
    """Return the day that was matched; None where there is no such day."""
    try:
        if iso := got[f"{prefix}iso"]:
            return date.fromisoformat(iso)
        if us := got[f"{prefix}us"]:
            month, day, year = us.split("/")
            return date(_full(year), int(month), int(day))
        if words := got[f"{prefix}md"]:
            month, day, year = words.replace(",", " ").split()
            return date(int(year), _month(month), int(day))
        if words := got[f"{prefix}dm"]:
            day, month, year = words.replace(",", " ").split()
            return date(int(year), _month(month), int(day))
        if words := got[f"{prefix}my"]:
            month, year = words.split()
            return date(int(year), _month(month), monthrange(int(year), _month(month))[1])
    except ValueError:
        return None
    return None


def _month(word: str) -> int:
    return _MONTHS.index(word[:3].lower()) + 1
