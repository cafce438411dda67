"""The opening of an answer about a company's value, in words: what the price pays for, then what the figures give.

`opening` is the one wording: `value`, the questions, the page, comparisons and the deep report show its sentences. The
order: what the price pays for next to what the company has managed; the range over three cases; the value; the two
inputs that move it most; what is doubtful, the largest effect first.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from tradingagents.valuation.company.answer_parts import ValueCase, ValueCases
from tradingagents.valuation.company.assumptions import AnyInputs
from tradingagents.valuation.company.cases import EARNED, cases_of, cost_of_equity_moved, earned_path, earnings_moved
from tradingagents.valuation.company.doubts import Doubt
from tradingagents.valuation.company.history import LEAST_YEARS, OwnRecord, YearlyFigures
from tradingagents.valuation.equity_models import (
    EquityInputs,
    ExcessReturnInputs,
    FundsInputs,
    implied_rate,
    implied_return_on_equity,
    net_asset_value,
)
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import share_value, valued, why_no_value
from tradingagents.valuation.paths import HIGH_YEARS
from tradingagents.valuation.reverse import solve_driver
from tradingagents.valuation.sensitivity import TORNADO_SHIFTS, Driver, tornado

_WORDS: dict[Driver, str] = {
    "wacc": "cost of capital",
    "stable_growth": "growth after the forecast",
    "sales_growth": "growth of revenue",
    "oper_margin": "operating margin",
    "sales_to_capital": "revenue for each unit of capital",
    "stable_roic": "return on new capital after the forecast",
}
_STEPS = {0.005: "half a point", 0.01: "one point", 0.02: "two points"}
MOVERS = 2
_PAID_OUT = {"dividend_growth": "dividends", "funds_growth": "adjusted funds from operations"}
_SAME = 5e-4
"""Part of the price within which a value is the price, as percents with one decimal show it."""


def opening(
    inputs: AnyInputs,
    *,
    price: float,
    currency: str,
    record: OwnRecord | None = None,
    doubts: Sequence[Doubt] = (),
    figures_of: str = "",
    not_compared: Sequence[str] = (),
) -> tuple[str, ...]:
    """Return the sentences that open an answer, in their order. Nothing where the inputs give no value.

    Args:
        inputs: What is valued.
        price: Of a share, above 0.
        currency: Of the price; empty for none.
        record: The company's own years; None: none is known.
        doubts: What is doubtful, in the order to show (`doubts.doubts_of`).
        figures_of: The twelve months that the inputs are built from, in words; empty for none.
        not_compared: Why the value is not set against the price (`doubts.why_not_compared`); empty where it is.
    """
    money, own = f" {currency}" if currency else "", record or OwnRecord()
    found = valued(inputs)
    if why_no_value(inputs, found) is not None:
        return ()
    return (
        _paid_for(inputs, price, money, own),
        _range(cases_of(inputs, own), money),
        _point(found.value_per_share, price, money, figures_of, not_compared),
        *_second_view(inputs, found.value_per_share, money),
        *_movers(inputs, money),
        *(f"Doubtful: {doubt.text}{_effect(doubt, money)}." for doubt in doubts),
    )


def _paid_for(inputs: AnyInputs, price: float, money: str, record: OwnRecord) -> str:
    at = f"At {price:,.2f}{money}"
    if isinstance(inputs, ValuationInputs):
        return f"{at} {_growth_paid_for(inputs, price)}; {_managed(inputs, record)}."
    if isinstance(inputs, ExcessReturnInputs):
        return f"{at} {_return_paid_for(inputs, price)}; {_earned(inputs, record.return_on_equity)}."
    name, now, implied = implied_rate(inputs, price)
    what, years = _PAID_OUT[name], len(inputs.cost_of_equity)
    paid = (
        f"no growth of {what} explains the price"
        if implied is None
        else f"the market pays for {what} that {_grow(implied)} a year for {years} years"
    )
    return f"{at} {paid}; these inputs begin with {now:.1%}."


def _grow(rate: float) -> str:
    return f"grow by {rate:.1%}" if rate >= 0 else f"shrink by {-rate:.1%}"


def _growth_paid_for(inputs: ValuationInputs, price: float) -> str:
    """Say which growth of revenue the price pays for, as a compound rate over the forecast, at the margin reached."""
    found, margin = solve_driver(inputs, "sales_growth", price), f"an operating margin of {inputs.stable_margin:.1%}"
    if found.shift is None or found.level is None:
        needed = needed_margin(inputs, price)
        also = "no operating margin does" if needed is None else f"an operating margin of {needed:.1%} would"
        return f"no growth of revenue explains the price at {margin}; {also}"
    times = math.prod(1 + rate + found.shift for rate in inputs.sales_growth)
    mean = times ** (1 / inputs.years) - 1
    paid = f"revenue growth of {mean:.1%}" if mean >= 0 else f"revenue that shrinks by {-mean:.1%}"
    path = f"{found.level:.1%} in the first year, {times:.2g} times today's revenue in year {inputs.years}"
    return f"the market pays for {paid} a year over {inputs.years} years ({path}) at {margin}"


def _managed(inputs: ValuationInputs, record: OwnRecord) -> str:
    """Say what the company has managed, and what the inputs take."""
    even = len(set(inputs.sales_growth[:HIGH_YEARS])) == 1
    takes = f"these inputs take {inputs.sales_growth[0]:.1%} in the first {_years(HIGH_YEARS if even else 1)}"
    if record.managed is None:
        return f"what it has managed is not known from its statements, and {takes}"
    years = len(record.growth.values)
    grown = f"managed {record.managed:.1%}" if record.managed >= 0 else f"shrunk by {-record.managed:.1%}"
    return f"it has {grown} a year over the {_years(years)} to {record.growth.last}, and {takes}"


def _years(count: int) -> str:
    return "year" if count == 1 else f"{count} years"


def needed_margin(inputs: ValuationInputs, price: float) -> float | None:
    """Return the operating margin after the forecast that explains a price, the rest unchanged; None for none."""
    shift = solve_driver(inputs, "oper_margin", price).shift
    return None if shift is None else inputs.stable_margin + shift


def _return_paid_for(inputs: ExcessReturnInputs, price: float) -> str:
    implied = implied_return_on_equity(inputs, price)
    if implied is None:
        return "no return on equity explains the price"
    return f"the market pays for a return on equity of {implied:.1%} every year and for ever"


def _earned(inputs: ExcessReturnInputs, own: YearlyFigures) -> str:
    now, later = inputs.return_on_equity[0], inputs.stable_return_on_equity
    years = len(inputs.return_on_equity)
    takes = f"these inputs begin with {now:.1%} and reach {later:.1%} in year {years}"
    if own.median is None:
        return f"{takes}, and what it has earned over {LEAST_YEARS} years is not known"
    return f"it has earned {own.median:.1%} in the median of its own {own.years} years to {own.last}, and {takes}"


def _range(cases: ValueCases, money: str) -> str:
    low, base, high = cases.all
    first = " and ".join(f"{name} of {level:.1%}" for name, level in low.levels)
    told = [f"low {low.value_per_share:,.2f}{money} a share ({first})"]
    told += [f"{case.name} {case.value_per_share:,.2f} ({_levels(case)})" for case in (base, high)]
    nothing = [case.name for case in cases.all if case.value_per_share <= 0]
    left = f" Nothing is left for the shares in {len(nothing)} of {len(cases.all)} cases." if nothing else ""
    return f"Range over three cases: {', '.join(told)}. {cases.basis}{left}"


def _levels(case: ValueCase) -> str:
    return " and ".join(f"{level:.1%}" for _, level in case.levels)


def _point(value: float, price: float, money: str, figures_of: str, not_compared: Sequence[str]) -> str:
    gap = value / price - 1
    base = f", figures of {figures_of}" if figures_of else ""
    if not_compared:
        return f"No verdict against the price: {'; '.join(not_compared)}. These inputs{base} give {value:,.2f}{money}."
    far = "the price" if abs(gap) < _SAME else f"{abs(gap):.1%} {'above' if gap > 0 else 'below'} the price"
    return f"Value from these inputs{base}: {value:,.2f}{money}, {far}."


def _second_view(inputs: AnyInputs, value: float, money: str) -> tuple[str, ...]:
    """Say what the properties of a real-estate trust are worth by a second method; nothing for other models."""
    if not isinstance(inputs, FundsInputs):
        return ()
    worth = net_asset_value(inputs)
    if worth is None:
        return ("No second view: the net operating income or the debt is not known.",)
    at = f"the properties at a capitalisation rate of {inputs.cap_rate:.1%}, less the claims before the shares"
    if worth <= 0:
        return (f"Second view: {at}, leave nothing for the shares.",)
    gap = worth / value - 1
    side = "above" if gap >= 0 else "below"
    return (f"Second view: {worth:,.2f}{money} a share by {at}, {abs(gap):.1%} {side} the value from funds.",)


@dataclass(frozen=True, slots=True)
class _Mover:
    """An input with what one step of it does to the value."""

    more: str
    """The step, in words."""
    less: str
    down: float
    """Change of the value with one step less."""
    up: float


def _movers(inputs: AnyInputs, money: str) -> tuple[str, ...]:
    """Name the inputs whose usual step moves the value most, of those that can be moved both ways."""
    found = _of_the_firm(inputs) if isinstance(inputs, ValuationInputs) else _of_the_equity(inputs)
    chosen = sorted(found, key=lambda bar: -abs(bar.up - bar.down))[:MOVERS]
    if not chosen:
        return ()
    told = "; ".join(f"{bar.more} {_change(bar.up, money)} ({bar.less} {_change(bar.down, money)})" for bar in chosen)
    return (f"What moves it most: {told}.",)


def _change(amount: float, money: str) -> str:
    return f"{'adds' if amount >= 0 else 'takes away'} {abs(amount):,.2f}{money}"


def _of_the_firm(inputs: ValuationInputs) -> list[_Mover]:
    found = tornado(inputs)
    movers = []
    for bar in found.bars:
        if bar.low is None or bar.high is None:
            continue
        more, less = _step_words(_WORDS[bar.driver], bar.high_shift, factor=bar.driver == "sales_to_capital")
        movers.append(_Mover(more, less, bar.low - found.base_value, bar.high - found.base_value))
    return movers


def _step_words(name: str, step: float, *, factor: bool = False) -> tuple[str, str]:
    points = f"{round(100 * (step - 1))}%" if factor else _STEPS.get(round(step, 6), f"{100 * step:g} points")
    return f"{points} more {name}" if factor else f"{points} more of {name}", f"{points} less"


def _of_the_equity(inputs: EquityInputs) -> list[_Mover]:
    """Return what one step of the return or the dividends, of the cost of equity and of the growth after them does."""
    base = share_value(inputs)
    point, half = TORNADO_SHIFTS["wacc"][1], TORNADO_SHIFTS["stable_growth"][1]
    drivers: list[tuple[str, float, Callable[[EquityInputs, float], EquityInputs]]] = [
        (EARNED[earned_path(inputs)[0]], point, earnings_moved),
        ("cost of equity", point, cost_of_equity_moved),
        (
            "growth after the forecast",
            half,
            lambda given, step: replace(given, stable_growth=given.stable_growth + step),
        ),
    ]
    movers = []
    for name, size, move in drivers:
        try:
            down, up = share_value(move(inputs, -size)) - base, share_value(move(inputs, size)) - base
        except InadmissibleInput:
            continue
        movers.append(_Mover(*_step_words(name, size), down, up))
    return movers


def _effect(doubt: Doubt, money: str) -> str:
    step = f"{doubt.step}: " if doubt.step else ""
    return "" if doubt.effect is None else f" ({step}{doubt.effect:,.2f}{money} a share)"
