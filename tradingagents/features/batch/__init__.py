"""Runs of many tickers for one day: batches, `auto` and the watch list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.features.batch.holdings import read_holdings
    from tradingagents.features.batch.run import Batch, BatchBusy, BatchWatcher, run_batch
    from tradingagents.features.batch.summary import BatchCandidate

__all__ = [
    "Batch",
    "BatchBusy",
    "BatchCandidate",
    "BatchWatcher",
    "read_holdings",
    "run_batch",
]

__getattr__ = lazy_names(
    __name__,
    {
        "Batch": "run",
        "BatchBusy": "run",
        "BatchCandidate": "summary",
        "BatchWatcher": "run",
        "read_holdings": "holdings",
        "run_batch": "run",
    },
)
