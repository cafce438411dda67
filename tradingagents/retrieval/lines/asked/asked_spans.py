"""The fiscal years and quarters that a question names: one, a list, a range, the last few, those since one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from tradingagents.retrieval.lines.asked.period_wording import plain_periods
from tradingagents.retrieval.series.span import FiscalPeriod
from tradingagents.retrieval.text_figures import MONTHS

ANY_END = -1
"""The quarter of a period that is told by a day, until it is known whether a year or a quarter ends then."""
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
_MONTH = "|".join(MONTHS)
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
_LAST_TO = re.compile(
    rf"(?:\b(?:over|for|in|during|across) )?(?:the |its |their )?(?:last |past |latest )?(?P<count>{_COUNT})[- ]"
    r"(?:fiscal |reported )?(?P<every>years?|quarters?),? (?:up to|to|through|until|ending(?: with| in)?|ended(?: with"
    rf"| in)?)(?: and including)? (?:the )?(?:q(?P<q>[1-4])(?: of)? )?{_year('a')}"
)
_MONTHS_TO = re.compile(
    rf"(?:\bfrom )?(?P<first>{_MONTH}) (?P<a>(?:19|20)\d\d) ?(?:to|through|-"
    rf"|until) ?(?P<last>{_MONTH}) (?P<b>(?:19|20)\d\d)"
)
_QUARTER_ENDED = re.compile(
    rf"(?:\b(?:in|for|of) )?(?:the )?\b(?:quarter"
    rf"|(?P<months>[69]) months) ended (?P<month>{_MONTH}) (?P<year>(?:19|20)\d\d)"
)
_DAY = re.compile(
    rf"(?:\b(?:at|in|by|on|of|as of"
    rf"|as at) )?(?:\d{{1,2}} )?\b(?P<month>{_MONTH})(?: \d{{1,2}})?,? (?P<year>(?:19|20)\d\d)"
)
_PART_OF_YEAR = re.compile(rf"(?:\b(?:in|for|of|during) )?(?:the )?\b(?P<part>h[12]|m9) {_year('a')}")
_QUARTERS_TO = re.compile(
    rf"(?:\bfrom )?\bq(?P<p>[1-4])(?: (?:of )?{_year('a')})? ?(?:to|through|-|until"
    rf"|till) ?q(?P<q>[1-4]) (?:of )?{_year('b')}"
)
_PARTS_OF_YEAR = {"h1": (2, 6), "h2": (4, 6), "m9": (3, 9)}
"""By its writing, the quarter with which a part of a year ends, and its months."""
_LAST = re.compile(
    rf"(?:\b(?:over|for|in|during|across) )?(?:the |its |their )?(?:last|past|latest|most recent"
    rf"|previous) (?P<count>{_COUNT}) "
    r"(?:full |fiscal |financial |reported |complete )*(?P<every>years?|quarters?)"
)
_LAST_OF_REPORT = re.compile(
    rf"(?:\b(?:over|for|in|of|during|across) )?(?:the |its |their |all )?(?:last )?\b(?P<count>{_COUNT}) "
    r"(?:fiscal )?years (?:shown |presented |covered |reported |given )?(?:in|of|by) "
    r"(?:the |its |their |[\ue000-\uf8ff] ?){0,2}(?:latest|newest|last|most recent|current) "
    r"(?:annual report|10-?k|filing|report)"
)
"""The years of the newest report, which are the newest ones."""
_COUNTED = re.compile(
    rf"(?:the )?(?P<count>{_COUNT})[- ]years?(?= (?:simple |weighted )?(?:average|mean|cagr"
    rf"|compound|sum|total|trend|path)|-)\b|(?:the )?(?P<hyphened>{_COUNT})-year\b"
)
_THOSE_PERIODS = re.compile(
    rf"\b(?:over|in|across|during|of|for) (?:the|these|those|all|that) {_COUNT}[- ]"
    r"(?:fiscal )?(?:years?|quarters?)(?: (?:period|span|stretch))?(?=\W*$|\s*[,;?:.)]| and\b)"
)
"""Periods that are named elsewhere, once more: `how many points were lost over the 2 years`."""
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
_RANGE_OF_QUARTERS = re.compile(r"\(?\bq(?P<p>[1-4])\s?(?:-|to|through|until|till)\s?q(?P<q>[1-4])\b\)?")
"""Quarters that stand apart from their year, from one to another."""
_EACH_QUARTER = re.compile(
    r"\bby quarter\b|\b(?:each|every|which|what|per) (?:fiscal )?quarter\b(?: of)?|\bquarterly\b|\bquarter by quarter\b"
    r"|\b(?:all|the|for all) four quarters\b|\b(?:last of )?the (?:four )?quarters\b"
    r"|(?<=quarter )\b(?:all|the|for all) four\b"
)
_YEAR_ENDED = re.compile(
    rf"(?:the )?(?:(?:fiscal )?years?|(?:twelve|12) months) (?:to|ended|ending|that ended|ends?|that ends?|through)"
    rf"(?: in| on)?(?: (?:the end of|\d{{1,2}}))?(?: (?P<other>{_MONTH})/)?"
    rf" ?(?P<month>{_MONTH})(?: \d{{1,2}},?)? (?P<year>(?:19|20)\d\d)"
)
_YEAR_BEFORE = re.compile(
    r"(?:(?:compared?|up|down|versus|vs\.?|against|from|over|than|on|and) )?(?:(?:with|to"
    r"|from) )?(?:(?:the )?same (?:fiscal )?(?:quarter|period) )?(?:(?:of|in) )?(?:a|the|one) (?:prior |previous )?"
    r"(?:year|quarter) (?:earlier|ago|before)"
    r"|(?:(?:compared?|versus|vs\.?|against|from|over|than|on|and) )?(?:(?:with"
    r"|to) )?(?:the )?(?:same (?:quarter|period)"
    r" (?:of |in )?(?:the )?(?:last|prior|previous) (?:fiscal )?year|year[- ](?:ago|earlier)(?: (?:quarter"
    r"|period|figure))?"
    r"|prior[- ]year (?:quarter|period|figure)|(?:quarter|period) (?:of )?last year)"
    r"|(?:(?:compared (?:with|to)|versus|vs\.?|against|over|from|on) )(?:the )?(?:prior|previous) (?:fiscal )?year"
    r"|(?:compared (?:with|to)|versus|vs\.?|against|over|from|than) year (?:earlier|ago|before)\b"
)
_FULL_YEAR = re.compile(r"\b(?:(?:for|in|over) )?(?:the )?(?:full|whole|entire)[- ](?:fiscal )?year\b")
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
    """Place and month of each period of `places` that is told by the month in which it ends; its year is that day's.

    A quarter that is told so has the number 0 until its company's fiscal year is known, and a day `ANY_END`."""
    against_year_before: bool = False
    """Whether the year before is named as what the figure is compared with."""
    unread: tuple[str, ...] = ()
    months: int = 0
    """Months of the part of a year that ends with each quarter of `periods`, such as 6; 0 for quarters and years."""
    text: str = ""
    """The question with its periods in plain writing: what `places` are places in."""

    @property
    def has_several(self) -> bool:
        """Whether more than one period is named."""
        return len(self.periods) > 1 or self.last > 1 or self.since is not None


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
        self.part = 0
        self.whole = False
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
    taker = _Taker(plain_periods(plain))
    taker.take(_YEAR_BEFORE, lambda _: setattr(taker, "before", True))
    taker.take(_MONTHS_TO, lambda found: _months_to(taker, found))
    taker.take(_QUARTER_ENDED, lambda found: _quarter_ended(taker, found))
    taker.take(_PART_OF_YEAR, lambda found: _part_of_year(taker, found))
    taker.take(_LAST_TO, lambda found: _last_to(taker, found))
    taker.take(_YEARS_TO, lambda found: _years_to(taker, found))
    taker.take(_YEAR_ENDED, lambda found: _ended(taker, found))
    taker.take(_BETWEEN, lambda found: _range(taker, found))
    taker.take(_QUARTERS_TO, lambda found: _quarters_to(taker, found))
    taker.take(_QUARTER_OF, lambda found: _quarter(taker, found))
    taker.take(_DAY, lambda found: _day(taker, found))
    taker.take(_RANGE, lambda found: _range(taker, found))
    taker.take(_SINCE, lambda found: setattr(taker, "since", FiscalPeriod(_named(found, "a") or _named(found, "b"))))
    taker.take(_LAST_OF_REPORT, lambda found: _last(taker, found["count"], "years"))
    taker.take(_LAST, lambda found: _last(taker, found["count"], found["every"]))
    taker.take(_LATEST, lambda found: _last(taker, "1", found["every"]))
    each = taker.take(_EACH_QUARTER, lambda _: None)
    taker.take(_SINGLE, lambda found: taker.one(found, _named(found, "a")))
    if taker.periods or taker.since:
        taker.take(_THOSE_PERIODS, lambda _: None)
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
    return replace(_span(taker), text=plain_periods(plain)), taker.text


