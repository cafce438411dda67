"""Which fiscal period a statement speaks of, in the fiscal year and quarter of the document that makes it.

A document about the third quarter of fiscal 2021 means its fourth by `next quarter`, fiscal 2021 by `the full year`,
and the first of fiscal 2022 by `the first quarter`. One about a fourth quarter, or a whole year, means by `this year`
and `the full year` the year after it; `next year` is then not resolved: speakers mean now the one, now the other.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from tradingagents.retrieval.models import DocumentInfo
from tradingagents.retrieval.text_figures import MONTHS

QUARTER_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
_NAMED = r"(?:(?:fiscal|calendar)(?:[ -]year)?[ -]|full[ -]year[ ]|\b[FC]Y[ -]?)"
"""What stands before a year by its name, or by its last two digits."""
_NO_UNIT = r"\b(?!\s?%|[.,]\d|[ -](?:percent|million|billion|basis|bps|cents|weeks?|months?|quarters?)\b)"
_YEAR = rf"(?:{_NAMED}?(?:20\d\d|[\u2018\u2019'][123]\d\b)|{_NAMED}[123]\d{_NO_UNIT})"
_YEAR_BEFORE = r"(?P<year_before>(?:(?:fiscal|calendar)(?:[ -]year)?[ ]|FY[ ]?|CY[ ]?)?20\d\d)[ ](?:fiscal[ ])?"
_YEAR_BEFORE_WORD = _YEAR_BEFORE.replace("year_before", "year_before_word")
PERIOD_MENTION = re.compile(
    rf"""
      (?P<quarter>\b(?:{_YEAR_BEFORE})?(?:Q(?P<number>[1-4])|(?P<number_quarter>[1-4])Q)
          (?:[ -]?(?:of[ ])?(?:the[ ])?(?P<quarter_year>{_YEAR}|(?<=\dQ)[123]\d|(?<=Q\d)[23]\d))?\b
        | \b(?:{_YEAR_BEFORE_WORD})?(?P<word>first|second|third|fourth|1st|2nd|3rd|4th)[ -](?:fiscal[ ])?quarter
          (?:,?[ ](?:(?:of|in)[ ])?(?:the[ ])?(?P<word_year>{_YEAR})|[ ](?:of[ ])?this[ ](?:fiscal[ ])?year\b)?)
    | (?P<month>\b(?P<month_name>{"|".join(MONTHS)})(?:[ ](?P<month_year>20\d\d))?[ -]quarter\b)
    | (?P<half>\b(?:(?P<half_word>first|second|back|front)[ -]half|(?P<half_number>[12])H|H(?P<number_half>[12]))
          (?:[ ]of(?:[ ](?:the|this|our))?(?:[ ](?:fiscal[ ])?year)?)?(?:[ ]?(?P<half_year>{_YEAR}|(?<=\dH)[123]\d\b))?)
    | (?P<ending>\b(?:(?P<ending_quarter>quarter|three[ ]months)|(?:fiscal[ ])?year|twelve[ ]months)
          [ ](?:that[ ]ends|which[ ]ends|ending)[ ](?:on[ ])?(?P<ending_month>{"|".join(MONTHS)})(?:[ ]\d{{1,2}})?
          (?:,?[ ]20\d\d)?\b)
    | (?P<next_quarter>\b(?:next|coming|upcoming|following)[ ]quarter\b)
    | (?P<this_quarter>\b(?:current|this)[ ]quarter\b)
    | (?P<rest>\b(?:rest|remainder|balance)[ ]of[ ](?:the[ ]|this[ ])?(?:fiscal[ ])?(?:year\b|{_YEAR}))
    | (?P<next_year>\b(?:next|coming|upcoming)[ ](?:fiscal[ ])?year\b)
    | (?P<this_year>\b(?:this|the[ ]current|current)[ ](?:fiscal[ ]|calendar[ ])?year(?:'s)?\b|\blater[ ]this[ ]year\b)
    | (?P<named>(?:\b(?:full[ -](?:fiscal[ -])?year|full[ ]fiscal|annual|for)[ ])?
          (?:(?:\b(?:fiscal|calendar)(?:[ -]year)?[ ]?)?(?<![\d.,$])
            (?:\b(?P<full>20\d\d)\b(?!\s*(?:basis|shares|people|customers|stores))|[\u2018\u2019'](?P<short>[123]\d)\b)
          |\b[FC]Y[ -]?(?:(?P<glued>20\d\d)|[\u2018\u2019']?(?P<glued_short>[123]\d))(?:E|A)?{_NO_UNIT}
          |\b(?:fiscal(?:[ -]year)?|full[ -]year)[ ](?P<bare>[123]\d){_NO_UNIT})
          (?:[ ](?:full[ -](?:fiscal[ -])?|fiscal[ -])year\b)?)
    | (?P<whole>\b(?:full[ -](?:fiscal[ -])?year|(?:for|in|throughout)[ ]the[ ](?:fiscal[ ])?year(?![ ]end(?:ed|ing))
          |year[ -]end
          |end[ ]of[ ]the[ ](?:fiscal[ ])?year|(?:our|the)[ ]annual|for[ ]the[ ]fiscal[ ]year(?![ ]end(?:ed|ing))
          |fiscal[ ]year(?![ ](?:end|20|[\u2018\u2019']))|yearly|annual)\b)
    """,
    re.VERBOSE | re.IGNORECASE,
)
PERIOD_WORDS = re.compile(
    rf"\b(?:(?:first|second|third|fourth) quarter(?: of)?(?: (?:fiscal )?(?:year )?20\d\d)?|Q[1-4](?:[ -]{_YEAR})?"
    rf"|[1-4]Q(?:[ ]?(?:20)?\d\d)?|(?:full[ -]year|fiscal year|fiscal|FY|CY)[ -]?(?:fiscal )?(?:20)?\d\d|full[ -]year"
    r"|20\d\d)\b",
    re.IGNORECASE,
)
"""Periods as headings of columns name them."""
_COMPARED = re.compile(
    r"\b(?:versus|vs\.?|compared (?:to|with)|relative to|over|than|off of|against|from|since|when compared to|to the"
    r" comparable|of|in line with|consistent with|similar to|as in|equivalent to|baseline of|returning to)"
    r" (?:the |our |its |that of |both |expected |adjusted |what we (?:saw|had) in |last |prior "
    r"|same period (?:in|of) |recent |most recent |previous )*"
    r"(?:full[ -]year )?$",
    re.IGNORECASE,
)
_DAY_BEFORE = re.compile(rf"\b(?:{'|'.join(MONTHS)}) \d{{1,2}}, $", re.IGNORECASE)
"""A year behind these words is that of a date."""
_COURSE = re.compile(
    r"\b(?:(?:over|through|throughout|during) the (?:course|whole|duration)|(?:by|at) (?:the )?end)"
    r" of (?:the )?$",
    re.IGNORECASE,
)
_BY = re.compile(
    r"\b(?:by|through|until|beyond|at least|toward|towards|starting in|beginning in)(?: the end of)? $", re.I
)


_GOAL_BEHIND = re.compile(
    r" (?:[\w-]+ ){0,2}(?:targets?|goals?|objectives?|ambitions?|aspirations?|vision|framework|plan)\b", re.IGNORECASE
)
"""Words behind a far year that make it the end of a horizon: `our 2028 targets`."""


class GuidedPeriod(NamedTuple):
    """A fiscal year, or a quarter or half of it."""

    year: int
    quarter: int | None = None
    half: int | None = None

    @property
    def label(self) -> str:
        """Such as `FY2022`, `Q2 FY2022`, `H2 FY2022`."""
        part = f"Q{self.quarter} " if self.quarter else f"H{self.half} " if self.half else ""
        return f"{part}FY{self.year}"

    @property
    def order(self) -> tuple[int, int]:
        """By its end, a year after its last quarter."""
        return self.year, self.quarter or (2 if self.half == 1 else 4 if self.half == 2 else 5)


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A period that a sentence names."""

    start: int
    end: int
    period: GuidedPeriod | None
    """None where it is named but cannot be resolved."""
    is_comparison: bool = False
    """Whether it is the base of a comparison, as in `versus 2019`."""
    is_past: bool = False
    """Whether the document reports it or a later one."""
    horizon: bool = False
    """Whether it ends a horizon of several years, as in `by 2025` or `through 2025`."""


class FiscalClock:
    """The fiscal year and quarter that a document reports, from which it speaks of later ones."""

    def __init__(self, info: DocumentInfo) -> None:
        """Read a document's period; one without a fiscal year resolves only years that are written out."""
        self.year = info.fiscal_year
        self.quarter = info.fiscal_quarter or (4 if info.fiscal_year is not None else None)
        self.known_at = info.known_at
        self.period_end = info.period_end

    def mentions(self, text: str) -> list[PeriodMention]:
        """Return the periods that a sentence names, in its order."""
        matches = (
            match for match in PERIOD_MENTION.finditer(text) if not _DAY_BEFORE.search(text[: match.start()][-20:])
        )
        return [self._mention(text, match) for match in matches]

    @property
    def guided_year(self) -> GuidedPeriod | None:
        """The fiscal year that is guided for: the current one, or after a fourth quarter the next."""
        if self.year is None or self.quarter is None:
            return None
        return GuidedPeriod(self.year if self.quarter < 4 else self.year + 1)

    @property
    def next_quarter(self) -> GuidedPeriod | None:
        """The quarter after the one that is reported."""
        if self.year is None or self.quarter is None:
            return None
        return GuidedPeriod(self.year, self.quarter + 1) if self.quarter < 4 else GuidedPeriod(self.year + 1, 1)

    def is_past(self, period: GuidedPeriod) -> bool:
        """Tell whether the document reports a period, or a later one."""
        if self.year is None or self.quarter is None:
            return False
        if period.quarter is not None:
            return (period.year, period.quarter) <= (self.year, self.quarter)
        last = 2 if period.half == 1 else 4
        return (period.year, last) <= (self.year, self.quarter)

    def _mention(self, text: str, match: re.Match[str]) -> PeriodMention:
        before = text[: match.start()]
        period = self._period(match)
        compared = _COMPARED.search(before) is not None and not _COURSE.search(before)
        named_year = match["named"] is not None or match["quarter"] is not None or match["half"] is not None
        past = period is not None and self.is_past(period)
        far = period is not None and self.year is not None and period.year > self.year + 1
        of_a_goal = _BY.search(before) is not None or _GOAL_BEHIND.match(text, match.end()) is not None
        horizon = match["named"] is not None and far and of_a_goal
        return PeriodMention(match.start(), match.end(), period, compared and named_year, past, horizon)

    def _period(self, match: re.Match[str]) -> GuidedPeriod | None:
        if match["quarter"]:
            digit = match["number"] or match["number_quarter"]
            number = int(digit) if digit else QUARTER_WORDS[match["word"].lower()]
            year = match["quarter_year"] or match["word_year"] or match["year_before"] or match["year_before_word"]
            return self._quarter(number, year)
        if match["ending"]:
            return self._month(match["ending_month"]) if match["ending_quarter"] else self.guided_year
        if match["month"]:
            month, year = MONTHS.index(match["month_name"].lower()) + 1, int(match["month_year"] or 9999)
            if (year, month) < (self.known_at.year, self.known_at.month):
                return None  # counted from the day of the document it would be a later one of that name
            return self._month(match["month_name"])
        if match["half"]:
            return self._half(match)
        if match["next_quarter"]:
            return self.next_quarter
        if match["this_quarter"]:
            return None
        if match["named"]:
            digits = (match[name] for name in ("full", "short", "glued", "glued_short", "bare"))
            return GuidedPeriod(_full_year(next(found for found in digits if found)))
        if match["next_year"] or match["this_year"]:
            if self.year is None or self.quarter is None or self.quarter == 4:
                return self.guided_year if match["this_year"] else None
            return GuidedPeriod(self.year + (1 if match["next_year"] else 0))
        written = re.search(r"20\d\d|[\u2018\u2019'][123]\d", match[0])
        if written:
            return GuidedPeriod(_full_year(written[0].lstrip("\u2018\u2019'")))
        return self.guided_year

    def _quarter(self, number: int, year: str | None) -> GuidedPeriod | None:
        if year:
            return GuidedPeriod(_full_year(re.sub(r"\D", "", year)), number)
        if self.year is None or self.quarter is None:
            return None
        if self.quarter == 4:
            return GuidedPeriod(self.year + (1 if number < 4 else 0), number)
        return GuidedPeriod(self.year if number >= self.quarter else self.year + 1, number)

    def _half(self, match: re.Match[str]) -> GuidedPeriod | None:
        word = (match["half_word"] or "").lower()
        number = match["half_number"] or match["number_half"]
        half = int(number) if number else 1 if word in ("first", "front") else 2
        if match["half_year"]:
            return GuidedPeriod(_full_year(re.sub(r"\D", "", match["half_year"])), half=half)
        guided = self.guided_year
        return None if guided is None else GuidedPeriod(guided.year, half=half)

    def _month(self, name: str) -> GuidedPeriod | None:
        """Return the quarter that ends in a month: counted from the last such quarter end before publication."""
        reported, following = MONTHS.index(name.lower()) + 1, self.next_quarter
        if following is None or self.year is None or self.quarter is None:
            return None
        last = next(
            month for back in range(13) if (month := (self.known_at.month - 2 - back) % 12 + 1) % 3 == reported % 3
        )
        ahead = (reported - last) % 12 // 3
        period = GuidedPeriod(self.year, self.quarter)
        for _ in range(ahead):
            number = period.quarter or 0
            period = GuidedPeriod(period.year, number + 1) if number < 4 else GuidedPeriod(period.year + 1, 1)
        return period


def _full_year(digits: str) -> int:
    return int(digits) if len(digits) == 4 else 2000 + int(digits)
