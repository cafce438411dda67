"""A line item over several fiscal years or quarters, from filings and vendors, each figure with its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.retrieval.series.table import SeriesTable, series_table

if TYPE_CHECKING:
    from tradingagents.retrieval.series.functions import SeriesFunction

SOURCES = ("get_reported_facts", "get_income_statement", "get_balance_sheet", "get_cashflow", "get_stock_data")
"""Questions to vendors that a series may put."""


@capability(
    title="Series of a line item",
    returns=SeriesTable,
    requires=(),
    uses=SOURCES,
    example={"item": "revenue", "span": "last 3 years"},
    quotes_documents=True,
)
def series(
    data: MarketData,
    ticker: str,
    item: str,
    span: str = "last 5 years",
    version: Literal["first", "latest"] = "latest",
    function: Literal["none", "growth", "cagr", "average", "sum", "highest", "lowest"] = "none",
) -> SeriesTable:
    """Give a line item of a company over fiscal years or quarters, each figure with its filing, and what is missing.

    Args:
        ticker: Ticker, for example AAPL.
        item: Line item such as revenue, eps_diluted, free_cash_flow or total_assets, or a tag such as us-gaap:Goodwill.
        span: FY2024, Q3 FY2024, a list with commas, 2019..2024, since 2019, last 5 years or last 8 quarters.
        version: first: as first reported; latest: as the newest filing known by the day states it.
        function: What to compute over the span: growth, cagr, average, sum, highest or lowest; none: nothing.
    """
    from tradingagents.retrieval.series import Span
    from tradingagents.retrieval.series.filed import filed_series
    from tradingagents.retrieval.series.functions import over_series
    from tradingagents.retrieval.series.sources import MarketFacts
    from tradingagents.retrieval.store import shared_store

    facts = MarketFacts(data)
    with shared_store(data.settings, data.memo) as store:
        found = filed_series(
            store, normalise(ticker), item, Span.read(span), data.cutoff.instant, version, market=facts
        )
    wanted: SeriesFunction | None = None if function == "none" else function
    figure = None if wanted is None else over_series(found, wanted)
    problems = tuple(facts.problems) if found.missing else ()
    return series_table(found, figure, as_of=data.as_of, fetched_at=data.asked_at, notes=problems)