def _span(taker: _Taker) -> AskedSpan:
    if taker.since is not None and len(taker.periods) == 1 and taker.periods[0].quarter is None:  # since 2020 … to 2025
        taker.periods = [FiscalPeriod(year) for year in range(taker.since.year, taker.periods[0].year + 1)]
        taker.since = None
    named = set(taker.periods)
    if taker.since in named and len(named) > 1:  # 2022, 2023, 2024, and the change since 2022
        taker.since = None
    if named and taker.last <= len(named):  # the last three years (2022, 2023, 2024); growth in each of the last two
        taker.last = 0
    unread = list(taker.unread)
    if len({period.quarter is None for period in taker.periods}) > 1 and not taker.whole:
        unread.append("years beside quarters")
    if sum((bool(taker.periods), bool(taker.last), taker.since is not None)) > 1:
        unread.append("periods that are told in two ways")
    periods = tuple(sorted(set(taker.periods), key=lambda period: (period.year, period.quarter or 0)))
    quarterly = taker.quarterly or any(period.quarter is not None for period in periods)
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
        taker.part,
    )


def _quarters(taker: _Taker, *, each: bool) -> None:
    """Make quarters of years where each quarter is asked for, or where a quarter stands apart from its year."""
    apart: list[int] = []
    taker.take(_RANGE_OF_QUARTERS, lambda found: apart.extend(range(int(found["p"]), int(found["q"]) + 1)))
    apart += [_quarter_number(found.group()) for found in _ANY_QUARTER.finditer(taker.text)]
    whole = _FULL_YEAR.search(taker.text)
    if whole:
        taker.text = _FULL_YEAR.sub(lambda found: " " * len(found.group()), taker.text)
    if apart:
        taker.text = _ANY_QUARTER.sub(lambda found: " " * len(found.group()), taker.text)
        years = {period.year for period in taker.periods}
        if len(years) != 1:
            taker.unread.append("a quarter without its year")
            return
        full = [FiscalPeriod(year) for year in years if whole]
        named = [period for period in taker.periods if period.quarter is not None]
        taker.periods = full + named + [FiscalPeriod(year, quarter) for year in years for quarter in apart]
        taker.whole = bool(whole)
        taker.places = []
    elif each and taker.periods and not any(period.quarter is not None for period in taker.periods):
        taker.periods = [FiscalPeriod(period.year, quarter) for period in taker.periods for quarter in range(1, 5)]
        taker.places = []
        taker.ended = []
    elif each and not taker.periods:
        taker.quarterly = True
    if whole and not apart and any(period.quarter is not None for period in taker.periods):
        _with_whole_years(taker)
    taker.quarterly = taker.quarterly or any(period.quarter is not None for period in taker.periods)


