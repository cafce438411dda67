"""Column headers of a table that is laid out as text: years, dates, durations, changes, currencies and bases."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from tradingagents.retrieval.column_basis import BASIS_PATTERN, basis_of
from tradingagents.retrieval.models import Column
from tradingagents.retrieval.money import CURRENCY_HEAD, read_unit
from tradingagents.retrieval.text_figures import MONTH, MONTHS

Mark = Literal["year", "day", "span", "change", "currency", "basis"]

_YEAR = r"(?:FY\s?|Fiscal\s+(?:Year\s+)?)?(?P<year>(?:19|20)\d\d)(?:\s?\((?:\d|[a-z])\)|\s?\*)?(?![\d,.]\d)"
_TOKEN = re.compile(
    rf"""(?P<date>\b\d{{1,2}}/\d{{1,2}}/(?:\d\d)?\d\d\b)
    | (?P<range>\b(?:period\s+)?(?:from\s+)?(?P<first>{MONTH}\s+\d{{1,2}},?(?:\s+(?:19|20)\d\d)?)
        \s*(?:to|through|[\u2013-])\s*(?P<last>{MONTH}\s+\d{{1,2}}),?\s+(?P<in>(?:19|20)\d\d)\b)
    | (?P<day>\b(?:{MONTH}\s+\d{{1,2}}|\d{{1,2}}\s+{MONTH})(?!\w))
    | (?P<span>\b(?:three|six|nine|twelve|3|6|9|12)\s+months(?:\s+(?:period\s+)?ended)?
        |\b(?:thirteen|twenty-?\s?six|thirty-?\s?nine|fifty-?\s?(?:two|three)|13|14|26|27|39|40|52|53)\s+weeks(?:\s+ended)?
        |\b(?:(?:first|second|third|fourth)\s+)?(?:fiscal\s+)?(?:quarters?|years?)(?:\s*-?to-?date)?(?:\s+ended|\s+ending)?)
    | (?P<against>(?<![\d/])(?P<of>\d\d)/(?P<to>\d\d)(?![\d/]))
    | (?P<change>\b(?:19|20)\d\d\s(?:vs\.?|versus)\s(?:19|20)\d\d\b|(?:%|\$|percent(?:age)?)?\s{{0,9}}
        (?:change|increase\s*+/?\s*+\(?decrease\)?|variance|inc\s?/\s?\(?dec\)?)(?:\s*[%$])?)
    | (?P<currency>{CURRENCY_HEAD})
    | (?P<basis>(?<![\w-]){BASIS_PATTERN}(?![\w-]))
    | \b{_YEAR}""",
    re.VERBOSE | re.IGNORECASE,
)
_KINDS = ("day", "span", "change", "currency", "basis", "year")
_UNITS_OF_COLUMNS = re.compile(
    rf"(?P<currency>{CURRENCY_HEAD})|(?P<basis>(?<![\w-]){BASIS_PATTERN}(?![\w-]))", re.IGNORECASE
)
_MAY_BE_UNITS = re.compile(
    r"[$€£¥￥₹₩円元]|\b[A-Z]{3}|\bRM|(?i:restat|reported|stated|published|forma|decessor|successor|adjust|recast|effect|"
    r"impact|euro|yen|renminbi|dollars|sterling)"
)
_JOINS_UNITS = re.compile(r"\b(?:and|or|in)\b|[&,/]", re.IGNORECASE)
"""Stands in a caption of the whole table, `(RMB and US$ in millions)`, and not between heads of columns."""
_YEAR_AFTER = re.compile(r",?\s+((?:19|20)\d\d)\b")
_MAY_MARK = re.compile(rf"(?i)(?:19|20)\d\d|ended|ending|\b{MONTH}\s+\d|quarter|year|weeks|\d/\d\d?/\d\d")
_ANY_YEAR = re.compile(r"(?i)(?:fiscal\s)?years?")
"""Says no more than the year below it."""
_UNIT_NOTE = re.compile(r"\([^()]*(?:\([^()]*\)[^()]*)*\)?")
_FILLER = re.compile(
    r"(?i)\b(?:for|the|at|as|of|ended|ending|end|and|fiscal|months?|notes?|unaudited|audited|restated|as adjusted|"
    r"assets|in|except|period|consolidated|vs|versus|actual|reported|see)\b|[\s,.:;$%*&/()_\u2014\u2013|\u2020-]"
)
_UNIT_WORDS = re.compile(
    r"(?i)\b(?:dollars |amounts |shares |expressed |u\.?s\.? )*in (?:thousands|millions|billions)\b[^\d]*"
)
_MONTHS_OF = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "3": 3, "6": 6, "9": 9, "12": 12}
_WEEKS_OF = {"thirteen": 13, "13": 13, "14": 14, "26": 26, "27": 27, "39": 39, "40": 40, "52": 52, "53": 53}


@dataclass(frozen=True, slots=True)
class HeaderMark:
    """A year, a month and day, a duration, the word "change", a currency or a basis in a header line."""

    kind: Mark
    text: str
    line: int
    year: str = ""
    """Year printed right after a month and day."""
    scale: float | None = None
    """Factor that the head of a currency states, as `US$ millions` does."""
    first: str = ""
    """First day of a period that is given by both its days, such as `May 1, 2023`."""


def header_marks(text: str, line: int = 0) -> tuple[HeaderMark, ...]:
    """Return the marks of a line that is nothing but a column header; nothing for any other line."""
    if len(text) > 240 or not _MAY_MARK.search(text):
        return ()
    plain = _UNIT_NOTE.sub(_without_units, text)
    plain = _UNIT_WORDS.sub(" ", plain)
    marks: list[HeaderMark] = []
    for match in _TOKEN.finditer(plain):
        if match.group("date"):
            month, day, year = match.group("date").split("/")
            if not 1 <= int(month) <= 12:
                return ()
            marks.append(HeaderMark("day", f"{MONTHS[int(month) - 1].capitalize()} {day}", line))
            marks.append(HeaderMark("year", year if len(year) == 4 else f"20{year}", line))
            continue
        if match.group("range"):
            first = match.group("first")
            begin = first if re.search(r"(?:19|20)\d\d$", first) else f"{first}, {match.group('in')}"
            marks.append(HeaderMark("day", match.group("last"), line, match.group("in"), first=begin))
            marks.append(HeaderMark("year", match.group("in"), line))
            continue
        if match.group("against"):  # `21/20` is the change from 2020 to 2021
            if int(match.group("of")) - int(match.group("to")) != 1:
                return ()
            marks.append(HeaderMark("change", f"20{match.group('of')} vs. 20{match.group('to')}", line))
            continue
        kind = next(name for name in _KINDS if match.group(name))
        if kind in ("currency", "basis"):
            marks.append(_unit_mark(kind, match.group(), line))
            continue
        value = match.group("year") if kind == "year" else " ".join(match.group().split())
        dated = _YEAR_AFTER.match(plain, match.end()) if kind == "day" else None
        value = re.sub(r"^(\d{1,2}) (.+)$", r"\2 \1", value) if kind == "day" else value
        marks.append(HeaderMark(kind, value, line, dated.group(1) if dated else ""))  # type: ignore[arg-type]
    if not marks or all(mark.kind in ("change", "currency", "basis") for mark in marks):
        return ()
    rest = _FILLER.sub("", _TOKEN.sub(" ", plain))
    if rest:
        return ()
    return tuple(marks)


def unit_marks(text: str, line: int = 0) -> tuple[HeaderMark, ...]:
    """Return the marks of a line of a header that holds nothing but currencies or bases: `RMB RMB US$`."""
    if len(text) > 90 or _MAY_BE_UNITS.search(text) is None:
        return ()
    found = list(_UNITS_OF_COLUMNS.finditer(text))
    rest = _UNITS_OF_COLUMNS.sub(" ", text)
    if not found or _FILLER.sub("", rest) or _JOINS_UNITS.search(rest):
        return ()
    return tuple(_unit_mark("currency" if match.group("currency") else "basis", match.group(), line) for match in found)


def _unit_mark(kind: str, text: str, line: int) -> HeaderMark:
    if kind == "basis":
        return HeaderMark("basis", basis_of(text), line)
    unit = read_unit(text)
    return HeaderMark("currency", unit.currency, line, scale=unit.scale)


_YEAR_END = re.compile(r"\b(?:19|20)\d\d\b(?=\s+[A-Z(])")


def leading_header(text: str, before: str = "") -> int:
    """Return the length of a header that shares its line with what follows it; 0 for any other line.

    One year is a header only where it goes on from a header on the line `before`; else two are needed.
    """
    ends = [match.end() for match in _YEAR_END.finditer(text)]
    if not ends or not _MAY_MARK.search(text) or header_marks(text):
        return 0
    needed = 1 if before and header_marks(before) else 2
    for end in reversed(ends):
        if sum(mark.kind == "year" for mark in header_marks(text[:end])) >= needed:
            return end
    return 0


def columns(marks: tuple[HeaderMark, ...], count: int) -> tuple[Column, ...]:
    """Return `count` columns, each with the year, date and duration that the header gives to it."""
    years = _spread_years(marks, count)
    dated = [mark for mark in marks if mark.kind == "day"]
    days = _days_of_years(marks, years) or _spread(
        dated if len(dated) >= count else [replace(mark, year="") for mark in dated], count
    )
    told = [mark for mark in marks if mark.kind == "span"]
    spans = _spread([mark for mark in told if not _ANY_YEAR.fullmatch(mark.text)] or told, count)
    currencies, bases = (_beside_years(marks, kind, years) for kind in ("currency", "basis"))
    return tuple(
        replace(
            _column(years[index], days[index], spans[index]),
            currency="" if (mark := currencies[index]) is None else mark.text,
            scale=None if mark is None else mark.scale,
            basis="" if (base := bases[index]) is None else basis_of(base.text),
        )
        for index in range(count)
    )


def _days_of_years(marks: Sequence[HeaderMark], years: Sequence[HeaderMark | None]) -> list[HeaderMark | None] | None:
    """Return the day of each column where each year follows its own day and columns of changes have none; else None."""
    kinds = [mark.kind for mark in marks if mark.kind in ("day", "year")]
    days = [mark for mark in marks if mark.kind == "day"]
    of_years = [at for at, year in enumerate(years) if year is not None and year.kind == "year"]
    if kinds != ["day", "year"] * len(of_years) or len(of_years) in (0, 1, len(years)):
        return None
    found: list[HeaderMark | None] = [None] * len(years)
    for at, day in zip(of_years, days, strict=True):
        found[at] = day
    return found


def _beside_years(
    marks: Sequence[HeaderMark], kind: Mark, years: Sequence[HeaderMark | None]
) -> list[HeaderMark | None]:
    """Return the mark of currency or basis of each column; None where the header does not tell whose it is."""
    count = len(years)
    found = [mark for mark in marks if mark.kind == kind]
    nothing: list[HeaderMark | None] = [None] * count
    if not found or (kind == "currency" and len({mark.text for mark in found}) == 1 and len(found) < count):
        return nothing
    line = [mark for mark in marks if mark.line == found[0].line and mark.kind in ("year", kind)]
    if len(found) != count and [mark.kind for mark in line].count("year") == count:
        return _attached(line, kind)
    runs = _runs(years)
    if len(found) == len(set(runs)) and len(found) > 1:
        return [found[run] for run in runs]
    if len(found) > count or count % len(found) or (len(found) == 1 and count > 1):
        return nothing
    size = count // len(found)
    return [found[index // size] for index in range(count)]


def _runs(years: Sequence[HeaderMark | None]) -> list[int]:
    """Number the groups of columns: a year that comes again begins a new one, as in `2024 2023 | 2024`."""
    runs: list[int] = []
    seen: set[str] = set()
    number = 0
    for year in years:
        text = year.text if year is not None else ""
        if text in seen:
            number, seen = number + 1, set()
        seen.add(text)
        runs.append(number)
    return runs


def _attached(line: Sequence[HeaderMark], kind: Mark) -> list[HeaderMark | None]:
    """Give each currency or basis to the year that it is printed after, or before where one begins the line."""
    if line[0].kind == kind:
        return _attached(line[::-1], kind)[::-1]
    found: list[HeaderMark | None] = []
    for mark in line:
        if mark.kind == "year":
            found.append(None)
        else:
            found[-1] = mark
    return found


def year_count(marks: tuple[HeaderMark, ...]) -> int:
    """Return how many columns the header itself names by year; 0 if it names none."""
    years = [mark for mark in marks if mark.kind == "year"]
    if not years:
        return 0
    last = years[-1].line
    on_last = sum(1 for mark in years if mark.line == last)
    return on_last if on_last > 1 else len(years)


def _spread_years(marks: tuple[HeaderMark, ...], count: int) -> list[HeaderMark | None]:
    """Return the year or change of each column."""
    found = [mark for mark in marks if mark.kind in ("year", "change")]
    years = [mark for mark in found if mark.kind == "year"]
    for candidates in (found, years):
        for chosen in (candidates, _last_line(candidates)):
            if len(chosen) == count:
                return list(chosen)
    against = [mark for mark in found if mark.kind == "change" and mark.text[:1].isdigit()]
    for chosen in (found, _last_line(found), [*_last_line(years), *against]):
        twice = [mark for mark in chosen for _ in range(1 if mark.kind == "year" else 2)]
        if len(twice) == count and twice[0].kind == "year" and twice[-1].kind == "change":  # in money and in percent
            return list(twice)
    if len(years) > count:
        return list(years[-count:])
    tail = _last_line(years)
    days = sum(mark.kind == "day" for mark in marks if tail and mark.line == tail[0].line)
    told_apart = len({mark.text for mark in tail}) == len(tail) or days == len(tail)
    if tail and count % len(tail) == 0 and told_apart:
        size = count // len(tail)
        return [tail[index // size] for index in range(count)]
    return [*years, *[None] * (count - len(years))]


def _spread(marks: list[HeaderMark], count: int) -> list[HeaderMark | None]:
    """Return the mark of each column where the header's marks can be told apart over the columns."""
    for chosen in (marks, _last_line(marks)):
        if chosen and len(chosen) <= count and count % len(chosen) == 0:
            size = count // len(chosen)
            return [chosen[index // size] for index in range(count)]
    if marks and len({mark.text.lower() for mark in marks}) == 1:
        return [marks[0]] * count
    return [None] * count


def _last_line(marks: list[HeaderMark]) -> list[HeaderMark]:
    return [mark for mark in marks if mark.line == marks[-1].line] if marks else []


def _column(year: HeaderMark | None, day: HeaderMark | None, span: HeaderMark | None) -> Column:
    if year is None or year.kind == "change":
        return Column(year.text if year else "")
    if day is not None and day.first:
        return _between(day)
    parts = [mark.text for mark in (span, day) if mark is not None]
    whole = " ".join(parts)
    header = f"{whole}, {year.text}" if day is not None else " ".join([*parts, year.text])
    if day is not None and day.year not in ("", year.text):
        header = f"{year.text} ({whole}, {day.year})"
    end = _date(int(day.year or year.text), day.text) if day is not None else None
    if end is not None and abs(end.year - int(year.text)) > 1:
        end = None
    start = _start(end, span.text) if end is not None and span is not None else None
    months = _months(span.text) if span is not None else None
    return Column(header, period_start=start, period_end=end, fiscal_year=int(year.text), months=months)


def _between(day: HeaderMark) -> Column:
    """Return the column of a period that is given by both its days."""
    begin, _, year = day.first.rpartition(",") if "," in day.first else day.first.rpartition(" ")
    start, end = _date(int(year), begin), _date(int(day.year), day.text)
    header = f"{day.first} to {day.text}, {day.year}"
    return Column(header, period_start=start, period_end=end, fiscal_year=int(day.year))


def _months(span: str) -> int | None:
    """Return the length of a period in months as its words tell it; None for weeks and other words."""
    words = span.lower().split()
    if "weeks" in words or "to-date" in span.lower() or "date" in words:
        return None
    if "months" in words or "month" in words:
        return _MONTHS_OF.get(words[0])
    return 3 if "quarter" in span.lower() else 12 if "ended" in words or "ending" in words else None


def _date(year: int, day: str) -> date | None:
    word, number = day.split()
    month = next((index for index, name in enumerate(MONTHS, 1) if name.startswith(word.lower().rstrip(".")[:3])), 0)
    try:
        return date(year, month, int(number))
    except ValueError:
        return None


def _start(end: date, span: str) -> date | None:
    first = span.lower().split()[0]
    if "week" in span.lower():
        weeks = (
            _WEEKS_OF.get(first)
            or {"twenty": 26, "thirty": 39}.get(first[:6])
            or (53 if "three" in span.lower() else 52)
        )
        return end - timedelta(weeks=weeks) + timedelta(days=1)
    months = _MONTHS_OF.get(first) if "month" in span.lower() else 3 if "quarter" in span.lower() else 12
    if months is None:
        return None
    following = end + timedelta(days=1)
    total = following.year * 12 + following.month - 1 - months
    year, month = total // 12, total % 12 + 1
    return date(year, month, min(following.day, monthrange(year, month)[1]))


def _without_units(match: re.Match[str]) -> str:
    """Return a space for a note in parentheses such as (in millions); leave one that tells of its column.

    That is a year or a length of time, a basis (As restated), or a currency (RMB).
    """
    note = match.group()
    if re.search(r"(?:19|20)\d\d|weeks|months", note) and not re.search(r"(?i)million|thousand", note):
        return f" {note} "
    return f" {note} " if any(mark.text != "$" for mark in unit_marks(note.strip("() "))) else " "
