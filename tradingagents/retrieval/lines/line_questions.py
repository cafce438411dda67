"""Questions for lines over spans: what of, over which periods, what is computed, what is compared."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal

from tradingagents.retrieval.calculation import Output
from tradingagents.retrieval.line_items import Metric
from tradingagents.retrieval.lines.asked.asked_places import Statement
from tradingagents.retrieval.lines.asked.asked_spans import AskedSpan
from tradingagents.retrieval.lines.asked.plain_text import plain_question
from tradingagents.retrieval.series.span import FiscalPeriod

LineFunction = Literal[
    "value", "growth", "sequential", "multiple", "cagr", "average", "weighted", "sum", "since_highest",
    "since_lowest",
]  # fmt: skip
"""What is computed; `sequential` is the growth of a period over the one just before it, and `since_highest` the change
from the highest of the periods to the last one."""
Direction = Literal["highest", "lowest", "both", ""]
Qualifier = Literal[
    "adjusted",
    "organic",
    "constant currency",
    "excluding",
    "core",
    "originally reported",
    "latest",
    "GAAP",
    "basic",
    "diluted",
]
Group = Literal["segment", "region", "product", ""]
COMPANY_MARK = 0xE000
"""Code of the sign that stands for the first company of a question; the second is the next one, and so on."""


@dataclass(frozen=True, slots=True)
class AskedMeasure:
    """Something that is measured."""

    name: str
    """In the words of the question."""
    expression: str
    """Formula over line items, for one period; empty where only a row of that name can give it."""
    output: Output = "money"
    metric: Metric | None = None
    item: str = ""
    """The line item, where it is one."""
    qualifiers: tuple[Qualifier, ...] = ()
    """Those said of it."""


@dataclass(frozen=True, slots=True)
class LineQuestion:
    """A question for lines, read."""

    text: str
    measures: tuple[AskedMeasure, ...] = ()
    labels: tuple[str, ...] = ()
    """Phrases that rows of tables have to answer for, such as a segment, a product or a figure of the company's own."""
    alternatives: tuple[str, ...] = ()
    """Those of `labels` that are set against each other or listed: a figure is wanted of each."""
    apart: frozenset[str] = frozenset()
    """Those of `alternatives` that are set apart from the one before, and are no one name together with it."""
    span: AskedSpan = field(default_factory=AskedSpan)
    of_companies: tuple[tuple[int, int, FiscalPeriod], ...] = ()
    """The number of each company with its period and where that stands, where each has one of its own."""
    year_end: tuple[int, int] | None = None
    """Year and month in which the last fiscal year ends, where the question says so beside its name."""
    own_labels: tuple[tuple[int, str], ...] = ()
    """Phrases that only rows of one company have to answer for, with its number."""
    trailing: bool = False
    """Whether the four quarters up to one are meant together."""
    in_amount: bool = False
    """Whether changes are compared in amounts rather than in per cent."""
    per_one: str = ""
    """What an amount is for one of, as `card` of `fee per card`: only a row that says so has it."""
    and_amount: bool = False
    """Whether the figure is wanted beside its change, as in `$ and % change`."""
    and_growth: bool = False
    """Whether the change is wanted beside its figure, as in `revenue and its growth`."""
    per_employee: bool = False
    """Whether amounts are wanted for each of those who work for a company."""
    in_points: bool = False
    """Whether a change is wanted in percentage points."""
    combined: tuple[str, ...] = ()
    """Those of `alternatives` that are to be added up."""
    functions: tuple[LineFunction, ...] = ()
    direction: Direction = ""
    """Which of several is asked for: of companies, labels, a group or periods; empty where none is."""
    of_losses: bool = False
    """Whether `direction` is told of losses, which figures show as negative: of the largest it is the lowest one."""
    over_periods: bool = False
    """Whether it is a period that is asked for, as in "which quarter was best"."""
    group: Group = ""
    """Whose members are compared, as in "which segment"."""
    qualifiers: tuple[Qualifier, ...] = ()
    """All that are said."""
    with_total: bool = False
    """Whether the figure of the whole company is asked for beside those of a group."""
    context: str = ""
    """What the labels are parts of, as in "within the data center business"."""
    without: frozenset[str] = frozenset()
    """Words that rows must not have: they are said not to be meant."""
    excluded: str = ""
    """What is to be left out, in the words of the question."""
    compares: bool = False
    """Whether companies are set against each other."""
    by_size: bool = False
    """Whether it is the figures that are compared, though their growth is asked for too."""
    against: bool = False
    """Whether words set figures against each other, such as `versus`, `compared with` or `by how many points`."""
    spoken: frozenset[str] = frozenset()
    """Words of the question, as words of rows are compared, that are none of its labels."""
    printed: frozenset[str] = frozenset()
    """Those of `labels` that are the labels of rows as they are printed: no other row answers for them."""
    statement: Statement = ""
    """The statement in which the figures stand, where the question says so."""
    of_report: int = 0
    """Fiscal year of the annual report in which they stand, where the question says so; 0 where it does not."""
    unread: tuple[str, ...] = ()
    """Parts that no rule reads, such as a half-year."""

    @property
    def is_plain(self) -> bool:
        """Whether it asks for one figure of one period, without a qualifier or a label of its own."""
        one = len(self.span.periods) <= 1 and self.span.last <= 1 and self.span.since is None
        several = (
            self.trailing
            or self.compares
            or self.group
            or self.direction
            or len(self.measures) > 1
            or self.combined
            or self.per_employee
        )
        spoken = set(self.qualifiers) - {"GAAP", "diluted", "basic"}
        return one and not (self.labels or self.own_labels or spoken or several)

    @property
    def part(self) -> str:
        """The words beside a measure that ask for a part of it, as `advertising` revenue; empty where none do."""
        plain = plain_question(self.text)
        for measure in self.measures:
            for label in self.labels:
                words, name = r"\W+".join(map(re.escape, label.split())), re.escape(measure.name)
                beside = rf"(?<!\w){words} {name}\b|\b{name} (?:from|of|in|for|by) (?:the |its |their )?{words}(?!\w)"
                if not _STATE.fullmatch(label) and re.search(beside, plain):
                    return label
        return ""

    @property
    def is_plain_but_for_words(self) -> bool:
        """Whether it were plain without words that no rule knows."""
        return replace(self, labels=(), alternatives=()).is_plain and not self.excluded


