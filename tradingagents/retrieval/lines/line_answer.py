"""`LineAnswer`: figures over periods, companies and lines as an answer, with what was computed and what is missing."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT, is_money, scaled_unit
from tradingagents.retrieval.calculation import Calculation, CitedOperand


class LineValue(BaseModel):
    """A figure of the answer, or the gap in its place."""

    model_config = ConfigDict(frozen=True)

    company: str
    line: str
    """What it is a figure of: the measure, with the segment or product and its qualifier."""
    period: str
    """Such as `FY2024` or `Q3 FY2024`."""
    value: float | None = None
    """In `unit`, unscaled; a percentage is 12.5 for 12.5 %. None for a gap."""
    unit: str = ""
    formula: str = ""
    """How it follows from its cells; empty for a cell as printed."""
    operands: tuple[CitedOperand, ...] = ()
    gap: str = ""
    """Why there is no figure; empty where there is one."""
    restated: str = ""
    """How it is on another basis than the figure before it, which was stated earlier; empty if it is not."""
    row: str = ""
    """The row of the table as printed, where the line was found by its label; empty for an item of the statements."""


class LineResult(Calculation):
    """What was computed over figures of the answer."""

    expression: str = ""
    name: str
    """Such as `Compound annual growth of revenue, FY2020 to FY2024`."""


class LineAnswer(BaseModel):
    """The answer to a question for lines over spans."""

    model_config = ConfigDict(frozen=True)

    question: str
    values: tuple[LineValue, ...] = ()
    """In the order of companies, lines and periods; gaps stand among them."""
    results: tuple[LineResult, ...] = ()
    winner: str = ""
    """The company, line or period that a comparison names, or `Yes` or `No`; empty where it names none."""
    verdict: str = ""
    """The comparison in a sentence: its winner with the figures, or why none is named."""
    notes: tuple[str, ...] = ()
    not_honoured: tuple[str, ...] = ()
    """Words of the question that no table of the filings has: the figures are those without them."""
    refusal: str = ""
    """Why nothing is answered; empty where something is."""
    perhaps_elsewhere: bool = False
    """Whether a passage may answer what is refused here: only its words, and no measure, ask for a row."""

    @property
    def complete(self) -> bool:
        """Whether every figure that was asked for is there."""
        parts = [value.gap for value in self.values] + [result.refusal for result in self.results]
        return not self.refusal and bool(self.values) and not self.not_honoured and not any(parts)

    @property
    def operands(self) -> tuple[CitedOperand, ...]:
        """Every cell that it rests on, each once."""
        every = [*(each for value in self.values for each in value.operands),
                 *(each for result in self.results for each in result.operands)]  # fmt: skip
        return tuple({(each.label, each.column, each.document_name, each.text): each for each in every}.values())

    @property
    def periods(self) -> tuple[str, ...]:
        """Every period that a figure or a gap is of, oldest first."""
        return tuple(sorted({value.period for value in self.values}, key=lambda period: (period[-4:], period)))

    @property
    def scale(self) -> tuple[float, str]:
        """The factor and the unit in which its amounts of money are shown together."""
        money = [value for value in self.values if value.value is not None and is_amount(value.unit)]
        units = {value.unit for value in money}
        if len(units) != 1:
            return 1.0, ""
        unit = units.pop()
        largest = max(abs(value.value or 0.0) for value in money)
        return (1e6, scaled_unit(unit, "millions")) if largest >= 1e6 else (1.0, unit)


def is_amount(unit: str) -> bool:
    """Whether a unit is money that is not per share."""
    return is_money(unit) and "/" not in unit


def shown(value: float, unit: str, scale: tuple[float, str] = (1.0, "")) -> str:
    """Return a figure for people: `391,035 USD millions`, `46.21 %`, `6.11 USD/share`."""
    factor, name = scale if is_amount(unit) and scale[1] else (1.0, unit)
    if is_amount(unit) and not scale[1] and abs(value) >= 1e6:
        factor, name = 1e6, scaled_unit(unit, "millions")
    number = value / factor
    text = f"{number:,.0f}" if number == round(number) and abs(number) >= 100 else f"{number:,.2f}"
    if name == "percent":
        return f"{text} %"
    if name == "times":
        return f"{text}x"
    if name in ("ratio", "count", ""):
        return text
    return f"{text} {name}".replace(f"{UNSTATED_UNIT}/share", f"per share ({UNSTATED_UNIT})")
