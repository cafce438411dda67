"""The first sentences of answers to questions for figures: label, company, period, value; or what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.offline.questions.asked import AskedFigure, AskedFigures
from tradingagents.retrieval.calculation import formula_in_words
from tradingagents.retrieval.questions.names import Threshold
from tradingagents.schemas.facts import FactRecord, FigureRecord

MOST_CELLS = 4
"""Cells of a formula that an answer shows; the page and the record show all."""
GENERAL_NAMES = frozenset({"computed_value"})
"""Names of figures that do not say what they are."""

CHANGES = {
    "_growth": "growth of",
    "_cagr": "compound annual growth of",
    "_average": "average",
    "_difference": "change in",
}
"""What the endings of computed figures mean."""


class _Row(NamedTuple):
    """What one company has of a figure."""

    symbol: str
    figure: FigureRecord | None
    fact: FactRecord | None

    @property
    def period(self) -> str:
        """The period of the figure, or the day of the answer."""
        if self.figure is None or self.fact is None:
            return ""
        asked = self.fact.arguments
        if not self.figure.over and "start_date" in asked and "end_date" in asked:
            return f"from {asked['start_date']} to {asked['end_date']}"
        return self.figure.over or f"as of {self.fact.as_of}"

    @property
    def why_not(self) -> str:
        """Why there is no figure."""
        return (self.fact.failure if self.fact else "") or "no tool gave it"


def lead_of(asked: AskedFigures, tasks: Sequence[TaskResultRecord], symbols: Sequence[str]) -> str:
    """Return the answer to a question for figures in one sentence a figure; empty where it asks for none."""
    facts = [fact for task in tasks for fact in task.facts]
    sentences = []
    for figure in asked.figures:
        rows = [_row(figure, facts, symbol) for symbol in symbols]
        if len(rows) == 1:
            sentences.append(_single(figure, rows[0]))
        elif rows:
            sentences.append(_compared(figure, rows, asked))
    return " ".join(sentences)


def derivation_line(fact: FactRecord) -> str:
    """Return how the first figure of an answer follows from cells; empty where it is a cell itself."""
    figure = next(iter(fact.figures), None)
    derivation = figure.derivation if figure is not None else None
    if figure is None or derivation is None or not 1 < len(derivation.cells) <= MOST_CELLS:
        return ""
    cells = "; ".join(
        f"{formula_in_words(cell.name)} {Figure('', cell.value, cell.unit).text} ({cell.where})"
        for cell in derivation.cells
    )
    return f"{fact.symbol or 'Market'}: {_name(figure, '')} = {formula_in_words(derivation.formula)}, with {cells}."


def _row(asked: AskedFigure, facts: Sequence[FactRecord], symbol: str) -> _Row:
    wanted = {name: str(value) for name, value in asked.arguments}
    for fact in facts:
        asked_of = str(fact.arguments.get("ticker", fact.symbol))
        same = all(str(fact.arguments.get(name)) == value for name, value in wanted.items())
        if fact.capability == asked.tool and symbol in (asked_of, fact.symbol) and same:
            names = asked.figures[:1]
            figure = next((each for each in fact.figures if not names or each.name in names), None)
            return _Row(symbol, figure, fact)
    return _Row(symbol, None, None)


def _single(asked_for: AskedFigure, row: _Row) -> str:
    if row.figure is None:
        return f"{_title(asked_for.label)} of {row.symbol}: not known. {row.why_not.rstrip('.')}."
    others = [
        each for each in (row.fact.figures if row.fact else ()) if each.name != row.figure.name and asked_for.figures
    ]
    more = f" ({', '.join(f'{metric_label(each.name)} {each.shown}' for each in others[:4])})" if others else ""
    texts = f" {' '.join(row.fact.texts[:3])}" if row.fact and row.fact.texts else ""
    return (
        f"{_title(_name(row.figure, asked_for.label))} of {row.symbol}, {row.period}: {row.figure.shown}{more}.{texts}"
    )


def _compared(asked_for: AskedFigure, rows: Sequence[_Row], asked: AskedFigures) -> str:
    known = [row for row in rows if row.figure is not None]
    lost = [f"{row.symbol} is not known ({row.why_not.rstrip('.')})" for row in rows if row.figure is None]
    if not known:
        return f"{_title(asked_for.label)}: {'; '.join(lost)}."
    ranked = sorted(known, key=_value, reverse=asked.side != "lowest")
    periods = {row.period for row in known}
    shared = f", {next(iter(periods))}" if len(periods) == 1 else ""
    listed = ", ".join(
        f"{row.symbol} {row.figure.shown}{'' if shared else f' ({row.period})'}" for row in ranked if row.figure
    )
    name = _title(_name(known[0].figure, asked_for.label)) if known[0].figure else _title(asked_for.label)
    verdict = _verdict(ranked, asked.side or "highest", asked.threshold)
    gaps = f" {'; '.join(lost)}." if lost else ""
    return f"{name}{shared}: {listed}; {verdict}.{gaps}"


def _verdict(ranked: Sequence[_Row], side: str, threshold: Threshold | None) -> str:
    if threshold is not None:
        met = [row.symbol for row in ranked if threshold.met(_value(row))]
        return f"{threshold.words}: {', '.join(met) or 'none'}"
    if len(ranked) > 1 and _value(ranked[0]) == _value(ranked[1]):
        level = [row.symbol for row in ranked if _value(row) == _value(ranked[0])]
        return f"{' and '.join(level)} are level with the {side}"
    return f"{ranked[0].symbol} has the {side}" if len(ranked) > 1 else "nothing to compare it with"


def _value(row: _Row) -> float:
    return row.figure.value if row.figure is not None else 0.0


def _name(figure: FigureRecord | None, label: str) -> str:
    if figure is None or (figure.name in GENERAL_NAMES and label):
        return label
    for ending, words in CHANGES.items():
        if figure.name.endswith(ending):
            return f"{words} {metric_label(figure.name.removesuffix(ending))}"
    return "figure" if figure.name in GENERAL_NAMES else metric_label(figure.name)


def _title(label: str) -> str:
    return f"{label[:1].upper()}{label[1:]}"
