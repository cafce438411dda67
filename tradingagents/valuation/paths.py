"""Paths and overrides: a value for each year from a few numbers, and inputs changed by name."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from tradingagents.valuation.inputs import NAMES, InadmissibleInput, ValuationInputs

HIGH_YEARS = 5
"""Years before a rate begins to move to its terminal value."""
YEARS = 10


def flat_path(value: float, years: int = YEARS) -> tuple[float, ...]:
    """Return the same value for every year."""
    return (value,) * years


def fading_path(first: float, stable: float, years: int = YEARS) -> tuple[float, ...]:
    """Return a rate that holds for five years, then moves in a straight line to its terminal value in the last year.

    For growth, tax rate and cost of capital. With five years there is no time to fade.

    >>> [round(rate, 3) for rate in fading_path(0.12, 0.03)]
    [0.12, 0.12, 0.12, 0.12, 0.12, 0.102, 0.084, 0.066, 0.048, 0.03]
    """
    if years <= HIGH_YEARS:
        return (first,) * years
    fade = years - HIGH_YEARS
    faded = (first + (stable - first) * (year - HIGH_YEARS) / fade for year in range(HIGH_YEARS + 1, years))
    return (*(first,) * HIGH_YEARS, *faded, stable)


def converging_path(start: float, target: float, converge_by: int, years: int = YEARS) -> tuple[float, ...]:
    """Return a margin that moves in a straight line from today's to its target by a year, then stays there.

    Args:
        start: The margin of the twelve months before year 1.
        target: The margin to reach.
        converge_by: The year in which it is reached; 1 means at once.
        years: Years of forecast.

    Raises:
        InadmissibleInput: The year is not within the forecast.
    """
    if not 1 <= converge_by <= years:
        raise InadmissibleInput("converge_by", f"must lie between 1 and {years}, not {converge_by}.")
    return tuple(
        target - (target - start) * (converge_by - year) / converge_by if year <= converge_by else target
        for year in range(1, years + 1)
    )


def stepped_path(first: float, later: float, years: int = YEARS) -> tuple[float, ...]:
    """Return one value for the first five years and another one after them."""
    return (first,) * min(years, HIGH_YEARS) + (later,) * max(0, years - HIGH_YEARS)


ALIASES: Mapping[str, str] = {
    "growth": "sales_growth",
    "margin": "oper_margin",
    "tax": "tax_rate",
    "shares": "shares_out",
    "revenue": "revenue_t0",
    "roic": "stable_roic",
}
"""Short names."""
_FIXED = {"wacc": "stable_wacc", "tax_rate": "stable_tax"}
"""Paths that a single number sets for every year and for ever."""


def apply_overrides(inputs: ValuationInputs, changes: Mapping[str, Any]) -> ValuationInputs:
    """Return inputs with some of them changed.

    A list sets a path year by year. A single number sets a path as an analyst means it: `wacc` and `tax_rate` every
    year and for ever; `sales_growth` five years, then in a straight line to the terminal growth; `oper_margin` in a
    straight line from that of year 1 to the number by year 5, then for ever; `sales_to_capital` every year. A terminal
    value that is named too keeps what it is given.

    Args:
        inputs: The base.
        changes: New values, by name or short name.

    Raises:
        InadmissibleInput: There is no such input, or a value cannot be.
    """
    named = {}
    for given, value in changes.items():
        name = ALIASES.get(given, given)
        if name not in NAMES:
            raise InadmissibleInput(given, f"there is no such input; known are {', '.join((*NAMES, *ALIASES))}.")
        if name in named:
            raise InadmissibleInput(given, "is given twice; give it once.")
        named[name] = value
    values = inputs.to_dict()
    for chosen, other in (("stable_roic", "stable_sales_to_capital"), ("stable_sales_to_capital", "stable_roic")):
        if chosen in named and other not in named:
            values.pop(other, None)
    stable_growth = named.get("stable_growth", inputs.stable_growth)
    for name, value in named.items():
        values[name] = value
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if name in _FIXED and _FIXED[name] not in named:
            values[_FIXED[name]] = value
        elif name == "sales_growth" and isinstance(stable_growth, int | float):
            values[name] = list(fading_path(value, stable_growth, inputs.years))
        elif name == "oper_margin":
            values[name] = _margins(inputs, value)
            if "stable_margin" not in named:
                values["stable_margin"] = value
    return ValuationInputs.from_dict(values)


def read_override(text: str) -> tuple[str, Any]:
    """Read `name=value`, where a value is a number, a list of numbers with commas, or a word.

    >>> read_override("wacc=0.09"), read_override("growth=0.1,0.1,0.08,0.05,0.03")
    (('wacc', 0.09), ('growth', [0.1, 0.1, 0.08, 0.05, 0.03]))

    Raises:
        InadmissibleInput: It has no name or no value.
    """
    name, _, value = (part.strip() for part in text.partition("="))
    if not name or not value:
        raise InadmissibleInput(text or "set", "write name=value, such as wacc=0.09.")
    if "," in value:
        return name, [_number(name, one) for one in value.strip("[]").split(",") if one.strip()]
    try:
        found = json.loads(value, parse_constant=lambda one: one)
    except ValueError:
        return name, _percent(value)
    return name, found


def _percent(value: str) -> Any:
    """Read `9%` as 0.09; anything else stays a word."""
    if not value.endswith("%"):
        return value
    try:
        return float(value[:-1]) / 100
    except ValueError:
        return value


def _number(name: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise InadmissibleInput(name, f"{text.strip()!r} is not a number.") from None


def _margins(inputs: ValuationInputs, target: float) -> Sequence[float]:
    first, years = inputs.oper_margin[0], inputs.years
    return [first, *converging_path(first, target, HIGH_YEARS - 1, years - 1)]
