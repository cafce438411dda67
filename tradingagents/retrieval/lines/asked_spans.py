"""The fiscal years and quarters that a question names: one, a list, a range, the last few, those since one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from tradingagents.retrieval.series.span import FiscalPeriod

MOST_YEARS = 20
"""Years of the longest range."""
_NUMBERS = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
}
_ORDINALS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "final": 4}
_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
_MONTH = "|".join(_MONTHS)
_COUNT = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|twelve)"
_LEAD = r"(?:(?:fiscal|financial|calendar)(?: years?)?|fy|cy|years?)\s?"
_YEAR = rf"(?:{_LEAD})?'?(?P<{{0}}>(?:19|20)\d\d)(?![\d%])|fy\s?'?(?P<{{0}}s>\d\d)(?!\d)"


def _year(name: str) -> str:
    return f"(?:{_YEAR.format(name)})"


_RANGE = re.compile(
    rf"(?:\b(?:between|from|for|over|in|during|through)\s)?\s?{_year('a')}\s?(?:-|to|through"
    rf"|until|till|up to|and(?=.{{0,20}}\bbetween\b))\s?"
    rf"{_year('b')}"
)
_BETWEEN = re.compile(rf"\bbetween {_year('a')} and {_year('b')}")
_SINCE = re.compile(rf"\b(?:since|from|as of)\s{_year('a')}(?:\s(?:on(?:wards?)?|forward))?|{_year('b')}\sonwards?")
_YEARS_TO = re.compile(
    rf"(?:\b(?:over|for|in|during|across) )?(?:the )?(?P<count>{_COUNT})[- ](?:fiscal |financial )?years?"
    rf"(?: (?:to|through|ended|ending|ending in|until"
    rf"|up to))(?: (?:in )?(?P<months>(?:{_MONTH})(?:/(?:{_MONTH}))?))?(?: {_year('a')})"
)
_LAST = re.compile(
    rf"(?:\b(?:over|for|in|during|across) )?(?:the |its |their )?(?:last|past|latest|most recent"
    rf"|previous) (?P<count>{_COUNT}) "
    r"(?:full |fiscal |financial |reported |complete )*(?P<every>years?|quarters?)"
)
_COUNTED = re.compile(
    rf"(?:the )?(?P<count>{_COUNT})[- ]years?(?= (?:simple |weighted )?(?:average|mean|cagr"
    rf"|compound|sum|total|trend|path)|-)\b|(?:the )?(?P<hyphened>{_COUNT})-year\b"
)
_LATEST = re.compile(
    r"(?:\b(?:in|for|over|of) )?(?:the |its |their )?(?:last|latest|most recent|newest) (?:full "
    r"|fiscal |financial |reported |complete )*"
    r"(?P<every>year|quarter)(?: (?:on file|available|reported))?"
)
_QUARTER_OF = re.compile(
    rf"(?:\bthe )?\b(?:q(?P<q>[1-4])|(?P<w>first|second|third|fourth|1st|2nd|3rd|4th|final)(?: fiscal)? quarter)"
    rf"(?:,? ?(?:of|in|for))?(?: the)?(?: fiscal year)?,?\s?{_year('a')}"
    rf"|{_year('b')},?\s?(?:q(?P<r>[1-4])|(?P<v>first|second|third|fourth) quarter)"
)
_ANY_QUARTER = re.compile(r"\bq[1-4]\b|\b(?:first|second|third|fourth|1st|2nd|3rd|4th) (?:fiscal )?quarter\b")
_EACH_QUARTER = re.compile(
    r"\bby quarter\b|\b(?:each|every|which|what) (?:fiscal )?quarter\b(?: of)?|\bquarterly\b|\bquarter by quarter\b"
    r"|\b(?:all|the|for all) four(?: quarters)?\b|\b(?:last of )?the (?:four )?quarters\b"
)
_YEAR_ENDED = re.compile(
    rf"(?:the )?(?:fiscal )?years? (?:to|ended|ending|that ended)(?: in)?(?: (?:the end of"
    rf"|\d{{1,2}}))? (?P<month>{_MONTH})(?: \d{{1,2}},?)? (?P<year>(?:19|20)\d\d)"
)
_YEAR_BEFORE = re.compile(
    r"(?:(?:compared?|up|down|versus|vs\.?|against|from|over|than|on) )?(?:(?:with|to"
    r"|from) )?(?:a|the|one) (?:prior |previous )?(?:year|quarter) (?:earlier|ago|before)"
    r"|(?:(?:compared (?:with|to)|versus|vs\.?|against|over|from|on) )(?:the )?(?:prior|previous) (?:fiscal )?year"
)
_SINGLE = re.compile(rf"\b(?:in |for |during |at )?{_year('a')}")


@dataclass(frozen=True, slots=True)
class AskedSpan:
    """The periods that a question names."""

    periods: tuple[FiscalPeriod, ...] = ()
    """Those named, in order; empty where it names none, or tells them otherwise."""
    last: int = 0
    """Count of the newest periods; 0 where that is not asked."""
    since: FiscalPeriod | None = None
    """The first of the periods to the newest one."""
    quarterly: bool = False
    """Whether the periods are quarters."""
    end_months: tuple[int, ...] = ()
    """Months in which the years named end, where the question says so: then `periods` are named by that day's year."""
    places: tuple[tuple[int, FiscalPeriod], ...] = ()
    """Each period that stands alone, with its place in the question: whose it is, where companies are named too."""
    ended: tuple[tuple[int, int], ...] = ()
    """Place and month of each period of `places` that is told by the month in which it ends; its year is that day's."""
    against_year_before: bool = False
    """Whether the year before is named as what the figure is compared with."""
    unread: tuple[str, ...] = ()


