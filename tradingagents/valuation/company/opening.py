"""The opening of an answer about a company's value, in words: what the price pays for, then what the figures give.

`opening` is the one wording: `value`, the questions, the page and the deep report show its sentences. The order: what
the price pays for next to what the company has managed; the range; the value; what moves it most; what is doubtful.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from tradingagents.valuation.company.assumptions import AnyInputs, ValuationAssumption
from tradingagents.valuation.company.claims import HAS_NONE, Sourced
from tradingagents.valuation.dcf import value_company
from tradingagents.valuation.drivers import Driver
from tradingagents.valuation.equity_models import (
    EquityInputs,
    ExcessReturnInputs,
    FundsInputs,
    implied_rate,
    net_asset_value,
    value_equity,
)
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import why_no_value
from tradingagents.valuation.paths import HIGH_YEARS
from tradingagents.valuation.reverse import solve_driver
from tradingagents.valuation.sensitivity import TornadoBar, grid, tornado

_WORDS: dict[Driver, str] = {
    "wacc": "the cost of capital",
    "stable_growth": "the growth after the forecast",
    "sales_growth": "the growth of revenue",
    "oper_margin": "the operating margin",
    "sales_to_capital": "revenue for each unit of capital",
    "stable_roic": "the return on new capital after the forecast",
}
_OF_THE_COMPANY = {
    "debt": "debt",
    "cash": "cash",
    "minority_interest": "minority interest",
    "preferred_equity": "preferred stock",
    "non_operating_assets": "other assets",
    "effective_tax": "tax rate",
    "growth_years_1_to_5": "growth",
    "turnover": "revenue over capital",
    "gains_on_sales": "gains on sales of property",
    "impairments": "write-downs of property",
    "recurring_capital_expenditure": "what keeps the buildings as they are",
}
"""Assumptions that should come from the company's statements: a default instead is a doubt."""
MOVERS = 2


def opening(
    inputs: AnyInputs,
    *,
    price: float,
    currency: str,
    past_growth: Sourced | None = None,
    assumptions: Iterable[ValuationAssumption] = (),
) -> tuple[str, ...]:
    """Return the sentences that open an answer, in their order. Nothing where the inputs give no value.

    Args:
        inputs: What is valued.
        price: Of a share, above 0.
        currency: Of the price; empty for none.
        past_growth: Growth of revenue a year that the company has managed, with what it is read from; None: not known.
        assumptions: What the inputs stand on, for what is doubtful.
    """
    money = f" {currency}" if currency else ""
    if isinstance(inputs, ValuationInputs):
        found = value_company(inputs)
        if why_no_value(inputs, found) is not None:
            return ()
        said = [_paid_for(inputs, price, money, past_growth), _range(inputs, money)]
        said += [_point(found.value_per_share, price, money), _movers(inputs, money)]
    else:
        equity = value_equity(inputs)
        if why_no_value(inputs, equity) is not None:
            return ()
        said = [_paid_for_equity(inputs, price, money), _point(equity.value_per_share, price, money)]
        said.append(_other_view(inputs, equity.value_per_share, money))
    return tuple(one for one in (*said, _doubtful(assumptions)) if one)


def _paid_for(inputs: ValuationInputs, price: float, money: str, past: Sourced | None) -> str:
    implied = solve_driver(inputs, "sales_growth", price).level
    margin = f"an operating margin of {inputs.stable_margin:.1%}"
    if implied is None:
        needed = needed_margin(inputs, price)
        also = (
            f"; an operating margin of {needed:.1%} would" if needed is not None else ", and no operating margin does"
        )
        paid = f"At {price:,.2f}{money} no growth of revenue explains the price at {margin}{also}"
    else:
        paid = f"At {price:,.2f}{money} the market pays for {_growth(implied)} {_when(inputs)} at {margin}"
    basis = past.source.partition(": ")[2] or past.source if past is not None else ""
    return f"{paid}; the company has managed {past.value:.1%} a year ({basis})." if past is not None else f"{paid}."


def _growth(rate: float) -> str:
    return f"revenue growth of {rate:.1%}" if rate >= 0 else f"revenue that shrinks by {-rate:.1%}"


def _when(inputs: ValuationInputs) -> str:
    even = len(set(inputs.sales_growth[:HIGH_YEARS])) == 1
    return f"a year over the next {HIGH_YEARS} years" if even else "in the first year"


