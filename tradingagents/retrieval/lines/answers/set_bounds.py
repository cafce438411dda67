"""Bounds that a question sets a figure, as in `did it exceed $10 billion` or `was the margin above 20 %`: yes or no."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tradingagents.dataflows.reference.currencies import is_money
from tradingagents.retrieval.lines.answers.yes_or_no import asks_yes_or_no
from tradingagents.retrieval.lines.line_answer import LineAnswer, shown

_SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9}
_BOUND = re.compile(
    r"(?i)\b(?:(?P<up>exceed(?:s|ed)?|surpass(?:es|ed)?|top(?:s|ped)?|pass(?:es|ed)?|reach(?:es|ed)?|hit"
    r"|(?:(?:stay|remain|ris|ros|climb|gr[eo]w|be)\w{0,5} )?"
    r"(?:to )?(?:above|over|at least|(?:more|greater|higher|larger) than))"
    r"|(?:(?:stay|remain|f[ae]ll|drop|dip|be)\w{0,5} )?(?P<down>below|under|(?:less|lower|fewer|smaller) than))"
    r" (?:the )?(?P<money>(?:US)?\$ ?)?(?P<number>\d[\d,]*(?:\.\d+)?) ?"
    r"(?P<unit>%|(?:percent|thousand|k|million|mn|m|billion|bn|b)\b)?(?: (?:us )?dollars\b)?"
    r"(?! ?(?:years?|quarters?)\b)"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_REACHES = re.compile(r"(?i)^(?:reach|hit|.*at least)")


@dataclass(frozen=True, slots=True)
class SetBound:
    """A bound that a question sets a figure."""

    value: float
    percent: bool
    money: bool
    above: bool
    """Whether the figure is to be above it, and not below."""
    counts: bool
    """Whether a figure that is just the bound is one that is asked for."""
    words: str
    """As the question says it."""


def without_bound(question: str) -> tuple[str, SetBound | None]:
    """Return a question without the bound that it sets its figure, and that bound; as it is where it sets no one."""
    if not asks_yes_or_no(question):
        return question, None
    found = list(_BOUND.finditer(question))
    if len(found) != 1:
        return question, None
    (one,) = found
    number, unit, money = one["number"], (one["unit"] or "").lower(), one["money"]
    if _YEAR.fullmatch(number) and not (unit or money):
        return question, None
    percent = unit in ("%", "percent")
    value = float(number.replace(",", "")) * (1.0 if percent else _SCALES.get(unit, 1.0))
    bound = SetBound(
        value, percent, bool(money), bool(one["up"]), bool(_REACHES.match(one["up"] or "")), one.group().strip()
    )
    return " ".join(f"{question[: one.start()]} {question[one.end() :]}".split()), bound


def with_bound(answer: LineAnswer, bound: SetBound) -> LineAnswer:
    """Return an answer that says of each period whether its figure keeps the bound; refused if they are not alike."""
    grown = [(result.name, result.value, result.unit) for result in answer.results if result.name.startswith("Growth")]
    of_growth = bound.percent and len(grown) == 1 and all(value.unit != "percent" for value in answer.values)
    figures = grown if of_growth else [(each.period, each.value, each.unit) for each in answer.values]
    lines = {(value.company, value.line) for value in answer.values}
    told = [(name, float(value), unit) for name, value, unit in figures if value is not None]
    if len(lines) != 1 or len(told) != len(figures) or not all(_is_alike(unit, bound) for *_, unit in told):
        return LineAnswer(question=answer.question, refusal=f"{bound.words!r} is not understood: of what it is a bound")
    said = [(_keeps(value, bound), f"{shown(value, unit)} in {name}") for name, value, unit in told]
    verdict = "; ".join(f"{'yes' if kept else 'no'}, {figure}" for kept, figure in said)
    every = {kept for kept, _ in said}
    winner = ("Yes" if every == {True} else "No") if len(every) == 1 else ""
    return answer.model_copy(
        update={"winner": winner, "verdict": f"{verdict[:1].upper()}{verdict[1:]} ({bound.words})."}
    )


def _is_alike(unit: str, bound: SetBound) -> bool:
    """Whether a figure is of the kind of a bound: a number without a sign may be of money or a count."""
    if bound.percent or unit == "percent":
        return bound.percent and unit == "percent"
    return is_money(unit.partition("/")[0]) or not bound.money


def _keeps(value: float, bound: SetBound) -> bool:
    if value == bound.value:
        return bound.counts
    return (value > bound.value) == bound.above
