# ruff: noqa: RUF001
"""The figures of a report: whose each is, which metric, of which period, in which unit, from the words around it."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, product
from typing import TypeVar

from tradingagents.dataflows.reference.line_items import PER_SHARE
from tradingagents.features.report_check.filings.naming import name_in_sentence
from tradingagents.features.report_check.grammar.patterns import SAYS_WHAT
from tradingagents.features.report_check.grammar.sentence import MOST_DOUBTFUL, FigureSentence, StatedFigure
from tradingagents.features.report_check.grammar.splitting import sentence_ends
from tradingagents.features.report_check.measures import scales_for
from tradingagents.features.report_check.parts import PartRule
from tradingagents.features.report_check.periods import NamedPeriod, filled, named_periods
from tradingagents.features.report_check.report_figure import (
    NO_SUCH_FIGURE,
    NOT_IN_DATA,
    Context,
    Reading,
    ReportFigure,
    is_caption,
    is_wanted,
)
from tradingagents.features.report_check.rows import RowReader
from tradingagents.features.report_check.words import PEERS, ReportLexicon, named_companies
from tradingagents.provenance.mentions import TextLine
from tradingagents.provenance.numbers import Number, read_numbers
from tradingagents.provenance.wording import NONE, Book

MOST_READINGS = 16
MOST_TOGETHER = 30
"""Figures of a sentence that are read together; one with more is a list, and is cut: each is held against each."""
_ITEM = re.compile(r"\s*(?:[-*•▪◦–·]|\d{1,2}[.)]|\((?:[a-z]|\d{1,2})\))\s")
_STATED = re.compile(
    r"(?:[\d%)]|\d\s?(?:bn|mn|mm|[bmk]|billion|million|bps|percent|x)|[yq]/[yq]|yoy|qoq)\W?$", re.IGNORECASE
)
"""Ends a line that is a statement of its own, though it has no full stop: a headline, a line of a list."""
_MINUS = re.compile(r"\b(?:minus|negative)\s+$", re.IGNORECASE)
_SLASH = re.compile(r"(?<=[%bnmkBM)])/(?=(?:US)?[$€£]|\d)")
"""Between two figures: `$5bn/$1bn`."""
_NO_PERIOD = (None,)
_Placed = TypeVar("_Placed", Number, NamedPeriod)


class FigureReader:
    """Reads the figures of a text in Markdown."""

    def __init__(self, book: Book) -> None:
        """Prepare to read with the phrases of a report's companies."""
        self._lexicon = ReportLexicon(book)
        self._parts = PartRule(self._lexicon)
        self._rows = RowReader(self._lexicon, self._parts)

    def read(self, text: str) -> Iterator[ReportFigure]:
        """Yield the figures of a text in order; whole numbers up to twelve without a unit are counts, no figures."""
        above: list[str] = []
        title: NamedPeriod | None = None
        lead = Context()
        for line in lines_of(text):
            if line.mark:
                yield from self._rows.read(line, above, lead.period or title, self._sentences)
                continue
            plain = line.text.replace("’", "'")
            periods = named_periods(plain)
            title = title or next(
                (period for period in periods if line.text.startswith("#") and not period.is_open), None
            )
            above = [*above[-2:], line.text] if is_caption(line.text) else []
            context = self._start(line, lead, title)
            if any(map(str.isdigit, plain)):
                yield from self._sentences(line, line.text, 0, context)
            if not _ITEM.match(line.text):
                lead = Context()
                if is_caption(line.text) or plain.rstrip().endswith(":"):
                    named = [one for one in map(_only, ([*periods],)) if one is not None and not one.is_open]
                    lead = Context(named[0] if named else None, bool(named), subject=self._subject(plain))

    def _start(self, line: TextLine, lead: Context, title: NamedPeriod | None) -> Context:
        """Return what stands above a line says of it: its heading, the line that introduces a list, the title."""
        headed = next((period for period in named_periods(line.heading) if not period.is_open), None)
        subject = self._subject(line.heading)
        if _ITEM.match(line.text) and (lead.period or lead.subject):
            return Context(lead.period or headed or title, True, subject=lead.subject or subject, heading=line.heading)
        near = headed is not None or lead.period is not None
        return Context(headed or lead.period or title, near, subject=subject, heading=line.heading)

    def _subject(self, words: str) -> frozenset[str]:
        return named_companies(self._lexicon.subjects(words))

    def _sentences(self, line: TextLine, text: str, offset: int, context: Context) -> Iterator[ReportFigure]:
        """Yield the figures of the sentences of a line, or of a cell that holds sentences."""
        text = _SLASH.sub("&", text.replace("’", "'"))
        numbers = [_signed(text, number) for number in read_numbers(text) if is_wanted(number)]
        periods = named_periods(text)
        numbers = [number for number in numbers if not _in_period(number, periods)]
        start = 0
        for end in self._ends(text, numbers):
            own = [
                replace(part, start=part.start - start, end=part.end - start) for part in _between(periods, start, end)
            ]
            inside = [
                part._replace(start=part.start - start, end=part.end - start) for part in _between(numbers, start, end)
            ]
            sentence = FigureSentence(text[start:end], inside, own, self._lexicon, context.metrics)
            context.stated, stated = None, None
            for number in inside:
                stated = sentence.stated(number)
                found = self._figure(sentence, stated, context, line.start + offset + start)
                relative = bool(stated.periods) and stated.periods[0].back  # what follows is not counted from it
                if found.period is not None and not relative and not sentence.is_base(number):
                    context.stated = found.period
                yield found
            self._carry(context, sentence, stated)
            start = end

    def _ends(self, text: str, numbers: Sequence[Number]) -> Iterator[int]:
        """Yield where sentences end; one whose figures only the next one names is read together with that."""
        ends = [*sentence_ends(text)]
        for start, end, last in zip([0, *ends], ends, [*ends[1:], 0], strict=False):
            inside = _between(numbers, start, end)
            names = self._lexicon.metrics
            if inside and last and SAYS_WHAT.match(text, end) and names(text[end:last]) and not names(text[start:end]):
                continue
            yield from (number.start for number in inside[MOST_TOGETHER::MOST_TOGETHER])
            yield end

    def _carry(self, context: Context, sentence: FigureSentence, last: StatedFigure | None) -> None:
        """Note what a sentence, with its last figure, says for the next one."""
        told = [
            found
            for period in sentence.periods
            if (found := filled(period, context.period)) is not None and not period.back
        ]
        main = [period for period in told if period.span != "day" and not period.forecast] or told
        if main:
            context.earlier = (*context.earlier, *told)[-6:]
            context.period, context.is_near = main[0], True
        subjects = [subject.means for subject in sentence.subjects if named_companies(subject.means)]
        if subjects:
            context.subject = subjects[0]
        if sentence.metrics:
            context.metrics = sentence.metrics[-1].means
        measures = last.candidates[0].measures if last is not None and last.candidates else ()
        if measures and all(measure.metric in PER_SHARE for measure in measures):  # `a share` names prices, too
            context.metrics = frozenset(("eps",))

    def _figure(self, sentence: FigureSentence, stated: StatedFigure, context: Context, place: int) -> ReportFigure:
        number, text = stated.number, sentence.text[stated.number.start : stated.number.end]
        periods, near = self._periods(sentence, stated, context)
        subjects = stated.subjects or tuple(dict.fromkeys((context.subject, NONE)))
        measures = [candidate.measures for candidate in stated.candidates] or [()]
        readings = [
            Reading(*read) for read in islice(product(measures, map(named_companies, subjects), periods), MOST_READINGS)
        ]
        if readings[0].period is not None and readings[0].period.span == "day" and not readings[0].period.months_only:
            readings = [_of_day(reading) for reading in readings]
        first = readings[0]
        of_day = all(measure.kind == "day" for measure in first.measures)
        part = not of_day and any(
            self._parts.is_part(sentence.text, candidate.mark) for candidate in stated.candidates[:1] if candidate.mark
        )
        sure = (stated.only or stated.cost <= MOST_DOUBTFUL) and not part and not stated.names_unknown
        sure = sure and (near or periods[0] is None)
        scales = scales_for(text, number, first.measures, None, in_table=False)
        why = _why_not(stated, first, subjects)
        return ReportFigure(
            place + number.start, place + number.end, text, number, sentence.text.strip(), *first, scales, sure, False,
            stated.way, why, partial(name_in_sentence, sentence, number, context.heading, near), tuple(readings[1:]),
        )  # fmt: skip

    def _periods(
        self, sentence: FigureSentence, stated: StatedFigure, context: Context
    ) -> tuple[tuple[NamedPeriod | None, ...], bool]:
        """Return the periods that a figure may be of, and whether its sentence or what stands near says the first."""
        main = next((period for period in sentence.periods if not period.back and not period.is_open), None)
        around = context.stated or main or context.period
        if stated.candidates and all(measure.kind == "day" for measure in stated.candidates[0].measures):
            return tuple(period for period in stated.periods if period.span == "day") or _NO_PERIOD, True
        closed = [found for period in stated.periods if (found := filled(period, around)) is not None]
        if closed:
            return tuple(closed), True
        if stated.periods:  # one that stays open: the newest such quarter
            one = stated.periods[0]
            return (one, *context.earlier[-1:]), one.quarter is not None and not one.back
        if stated.is_base and around is not None:
            before = [filled(NamedPeriod(0, 0, "", back=back), around) for back in ("year", "quarter")]
            return tuple(period for period in before if period is not None) or _NO_PERIOD, True
        if context.period is not None:
            return tuple(dict.fromkeys((context.period, *reversed(context.earlier)))), context.is_near
        return _NO_PERIOD, True


