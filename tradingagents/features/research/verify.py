"""Verifies the numbers of a research run: each must follow from cells that the run has kept.

Everything is computed again from the run's record: formulas over cells, rounding, the rows of the data sheet, and the
numbers of the answer. Nothing is asked of a vendor or a model.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.dataflows.reference.metrics import Figure, parse_number
from tradingagents.errors import UsageError
from tradingagents.features.research.kind import RESEARCH
from tradingagents.features.research.schemas import ResearchRecord, TaskResultRecord
from tradingagents.provenance.numbers import Number, read_numbers
from tradingagents.retrieval.calculation import CalculationRequest, CitedOperand, calculate, formula_in_words
from tradingagents.schemas.derivation import Derivation
from tradingagents.schemas.facts import FactRecord, FigureRecord
from tradingagents.schemas.records import DataSheetRecord

SOURCES = "\n---\nSources:"
"""What the names of sources begin with: they hold titles, no figures."""
ROUNDING = 0.5001
"""Units of the last digit by which a stated number may lie off."""
Where = Literal["figure", "data sheet", "answer"]


@dataclass(frozen=True, slots=True)
class NumberProblem:
    """A number that does not follow."""

    where: Where
    number: str
    """As it is written, or the name of the figure with its value."""
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.number}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What was verified, and what does not follow."""

    run_id: str
    figures: int
    """Figures of tasks that were computed again."""
    numbers: int
    """Numbers of the answer that were looked for."""
    problems: tuple[NumberProblem, ...]

    @property
    def sound(self) -> bool:
        """Whether every number follows."""
        return not self.problems

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        problems = [asdict(problem) for problem in self.problems]
        counts = {"run_id": self.run_id, "figures": self.figures, "numbers": self.numbers}
        return {**counts, "sound": self.sound, "problems": problems}


def verify_research(card: Mapping[str, Any]) -> Verification:
    """Compute every number of a research run's record again.

    Args:
        card: The card of the run, as `run.json` holds it.

    Raises:
        UsageError: It is the card of another kind of run, or of one that ended without tasks.
    """
    if "tasks" not in card or "understanding" not in card:
        raise UsageError(
            f"{card.get('run_id', 'The run')} is no research run; its numbers have no derivations to verify."
        )
    record = RESEARCH.read(card)
    facts = [fact for task in record.tasks for fact in task.facts if not fact.failure]
    problems: list[NumberProblem] = []
    figures = [(fact, figure) for fact in facts for figure in fact.figures]
    for fact, figure in figures:
        problems += _figure_problems(fact, figure)
        problems += _sheet_problems(fact, figure, record.data_sheet)
    numbers, missing = _answer_problems(record, [figure for _, figure in figures])
    unique = tuple(dict.fromkeys([*problems, *missing]))
    return Verification(record.run_id, len(figures), numbers, unique)


def _figure_problems(fact: FactRecord, figure: FigureRecord) -> list[NumberProblem]:
    """Return what is wrong with a stored figure: its derivation, its rounding, its text."""
    named = _named(fact, figure)
    derivation = figure.derivation
    if derivation is None or not derivation.cells:
        return [NumberProblem("figure", named, "it has no derivation")]
    value, refusal = computed(derivation)
    if value is None:
        return [NumberProblem("figure", named, f"its formula cannot be computed: {refusal}")]
    stated = parse_number(figure.shown)
    again = Figure(figure.name, value, stated[1] if stated else "").rounded
    problems = []
    if again is None or not _same(again, figure.value):
        problems.append(
            NumberProblem("figure", named, f"{derivation.formula} gives {again}, the kept value is {figure.value}")
        )
    if stated is None or not _same(stated[0], figure.value):
        problems.append(NumberProblem("figure", named, f"its text differs from the kept value {figure.value}"))
    return problems


