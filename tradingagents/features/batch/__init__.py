"""Runs of many tickers for one day: batches, `auto` and the watch list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.features.batch.holdings import read_holdings
    from tradingagents.features.batch.run import Batch, BatchBusy, BatchWatcher, run_batch
    from tradingagents.features.batch.summary import BatchCandidate
    from tradingagents.features.batch.webhook import WebhookFailed, check_webhook, deliver

__all__ = [
    "Batch",
    "BatchBusy",
    "BatchCandidate",
    "BatchWatcher",
    "WebhookFailed",
    "check_webhook",
    "deliver",
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
        "WebhookFailed": "webhook",
        "check_webhook": "webhook",
        "deliver": "webhook",
        "read_holdings": "holdings",
        "run_batch": "run",
    },
)