def lines_of(text: str) -> Iterator[TextLine]:
    """Yield paragraphs, each as one line, and rows of tables with their header; places are those of the text."""
    heading = header = ""
    held: list[str] = []
    start = at = 0
    lines = text.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        row = line.lstrip().startswith("|")
        alone = row or not line.strip() or line.startswith(("#", "> ")) or line.strip().startswith("**")
        alone = alone or _ITEM.match(line) is not None
        if held and not alone and _is_stated(held[-1], line):
            yield TextLine(" ".join(held), start, heading, "")
            held = []
        if held and alone:
            yield TextLine(" ".join(held), start, heading, "")
            held = []
        if row:
            if not header and "--" in following:
                header = line
            elif not line.replace("|", "").replace("-", "").replace(":", "").strip():
                pass
            else:
                yield TextLine(line, at, heading, header or "| | |")
        else:
            header = ""
            if line.startswith("#"):
                heading = line
                yield TextLine(line, at, heading, "")
            elif alone and line.strip():
                yield TextLine(line, at, heading, "")
            elif line.strip():
                start = at if not held else start
                held.append(line)
        at += len(line) + 1
    if held:
        yield TextLine(" ".join(held), start, heading, "")


def _is_stated(line: str, following: str) -> bool:
    """Tell whether a line ends what it says, and the one below it begins anew."""
    if not _STATED.search(line.rstrip()) or not following[:1].isupper():
        return False
    first = next(iter(named_periods(following)), None)
    return (
        first is None or first.start > 0 or any(period.end >= len(line.rstrip()) - 1 for period in named_periods(line))
    )


