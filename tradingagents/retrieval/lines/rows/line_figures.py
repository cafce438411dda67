"""The figure of a line for a period: from the books of a company, or from the rows of its filings."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from tradingagents.retrieval.calculation import CalculationRequest, Output, calculate
from tradingagents.retrieval.lines.less_a_part import whole_and_part
from tradingagents.retrieval.lines.line_answer import LineValue
from tradingagents.retrieval.lines.line_questions import AskedMeasure, LineQuestion
from tradingagents.retrieval.lines.row_cells import CellKind, FoundCell, WantedLine, find_line, words_of_name
from tradingagents.retrieval.lines.rows.asked_line import AskedLine
from tradingagents.retrieval.lines.rows.long_tables import of_long_table
from tradingagents.retrieval.lines.rows.part_ratios import part_ratio
from tradingagents.retrieval.lines.wording import asked_words
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.series.span import FiscalPeriod

_PER_SHARE = re.compile(r"(?i)\b(?:per|a) share\b")
_HALF = 6


class LineFigures:
    """Finds the figures of the lines of one question."""

    def __init__(self, asked: LineQuestion, notes: dict[str, None]) -> None:
        """Take the question, and the notes of its answer, to which those on figures are added."""
        self._asked = asked
        self._notes = notes

    def value(self, line: AskedLine, period: FiscalPeriod) -> LineValue:
        """Return the figure of a line for a period."""
        what = {"company": line.books.name, "line": line.name, "period": self.label(period)}
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
        self._notes.update(dict.fromkeys(found.notes))
        if found.value is None:
            shown_later = None
            if measure.item and not months:
                shown_later = self._of_later_tables(line, "", period, what) or self._of_long_tables(line, period, what)
            return shown_later or LineValue(**what, gap=found.refusal)
        return LineValue(**what, value=found.value, unit=found.unit, formula=found.formula, operands=found.operands)

    def label(self, period: FiscalPeriod) -> str:
        """Return what a period is called: a part of a year, such as `H1 FY2025`, where one is asked for."""
        months = self._asked.span.months
        if not months or period.quarter is None:
            return period.label
        return f"H{period.quarter // 2} FY{period.year}" if months == _HALF else f"{months}M FY{period.year}"

    def _of_rows(self, line: AskedLine, period: FiscalPeriod, what: dict[str, str]) -> LineValue:
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

    def _of_phrase(self, line: AskedLine, phrase: str, period: FiscalPeriod, what: dict[str, str]) -> LineValue:
        """Return a figure by a phrase, or by the short name that a filing gives to what the phrase names."""
        documents = [line.books.readable(info) for info in line.books.filings_of(period, releases=True)]
        if not documents:
            later = self._of_later_tables(line, phrase, period, what)
            return later or LineValue(**what, gap=f"no filing of {period.label} is stored")
        found = self._of_documents(documents, line, phrase, period, what)
        if found.value is None and phrase and (short := short_name(documents, phrase, line.books.name_words)):
            by_short_name = self._of_documents(documents, line, short, period, what)
            if by_short_name.value is not None:
                self._notes[f"{short} is how its filing shortens {phrase}."] = None
                return by_short_name
        return found

    def _of_documents(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        phrase: str,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue:
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
        measure = line.measure
        if measure is None:
            kind: CellKind = "per_share" if self._is_per_share else "any"
            found = find_line(documents, replace(wanted, kind=kind), period)
            if found.candidates and self._of_amounts and not line.growth:  # the growth of an amount is worked out
                found = find_line(documents, replace(wanted, kind="money"), period)
            return self._of_cell(found.cell, wanted, found.refusal, period, what)
        if measure.item:
            found = find_line(documents, replace(wanted, item=measure.item, kind=_kind(measure.output)), period)
            if found.cell is None and excluded and (less := self._less(documents, line, phrase, measure, period, what)):
                return less
            return self._of_cell(found.cell, wanted, found.refusal, period, what)
        return self._of_metric(documents, line, measure, wanted, period, what)

    @property
    def _of_amounts(self) -> bool:
        return bool({"growth", "sequential", "cagr", "multiple"} & set(self._asked.functions))

    def _of_later_tables(
        self, line: AskedLine, phrase: str, period: FiscalPeriod, what: dict[str, str]
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

    def _of_long_tables(self, line: AskedLine, period: FiscalPeriod, what: dict[str, str]) -> LineValue | None:
        """Return a figure of a year from a table over many years in a later report; None where none shows it."""
        measure = line.measure
        if measure is None or period.quarter is not None or line.version != "latest":
            return None
        wanted = WantedLine(item=measure.item, kind=_kind(measure.output), company=line.books.name_words)
        documents = [line.books.readable(info) for info in line.books.filings_of(period)]
        found = of_long_table(documents, wanted, period)
        return None if found is None else self._of_cell(found, wanted, "", period, what)

    @property
    def _is_per_share(self) -> bool:
        return bool(_PER_SHARE.search(asked_words(self._asked.text.lower())))

    def _less(
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
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
        self,
        documents: Sequence[SourceDocument],
        line: AskedLine,
        measure: AskedMeasure,
        wanted: WantedLine,
        period: FiscalPeriod,
        what: dict[str, str],
    ) -> LineValue:
        """Return a ratio of a line: worked out from its rows, else as a row prints it."""
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


_SHORT_NAME = r"\s*\([\"\u201c]?([A-Z][A-Za-z]{1,6})[\"\u201d]?\)"
"""A short name in brackets after the full one, as `Frito-Lay North America (FLNA)`."""
_FEWEST_WORDS = 2
"""Words of a name that a filing shortens."""


def short_name(documents: Sequence[SourceDocument], phrase: str, company: frozenset[str]) -> str:
    """Return the short name that filings give to what a phrase names; empty where they give none, or several.

    A phrase that is the end of a longer name, as `Asset Management` of `Global Asset Management (GAM)`, names something
    else, unless the company's own name stands before it.
    """
    words = re.findall(r"[\w'-]+", phrase)
    if len(words) < _FEWEST_WORDS:
        return ""
    name = r"[^A-Za-z0-9(]{1,8}(?:and )?".join(map(re.escape, words))
    pattern = re.compile(rf"(?:\b([A-Z]\w+)[ -])?(?i:\b{name}){_SHORT_NAME}")
    for document in documents:
        pairs = {match for page in document.pages for match in pattern.findall(page.text)}
        found = {short for before, short in pairs if not before or words_of_name([before]) <= company}
        if pairs:
            return found.pop() if len(found) == 1 and len(pairs) == 1 else ""
    return ""


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
