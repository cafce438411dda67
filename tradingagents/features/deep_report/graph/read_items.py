"""Evidence of a run as typed items: each record of the state is validated once, each set compared once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tradingagents.features.deep_report.evidence import Contradiction, contradictions
from tradingagents.schemas.evidence import EvidenceItem

_FIELDS = frozenset(EvidenceItem.model_fields)
_SETS = 16
"""Sets of items whose contradictions are remembered: those of each hypothesis, and all."""


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
        return [self._item(one) for one in records]

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
