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
    ExcessReturnInputs,
    implied_dividend_growth,
    implied_return_on_equity,
    value_by_dividends,
    value_by_excess_returns,
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
    figures_of: str = "",
) -> tuple[str, ...]:
    """Return the sentences that open an answer, in their order. Nothing where the inputs give no value.

    Args:
        inputs: What is valued.
        price: Of a share, above 0.
        currency: Of the price; empty for none.
        past_growth: Growth of revenue a year that the company has managed, with what it is read from; None: not known.
        assumptions: What the inputs stand on, for what is doubtful.
        figures_of: The twelve months that the inputs are built from, in words; empty for none.
    """
    money = f" {currency}" if currency else ""
    if isinstance(inputs, ValuationInputs):
        found = value_company(inputs)
        if why_no_value(inputs, found) is not None:
            return ()
        said = [_paid_for(inputs, price, money, past_growth), _range(inputs, money)]
        said += [_point(found.value_per_share, price, money, figures_of), _movers(inputs, money)]
    else:
        bank = isinstance(inputs, ExcessReturnInputs)
        equity = (
            value_by_excess_returns(inputs) if isinstance(inputs, ExcessReturnInputs) else value_by_dividends(inputs)
        )
        if why_no_value(inputs, equity) is not None:
            return ()
        said = [_paid_for_equity(inputs, price, money), _point(equity.value_per_share, price, money, figures_of)]
        said.append(f"No range: {'excess returns' if bank else 'dividends'} are valued at one set of inputs.")
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


def _paid_for_equity(inputs: AnyInputs, price: float, money: str) -> str:
    if isinstance(inputs, ExcessReturnInputs):
        implied, now = implied_return_on_equity(inputs, price), inputs.return_on_equity[0]
        what, has = "a return on equity of {:.1%} in the first year", f"the figures begin at {now:.1%}"
    else:
        assert not isinstance(inputs, ValuationInputs)  # noqa: S101 - the firm has a wording of its own
        implied, now = implied_dividend_growth(inputs, price), inputs.dividend_growth[0]
        what, has = "dividends that grow by {:.1%} in the first year", f"the figures begin at {now:.1%}"
    if implied is None:
        return f"At {price:,.2f}{money} no rate explains the price; {has}."
    return f"At {price:,.2f}{money} the market pays for {what.format(implied)}; {has}."


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


def _point(value: float, price: float, money: str, figures_of: str) -> str:
    gap = value / price - 1
    side = "above" if gap >= 0 else "below"
    base = f", figures of {figures_of}" if figures_of else ""
    return f"Value from these inputs{base}: {value:,.2f}{money}, {abs(gap):.1%} {side} the price."


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
