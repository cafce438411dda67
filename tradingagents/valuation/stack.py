"""The arithmetic: many sets of inputs at once, as arrays that broadcast against each other.

Each driver is an array of shape `(years, …)` or `(…)`. What follows the years is the shape of the stack: `()` for one
valuation, `(n,)` for n draws, `(rows, 1)` and `(1, columns)` for the two axes of a grid. A term that depends on one
axis only is computed once for that axis. All operations are element by element and years are added one after the
other, so that a cell of a grid has the same bits as the same inputs valued alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tradingagents.valuation.inputs import LEAST_SPREAD, EmployeeOptions, ValuationInputs

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Stack:
    """Drivers as arrays, with what is the same for all of them in `base`."""

    base: ValuationInputs
    sales_growth: Array
    oper_margin: Array
    tax_rate: Array
    sales_to_capital: Array
    wacc: Array
    stable_growth: Array
    stable_margin: Array
    stable_tax: Array
    stable_wacc: Array
    stable_roic: Array | None

    @classmethod
    def of(cls, inputs: ValuationInputs, dimensions: int = 0) -> Stack:
        """Return a stack of one set of inputs, with so many axes of length 1 behind the years."""
        tail = (1,) * dimensions

        def path(name: str) -> Array:
            return np.asarray(getattr(inputs, name), dtype=np.float64).reshape((-1, *tail))

        def scalar(name: str) -> Array:
            return np.full(tail, getattr(inputs, name), dtype=np.float64)

        return cls(
            base=inputs,
            sales_growth=path("sales_growth"),
            oper_margin=path("oper_margin"),
            tax_rate=path("tax_rate"),
            sales_to_capital=path("sales_to_capital"),
            wacc=path("wacc"),
            stable_growth=scalar("stable_growth"),
            stable_margin=scalar("stable_margin"),
            stable_tax=scalar("stable_tax"),
            stable_wacc=scalar("stable_wacc"),
            stable_roic=None if inputs.stable_roic is None else scalar("stable_roic"),
        )

    def with_arrays(self, **arrays: Array) -> Stack:
        """Return the stack with some drivers replaced."""
        changes: Mapping[str, Any] = arrays
        return replace(self, **changes)

    def problems(self) -> tuple[tuple[str, npt.NDArray[np.bool_]], ...]:
        """Return why a member of the stack cannot be valued, each with an array that is true where it holds."""
        found: list[tuple[str, npt.NDArray[np.bool_]]] = [
            ("sales_growth must be greater than -1", np.asarray((self.sales_growth <= -1).any(axis=0))),
            ("wacc must be greater than 0", np.asarray((self.wacc <= 0).any(axis=0) | (self.stable_wacc <= 0))),
            ("sales_to_capital must be greater than 0", np.asarray((self.sales_to_capital <= 0).any(axis=0))),
            ("stable_growth must be greater than -1", np.asarray(self.stable_growth <= -1)),
            (
                f"stable_growth must stay at least {LEAST_SPREAD:g} below stable_wacc",
                np.asarray(self.stable_growth >= self.stable_wacc - LEAST_SPREAD),
            ),
        ]
        if self.stable_roic is not None:
            found.append(("stable_roic must be greater than 0", np.asarray(self.stable_roic <= 0)))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class Computed:
    """What the arithmetic gives: lists by year, and the sums; each broadcasts to the shape of the stack."""

    revenue: tuple[Array, ...]
    """From year 0 to the last year."""
    ebit: tuple[Array, ...]
    nopat: tuple[Array, ...]
    reinvestment: tuple[Array, ...]
    fcff: tuple[Array, ...]
    nol: tuple[Array, ...]
    discount_factor: tuple[Array, ...]
    """As applied: at mid-year where the inputs say so."""
    pv: tuple[Array, ...]
    terminal_revenue: Array
    terminal_ebit: Array
    terminal_nopat: Array
    terminal_reinvestment: Array
    terminal_fcff: Array
    terminal_value: Array
    pv_explicit: Array
    pv_terminal: Array
    pv_operating: Array
    pv_after_failure: Array
    equity: Array
    option_value: Array
    per_share: Array


def compute(stack: Stack) -> Computed:
    """Value every member of a stack. Members that `Stack.problems` names give numbers without meaning."""
    base, years = stack.base, range(stack.base.years)
    revenue = _revenue(stack)
    ebit = tuple(stack.oper_margin[year] * revenue[year + 1] for year in years)
    nopat, nol = _taxed(stack, ebit)
    lag = base.reinvestment_lag
    spent = tuple((revenue[t + 1 + lag] - revenue[t + lag]) / stack.sales_to_capital[t] for t in years)
    fcff = tuple(earned - reinvested for earned, reinvested in zip(nopat, spent, strict=True))
    factors = _discount_factors(stack)
    pv = tuple(flow * factor for flow, factor in zip(fcff, factors, strict=True))
    explicit = pv[0]
    for present in pv[1:]:
        explicit = explicit + present
    last = revenue[base.years]
    terminal_revenue = last * (1 + stack.stable_growth)
    terminal_ebit = terminal_revenue * stack.stable_margin
    terminal_nopat = terminal_ebit * (1 - stack.stable_tax)
    terminal_spent = _terminal_reinvestment(stack, last, terminal_revenue, terminal_nopat)
    terminal_fcff = terminal_nopat - terminal_spent
    terminal_value = terminal_fcff / (stack.stable_wacc - stack.stable_growth)
    pv_terminal = terminal_value * factors[-1]
    operating = explicit + pv_terminal
    adjusted, equity, options, per_share = _bridge(base, operating)
    return Computed(
        revenue=revenue[: base.years + 1],
        ebit=ebit,
        nopat=nopat,
        reinvestment=spent,
        fcff=fcff,
        nol=nol,
        discount_factor=factors,
        pv=pv,
        terminal_revenue=terminal_revenue,
        terminal_ebit=terminal_ebit,
        terminal_nopat=terminal_nopat,
        terminal_reinvestment=terminal_spent,
        terminal_fcff=terminal_fcff,
        terminal_value=terminal_value,
        pv_explicit=explicit,
        pv_terminal=pv_terminal,
        pv_operating=operating,
        pv_after_failure=adjusted,
        equity=equity,
        option_value=options,
        per_share=per_share,
    )


def _revenue(stack: Stack) -> tuple[Array, ...]:
    """Return revenue from year 0 on, with as many years beyond the last as the lag of reinvestment needs."""
    found = [np.asarray(stack.base.revenue_t0, dtype=np.float64)]
    for year in range(stack.base.years):
        found.append(found[-1] * (1 + stack.sales_growth[year]))
    for _ in range(stack.base.reinvestment_lag):
        found.append(found[-1] * (1 + stack.stable_growth))
    return tuple(found)


def _taxed(stack: Stack, ebit: tuple[Array, ...]) -> tuple[tuple[Array, ...], tuple[Array, ...]]:
    """Return operating income after tax, and the losses left to carry forward, by year."""
    nopat, left = [], []
    carried = np.asarray(stack.base.nol_t0, dtype=np.float64)
    for year, earned in enumerate(ebit):
        profit = np.maximum(earned, 0.0)
        shield = np.minimum(carried, profit)
        nopat.append(earned - stack.tax_rate[year] * (profit - shield))
        carried = carried - shield - np.minimum(earned, 0.0)
        left.append(carried)
    return tuple(nopat), tuple(left)


def _discount_factors(stack: Stack) -> tuple[Array, ...]:
    factor: Array = np.ones(())
    found = []
    for year in range(stack.base.years):
        rate = stack.wacc[year]
        factor = factor / (1 + rate)
        found.append(factor * np.sqrt(1 + rate) if stack.base.discounting == "midyear" else factor)
    return tuple(found)


def _terminal_reinvestment(stack: Stack, last: Array, revenue: Array, nopat: Array) -> Array:
    if stack.stable_roic is not None:
        return np.maximum(stack.stable_growth, 0.0) / stack.stable_roic * nopat
    return (revenue - last) / np.float64(stack.base.stable_sales_to_capital or math.nan)


def _bridge(base: ValuationInputs, operating: Array) -> tuple[Array, Array, Array, Array]:
    """Return value after failure, of the equity, of the options, and for each share."""
    chance, part = base.failure_probability, base.distress_proceeds
    recovered = operating if base.distress_basis == "value" else np.float64(base.book_capital or 0.0)
    adjusted = operating * (1 - chance) + chance * part * recovered
    net_debt = base.net_debt if base.net_debt is not None else 0.0
    equity = adjusted - base.debt - net_debt - base.minority_interest + base.cash + base.non_operating_assets
    options = (
        np.asarray(base.option_value, dtype=np.float64)
        if base.options is None
        else option_value(equity, base.shares_out, base.options)
    )
    return adjusted, equity, options, (equity - options) / base.shares_out


def option_value(equity: Array, shares: float, options: EmployeeOptions) -> Array:
    """Return the value of all options by Black-Scholes on the diluted share.

    The diluted share is `S* = (S·N + C·W)/(N + W)`. With S the value per share after the options, `S·N + C·W` is the
    whole equity at the fixed point, so that S* is known without iterating.
    """
    diluted = np.asarray(equity / (shares + options.count))
    spread = options.volatility * math.sqrt(options.years)
    carry = options.risk_free - options.dividend_yield + options.volatility**2 / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        first = (np.log(diluted / options.strike) + carry * options.years) / spread
        worth = diluted * math.exp(-options.dividend_yield * options.years) * _normal(first)
        paid = options.strike * math.exp(-options.risk_free * options.years) * _normal(first - spread)
    return np.where(diluted > 0, options.count * (worth - paid), 0.0)


def _normal(values: Array) -> Array:
    """Return the cumulative normal distribution."""
    return np.asarray(_ERFC(-values / math.sqrt(2)) / 2, dtype=np.float64)


_ERFC = np.vectorize(math.erfc, otypes=[np.float64])
