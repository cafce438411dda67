"""The equity risk premium that the level of an index implies, by discounting what it pays."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.valuation.inputs import InadmissibleInput, finite
from tradingagents.valuation.paths import HIGH_YEARS, fading_path

_ROUNDS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexPayout:
    """What an index pays and how that grows. Rates are fractions."""

    level: float
    payout: float
    """Dividends and buybacks of twelve months, in points of the index."""
    growth: float
    """Of the payout for five years; then it moves to the risk-free rate by year 10."""
    risk_free: float
    """Also the growth after year 10."""


def implied_return(given: IndexPayout) -> float:
    """Return the yearly return at which the payouts are worth the level of the index.

    >>> flat = IndexPayout(level=100, payout=4, growth=0.02, risk_free=0.02)
    >>> round(implied_return(flat), 9)  # Gordon: 4 x 1.02 / 100 + 0.02
    0.0608

    Raises:
        InadmissibleInput: A number cannot be, or no return below 100 % gives the level.
    """
    for name in ("level", "payout", "growth", "risk_free"):
        finite(name, getattr(given, name))
    for name in ("level", "payout"):
        if getattr(given, name) <= 0:
            raise InadmissibleInput(name, "must be greater than 0.")
    if not -0.5 < given.growth < 1 or not -0.1 < given.risk_free < 0.5:
        raise InadmissibleInput("growth", "and risk_free must be plausible rates, such as 0.05.")
    low, high = given.risk_free + 1e-9, 1.0
    if index_value(given, high) > given.level:
        raise InadmissibleInput("payout", "is too large for the level: the implied return is above 100 %.")
    for _ in range(_ROUNDS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        if index_value(given, middle) > given.level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def index_value(given: IndexPayout, rate: float) -> float:
    """Return what the payouts are worth at a rate of return."""
    worth, paid = 0.0, given.payout
    path = fading_path(given.growth, given.risk_free, 2 * HIGH_YEARS)
    for year, growth in enumerate(path, start=1):
        paid *= 1 + growth
        worth += paid / (1 + rate) ** year
    return worth + paid * (1 + given.risk_free) / (rate - given.risk_free) / (1 + rate) ** len(path)
