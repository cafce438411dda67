"""The figures of a table: what each cell is of, from its row, its column, the caption and the heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from tradingagents.features.report_check.filings.naming import name_in_row
from tradingagents.features.report_check.measures import (
    LEAST_BARE,
    FigureMeasure,
    Saying,
    letter_scale,
    measures_of,
    scales_for,
)
from tradingagents.features.report_check.parts import PartRule
from tradingagents.features.report_check.periods import NamedPeriod, named_periods
from tradingagents.features.report_check.report_figure import (
    NOT_IN_DATA,
    NOT_KNOWN,
    UNIT_DOES_NOT_FIT,
    Context,
    Reading,
    ReportFigure,
    is_wanted,
)
from tradingagents.features.report_check.words import PEERS, UNKNOWN, ReportLexicon, named_companies
from tradingagents.provenance.mentions import TextLine
from tradingagents.provenance.numbers import Number, read_numbers
from tradingagents.provenance.wording import NONE, union
from tradingagents.retrieval.reading.tables.units import scales_of

Prose = Callable[[TextLine, str, int, Context], Iterator[ReportFigure]]

_PERCENT = re.compile(r"%|\bper ?cent\b|\bpct\b", re.IGNORECASE)
_CHANGE = re.compile(
    r"\b(?:growth|change|chg\.?|yoy|qoq|increase|variance)\b|[yq]/[yq]|year[\s-]o[nv]e?r?[\s-]year|Δ|\+/-",
    re.IGNORECASE,
)
_QUARTERLY = re.compile(r"\bqoq\b|q/q|quarter[\s-]o[nv]e?r?[\s-]quarter|sequential", re.IGNORECASE)
_VIEW = re.compile(
    r"\b(?:consensus|cons\.?|estimates?|est\.?|forecasts?|guidance|target|budget|plan|our model|street|expected|old"
    r"|new)\b|\d[EF]\b",
    re.IGNORECASE,
)
_PER_SHARE = re.compile(r"\bper (?:\w+ ){0,2}share\b|/share|\bEPS\b", re.IGNORECASE)
_MARGIN = re.compile(r"\bmargins?\b", re.IGNORECASE)
_OF_REVENUE = re.compile(r"%\s*(?:of|to)\s+(?:net\s+|total\s+)?(?:sales|revenues?|turnover)", re.IGNORECASE)
_PARTS_OF_ROW_ABOVE = frozenset({"margin", "margin (%)", "margin %", "% of sales", "% of revenue", "% margin"})
LONGEST_CELL = 45


class RowReader:
    """Reads the rows of tables."""

    def __init__(self, lexicon: ReportLexicon, parts: PartRule) -> None:
        """Set what finds the phrases of a report and judges labels."""
        self._lexicon, self._parts = lexicon, parts
        self._row_before: tuple[str, str] = ("", "")

    def read(
        self, line: TextLine, above: Sequence[str], period: NamedPeriod | None, prose: Prose
    ) -> Iterator[ReportFigure]:
        """Yield the figures of a row.

        Args:
            line: The row, with its header and the heading above it.
            above: Lines right above the table.
            period: The period that the text above names, for tables that name none.
            prose: Reads cells that hold sentences.
        """
        cells, titles = line.text.split("|"), line.header.split("|")
        label = next((cell.strip() for cell in cells if cell.strip()), "")
        named = self._named(line, label)
        caption = " ".join(above[-2:])
        place, seen_label = 0, False
        for at, cell in enumerate(cells):
            is_label = cell.strip() == label and not seen_label
            seen_label = seen_label or is_label
            if any(map(str.isdigit, cell)) and not is_label:
                title = titles[at].strip() if at < len(titles) else ""
                if len(cell) > LONGEST_CELL and self._lexicon.metrics(cell):
                    yield from prose(line, cell, place, Context(period))
                else:
                    yield from self._cell(line, cell, place, (title, named, caption, titles), period)
            place += len(cell) + 1

    def _named(self, line: TextLine, label: str) -> str:
        """Return the label of a row; with the name of the row above where it is its growth or margin: `y/y (%)`."""
        is_change = _CHANGE.search(label) or label.strip("* ").lower() in _PARTS_OF_ROW_ABOVE
        if self._said(label) or not is_change:
            self._row_before = (line.header, label)
            return label
        header, before = self._row_before
        if header == line.header and not self._lexicon.subjects(label):
            return f"{before.split('(')[0].strip()} {label}"
        return label

    def _cell(
        self,
        line: TextLine,
        cell: str,
        place: int,
        names: tuple[str, str, str, Sequence[str]],
        above: NamedPeriod | None,
    ) -> Iterator[ReportFigure]:
        title, label, caption, titles = names
        for figure in read_numbers(cell):
            number = _with_unit(figure, cell, title, label)
            scale = self._scale(title, label, caption, line.heading)
            if scale is not None and number.whole:
                number = number._replace(whole=False)
            text = cell[number.start : number.end]
            metrics = self._metrics(title, label, caption)
            if not is_wanted(number) and not metrics:
                continue
            period = self._period(title, label, caption, line.heading, titles) or above
            said = _saying(title, label)
            measures = measures_of(metrics - {UNKNOWN}, number, text, said)
            subjects = self._subjects(title, label, caption, line.heading)
            scales = scales_for(text, number, measures, scale, in_table=True)
            sure = self._is_sure(title, label) and (
                bool(number.unit) or not number.whole or abs(number.value) >= LEAST_BARE
            )
            start = line.start + place + number.start
            yield ReportFigure(
                start, start + len(text), text, number, f"{line.text.strip()} ({label} | {title})", measures,
                named_companies(subjects), period, scales, sure, True, 0,
                _why_not(f"{title} | {label}", measures, period, subjects, metrics),
                partial(name_in_row, (label, title), (caption, line.heading), said.is_change),
                self._others(measures, subjects, period),
            )  # fmt: skip

    def _others(
        self, measures: tuple[FigureMeasure, ...], subjects: frozenset[str], period: NamedPeriod | None
    ) -> tuple[Reading, ...]:
        """Return the other companies that a cell may be of, where several are named."""
        companies = named_companies(subjects)
        return (
            tuple(Reading(measures, frozenset((company,)), period) for company in sorted(companies))
            if len(companies) > 1
            else ()
        )

    def _metrics(self, title: str, label: str, caption: str) -> frozenset[str]:
        last = label.rpartition(" / ")[2]
        return next(filter(None, map(self._said, (title, last, label, caption))), NONE)

    def _said(self, words: str) -> frozenset[str]:
        """Return the metrics that words name, those within the name of a period left out."""
        periods = named_periods(words)
        marks = self._lexicon.marks(words, "metric")
        return union(mark for mark in marks if not any(each.start <= mark.start < each.end for each in periods))

    def _is_sure(self, title: str, label: str) -> bool:
        headings, _, last = label.rpartition(" / ")
        whole = self._parts.is_whole(title if self._said(title) else last)
        return whole and self._parts.is_heading(headings)

    def _period(self, title: str, label: str, caption: str, heading: str, titles: Sequence[str]) -> NamedPeriod | None:
        """Return the period of a cell; that of the first column for a column that shows a change."""
        for words in (title, label):
            found = [period for period in named_periods(words) if not period.back]
            if found:
                return found[-1]
        if _CHANGE.search(title):
            first = next((period for each in titles for period in named_periods(each)), None)
            if first is not None:
                return first
        for words in (caption, heading):
            found = [period for period in named_periods(words) if not period.is_open]
            if found:
                return found[-1]
        return None

    def _subjects(self, title: str, label: str, caption: str, heading: str) -> frozenset[str]:
        for words in (f"{title} | {label}", caption, heading):
            if found := self._lexicon.subjects(words):
                return found
        return NONE

    def _scale(self, title: str, label: str, caption: str, heading: str) -> float | None:
        for words in (title, label, caption, heading):
            if (read := scales_of(words)).stated:
                return read.money
            if (read_letter := letter_scale(words)) is not None:
                return read_letter
        return None


def _with_unit(number: Number, cell: str, title: str, label: str) -> Number:
    """Return a number of a cell with the unit that its row or column states, and the sign that brackets say."""
    named = f"{title} {label}"
    if (
        not number.unit
        and _PERCENT.search(named)
        and (_PERCENT.search(title) or _PERCENT.search(label.rpartition(" / ")[2]))
    ):
        number = number._replace(unit="%", whole=False)
    if number.bracketed and cell.strip(" *")[:1] == "(":
        number = number._replace(value=-abs(number.value), signed=True, bracketed=False)
    return number


def _saying(title: str, label: str) -> Saying:
    words = f"{title} {label}"
    change = _CHANGE.search(words) is not None
    low = words.lower()
    return Saying(
        bases=frozenset(("quarter",)) if _QUARTERLY.search(words) else frozenset(("year",)) if change else frozenset(),
        is_change=change,
        of_revenue=_OF_REVENUE.search(words) is not None,
        is_margin=_MARGIN.search(words) is not None,
        per_share=_PER_SHARE.search(words) is not None,
        diluted=True if "diluted" in low else False if "basic" in low else None,
    )


def _why_not(
    words: str,
    measures: Sequence[object],
    period: NamedPeriod | None,
    subjects: frozenset[str],
    metrics: frozenset[str],
) -> str:
    """Return why a cell cannot be looked up; empty where it can."""
    if (period is not None and period.forecast) or _VIEW.search(words):
        return "a forecast"
    if period is not None and period.span == "part":
        return "a period that is neither a quarter nor a year"
    if PEERS in subjects and not named_companies(subjects):
        return "of companies that are not named"
    if not measures:
        if metrics and metrics <= {UNKNOWN}:
            return NOT_IN_DATA
        return NOT_KNOWN if not metrics else UNIT_DOES_NOT_FIT
    return ""
