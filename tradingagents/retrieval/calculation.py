"""A calculator whose inputs are cited cells: ratios, growth, averages and sums that show their formula.

An expression holds names of operands, numbers, `+ - * /`, brackets and the functions `average(a, b, ...)`,
`growth(before, after)`, `cagr(before, after, years)` and `absolute(a)`. What cannot be computed is refused in words.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT, is_money, scale_word
from tradingagents.retrieval.models import TextPlace

Output = Literal["number", "percent", "money", "per_share", "times", "days"]

_TOKEN = re.compile(r"\s{0,99}+(?:(?P<number>\d++(?:\.\d++)?)|(?P<name>[A-Za-z_]\w*+(?:@-?\d++)?)|(?P<sign>[-+*/(),]))")
_WRITTEN_NAME = re.compile(
    r"\b(?P<name>[a-z][a-z0-9]*+(?:_(?!\d+(?:@|\b))[a-z0-9]++)*+)(?:_(?P<number>\d+))?(?:@(?P<at>\d{8}|\d{4}))?(?![\w@])"
)
_COMPOUND = re.compile(r"\b(short|long) term\b")
MAX_EXPRESSION = 2000
MAX_DEPTH = 40


class CitedOperand(BaseModel):
    """A figure that goes into a calculation, with the cell it is read from."""

    model_config = ConfigDict(frozen=True)

    name: str
    """Name in the expression, such as `revenue@2023`."""
    label: str
    """The row as printed, such as `Total net sales`."""
    column: str = ""
    """Header of the column, such as `December 31, 2023`."""
    text: str = ""
    """The figure as printed, such as `(1,577)`."""
    value: float
    """In its unit, with the table's scale applied."""
    unit: str = ""
    """Currency code or `UNSTATED_UNIT`, `USD/share`, `shares`, `percent`; empty if unknown."""
    scale: float = 1.0
    """Factor from the printed figure to its unit."""
    document_name: str = ""
    place: TextPlace | None = None
    """The characters of the figure; None for an operand that is no cell."""


class Calculation(BaseModel):
    """What a calculation gave, and how."""

    model_config = ConfigDict(frozen=True)

    expression: str
    value: float | None = None
    """The result: a percentage as 4.8 for 4.8 %; money in full units. None where the calculation is refused."""
    unit: str = ""
    formula: str = ""
    """The expression, with the figures put in, and the result."""
    operands: tuple[CitedOperand, ...] = ()
    refusal: str = ""
    """Why there is no result; empty if there is one."""


class CalculationRequest(BaseModel):
    """A calculation as a caller or a model asks for it."""

    model_config = ConfigDict(frozen=True)

    expression: str = Field(max_length=MAX_EXPRESSION)
    operands: tuple[CitedOperand, ...]
    output: Output = "number"


class _Refused(Exception):
    """The expression cannot be computed; the message says why."""


class _Quantity(BaseModel):
    """A number with its unit while an expression is computed; the unit of a plain number is empty."""

    model_config = ConfigDict(frozen=True)

    value: float
    unit: str = ""


def calculate(request: CalculationRequest) -> Calculation:
    """Compute an expression over cited cells; refuse in words what is missing, mixed or not defined."""
    operands = {operand.name: operand for operand in request.operands}
    try:
        parser = _ExpressionParser(request.expression, operands)
        result = parser.parse()
        unit = _result_unit(result.unit, request.output)
    except _Refused as refused:
        return Calculation(expression=request.expression, operands=request.operands, refusal=str(refused))
    value = result.value * 100 if request.output == "percent" and result.unit != "percent" else result.value
    used = tuple(operands[name] for name in parser.used)
    shown = _formula(request.expression, operands, value, unit)
    return Calculation(expression=request.expression, value=value, unit=unit, formula=shown, operands=used)


def operand_names(expression: str) -> tuple[str, ...]:
    """Return the names of operands in an expression, each once, in the order of their first use."""
    names = (match.group("name") for match in _TOKEN.finditer(expression) if match.group("name"))
    return tuple(dict.fromkeys(name for name in names if name not in _FUNCTIONS))


def for_year(expression: str, year: int) -> str:
    """Return an expression with its names put to a year: `a` becomes `a@2023`, `a@-1` becomes `a@2022`."""

    def put(match: re.Match[str]) -> str:
        name = match.group("name")
        if not name or name in _FUNCTIONS:
            return match.group()
        base, _, offset = name.partition("@")
        absolute = int(offset) if offset and abs(int(offset)) > 1000 else year + int(offset or 0)
        return match.group().replace(name, f"{base}@{absolute}")

    return _TOKEN.sub(put, expression)


def formula_in_words(formula: str) -> str:
    """Return a formula as people read it: `net_income@2024 / revenue@2024` becomes `net income 2024 / revenue 2024`."""
    return _WRITTEN_NAME.sub(_name_in_words, formula)


