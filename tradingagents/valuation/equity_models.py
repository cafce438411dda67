"""Models of the equity itself, for companies whose debt is their trade or whose dividends say what they are worth.

`value_by_excess_returns` fits banks and insurers, `value_by_dividends` companies that pay out steadily.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tradingagents.valuation.canonical import canonical_json
from tradingagents.valuation.dcf import KERNEL_VERSION
from tradingagents.valuation.inputs import HORIZONS, LEAST_SPREAD, InadmissibleInput, finite

ROUNDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ExcessReturnInputs:
    """Inputs of a valuation by excess returns. Rates are fractions."""

    book_equity: float
    shares_out: float
    return_on_equity: tuple[float, ...]
    """Net income over the equity at the start of the year, for 5 or 10 years."""
    cost_of_equity: tuple[float, ...]
    payout: tuple[float, ...]
    """Part of net income that is paid out; the rest adds to the equity."""
    stable_growth: float
    """Growth of the equity after the last year."""
    stable_return_on_equity: float
    stable_cost_of_equity: float

    def __post_init__(self) -> None:
        """Refuse what cannot be valued.

        Raises:
            InadmissibleInput: Names the first input at fault.
        """
        _check_scalars(self, ("book_equity", "shares_out", "stable_return_on_equity"))
        if self.book_equity <= 0:
            raise InadmissibleInput("book_equity", "must be greater than 0; value the company by its cash flow.")
        _check_paths(self, ("return_on_equity", "cost_of_equity", "payout"))
        _check_terminal(self.stable_growth, self.stable_cost_of_equity)
        if self.stable_growth > 0 and self.stable_return_on_equity < self.stable_growth:
            raise InadmissibleInput(
                "stable_return_on_equity", "must not be below stable_growth: growth would need new equity for ever."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class DividendInputs:
    """Inputs of a valuation by dividends, for each share. Rates are fractions."""

    dividend_t0: float
    """Paid in the last twelve months."""
    dividend_growth: tuple[float, ...]
    """For 5 or 10 years."""
    cost_of_equity: tuple[float, ...]
    stable_growth: float
    stable_cost_of_equity: float

    def __post_init__(self) -> None:
        """Refuse what cannot be valued.

        Raises:
            InadmissibleInput: Names the first input at fault.
        """
        _check_scalars(self, ("dividend_t0",))
        if self.dividend_t0 <= 0:
            raise InadmissibleInput("dividend_t0", "must be greater than 0; value the company by its cash flow.")
        _check_paths(self, ("dividend_growth", "cost_of_equity"))
        _check_terminal(self.stable_growth, self.stable_cost_of_equity)


@dataclass(frozen=True, slots=True)
class EquityYear:
    """One year of an equity model. Money as in the inputs: the whole company, or one share."""

    t: int
    book_equity: float | None
    """At the end of the year; None in a dividend model."""
    net_income: float | None
    dividend: float
    excess_return: float | None
    """Net income above the cost of the equity at the start of the year; None in a dividend model."""
    cost_of_equity: float
    discount_factor: float
    pv: float
    """Of the excess return, or of the dividend."""


@dataclass(frozen=True, slots=True)
class EquityValuation:
    """What the equity is worth."""

    pv_explicit: float
    """Present value of the excess returns, or dividends, of the years of the forecast."""
    pv_terminal: float
    equity_value: float
    """Of the whole company, or of one share in a dividend model."""
    value_per_share: float
    years: tuple[EquityYear, ...]
    kernel_version: str = KERNEL_VERSION

    def to_json(self) -> str:
        """Return the valuation as canonical JSON."""
        return canonical_json(self)


def value_by_excess_returns(inputs: ExcessReturnInputs) -> EquityValuation:
    """Value equity as its book value plus what it earns above its cost.

    >>> inputs = ExcessReturnInputs(
    ...     book_equity=100, shares_out=10, return_on_equity=(0.12,) * 5, cost_of_equity=(0.10,) * 5,
    ...     payout=(1.0,) * 5, stable_growth=0.0, stable_return_on_equity=0.12, stable_cost_of_equity=0.10,
    ... )
    >>> round(value_by_excess_returns(inputs).equity_value, 9)  # 2 a year for ever at 10 %, on top of 100
    120.0
    """
    years, book, factor, explicit = [], inputs.book_equity, 1.0, 0.0
    rates = zip(inputs.return_on_equity, inputs.cost_of_equity, inputs.payout, strict=True)
    for t, (earned, cost, payout) in enumerate(rates, start=1):
        income, excess, factor = earned * book, (earned - cost) * book, factor / (1 + cost)
        paid = income * payout
        book, explicit = book + income - paid, explicit + excess * factor
        years.append(EquityYear(t, book, income, paid, excess, cost, factor, excess * factor))
    spread = inputs.stable_return_on_equity - inputs.stable_cost_of_equity
    terminal = spread * book / (inputs.stable_cost_of_equity - inputs.stable_growth) * factor
    equity = inputs.book_equity + explicit + terminal
    return EquityValuation(explicit, terminal, equity, equity / inputs.shares_out, tuple(years))


def value_by_dividends(inputs: DividendInputs) -> EquityValuation:
    """Value a share as the present value of its dividends.

    >>> inputs = DividendInputs(
    ...     dividend_t0=2, dividend_growth=(0.03,) * 5, cost_of_equity=(0.08,) * 5,
    ...     stable_growth=0.03, stable_cost_of_equity=0.08,
    ... )
    >>> round(value_by_dividends(inputs).value_per_share, 9)  # Gordon: 2 x 1.03 / (0.08 - 0.03)
    41.2
    """
    years, paid, factor, explicit = [], inputs.dividend_t0, 1.0, 0.0
    for t, (growth, cost) in enumerate(zip(inputs.dividend_growth, inputs.cost_of_equity, strict=True), start=1):
        paid, factor = paid * (1 + growth), factor / (1 + cost)
        explicit += paid * factor
        years.append(EquityYear(t, None, None, paid, None, cost, factor, paid * factor))
    after = paid * (1 + inputs.stable_growth)
    terminal = after / (inputs.stable_cost_of_equity - inputs.stable_growth) * factor
    value = explicit + terminal
    return EquityValuation(explicit, terminal, value, value, tuple(years))


def implied_return_on_equity(inputs: ExcessReturnInputs, price: float) -> float | None:
    """Return the return on equity, the same every year and for ever, at which the value equals a price; None for none.

    >>> inputs = ExcessReturnInputs(
    ...     book_equity=100, shares_out=10, return_on_equity=(0.12,) * 5, cost_of_equity=(0.10,) * 5,
    ...     payout=(1.0,) * 5, stable_growth=0.0, stable_return_on_equity=0.12, stable_cost_of_equity=0.10,
    ... )
    >>> round(implied_return_on_equity(inputs, 15.0), 9)
    0.15
    """

    def value(rate: float) -> float:
        flat = replace(inputs, return_on_equity=(rate,) * len(inputs.payout), stable_return_on_equity=rate)
        return value_by_excess_returns(flat).value_per_share

    return _bisect(value, price, max(inputs.stable_growth, 0.0), 1.0)


def implied_dividend_growth(inputs: DividendInputs, price: float) -> float | None:
    """Return the growth of the dividend over the forecast at which the value equals a price; None for none."""

    def value(rate: float) -> float:
        growing = replace(inputs, dividend_growth=(rate,) * len(inputs.dividend_growth))
        return value_by_dividends(growing).value_per_share

    return _bisect(value, price, -0.5, 1.0)


def _bisect(value: Callable[[float], float], target: float, low: float, high: float) -> float | None:
    """Find where a rising function meets a target; None where it does not between the bounds."""
    if not value(low) <= target <= value(high):
        return None
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if value(middle) < target:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _check_scalars(inputs: object, names: Sequence[str]) -> None:
    for name in (*names, "stable_growth", "stable_cost_of_equity"):
        finite(name, getattr(inputs, name))
    if getattr(inputs, "shares_out", 1.0) <= 0:
        raise InadmissibleInput("shares_out", "must be greater than 0.")


def _check_paths(inputs: object, names: Sequence[str]) -> None:
    years = len(getattr(inputs, names[0]))
    if years not in HORIZONS:
        raise InadmissibleInput(names[0], f"must have 5 or 10 years, not {years}.")
    for name in names:
        path = getattr(inputs, name)
        if len(path) != years:
            raise InadmissibleInput(name, f"has {len(path)} years, but {names[0]} has {years}; give as many.")
        for year, rate in enumerate(path, start=1):
            finite(f"{name}[{year}]", rate)
            if name == "cost_of_equity" and rate <= 0:
                raise InadmissibleInput(name, f"{rate:g} in year {year}: must be greater than 0.")
            if name in ("dividend_growth", "return_on_equity") and rate <= -1:
                raise InadmissibleInput(name, f"{rate:g} in year {year}: must be greater than -1.")


def _check_terminal(growth: float, cost: float) -> None:
    if not math.isfinite(growth) or growth <= -1:
        raise InadmissibleInput("stable_growth", "must be greater than -1.")
    if growth >= cost - LEAST_SPREAD:
        raise InadmissibleInput(
            "stable_growth", f"{growth:g} must stay at least {LEAST_SPREAD:g} below stable_cost_of_equity {cost:g}."
        )
