"""Cost estimates before a run: no model is called, and nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.graph.estimates.estimate import (
        AgentEstimate,
        EstimateRecord,
        PartEstimate,
        TotalEstimate,
        estimate_analyze,
        estimate_auto,
        estimate_run,
        estimate_scan,
    )

__all__ = [
    "AgentEstimate",
    "EstimateRecord",
    "PartEstimate",
    "TotalEstimate",
    "estimate_analyze",
    "estimate_auto",
    "estimate_run",
    "estimate_scan",
]

__getattr__ = lazy_names(
    __name__,
    {
        "AgentEstimate": "estimate",
        "EstimateRecord": "estimate",
        "PartEstimate": "estimate",
        "TotalEstimate": "estimate",
        "estimate_analyze": "estimate",
        "estimate_auto": "estimate",
        "estimate_run": "estimate",
        "estimate_scan": "estimate",
    },
)
