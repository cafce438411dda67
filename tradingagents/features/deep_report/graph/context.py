"""The context of a deep report: what its nodes work with."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from tradingagents.context import RunContext
from tradingagents.dataflows.instrument import Instrument
from tradingagents.features.deep_report.evidence import EvidenceStore
from tradingagents.features.deep_report.graph import judgement
from tradingagents.features.deep_report.graph.read_items import ReadItems

SIDE_BY_SIDE = 3
"""Hypotheses researched at once."""


@dataclass(frozen=True, kw_only=True)
class ThesisContext(RunContext):
    """The context of a deep report."""

    instrument: Instrument
    store: EvidenceStore | None = None
    """Where evidence is kept for later reports; None: nowhere."""
    min_iterations: int = judgement.MIN_ITERATIONS
    max_iterations: int = judgement.MAX_ITERATIONS
    ask: bool = False
    """Whether the run pauses after each iteration for the reader's hints."""
    items: ReadItems = field(default_factory=ReadItems)
    """The evidence that this process has read."""
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(SIDE_BY_SIDE))
