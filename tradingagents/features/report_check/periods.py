# ruff: noqa: E501, RUF001
"""Periods that a report names: `Q3 FY2025`, `CY25`, `the June quarter`, `year to March 2025`, `TTM`, a day, `a year ago`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from tradingagents.retrieval.questions.days import earlier, month_number

Span = Literal["quarter", "year", "twelve_months", "day", "part", ""]
"""`part`: several months that are neither a quarter nor a year; empty: not said."""
Back = Literal["", "year", "quarter"]
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "final": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_FOUR = r"(?:19|20)\d\d"
_TWO = r"(?:(?<=['’])|(?<=[FCQfcq])|(?<=[YyHh])|(?<=[QYqy][ /-])|(?<=[/-]))\d\d(?!\d|[.,]\d|\s?%|\s?(?:[mb]illion|[mbt]n)\b)"
"""A year of two digits, right behind an apostrophe, a letter of its label or a separator."""
_YEAR = rf"['’]?(?:{_FOUR}(?![.,]?\d)|{_TWO})"
_DAY = (
    rf"(?:(?P<iso>\d{{4}}-\d\d-\d\d)|(?P<us>\d{{1,2}}/\d{{1,2}}/(?:20)?\d\d)|(?P<eu>\d{{1,2}}\.\d{{1,2}}\.20\d\d)"
    rf"|(?P<md>{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?,?\s+{_FOUR})"
    rf"|(?P<dm>\d{{1,2}}(?:st|nd|rd|th)?(?:\s+of)?[\s-]+{_MONTH},?[\s-]+(?:{_FOUR}|\d\d(?!\d)))"
    rf"|(?:the\s+end\s+of\s+|end[-\s]|late\s+)?(?P<my>{_MONTH}(?:\s+of)?,?[\s-]+(?:{_FOUR}|['’]\d\d|(?<=-)\d\d(?=A?\b))))"
)
_BASIS = r"fiscal[\s-]+year|financial[\s-]+year|fiscal|financial|calendar[\s-]+year|calendar|FY|CY|F|C"
_ESTIMATE = r"(?:\s?[EePp](?![\w])|\s?\((?:e|est\.?|forecast)\))"
_ORDINAL = "first|second|third|fourth|final|1st|2nd|3rd|4th"
_OF = r"(?:\s*,)?(?:\s+(?:of|in|for))?(?:\s+(?:the|its|their|our))?"
_SAME = r"(?:same|corresponding|comparable|equivalent|like)"
_RULES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"(?<![\w$€£.,])(?:{rule})", re.IGNORECASE)
    for name, rule in {
        "part": rf"(?:[12]H|H[12]|(?:first|second)[\s-]+half){_OF}\s*(?:{_BASIS})?[\s/-]*{_YEAR}|[12]H|H[12](?!\w)"
        rf"|(?:six|nine|6|9)[\s-]+months?(?:\s+period)?\s+(?:ended|ending|to|through)\s+{_DAY}"
        r"|(?:first|second)[\s-]+half(?![-\w])|(?:six|nine)[\s-]+months?(?![-\w])|year[\s-]to[\s-]date|YTD",
        "quarter": rf"(?P<b1>{_BASIS})?[\s-]?(?:Q(?P<q>[1-4])|(?P<q2>[1-4])\s?Q|(?P<ord>{_ORDINAL})[\s-]+"
        rf"(?P<b3>fiscal[\s-]+|calendar[\s-]+)?quarter)(?:['’]s?(?=\s))?{_OF}[\s/,(-]*(?P<b2>{_BASIS})?[\s/-]*(?P<year>{_YEAR})"
        rf"(?P<e>{_ESTIMATE})?A?(?P<b4>\s?FY|\s+\(?(?:fiscal|financial)(?:\s+year)?\)?)?(?![\w])",
        "year_quarter": rf"(?P<b1>{_BASIS})?[\s-]?(?P<year>{_YEAR})(?:['’]s)?[\s/-]*(?:(?P<b3>fiscal|calendar)\s+)?"
        rf"(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q|(?P<ord>{_ORDINAL})[\s-]+quarter)(?P<e>{_ESTIMATE})?(?![\w])",
        "bare_quarter": rf"(?P<b1>fiscal\s|calendar\s|F|C)?(?:Q(?P<q>[1-4])|(?P<q2>[1-4])Q|(?P<ord>{_ORDINAL})[\s-]+"
        r"(?:(?:fiscal|calendar)[\s-]+)?quarter)(?![\w]|\s*['’]\d)",
        "ended": r"(?:(?P<three>(?:(?:fiscal|calendar|first|second|third|fourth)\s+)*quarter|three[\s-]+months?|3[\s-]+months?|3M|1[34]\s+weeks|Qtr)"
        r"|(?P<twelve>(?:(?:fiscal|financial|full|business)[\s-]+)*year|FY|twelve[\s-]+months?|12[\s-]+months?|12M|5[23]\s+weeks))"
        r"(?:\s+period)?(?:\s+(?:that|which))?\s+(?:ended|ending|ends|to|through|finished|closed|closing)"
        rf"(?:\s+(?:on|in|at))?(?:\s+(?:the\s+)?(?:end[\s-](?:of\s+)?|month\s+of\s+))?\s*(?:{_DAY}|(?P<month>{_MONTH})(?!\s*\d))",
        "month_quarter": rf"(?:the\s+|its\s+)?(?P<month>{_MONTH})[\s-]+(?P<three>quarter|Q)(?:['’]s)?(?:{_OF}\s*(?P<year>{_YEAR}))?(?![\w])"
        rf"|(?P<month2>{_MONTH})(?:[\s-]+(?P<year2>{_FOUR}))[\s-]+quarter(?![\w])",
        "ttm": r"(?:TTM|LTM|trailing[\s-]+(?:twelve|12)[\s-]+months?|(?:last|past|latest|preceding)[\s-]+(?:twelve|12)[\s-]+months?"
        r"|(?:last|past|trailing|latest)\s+four\s+quarters|trailing(?=\s+(?:basis|earnings|P/E|sales|EPS))|12-month\s+trailing)(?![\w])",
        "fiscal": rf"(?:the\s+|its\s+)?(?P<b1>fiscal[\s-]+years?|financial[\s-]+years?|fiscal|financial|calendar[\s-]+year|calendar|full[\s-]year|FY|CY|F|business\s+year)"
        rf"[\s-]*(?P<year>{_YEAR})(?P<e>{_ESTIMATE})?A?(?![\w])(?![.,]\d)"
        rf"|(?P<year2>{_FOUR})[\s-]+(?:fiscal|financial|full|business|(?P<cal>calendar))(?:[\s-]+year)(?![\w])"
        rf"|(?P<year3>{_FOUR})\s?(?:FY|(?P<e2>[EFP])|A)(?![\w])|(?:year[\s-]end|end[\s-]of|end-|the\s+end\s+of)[\s-]*(?P<year4>{_FOUR})(?![\w])",
        "back": rf"(?:(?:in|for|during|of|at)\s+)?(?:that\s+of\s+|those\s+of\s+)?(?:(?:a|one)\s+(?:year|yr)\s+(?:ago|earlier|before|previously|prior)|twelve\s+months\s+(?:ago|earlier|before|previously)"
        r"|(?:the\s+)?(?:prior|previous|preceding|year[\s-]ago|year-earlier|last)[\s-]+years?(?:['’]s?)?(?:[\s-]+(?:quarter|period|figure|level|result|comparable))?|PY|LY"
        r"|(?:the\s+)?(?:year|yr)[\s-](?:ago|earlier|before)(?:\s+(?:quarter|period|figure|level))?"
        rf"|(?:the\s+)?{_SAME}\s+(?:fiscal\s+)?(?:quarter|period|three\s+months|year|stretch)"
        r"(?:\s+(?:of\s+|in\s+)?(?:the\s+)?(?:last|previous|prior|preceding|year\s+before)(?:\s+(?:fiscal\s+)?year)?|\s+(?:a|one)\s+year\s+(?:ago|earlier|before))?)(?:\s+earlier)?(?![\w])",
        "back_quarter": r"(?:(?:in|for|during|of)\s+)?(?:(?:the\s+)?(?:immediately\s+)?(?:previous|prior|preceding)\s+(?:fiscal\s+)?(?:quarter|three\s+months)|(?:the|a|one)\s+quarter\s+(?:before|earlier|ago|prior)"
        r"|three\s+months\s+(?:earlier|before|ago|previously)|last\s+quarter)(?![\w])",
        "latest": r"(?:the\s+)?(?:latest|most[\s-]+recent(?:ly\s+reported)?|last\s+reported|just[\s-]ended|past|newest|current)\s+(?:reported\s+|completed\s+)?(?:(?:fiscal|financial)\s+)?"
        r"(?P<unit>quarter|year)(?![\w])",
        "same": r"(?:in|for|over|during|of)\s+(?:the|that|this)\s+(?:reporting\s+|full\s+|fiscal\s+|whole\s+)?(?P<unit>quarter|year|period|twelve\s+months)"
        r"(?![\w]|\s+(?:ago|earlier|before|end|to\b|through|that|which|of\b|finish|clos|(?:19|20)\d\d|['’]\d\d)|[-]end)",
        "day": rf"{_DAY}A?(?![\w])",
        "plain": rf"['’]?(?P<year>{_FOUR})(?P<e>[EFP](?![\w]))?(?![\d\w]|[.,]\d|-\d|\s?(?:%|[mb]illion|shares|employees|stores|workers))",
    }.items()
}
_MAY_NAME = re.compile(r"\d|quarter|year|month|trailing|[TL]TM|YTD|half", re.IGNORECASE)
_RANK = {name: at for at, name in enumerate(_RULES)}


@dataclass(frozen=True, slots=True)
class NamedPeriod:
    """A period that a text names, characters [start, end)."""

    start: int
    end: int
    span: Span
    year: int | None = None
    """Fiscal or calendar year, as named."""
    quarter: int | None = None
    last_day: date | None = None
    """Where the text names the day on which it ends, or the day itself."""
    forecast: bool = False
    latest: bool = False
    """The newest one known, such as `the latest quarter`."""
    plain: bool = False
    """Not said whether of the fiscal or of the calendar year, such as 2024 or Q1 2024."""
    calendar: bool = False
    """Of the calendar year: `CY2025`, `calendar Q1`."""
    months_only: bool = False
    """Only the month of `last_day` is named."""
    back: Back = ""
    """How long before the period of which its sentence speaks: `a year earlier`, `the previous quarter`."""
    month: int | None = None
    """Month of its end where no year is named: `the March quarter`."""

    @property
    def is_open(self) -> bool:
        """Whether other words must say which one is meant: `the third quarter`, `that year`, `a year earlier`."""
        if self.back:
            return True
        return self.span != "part" and not (self.latest or self.year or self.last_day or self.span == "twelve_months")


def named_periods(text: str) -> list[NamedPeriod]:
    """Return the periods that a text names, in order; of two that overlap the one that begins first, then the longer."""
    if not _MAY_NAME.search(text):
        return []
    found = [
        (match.start(), -match.end(), _RANK[name], name, match)
        for name, rule in _RULES.items()
        for match in rule.finditer(text)
    ]
    periods: list[NamedPeriod] = []
    free = 0
    for start, _, _, name, match in sorted(found, key=lambda one: one[:3]):
        if start >= free and (made := _named(name, match)) is not None:
            periods.append(made)
            free = made.end
    return periods


def filled(period: NamedPeriod, context: NamedPeriod | None) -> NamedPeriod | None:
    """Return an open period with what the context says of it; None where it says too little.

    `a year earlier` beside `Q3 FY2025` is Q3 FY2024, `the fourth quarter` under a heading of fiscal 2024 is Q4 FY2024.
    """
    if not period.is_open:
        return period
    if period.back:
        return _earlier(period, context) if context is not None else None
    if context is None or context.span == "day":
        return None
    if period.month is not None:
        return _by_month(period, context)
    if period.quarter is not None:
        year = context.year
        return replace(period, year=year, plain=context.plain, calendar=context.calendar) if year else None
    if period.span in ("", context.span) or (period.span == "year" and context.span == "twelve_months"):
        return replace(context, start=period.start, end=period.end)
    if period.span == "year" and context.year:
        return replace(context, start=period.start, end=period.end, span="year", quarter=None)
    return None


def _by_month(period: NamedPeriod, context: NamedPeriod) -> NamedPeriod | None:
    year = context.last_day.year if context.last_day else context.year
    if year is None or period.month is None:
        return None
    last = date(year, period.month, monthrange(year, period.month)[1])
    return replace(period, last_day=last, months_only=True)


def _earlier(period: NamedPeriod, context: NamedPeriod) -> NamedPeriod | None:
    """Return the period a year or a quarter before another one."""
    if context.is_open or context.latest or context.span in ("twelve_months", "part"):
        return None
    if context.last_day is not None:
        return replace(
            context, start=period.start, end=period.end, last_day=earlier(context.last_day, 1, period.back), back=""
        )
    year, quarter = context.year, context.quarter
    if year is None or (period.back == "quarter" and quarter is None):
        return None
    if period.back == "year":
        year -= 1
    elif quarter is not None:
        year, quarter = (year, quarter - 1) if quarter > 1 else (year - 1, 4)
    return replace(context, start=period.start, end=period.end, year=year, quarter=quarter, forecast=False)


def _named(name: str, match: re.Match[str]) -> NamedPeriod | None:
    start, end = match.span()
    got = match.groupdict()
    if name == "part":
        return NamedPeriod(start, end, "part")
    if name in ("quarter", "year_quarter", "bare_quarter"):
        return _quarter(start, end, got)
    if name in ("ended", "month_quarter"):
        return _ended(start, end, got)
    if name == "ttm":
        return NamedPeriod(start, end, "twelve_months")
    if name in ("fiscal", "plain"):
        return _whole_year(name, start, end, got)
    if name.startswith("back"):
        return NamedPeriod(start, end, "", back="year" if name == "back" else "quarter")
    if name in ("latest", "same"):
        unit = got["unit"].lower()
        span: Span = "quarter" if unit == "quarter" else "" if unit == "period" else "year"
        return NamedPeriod(start, end, span, latest=name == "latest")
    day = _day(got)
    return NamedPeriod(start, end, "day", last_day=day, months_only=bool(got["my"])) if day else None


def _quarter(start: int, end: int, got: Mapping[str, str | None]) -> NamedPeriod:
    number = (got["q"] or got["q2"] or got["ord"] or "").lower()
    basis = " ".join(filter(None, (got.get(name) for name in ("b1", "b2", "b3", "b4")))).lower()
    year = _full(got["year"]) if got.get("year") else None
    return NamedPeriod(
        start, end, "quarter", year, _ORDINALS.get(number) or int(number), forecast=bool(got.get("e")),
        plain=not basis, calendar=basis.startswith("c"),
    )  # fmt: skip


def _ended(start: int, end: int, got: Mapping[str, str | None]) -> NamedPeriod | None:
    span: Span = "quarter" if got.get("three") or got.get("month2") else "year"
    if month := (got.get("month") or got.get("month2")):
        number = month_number(month)
        year = got.get("year") or got.get("year2")
        if not year:
            return NamedPeriod(start, end, span, month=number)
        last = date(_full(year), number, monthrange(_full(year), number)[1])
        return NamedPeriod(start, end, span, last_day=last, months_only=True)
    day = _day(got)
    return NamedPeriod(start, end, span, last_day=day, months_only=bool(got["my"])) if day else None


def _whole_year(name: str, start: int, end: int, got: Mapping[str, str | None]) -> NamedPeriod | None:
    year = next((got[one] for one in ("year", "year2", "year3", "year4") if got.get(one)), None)
    if year is None:
        return None
    forecast, basis = bool(got.get("e") or got.get("e2")), (got.get("b1") or "").lower()
    calendar = basis.startswith("c") or bool(got.get("cal"))
    plain = name == "plain" or bool(got.get("year4")) or basis.startswith("full")
    return NamedPeriod(start, end, "year", _full(year), forecast=forecast, plain=plain, calendar=calendar)


def _full(year: str | None) -> int:
    digits = (year or "").lstrip("'’")
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _day(got: Mapping[str, str | None]) -> date | None:
    """Return the day that was matched; None where there is no such day."""
    try:
        return next(iter(_days(got)), None)
    except ValueError:
        return None


def _days(got: Mapping[str, str | None]) -> Iterator[date]:
    if iso := got.get("iso"):
        yield date.fromisoformat(iso)
    if us := got.get("us"):
        month, day, year = us.split("/")
        yield date(_full(year), int(month), int(day))
    if eu := got.get("eu"):
        day, month, year = eu.split(".")
        yield date(int(year), int(month), int(day))
    for name in ("md", "dm", "my"):
        if said := got.get(name):
            words = [word for word in re.split(r"[\s,-]+", said) if word.lower() != "of"]
            if name == "my":
                month_of_year = month_number(words[0])
                yield date(_full(words[1]), month_of_year, monthrange(_full(words[1]), month_of_year)[1])
            else:
                month, day = (words[0], words[1]) if name == "md" else (words[1], words[0])
                yield date(_full(words[2]), month_number(month), int(day.rstrip("stndrh")))