def _name_in_words(match: re.Match[str]) -> str:
    """Return the name of an operand in words: with its year, or the last day of its quarter, and its number."""
    name, number, at = match["name"], match["number"], match["at"] or ""
    if name in _FUNCTIONS:
        return match.group()
    words = _COMPOUND.sub(r"\1-term", name.replace("_", " "))
    if len(at) == 8:
        at = f"to {at[:4]}-{at[4:6]}-{at[6:]}"
    return " ".join(part for part in (words, at, f"({number})" if number else "") if part)


def show_number(value: float) -> str:
    """Return a number with thousands separators and as few decimals as it needs, at most four digits of them."""
    if value == round(value) and abs(value) >= 1:
        return f"{value:,.0f}"
    digits = 2 if abs(value) >= 1 else 4
    return f"{value:,.{digits}f}"


class _ExpressionParser:
    """Recursive descent over an expression; computes as it reads."""

    def __init__(self, expression: str, operands: Mapping[str, CitedOperand]) -> None:
        self._tokens = _tokens(expression)
        self._at = 0
        self._depth = 0
        self._operands = operands
        self.used: dict[str, None] = {}

    def parse(self) -> _Quantity:
        result = self._sum()
        if self._at < len(self._tokens):
            raise _Refused(f"The expression cannot be read from `{self._tokens[self._at]}` on.")
        return result

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self, expected: str = "") -> str:
        token = self._peek()
        if not token or (expected and token != expected):
            raise _Refused(f"The expression lacks `{expected or 'a value'}`.")
        self._at += 1
        return token

    def _sum(self) -> _Quantity:
        left = self._product()
        while self._peek() in ("+", "-") and self._peek():
            sign = self._take()
            left = _add(left, self._product(), 1 if sign == "+" else -1)
        return left

    def _product(self) -> _Quantity:
        left = self._value()
        while self._peek() in ("*", "/") and self._peek():
            sign = self._take()
            right = self._value()
            left = _multiply(left, right) if sign == "*" else _divide(left, right)
        return left

    def _value(self) -> _Quantity:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _Refused("The expression is nested too deeply.")
        try:
            return self._inner_value()
        finally:
            self._depth -= 1

    def _inner_value(self) -> _Quantity:
        part = self._take()
        if part == "-":
            inner = self._value()
            return _Quantity(value=-inner.value, unit=inner.unit)
        if part == "(":
            inner = self._sum()
            self._take(")")
            return inner
        if part[0].isdigit():
            return _Quantity(value=float(part))
        if part in _FUNCTIONS and self._peek() == "(":
            return _FUNCTIONS[part](self._arguments())
        return self._operand(part)

    def _arguments(self) -> list[_Quantity]:
        self._take("(")
        found = [self._sum()]
        while self._peek() == ",":
            self._take()
            found.append(self._sum())
        self._take(")")
        return found

    def _operand(self, name: str) -> _Quantity:
        operand = self._operands.get(name)
        if operand is None:
            raise _Refused(f"The operand `{name}` is missing.")
        if not math.isfinite(operand.value):
            raise _Refused(f"The operand `{name}` is no finite number.")
        self.used[name] = None
        return _Quantity(value=operand.value, unit=operand.unit)


def _tokens(expression: str) -> list[str]:
    if len(expression) > MAX_EXPRESSION:
        raise _Refused("The expression is too long.")
    tokens: list[str] = []
    at = 0
    text = expression.rstrip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _Refused(f"The expression cannot be read from `{text[at : at + 20]}` on.")
        tokens.append(match.group().strip())
        at = match.end()
    if not tokens:
        raise _Refused("The expression is empty.")
    return tokens


def _same_unit(quantities: Sequence[_Quantity], doing: str) -> str:
    units = sorted({quantity.unit for quantity in quantities})
    if len(units) > 1:
        named = " and ".join(unit or "plain numbers" for unit in units)
        raise _Refused(f"Cannot {doing} figures of different units: {named}.")
    return units[0]


def _add(left: _Quantity, right: _Quantity, sign: int) -> _Quantity:
    """Add or subtract; a plain 0, which stands for a row that a statement does not have, fits every unit."""
    if not right.unit and right.value == 0:
        return left
    if not left.unit and left.value == 0:
        return _Quantity(value=sign * right.value, unit=right.unit)
    unit = _same_unit((left, right), "add" if sign > 0 else "subtract")
    return _Quantity(value=left.value + sign * right.value, unit=unit)


def _multiply(left: _Quantity, right: _Quantity) -> _Quantity:
    if left.unit and right.unit:
        raise _Refused(f"Cannot multiply {left.unit} by {right.unit}.")
    return _Quantity(value=left.value * right.value, unit=left.unit or right.unit)


