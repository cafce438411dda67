"""The five-step rating of the public TradingAgents, as a view of a decision: `decision.rating`."""

from __future__ import annotations

from tradingagents.schemas.decision import FULL, RATING_REVIEW, RATINGS_5_TIER, Rating, is_review, rating_of

__all__ = ["FULL", "RATINGS_5_TIER", "RATING_REVIEW", "Rating", "is_review", "rating_of"]
