"""`value_company` and `project`: what the inputs are worth, the forecast by year, and what to look at before use."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tradingagents.valuation.canonical import canonical_json, plain
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.stack import Array, Computed, Stack, compute

TERMINAL_SHARE = (0.40, 0.90)
"""Usual part of the operating value that lies after the forecast."""
EXCESS_RETURN = 0.08
"""Most by which a return on capital may stay above its cost for ever."""
TERMINAL_DROP = 0.15
"""Part by which the terminal cash flow may fall below that of the last year."""
USUAL = {
    "sales_growth": (-0.30, 0.60),
    "oper_margin": (-0.50, 0.60),
    "tax_rate": (0.05, 0.40),
    "sales_to_capital": (0.20, 10.0),
    "wacc": (0.04, 0.20),
}
"""Bounds within which nearly all large companies lie; beyond them an input is likely a slip."""


def warnings_of(inputs: ValuationInputs, found: Computed) -> tuple[str, ...]:
    """Return what stands out in the inputs and in the value, one sentence each."""
    return (*_terminal(inputs, found), *_unusual(inputs))


def _terminal(inputs: ValuationInputs, found: Computed) -> Iterator[str]:
    if inputs.risk_free is not None and inputs.stable_growth > inputs.risk_free:
        yield (
            f"stable_growth {inputs.stable_growth:.2%} is above the risk-free rate {inputs.risk_free:.2%}: "
            f"the company would outgrow the economy."
        )
    operating = float(found.pv_operating)
    low, high = TERMINAL_SHARE
    if operating <= 0:
        yield "The operating value is not positive: the forecast costs more than it brings."
    else:
        share = float(found.pv_terminal) / operating
        if share > high:
            yield f"{share:.0%} of the operating value lies after the forecast, more than {high:.0%}."
        elif share < low:
            yield f"{share:.0%} of the operating value lies after the forecast, less than {low:.0%}."
    if inputs.stable_roic is not None and inputs.stable_roic > inputs.stable_wacc + EXCESS_RETURN:
        yield (
            f"stable_roic {inputs.stable_roic:.1%} is more than {100 * EXCESS_RETURN:.0f} points above stable_wacc "
            f"{inputs.stable_wacc:.1%}: such returns seldom last."
        )
    last, after = float(found.fcff[-1]), float(found.terminal_fcff)
    if last > 0 and after < (1 - TERMINAL_DROP) * last:
        yield f"The terminal cash flow lies {1 - after / last:.0%} below that of the last year."
    if float(found.per_share) < 0:
        yield "The equity is worth less than nothing: claims exceed the value of the operations."


def _unusual(inputs: ValuationInputs) -> Iterator[str]:
    for name, (low, high) in USUAL.items():
        path = getattr(inputs, name)
        outside = [(year, rate) for year, rate in enumerate(path, start=1) if not low <= rate <= high]
        if outside:
            year, rate = outside[0]
            yield f"{name} is {rate:g} in year {year}, outside the usual {low:g} to {high:g}."


KERNEL_VERSION = "1.1.0"
"""Changes whenever the same inputs could give another number."""


@dataclass(frozen=True, slots=True)
class Valuation:
    """What a company is worth by its free cash flow. Money in the unit of the inputs; nothing is rounded."""

    pv_explicit: float
    """Present value of the years of the forecast."""
    pv_terminal: float
    """Present value of everything after them."""
    pv_operating: float
    pv_after_failure: float
    """Operating value weighted with what is left on failure."""
    terminal_value: float
    """At the end of the last year."""
    equity_value: float
    """Before the options of employees."""
    option_value: float
    value_per_share: float
    terminal_share: float | None
    """Part of the operating value that lies after the forecast; None where the operating value is not positive."""
    implied_roic: tuple[float | None, ...]
    """Return on the capital at the start of each year; None where there is none."""
    warnings: tuple[str, ...]
    kernel_version: str = KERNEL_VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return the valuation as JSON values."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def to_json(self) -> str:
        """Return the valuation as canonical JSON."""
        return canonical_json(self)


@dataclass(frozen=True, slots=True)
class ProjectionYear:
    """One year of the forecast; the terminal row is the year after the last."""

    t: int
    revenue: float
    growth: float
    margin: float
    ebit: float
    tax: float
    """Tax on the operating income after losses carried forward."""
    nopat: float
    reinvestment: float
    """Negative: capital is released."""
    fcff: float
    wacc: float
    discount_factor: float
    """As applied: at mid-year where the inputs say so. The terminal row has that of the terminal value."""
    pv: float
    """Of the free cash flow; the terminal row has that of the terminal value."""
    nol: float
    """Losses left to carry forward at the end of the year."""
    invested_capital: float
    """At the end of the year. It starts from `book_capital`, else from revenue over sales to capital of year 1."""
    roic: float | None
    """NOPAT over the capital at the start of the year; None where that is not positive."""


@dataclass(frozen=True, slots=True)
class Projection:
    """The forecast of a valuation, year by year."""

    years: tuple[ProjectionYear, ...]
    terminal: ProjectionYear
    terminal_value: float
    start_capital: float
    kernel_version: str = KERNEL_VERSION

    def to_dict(self) -> dict[str, Any]:
        """Return the forecast as JSON values."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}

    def to_json(self) -> str:
        """Return the forecast as canonical JSON."""
        return canonical_json(self)


