"""Start a run, watch it, record it: the one path that the command line, Python and later the server take."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime

from tradingagents.context import RunContext
from tradingagents.dataflows.calendar import exchange_of, sessions
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.rows import Prices
from tradingagents.dataflows.symbols import normalise
from tradingagents.errors import BadDate, NoData, TradingAgentsError
from tradingagents.events import EventStream, Subscriber
from tradingagents.graph.desk import Desk
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.recorder import Recorder, Run
from tradingagents.settings import Tier
from tradingagents.store.run_folder import RunFolder, new_run_id

__all__ = ["Run", "analyze", "analyze_many", "last_session", "parse_day"]

TIERS: tuple[Tier, ...] = ("quick", "mid", "deep")


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
) -> Run:
    """Run the trading graph for one ticker and day, and leave its record on disk.

    Args:
        desk: What the runs of a graph share.
        ticker: Any spelling of the symbol.
        trade_date: The day the run pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.

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
    day = last_session(symbol) if trade_date is None else parse_day(trade_date)
    data = MarketData(
        desk.settings, day, exchange=exchange_of(symbol), vendors=desk.vendors, cache=desk.cache, memo=desk.memo
    )
    prices = await _look_up(desk, data, symbol)
    run_id = new_run_id(symbol, day.isoformat())
    folder = RunFolder(desk.settings.home_dir, run_id)
    events = EventStream(run_id, (folder.append, *subscribers))
    context = RunContext(
        run_id=run_id,
        settings=desk.settings,
        data=data,
        instrument=data.instrument(symbol),
        last_close=float(prices.close[-1]),
        events=events,
        meter=UsageMeter(desk.settings),
        labels={tier: desk.models.label(tier) for tier in TIERS},
        executor=desk.executor,
    )
    recorder = Recorder(desk, context, folder, prices, began, started_at, desk.models.warnings)
    try:
        return await recorder.record_run()
    finally:
        folder.close()


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
    places = asyncio.Semaphore(desk.settings.max_concurrent_pipelines)

    async def one(ticker: str) -> tuple[str, Run | TradingAgentsError]:
        async with places:
            try:
                return ticker, await analyze(desk, ticker, trade_date, subscribers=subscribers)
            except TradingAgentsError as error:
                return ticker, error

    with _rarer_collections():
        tasks = [asyncio.create_task(one(ticker)) for ticker in tickers]
        try:
            for done in asyncio.as_completed(tasks):
                yield await done
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


@contextmanager
def _rarer_collections() -> Iterator[None]:
    """Have the garbage collector look less often while many runs are under way, and as before afterwards.

    What the libraries brought is some half a million objects that live for good; looking through them again and again
    takes a sixth of the processor time of a batch.
    """
    found = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    try:
        yield
    finally:
        gc.set_threshold(*found)
        gc.unfreeze()


async def _look_up(desk: Desk, data: MarketData, symbol: str) -> Prices:
    """Resolve the instrument and its prices: without them there is nothing to study."""

    def look() -> Prices:
        try:
            prices = data.prices(symbol)
        except NoData as error:
            raise NoData(f"No prices of {symbol} for {data.as_of}: {error}") from error
        data.instrument(symbol)
        return prices

    if data.is_local("get_stock_data"):
        return look()
    return await asyncio.get_running_loop().run_in_executor(desk.executor, look)
