"""Confidence of the offline rules: how often such decisions were right on recorded weeks, not how strong they sound.

`calibration.json` holds the counts that `benchmarks/calibration.py` measured. Where a stronger view was not right more
often, every call is given the one rate that was observed; otherwise a rate that rises with strength.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from tradingagents.schemas.decision import WithStrength
from tradingagents.schemas.record import Record

TABLE = Path(__file__).with_name("calibration.json")
NO_SIDE = 0.5
"""Confidence of a HOLD: it takes no side, so there is nothing that it can be right in."""


class CalibrationTable(Record):
    """What was measured; counts and rates."""

    version: str
    """Of the library whose rules were measured."""
    sample: dict[str, Any]
    calls: int
    """Decisions to buy or to sell."""
    right: int
    """Of these, those that beat the benchmark on their side."""
    interval: list[float] | None
    """Where the hit rate lies with 95 % confidence: windows overlap, see `analytics.performance.intervals`."""
    actions: dict[str, dict[str, int]]
    bins: list[dict[str, Any]]
    """Calls of like strength, weakest first."""
    check: dict[str, Any]
    """The map of the first half of the weeks, held against the second half."""
    strength_orders: bool
    """Whether that map foresaw better than one rate for all."""
    map: list[list[float]]
    """Strength from which, and hit rate; empty where one rate holds for all."""


@lru_cache(maxsize=1)
def table() -> CalibrationTable:
    """Return what was measured."""
    return CalibrationTable.model_validate_json(TABLE.read_bytes())


def confidence(action: str, strong: float) -> float:
    """Return how often decisions like this were right, 0 to 1; one half for a HOLD."""
    if action not in ("BUY", "SELL"):
        return NO_SIDE
    found = table()
    rates = [rate for low, rate in found.map if strong >= low] or [found.right / found.calls]
    return round(rates[-1], 2)


def basis(action: str) -> str:
    """Say what a stated confidence rests on, in a sentence."""
    if action not in ("BUY", "SELL"):
        return "A HOLD takes no side: there is nothing that it could be right in."
    found, of = table(), table().sample
    where = f"recorded US large caps, {of['first'][:4]} to {of['last'][:4]}"
    sure = found.interval
    within = f", 95 % interval {100 * sure[0]:.0f} to {100 * sure[1]:.0f} %" if sure else ""
    order = (
        "a stronger view was right more often" if found.strength_orders else "a stronger view was not right more often"
    )
    return (
        f"{record_in_short()} Such calls were right in {found.right:,} of {found.calls:,} over {of['sessions']} "
        f"sessions{within} ({where}; {order})."
    )


def record_of_rules(decisions: Iterable[WithStrength | None]) -> str:
    """Return `record_in_short` where some of these decisions are of the rules; empty for language models."""
    ruled = any(decision is not None and decision.strength is not None for decision in decisions)
    return record_in_short() if ruled else ""


def record_in_short() -> str:
    """Say once, beside a list of decisions by rules, how often such calls were right and whether that is an edge."""
    found = table()
    share = found.right / found.calls
    low, high = found.interval or (0.0, 1.0)
    edge = "an edge" if low > NO_SIDE else "worse than chance" if high < NO_SIDE else "no edge"
    return f"Rules: right in {100 * share:.0f} %, {edge}."
