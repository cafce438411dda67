"""A figure of a report with what its words may mean, and what the text before it says of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tradingagents.features.report_check.measures import FigureMeasure
from tradingagents.features.report_check.periods import NamedPeriod
from tradingagents.provenance.numbers import SMALL, Number
from tradingagents.provenance.wording import NONE

if TYPE_CHECKING:
    from tradingagents.features.report_check.filings.cells import CompanyFilings
    from tradingagents.features.report_check.filings.names import FigureName, NameReader

LONGEST_CAPTION = 160

NO_SUCH_FIGURE = "no figure that the data have, and that its unit fits, is named beside it"
NOT_IN_DATA = "a figure that the data do not have"
NOT_KNOWN = "no known figure is named beside it"
UNIT_DOES_NOT_FIT = "its unit does not fit what is named beside it"
FILED_ONLY = frozenset((NO_SUCH_FIGURE, NOT_IN_DATA, NOT_KNOWN, UNIT_DOES_NOT_FIT))
"""Why a figure cannot be looked up in the data, though filings may have it."""
Naming: TypeAlias = "Callable[[NameReader, CompanyFilings], FigureName]"


class Reading(NamedTuple):
    """What a figure is of, as its words may be read."""

    measures: tuple[FigureMeasure, ...]
    subjects: frozenset[str]
    """Symbols in lower case; empty: the report's company."""
    period: NamedPeriod | None


@dataclass(frozen=True, slots=True)
class ReportFigure:
    """A figure of a report, characters [start, end) of its text."""

    start: int
    end: int
    text: str
    number: Number
    line: str
    """The sentence or row that it stands in."""
    measures: tuple[FigureMeasure, ...]
    subjects: frozenset[str]
    """Symbols in lower case; empty: the report's company."""
    period: NamedPeriod | None
    scales: tuple[float, ...]
    """Factors from the printed number to its unit: one where the text says it, several where it doesn't."""
    sure: bool
    """Whether the words say clearly which metric of the company is meant."""
    in_table: bool
    way: int
    not_checkable: str
    """Why it cannot be looked up; empty where it can."""
    named: Naming
    """Returns what it is called, in the words of a company's filings."""
    others: tuple[Reading, ...] = ()
    """What else its words may mean, the likeliest first."""

    def read_as(self, other: Reading) -> ReportFigure:
        """Return the figure as its words may also be read."""
        return replace(self, measures=other.measures, subjects=other.subjects, period=other.period, others=())


@dataclass
class Context:
    """What the text before a sentence says of it; noted sentence by sentence."""

    period: NamedPeriod | None = None
    """The last one that is named, or that of the heading."""
    is_near: bool = False
    """Whether the period stands in the same paragraph, the heading or the line that introduces a list."""
    earlier: tuple[NamedPeriod, ...] = ()
    """Those of the sentences before, in the same paragraph."""
    stated: NamedPeriod | None = None
    """That of the last figure of the same sentence which is no base of a comparison."""
    subject: frozenset[str] = NONE
    metrics: frozenset[str] = NONE
    heading: str = ""


def is_wanted(number: Number) -> bool:
    """Tell whether a number is a figure: no count up to twelve."""
    return not number.whole or abs(number.value) > SMALL


def is_caption(words: str) -> bool:
    """Tell whether a line may say what the table under it shows: it is short and no sentence."""
    return len(words) <= LONGEST_CAPTION and not words.rstrip().endswith((".", "!", "?"))
