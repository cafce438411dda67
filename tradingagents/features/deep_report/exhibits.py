"""What the charts of a deep report draw, gathered through capabilities: prices, events, years, growth, multiples.

Nothing here decides anything: a source that does not answer leaves its chart out, and the report says why.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

from tradingagents.analytics.company.filings import FilingList
from tradingagents.analytics.company.statements import StatementTable
from tradingagents.analytics.company.ttm import ttm
from tradingagents.analytics.price.chart_data import ChartData
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import ask_in_run
from tradingagents.context import RunContext
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError
from tradingagents.features.deep_report.graph.company_years import company_years
from tradingagents.features.deep_report.schemas.thesis import (
    ChartedEvent,
    ChartedPrices,
    ExhibitRecord,
    GrowthRecord,
    PassageRecord,
    PeerRangeRecord,
)
from tradingagents.features.valuation_report.company_valuation import peer_ranges
from tradingagents.files.plain_text import clean, one_line
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.models import Scope
from tradingagents.valuation.company.results import RelativeValuation

if TYPE_CHECKING:
    from tradingagents.retrieval.store import DocumentStore

AROUND = 240
"""Characters of a page that are shown on either side of a quotation."""
LEAST_PEERS = 3
"""Peers without which their multiples make no range of values."""
CHARTED = timedelta(days=365)
FORMS = "10-K,10-Q,20-F,40-F"
"""Filings that are marked on the price chart: others are too many to be read there."""
PEERS = 5
LEAST_COMPARED = 2
"""Companies of a comparison: the own one and a peer."""
AGENT = "exhibits"

Answer = TypeVar("Answer", bound=Result)


async def gather_exhibits(context: RunContext, symbol: str, evidence: Iterable[Mapping[str, Any]]) -> ExhibitRecord:
    """Return what the charts of a report draw; what cannot be had is named under `missing`.

    Args:
        context: The run's context; what is asked stands on its data sheet.
        symbol: The company.
        evidence: Items of evidence, whose documents' addresses are looked up.
    """
    missing: dict[str, str] = {}
    asked = _Asked(context, missing)
    day = context.data.as_of
    chart, filings, relative = await asyncio.gather(
        asked.one("prices", ChartData, "open_chart", symbols=symbol, start_date=day - CHARTED, indicators=""),
        asked.one(
            "filings", FilingList, "get_filings", ticker=symbol, start_date=day - CHARTED, end_date=day, forms=FORMS
        ),
        asked.one("ranges", RelativeValuation, "relative_valuation", ticker=symbol),
    )
    loop = asyncio.get_running_loop()
    growth, source = await loop.run_in_executor(context.executor, _growth, context, symbol, missing)
    documents, stored, passages = await loop.run_in_executor(
        context.executor, _documents, context, symbol, list(evidence)
    )
    if stored:
        missing.pop("filings", None)
    annual = functools.partial(asked.one, "years", StatementTable, "get_income_statement", ticker=symbol, freq="annual")
    margins, source_of_years = await company_years(context, symbol, annual)
    if margins:
        missing.pop("years", None)
    if relative is not None and not peer_ranges(relative, least=LEAST_PEERS):
        missing.setdefault("ranges", f"fewer than {LEAST_PEERS} peers have multiples, which makes no range")
    return ExhibitRecord(
        prices=_prices(chart),
        events=_events(chart, filings, stored),
        years=margins,
        years_source=source_of_years,
        growth=growth,
        growth_source=source,
        ranges=[
            PeerRangeRecord(label=one.label, low=one.low, middle=one.middle, high=one.high, note=one.note)
            for one in peer_ranges(relative, least=LEAST_PEERS)
        ],
        missing=missing,
        documents=documents,
        passages=passages,
    )


class _Asked:
    """Asks capabilities; notes why one has no answer."""

    def __init__(self, context: RunContext, missing: dict[str, str]) -> None:
        self._context, self._missing = context, missing

    async def one(self, chart: str, kind: type[Answer], name: str, /, **arguments: Any) -> Answer | None:
        """Return the answer of a capability; None where it has none."""
        capability = registry()[name]
        if not capability.is_available(self._context.data):
            self._missing[chart] = "no source for it is configured"
            return None
        try:
            found = await ask_in_run(self._context, capability, arguments, agent=AGENT)
        except TradingAgentsError as error:
            self._missing[chart] = one_line(str(error))
            return None
        return found if isinstance(found, kind) else None


def _growth(context: RunContext, symbol: str, missing: dict[str, str]) -> tuple[list[GrowthRecord], str]:
    """Return the growth of the company and of its peers that report one, and where it comes from."""
    data = context.data
    try:
        sector = data.instrument(symbol).sector
        peers: Sequence[str] = data.peers(symbol, sector) if sector else ()
    except TradingAgentsError as error:
        missing["growth"] = one_line(str(error))
        return [], ""
    rows: list[GrowthRecord] = []
    named: dict[str, None] = {}
    for name in [symbol, *[one for one in peers if one != symbol][:PEERS]]:
        try:
            statements = data.statements(name, "income")
        except TradingAgentsError:
            continue
        found = ttm(statements, (), (), as_of=data.as_of) if statements else None
        if found is not None and found.revenue_yoy is not None and found.quarters:
            growth = round(found.revenue_yoy / 100, 6)
            rows.append(GrowthRecord(symbol=name, growth=growth, end=found.quarters[0].end.isoformat()))
            named |= dict.fromkeys(found.source.split(", "))
    if len(rows) < LEAST_COMPARED or rows[0]["symbol"] != symbol:
        missing["growth"] = "the growth of the company, or of any peer, is not known"
        return [], ""
    return rows, f"quarterly income statements, {', '.join(named)}"


def _prices(chart: ChartData | None) -> ChartedPrices | None:
    if chart is None or not chart.days:
        return None
    return ChartedPrices(
        days=[day.isoformat() for day in chart.days],
        closes=[None if value is None else round(value, 4) for value in chart.closes],
        currency=chart.unit,
        source=chart.source,
    )


def _events(chart: ChartData | None, filings: FilingList | None, stored: Sequence[ChartedEvent]) -> list[ChartedEvent]:
    if chart is None:
        return []
    own = [
        ChartedEvent(day=one.day.isoformat(), kind=one.kind, text=one_line(one.text)[:120])
        for one in chart.events
        if one.kind in ("earnings", "dividend", "split")
    ]
    filed = [
        ChartedEvent(day=one.accepted_at.date().isoformat(), kind="filing", text=one_line(f"{one.form} filed")[:120])
        for one in (filings.filings if filings is not None else ())
    ]
    days = {one["day"] for one in filed}
    return sorted(
        [*own, *filed, *(one for one in stored if one["day"] not in days)], key=lambda one: (one["day"], one["kind"])
    )


def _documents(
    context: RunContext, symbol: str, evidence: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, str], list[ChartedEvent], list[PassageRecord]]:
    """Return the addresses of stored documents that evidence cites, the stored filings of the year, and passages."""
    if not store_exists(context.data.settings, context.data.memo):
        return {}, [], []
    from tradingagents.retrieval.store import shared_store

    worded = [one for one in evidence if one["source"]["kind"] in ("filing", "call")]
    wanted = {document_key(one["source"]["address"]) for one in worded}
    with shared_store(context.data.settings, context.data.memo) as store:
        infos = store.documents(Scope(as_of=context.data.cutoff.instant, symbols=(symbol,)))
        closed = {one.key for one in infos if one.key in wanted and not one.url}
        found = (_passage(store, one) for one in worded if document_key(one["source"]["address"]) in closed)
        passages = [one for one in found if one is not None]
    first = (context.data.as_of - CHARTED).isoformat()
    filed = [
        ChartedEvent(day=one.known_at.date().isoformat(), kind="filing", text=one_line(f"{one.form} known")[:120])
        for one in infos
        if one.form in FORMS.split(",") and one.known_at.date().isoformat() >= first
    ]
    return {one.key: one.url for one in infos if one.key in wanted and one.url}, filed, passages


def _passage(store: DocumentStore, item: Mapping[str, Any]) -> PassageRecord | None:
    """Return the words around a quotation of a stored document; None where its address names no characters."""
    key, _, place = str(item["source"]["address"]).partition("#")
    page, _, span = place.partition(":")
    begin, _, end = span.partition("-")
    if not (page.isdigit() and begin.isdigit() and end.isdigit()):
        return None
    text = clean(store.page(key, int(page) - 1)[0])
    first, last = int(begin), int(end)
    before = text[max(0, first - AROUND) : first].partition(" ")[2] if first > AROUND else text[:first]
    return PassageRecord(
        item=item["id"],
        before=one_line(before),
        quote=one_line(text[first:last]),
        after=one_line(text[last : last + AROUND].rpartition(" ")[0]),
    )


def document_key(address: str) -> str:
    """Return the key of the stored document that an item's address names."""
    return address.partition("#")[0]
