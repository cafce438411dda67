"""A schema with what typed answers can hold: choices, bounds, optional fields, nested objects."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class Fact(BaseModel):
    claim: str = Field(min_length=1)
    source: str


class Opinion(BaseModel):
    """An opinion on a stock."""

    action: Literal["BUY", "SELL", "HOLD"] = Field(description="What to do")
    confidence: float = Field(ge=0, le=1)
    rationale: str = Field(min_length=5)
    entry: float | None = Field(None, gt=0)
    horizon_days: int | None = None
    dissent: str | None = None
    facts: list[Fact] = Field(default_factory=list)
    urgency: Literal["high", "low"] = "low"


GOOD: dict[str, Any] = {"action": "BUY", "confidence": 0.7, "rationale": "Sales grew by 12 %."}
