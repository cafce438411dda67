"""The context of a deep report: what its nodes work with, and the evidence that it has read as typed items."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tradingagents.context import RunContext
from tradingagents.dataflows.instrument import Instrument
from tradingagents.features.deep_report.evidence import EvidenceStore, contradictions
from tradingagents.features.deep_report.graph import judgement
from tradingagents.features.deep_report.schemas.thesis import Contradiction
from tradingagents.retrieval.guidance.claimed_range import ClaimedRange
from tradingagents.schemas.evidence import EvidenceItem

_FIELDS = frozenset(EvidenceItem.model_fields)
_SETS = 16
"""Sets of items whose contradictions are remembered: those of each hypothesis, and all."""


SIDE_BY_SIDE = 3
"""Hypotheses researched at once."""


class ReadItems:
    """The items that a run has read. Of one run, on its event loop.

    Records of the state are never changed, only replaced, so that a record is known by its identity.
    """

    def __init__(self) -> None:
        """Start with none."""
        self._read: dict[int, tuple[Mapping[str, Any], EvidenceItem]] = {}
        self._found: OrderedDict[frozenset[int], list[Contradiction]] = OrderedDict()

    def items(self, records: Iterable[Mapping[str, Any]]) -> list[EvidenceItem]:
        """Return items of evidence from their JSON, in the order given."""
        return [self._item(record) for record in records]

    def contradictions(self, items: Sequence[EvidenceItem]) -> list[Contradiction]:
        """Return the contradictions among items that `items` returned."""
        key = frozenset(map(id, items))
        if key not in self._found:
            self._found[key] = contradictions(items)
            if len(self._found) > _SETS:
                self._found.popitem(last=False)
        self._found.move_to_end(key)
        return self._found[key]

    def _item(self, record: Mapping[str, Any]) -> EvidenceItem:
        known = self._read.get(id(record))
        if known is None:
            item = EvidenceItem.model_validate({key: value for key, value in record.items() if key in _FIELDS})
            # The record is held with its item: else another could have its identity.
            known = self._read[id(record)] = record, item
        return known[1]


class GuidanceReadOnce:
    """The answer of a model about the sentences on guidance that no rule reads: asked for once in a run."""

    def __init__(self) -> None:
        """Start without one."""
        self.lock = asyncio.Lock()
        self.ranges: tuple[ClaimedRange, ...] | None = None


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
    guidance: GuidanceReadOnce = field(default_factory=GuidanceReadOnce)
    """What a model read of the company's guidance in this process."""
    places: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(SIDE_BY_SIDE))
