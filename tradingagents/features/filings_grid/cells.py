"""Reads cells by rule: figures from the cells of statements, and conflicts in and between documents of a company."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from tradingagents.features.filings_grid.schemas import (
    CitedPassage,
    FilingsCell,
    GridDocument,
    GridOperand,
    OtherReading,
)
from tradingagents.retrieval.calculation import CitedOperand
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.stated_twice import last_digit, stated_otherwise
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_answer import LineValue, is_amount, shown
from tradingagents.retrieval.lines.line_text import extractive
from tradingagents.retrieval.lines.store_lines import lines_asked, read_of
from tradingagents.retrieval.models import SourceDocument, TextPlace
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.reading import QuestionReading

PASSAGE = 600
"""Characters of a cited line."""
_WORD = re.compile(r"[a-z0-9]+")
_STEM = 5
"""Letters by which a word of a question is found in a row: `services` in `Service revenue`."""
_NO_PART = re.compile(
    r"expenses?|costs?|amount|figure|level|number|total|overall|annual|reported|company|spending|spent"
    r"|the|of|and|for|in|its|how|much"
)
"""Words beside an item that ask for no part of it."""


def other_company(question: str, document: GridDocument, companies: Instruments) -> str:
    """Say that a question is about another company than a document; empty where it is not, or names none.

    Args:
        question: In plain words.
        document: Of one company.
        companies: Those of the grid: the simulated ones are in no list.
    """
    named = {*QuestionReading(question).tickers, *QuestionReading(question, instruments=companies).tickers}
    if not named or document.symbol in named:
        return ""
    return f"The question is about {', '.join(sorted(named))}, and the document is of {document.symbol}."


def asks_figure(question: str) -> bool:
    """Return whether a question asks for a figure of statements that rules know."""
    return QuestionReading(question).figure.asks_figure


def read_figure(question: str, document: SourceDocument, row: int, column: int) -> FilingsCell:
    """Read the figure that a question asks for from the statements of a document.

    A question without a period is asked of the document's own: its year, or its quarter. Where the figure is not there,
    the cell is absent, with the reason.
    """
    asked = _of_own_period(question, document)
    if part := _part_named(asked, document):
        return _read_part(asked, part, document, row, column)
    answer = answer_from_documents(asked, [document])
    if answer.kind not in ("figure", "comparison"):
        lines = lines_asked(asked, [document.info], lambda _: document)
        answer = answer if lines is None or lines.refusal else extractive(lines)
    if answer.kind not in ("figure", "comparison"):
        return FilingsCell(row=row, column=column, status="absent", reason=_said(answer.refusal, document))
    quarter = QuestionReading(asked).figure.quarter
    cell = FilingsCell(
        row=row,
        column=column,
        status="value",
        answer=answer.text.partition(". ")[0] if answer.kind == "figure" else answer.text,
        value=answer.value,
        unit=answer.unit,
        formula=answer.formula,
        passages=[_line(document, place) for place in _places(answer.operands)],
        operands=[_operand(operand, quarter) for operand in answer.operands],
    )
    return _with_others(cell, document, answer.operands)


def _with_others(cell: FilingsCell, document: SourceDocument, operands: Sequence[CitedOperand]) -> FilingsCell:
    """Return a cell; a conflict with both passages where another table of its document states a figure otherwise."""
    twice = stated_otherwise(document, operands)
    if not twice:
        return cell
    passages = [_line(document, place) for place in _places([found.other for found in twice])]
    others = [OtherReading(row=cell.row, shown=f"{document.info.name}: {found.said}") for found in twice]
    changes = {"status": "conflict", "passages": [*cell.passages, *passages], "others": others}
    return cell.model_copy(update=changes)


def _part_named(question: str, document: SourceDocument) -> tuple[str, ...]:
    """Return the words by which a question asks for a part of an item, such as `advertising` revenue; mostly none."""
    info = document.info
    own = LineBooks(info.symbol or info.company, info.symbol, [info], lambda _: document)
    asked = read_of(question, [own])
    words = [word for label in asked.labels for word in _WORD.findall(label.lower()) if not _NO_PART.fullmatch(word)]
    return tuple(words) + tuple(part for _, part in asked.own_labels) if asked.measures else ()


def _read_part(question: str, part: Sequence[str], document: SourceDocument, row: int, column: int) -> FilingsCell:
    """Read a part of an item from the row of a table that names it; the item of the whole company is no answer."""
    lines = lines_asked(question, [document.info], lambda _: document)
    absent = FilingsCell(row=row, column=column, status="absent", reason=f"No row of it gives: {' '.join(part)}.")
    if lines is None or lines.refusal or len(lines.values) != 1 or lines.results:
        return absent
    (found,) = lines.values
    if found.value is None or not all(word[:_STEM] in f"{found.row} {_label_of(found)}".lower() for word in part):
        return absent
    answer = extractive(lines)
    factor, unit = lines.scale if lines.scale[1] and is_amount(found.unit) else (1.0, found.unit)
    cell = FilingsCell(
        row=row,
        column=column,
        status="value",
        answer=f"{found.line[:1].upper()}{found.line[1:]}: {shown(found.value, found.unit, lines.scale)}",
        value=found.value / factor,
        unit=unit,
        formula=answer.formula,
        passages=[_line(document, place) for place in _places(answer.operands)],
        operands=[_operand(operand, None) for operand in answer.operands],
    )
    return _with_others(cell, document, answer.operands)


def _label_of(found: LineValue) -> str:
    return " ".join(f"{operand.label} {operand.column}" for operand in found.operands)


def with_conflicts(cells: Mapping[str, FilingsCell], documents: Sequence[GridDocument]) -> dict[str, FilingsCell]:
    """Return the cells that another document of the company contradicts, marked as conflicts.

    Two documents conflict on a question where both print the same item of the same period, and the figures differ by
    more than their last printed digits.
    """
    found: dict[str, FilingsCell] = {}
    for name, cell in cells.items():
        others = [
            OtherReading(row=other.row, shown=f"{documents[other.row].name}: {other.answer}")
            for other in cells.values()
            if other.column == cell.column
            and other.row != cell.row
            and documents[other.row].symbol == documents[cell.row].symbol
            and _contradicts(cell, other)
        ]
        if others:
            found[name] = cell.model_copy(update={"status": "conflict", "others": [*cell.others, *others]})
    return found


def _contradicts(cell: FilingsCell, other: FilingsCell) -> bool:
    """Return whether two cells are made of the same items of the same periods, of which one differs."""
    own, theirs = ({operand.name: operand for operand in each.operands} for each in (cell, other))
    if not own or own.keys() != theirs.keys():
        return False
    return any(_differ(own[name], theirs[name]) for name in own)


def _differ(one: GridOperand, other: GridOperand) -> bool:
    if one.unit != other.unit:
        return False  # in another currency, which says nothing about who is right
    rounding = max(one.precision, other.precision)
    return abs(abs(one.value) - abs(other.value)) > rounding * 1.001


def _of_own_period(question: str, document: SourceDocument) -> str:
    info, asked = document.info, QuestionReading(question).figure
    if asked.years or asked.quarter or info.fiscal_year is None:
        return question
    quarter = f"Q{info.fiscal_quarter} " if info.fiscal_quarter and info.form.upper().startswith("10-Q") else ""
    return f"{question} ({quarter}FY{info.fiscal_year})"


def _said(refusal: str, document: SourceDocument) -> str:
    reason = refusal.removeprefix(f"{document.info.name}: ").strip()
    return f"{reason[:1].upper()}{reason[1:]}"


def _places(operands: Sequence[CitedOperand]) -> Iterator[TextPlace]:
    """Yield the places of operands, each once."""
    yield from dict.fromkeys(operand.place for operand in operands if operand.place is not None)


def _line(document: SourceDocument, place: TextPlace) -> CitedPassage:
    """Return the line of a page on which a cell stands."""
    text = document.pages[place.page].text
    start = text.rfind("\n", 0, place.start) + 1
    end = text.find("\n", place.end)
    end = min(len(text) if end < 0 else end, start + PASSAGE)
    return CitedPassage(page=place.page, characters=(start, end), text=text[start:end].strip())


def _operand(operand: CitedOperand, quarter: int | None) -> GridOperand:
    return GridOperand(
        name=f"{operand.name} Q{quarter}" if quarter else operand.name,
        value=operand.value,
        unit=operand.unit,
        precision=last_digit(operand.text, operand.scale),
    )