def computed(derivation: Derivation) -> tuple[float | None, str]:
    """Return what a derivation's formula gives, or why it gives nothing."""
    operands = tuple(
        CitedOperand(name=cell.name, label=cell.where, value=cell.value, unit=cell.unit) for cell in derivation.cells
    )
    if len(operands) == 1 and operands[0].name == derivation.formula:
        value = operands[0].value  # the cell itself, whatever its name
        return (value, "") if math.isfinite(value) else (None, "the cell is no finite number")
    found = calculate(CalculationRequest(expression=derivation.formula, operands=operands, output=derivation.output))
    return found.value, found.refusal


def _sheet_problems(fact: FactRecord, figure: FigureRecord, sheet: Sequence[DataSheetRecord]) -> list[NumberProblem]:
    """Return whether the data sheet has another value, or none, of a figure."""
    named = _named(fact, figure)
    rows = [row for row in sheet if row.method == fact.capability and row.symbol in (fact.symbol, None)]
    known = [row.figures[figure.name] for row in rows if figure.name in row.figures]
    if not known:
        return [NumberProblem("data sheet", named, f"no row of {fact.capability} holds it")]
    if any(_same(value, figure.value) for value in known):
        return []
    return [NumberProblem("data sheet", named, f"the row of {fact.capability} holds {', '.join(map(str, known))}")]


def _named(fact: FactRecord, figure: FigureRecord) -> str:
    return f"{fact.symbol or 'market'} {figure.name} {figure.shown}"


def _answer_problems(record: ResearchRecord, figures: Sequence[FigureRecord]) -> tuple[int, list[NumberProblem]]:
    """Return how many numbers the answer states, and those that no kept value gives."""
    text = record.answer.partition(SOURCES)[0]
    known = list(_known_values(record, figures))
    numbers = read_numbers(_without_names(text, record.tasks, figures))
    problems = [
        NumberProblem("answer", text[number.start : number.end], "no figure, cell or quoted text of the run gives it")
        for number in numbers
        if not any(_gives(value, number) for value in known)
    ]
    return len(numbers), problems


def _known_values(record: ResearchRecord, figures: Sequence[FigureRecord]) -> Iterable[float]:
    """Yield the values that an answer may state: figures, their cells, numbers of quoted texts and of the question."""
    for figure in figures:
        yield figure.value
        for cell in figure.derivation.cells if figure.derivation else ():
            yield cell.value
    tasks = record.tasks
    texts = [text for task in tasks for fact in task.facts for text in (*fact.texts, fact.failure)]
    notes = [text for task in tasks for text in (task.note, task.description)]
    for text in (*texts, record.question, *record.missing, *notes):
        yield from (number.value for number in read_numbers(text))
    yield float(len(tasks))
    yield float(sum(task.status == "completed" for task in tasks))


def _without_names(text: str, tasks: Sequence[TaskResultRecord], figures: Sequence[FigureRecord]) -> str:
    """Blank out what names a figure or where it stands: periods, cells of formulas, places in documents."""
    names = {figure.over for figure in figures} | {metric_label(figure.name) for figure in figures}
    for figure in figures:
        derivation = figure.derivation
        if derivation is not None:
            parts = {derivation.formula, *(part for cell in derivation.cells for part in (cell.name, cell.where))}
            names |= parts | set(map(formula_in_words, parts - {cell.where for cell in derivation.cells}))
    names |= {fact.title for task in tasks for fact in task.facts}
    names |= {part for name in list(names) for part in name.split(" to ")}
    for name in sorted(filter(lambda name: len(name) > 3, names), key=len, reverse=True):
        text = text.replace(name, " " * len(name))
    return text


def _gives(value: float, number: Number) -> bool:
    """Tell whether a value, as stated or without its sign, rounds to a number."""
    off = max(ROUNDING * 2 * number.half, 1e-9 * abs(value))
    sized = abs(value) if not number.signed else value
    return abs(sized - number.value) <= off or abs(abs(sized) - abs(number.value)) <= off


def _same(value: float, other: float) -> bool:
    return math.isclose(value, other, rel_tol=1e-9, abs_tol=1e-9)
