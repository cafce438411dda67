"""Answer questions for lines over spans from the books of companies and the rows of their filings, by rule.

Nothing is dropped: a word that no row answers for, a qualifier that no row says, and a period without a figure are each
named. A comparison names a winner only where every figure is there, in one unit and over periods of one length.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tradingagents.dataflows.reference.fiscal_periods import RECAST
from tradingagents.retrieval.lines.answers.alike_units import of_one_unit, of_parts_alike
from tradingagents.retrieval.lines.answers.comparison import contest, lacks_other, sets_against, winner
from tradingagents.retrieval.lines.answers.line_results import (
    changes_of_percentages,
    differences,
    growth_of,
    line_results,
    losses,
    without_points,
)
from tradingagents.retrieval.lines.answers.line_variants import line_variants
from tradingagents.retrieval.lines.answers.refusals import nearest_rows, reasons_of
from tradingagents.retrieval.lines.answers.rows_of_parts import of_each_part
from tradingagents.retrieval.lines.answers.two_wholes import differ_in_whole
from tradingagents.retrieval.lines.answers.unlike_figures import without_unlike_figures
from tradingagents.retrieval.lines.answers.wanted_periods import wanted_periods
from tradingagents.retrieval.lines.answers.years_of_change import periods_of_change
from tradingagents.retrieval.lines.answers.yes_or_no import yes_or_no
from tradingagents.retrieval.lines.asked.asked_spans import ANY_END
from tradingagents.retrieval.lines.company_books import LineBooks, PeriodFigure
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineResult, LineValue, shown
from tradingagents.retrieval.lines.line_questions import AskedMeasure, LineQuestion
from tradingagents.retrieval.lines.parts.company_parts import members_of, part_names
from tradingagents.retrieval.lines.parts.listed_parts import (
    ends_with_figure,
    joined_names,
    names_figure,
    of_rows_of_one_name,
    with_figure_of_each,
    with_figures_of_parts,
    with_words_of_each,
)
from tradingagents.retrieval.lines.row_cells import COMPARABLE, says
from tradingagents.retrieval.lines.rows.asked_line import TOLD_IN_ORDER, AskedLine
from tradingagents.retrieval.lines.rows.line_figures import LOST_OR_MADE, LineFigures
from tradingagents.retrieval.lines.rows.printed_metrics import as_printed
from tradingagents.retrieval.series.span import FiscalPeriod

MOST_VALUES = 120
_TRAILING_QUARTERS = 4
_COUNTRIES = re.compile(r"(?i)\bcountr(?:y|ies)\b")
_TOLD_BY_ROWS = frozenset(TOLD_IN_ORDER)


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
    if not asked.measures and not asked.labels and not asked.own_labels and not asked.group:
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
        self._figures = LineFigures(asked, self._notes)

    def answer(self) -> LineAnswer:
        asked = self._asked
        if asked.group and not asked.alternatives:
            return self._of_group()
        values: list[LineValue] = []
        lines: list[AskedLine] = []
        newest: FiscalPeriod | None = None
        for line in self._lines():
            periods, refusal = self._periods(line.books)
            if refusal:
                return LineAnswer(question=asked.text, refusal=refusal)
            wanted = wanted_periods(asked, line, periods)
            newest = periods[-1]
            found = self._over_periods(line, wanted)
            if of_parts := of_each_part(asked, found, self._figures.of_one_name(line, wanted)):
                self._notes[f"{line.name} is a row of several parts of {line.books.name}: each is given."] = None
                values += of_parts
                continue
            if printed := self._printed_growth(line, found, periods):
                line, found = replace(line, growth=True), printed  # noqa: PLW2901
            lines.append(line)
            values += found
        if len(values) > MOST_VALUES:
            return LineAnswer(
                question=asked.text, refusal=f"it asks for more than {MOST_VALUES} figures; ask for fewer"
            )
        if sets_against(asked) and (lacks_other(asked, values) or (len(values) == 1 and not asked.functions)):
            return LineAnswer(question=asked.text, refusal="it is not understood what is set against what")
        values = list(of_one_unit(values))
        values = without_unlike_figures(
            asked,
            lines,
            values,
            lambda line: newest is not None and self._figures.is_revenue(line.books, " ".join(line.phrases), newest),
            lambda line, other: newest is not None and differ_in_whole(self._figures, line, other, newest),
        )
        if asked.alternatives and len(asked.measures) <= 1 and not any(line.growth for line in lines):
            values = list(of_parts_alike(values))
        return self._told(lines, values)

    def _told(self, lines: Sequence[AskedLine], values: Sequence[LineValue]) -> LineAnswer:
        """Return the answer with what is computed over the values, and the winner of a comparison."""
        if "average" in self._asked.functions and all(says(value.row, "average") for value in values):
            functions = tuple(name for name in self._asked.functions if name != "average")
            self._asked = replace(self._asked, functions=functions)  # the rows are averages: `average ticket`
        asked = self._asked
        self._notes |= dict.fromkeys(nearest_rows(lines, values))
        if all(value.value is None for value in values):
            return LineAnswer(question=asked.text, values=tuple(values), refusal=reasons_of(lines, values))
        results = [result for line in lines for result in line_results(asked, line, values)]
        results += differences(asked, values, contest(asked, len(self._companies), values, results))
        contestants = contest(asked, len(self._companies), values, results)
        named, verdict = winner(asked, len(self._companies), values, contestants)
        if not verdict:
            named, verdict = periods_of_change(asked, values, results)
        said, why = yes_or_no(asked, values, contestants, named)
        named, verdict = named or said, f"{verdict} {why}".strip()
        results += [result for line in lines for result in self._first_growth(line, values)]
        results += [result for line in lines for result in losses(asked, line, values)]
        results += without_points(asked, results)
        results += changes_of_percentages(asked, lines, values)
        return LineAnswer(
            question=asked.text,
            values=tuple(values),
            results=tuple(results),
            winner=named,
            verdict=verdict,
            notes=tuple(self._notes),
        )

    def _first_growth(self, line: AskedLine, values: Sequence[LineValue]) -> Iterator[LineResult]:
        """Yield the growth of the first of the periods that are named one by one, as `growth in 2023 and 2024`."""
        asked, span = self._asked, self._asked.span
        each_named = len(span.places) == len(span.periods) > 1 and not (span.ended or span.end_months)
        compared = asked.against or asked.direction or asked.over_periods or asked.of_companies or asked.group
        if asked.functions != ("growth",) or line.growth or compared or not each_named:
            return
        first = next((value for value in values if (value.company, value.line) == (line.books.name, line.name)), None)
        period = span.periods[0]
        before = self._figures.value(line, FiscalPeriod(period.year - 1, period.quarter))
        if first is None or first.value is None or before.value is None or before.unit != first.unit:
            self._notes[f"The growth of {line.name} in {period.label} is not given: the year before is not known."] = (
                None
            )
            return
        if restated := self._restated(line, before, first, period):
            self._notes[f"The growth of {line.name} in {period.label} is not given: {restated}."] = None
            return
        yield growth_of(line, before, first)

    def _lines(self) -> Iterator[AskedLine]:
        """Yield the lines that are asked for."""
        asked = self._asked
        for books in self._companies:
            told: set[str] = set()
            for measure in asked.measures or (None,):
                for phrases in self._phrases(books, measure):
                    of_its_own = len(phrases) == 1 and asked.alternatives and ends_with_figure(phrases[0])
                    if of_its_own and phrases[0] in told:
                        continue
                    told |= {phrases[0]} if of_its_own else set()
                    own = None if of_its_own else measure
                    yield from line_variants(asked, AskedLine(books, own, phrases, per_employee=asked.per_employee))

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
            notes = tuple(self._notes)
            each = [(f"{label} {common}".strip(),) for label in self._listed(books, measure, common)]
            for note in self._notes.keys() - notes:  # of what was tried
                del self._notes[note]
        return ([asked.combined] if asked.combined else []) + each

    def _listed(self, books: LineBooks, measure: AskedMeasure | None, common: str) -> list[str]:
        """Return the labels that are listed: neighbours that together name one row are one, and words said once shared.

        `energy generation and storage` may be one row; in `consumer and business postpaid phones` the last words are of
        both, and in `deliveries of 737 and 787` the first.
        """
        periods, _ = self._periods(books)
        if not periods or self._asked.printed:
            return list(self._asked.alternatives)
        newest = periods[-1]

        def is_row(label: str, said: str = "") -> bool:
            own = None if ends_with_figure(label) else measure
            asked_line = AskedLine(books, own, (f"{label} {common}".strip(),))
            found = self._figures.value(asked_line, newest, nearest=False)
            said = said or (label if " and " in label else "")
            return found.value is not None and (not said or found.row == "" or says(found.row, said))

        def nearest_to(label: str) -> LineValue:
            return self._figures.value(AskedLine(books, None, (f"{label} {common}".strip(),)), newest)

        def is_line(label: str) -> bool:
            return is_row(label) and not self._figures.is_revenue(books, f"{label} {common}".strip(), newest)

        first, *rest = self._asked.alternatives
        if measure is None and not common and len(rest) > 1 and rest[-1] in self._asked.apart and not is_row(first):
            of_each = [f"{label} {first}" for label in rest]  # `unit case volume, Europe vs Asia`
            if all(map(is_row, of_each)) or not any(map(is_line, rest)):
                return of_each
        labels = joined_names(self._asked.alternatives, self._asked.apart, is_row, measured=measure is not None)
        if measure is not None:
            parts, figures = with_figures_of_parts(labels)
            return with_words_of_each(parts, is_row, measured=True) + figures
        if same := of_rows_of_one_name(labels, nearest_to):
            return same
        found = with_words_of_each(labels, is_row, measured=False)
        if not all(names_figure(label) or is_line(label) for label in found):
            figured = with_figure_of_each(found)  # `profit of Orbital and Lunar`: the revenue of Lunar is no answer
            return (
                figured if figured != found else with_words_of_each(found, is_row, measured=False, anew=is_line(first))
            )
        return found

    def _periods(self, books: LineBooks) -> tuple[list[FiscalPeriod], str]:
        """Return the periods of a company, oldest first; none, and why, where they cannot be told."""
        periods, refusal = self._named_periods(books)
        if self._asked.year_end is not None and periods and periods[-1].quarter is None:
            year, month = self._asked.year_end
            own = books.ending_in(year, (month,), of_heads=False)
            if own not in (None, periods[-1]):
                return [], f"{periods[-1].label} of {books.name} does not end in {month}/{year}: that is {own.label}"
        if self._asked.trailing and len(periods) != _TRAILING_QUARTERS:
            if len(periods) != 1 or periods[0].quarter is None:
                return [], refusal or "twelve months up to a quarter are asked for, and not one quarter is told"
            while len(periods) < _TRAILING_QUARTERS:
                periods.append(periods[-1].before)
            periods.reverse()
        return periods, refusal

    def _named_periods(self, books: LineBooks) -> tuple[list[FiscalPeriod], str]:
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
        quarterly = span.quarterly or self._asked.trailing
        newest = books.newest(quarterly=quarterly)
        if newest is None:
            every = "quarter" if quarterly else "year"
            return [], f"of {books.name} no {every} is known"
        if span.since is not None:
            return [FiscalPeriod(year) for year in range(span.since.year, newest.year + 1)], ""
        periods = [newest]
        while len(periods) < (span.last or (4 if "sum" in self._asked.functions and quarterly else 1)):
            periods.append(periods[-1].before)
        return periods[::-1], ""

    def _at_end(self, books: LineBooks, at: int, period: FiscalPeriod) -> FiscalPeriod | None:
        """Return a company's own period, where one is told by the month in which it ends; None if it is not known."""
        months = [month for place, month in self._asked.span.ended if place == at]
        if not months:
            return period
        if period.quarter is None:
            return books.ending_in(period.year, months)
        or_year = period.quarter == ANY_END and not self._asked.trailing
        return books.quarter_ending(period.year, months[0], or_year=or_year)

    def _over_periods(self, line: AskedLine, periods: Sequence[FiscalPeriod]) -> list[LineValue]:
        """Return the figures of a line, oldest first; those on another basis than the one before say so."""
        values = self._of_one_row([self._figures.value(line, period) for period in periods], periods)
        if not (self._asked.excluded or self._asked.span.months):
            values, printed = as_printed(line, periods, values)
            self._notes |= dict.fromkeys(printed)
        for at, period in enumerate(periods[1:], start=1):
            if restated := self._restated(line, values[at - 1], values[at], period):
                values[at] = values[at].model_copy(update={"restated": restated})
                self._notes[f"{values[at].line}, {line.books.name}: {restated}."] = None
        return values

    def _printed_growth(
        self, line: AskedLine, found: Sequence[LineValue], periods: Sequence[FiscalPeriod]
    ) -> list[LineValue]:
        """Return the rates of growth that rows print for a line that has no amounts; none for other lines.

        Comparable sales are rates of growth themselves; of volumes many tables print nothing else.
        """
        if "growth" not in self._asked.functions or line.growth or line.measure is not None or line.qualifiers:
            return []
        grown = replace(line, growth=True)
        if all(value.value is None for value in found):
            stated = [self._figures.value(grown, period) for period in periods]
            return stated if all(value.value is not None for value in stated) else []
        of_rates = all(value.value is None or value.unit == "percent" for value in found)
        if of_rates and any(COMPARABLE.search(phrase) for phrase in line.phrases):
            return [value.model_copy(update={"line": grown.name}) for value in found[-len(periods) :]]
        return []

    def _of_one_row(self, values: list[LineValue], periods: Sequence[FiscalPeriod]) -> list[LineValue]:
        """Return figures without those of another row than the newest one, where a filing shows that the two differ."""
        newest = next((at for at in range(len(values) - 1, -1, -1) if values[at].value is not None), 0)
        for at in range(newest):
            if other := self._figures.another_row(values[at], values[newest], periods[at], periods[newest]):
                gap = {"value": None, "operands": (), "formula": "", "row": "", "gap": other}
                values[at] = values[at].model_copy(update=gap)
        return values

    def _restated(self, line: AskedLine, before: LineValue, value: LineValue, period: FiscalPeriod) -> str:
        """Say that a figure was restated after the one before it was last stated; empty where it was not.

        The filing that gives the earlier period gives the later one, too, in most cases. Where another filing gives
        another figure for the later one, the two are on different bases, as with and without a business that was sold.
        """
        names, newer = ({operand.document_name for operand in each.operands} for each in (before, value))
        if before.value is None or value.value is None or not names or names & newer:
            return ""
        notes = tuple(self._notes)
        then = self._figures.value(replace(line, books=line.books.only(names)), period)
        for note in self._notes.keys() - notes:
            del self._notes[note]
        if then.value is None or then.unit != value.unit or math.isclose(then.value, value.value, rel_tol=RECAST):
            return ""
        filing = ", ".join(sorted(names))
        return (
            f"{value.period} was restated after {before.period} was last stated: {filing}, which gives "
            f"{before.period}, has {shown(then.value, then.unit)} for {value.period}, not "
            f"{shown(value.value, value.unit)}"
        )

    # Groups

    def _of_named_parts(self, books: LineBooks) -> LineAnswer | None:
        """Answer of each part of a company by its name, with rows that name it; None where no name is known."""
        asked = self._asked
        periods, refusal = self._periods(books)
        if refusal or not periods:
            return None
        documents = [books.readable(info) for info in books.filings_of(periods[-1])]
        names = part_names(documents, asked.group, periods, asked.span.months)
        names = self._without_other_names(books, names, periods[-1])
        if not names:
            return None
        self._notes[f"Parts as its tables name them: {', '.join(names)}."] = None
        labels = (*names, *(label for label in asked.labels if label not in names))
        self._asked = replace(asked, group="", labels=labels, alternatives=names, apart=frozenset(names))
        answer = self.answer()
        return self._with_total(answer, books) if asked.with_total or not asked.direction else answer

    def _without_other_names(self, books: LineBooks, names: Sequence[str], period: FiscalPeriod) -> tuple[str, ...]:
        """Return the names of parts without those that find the row of another one: a tag may shorten what rows say."""
        asked = self._asked
        measure = asked.measures[0] if asked.measures else None
        common = " ".join(label for label in asked.labels if label not in names)
        kept: dict[object, str] = {}
        for name in names:
            found = self._figures.value(AskedLine(books, measure, (f"{name} {common}".strip(),)), period)
            cells = tuple((operand.document_name, operand.place) for operand in found.operands) or name
            if len(name) > len(kept.get(cells, "")):
                kept[cells] = name
        return tuple(kept.values())

    def _of_labelled_parts(self, asked: LineQuestion, books: LineBooks) -> LineAnswer:
        """Answer of each part of a company with rows that say what is asked for besides, as its paid members."""
        if asked.labels and not (asked.excluded or asked.alternatives):
            named = self._of_named_parts(books)
            if named is not None and not named.refusal:
                return named
        said = ", ".join((*asked.labels, *asked.qualifiers)) or "several figures"
        return LineAnswer(question=asked.text, refusal=f"of the parts of a company this is not read: {said}")

    def _with_total(self, answer: LineAnswer, books: LineBooks) -> LineAnswer:
        """Return an answer on the parts of a company with the figures of the whole, where they are found."""
        if answer.refusal:
            return answer
        whole = replace(self._asked, labels=(), alternatives=(), apart=frozenset(), direction="", against=False)
        total = _Answerer(whole, [books]).answer()
        if not total.complete and not self._asked.with_total:
            return answer
        return answer.model_copy(
            update={
                "values": (*answer.values, *total.values),
                "results": (*answer.results, *total.results),
                "notes": tuple(dict.fromkeys((*answer.notes, *total.notes))),
            }
        )

    def _unsaid_measure(self, *, grows: bool) -> AskedMeasure | None:
        """Return by what the parts of a company are compared where it is not said, with a note; None if not clear."""
        if grows:
            self._notes["Growth of what is not said: it is taken of revenue."] = None
            return AskedMeasure("revenue", "revenue", item="revenue")
        if LOST_OR_MADE.search(self._asked.text):
            self._notes["What is lost or made is not said: it is taken as the operating income."] = None
            return AskedMeasure("operating income", "operating_income", item="operating_income")
        return None

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
            return self._of_labelled_parts(asked, books)
        measure = measure or self._unsaid_measure(grows=grows)
        if measure is None:
            return LineAnswer(question=asked.text, refusal="it is not told by what figure the parts are compared")
        self._asked = asked = replace(asked, measures=(measure,))
        periods, refusal = self._periods(books)
        compared = (
            len(periods) > 1 and bool(asked.direction or asked.over_periods) and not (grows and len(periods) == 2)
        )
        if refusal or compared:
            return LineAnswer(
                question=asked.text, refusal=refusal or "the parts of a company are compared in one period"
            )
        before = [FiscalPeriod(periods[0].year - 1, periods[0].quarter)] if grows and len(periods) == 1 else []
        wanted = [*before, *periods]
        documents = [books.readable(info) for info in books.filings_of(periods[-1])]
        countries = bool(_COUNTRIES.search(asked.text))
        found = members_of(documents, measure, asked.group, wanted, asked.span.months, of_countries=countries)
        if found.refusal:
            return self._of_named_parts(books) or LineAnswer(question=asked.text, refusal=found.refusal)
        self._notes |= dict.fromkeys(found.notes)
        values: list[LineValue] = []
        lines: list[AskedLine] = []
        for name, figures in found.members.items():
            line = AskedLine(books, measure, (name,))
            lines.append(line)
            values += [_of_figure(line, figure, self._figures.label(figure.period)) for figure in figures]
        answer = self._told(lines, values)
        self._asked = replace(asked, group="")
        return self._with_total(answer, books) if asked.with_total or not asked.direction else answer


def _in_order(period: FiscalPeriod) -> tuple[int, int]:
    return period.year, period.quarter or 0


def _of_figure(line: AskedLine, figure: PeriodFigure, label: str) -> LineValue:
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
