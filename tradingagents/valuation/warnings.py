"""Warnings: what an analyst should look at before using a value. They never change it."""

from __future__ import annotations

from collections.abc import Iterator

from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.stack import Computed

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
