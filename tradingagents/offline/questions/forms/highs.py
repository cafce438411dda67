"""`How much does it have to rise to be at its high again?`: what such a question asks, and what it does not claim."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from tradingagents.retrieval.questions.aspects import AskedAspects


def regained(asked: AskedAspects, demands: Collection[str]) -> AskedAspects:
    """Return how far a price has to rise to be at its high again: by what it stands below it, and no claim it rose."""
    if "regain" not in demands:
        return asked
    claims = tuple(claim for claim in asked.claims if claim not in ("fell", "rose"))
    of_high = asked.has("high", "peak") and set(asked.aspects) <= {"high", "peak", "price"}
    return replace(asked, claims=claims, aspects=("peak",) if of_high else asked.aspects)
