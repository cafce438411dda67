"""`ValuationInputs`: everything a discounted cash-flow valuation needs, checked when it is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from typing import Any, Literal, get_args

from tradingagents.errors import UsageError
from tradingagents.files.json_text import parse_json

Discounting = Literal["end", "midyear"]
DistressBasis = Literal["value", "book"]
HORIZONS = (5, 10)
"""Years of explicit forecast that are allowed."""
LONGEST_LAG = 3
LEAST_SPREAD = 0.005
"""How far the terminal growth must stay below the terminal cost of capital."""
MOST_WACC = 10.0
"""A cost of capital above this is a slip of the pen: 9 % is 0.09."""
PATHS = ("sales_growth", "oper_margin", "tax_rate", "sales_to_capital", "wacc")
"""Inputs with one value a year."""
_LAST_OF_PATH = float("nan")
"""Stands for the last value of a path; known by its identity, so that any other not-a-number is refused."""
_STABLE_DEFAULTS = {"stable_margin": "oper_margin", "stable_tax": "tax_rate", "stable_wacc": "wacc"}


class InadmissibleInput(UsageError):
    """An input of a valuation cannot be used.

    Attributes:
        name: The input at fault.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name


@dataclass(frozen=True, slots=True)
class EmployeeOptions:
    """Options outstanding, valued with Black-Scholes adjusted for dilution."""

    count: float
    """Options outstanding, one share each."""
    strike: float
    """Average exercise price."""
    years: float
    """Average time to expiry."""
    volatility: float
    """Annual standard deviation of the share's returns, 0.3 for 30 %."""
    risk_free: float
    dividend_yield: float = 0.0

    def __post_init__(self) -> None:
        """Refuse numbers that cannot be.

        Raises:
            InadmissibleInput: Names the field.
        """
        for field in fields(self):
            finite(f"options.{field.name}", getattr(self, field.name))
        for name in ("strike", "years", "volatility"):
            if getattr(self, name) <= 0:
                raise InadmissibleInput(f"options.{name}", "must be greater than 0.")
        if self.count < 0:
            raise InadmissibleInput("options.count", "must not be negative.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuationInputs:
    """Inputs of a valuation of the firm's free cash flow. Rates are fractions; money has one unit throughout.

    A path has one value for each of 5 or 10 years; a single number stands for the same value every year, except for
    `sales_growth`, whose length is the horizon. The terminal margin, tax rate and cost of capital default to the last
    value of their path.
    """

    revenue_t0: float
    """Revenue of the twelve months before year 1."""
    shares_out: float
    sales_growth: tuple[float, ...]
    oper_margin: tuple[float, ...]
    """Operating income over revenue."""
    tax_rate: tuple[float, ...]
    sales_to_capital: tuple[float, ...]
    """Added revenue for each unit of capital reinvested."""
    wacc: tuple[float, ...]
    stable_growth: float
    stable_margin: float = _LAST_OF_PATH
    stable_tax: float = _LAST_OF_PATH
    stable_wacc: float = _LAST_OF_PATH
    stable_roic: float | None = None
    """Return on new capital after the last year. Exactly one of this and `stable_sales_to_capital` is given."""
    stable_sales_to_capital: float | None = None
    discounting: Discounting = "end"
    reinvestment_lag: int = 0
    """Years by which capital is spent before the revenue it brings, 0 to 3."""
    nol_t0: float = 0.0
    """Losses of earlier years that can still be set against taxable income."""
    failure_probability: float = 0.0
    distress_proceeds: float = 0.0
    """Part of the basis that is recovered on failure."""
    distress_basis: DistressBasis = "value"
    """`value`: of the operating value; `book`: of `book_capital`."""
    book_capital: float | None = None
    """Invested capital at the start, for the return on capital and for failure."""
    debt: float = 0.0
    minority_interest: float = 0.0
    cash: float = 0.0
    non_operating_assets: float = 0.0
    net_debt: float | None = None
    """Debt less cash, where the two are not known apart; refused together with either."""
    option_value: float = 0.0
    """Value of options outstanding, as a figure; refused together with `options`."""
    options: EmployeeOptions | None = None
    risk_free: float | None = None
    """For the warning about a terminal growth above it."""
    company: str = ""
    ticker: str = ""
    currency: str = ""
    as_of: date | None = None

    def __post_init__(self) -> None:
        """Spread single numbers over the years, fill terminal values in, and refuse what cannot be valued.

        Raises:
            InadmissibleInput: Names the first input at fault and says what it must be.
        """
        _spread_paths(self)
        for name, path in _STABLE_DEFAULTS.items():
            if getattr(self, name) is _LAST_OF_PATH:
                object.__setattr__(self, name, getattr(self, path)[-1])
        _check_numbers(self)
        _check_paths(self)
        _check_terminal(self)
        _check_failure(self)
        _check_bridge(self)

    @property
    def years(self) -> int:
        """Years of explicit forecast."""
        return len(self.sales_growth)

    def with_values(self, **changes: Any) -> ValuationInputs:
        """Return the inputs with some of them replaced, checked anew."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """Return the inputs as JSON values, by name; those that are not given are left out."""
        found: dict[str, Any] = {}
        for name in NAMES:
            value = getattr(self, name)
            if value is None or value == "":
                continue
            if isinstance(value, tuple):
                value = list(value)
            elif isinstance(value, date):
                value = value.isoformat()
            elif isinstance(value, EmployeeOptions):
                value = {field.name: getattr(value, field.name) for field in fields(value)}
            found[name] = value
        return found

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> ValuationInputs:
        """Read inputs from JSON values.

        Raises:
            InadmissibleInput: One is missing, unknown or impossible.
        """
        for name in given:
            if name not in NAMES:
                raise InadmissibleInput(name, f"there is no such input; known are {', '.join(NAMES)}.")
        for name in REQUIRED:
            if name not in given:
                raise InadmissibleInput(name, "is missing; give it.")
        return cls(**{name: _read(name, value) for name, value in given.items()})


def read_inputs(text: str | bytes) -> ValuationInputs:
    """Read inputs from a JSON text.

    Raises:
        InadmissibleInput: It is no JSON object, or an input is missing, unknown or impossible.
    """
    try:
        given = parse_json(text)
    except ValueError as error:
        raise InadmissibleInput("inputs", f"the text is not JSON ({error}).") from None
    if not isinstance(given, dict):
        raise InadmissibleInput("inputs", "must be a JSON object with one name for each input.")
    return ValuationInputs.from_dict(given)


NAMES = tuple(field.name for field in fields(ValuationInputs))
REQUIRED = ("revenue_t0", "shares_out", *PATHS, "stable_growth")
_TEXTS = ("company", "ticker", "currency", "discounting", "distress_basis")
_NUMBERS = tuple(name for name in NAMES if name not in (*PATHS, *_TEXTS, "as_of", "options", "reinvestment_lag"))
_NOT_NEGATIVE = ("revenue_t0", "nol_t0", "debt", "minority_interest", "cash", "non_operating_assets", "option_value")
_OPTIONAL = ("stable_roic", "stable_sales_to_capital", "book_capital", "net_debt", "risk_free")


def _read(name: str, value: Any) -> Any:
    """Turn one JSON value into what the field holds."""
    if name in PATHS and isinstance(value, list):
        return tuple(value)
    if name == "as_of" and isinstance(value, str):
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise InadmissibleInput(name, f"{value!r} is no date; write YYYY-MM-DD.") from None
    if name == "options" and value is not None:
        known = {field.name for field in fields(EmployeeOptions)}
        if not isinstance(value, Mapping) or set(value) - known or known - set(value) - {"dividend_yield"}:
            raise InadmissibleInput(name, f"must be an object with {', '.join(sorted(known))}.")
        return EmployeeOptions(**value)
    return value


def finite(name: str, value: object) -> float:
    """Return a number as a float.

    Raises:
        InadmissibleInput: It is none, or it is not finite.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise InadmissibleInput(name, f"must be a finite number, not {value!r}.")
    return float(value)


def _spread_paths(inputs: ValuationInputs) -> None:
    growth = inputs.sales_growth
    if not isinstance(growth, Sequence) or isinstance(growth, str):
        raise InadmissibleInput("sales_growth", "must be a list with one rate for each year.")
    if len(growth) not in HORIZONS:
        raise InadmissibleInput("sales_growth", f"must have 5 or 10 years, not {len(growth)}.")
    for name in PATHS:
        given = getattr(inputs, name)
        path = given if isinstance(given, Sequence) and not isinstance(given, str) else (given,) * len(growth)
        if len(path) != len(growth):
            raise InadmissibleInput(name, f"has {len(path)} years, but sales_growth has {len(growth)}; give as many.")
        checked = tuple(finite(f"{name}[{year}]", value) for year, value in enumerate(path, start=1))
        object.__setattr__(inputs, name, checked)


def _check_numbers(inputs: ValuationInputs) -> None:
    for name in _NUMBERS:
        value = getattr(inputs, name)
        if value is None and name in _OPTIONAL:
            continue
        object.__setattr__(inputs, name, finite(name, value))
    for name in _NOT_NEGATIVE:
        if getattr(inputs, name) < 0:
            raise InadmissibleInput(name, "must not be negative.")
    if inputs.shares_out <= 0:
        raise InadmissibleInput("shares_out", "must be greater than 0.")
    for name in _TEXTS:
        if not isinstance(getattr(inputs, name), str):
            raise InadmissibleInput(name, "must be a text.")
    if inputs.as_of is not None and not isinstance(inputs.as_of, date):
        raise InadmissibleInput("as_of", "must be a date, written YYYY-MM-DD.")


def _check_paths(inputs: ValuationInputs) -> None:
    rules: tuple[tuple[str, Callable[[float], bool], str], ...] = (
        ("sales_growth", lambda rate: rate > -1, "must be greater than -1"),
        ("tax_rate", lambda rate: 0 <= rate <= 1, "must lie between 0 and 1"),
        ("sales_to_capital", lambda rate: rate > 0, "must be greater than 0"),
        ("wacc", lambda rate: rate > 0, "must be greater than 0"),
        ("wacc", lambda rate: rate <= MOST_WACC, f"must be at most {MOST_WACC:g}, which is {MOST_WACC:.0%}"),
    )
    for name, holds, rule in rules:
        for year, rate in enumerate(getattr(inputs, name), start=1):
            if not holds(rate):
                raise InadmissibleInput(name, f"{rate:g} in year {year}: {rule}.")
    lag = inputs.reinvestment_lag
    if isinstance(lag, bool) or not isinstance(lag, int) or not 0 <= lag <= LONGEST_LAG:
        raise InadmissibleInput("reinvestment_lag", f"must be a whole number from 0 to {LONGEST_LAG}, not {lag!r}.")
    if inputs.discounting not in get_args(Discounting):
        raise InadmissibleInput("discounting", f"must be end or midyear, not {inputs.discounting!r}.")


def _check_terminal(inputs: ValuationInputs) -> None:
    if inputs.stable_wacc <= 0:
        raise InadmissibleInput("stable_wacc", "must be greater than 0.")
    if inputs.stable_growth <= -1:
        raise InadmissibleInput("stable_growth", "must be greater than -1.")
    if inputs.stable_growth >= inputs.stable_wacc - LEAST_SPREAD:
        raise InadmissibleInput(
            "stable_growth",
            f"{inputs.stable_growth:g} must stay at least {LEAST_SPREAD:g} below stable_wacc {inputs.stable_wacc:g}; "
            f"lower the growth or raise the cost of capital.",
        )
    if not 0 <= inputs.stable_tax <= 1:
        raise InadmissibleInput("stable_tax", "must lie between 0 and 1.")
    given = [name for name in ("stable_roic", "stable_sales_to_capital") if getattr(inputs, name) is not None]
    if len(given) != 1:
        raise InadmissibleInput("stable_roic", "give exactly one of stable_roic and stable_sales_to_capital.")
    if getattr(inputs, given[0]) <= 0:
        raise InadmissibleInput(given[0], "must be greater than 0.")


def _check_failure(inputs: ValuationInputs) -> None:
    for name in ("failure_probability", "distress_proceeds"):
        if not 0 <= getattr(inputs, name) <= 1:
            raise InadmissibleInput(name, "must lie between 0 and 1.")
    if inputs.distress_basis not in get_args(DistressBasis):
        raise InadmissibleInput("distress_basis", f"must be value or book, not {inputs.distress_basis!r}.")
    if inputs.distress_basis == "book" and inputs.book_capital is None:
        raise InadmissibleInput("book_capital", "is missing; distress_basis 'book' needs it.")


def _check_bridge(inputs: ValuationInputs) -> None:
    if inputs.net_debt is not None and (inputs.cash or inputs.debt):
        raise InadmissibleInput("net_debt", "cannot be given together with debt or cash; give debt and cash.")
    if inputs.options is not None and not isinstance(inputs.options, EmployeeOptions):
        raise InadmissibleInput("options", "must be EmployeeOptions.")
    if inputs.options is not None and inputs.option_value:
        raise InadmissibleInput("option_value", "cannot be given together with options; give one of them.")