ORGANIC = re.compile(r"\borganic(?:ally)?(?: local[- ]currency)?\b|\blike[- ]for[- ]like\b")
CORE = re.compile(r"\bcore\b")
_STATE = re.compile(
    r"improv(?:ing|ed)|declin(?:ing|ed)|grow(?:ing|n)|rising|falling|positive|negative|healthy|stable|meaningful|useful"
    r"|relevant|conventional|reasonable|significant|expenses?|costs?|spending|stated|actual|exact"
)
"""Words beside a measure that say how it is, and name no part of it."""


def qualifiers_in(text: str) -> frozenset[Qualifier]:
    """Return the qualifiers that a text in small letters says, such as a row's label or a column's head."""
    return frozenset(name for name, pattern in _PRINTED if pattern.search(text))


_PRINTED: tuple[tuple[Qualifier, re.Pattern[str]], ...] = (
    ("organic", ORGANIC),
    ("core", CORE),
    ("adjusted", re.compile(r"(?<!un)\badjusted\b|non-?\s?gaap|\bunderlying\b|\bnormali[sz]ed\b")),
    (
        "constant currency",
        re.compile(
            r"constant[- ]currenc|currency[- ]neutral|fx[- ](?:adjusted|neutral)|(?:at )?(?:prior"
            r"|previous)\W(?:(?:year|period)\W)?(?:exchange )?rates|\boperation(?:s|al)\b(?= change)"
            r"|no changes in fx|local[- ]currenc|decrease\)? local\b|(?:exclud|without"
            r"|ex)\w*.{0,45}(?:currency|exchange)"
        ),
    ),
    ("GAAP", re.compile(r"\bas reported\b|(?<!non-)(?<!non )\bgaap\b")),
)
"""How tables print them."""
