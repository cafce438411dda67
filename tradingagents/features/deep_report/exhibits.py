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
from tradingagents.features.deep_report.schemas.thesis import (
    ChartedEvent,
    ChartedPrices,
    ExhibitRecord,
    GrowthRecord,
    PassageRecord,
)
from tradingagents.features.valuation_report.company_valuation import peer_ranges
from tradingagents.files.plain_text import clean, one_line
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.models import Scope
from tradingagents.valuation.company.results import RelativeValuation

if TYPE_CHECKING:
    from tradingagents.retrieval.store import DocumentStore
from collections.abc import Awaitable, Callable

from tradingagents.analytics.company.business import without_doubtful_gross_profit
from tradingagents.analytics.company.statements import as_labelled, consecutive, sources
from tradingagents.dataflows.models import Statement
from tradingagents.features.deep_report.schemas.thesis import FiscalYearRecord

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


MOST_YEARS = 8
ENOUGH_YEARS = 3
"""Years of summed quarters from which on the annual statements are not asked for."""


async def gather_exhibits(context: RunContext, symbol: str, evidence: Iterable[Mapping[str, Any]]) -> ExhibitRecord:
    """Return what the charts of a report draw; what cannot be had is named under `missing`.

    Args:
        context: The run's context; what is asked stands on its data sheet.
        symbol: The company.
        evidence: Items of evidence, whose documents' addresses are looked up.
    """
    missing: dict[str, str] = {}
    questions = _Questions(context, missing)
    day = context.data.as_of
    chart, filings, relative = await asyncio.gather(
        questions.answer("prices", ChartData, "open_chart", symbols=symbol, start_date=day - CHARTED, indicators=""),
        questions.answer(
            "filings", FilingList, "get_filings", ticker=symbol, start_date=day - CHARTED, end_date=day, forms=FORMS
        ),
        questions.answer("ranges", RelativeValuation, "relative_valuation", ticker=symbol),
    )
    loop = asyncio.get_running_loop()
    growth, source = await loop.run_in_executor(context.executor, _growth, context, symbol, missing)
    documents, stored, passages = await loop.run_in_executor(
        context.executor, _documents, context, symbol, list(evidence)
    )
    if stored:
        missing.pop("filings", None)
    annual = functools.partial(
        questions.answer, "years", StatementTable, "get_income_statement", ticker=symbol, freq="annual"
    )
    margins, source_of_years = await company_years(context, symbol, annual)
    if margins:
        missing.pop("years", None)
    ranges = list(peer_ranges(relative, least=LEAST_PEERS))
    if relative is not None and not ranges:
        missing.setdefault("ranges", f"fewer than {LEAST_PEERS} peers have multiples, which makes no range")
    return ExhibitRecord(
        prices=_prices(chart),
        events=_events(chart, filings, stored),
        years=margins,
        years_source=source_of_years,
        growth=growth,
        growth_source=source,
        ranges=ranges,
        missing=missing,
        documents=documents,
        passages=passages,
    )


class _Questions:
    """Asks capabilities; notes why one has no answer."""

    def __init__(self, context: RunContext, missing: dict[str, str]) -> None:
        self._context, self._missing = context, missing

    async def answer(self, chart: str, kind: type[Answer], name: str, /, **arguments: Any) -> Answer | None:
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
    for name in [symbol, *[peer for peer in peers if peer != symbol][:PEERS]]:
        try:
            statements = data.statements(name, "income")
        except TradingAgentsError:
            continue
        found = ttm(statements, (), (), as_of=data.as_of) if statements else None
        if found is not None and found.revenue_yoy is not None and found.quarters:
            growth = round(found.revenue_yoy / 100, 6)
            rows.append(GrowthRecord(symbol=name, growth=growth, end=found.quarters[0].end.isoformat()))
            named |= dict.fromkeys(found.source.split(", "))
    if len(rows) < LEAST_COMPARED or rows[0].symbol != symbol:
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
        ChartedEvent(day=event.day.isoformat(), kind=event.kind, text=one_line(event.text)[:120])
        for event in chart.events
        if event.kind in ("earnings", "dividend", "split")
    ]
    filed = [
        ChartedEvent(
            day=filing.accepted_at.date().isoformat(), kind="filing", text=one_line(f"{filing.form} filed")[:120]
        )
        for filing in (filings.filings if filings is not None else ())
    ]
    days = {event.day for event in filed}
    return sorted(
        [*own, *filed, *(event for event in stored if event.day not in days)], key=lambda event: (event.day, event.kind)
    )


