"""The falsifiers that a report leaves behind: made when its evidence is frozen, from what was known on the day."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from tradingagents.errors import DataError, VendorNotConfigured
from tradingagents.features.deep_report.capabilities.falsifiers import figure_history
from tradingagents.features.deep_report.evidence.falsifiers import CompanyRecord, falsifiers_of
from tradingagents.features.deep_report.graph.context import ThesisContext
from tradingagents.features.deep_report.schemas.falsifiers import FalsifierDraft
from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord
from tradingagents.schemas.evidence import EvidenceItem

DAYS = 400
"""Calendar days of closes that thresholds on a price or a multiple rest on."""


async def with_falsifiers(
    context: ThesisContext, hypotheses: Mapping[str, HypothesisRecord], items: Sequence[EvidenceItem]
) -> tuple[dict[str, HypothesisRecord], list[str]]:
    """Return the hypotheses with their falsifiers, and warnings: what was refused, or why there are none."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(context.executor, _made, context, hypotheses, items)


def _made(
    context: ThesisContext, hypotheses: Mapping[str, HypothesisRecord], items: Sequence[EvidenceItem]
) -> tuple[dict[str, HypothesisRecord], list[str]]:
    data = context.data
    try:
        history = figure_history(data, context.instrument.symbol, days=DAYS)
    except (DataError, VendorNotConfigured) as error:
        return dict(hypotheses), [f"No falsifiers were made: {error}"]
    record = CompanyRecord(history, data.cutoff.instant, history.versions[0].currency)
    warnings: list[str] = []
    made: dict[str, HypothesisRecord] = {}
    for key, one in hypotheses.items():
        own = [item for item in items if item.hypothesis == key]
        drafts = [FalsifierDraft.model_validate(draft) for draft in one.get("proposed", ())]
        found, refused = falsifiers_of(key, one["thesis"], own, record, proposed=drafts)
        warnings += refused
        made[key] = {**one, "falsifiers": [each.model_dump(mode="json") for each in found]}
    return made, warnings
