"""What a company guided to in its calls and releases, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.series import SOURCES
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.guidance.tables import GuidanceRecord, GuidanceTable

if TYPE_CHECKING:
    from tradingagents.retrieval.guidance.ledger import GuidanceLedger
    from tradingagents.retrieval.guidance.statements import GuidanceReading

MOST_DOCUMENTS = 40
"""Calls and releases that are read, the newest: five years of both."""


@capability(title="Guidance", returns=GuidanceTable, requires=(), example={"item": "revenue"}, quotes_documents=True)
def guidance(data: MarketData, ticker: str, item: str = "") -> GuidanceTable:
    """List what a company guided to for coming periods in its stored calls and releases, with revisions in order.

    Args:
        ticker: Ticker, for example AAPL.
        item: Item such as revenue, eps, gross_margin, tax_rate or capex; empty: all.
    """
    from tradingagents.retrieval.guidance.tables import guidance_table

    symbol = normalise(ticker)
    return guidance_table(symbol, _ledger(data, symbol, item), as_of=data.as_of, fetched_at=data.asked_at)


def guidance_readings(data: MarketData, symbol: str) -> tuple[GuidanceReading, ...]:
    """Return what the latest calls and releases of a company say that were known by the day, each read once."""
    from tradingagents.retrieval.guidance.ledger import may_guide
    from tradingagents.retrieval.guidance.statements import GUIDANCE_VERSION, READER, decode_reading, encode_reading
    from tradingagents.retrieval.models import Scope
    from tradingagents.retrieval.store import shared_store

    with shared_store(data.settings, data.memo) as store:
        known = store.documents(Scope(as_of=data.cutoff.instant, symbols=(symbol,)))
        keys = [info.key for info in known if may_guide(info)][:MOST_DOCUMENTS]
        return tuple(map(decode_reading, store.readings(keys, READER, GUIDANCE_VERSION, encode_reading)))


@capability(
    title="Guidance against results",
    returns=GuidanceRecord,
    requires=(),
    uses=SOURCES,
    example={"item": "revenue"},
    quotes_documents=True,
)
def guidance_record(data: MarketData, ticker: str, item: str = "") -> GuidanceRecord:
    """Compare what a company reported with what it last guided to: beat or miss against low, middle and high.

    Args:
        ticker: Ticker, for example AAPL.
        item: Item such as revenue, eps, gross_margin, tax_rate or capex; empty: all.
    """
    from functools import cache

    from tradingagents.retrieval.guidance.outcomes import outcome_of_line
    from tradingagents.retrieval.guidance.tables import guidance_record as record_of
    from tradingagents.retrieval.series import Series, Span
    from tradingagents.retrieval.series.filed import filed_series
    from tradingagents.retrieval.series.sources import MarketFacts
    from tradingagents.retrieval.store import shared_store

    symbol = normalise(ticker)
    ledger, facts = _ledger(data, symbol, item), MarketFacts(data)
    with shared_store(data.settings, data.memo) as store:

        @cache
        def reported(name: str, span: Span) -> Series:
            return filed_series(store, symbol, name, span, data.cutoff.instant, "first", market=facts)

        outcomes = [outcome_of_line(line, reported) for line in ledger.lines()]
    return record_of(symbol, outcomes, ledger.documents, as_of=data.as_of, fetched_at=data.asked_at)


def holds_guidance(data: MarketData, symbol: str) -> bool:
    """Tell whether the store holds a call or release of a company that was known by the day."""
    if not store_exists(data.settings, data.memo):
        return False
    from tradingagents.retrieval.guidance.ledger import may_guide
    from tradingagents.retrieval.models import Scope
    from tradingagents.retrieval.store import shared_store

    with shared_store(data.settings, data.memo) as store:
        return any(map(may_guide, store.documents(Scope(as_of=data.cutoff.instant, symbols=(symbol,)))))


def _ledger(data: MarketData, symbol: str, item: str) -> GuidanceLedger:
    """Return what the calls and releases say that were known by the day.

    Raises:
        UsageError: The item is none of the table, and no document names it in its own words.
    """
    from tradingagents.retrieval.guidance.guided_items import guided_items
    from tradingagents.retrieval.guidance.ledger import guidance_ledger

    wanted = item.strip().lower().replace(" ", "_").replace("-", "_")
    ledger = guidance_ledger(guidance_readings(data, symbol), wanted)
    if wanted and wanted not in guided_items() and not ledger.entries:
        raise UsageError(f"There is no guided item {item[:60]!r}; name one of {', '.join(sorted(guided_items()))}.")
    return ledger
