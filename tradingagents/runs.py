"""Start a run, watch it, record it: the one path that the command line, Python and later the server take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import aclosing, contextmanager
from datetime import UTC, date, datetime
from functools import partial
from typing import Any, TypeVar

from tradingagents.agents.prompting import desk_preamble, scan_preamble
from tradingagents.capabilities.scanner import get_market_indices, get_market_movers, get_sector_performance
from tradingagents.context import RunContext, TradingContext
from tradingagents.dataflows.calendar import exchange_of, sessions
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.rows import Prices
from tradingagents.dataflows.sectors import SECTORS
from tradingagents.dataflows.symbols import normalise
from tradingagents.errors import BadDate, DataError, NoData, NotForPastDate, TradingAgentsError
from tradingagents.events import EventStream, Subscriber
from tradingagents.garbage import rarer_collections
from tradingagents.graph.desk import Desk
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.pool import as_they_end
from tradingagents.recording.scan_run import ScanRecorder, ScanRun
from tradingagents.recording.trading_run import Run, TradingRecorder
from tradingagents.settings import Tier
from tradingagents.store.run_folder import RunFolder, new_run_id

__all__ = ["Run", "ScanRun", "analyze", "analyze_many", "last_session", "parse_day", "scan"]

T = TypeVar("T")
TIERS: tuple[Tier, ...] = ("quick", "mid", "deep")
MARKET = "^GSPC"
"""What stands for the market a scan looks at: its exchange is the scan's calendar."""


def parse_day(day: str | date) -> date:
    """Read a trade date.

    Raises:
        BadDate: It is not YYYY-MM-DD.
    """
    if isinstance(day, datetime):
        return day.date()
    if isinstance(day, date):
        return day
    try:
        return date.fromisoformat(day.strip())
    except ValueError:
        raise BadDate(f"{day[:40]!r} is not a date; write it as YYYY-MM-DD, for example 2025-03-14.") from None


def last_session(symbol: str) -> date:
    """Return the last session that has closed on a symbol's exchange: the day of a run that names none."""
    return sessions(exchange_of(symbol)).last_closed(datetime.now(UTC))


async def analyze(
    desk: Desk,
    ticker: str,
    trade_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    brief: str = "",
) -> Run:
    """Run the trading graph for one ticker and day, and leave its record on disk.

    Args:
        desk: What the runs of a graph share.
        ticker: Any spelling of the symbol.
        trade_date: The day the run pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this run is part of: its limits hold instead of the run's own.
        brief: What a market scan hands over, as Markdown; empty for none.

    Returns:
        The run; its decision may be NO_DECISION.

    Raises:
        UsageError: The symbol or date is wrong; nothing was written.
        DataError: There are no prices; nothing was written.
        HomeNotWritable: The run folder cannot be made.
        ModelFailure: No model answered; the record says how far it came.
        BudgetReached: The budget is used up; the record holds what there is.
    """
    began, started_at = time.perf_counter(), datetime.now(UTC)
    symbol = normalise(ticker)
    data = _market(desk, symbol, trade_date)
    prices = await _waiting(desk, data, lambda: _look_up(data, symbol))
    instrument, last_close = data.instrument(symbol), float(prices.close[-1])
    with _surroundings(desk, data, symbol, subscribers, meter) as (folder, common):
        preamble = desk_preamble(desk.settings, instrument, data.cutoff, last_close)
        context = TradingContext(**common, preamble=preamble, instrument=instrument, last_close=last_close)
        return await TradingRecorder(desk, context, folder, prices, began, started_at).record_run(brief)


