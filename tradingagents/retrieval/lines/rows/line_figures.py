"""The figure of a line for a period: from the books of a company, or from the rows of its filings."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tradingagents.retrieval.calculation import CalculationRequest, CitedOperand, calculate
from tradingagents.retrieval.lines.answers.rows_over_years import how_rows_differ
from tradingagents.retrieval.lines.asked.plain_text import plain_question
from tradingagents.retrieval.lines.cells.cell_choice import same_value
from tradingagents.retrieval.lines.cells.column_periods import is_of_flow
from tradingagents.retrieval.lines.cells.found_cells import FoundCell, LineFound, WantedLine
from tradingagents.retrieval.lines.cells.printed_rows import printed_line
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_answer import LineValue, is_amount, shown
from tradingagents.retrieval.lines.line_questions import AskedMeasure, LineQuestion
from tradingagents.retrieval.lines.parts.less_a_part import less_a_part
from tradingagents.retrieval.lines.parts.share_of_whole import asks_share
from tradingagents.retrieval.lines.row_cells import find_line, names_only_a_part, texts_of
from tradingagents.retrieval.lines.rows.asked_line import AskedLine, kind_of
from tradingagents.retrieval.lines.rows.label_words import concept_text, stems_of
from tradingagents.retrieval.lines.rows.long_tables import of_long_table
from tradingagents.retrieval.lines.rows.named_items import names_item
from tradingagents.retrieval.lines.rows.other_names import kind_of_phrase, long_names, said_otherwise, short_name
from tradingagents.retrieval.lines.rows.part_ratios import part_ratio
from tradingagents.retrieval.lines.rows.tagged_items import operand_of, tagged_figure
from tradingagents.retrieval.lines.rows.whole_names import OPERATING_RESULT, of_whole_name, part_that_lost
from tradingagents.retrieval.lines.sentences.headcount import asks_for_employees, employees_stated
from tradingagents.retrieval.lines.sentences.listed_amounts import listed_figure
from tradingagents.retrieval.lines.sentences.stated_items import stated_figure
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_OF_EARNINGS = re.compile(r"(?i)\b(?:earn\w*|profit\w*|los[se]\w*|lost|money|cash|margins?|income|make|made)\b")
LOST_OR_MADE = re.compile(
    r"(?i)\b(?:lost|los(?:es?|ing)|(?:made?|making|makes) (?:any )?(?:money|profit)|earn(?:ed|s|ing)?)\b"
)
"""What asks for the result of a part of a company without naming a figure."""
_ASKS_COUNT = re.compile(r"(?i)\b(?:how many|numbers? of|counts?)\b")
"""Words that ask for a number of things, for which no amount stands."""
_OF_ONE = re.compile(r"(?i)\b(?:per|each|averages?)\b")
"""What a row of amounts for one of something says."""
_HALF = 6
_RESTS: Mapping[int | None, tuple[int | None, int, int | None, int]] = {1: (2, 6, 2, 0), 4: (None, 0, 3, 9)}
"""Quarter and months of the longer period, and of what is taken from it, by the quarter that is left."""
NO_ROW = "no row of its filings gives it for"
"""With it begins the gap of a line that no row is called by; rows that differ are another one."""


class LineFigures:
    """Finds the figures of the lines of one question."""

    def __init__(self, asked: LineQuestion, notes: dict[str, None]) -> None:
        """Take the question, and the notes of its answer, to which those on figures are added."""
        self._asked = asked
        self._notes = notes
        self._cells: dict[tuple[str, str, FiscalPeriod], tuple[FoundCell, WantedLine]] = {}
        self._of_one_name: dict[tuple[str, str, FiscalPeriod], tuple[FoundCell, ...]] = {}

    def is_revenue(self, books: LineBooks, label: str, period: FiscalPeriod) -> bool:
        """Return whether what was found by a label alone is the revenue of a part."""
        found = self._cells.get((books.name, label, period))
        if found is None:
            return False
        cell, wanted = found
        texts = (*texts_of(cell), concept_text(cell.document, cell.cell))
        return names_item(replace(wanted, item="revenue"), *texts)

    def cell_of(self, line: AskedLine, period: FiscalPeriod) -> tuple[FoundCell, WantedLine] | None:
        """Return the cell found for a line, with what was wanted of it."""
        return self._cells.get((line.books.name, line.name, period))

    def value(self, line: AskedLine, period: FiscalPeriod, *, nearest: bool = True) -> LineValue:
        """Return the figure of a line for a period.

        Args:
            line: The line.
            period: The period.
            nearest: Whether the nearest row is taken where none is called by the words of the line.
        """
        return self._per_employee(line, period) if line.per_employee else self._found(line, period, nearest=nearest)

    def _per_employee(self, line: AskedLine, period: FiscalPeriod) -> LineValue:
        """Return an amount over those who work for a company at the end of its period."""
        of_line = self._found(replace(line, per_employee=False), period, nearest=True)
        people = self._found(AskedLine(line.books, None, ("employees",)), period, nearest=False)
        what = {"company": line.books.name, "line": line.name, "period": of_line.period}
        if gap := of_line.gap or people.gap:
            return LineValue(**what, gap=gap)
        if period.quarter is not None or not is_amount(of_line.unit) or people.unit != "count" or not people.value:
            return LineValue(**what, gap="only the amount of a year is set against the employees at its end")
        formula = f"{shown(of_line.value or 0.0, of_line.unit)} / {shown(people.value, 'count')} employees"
        return LineValue(
            **what,
            value=(of_line.value or 0.0) / people.value,
            unit=of_line.unit,
            formula=formula,
            operands=(*of_line.operands, *people.operands),
        )

    def _found(self, line: AskedLine, period: FiscalPeriod, *, nearest: bool) -> LineValue:
        what = {"company": line.books.name, "line": line.name, "period": self.label(period)}
        if self._asked.excluded or line.phrases or line.qualifiers or line.growth:
            return self._of_rows(line, period, what, nearest=nearest)
        if (measure := line.measure) is None:
            return LineValue(**what, gap="it is not told what of")
        months = self._asked.span.months
        found = (
            line.books.part_of_year(measure.expression, period, months, measure.output)
            if months
            else line.books.figure(measure.expression, period, measure.output, line.version)
        )
        self._notes.update(dict.fromkeys(found.notes))
        if found.value is None:
            shown_later = None
            if measure.item and not months:
                shown_later = self._of_later_tables(line, "", period, what) or self._of_long_tables(line, period, what)
            return shown_later or LineValue(**what, gap=found.refusal)
        return LineValue(**what, value=found.value, unit=found.unit, formula=found.formula, operands=found.operands)

    def of_one_name(self, line: AskedLine, periods: Sequence[FiscalPeriod]) -> list[tuple[FoundCell, ...]]:
        """Return the rows that fit a line equally well and differ, for each period, as far as they were met."""
        return [self._of_one_name.get((line.books.name, line.name, period), ()) for period in periods]

    def another_row(self, before: LineValue, value: LineValue, first: FiscalPeriod, then: FiscalPeriod) -> str:
        """Say that two figures of a line are of rows that differ; empty where no filing gives both for one period."""
        one, other = (self._cells.get((each.company, each.line, at)) for each, at in ((before, first), (value, then)))
        return how_rows_differ(one, other, first, then, self.label)

    def label(self, period: FiscalPeriod) -> str:
        """Return what a period is called: a part of a year, such as `H1 FY2025`, where one is asked for."""
        months = self._asked.span.months
        if not months or period.quarter is None:
            return period.label
        return f"H{period.quarter // 2} FY{period.year}" if months == _HALF else f"{months}M FY{period.year}"

    def _of_rows(self, line: AskedLine, period: FiscalPeriod, what: dict[str, str], *, nearest: bool) -> LineValue:
        """Return a figure from the rows of tables, summed over the line's phrases."""
        parts = [self._of_phrase(line, phrase, period, what, nearest=nearest) for phrase in line.phrases or ("",)]
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

    def _of_phrase(
        self, line: AskedLine, phrase: str, period: FiscalPeriod, what: dict[str, str], *, nearest: bool
    ) -> LineValue:
        """Return a figure by a phrase, or by the short name that a filing gives to what the phrase names."""
        documents = [line.books.readable(info) for info in line.books.filings_of(period, releases=True)]
        if not documents:
            later = (
                self._of_later_tables(line, phrase, period, what)
                or self._of_rest(line, phrase, period, what)
                or self._of_tags(line, phrase, period, what)
            )
            return later or LineValue(**what, gap=f"no filing of {period.label} is stored")
        if phrase in self._asked.printed and not line.growth:
            called = printed_line(documents, phrase, self._asked.printed, period, self._asked.span.months)
            return self._of_cell(called, WantedLine(phrase=phrase), period, what)
        if named := self._named_with_company(line, phrase):
            by_name = self._of_documents(documents, line, named, period, what)
            if by_name.value is not None:
                return by_name
        found = self._of_documents(documents, line, phrase, period, what)
        for other, note, told in said_otherwise(phrase) if found.value is None else ():
            by_other = self._of_documents(documents, line, other, period, what)
            if by_other.value is not None and told.search(by_other.row):
                self._notes |= {note.format(by_other.row): None} if note else {}
                return by_other
        if found.value is None and line.measure is None and asks_for_employees(phrase):
            return self._of_sentences(documents, lambda each: employees_stated(each, period), what) or found
        if found.value is None and phrase and (short := short_name(documents, phrase, line.books.name_words)):
            by_short_name = self._of_documents(documents, line, short, period, what)
            if by_short_name.value is not None:
                self._notes[f"{short} is how its filing shortens {phrase}."] = None
                return by_short_name
        if found.value is not None or not found.gap.startswith(NO_ROW):
            return found
        for long in long_names(documents, phrase, line.books.name):
            by_long_name = self._of_documents(documents, line, long, period, what)
            if by_long_name.value is not None:
                self._notes[f"{phrase} is read as {long}, as its filing writes it out."] = None
                return by_long_name
        stated = (
            self._of_rest(line, phrase, period, what)
            or self._of_tags(line, phrase, period, what)
            or self._of_item_in_sentences(documents, line, phrase, period, what)
            or self._named_otherwise(documents, line, phrase, period, what)
        )
        if stated is None and nearest:
            near = self._of_documents(documents, line, phrase, period, what, nearest=True)
            return near if near.value is not None else found
        return stated or found

    def _named_otherwise(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        phrase: str,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue | None:
        """Return the figure of a row with the words of phrase and measure as its name, or what a part lost."""
        measure = line.measure
        if not phrase or line.growth or self._asked.excluded or self._asked.span.months:
            return None
        if measure is not None:
            wanted = WantedLine(company=line.books.name_words, spoken=self._asked.spoken, qualifiers=line.qualifiers)
            cell = of_whole_name(documents, f"{phrase} {measure.name}", wanted, kind_of(measure.output), period)
            return None if cell is None else self._of_cell(LineFound(cell), wanted, period, what)
        if not (part := part_that_lost(phrase)):
            return None
        found = self._of_documents(documents, replace(line, measure=OPERATING_RESULT), part, period, what)
        if found.value is None or found.value >= 0:
            return None
        self._notes[f"The loss of {part} is not said which: its loss from operations is taken."] = None
        return found

    def _named_with_company(self, line: AskedLine, phrase: str) -> str:
        """Return a phrase with the company's name before it, where the question writes it so: `Walmart U.S.`."""
        label = r"\W+".join(map(re.escape, phrase.split()))
        if not phrase or not re.search(rf"[\ue000-\uefff] {label}(?!\w)", plain_question(self._asked.text)):
            return ""
        name = next((word for info in line.books.infos for word in re.findall(r"[a-z]{3,}", info.company.lower())), "")
        return f"{name} {phrase}" if name else ""

    def _is_narrowed(self, line: AskedLine) -> bool:
        """Whether more is said of a line than its name and its period, as that a share of a whole is wanted."""
        asked = self._asked
        more = asked.excluded or asked.without or asked.context or asked.span.months or asks_share(asked.text)
        return bool(line.measure or line.qualifiers or line.growth or line.books.statement or more)

    def _of_sentences(
        self,
        documents: Sequence[SourceDocument],
        stated_by: Callable[[SourceDocument], CitedOperand | None],
        what: dict[str, str],
    ) -> LineValue | None:
        """Return a figure that a sentence of a report states of a line by its whole name; None where none does."""
        for document in documents:
            if stated := stated_by(document):
                self._notes[f"{what['line']} is told in a sentence of {document.info.name}, {stated.column}."] = None
                return LineValue(**what, value=stated.value, unit=stated.unit, operands=(stated,), row=stated.label)
        return None

    def _of_item_in_sentences(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        phrase: str,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue | None:
        """Return a figure that a sentence states of a line, for one year or in a list; None where none does."""
        measure, own = line.measure, line.books.name_words
        if self._is_narrowed(replace(line, measure=None)) or (measure is not None and not measure.item):
            return None
        item = f"{phrase} {measure.name}" if measure else phrase
        stated = (
            None if measure else self._of_sentences(documents, lambda each: stated_figure(each, phrase, period), what)
        )
        return stated or self._of_sentences(documents, lambda each: listed_figure(each, item, period, own), what)

    def _of_tags(self, line: AskedLine, phrase: str, period: FiscalPeriod, what: dict[str, str]) -> LineValue | None:
        """Return a figure that the company tags under the words of a phrase; None where it tags none."""
        books = line.books
        if books.facts is None or not books.symbol or self._is_narrowed(line):
            return None
        fact = tagged_figure(books.facts, books.symbol, phrase, period, books.as_of)
        if fact is None:
            return None
        self._notes[f"{what['line']} is what {books.name} tags as {fact.tag}."] = None
        operand = operand_of(fact, f"line@{period.year}")
        return LineValue(**what, value=fact.value, unit=fact.unit, operands=(operand,), row=fact.tag)

    def _of_documents(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        phrase: str,
        period: FiscalPeriod,
        what: dict[str, str],
        *,
        nearest: bool = False,
        months: int = 0,
    ) -> LineValue:
        excluded = f"excluding {self._asked.excluded}" if self._asked.excluded else ""
        wanted = WantedLine(
            phrase=f"{phrase} {excluded}".strip(),
            qualifiers=line.qualifiers,
            growth=line.growth,
            context=self._asked.context,
            months=months or self._asked.span.months,
            without=self._asked.without,
            company=line.books.name_words,
            spoken=self._asked.spoken,
            nearest=nearest,
        )
        measure = line.measure
        if measure is None:
            kind = kind_of_phrase(phrase, self._asked.text)
            found = find_line(documents, replace(wanted, kind=kind), period)
            if kind == "count" and found.cell is None and not (nearest or _ASKS_COUNT.search(self._asked.text)):
                # words such as `stores` are also in names: `Online stores`
                named = find_line(documents, wanted, period)
                found = named if named.cell is not None and not named.cell.extras else found
            if self._of_amounts and not line.growth and any(is_amount(cell.unit) for cell in found.candidates):
                amounts = find_line(documents, replace(wanted, kind="money"), period)
                found = amounts if amounts.cell is not None or amounts.candidates else found
            if kind == "any" and (
                found.candidates or (found.cell is not None and names_only_a_part(found.cell, phrase))
            ):
                found = self._of_revenue(documents, wanted, period, found)
            return self._of_cell(found, wanted, period, what)
        if measure.item:
            found = find_line(documents, replace(wanted, item=measure.item, kind=kind_of(measure.output)), period)
            spoken = wanted.spoken - stems_of(excluded)
            whole = replace(wanted, phrase=phrase, item=measure.item, kind=kind_of(measure.output), spoken=spoken)
            if found.cell is None and excluded and (less := self._less(documents, line, whole, period, what)):
                return less
            return self._of_cell(found, wanted, period, what)
        return self._of_metric(documents, line, measure, wanted, period, what)

    def _of_rest(self, line: AskedLine, phrase: str, period: FiscalPeriod, what: dict[str, str]) -> LineValue | None:
        """Return an amount of a quarter as a longer period less the other quarters of it; None where it is not so told.

        The first quarter is the half-year less the second, the last one the year less nine months.
        """
        measure, year = line.measure, period.year
        if period.quarter not in _RESTS or self._asked.span.months or line.growth or self._asked.excluded:
            return None
        if measure is not None and not measure.item:
            return None
        longer, months, shorter, less = _RESTS[period.quarter]
        cells: list[FoundCell] = []
        known = dict(self._cells)
        for quarter, length in ((longer, months), (shorter, less)):
            own = FiscalPeriod(year, quarter)
            documents = [line.books.readable(info) for info in line.books.filings_of(own)]
            part = self._of_documents(documents, line, phrase, own, what, months=length)
            found = self._cells.get((what["company"], what["line"], own))
            self._cells = dict(known)
            if part.value is None or found is None or not is_amount(part.unit) or not is_of_flow(found[0]):
                return None
            cells.append(found[0])
        whole, other = cells
        if stems_of(whole.row.label) != stems_of(other.row.label) or whole.unit != other.unit:
            return None
        operands = (whole.operand("longer"), other.operand("rest"))
        result = calculate(CalculationRequest(expression="longer - rest", operands=operands))
        if result.value is None:
            return None
        self._notes[f"{what['line']} of {period.label} is {whole.column.header} less {other.column.header}."] = None
        return LineValue(
            **what, value=result.value, unit=result.unit, formula=result.formula, operands=operands, row=whole.shown
        )

    @property
    def _of_amounts(self) -> bool:
        return bool({"growth", "sequential", "cagr", "multiple"} & set(self._asked.functions))

    def _of_revenue(
        self, documents: Sequence[SourceDocument], wanted: WantedLine, period: FiscalPeriod, found: LineFound
    ) -> LineFound:
        """Return the revenue of a part of a company of which no figure is named; what was found, if it is not told so.

        Where something is said of earning or losing, another figure is meant.
        """
        if wanted.qualifiers or wanted.growth:
            return found
        if _OF_EARNINGS.search(self._asked.text):
            return self._of_result(documents, wanted, period, found)
        revenue = find_line(documents, replace(wanted, item="revenue", kind="money"), period)
        if revenue.cell is None:
            named = found.cell is None or names_item(replace(wanted, item="revenue"), *texts_of(found.cell))
            return found if named else LineFound(candidates=(found.cell,) if found.cell else ())
        if found.cell is None or not same_value(found.cell.value, revenue.cell.value):
            self._notes[f"The figure of {wanted.phrase} is not said: its revenue is taken."] = None
        return revenue

    def _of_result(
        self, documents: Sequence[SourceDocument], wanted: WantedLine, period: FiscalPeriod, found: LineFound
    ) -> LineFound:
        """Return what a part of a company earned or lost from operations, where it is asked what it lost or made."""
        if found.cell is not None or not LOST_OR_MADE.search(self._asked.text):
            return found
        result = find_line(documents, replace(wanted, item="operating_income", kind="money"), period)
        if result.cell is None:
            return found
        self._notes[f"The figure of {wanted.phrase} is not said: its operating income is taken."] = None
        return result

    def _of_later_tables(
        self, line: AskedLine, phrase: str, period: FiscalPeriod, what: dict[str, str]
    ) -> LineValue | None:
        """Return a figure of a quarter from a table of several quarters in a later report; None where none shows it."""
        measure = line.measure
        if self._asked.excluded or line.qualifiers or line.growth or (measure is not None and not measure.item):
            return None
        kind = kind_of(measure.output) if measure else kind_of_phrase(phrase, self._asked.text)
        item = measure.item if measure else ""
        wanted = WantedLine(
            phrase=phrase, item=item, kind=kind, company=line.books.name_words, spoken=self._asked.spoken
        )
        documents = [line.books.readable(info) for info in line.books.showing_quarter(period)]
        found = find_line(documents, wanted, period)
        return None if found.cell is None else self._of_cell(found, wanted, period, what)

    def _of_long_tables(self, line: AskedLine, period: FiscalPeriod, what: dict[str, str]) -> LineValue | None:
        """Return a figure of a year from a table over many years in a later report; None where none shows it."""
        measure = line.measure
        if measure is None or period.quarter is not None or line.version != "latest":
            return None
        wanted = WantedLine(item=measure.item, kind=kind_of(measure.output), company=line.books.name_words)
        documents = [line.books.readable(info) for info in line.books.filings_of(period)]
        found = of_long_table(documents, wanted, period)
        return None if found is None else self._of_cell(LineFound(found), wanted, period, what)

    def _less(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        whole: WantedLine,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue | None:
        """Return a figure less what is left out, where one table states both; None where none does."""
        less = None if line.qualifiers else less_a_part(documents, whole, self._asked.excluded, period)
        if less is None:
            return None
        name = f"{what['line']} excluding {self._asked.excluded}"
        self._notes[f"{name} is the row {less.rows} of {less.document}."] = None
        found = {"value": less.result.value, "unit": less.result.unit, "formula": less.result.formula}
        return LineValue(**what, **found, operands=less.result.operands, row=less.rows)

    def _of_cell(self, found: LineFound, wanted: WantedLine, period: FiscalPeriod, what: dict[str, str]) -> LineValue:
        cell = found.cell
        if cell is None:
            if found.candidates:
                self._of_one_name[what["company"], what["line"], period] = found.candidates
            return LineValue(**what, gap=found.refusal if found.candidates else self._unhonoured(wanted))
        if math.isnan(cell.value):
            return LineValue(**what, gap=f"the figure of the row {cell.shown!r} could not be read")
        if self._asked.per_one and not _OF_ONE.search(f"{cell.shown} {cell.column.header}"):
            return LineValue(**what, gap=f"the row {cell.shown!r} is not per {self._asked.per_one}")
        self._cells[what["company"], what["line"], period] = cell, wanted
        operand = cell.operand(f"line@{period.year}")
        self._notes[f"{what['line']} is the row {cell.shown!r} of {cell.document.info.name}."] = None
        return LineValue(**what, value=cell.value, unit=cell.unit, operands=(operand,), row=cell.shown)

    def _unhonoured(self, wanted: WantedLine) -> str:
        """Say that no row answers for the words and qualifiers of a line."""
        reason = f"{NO_ROW} {' '.join((*sorted(wanted.qualifiers), wanted.phrase)).strip()!r}"
        left_in = f": the answer does not exclude {self._asked.excluded}, and the whole is not given instead"
        return reason + (left_in if self._asked.excluded else "")

    def _of_metric(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        measure: AskedMeasure,
        wanted: WantedLine,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue:
        """Return a ratio of a line: worked out from its rows, else as a row prints it."""
        kind = kind_of(measure.output)
        printed = find_line(documents, replace(wanted, measure=measure.name, kind=kind), period)
        if line.qualifiers or "@-" in measure.expression or line.growth:
            return self._of_cell(printed, wanted, period, what)
        found = part_ratio(documents, measure, wanted, period, printed.cell)
        if found.refusal:
            return LineValue(**what, gap=found.refusal)
        result = found.result
        if result is None or result.value is None:
            return self._of_cell(printed, wanted, period, what)
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