def _with_whole_years(taker: _Taker) -> None:
    """Add the full years of quarters, where they are asked for beside them and no other year is named."""
    years = {period.year for period in taker.periods if period.quarter is not None}
    if taker.part == 0 and not taker.ended and years >= {period.year for period in taker.periods}:
        taker.periods = [*map(FiscalPeriod, sorted(years)), *taker.periods]
        taker.places = []
        taker.whole = True


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
    taker.ended += [(found.start(), MONTHS.index(month) + 1) for month in (found["month"], found["other"]) if month]


def _months_to(taker: _Taker, found: re.Match[str]) -> None:
    """Take the years that end in a month, from one to another."""
    first, last, month = int(found["a"]), int(found["b"]), MONTHS.index(found["first"]) + 1
    if found["first"] != found["last"] or not first <= last < first + MOST_YEARS:
        taker.unread.append(found.group().strip())
        return
    taker.months = (month,)
    taker.periods += [FiscalPeriod(year) for year in range(first, last + 1)]


def _quarter_ended(taker: _Taker, found: re.Match[str]) -> None:
    months = int(found["months"] or 0)
    if taker.part not in (0, months):
        taker.unread.append("parts of a year of several lengths")
    taker.part = months
    taker.one(found, int(found["year"]), 0)
    taker.ended.append((found.start(), MONTHS.index(found["month"]) + 1))


def _day(taker: _Taker, found: re.Match[str]) -> None:
    taker.one(found, int(found["year"]), ANY_END)
    taker.ended.append((found.start(), MONTHS.index(found["month"]) + 1))


def _part_of_year(taker: _Taker, found: re.Match[str]) -> None:
    quarter, months = _PARTS_OF_YEAR[found["part"]]
    if taker.part not in (0, months):
        taker.unread.append("parts of a year of several lengths")
    taker.part = months
    taker.one(found, _named(found, "a"), quarter)


def _last_to(taker: _Taker, found: re.Match[str]) -> None:
    """Take some years or quarters up to one that is named."""
    quarterly = found["every"].startswith("quarter")
    if quarterly != bool(found["q"]):
        taker.unread.append(found.group().strip())
        return
    period = FiscalPeriod(_named(found, "a"), int(found["q"]) if found["q"] else None)
    for _ in range(_count(found["count"])):
        taker.periods.append(period)
        period = period.before


def _quarters_to(taker: _Taker, found: re.Match[str]) -> None:
    last = FiscalPeriod(_named(found, "b"), int(found["q"]))
    period = FiscalPeriod(_named(found, "a") or last.year, int(found["p"]))
    if not period <= last or last.year - period.year > MOST_YEARS // 4:
        taker.unread.append(found.group().strip())
        return
    while period <= last:
        taker.periods.append(period)
        period = period.after


def _years_to(taker: _Taker, found: re.Match[str]) -> None:
    last, count = _named(found, "a"), _count(found["count"])
    if found["months"]:
        taker.months = tuple(MONTHS.index(month) + 1 for month in found["months"].split("/"))
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