async def scan(
    desk: Desk,
    scan_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
) -> ScanRun:
    """Run the scanner graph for one day, and leave its record on disk.

    Args:
        desk: What the runs of a desk share.
        scan_date: The day the scan pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this scan is part of: its limits hold instead of the scan's own.

    Raises:
        UsageError: The date is wrong; nothing was written.
        DataError: There are neither sector funds nor indices for that day, and nothing was written; or nothing that
            was read names a stock.
        HomeNotWritable: The run folder cannot be made.
        ModelFailure: No model answered, or none gave a summary; the record says how far it came.
        BudgetReached: The budget is used up; the record holds what there is.
    """
    began, started_at = time.perf_counter(), datetime.now(UTC)
    data = _market(desk, MARKET, scan_date)
    await _waiting(desk, data, lambda: _look_around(data))
    with _surroundings(desk, data, "scan", subscribers, meter) as (folder, common):
        context = RunContext(**common, preamble=scan_preamble(desk.settings, exchange_of(MARKET), data.cutoff))
        return await ScanRecorder(desk, context, folder, began, started_at).record_scan()


async def analyze_many(
    desk: Desk,
    tickers: Sequence[str],
    trade_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
) -> AsyncGenerator[tuple[str, Run | TradingAgentsError], None]:
    """Run several tickers, at most `max_concurrent_pipelines` at a time; yield each as it ends, failures included.

    One ticker's failure does not stop the others. When the caller is cancelled, so are the runs, and each has left its
    record before this returns.
    """

    async def one(ticker: str) -> tuple[str, Run | TradingAgentsError]:
        try:
            return ticker, await analyze(desk, ticker, trade_date, subscribers=subscribers)
        except TradingAgentsError as error:
            return ticker, error

    jobs = [partial(one, ticker) for ticker in tickers]
    async with aclosing(as_they_end(jobs, desk.settings.max_concurrent_pipelines)) as ended:
        async for outcome in ended:
            yield outcome


def _market(desk: Desk, symbol: str, day: str | date | None) -> MarketData:
    """Bind the market to a day; None: the last session that has closed on the symbol's exchange."""
    as_of = last_session(symbol) if day is None else parse_day(day)
    return MarketData(
        desk.settings, as_of, exchange=exchange_of(symbol), vendors=desk.vendors, cache=desk.cache, memo=desk.memo
    )


@contextmanager
def _surroundings(
    desk: Desk, data: MarketData, subject: str, subscribers: Sequence[Subscriber], whole: UsageMeter | None
) -> Iterator[tuple[RunFolder, dict[str, Any]]]:
    """Make the folder of a run, and what its context holds whatever is studied."""
    run_id = new_run_id(subject, data.as_of.isoformat())
    folder = RunFolder(desk.settings.home_dir, run_id)
    try:
        with rarer_collections():
            yield (
                folder,
                {
                    "run_id": run_id,
                    "settings": desk.settings,
                    "data": data,
                    "events": EventStream(run_id, (folder.append, *subscribers)),
                    "meter": UsageMeter(desk.settings, within=whole),
                    "labels": {tier: desk.models.label(tier) for tier in TIERS},
                    "executor": desk.executor,
                },
            )
    finally:
        folder.close()


async def _waiting(desk: Desk, data: MarketData, look: Callable[[], T]) -> T:
    """Look something up, in a thread where that waits for a network."""
    if data.is_local("get_stock_data"):
        return look()
    return await asyncio.get_running_loop().run_in_executor(desk.executor, look)


def _look_up(data: MarketData, symbol: str) -> Prices:
    """Resolve the instrument and its prices: without them there is nothing to study."""
    try:
        prices = data.prices(symbol)
    except NoData as error:
        raise NoData(f"No prices of {symbol} for {data.as_of}: {error}") from error
    data.instrument(symbol)
    return prices


def _look_around(data: MarketData) -> None:
    """Make sure, before a model is asked, that there is a market to scan, and stocks in it to name.

    Raises:
        NoData: There are neither sector funds nor indices.
        NotForPastDate: The vendor knows today's movers and companies only, so that no stock could be named.
    """
    try:
        get_sector_performance.ask(data)
    except DataError:
        try:
            get_market_indices.ask(data)
        except DataError as error:
            raise NoData(f"No sector fund and no index to scan for {data.as_of}: {error}") from error
    try:
        get_market_movers.ask(data, category="day_gainers")
    except NotForPastDate as error:
        try:
            data.sector_members(SECTORS[0])
        except NotForPastDate:
            raise error from None
        except DataError:
            return
    except DataError:
        return
