"""Whether a decision can rest on a symbol's prices, and whether levels and a size can: reasons, or None for yes.

Missing risk is never low risk: without the volatility of 20 sessions there is no entry, stop, target or size, whoever
decides.
"""

from __future__ import annotations

from datetime import date

from tradingagents.analytics.least_history import LEAST_HISTORY
from tradingagents.analytics.price.returns import annualised_volatility
from tradingagents.dataflows.gateway.checks.price_days import trading_calendar
from tradingagents.dataflows.gateway.checks.traded_bars import why_not_tradable
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.data_faults import FaultKind, reference

VOLATILITY_BARS = LEAST_HISTORY["volatility_20d"]
"""Bars of the volatility that stop and size are set by."""


def no_trade(prices: Prices, session: date) -> str | None:
    """Return why no decision can rest on prices: too few are sound, or the newest are old; None if one can.

    Args:
        prices: Bars known at the cut-off, at least one.
        session: The last session that had closed.
    """
    found = prices.withheld
    if found is not None and len(prices) < VOLATILITY_BARS:
        return (
            f"The prices of {prices.symbol} are sound since {found.sound_from} only, {len(prices)} sessions, and a "
            f"decision needs {VOLATILITY_BARS}: {found.text}. Correct the prices, or name another vendor or a later "
            f"day ({reference(found.kind)})."
        )
    return why_not_tradable(prices, session, trading_calendar(prices.symbol))


def no_size(prices: Prices) -> str | None:
    """Return why the volatility of the last 20 sessions is not known, so that no level and no size can be set by it."""
    count = len(prices)
    if count < VOLATILITY_BARS:
        return (
            f"the volatility of 20 sessions needs {VOLATILITY_BARS} sessions of prices, and {prices.symbol} has "
            f"{count} ({reference('short-history')})."
        )
    if prices.spans_gap(VOLATILITY_BARS):
        count = prices.gaps_within(VOLATILITY_BARS)
        first = prices.days[-VOLATILITY_BARS].item()
        kind: FaultKind = "no-trade" if prices.untraded and prices.untraded[-1] > first else "missing-days"
        return (
            f"{count} session{'s' if count > 1 else ''} since {first} had no trade or no sound bar, "
            f"so that the volatility of the last 20 is not known ({reference(kind)})."
        )
    if not annualised_volatility(prices):
        return f"the close of {prices.symbol} did not move in 20 sessions, which measures no risk."
    return None
