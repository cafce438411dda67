"""Answer questions for lines over spans from the books of companies and the rows of their filings, by rule.

Nothing is dropped: a word that no row answers for, a qualifier that no row says, and a period without a figure are each
named. A comparison names a winner only where every figure is there, in one unit and over periods of one length.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tradingagents.dataflows.reference.fiscal_periods import RECAST
from tradingagents.retrieval.calculation import CalculationRequest, CitedOperand, Output, calculate
from tradingagents.retrieval.lines.asked_spans import ANY_END
from tradingagents.retrieval.lines.company_books import LineBooks, PeriodFigure
from tradingagents.retrieval.lines.company_parts import members_of, part_names
from tradingagents.retrieval.lines.less_a_part import whole_and_part
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineResult, LineValue, shown
from tradingagents.retrieval.lines.line_questions import AskedMeasure, LineQuestion, Qualifier
from tradingagents.retrieval.lines.row_cells import CellKind, FoundCell, WantedLine, find_line
from tradingagents.retrieval.lines.rows.part_ratios import part_ratio
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.questions.figures import with_capitals
from tradingagents.retrieval.series.fact import Version
from tradingagents.retrieval.series.span import FiscalPeriod

_PER_SHARE = re.compile(r"(?i)\b(?:per|a) share\b")
MOST_VALUES = 120
_HALF = 6
_MOST_JOINED = 4
"""Parts of a list that may be one name, as `defense, space and security`."""
_TOLD_IN_ORDER: tuple[Qualifier, ...] = ("adjusted", "core", "organic", "constant currency")
_TOLD_BY_ROWS = frozenset(_TOLD_IN_ORDER)
_OF_GROWTH: frozenset[Qualifier] = frozenset({"organic", "constant currency"})


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that is asked for: a measure with a phrase and qualifiers, of one company."""

    books: LineBooks
    measure: AskedMeasure | None
    phrases: tuple[str, ...]
    """Phrases whose figures are added up; one, or none for the whole company."""
    qualifiers: frozenset[Qualifier] = frozenset()
    version: Version = "latest"
    tells_version: bool = False
    growth: bool = False
    """Whether a printed rate of change is wanted."""

    @property
    def name(self) -> str:
        """In words."""
        said = [name for name in _TOLD_IN_ORDER if name in self.qualifiers]
        told = ["adjusted (non-GAAP)" if name == "adjusted" else name for name in said]
        what = with_capitals(self.measure.name) if self.measure else ""
        version = (
            (" as first reported" if self.version == "first" else " as last reported") if self.tells_version else ""
        )
        words = [*told, " + ".join(self.phrases), what, "growth" if self.growth else ""]
        return " ".join(word for word in words if word) + version

    @property
    def whose(self) -> str:
        """What tells it from the lines it is compared with, of one company."""
        return " + ".join(self.phrases) or self.name


def answer_lines(asked: LineQuestion, companies: Sequence[LineBooks]) -> LineAnswer:
    """Answer a question from the books of the companies that it names, in the order of its signs."""
    refusal = _unreadable(asked, companies)
    if refusal:
        return LineAnswer(question=asked.text, refusal=refusal)
    return _Answerer(asked, companies).answer()


def _unreadable(asked: LineQuestion, companies: Sequence[LineBooks]) -> str:
    """Return why a question is not answered before anything is looked up; empty where it may be."""
    if not companies:
        return "the question names no company whose filings are stored"
    if asked.unread:
        return f"these parts are not understood: {', '.join(repr(part) for part in asked.unread)}"
    if not asked.measures and not asked.labels and not asked.group:
        return "the question names no figure that is known, and no line that a table could have"
    if "basic" in asked.qualifiers and not any(measure.item == "eps_basic" for measure in asked.measures):
        return "it is not understood of what the basic figure is wanted"
    return ""


