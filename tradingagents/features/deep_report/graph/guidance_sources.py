"""The company's guidance as a source, with the ranges that a model reads where rules do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tradingagents.capabilities.guidance import guidance_readings
from tradingagents.context import RunContext
from tradingagents.features.deep_report.graph.found_source import FoundSource
from tradingagents.retrieval.guidance.claimed_range import ClaimedRange
from tradingagents.retrieval.guidance.ledger import guidance_ledger
from tradingagents.retrieval.guidance.model_ranges import UnreadPassage, unread_passages, with_claims
from tradingagents.retrieval.guidance.tables import guidance_table

LEDGER = "guidance"
"""The capability whose answer is the ledger."""
MOST_PASSAGES = 40
"""Sentences that a model is shown, of the latest documents."""


def ledger_address(ticker: str) -> str:
    """Return the address of the ledger of a company as a source."""
    return f"{LEDGER}:{ticker}"


def unread_guidance(context: RunContext, ticker: str) -> list[UnreadPassage]:
    """Return the sentences about coming periods that no rule reads, of the latest calls and releases."""
    return unread_passages(guidance_readings(context.data, ticker), MOST_PASSAGES)


def with_model_ranges(
    context: RunContext, ticker: str, source: FoundSource, claims: Sequence[ClaimedRange]
) -> FoundSource:
    """Return the ledger as a source, with the ranges of a model that hold to their words.

    Args:
        context: The run's context.
        ticker: The company.
        source: The ledger as rules read it.
        claims: What the model read in `unread_guidance`.
    """
    readings = guidance_readings(context.data, ticker)
    ledger = guidance_ledger(with_claims(readings, unread_passages(readings, MOST_PASSAGES), claims))
    table = guidance_table(ticker, ledger, as_of=context.data.as_of, fetched_at=context.data.asked_at)
    return replace(source, candidate=replace(source.candidate, text=table.to_markdown()), result=table)
