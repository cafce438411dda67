"""A `LineAnswer` in words: the comparison, a table with citations, what was computed, and what is missing."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tradingagents.retrieval.calculation import CitedOperand, formula_in_words
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.lines.line_answer import LineAnswer, LineResult, LineValue, is_amount, shown

CONFIDENCE = 0.9
"""Of an answer that gives every figure asked for."""
MOST_FORMULAS = 24
"""Formulas that are written out; the source of the calculation has all."""
Cite = Callable[[Sequence[CitedOperand]], str]
"""Returns the citations of cells, such as `[10K1]`; empty for none."""


def text_of(answer: LineAnswer, cite: Cite = lambda _operands: "") -> str:
    """Return an answer as Markdown.

    Args:
        answer: With at least one figure.
        cite: Gives the citations of a figure's cells.
    """
    parts = [answer.verdict, _not_honoured(answer), _table(answer, cite), _bullets(answer, cite)]
    return "\n\n".join(part for part in parts if part)


def extractive(answer: LineAnswer) -> ExtractiveAnswer:
    """Return an answer in the form of those from one filing; figures of several lines or periods have no one value."""
    if answer.refusal:
        text = f"Cannot answer: {answer.refusal}"
        return ExtractiveAnswer(question=answer.question, kind="refusal", text=text, refusal=answer.refusal)
    formulas = dict.fromkeys([value.formula for value in answer.values] + [each.formula for each in answer.results])
    return ExtractiveAnswer(
        question=answer.question,
        kind="comparison",
        text=_plain_text(answer),
        formula="; ".join(filter(None, formulas)),
        operands=answer.operands,
        confidence=CONFIDENCE if answer.complete else CONFIDENCE / 2,
    )


def _plain_text(answer: LineAnswer) -> str:
    """Return an answer in one paragraph: every figure, what was computed, and what is missing."""
    scale = answer.scale
    given = [
        f"{_name(value)}: {shown(value.value, value.unit, scale)}" for value in answer.values if value.value is not None
    ]
    computed = [f"{result.name}: {_result(result)}" for result in answer.results]
    parts = [answer.verdict, _not_honoured(answer), "; ".join(given), *computed, *_missing(answer), *answer.notes]
    return " ".join(f"{part.rstrip('.')}." for part in parts if part)


def _not_honoured(answer: LineAnswer) -> str:
    """Say which words of the question the figures do not honour; empty where there are none."""
    if not answer.not_honoured:
        return ""
    return f"Not honoured: no table of the filings has {', '.join(map(repr, answer.not_honoured))}."


def cells_text(answer: LineAnswer) -> str:
    """Return every figure with its formula and its cells, as the text of a source."""
    lines = []
    for value in answer.values:
        if value.value is None:
            continue
        cells = "; ".join(_cell(operand) for operand in value.operands)
        formula = f" {formula_in_words(value.formula)}." if value.formula else ""
        lines.append(f"{_name(value)}: {shown(value.value, value.unit, answer.scale)}.{formula} Cells: {cells}.")
    lines += [f"{result.name}: {_result(result)}." for result in answer.results]
    return "\n".join(lines)


def _cell(operand: CitedOperand) -> str:
    printed = operand.text or f"{operand.value:,.10g} {operand.unit}".strip()
    return f"{operand.document_name}, {operand.label} ({operand.column}) {printed}"


def _name(value: LineValue) -> str:
    return f"{value.company}, {value.line}, {value.period}"


def _result(result: LineResult) -> str:
    return (
        f"withheld: {result.refusal}"
        if result.value is None
        else f"{shown(result.value, result.unit)} = {formula_in_words(result.formula)}"
    )


def _table(answer: LineAnswer, cite: Cite) -> str:
    """Return the figures as a table, a row a company and line and a column a period; a gap is a dash."""
    values, scale = answer.values, answer.scale
    unit = (
        f" ({scale[1]})"
        if scale[1] and all(is_amount(value.unit) for value in values if value.value is not None)
        else ""
    )
    periods = answer.periods
    by_place = {(value.company, value.line, value.period): value for value in values}
    rows = []
    for company, line in dict.fromkeys((value.company, value.line) for value in values):
        printed = []
        for period in periods:
            value = by_place.get((company, line, period))
            if value is None or value.value is None:
                printed.append("-")
                continue
            figure = shown(value.value, value.unit, scale)
            figure = figure.removesuffix(f" {scale[1]}") if unit else figure
            printed.append(f"{figure} {cite(value.operands)}".strip())
        rows.append((f"{company}: {line}{unit}", *printed))
    header = ("", *periods)
    lines = ["| " + " | ".join(row) + " |" for row in (header, ["---"] * len(header), *map(_escaped, rows))]
    return "\n".join(lines)


def _escaped(row: Sequence[str]) -> list[str]:
    return [cell.replace("|", "/") for cell in row]


def _bullets(answer: LineAnswer, cite: Cite) -> str:
    """Return what was computed, how figures follow from their cells, what is missing, and notes."""
    computed = [f"{result.name}: {_result(result)} {cite(result.operands)}" for result in answer.results]
    formulas = [
        f"{_name(value)}: {formula_in_words(value.formula)}"
        for value in answer.values
        if value.formula and len(value.operands) > 1
    ]
    derived = [
        f"{_name(value)}: {operand.label}"
        for value in answer.values
        for operand in value.operands
        if " = " in operand.label and len(value.operands) == 1
    ]
    every = [*computed, *dict.fromkeys(formulas[:MOST_FORMULAS]), *dict.fromkeys(derived[:MOST_FORMULAS]),
             *_missing(answer), *answer.notes]  # fmt: skip
    return "\n".join(f"- {line.strip().rstrip('.')}." for line in every)


def _missing(answer: LineAnswer) -> list[str]:
    return [f"Not given: {_name(value)}: {value.gap}" for value in answer.values if value.gap]