def _between(placed: Sequence[_Placed], start: int, end: int) -> Sequence[_Placed]:
    """Return what begins between two places, of what stands in order."""
    return placed[bisect_left(placed, start, key=_place) : bisect_left(placed, end, key=_place)]


def _place(one: Number | NamedPeriod) -> int:
    return one.start


def _only(periods: Sequence[NamedPeriod]) -> NamedPeriod | None:
    return periods[-1] if periods else None


def _signed(text: str, number: Number) -> Number:
    """Return a number with the sign that a word before it says: `minus 4.2 per cent`."""
    word = _MINUS.search(text, max(0, number.start - 12), number.start)
    return number._replace(start=word.start(), value=-abs(number.value), signed=True) if word else number


def _of_day(reading: Reading) -> Reading:
    """Return a reading with those of its measures that are of a day, such as a close; with all where none is."""
    measures = tuple(measure for measure in reading.measures if measure.kind == "day")
    return reading._replace(measures=measures) if measures else reading


def _in_period(number: Number, periods: Sequence[NamedPeriod]) -> bool:
    before = bisect_right(periods, number.start, key=_place)  # none overlap
    return before > 0 and number.start < periods[before - 1].end


def _why_not(stated: StatedFigure, first: Reading, subjects: Sequence[frozenset[str]]) -> str:
    """Return why a figure of a sentence cannot be looked up; empty where it can."""
    period = first.period
    if period is not None and period.forecast:
        return "a forecast"
    if period is not None and period.span == "part":
        return "a period that is neither a quarter nor a year"
    if stated.is_view:
        return "a view, a condition or an expectation of the writer"
    if stated.is_range:
        return "a range"
    if PEERS in subjects[0]:
        return "of companies that are not named"
    if not first.measures:
        return NO_SUCH_FIGURE
    if stated.names_unknown and not stated.only:
        return NOT_IN_DATA
    return ""