def value_company(inputs: ValuationInputs) -> Valuation:
    """Value a company.

    >>> inputs = ValuationInputs(
    ...     revenue_t0=1000, shares_out=100, sales_growth=(0.10, 0.10, 0.08, 0.08, 0.05),
    ...     oper_margin=(0.20, 0.22, 0.23, 0.24, 0.25), tax_rate=0.25, sales_to_capital=2, wacc=0.10,
    ...     stable_growth=0.02, stable_sales_to_capital=2,
    ... )
    >>> round(value_company(inputs).value_per_share, 4)
    27.3024

    Raises:
        InadmissibleInput: The numbers are so large that the value is not finite.
    """
    with np.errstate(all="ignore"):
        found = compute(Stack.of(inputs))
    operating, per_share = float(found.pv_operating), float(found.per_share)
    if not np.isfinite(per_share):
        raise InadmissibleInput("revenue_t0", "the inputs give a value that is not finite; use a larger unit of money.")
    projection = _projection(inputs, found)
    return Valuation(
        pv_explicit=float(found.pv_explicit),
        pv_terminal=float(found.pv_terminal),
        pv_operating=operating,
        pv_after_failure=float(found.pv_after_failure),
        terminal_value=float(found.terminal_value),
        equity_value=float(found.equity),
        option_value=float(found.option_value),
        value_per_share=per_share,
        terminal_share=float(found.pv_terminal) / operating if operating > 0 else None,
        implied_roic=tuple(year.roic for year in projection.years),
        warnings=warnings_of(inputs, found),
    )


def project(inputs: ValuationInputs) -> Projection:
    """Return the forecast of a valuation year by year, and the terminal year."""
    with np.errstate(all="ignore"):
        return _projection(inputs, compute(Stack.of(inputs)))


def _projection(inputs: ValuationInputs, found: Computed) -> Projection:
    start = inputs.book_capital
    capital = start if start is not None else inputs.revenue_t0 / inputs.sales_to_capital[0]
    rows, first = [], capital
    for year in range(inputs.years):
        row = _year(inputs, found, year, capital)
        capital = row.invested_capital
        rows.append(row)
    nopat, spent = float(found.terminal_nopat), float(found.terminal_reinvestment)
    terminal = ProjectionYear(
        t=inputs.years + 1,
        revenue=float(found.terminal_revenue),
        growth=inputs.stable_growth,
        margin=inputs.stable_margin,
        ebit=float(found.terminal_ebit),
        tax=float(found.terminal_ebit) - nopat,
        nopat=nopat,
        reinvestment=spent,
        fcff=float(found.terminal_fcff),
        wacc=inputs.stable_wacc,
        discount_factor=rows[-1].discount_factor,
        pv=float(found.pv_terminal),
        nol=rows[-1].nol,
        invested_capital=capital + spent,
        roic=_roic(nopat, capital),
    )
    return Projection(tuple(rows), terminal, float(found.terminal_value), first)


def _year(inputs: ValuationInputs, found: Computed, year: int, capital: float) -> ProjectionYear:
    def at(values: tuple[Array, ...]) -> float:
        return float(values[year])

    return ProjectionYear(
        t=year + 1,
        revenue=float(found.revenue[year + 1]),
        growth=inputs.sales_growth[year],
        margin=inputs.oper_margin[year],
        ebit=at(found.ebit),
        tax=at(found.ebit) - at(found.nopat),
        nopat=at(found.nopat),
        reinvestment=at(found.reinvestment),
        fcff=at(found.fcff),
        wacc=inputs.wacc[year],
        discount_factor=at(found.discount_factor),
        pv=at(found.pv),
        nol=at(found.nol),
        invested_capital=capital + at(found.reinvestment),
        roic=_roic(at(found.nopat), capital),
    )


def _roic(nopat: float, capital: float) -> float | None:
    return nopat / capital if capital > 0 else None
