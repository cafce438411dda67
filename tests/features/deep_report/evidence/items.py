"""Items of evidence for the tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tradingagents.schemas.evidence import EvidenceItem, EvidenceSource, SourceKind

KNOWN = datetime(2025, 2, 1, 21, 0, tzinfo=UTC)


def item(
    claim: str = "Gross margin rose to 44.1 %",
    *,
    kind: SourceKind = "filing",
    address: str = "F1#p31",
    known_at: datetime = KNOWN,
    **changes: Any,
) -> EvidenceItem:
    source = EvidenceSource(kind=kind, title="10-K 2024", address=address, place="page 31", known_at=known_at)
    given = {
        "hypothesis": "H1",
        "claim": claim,
        "quote": "gross margin was 44.1 % of net sales",
        "source": source,
        "confidence": 0.8,
        "direction": "supports",
        "iteration": 1,
        **changes,
    }
    return EvidenceItem(**given)