def needed_margin(inputs: ValuationInputs, price: float) -> float | None:
    """Return the operating margin after the forecast that explains a price, the rest unchanged; None for none."""
    shift = solve_driver(inputs, "oper_margin", price).shift
    return None if shift is None else inputs.stable_margin + shift


_RATES: dict[str, str] = {
    "return_on_equity": "a return on equity of {:.1%} every year and for ever",
    "dividend_growth": "dividends that grow by {:.1%} a year over the forecast",
    "funds_growth": "adjusted funds from operations that change by {:+.1%} a year over the forecast",
}
"""What the price of an equity model pays for, by the name of the rate."""


def _paid_for_equity(inputs: EquityInputs, price: float, money: str) -> str:
    name, now, implied = implied_rate(inputs, price)
    has = f"the figures begin at {now:.1%}"
    if isinstance(inputs, ExcessReturnInputs):
        has += f" and end at {inputs.stable_return_on_equity:.1%}"
    if implied is None:
        return f"At {price:,.2f}{money} no rate explains the price; {has}."
    return f"At {price:,.2f}{money} the market pays for {_RATES[name].format(implied)}; {has}."


def _other_view(inputs: EquityInputs, value: float, money: str) -> str:
    """Say what a second method gives, or that there is no range."""
    if not isinstance(inputs, FundsInputs):
        what = "excess returns" if isinstance(inputs, ExcessReturnInputs) else "dividends"
        return f"No range: {what} are valued at one set of inputs."
    worth = net_asset_value(inputs)
    if worth is None:
        return "No second view: the net operating income or the debt is not known."
    at = f"the properties at a capitalisation rate of {inputs.cap_rate:.1%}, less the claims before the shares"
    if worth <= 0:
        return f"Second view: {at}, leave nothing for the shares."
    gap = worth / value - 1
    side = "above" if gap >= 0 else "below"
    return f"Second view: {worth:,.2f}{money} a share by {at}, {abs(gap):.1%} {side} the value from funds."


def _range(inputs: ValuationInputs, money: str) -> str:
    found = grid(inputs, "wacc", "stable_growth")
    cells = [float(one) for one in found.values.ravel() if math.isfinite(one)]
    costs, growths = found.row_levels, found.column_levels
    nothing = sum(one <= 0 for one in cells)
    often = f", with nothing left for the shares in {nothing} of {len(cells)} pairs" if nothing else ""
    return (
        f"Range: {min(cells):,.2f} to {max(cells):,.2f}{money} a share over a cost of capital of {costs[0]:.1%} to "
        f"{costs[-1]:.1%} and a growth after the forecast of {growths[0]:.1%} to {growths[-1]:.1%}{often}."
    )


def _point(value: float, price: float, money: str) -> str:
    gap = value / price - 1
    side = "above" if gap >= 0 else "below"
    return f"Value from these inputs: {value:,.2f}{money}, {abs(gap):.1%} {side} the price."


def _movers(inputs: ValuationInputs, money: str) -> str:
    """Name the drivers whose usual shift moves the value most, of those that can be shifted both ways."""
    bars = [bar for bar in tornado(inputs).bars if bar.low is not None and bar.high is not None][:MOVERS]
    return f"It moves most with {' and '.join(_mover(bar, money) for bar in bars)}." if bars else ""


def _mover(bar: TornadoBar, money: str) -> str:
    low, high = bar.low or 0.0, bar.high or 0.0
    factor = bar.driver == "sales_to_capital"
    shift = f"times {bar.low_shift:g} and {bar.high_shift:g}" if factor else _points(bar.high_shift)
    return f"{_WORDS[bar.driver]} ({shift}: {min(low, high):,.2f} to {max(low, high):,.2f}{money})"


def _points(shift: float) -> str:
    return f"{100 * shift:g} point{'' if math.isclose(shift, 0.01) else 's'} either way"


def _doubtful(assumptions: Iterable[ValuationAssumption]) -> str:
    defaults = [row for row in assumptions if row.kind == "default" and not row.source.startswith(HAS_NONE)]
    names = [_OF_THE_COMPANY[row.name] for row in defaults if row.name in _OF_THE_COMPANY]
    return f"Doubtful: defaults are used where the statements give no figure: {', '.join(names)}." if names else ""
