"""Limited liability: a share is worth nothing at the least, and figures that say less than that give no value.

`at_least_nothing` is the one floor of a value per share: grid, tornado, distribution, reverse valuation and scenarios
use it. `why_no_value` is the one judgement of a single answer. `value_company` and the models of the equity keep their
arithmetic value, so that a published workbook can be compared with it.
"""

from __future__ import annotations

from datetime import date

import numpy as np

from tradingagents.valuation.dcf import Valuation, value_company
from tradingagents.valuation.equity_models import (
    EquityInputs,
    EquityValuation,
    ExcessReturnInputs,
    FundsInputs,
    value_equity,
)
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.stack import Array

NO_VALUE = "No value from these figures"
GIVE_MARGIN = "Give the margin of a normal year as target_margin=…"
"""What to set where the margin is at fault; other inputs are set with `--set NAME=VALUE`."""


def at_least_nothing(values: Array) -> Array:
    """Return values per share as a holder has them: below zero the claims of others take all, and no more than that.

    Not-a-number stays so. Values above zero keep their bits.
    """
    return np.maximum(values, 0.0) + 0.0  # no minus zero


def floored(value: float) -> float:
    """Return one value per share as `at_least_nothing` does."""
    return float(at_least_nothing(np.asarray(value)))


def valued(inputs: ValuationInputs | EquityInputs) -> Valuation | EquityValuation:
    """Value inputs by the model they belong to, by arithmetic."""
    return value_company(inputs) if isinstance(inputs, ValuationInputs) else value_equity(inputs)


def share_value(inputs: ValuationInputs | EquityInputs) -> float:
    """Return the value per share of inputs as a holder has it: nothing at the least."""
    return floored(valued(inputs).value_per_share)


def worth_nothing(part: float, what: str) -> str:
    """Say how often a share is worth nothing.

    >>> worth_nothing(0.31, "the draws")
    '31.0% of the draws are worth nothing: the claims exceed the operations.'
    """
    return f"{part:.1%} of {what} are worth nothing: the claims exceed the operations."


def why_no_value(inputs: ValuationInputs | EquityInputs, found: Valuation | EquityValuation) -> str | None:
    """Return why inputs give a share no value, and what to set instead; None where they give one.

    Args:
        inputs: The inputs.
        found: Their value, by arithmetic.
    """
    if isinstance(inputs, ValuationInputs) and isinstance(found, Valuation):
        reason = _of_the_firm(inputs, found)
    elif found.value_per_share > 0:
        reason = None
    elif isinstance(inputs, ExcessReturnInputs):
        reason = (
            f"a return on equity of {inputs.return_on_equity[0]:.1%}, later {inputs.stable_return_on_equity:.1%}, "
            f"against a cost of {inputs.cost_of_equity[0]:.1%} takes more than the book equity. "
            f"Give return_on_equity=… or stable_return_on_equity=… of a usual year."
        )
    elif isinstance(inputs, FundsInputs):
        reason = "what is paid out of the funds from operations is worth nothing. Give payout=… or funds_t0=…."
    else:
        reason = "the dividends are worth nothing. Give dividend_t0=…, or choose another model."
    return None if reason is None else f"{NO_VALUE}: {reason}"


def why_withheld(base: str, overdue: str, period: date) -> str:
    """Return why figures that a newer report should have replaced give a share no value, and what to give.

    Args:
        base: The figures, such as `fiscal year to 2023-12-31, 14.4 months old`.
        overdue: Which report was due and is not known, as a clause.
        period: Last day of the figures.
    """
    return (
        f"{NO_VALUE}: they are of the {base}, and {overdue}. Choose a vendor that has it, or give "
        f"base_period={period} to value the company on these figures all the same."
    )


def _of_the_firm(inputs: ValuationInputs, found: Valuation) -> str | None:
    if inputs.stable_margin < 0:
        return f"an operating margin of {inputs.stable_margin:.1%} for ever is no normal one. {GIVE_MARGIN}."
    if found.value_per_share > 0:
        return None
    if found.pv_after_failure <= 0:
        return f"the operations take more than they bring. {_what_grows_at_a_loss(inputs)}{GIVE_MARGIN}."
    claims = inputs.debt + inputs.minority_interest + (inputs.net_debt or 0.0) + found.option_value
    holdings = found.pv_after_failure + inputs.cash + inputs.non_operating_assets
    return (
        f"the claims before the shares are {claims / holdings:.2f} times the operations and other assets, and a share "
        f"cannot be worth less than nothing. {GIVE_MARGIN}; or what else does not fit, such as debt=… or growth=…."
    )


def _what_grows_at_a_loss(inputs: ValuationInputs) -> str:
    """Say at which return on new capital the company grows for ever, where that is below its cost."""
    roic, cost = inputs.stable_roic, inputs.stable_wacc
    if roic is None or roic >= cost:
        return ""
    return f"New capital earns {roic:.1%} for ever and costs {cost:.1%}; stable_roic=… sets that. "
