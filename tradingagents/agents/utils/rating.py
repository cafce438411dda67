"""The five-step rating of the public TradingAgents, as a view of a decision: `decision.rating`.

A rating is computed, never stored: the decision says more, and says it itself.
"""

from __future__ import annotations

from typing import Literal

Rating = Literal["Buy", "Overweight", "Hold", "Underweight", "Sell", "REVIEW"]
RATINGS_5_TIER: tuple[Rating, ...] = ("Buy", "Overweight", "Hold", "Underweight", "Sell")
"""From the most bullish to the most bearish."""
RATING_REVIEW: Rating = "REVIEW"
"""There is no decision to act on; a person looks at the run."""
FULL = 0.65
"""Conviction from which BUY is Buy and SELL is Sell; below, they are Overweight and Underweight."""


def rating_of(action: str, conviction: float) -> Rating:
    """Return the rating of a decision.

    Args:
        action: BUY, SELL, HOLD or NO_DECISION.
        conviction: 0 to 1; does not matter for HOLD and NO_DECISION.
    """
    match action:
        case "BUY":
            return "Buy" if conviction >= FULL else "Overweight"
        case "SELL":
            return "Sell" if conviction >= FULL else "Underweight"
        case "HOLD":
            return "Hold"
    return RATING_REVIEW


def is_review(rating: str) -> bool:
    """Return whether a rating is none of the five: nothing was decided."""
    return rating not in RATINGS_5_TIER
