"""Common writings of periods, brought to the few that `asked_spans` reads: `1Q21`, `'22`, `2013, 14 and 15`."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

_MONTHS = {
    "jan": "january", "feb": "february", "mar": "march", "apr": "april", "jun": "june", "jul": "july",
    "aug": "august", "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
}  # fmt: skip
_NAMES = "january|february|march|april|may|june|july|august|september|october|november|december"
_CENTURY = 70
"""Two digits below it are of this century."""
_SHORT_MONTH = re.compile(
    r"\b(?P<month>jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b\.?(?=\s?[-/]?\s?(?:'?\d|quarter\b|year\b|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)))"
)
_FISCAL = r"(?:(?:of |in |for )?(?:the )?(?:fiscal(?: year)?|financial year|calendar(?: year)?|fy|cy)\s?)?"
_WORD_QUARTERS = {"first": "1", "second": "2", "third": "3", "fourth": "4"}
_COUNTS = {"six": "6", "6": "6", "nine": "9", "9": "9"}


_SHORT_YEARS = re.compile(
    r"(?<![\w$.,'/-])'?[12]\d(?:(?:\s?[,/&]\s?(?:and )?|\s(?:and|vs\.?|versus)\s)'?[12]\d){1,9}"
    r"(?![\w%]|[.,]\d|-|\s?(?:%|percent|million|billion|days|months|years|quarters|stores|bps|basis))"
)
"""Years of two digits one after another, as `22, 23 and 24`."""


def _full(year: str) -> str:
    if len(year) == 4:
        return year
    return f"{'20' if int(year) < _CENTURY else '19'}{year}"


def _month_quarter(found: re.Match[str]) -> str:
    return f"quarter ended {found['month']} {_full(found['year'])} "


def _short_years(found: re.Match[str]) -> str:
    """Return years in full; beside a year of four digits, or down the list, numbers of two are none."""
    years = [_full(year) for year in re.findall(r"\d\d", found.group())]
    if re.search(r"\b(?:19|20)\d\d\b", found.string) or years not in (sorted(set(years)), sorted(set(years))[::-1]):
        return found.group()
    return f" {' , '.join(years)} "


_YEARS_IN_A_ROW = re.compile(
    r"(?<![\w$.,'/-])(?P<first>(?:19|20)\d\d)(?P<rest>(?: '?\d\d){1,9})(?![\w%]|[.,]\d|[-/]|\s?(?:%|percent|million"
    r"|billion|days|weeks|months|years|quarters|stores|bps|basis))"
)
"""Years without anything between them, as `2016 17 18`."""


def _years_in_a_row(found: re.Match[str]) -> str:
    """Return years in full, where each follows the one before it; other numbers are none."""
    years = [_full(year) for year in re.findall(r"\d+", found.group())]
    steps = {int(after) - int(before) for before, after in pairwise(years)}
    return f" {' , '.join(years)} " if len(steps) == 1 and steps <= {1, -1} else found.group()


_SLASHED = re.compile(
    r"\b(?P<first>(?:fy\s?|cy\s?)?(?:19|20)\d\d|fy\s?'?\d\d)(?P<rest>(?:\s?/\s?(?:fy\s?)?'?(?:(?:19|20)\d\d|\d\d)){2,9})"
    r"(?![\d%/]|[.,]\d)"
)
"""Three years or more, as `2020/21/22`; two, as `2020/21`, may be one fiscal year."""
_TO = r"\s{0,2}(?:-|to|through|until|till)\s?"
_NO_YEAR = r"(?!\d)(?!,? ?\(?(?:of |in )?(?:fiscal |fy|cy)?\s?'?\d\d)"
_WORDS_OF_QUARTERS = re.compile(
    rf"\b(?:the )?(?P<first>first|second|third)(?: quarters?)?{_TO}(?:the )?"
    r"(?P<last>second|third|fourth) (?:fiscal )?quarters?\b"
)
_YEAR_BESIDE_QUARTERS = re.compile(
    rf"(?<![\w'])(?P<year>(?:fy\s?)?(?:19|20)\d\d|fy\s?'?\d\d),?\s?(?P<open>\()?q(?P<first>[1-4])"
    rf"{_TO}q(?P<last>[1-4]){_NO_YEAR}"
    r"(?(open)\))"
)
"""A range of quarters behind its year, as `2020 (q1 to q4)`."""
_QUARTERS_OF_FIRST_YEAR = re.compile(
    rf"\bq(?P<first>[1-4]) (?:of )?(?P<year>(?:fy\s?)?(?:19|20)\d\d){_TO}q(?P<last>[1-4]){_NO_YEAR}"
)
"""A range of quarters of one year that stands with the first of them."""


def _quarters_of_year(found: re.Match[str], year: str) -> str:
    return f"q{found['first']} {year} to q{found['last']} {year}"


_LEAVING = re.compile(r"\b(?:exiting|closing|finishing|ending) (?=(?:calendar |fiscal |fy|cy|q[1-4]|[1-4]q|'?\d\d))")
_TWO = re.compile(r"(?:19|20)\d\d|\d\d")
_RULES: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (_SHORT_MONTH, lambda found: _MONTHS[found["month"]]),
    (re.compile(r"\bthru\b"), lambda _: "through"),
    (_SLASHED, lambda found: f"{found['first']} , {' , '.join(_full(year) for year in _TWO.findall(found['rest']))} "),
    (re.compile(rf"\b(?:fye|ye|y/e)\b(?= (?:{_NAMES}))"), lambda _: "year ended"),
    (re.compile(r"\b(?:fye|ye|y/e|yr|f/y)(?=\s?'?\d)"), lambda _: "fy"),
    (re.compile(r"\bcy\s?'?(?P<year>\d\d)\b(?!%|[.,]\d)"), lambda found: _full(found["year"])),
    (re.compile(r"\b(?P<first>[1-4])q ?(?:-|to|through) ?(?=[1-4]q)"), lambda found: f"q{found['first']} to "),
    (re.compile(r"\b(?:at |as of |by )?(?:the )?(?:fiscal )?(?:ye|y/e|yearend|eoy|yr[- ]?end)\b"), lambda _: " "),
    (_LEAVING, lambda _: "in "),
    (
        re.compile(r"\b(?:fiscal|calendar|financial)(?: year)? '?(?P<year>[0-4]\d)\b(?!%|[.,]\d)"),
        lambda found: f"fy{found['year']}",
    ),
    (re.compile(r"\b(?P<count>\d{1,2}) ?-?y(?:rs?)?\b(?! ?/)"), lambda found: f"{found['count']}-year"),
    (re.compile(r"\byrs\b"), lambda _: "years"),
    (re.compile(r"\byr\b(?!\s?'?\d)"), lambda _: "year"),
    (re.compile(r"\bfy\b(?!\s?'?\d)"), lambda _: "fiscal year"),
    (re.compile(r"\bqtrs?\b"), lambda found: "quarters" if found.group().endswith("s") else "quarter"),
    (re.compile(r"\b(?P<q>[1-4])q(?=\W?\s?(?:fy|cy)?\s?'?\d)\W?"), lambda found: f"q{found['q']} "),
    (re.compile(r"\b(?P<h>[12])h(?=\W?\s?(?:fy|cy)?\s?'?\d)\W?"), lambda found: f"h{found['h']} "),
    (
        re.compile(
            rf"\b(?P<quarters>q[1-4](?:\s?(?:,|\+|&|/|and|plus|vs\.?|versus|or){{1,2}}\s?q[1-4]){{1,3}}),?\s?"
            rf"(?:of |in |for )?{_FISCAL}'?(?P<year>(?:19|20)\d\d|[0-4]\d)(?![\d.,%]\d|\d|\s?%)"
        ),
        lambda found: re.sub(r"q[1-4]", rf"\g<0> {_full(found['year'])} ", found["quarters"].replace("+", ",")),
    ),
    (
        re.compile(
            rf"\b(?P<part>[qh][1-4])[-/.,]?\s?(?:of |in |for )?{_FISCAL}'?(?P<year>(?:19|20)\d\d"
            rf"|[0-4]\d)(?![\d.,%]\d|\d|\s?%)"
        ),
        lambda found: f"{found['part']} {_full(found['year'])} ",
    ),
    (
        re.compile(rf"\b(?P<which>first|second)[- ]half\s?(?:of |in |for )?{_FISCAL}'?(?P<year>(?:19|20)\d\d"
        rf"|[0-4]\d)(?!\d)"),
        lambda found: f"h{_WORD_QUARTERS[found['which']]} {_full(found['year'])} ",
    ),
    (
        re.compile(rf"\bfirst six months\s?(?:of |in |for )?{_FISCAL}'?(?P<year>(?:19|20)\d\d|[0-4]\d)(?!\d)"),
        lambda found: f"h1 {_full(found['year'])} ",
    ),
    (
        re.compile(rf"\bfirst nine months\s?(?:of |in |for )?{_FISCAL}'?(?P<year>(?:19|20)\d\d|[0-4]\d)(?!\d)"),
        lambda found: f"m9 {_full(found['year'])} ",
    ),
    (
        re.compile(
            r"\b(?<!between )(?P<first>(?:fy\s?)?(?:19|20)\d\d|fy\s?'?\d\d)"
            r"(?P<rest>(?:\s{0,3}(?:,|&|\band\b|,\s?and|\bvs\b\.?|\bversus\b|\bor\b)\s{0,3}(?:fy\s?)?'?\d\d"
            r"(?![\d%]|[.,]\d|\s?(?:percent|million|billion|days|months|years|quarters)|-)){1,9})"
        ),
        lambda found: " , ".join((found["first"], *(_full(year) for year in re.findall(r"\d\d", found["rest"])))),
    ),
    (
        re.compile(r"\b(?P<first>(?:fy\s?)?(?:19|20)\d\d|fy\s?'?\d\d)\s?(?:-|to|through)\s?(?:fy\s?)?'?(?P<last>\d\d)(?![\d%]|[.,]\d)"),
        lambda found: f"{found['first']} to {_full(found['last'])}",
    ),
    (_YEARS_IN_A_ROW, _years_in_a_row),
    (_WORDS_OF_QUARTERS, lambda found: f"q{_WORD_QUARTERS[found['first']]} to q{_WORD_QUARTERS[found['last']]} "),
    (_YEAR_BESIDE_QUARTERS, lambda found: f" {_quarters_of_year(found, found['year'])} "),
    (_QUARTERS_OF_FIRST_YEAR, lambda found: f" {_quarters_of_year(found, found['year'])} "),
    (_SHORT_YEARS, _short_years),
    (re.compile(r"(?<![\w'])'(?P<year>[0-4]\d)\b"), lambda found: _full(found["year"])),
    (
        re.compile(
            rf"\b(?:(?:fiscal )?quarter|three months|3 months|13 weeks)(?: period)? (?:ended|ending|to"
            rf"|that ended)(?: on| in)?"
            rf" (?P<month>{_NAMES})(?: \d{{1,2}},?)?,? '?(?P<year>(?:19|20)\d\d|[0-4]\d)(?!\d)"
        ),
        _month_quarter,
    ),
    (
        re.compile(
            rf"\b(?P<count>six|nine|6|9)[- ]months?(?: period)? (?:ended|ending|to|through|that ended)(?: on| in)?"
            rf" (?P<month>{_NAMES})(?: \d{{1,2}},?)?,? '?(?P<year>(?:19|20)\d\d|[0-4]\d)(?!\d)"
        ),
        lambda found: f"{_COUNTS[found['count']]} months ended {found['month']} {_full(found['year'])} ",
    ),
    (
        re.compile(rf"\b(?P<month>{_NAMES})[- ]?(?:of )?'?(?P<year>(?:19|20)\d\d|[0-4]\d)[- ](?:fiscal )?quarter\b"),
        _month_quarter,
    ),
    (
        re.compile(
            rf"\b(?P<month>{_NAMES})[- ]quarter,? (?:of |in )?(?:fiscal |fy|calendar )?'?(?P<year>(?:19"
            rf"|20)\d\d|[0-4]\d)(?!\d)"
        ),
        _month_quarter,
    ),
    (
        re.compile(rf"\b(?P<month>{_NAMES})(?: \d{{1,2}}(?:st|nd|rd|th)?,?)? '(?P<year>[0-4]\d)\b"),
        lambda found: f"{found['month']} {_full(found['year'])}",
    ),
    (re.compile(r"\b(?:at |as at |as of |by )?(?:the )?(?:year|fiscal year|period)[- ]ends?\b(?! (?:with"
    r"|up))"), lambda _: " "),
    (re.compile(r"\b(?:at|by|as of|as at)? ?(?:the )?(?:end|close) of (?=(?:fiscal |fy\s?|calendar "
    r"|q[1-4] )?'?\d)"), lambda _: " in "),
    (re.compile(r"\b(?:as of|as at) (?=(?:fiscal |fy|year|december|q[1-4]))"), lambda _: " in "),
)  # fmt: skip


_DAYS_OF_YEARS = re.compile(rf"\b\d{{1,2}} (?:{_NAMES})\s?/\s?(?=\d{{1,2}} (?:{_NAMES})\b)")
"""The first of two days on which fiscal years end, as `31 january/2 february 2025`."""
_MONTH_ALONE = re.compile(rf"\(\s?(?:{_NAMES}|{'|'.join(_MONTHS)})\.?\s?\)")
"""A remark on the month in which years end."""
_SAID_AGAIN = re.compile(r"\b(?:in|for|during) (?:fy)?'?(?P<year>\d\d)(?=\s?(?:[?,;.)]|$))")


def _said_before(found: re.Match[str]) -> str:
    """Return nothing for a year of two digits that stands before in full, as in `2015, 16 and 17, growth in 17`."""
    return " " if re.search(rf"\b20{found['year']}\b", found.string[: found.start()]) else found.group()


def plain_periods(text: str) -> str:
    """Return a question in small letters with its periods in the writings that `read_spans` reads.

    A quarter that is told by the month in which it ends is written `quarter ended <month> <year>`, a half-year
    `h1 2025` and the first nine months of a year `m9 2025`.
    """
    for pattern, written in _RULES:
        text = pattern.sub(written, text)
    text = _SAID_AGAIN.sub(_said_before, _MONTH_ALONE.sub(" ", _DAYS_OF_YEARS.sub(" ", text)))
    return f" {' '.join(text.split())} "