def _documents(
    context: RunContext, symbol: str, evidence: Sequence[Mapping[str, Any]]
) -> tuple[dict[str, str], list[ChartedEvent], list[PassageRecord]]:
    """Return the addresses of stored documents that evidence cites, the stored filings of the year, and passages."""
    if not store_exists(context.data.settings, context.data.memo):
        return {}, [], []
    from tradingagents.retrieval.store import shared_store

    worded = [item for item in evidence if item["source"]["kind"] in ("filing", "call")]
    wanted = {document_key(item["source"]["address"]) for item in worded}
    with shared_store(context.data.settings, context.data.memo) as store:
        infos = store.documents(Scope(as_of=context.data.cutoff.instant, symbols=(symbol,)))
        closed = {info.key for info in infos if info.key in wanted and not info.url}
        found = (_passage(store, item) for item in worded if document_key(item["source"]["address"]) in closed)
        passages = [passage for passage in found if passage is not None]
    first = (context.data.as_of - CHARTED).isoformat()
    filed = [
        ChartedEvent(day=info.known_at.date().isoformat(), kind="filing", text=one_line(f"{info.form} known")[:120])
        for info in infos
        if info.form in FORMS.split(",") and info.known_at.date().isoformat() >= first
    ]
    return {info.key: info.url for info in infos if info.key in wanted and info.url}, filed, passages


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


async def company_years(
    context: RunContext, symbol: str, annual: Callable[[], Awaitable[object]]
) -> tuple[list[FiscalYearRecord], str]:
    """Return the company's years, oldest first, and their source; both empty where nothing makes a year.

    Args:
        context: The run's context.
        symbol: The company.
        annual: Asks for the annual income statements, which is done only where the quarters make few years.
    """
    loop = asyncio.get_running_loop()
    summed, source = await loop.run_in_executor(context.executor, _twelve_months, context, symbol)
    if len(summed) >= ENOUGH_YEARS:
        return summed, source
    years, source_of_years = _fiscal_years(await annual())
    return (years, source_of_years) if len(years) > len(summed) else (summed, source)


def _twelve_months(context: RunContext, symbol: str) -> tuple[list[FiscalYearRecord], str]:
    """Return twelve months to the newest quarter and to that quarter of the years before, oldest first.

    Returns:
        The years and their source; both empty where the quarterly statements do not make a year.
    """
    try:
        quarters = consecutive(as_labelled(context.data.statements(symbol, "income")))
    except TradingAgentsError:
        return [], ""
    quarters, _ = without_doubtful_gross_profit(quarters, context.data.known_profile(symbol))
    found = []
    for first in range(0, min(len(quarters), 4 * MOST_YEARS), 4):
        year = quarters[first : first + 4]
        if len(year) == 4:
            found.append(_year_of(year))
    return found[::-1], f"sums of four quarterly income statements, {sources(quarters)}" if found else ""


def _fiscal_years(table: object) -> tuple[list[FiscalYearRecord], str]:
    """Return the years of annual income statements, oldest first, and their source; both empty without a table."""
    if not isinstance(table, StatementTable):
        return [], ""

    def share(part: str, at: int) -> float | None:
        revenue, amount = _item(table, "revenue", at), _item(table, part, at)
        return None if revenue is None or amount is None or revenue <= 0 else round(amount / revenue, 6)

    years = [
        FiscalYearRecord(
            end=end.isoformat(),
            revenue=_item(table, "revenue", at),
            currency=table.currency or "",
            gross_margin=share("gross_profit", at),
            operating_margin=share("operating_income", at),
            net_margin=share("net_income", at),
        )
        for at, end in reversed(list(enumerate(table.periods)))
    ]
    return years, f"annual income statements, {table.source}" if years else ""


def _year_of(quarters: Sequence[Statement]) -> FiscalYearRecord:
    def total(name: str) -> float | None:
        values = [quarter.items.get(name) for quarter in quarters]
        return None if any(value is None for value in values) else sum(value for value in values if value is not None)

    revenue = total("revenue")

    def share(name: str) -> float | None:
        amount = total(name)
        return None if amount is None or revenue is None or revenue <= 0 else round(amount / revenue, 6)

    return FiscalYearRecord(
        end=quarters[0].period_end.isoformat(),
        revenue=revenue,
        currency=quarters[0].currency or "",
        gross_margin=share("gross_profit"),
        operating_margin=share("operating_income"),
        net_margin=share("net_income"),
    )


def _item(table: StatementTable, name: str, at: int) -> float | None:
    values = table.items.get(name)
    return None if values is None else values[at]