class _Answerer:
    """Works out one answer."""

    def __init__(self, asked: LineQuestion, companies: Sequence[LineBooks]) -> None:
        self._asked = asked
        self._companies = companies
        self._notes: dict[str, None] = {}

    def answer(self) -> LineAnswer:
        asked = self._asked
        if asked.group and not asked.alternatives:
            return self._of_group()
        values: list[LineValue] = []
        lines = list(self._lines())
        for line in lines:
            periods, refusal = self._periods(line.books)
            if refusal:
                return LineAnswer(question=asked.text, refusal=refusal)
            values += self._over_periods(line, self._wanted_periods(line, periods))
        if len(values) > MOST_VALUES:
            return LineAnswer(
                question=asked.text, refusal=f"it asks for more than {MOST_VALUES} figures; ask for fewer"
            )
        return self._told(lines, list(_of_one_unit(values)))

    def _told(self, lines: Sequence[_Line], values: Sequence[LineValue]) -> LineAnswer:
        """Return the answer with what is computed over the values, and the winner of a comparison."""
        asked = self._asked
        if all(value.value is None for value in values):
            reasons = dict.fromkeys(f"{value.company}, {value.line}, {value.period}: {value.gap}" for value in values)
            return LineAnswer(question=asked.text, values=tuple(values), refusal="; ".join(reasons))
        results = [result for line in lines for result in self._results(line, values)]
        results += self._differences(values, results)
        winner, verdict = self._winner(values, results)
        return LineAnswer(
            question=asked.text,
            values=tuple(values),
            results=tuple(results),
            winner=winner,
            verdict=verdict,
            notes=tuple(self._notes),
        )

    def _lines(self) -> Iterator[_Line]:
        """Yield the lines that are asked for."""
        asked = self._asked
        for books in self._companies:
            for measure in asked.measures or (None,):
                for phrases in self._phrases(books, measure):
                    yield from self._variants(_Line(books, measure, phrases))

    def _phrases(self, books: LineBooks, measure: AskedMeasure | None) -> list[tuple[str, ...]]:
        """Return the phrases of each line: those listed each by itself, unless together they are one row's label."""
        asked = self._asked
        common = " ".join(label for label in asked.labels if label not in asked.alternatives)
        own = [label for number, label in asked.own_labels if number == self._companies.index(books)]
        if own:
            return [(f"{label} {common}".strip(),) for label in own]
        if not asked.labels and not asked.combined:
            return [()]
        if not asked.alternatives:
            each = [(common,)] if common else []
        else:
            each = [(f"{label} {common}".strip(),) for label in self._listed(books, measure, common)]
        return ([asked.combined] if asked.combined else []) + each

    def _listed(self, books: LineBooks, measure: AskedMeasure | None, common: str) -> list[str]:
        """Return the labels that are listed: neighbours that together name one row are one, and words said once shared.

        `energy generation and storage` may be one row; in `consumer and business postpaid phones` the last words are of
        both, and in `deliveries of 737 and 787` the first.
        """
        periods, _ = self._periods(books)
        if not periods:
            return list(self._asked.alternatives)
        newest = periods[-1]

        def is_row(label: str) -> bool:
            return self._value(_Line(books, measure, (f"{label} {common}".strip(),)), newest).value is not None

        labels = self._joined(list(self._asked.alternatives), is_row)
        if all(map(is_row, labels)) and (measure is not None or len(labels[0].split()) >= len(labels[-1].split())):
            return labels
        for shared in _shared(labels):
            if all(map(is_row, shared)):
                return shared
        return labels

    def _joined(self, labels: list[str], is_row: Callable[[str], bool]) -> list[str]:
        """Return labels with those neighbours made one that are one row's label."""
        found: list[str] = []
        while labels:
            most = next((at for at in range(1, len(labels)) if labels[at] in self._asked.apart), len(labels))
            length = next(
                (count for count in range(min(most, _MOST_JOINED), 1, -1) if is_row(" and ".join(labels[:count]))), 1
            )
            found.append(" and ".join(labels[:length]))
            labels = labels[length:]
        return found

    def _variants(self, line: _Line) -> Iterator[_Line]:
        """Yield a line for each basis that is asked for: adjusted and as reported, first and last version."""
        measure, asked = line.measure, self._asked
        said = frozenset(measure.qualifiers if measure else asked.qualifiers)
        told = said & _TOLD_BY_ROWS
        both = bool(told) and "GAAP" in said
        grows = "growth" in asked.functions
        versions: tuple[Version, ...] = (
            ("first", "latest") if "latest" in said and "originally reported" in said else ()
        )
        if versions or "originally reported" in said:
            for version in versions or ("first",):
                yield replace(line, version=version, tells_version=True)
            return
        if grows and told & _OF_GROWTH:
            value_too = bool(told - _OF_GROWTH) or not both
            if value_too and (not line.phrases or told - _OF_GROWTH) and measure is not None:
                of_value = told if "constant currency" in told and not told - _OF_GROWTH else told - _OF_GROWTH
                if "organic" not in told:
                    yield replace(line, qualifiers=of_value)
            yield replace(line, qualifiers=told, growth=True)
            if both:
                yield replace(line, growth=True)
            return
        if told:
            yield replace(line, qualifiers=told)
        if both or not told:
            yield line

    def _periods(self, books: LineBooks) -> tuple[list[FiscalPeriod], str]:
        """Return the periods of a company, oldest first; none, and why, where they cannot be told."""
        span = self._asked.span
        number = self._companies.index(books)
        own = [(at, period) for company, at, period in self._asked.of_companies if company == number]
        if own or span.ended:
            found = [self._at_end(books, at, period) for at, period in own or span.places]
            if any(period is None for period in found):
                return [], f"of {books.name} it is not known which fiscal period ends in that month"
            return sorted({period for period in found if period is not None}, key=_in_order), ""
        if span.periods and not span.end_months:
            return list(span.periods), ""
        if span.end_months:
            found = [books.ending_in(period.year, span.end_months) for period in span.periods]
            if any(period is None for period in found):
                return [], f"of {books.name} it is not known which fiscal years end in these months"
            return [period for period in found if period is not None], ""
        newest = books.newest(quarterly=span.quarterly)
        if newest is None:
            every = "quarter" if span.quarterly else "year"
            return [], f"of {books.name} no {every} is known"
        if span.since is not None:
            return [FiscalPeriod(year) for year in range(span.since.year, newest.year + 1)], ""
        periods = [newest]
        while len(periods) < (span.last or (4 if "sum" in self._asked.functions and span.quarterly else 1)):
            periods.append(periods[-1].before)
        return periods[::-1], ""

    def _at_end(self, books: LineBooks, at: int, period: FiscalPeriod) -> FiscalPeriod | None:
        """Return a company's own period, where one is told by the month in which it ends; None if it is not known."""
        months = [month for place, month in self._asked.span.ended if place == at]
        if not months:
            return period
        if period.quarter is None:
            return books.ending_in(period.year, months)
        return books.quarter_ending(period.year, months[0], or_year=period.quarter == ANY_END)

    def _wanted_periods(self, line: _Line, periods: Sequence[FiscalPeriod]) -> list[FiscalPeriod]:
        """Return the periods that are shown: with the one before, where the growth of a single one is asked."""
        grows = "growth" in self._asked.functions and not line.growth
        if grows and len(periods) == 1:
            only = periods[0]
            return [FiscalPeriod(only.year - 1, only.quarter), only]
        if "sequential" in self._asked.functions and len(periods) == 1:
            return [periods[0].before, periods[0]]
        return list(periods)

    # A figure of a line

    def _over_periods(self, line: _Line, periods: Sequence[FiscalPeriod]) -> list[LineValue]:
        """Return the figures of a line, oldest first; those on another basis than the one before say so."""
        values = [self._value(line, period) for period in periods]
        for at, period in enumerate(periods[1:], start=1):
            if restated := self._restated(line, values[at - 1], values[at], period):
                values[at] = values[at].model_copy(update={"restated": restated})
                self._notes[f"{values[at].line}, {line.books.name}: {restated}."] = None
        return values

    def _restated(self, line: _Line, before: LineValue, value: LineValue, period: FiscalPeriod) -> str:
        """Say that a figure was restated after the one before it was last stated; empty where it was not.

        The filing that gives the earlier period gives the later one, too, in most cases. Where another filing gives
        another figure for the later one, the two are on different bases, as with and without a business that was sold.
        """
        names, newer = ({operand.document_name for operand in each.operands} for each in (before, value))
        if before.value is None or value.value is None or not names or names & newer:
            return ""
        notes = dict(self._notes)
        then = self._value(replace(line, books=line.books.only(names)), period)
        self._notes = notes
        if then.value is None or then.unit != value.unit or math.isclose(then.value, value.value, rel_tol=RECAST):
            return ""
        filing = ", ".join(sorted(names))
        return (
            f"{value.period} was restated after {before.period} was last stated: {filing}, which gives "
            f"{before.period}, has {shown(then.value, then.unit)} for {value.period}, not "
            f"{shown(value.value, value.unit)}"
        )

    def _value(self, line: _Line, period: FiscalPeriod) -> LineValue:
        """Return the figure of a line for a period."""
        what = {"company": line.books.name, "line": line.name, "period": self._label(period)}
        if self._asked.excluded or line.phrases or line.qualifiers or line.growth:
            return self._of_rows(line, period, what)
        measure = line.measure
        if measure is None:
            return LineValue(**what, gap="it is not told what of")
        months = self._asked.span.months
        found = (
            line.books.part_of_year(measure.expression, period, months, measure.output)
            if months
            else line.books.figure(measure.expression, period, measure.output, line.version)
        )
        self._notes |= dict.fromkeys(found.notes)
        if found.value is None:
            shown_later = self._of_later_tables(line, "", period, what) if measure.item and not months else None
            return shown_later or LineValue(**what, gap=found.refusal)
        return LineValue(**what, value=found.value, unit=found.unit, formula=found.formula, operands=found.operands)

    def _label(self, period: FiscalPeriod) -> str:
        """Return what a period is called: a part of a year, such as `H1 FY2025`, where one is asked for."""
        months = self._asked.span.months
        if not months or period.quarter is None:
            return period.label
        return f"H{period.quarter // 2} FY{period.year}" if months == _HALF else f"{months}M FY{period.year}"

    def _of_rows(self, line: _Line, period: FiscalPeriod, what: dict[str, str]) -> LineValue:
        """Return a figure from the rows of tables, summed over the line's phrases."""
        parts = [self._of_phrase(line, phrase, period, what) for phrase in line.phrases or ("",)]
        if len(parts) == 1:
            return parts[0]
        if gaps := [part.gap for part in parts if part.value is None]:
            return LineValue(**what, gap="; ".join(gaps))
        if len({part.unit for part in parts}) > 1 or line.growth:
            return LineValue(**what, gap="figures of different units do not add up")
        operands = tuple(operand for part in parts for operand in part.operands)
        named = tuple(operand.model_copy(update={"name": f"part_{at}"}) for at, operand in enumerate(operands, start=1))
        formula = " + ".join(operand.name for operand in named)
        result = calculate(CalculationRequest(expression=formula, operands=named))
        if result.value is None:
            return LineValue(**what, gap=result.refusal)
        rows = "; ".join(part.row for part in parts)
        return LineValue(**what, value=result.value, unit=result.unit, formula=result.formula, operands=named, row=rows)

    def _of_phrase(self, line: _Line, phrase: str, period: FiscalPeriod, what: dict[str, str]) -> LineValue:
        excluded = f"excluding {self._asked.excluded}" if self._asked.excluded else ""
        wanted = WantedLine(
            phrase=f"{phrase} {excluded}".strip(),
            qualifiers=line.qualifiers,
            growth=line.growth,
            context=self._asked.context,
            months=self._asked.span.months,
            without=self._asked.without,
            company=line.books.name_words,
        )
        documents = [line.books.readable(info) for info in line.books.filings_of(period, releases=True)]
        if not documents:
            later = self._of_later_tables(line, phrase, period, what)
            return later or LineValue(**what, gap=f"no filing of {period.label} is stored")
        measure = line.measure
        if measure is None:
            kind: CellKind = "per_share" if self._is_per_share else "any"
            found = find_line(documents, replace(wanted, kind=kind), period)
            return self._of_cell(found.cell, wanted, found.refusal, period, what)
        if measure.item:
            found = find_line(documents, replace(wanted, item=measure.item, kind=_kind(measure.output)), period)
            if found.cell is None and excluded and (less := self._less(documents, line, phrase, measure, period, what)):
                return less
            return self._of_cell(found.cell, wanted, found.refusal, period, what)
        return self._of_metric(line, measure, wanted, period, what)

    def _of_later_tables(
        self, line: _Line, phrase: str, period: FiscalPeriod, what: dict[str, str]
    ) -> LineValue | None:
        """Return a figure of a quarter from a table of several quarters in a later report; None where none shows it."""
        measure = line.measure
        if self._asked.excluded or line.qualifiers or line.growth or (measure is not None and not measure.item):
            return None
        kind: CellKind = _kind(measure.output) if measure else "per_share" if self._is_per_share else "any"
        item = measure.item if measure else ""
        wanted = WantedLine(phrase=phrase, item=item, kind=kind, company=line.books.name_words)
        documents = [line.books.readable(info) for info in line.books.showing_quarter(period)]
        found = find_line(documents, wanted, period)
        return None if found.cell is None else self._of_cell(found.cell, wanted, "", period, what)

    @property
    def _is_per_share(self) -> bool:
        return bool(_PER_SHARE.search(self._asked.text))

    def _less(
        self,
        documents: Sequence[SourceDocument],
        line: _Line,
        phrase: str,
        measure: AskedMeasure,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue | None:
        """Return a figure less what is left out, where one table states both; None where none does."""
        whole = WantedLine(phrase=phrase, item=measure.item, kind=_kind(measure.output), months=self._asked.span.months)
        part = replace(whole, phrase=f"{phrase} {self._asked.excluded}".strip())
        if line.qualifiers or (found := whole_and_part(documents, whole, part, period)) is None:
            return None
        operands = tuple(cell.operand(name) for cell, name in zip(found, ("whole", "part"), strict=True))
        result = calculate(CalculationRequest(expression="whole - part", operands=operands))
        if result.value is None:
            return None
        rows = " less ".join(cell.shown for cell in found)
        name = f"{what['line']} excluding {self._asked.excluded}"
        self._notes[f"{name} is the row {rows} of {found[0].document.info.name}."] = None
        return LineValue(
            **what, value=result.value, unit=result.unit, formula=result.formula, operands=operands, row=rows
        )

    def _of_cell(
        self, cell: FoundCell | None, wanted: WantedLine, refusal: str, period: FiscalPeriod, what: dict[str, str]
    ) -> LineValue:
        if cell is None:
            return LineValue(**what, gap=refusal if refusal.startswith("several") else self._unhonoured(wanted))
        if math.isnan(cell.value):
            return LineValue(**what, gap=f"the figure of the row {cell.shown!r} could not be read")
        operand = cell.operand(f"line@{period.year}")
        self._notes[f"{what['line']} is the row {cell.shown!r} of {cell.document.info.name}."] = None
        return LineValue(**what, value=cell.value, unit=cell.unit, operands=(operand,), row=cell.shown)

    def _unhonoured(self, wanted: WantedLine) -> str:
        """Say that no row answers for the words and qualifiers of a line."""
        words = " ".join((*sorted(wanted.qualifiers), wanted.phrase)).strip()
        reason = f"no row of its filings gives it for {words!r}"
        if self._asked.excluded:
            return f"{reason}: the answer does not exclude {self._asked.excluded}, and the whole is not given instead"
        return reason

    def _of_metric(
        self, line: _Line, measure: AskedMeasure, wanted: WantedLine, period: FiscalPeriod, what: dict[str, str]
    ) -> LineValue:
        """Return a ratio of a line: worked out from its rows, else as a row prints it."""
        documents = [line.books.readable(info) for info in line.books.filings_of(period, releases=True)]
        kind = _kind(measure.output)
        printed = find_line(documents, replace(wanted, measure=measure.name, kind=kind), period)
        if line.qualifiers or "@-" in measure.expression or line.growth:
            return self._of_cell(printed.cell, wanted, printed.refusal, period, what)
        found = part_ratio(documents, measure, wanted, period, printed.cell)
        if found.refusal:
            return LineValue(**what, gap=found.refusal)
        result = found.result
        if result is None or result.value is None:
            return self._of_cell(printed.cell, wanted, printed.refusal, period, what)
        if printed.cell is not None and abs(printed.cell.value - result.value) > 1.0:
            return LineValue(
                **what,
                gap=f"the row {printed.cell.shown!r} prints {printed.cell.cell.text}, and its parts give "
                f"{result.value:,.2f}",
            )
        rows = "; ".join(dict.fromkeys(cell.shown for cell in found.cells))
        self._notes[f"{what['line']} is worked out from the rows {rows} of {found.cells[0].document.info.name}."] = None
        return LineValue(
            **what, value=result.value, unit=result.unit, formula=result.formula, operands=result.operands, row=rows
        )

    # What is computed over the figures

    def _results(self, line: _Line, values: Sequence[LineValue]) -> Iterator[LineResult]:
        """Yield what is computed over the figures of a line."""
        own = [value for value in values if (value.company, value.line) == (line.books.name, line.name)]
        for function in self._asked.functions:
            if line.growth:
                continue
            name = f"of {line.name}, {line.books.name}"
            if function in ("growth", "sequential"):
                steps = [*pairwise(own), *([(own[0], own[-1])] if len(own) > 2 else [])]
                for before, after in steps:
                    title = f"Growth {name}, {before.period} to {after.period}"
                    yield _over(own, before, after, "growth({0}, {1})", title, "percent")
            elif function == "multiple" and len(own) > 1:
                yield _over(own, own[0], own[-1], "{1} / {0}", f"Multiple {name}, {_span_of(own)}", "times")
            elif function == "cagr":
                yield self._cagr(own, name)
            elif function == "average":
                formula = f"average({', '.join(f'{{{at}}}' for at in range(len(own)))})"
                yield _computed(formula, f"Average {name}, {_span_of(own)}", own, "number")
            elif function == "sum" and len(own) > 1:
                formula = " + ".join(f"{{{at}}}" for at in range(len(own)))
                yield _computed(formula, f"Sum {name}, {_span_of(own)}", own, "number")
            elif function == "weighted":
                yield self._weighted(line, own, name)

    def _differences(self, values: Sequence[LineValue], results: Sequence[LineResult]) -> Iterator[LineResult]:
        """Yield the difference of two figures that are set against each other, and of amounts also their ratio."""
        if self._asked.against:
            yield from self._between_bases(values)
        contest = [(name, value, unit) for name, value, unit in self._contest(values, results) if value is not None]
        asked = self._asked
        periods = not asked.over_periods and len({value.period for value in values}) > 1 and "growth" in asked.functions
        if not (asked.against or asked.direction) or len(contest) != 2 or periods:
            return
        if len({unit for *_, unit in contest}) > 1:
            return
        listed = [contest, contest[::-1]] if float(contest[0][1] or 0.0) < float(contest[1][1] or 0.0) else [contest]
        for pair in listed:
            yield from _difference(pair[0], pair[1], values, ratio=pair is listed[-1])

    @staticmethod
    def _between_bases(values: Sequence[LineValue]) -> Iterator[LineResult]:
        """Yield the difference of a figure on another basis, such as non-GAAP, and of the same as reported."""
        told = re.compile(rf"(?:(?:{'|'.join(_TOLD_IN_ORDER)}) |\(non-GAAP\) )+")
        reported = {(value.company, value.line, value.period): value for value in values if not told.match(value.line)}
        for value in values:
            basis = told.match(value.line)
            other = reported.get((value.company, value.line[basis.end() :], value.period)) if basis else None
            if basis is None or other is None or value.value is None or other.value is None or value.unit != other.unit:
                continue
            first, second = ((one.line, one.value, one.unit) for one in (value, other))
            yield from _difference(first, second, (value, other), ratio=False)

    @staticmethod
    def _cagr(own: Sequence[LineValue], name: str) -> LineResult:
        name = f"Compound annual growth {name}, {_span_of(own)}"
        if len(own) < 2 or own[0].value is None or own[-1].value is None:
            return LineResult(name=name, refusal="its first or its last figure is missing")
        years = int(own[-1].period[-4:]) - int(own[0].period[-4:])
        return _over(own, own[0], own[-1], f"cagr({{0}}, {{1}}, {years})", name, "percent")

    def _weighted(self, line: _Line, own: Sequence[LineValue], name: str) -> LineResult:
        """Return the sum of all numerators over the sum of all denominators."""
        name = f"Weighted average {name}, {_span_of(own)}"
        parts = line.measure.expression.split(" / ") if line.measure else []
        if len(parts) != 2 or any(value.value is None for value in own):
            return LineResult(name=name, refusal="a weighted average needs a ratio of two items in every period")
        operands = {operand.name: operand for value in own for operand in value.operands}
        years = [value.period[-4:] for value in own]
        sums = [" + ".join(f"{part.strip('()')}@{year}" for year in years) for part in parts]
        request = CalculationRequest(
            expression=f"({sums[0]}) / ({sums[1]})", operands=tuple(operands.values()), output="percent"
        )
        result = calculate(request)
        return LineResult(
            name=name,
            value=result.value,
            unit=result.unit,
            formula=result.formula,
            operands=result.operands,
            refusal=result.refusal,
        )

    # Comparisons

    def _winner(self, values: Sequence[LineValue], results: Sequence[LineResult]) -> tuple[str, str]:
        """Return what a comparison names, and the sentence that says it; empty where nothing is compared."""
        asked = self._asked
        plain = self._is_plain_comparison(values) or (asked.against and len(self._contest(values, results)) == 2)
        direction = asked.direction or ("highest" if plain else "")
        if not direction:
            return "", ""
        contest = self._contest(values, results)
        if len(contest) < 2:
            return "", "Nothing is named as highest or lowest: there are no two figures to compare."
        if gaps := [name for name, value, _ in contest if value is None]:
            return "", f"None is named: the figure of {', '.join(gaps)} is missing."
        if len({unit for *_, unit in contest}) > 1:
            return (
                "",
                f"None is named: the figures are in different units, {' and '.join(sorted({u for *_, u in contest}))}.",
            )
        figures = [(name, float(value or 0.0), unit) for name, value, unit in contest]
        ranked = sorted(figures, key=lambda each: -each[1])
        listed = "; ".join(f"{name} {shown(value, unit)}" for name, value, unit in ranked)
        if math.isclose(ranked[0][1], ranked[1][1], rel_tol=1e-9) and direction != "lowest":
            return "", f"None is named: the highest are equal. {listed}."
        if apart := self._apart(values):
            return "", f"None is named: {apart}. {listed}."
        high, low = ranked[0], ranked[-1]
        if direction == "both":
            return f"{high[0]} highest, {low[0]} lowest", f"Highest: {high[0]}; lowest: {low[0]}. {listed}."
        best = high if direction == "highest" else low
        return best[0], f"{direction.capitalize()}: {best[0]} with {shown(best[1], best[2])}. {listed}."

    def _is_plain_comparison(self, values: Sequence[LineValue]) -> bool:
        """Whether one figure of one period is set beside the same of other companies, one of which is highest."""
        figures = 2 if self._asked.functions == ("growth",) else 1  # a growth is shown with the year before
        one_each = len(self._companies) > 1 and len(values) == figures * len(self._companies)
        return one_each and len(self._asked.measures) == 1 and not self._asked.qualifiers

    def _contest(
        self, values: Sequence[LineValue], results: Sequence[LineResult]
    ) -> list[tuple[str, float | None, str]]:
        """Return who is compared, with the figure that decides: a growth where one is asked, else the figure itself."""
        asked = self._asked
        if not values:
            return []
        if asked.over_periods or (len(self._companies) == 1 and len({value.line for value in values}) == 1):
            first = [value for value in values if (value.company, value.line) == (values[0].company, values[0].line)]
            return [(value.period, value.value, value.unit) for value in first]
        several = len(self._companies) > 1
        grown = [result for result in results if result.name.startswith(("Growth", "Change", "Multiple"))]
        if grown and not asked.by_size:
            lines = dict.fromkeys((value.company, value.line) for value in values)
            if len(grown) != len(lines):
                return []
            return [
                (self._called(company, line, several=several), result.value, result.unit)
                for (company, line), result in zip(lines, grown, strict=True)
            ]
        periods = {value.period for value in values if value.company == values[0].company}
        if len(periods) > 1 and asked.by_size and "growth" in asked.functions:
            newest = max(periods, key=lambda period: (period[-4:], period))
            values = [value for value in values if value.period == newest]
        elif len(periods) > 1:
            return []
        return [
            (self._called(value.company, value.line, several=several), value.value, value.unit)
            for value in values
            if not several
            or not self._asked.measures
            or value.line.endswith(with_capitals(self._asked.measures[0].name))
        ]

    def _called(self, company: str, line: str, *, several: bool) -> str:
        """Return what tells a line from the others: its company, or its phrase."""
        if several:
            return company
        name = with_capitals(self._asked.measures[0].name) if self._asked.measures else ""
        called = line.removesuffix(name).strip() or line
        asked = self._asked
        common = " ".join(label for label in asked.labels if label not in asked.alternatives)
        return (called.removesuffix(common).strip() if asked.alternatives and common else called) or called

    def _apart(self, values: Sequence[LineValue]) -> str:
        """Say that the periods of companies are not comparable; empty where they are."""
        lengths = {value.period.startswith("Q") for value in values}
        return "a quarter is not compared with a year" if len(lengths) > 1 else ""

    # Groups

    def _of_named_parts(self, books: LineBooks) -> LineAnswer | None:
        """Answer of each part of a company by its name, with rows that name it; None where no name is known."""
        asked = self._asked
        periods, refusal = self._periods(books)
        if refusal or not periods:
            return None
        documents = [books.readable(info) for info in books.filings_of(periods[-1])]
        names = part_names(documents, asked.group, periods, asked.span.months)
        if not names:
            return None
        self._notes[f"Parts as its tables name them: {', '.join(names)}."] = None
        self._asked = replace(asked, group="", labels=names, alternatives=names, apart=frozenset(names))
        answer = self.answer()
        return self._with_total(answer, books) if asked.with_total or not asked.direction else answer

    def _with_total(self, answer: LineAnswer, books: LineBooks) -> LineAnswer:
        """Return an answer on the parts of a company with the figures of the whole, where they are found."""
        if answer.refusal:
            return answer
        whole = replace(self._asked, labels=(), alternatives=(), apart=frozenset(), direction="", against=False)
        total = _Answerer(whole, [books]).answer()
        if total.refusal and not self._asked.with_total:
            return answer
        return answer.model_copy(
            update={
                "values": (*answer.values, *total.values),
                "results": (*answer.results, *total.results),
                "notes": tuple(dict.fromkeys((*answer.notes, *total.notes))),
            }
        )

    def _of_group(self) -> LineAnswer:
        """Answer a question that compares the members of a group, such as the segments of a company."""
        asked, books = self._asked, self._companies[0]
        if len(self._companies) > 1:
            return LineAnswer(question=asked.text, refusal="the parts of one company are compared at a time")
        grows = "growth" in asked.functions
        measure = asked.measures[0] if asked.measures else None
        if measure is None and asked.labels in (("margin",), ("margins",)):
            measure = AskedMeasure("operating margin", "operating_income / revenue", "percent")
            self._notes["Margin of what is not said: it is taken as the operating margin."] = None
            asked = replace(asked, labels=())
        told = bool(set(asked.qualifiers) & _TOLD_BY_ROWS)
        if told and len(asked.measures) == 1 and not asked.excluded:
            return self._of_named_parts(books) or LineAnswer(
                question=asked.text, refusal="the names of the parts of the company are not known"
            )
        if len(asked.measures) > 1 or asked.labels or asked.excluded or told:
            said = ", ".join((*asked.labels, *asked.qualifiers)) or "several figures"
            return LineAnswer(question=asked.text, refusal=f"of the parts of a company this is not read: {said}")
        if measure is None:
            if not grows:
                return LineAnswer(question=asked.text, refusal="it is not told by what figure the parts are compared")
            measure = AskedMeasure("revenue", "revenue", item="revenue")
            self._notes["Growth of what is not said: it is taken of revenue."] = None
        self._asked = asked = replace(asked, measures=(measure,))
        periods, refusal = self._periods(books)
        if refusal or len(periods) != 1:
            return LineAnswer(
                question=asked.text, refusal=refusal or "the parts of a company are compared in one period"
            )
        wanted = [FiscalPeriod(periods[0].year - 1, periods[0].quarter), periods[0]] if grows else periods
        documents = [books.readable(info) for info in books.filings_of(periods[0])]
        found = members_of(documents, measure, asked.group, wanted, asked.span.months)
        if found.refusal:
            return self._of_named_parts(books) or LineAnswer(question=asked.text, refusal=found.refusal)
        self._notes |= dict.fromkeys(found.notes)
        values: list[LineValue] = []
        lines: list[_Line] = []
        for name, figures in found.members.items():
            line = _Line(books, measure, (name,))
            lines.append(line)
            values += [_of_figure(line, figure, self._label(figure.period)) for figure in figures]
        answer = self._told(lines, values)
        self._asked = replace(asked, group="")
        return self._with_total(answer, books) if asked.with_total else answer


def _difference(
    first: tuple[str, float | None, str],
    second: tuple[str, float | None, str],
    values: Sequence[LineValue],
    *,
    ratio: bool,
) -> Iterator[LineResult]:
    """Yield one figure less another, and over it where that is asked for too: a percentage has no such ratio."""
    (name, one, unit), (other_name, other, _) = first, second
    cells = tuple(operand for value in values for operand in value.operands)
    if one is None or other is None:
        return
    points = " in percentage points" if unit == "percent" else ""
    formula = f"{shown(one, unit)} - {shown(other, unit)}"
    yield LineResult(
        name=f"{name} less {other_name}{points}", value=one - other, unit=unit, formula=formula, operands=cells
    )
    if ratio and unit not in ("percent", "times") and other:
        formula = f"{shown(one, unit)} / {shown(other, unit)}"
        yield LineResult(
            name=f"{name} over {other_name}", value=one / other, unit="times", formula=formula, operands=cells
        )


def _shared(labels: Sequence[str]) -> Iterator[list[str]]:
    """Yield lists of labels in which the others have the last words of the last one too, or the first of the first."""
    first, last = labels[0].split(), labels[-1].split()
    for count in range(len(last) - 1, 0, -1):
        yield [f"{label} {' '.join(last[-count:])}" for label in labels[:-1]] + [labels[-1]]
    for count in range(len(first) - 1, 0, -1):
        yield [labels[0]] + [f"{' '.join(first[:count])} {label}" for label in labels[1:]]


def _in_order(period: FiscalPeriod) -> tuple[int, int]:
    return period.year, period.quarter or 0


def _of_figure(line: _Line, figure: PeriodFigure, label: str) -> LineValue:
    return LineValue(
        company=line.books.name,
        line=line.name,
        period=label,
        value=figure.value,
        unit=figure.unit,
        formula=figure.formula,
        operands=figure.operands,
        gap=figure.refusal,
    )


def _of_one_unit(values: Sequence[LineValue]) -> Iterator[LineValue]:
    """Yield figures of a line in one unit; those found in several units are of different lines, and become gaps."""
    units: dict[tuple[str, str], set[str]] = {}
    for value in values:
        if value.value is not None:
            units.setdefault((value.company, value.line), set()).add(value.unit)
    for value in values:
        found = units.get((value.company, value.line), set())
        if value.value is None or len(found) < 2:
            yield value
        else:
            gap = f"rows of its name are found in several units: {', '.join(sorted(found))}"
            yield LineValue(company=value.company, line=value.line, period=value.period, gap=gap)


def _kind(output: Output) -> CellKind:
    return (
        "percent"
        if output == "percent"
        else "per_share"
        if output == "per_share"
        else "money"
        if output == "money"
        else "any"
    )


def _span_of(values: Sequence[LineValue]) -> str:
    return f"{values[0].period} to {values[-1].period}" if len(values) > 1 else values[0].period if values else ""


def _over(
    own: Sequence[LineValue], before: LineValue, after: LineValue, formula: str, name: str, output: Output
) -> LineResult:
    """Return a change between two figures of a line; refused where they are on different bases."""
    between = own[own.index(before) + 1 : own.index(after) + 1]
    if restated := next((value.restated for value in between if value.restated), ""):
        return LineResult(name=name, refusal=f"the figures are on different bases: {restated}")
    return _computed(formula, name, (before, after), output)


def _computed(formula: str, name: str, values: Sequence[LineValue], output: Output) -> LineResult:
    """Return a formula over figures of the answer; refused where one of them is missing."""
    if missing := [value.period for value in values if value.value is None]:
        return LineResult(name=name, refusal=f"{', '.join(missing)} is missing")
    names = [f"{value.period.replace(' ', '_')}" for value in values]
    operands = tuple(
        CitedOperand(name=label, label=value.line, column=value.period, value=value.value or 0.0, unit=value.unit)
        for label, value in zip(names, values, strict=True)
    )
    if output == "percent" and formula.startswith("growth") and values[0].unit == "percent":
        formula = "{1} - {0}"
        name = name.replace("Growth", "Change", 1)
    request = CalculationRequest(expression=formula.format(*names), operands=operands, output=output)
    result = calculate(request)
    cells = tuple(operand for value in values for operand in value.operands)
    return LineResult(
        name=name, value=result.value, unit=result.unit, formula=result.formula, operands=cells, refusal=result.refusal
    )