class _Taker:
    """Takes periods out of a question, each part once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.periods: list[FiscalPeriod] = []
        self.places: list[tuple[int, FiscalPeriod]] = []
        self.last = 0
        self.since: FiscalPeriod | None = None
        self.quarterly = False
        self.months: tuple[int, ...] = ()
        self.before = False
        self.ended: list[tuple[int, int]] = []
        self.unread: list[str] = []

    def take(self, pattern: re.Pattern[str], use: Callable[[re.Match[str]], None]) -> bool:
        taken = False
        while (found := pattern.search(self.text)) is not None:
            use(found)
            self.text = self.text[: found.start()] + " " * (found.end() - found.start()) + self.text[found.end() :]
            taken = True
        return taken

    def one(self, found: re.Match[str], year: int, quarter: int | None = None) -> None:
        period = FiscalPeriod(year, quarter)
        self.periods.append(period)
        self.places.append((found.start(), period))


def read_spans(plain: str) -> tuple[AskedSpan, str]:
    """Return the periods of a question in small letters, and the question with blanks in their place."""
    taker = _Taker(plain)
    taker.take(_YEAR_BEFORE, lambda _: setattr(taker, "before", True))
    taker.take(_YEAR_ENDED, lambda found: _ended(taker, found))
    taker.take(_YEARS_TO, lambda found: _years_to(taker, found))
    taker.take(_BETWEEN, lambda found: _range(taker, found))
    taker.take(_QUARTER_OF, lambda found: _quarter(taker, found))
    taker.take(_RANGE, lambda found: _range(taker, found))
    taker.take(_SINCE, lambda found: setattr(taker, "since", FiscalPeriod(_named(found, "a") or _named(found, "b"))))
    taker.take(_LAST, lambda found: _last(taker, found["count"], found["every"]))
    taker.take(_LATEST, lambda found: _last(taker, "1", found["every"]))
    each = taker.take(_EACH_QUARTER, lambda _: None)
    taker.take(_SINGLE, lambda found: taker.one(found, _named(found, "a")))
    counted = _COUNTED.search(taker.text)
    if counted:
        count = _count(counted["count"] or counted["hyphened"])
        taker.text = taker.text.replace(counted.group(), " " * len(counted.group()), 1)
        if len(set(taker.periods)) == 1 and taker.periods[0].quarter is None:
            last = taker.periods[0].year
            taker.periods = [FiscalPeriod(year) for year in range(last - count + 1, last + 1)]
        elif not taker.periods and not taker.since and not taker.last:
            taker.last = count
    _quarters(taker, each=each)
    return _span(taker), taker.text


def _span(taker: _Taker) -> AskedSpan:
    if taker.since is not None and len(taker.periods) == 1 and taker.periods[0].quarter is None:  # since 2020 … to 2025
        taker.periods = [FiscalPeriod(year) for year in range(taker.since.year, taker.periods[0].year + 1)]
        taker.since = None
    unread = list(taker.unread)
    if len({period.quarter is None for period in taker.periods}) > 1:
        unread.append("years beside quarters")
    if sum((bool(taker.periods), bool(taker.last), taker.since is not None)) > 1:
        unread.append("periods that are told in two ways")
    periods = tuple(sorted(set(taker.periods), key=lambda period: (period.year, period.quarter or 0)))
    quarterly = taker.quarterly or any(period.quarter for period in periods)
    return AskedSpan(
        periods,
        taker.last,
        taker.since,
        quarterly,
        taker.months,
        tuple(sorted(taker.places)),
        tuple(taker.ended),
        taker.before,
        tuple(unread),
    )


def _quarters(taker: _Taker, *, each: bool) -> None:
    """Make quarters of years where each quarter is asked for, or where a quarter stands apart from its year."""
    apart = [_quarter_number(found.group()) for found in _ANY_QUARTER.finditer(taker.text)]
    if apart:
        taker.text = _ANY_QUARTER.sub(lambda found: " " * len(found.group()), taker.text)
        years = {period.year for period in taker.periods}
        if len(years) != 1:
            taker.unread.append("a quarter without its year")
            return
        taker.periods = [FiscalPeriod(year, quarter) for year in years for quarter in apart]
        taker.places = []
    elif each and taker.periods and not any(period.quarter for period in taker.periods):
        taker.periods = [FiscalPeriod(period.year, quarter) for period in taker.periods for quarter in range(1, 5)]
        taker.places = []
    elif each and not taker.periods:
        taker.quarterly = True
    taker.quarterly = taker.quarterly or any(period.quarter for period in taker.periods)


def _named(found: re.Match[str], name: str) -> int:
    groups = found.groupdict()
    if year := groups.get(name):
        return int(year)
    short = groups.get(f"{name}s")
    return 2000 + int(short) if short else 0


def _range(taker: _Taker, found: re.Match[str]) -> None:
    first, last = _named(found, "a"), _named(found, "b")
    if first <= last < first + MOST_YEARS:
        taker.periods += [FiscalPeriod(year) for year in range(first, last + 1)]
    else:
        taker.unread.append(found.group().strip())


def _quarter(taker: _Taker, found: re.Match[str]) -> None:
    groups = found.groupdict()
    word = groups["q"] or groups["w"] or groups["r"] or groups["v"] or ""
    taker.one(found, _named(found, "a") or _named(found, "b"), _ORDINALS.get(word) or int(word))


def _quarter_number(text: str) -> int:
    word = text.split()[0]
    return int(word[1]) if word[0] == "q" else _ORDINALS[word]


def _ended(taker: _Taker, found: re.Match[str]) -> None:
    taker.one(found, int(found["year"]))
    taker.ended.append((found.start(), _MONTHS.index(found["month"]) + 1))


def _years_to(taker: _Taker, found: re.Match[str]) -> None:
    last, count = _named(found, "a"), _count(found["count"])
    if found["months"]:
        taker.months = tuple(_MONTHS.index(month) + 1 for month in found["months"].split("/"))
        rest = re.match(r"\s?(?:to|-|through)\s?((?:19|20)\d\d)\b", taker.text[found.end() :])
        if rest:  # five fiscal years ended January 2022 to 2026
            taker.text = taker.text[: found.end()] + " " * rest.end() + taker.text[found.end() + rest.end() :]
            if int(rest[1]) - last + 1 != count:
                taker.unread.append(found.group().strip())
            last = int(rest[1])
    taker.periods += [FiscalPeriod(year) for year in range(last - count + 1, last + 1)]


def _last(taker: _Taker, count: str, every: str) -> None:
    taker.last = _count(count)
    taker.quarterly = every.startswith("quarter")


def _count(text: str) -> int:
    return _NUMBERS.get(text) or int(text)