def _divide(left: _Quantity, right: _Quantity) -> _Quantity:
    if right.value == 0:
        raise _Refused("Cannot divide by zero: the denominator is 0.")
    if left.unit == right.unit:
        return _Quantity(value=left.value / right.value)
    if not right.unit:
        return _Quantity(value=left.value / right.value, unit=left.unit)
    if right.unit == "shares" and left.unit:
        return _Quantity(value=left.value / right.value, unit=f"{left.unit}/share")
    raise _Refused(f"Cannot divide {left.unit or 'a plain number'} by {right.unit}: the units differ.")


def _average(arguments: Sequence[_Quantity]) -> _Quantity:
    unit = _same_unit(arguments, "average")
    return _Quantity(value=sum(each.value for each in arguments) / len(arguments), unit=unit)


def _growth(arguments: Sequence[_Quantity]) -> _Quantity:
    if len(arguments) != 2:
        raise _Refused("`growth` takes the figure before and the figure after.")
    before, after = arguments
    _same_unit(arguments, "compare")
    if before.value == 0:
        raise _Refused("Growth from 0 is not defined.")
    return _Quantity(value=(after.value - before.value) / abs(before.value))


def _cagr(arguments: Sequence[_Quantity]) -> _Quantity:
    if len(arguments) != 3:
        raise _Refused("`cagr` takes the first figure, the last figure and the number of years.")
    first, last, years = arguments
    _same_unit((first, last), "compare")
    if first.value <= 0 or last.value <= 0 or years.value <= 0:
        raise _Refused("A compound growth rate needs positive figures and at least one year.")
    return _Quantity(value=(last.value / first.value) ** (1 / years.value) - 1)


def _absolute(arguments: Sequence[_Quantity]) -> _Quantity:
    if len(arguments) != 1:
        raise _Refused("`absolute` takes one figure.")
    return _Quantity(value=abs(arguments[0].value), unit=arguments[0].unit)


_FUNCTIONS: Mapping[str, Callable[[Sequence[_Quantity]], _Quantity]] = {
    "average": _average,
    "growth": _growth,
    "cagr": _cagr,
    "absolute": _absolute,
}


def _result_unit(unit: str, output: Output) -> str:
    """Return the unit of the result; refuse a result that is not of the kind asked for."""
    if output == "percent":
        if unit not in ("", "percent"):
            raise _Refused(f"The result is in {unit}; it is no percentage.")
        return "percent"
    if output == "money" and not unit:
        raise _Refused("The result has no unit: whether it is an amount of money is not told.")
    if output == "money" and not is_money(unit):
        raise _Refused(f"The result is in {unit}; it is no amount of money.")
    if output == "per_share" and not unit.endswith("/share"):
        raise _Refused("The result is no amount per share.")
    if output in ("times", "days"):
        if unit:
            raise _Refused(f"The result is in {unit}; a plain number was asked for.")
        return "days" if output == "days" else "times"
    return unit


def _formula(expression: str, operands: Mapping[str, CitedOperand], value: float, unit: str) -> str:
    """Return the expression, the same with figures, and the result, such as `a / b = 1,577 / 32,765 = 4.81 %`."""
    used = [operands[name] for name in operand_names(expression) if name in operands]
    money = {each.scale for each in used if not each.unit.endswith("/share") and is_money(each.unit)}
    scale = max(money, default=1.0)
    figures = _TOKEN.sub(lambda match: _figure_text(match, operands, scale), expression)
    factor = scale if unit and unit not in ("times", "days") and is_money(unit) and "/" not in unit else 1.0
    result = show_number(value / factor)
    plain = f" {unit}".replace(f" {UNSTATED_UNIT}/share", f" per share, {UNSTATED_UNIT}").replace(
        f" {UNSTATED_UNIT}", f", {UNSTATED_UNIT}"
    )
    plain = plain.replace(",,", ",")
    ending = {"percent": " %", "days": " days", "times": "x", "": ""}.get(unit, plain)
    middle = "" if figures.strip() == result else f" = {figures.strip()}"
    return f"{expression}{middle} = {result}{_scale_word(factor)}{ending}"


def _figure_text(match: re.Match[str], operands: Mapping[str, CitedOperand], scale: float) -> str:
    if match.group("sign") == ",":
        return ";"  # a comma also stands within a figure
    operand = operands.get(match.group("name") or "")
    if operand is None:
        return match.group()
    plain = operand.unit.endswith("/share") or not is_money(operand.unit)
    figure = show_number(operand.value / (1.0 if plain else scale))
    lead = match.group()[: len(match.group()) - len(match.group().lstrip())]
    return f"{lead}({figure})" if operand.value < 0 else f"{lead}{figure}"


def _scale_word(scale: float) -> str:
    word = scale_word(scale)
    return f" {word}" if word else ""
