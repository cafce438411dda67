"""Start a run, watch it, record it: the one path that the command line, Python and later the server take."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

from tradingagents.agents.managers.approval import Approval
from tradingagents.agents.prompting import desk_preamble, scan_preamble
from tradingagents.analytics.price.daily_range import daily_range
from tradingagents.capabilities.scanner import get_market_indices, get_market_movers, get_sector_performance
from tradingagents.context import RunContext, TradingContext
from tradingagents.dataflows.cutoff import parse_day, utc_now
from tradingagents.dataflows.look_up import look_up
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import DataError, Interrupted, NoData, NotForPastDate, TradingAgentsError
from tradingagents.events import Event, EventStream, Subscriber
from tradingagents.llm_clients.meter import UsageMeter, Used
from tradingagents.llm_clients.replay import Replay
from tradingagents.llm_clients.run_replies import RunReplies
from tradingagents.observability.run_context import Running
from tradingagents.observability.setup import watched
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.executor import FINISHED, WAITING
from tradingagents.runtime.gc_tuning import rarer_collections
from tradingagents.runtime.manifest import FILE, Kind, Question, finished_run, read_question, unfinished_run
from tradingagents.runtime.saved_sheet import keep_sheet, restore_sheet
from tradingagents.runtime.services import Services
from tradingagents.settings import Tier
from tradingagents.store.atomic import read_object
from tradingagents.store.run_folder import NoSuchRun, RunFolder, checked_component, new_run_id
from tradingagents.workflows.scan import ScanRecorder, ScanRun
from tradingagents.workflows.trading import Run, TradingRecorder

__all__ = ["Run", "ScanRun", "analyze", "analyze_many", "last_session", "parse_day", "resume", "scan", "status_of"]

T = TypeVar("T")
TIERS: tuple[Tier, ...] = ("quick", "mid", "deep")
MARKET = "^GSPC"
"""What stands for the market a scan looks at: its exchange is the scan's calendar."""


def last_session(symbol: str) -> date:
    """Return the last session that has closed on a symbol's exchange: the day of a run that names none."""
    return sessions(exchange_of(symbol)).last_closed(datetime.now(UTC))


async def analyze(
    services: Services,
    ticker: str,
    trade_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    brief: str = "",
    go_on: bool = False,
) -> Run:
    """Run the trading graph for one ticker and day, and leave its record on disk.

    Args:
        services: What the runs of a graph share.
        ticker: Any spelling of the symbol.
        trade_date: The day the run pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this run is part of: its limits hold instead of the run's own.
        brief: What a market scan hands over, as Markdown; empty for none.
        go_on: Whether to go on with the newest run that was asked the same and has not ended, where there is one.

    Returns:
        The run; its decision may be NO_DECISION.

    Raises:
        UsageError: The symbol or date is wrong; nothing was written.
        DataError: There are no prices; nothing was written.
        HomeNotWritable: The run folder cannot be made.
        ModelFailure: No model answered; the record says how far it came.
        BudgetReached: The budget is used up; the record holds what there is.
    """
    began, opened = time.perf_counter(), utc_now()
    symbol = normalise(ticker)
    data = _market(services, symbol, trade_date, opened)
    question = _question(services, "trading", symbol, data, opened, brief)
    if go_on and (unfinished := unfinished_run(services.settings.home_dir, question)):
        return cast(Run, await resume(services, unfinished, subscribers=subscribers, meter=meter))
    prices = await _waiting(services, data, lambda: look_up(data, symbol))
    with _surroundings(services, data, question, subscribers, meter) as (folder, common, past):
        recorder = _trading_recorder(services, data, prices, question, folder, common, past, began)
        return await recorder.record_run()


async def scan(
    services: Services,
    scan_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    go_on: bool = False,
) -> ScanRun:
    """Run the scanner graph for one day, and leave its record on disk.

    Args:
        services: What runs share.
        scan_date: The day the scan pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this scan is part of: its limits hold instead of the scan's own.
        go_on: Whether to go on with the newest scan that was asked the same and has not ended, where there is one.

    Raises:
        UsageError: The date is wrong; nothing was written.
        DataError: There are neither sector funds nor indices for that day, and nothing was written; or nothing that
            was read names a stock.
        HomeNotWritable: The run folder cannot be made.
        ModelFailure: No model answered, or none gave a summary; the record says how far it came.
        BudgetReached: The budget is used up; the record holds what there is.
    """
    began, opened = time.perf_counter(), utc_now()
    data = _market(services, MARKET, scan_date, opened)
    question = _question(services, "scan", None, data, opened)
    if go_on and (unfinished := unfinished_run(services.settings.home_dir, question)):
        return cast(ScanRun, await resume(services, unfinished, subscribers=subscribers, meter=meter))
    await _waiting(services, data, lambda: _look_around(data))
    with _surroundings(services, data, question, subscribers, meter) as (folder, common, past):
        return await _scan_recorder(services, data, question, folder, common, past, began).record_scan()


def finished_scan(services: Services, scan_date: str | date | None) -> str | None:
    """Return the id of a finished scan that was asked what `scan` would ask now; None where there is none.

    Raises:
        UsageError: The date is wrong.
    """
    opened = utc_now()
    data = _market(services, MARKET, scan_date, opened)
    return finished_run(
        services.settings.home_dir, _question(services, "scan", None, data, opened), data.cutoff.session
    )


async def resume(
    services: Services,
    run_id: str,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    approval: Approval | None = None,
) -> Run | ScanRun:
    """Go on with a run that was killed, stopped, or failed: what it has finished is not done again.

    Args:
        services: Services with the same settings; `Question.settings_again` gives the settings.
        run_id: The run.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this run is part of; it has counted what earlier starts used.
        approval: What a person says of the proposed decision, for a run that waits for that.

    Raises:
        NoSuchRun: There is no such run, it has ended, or nobody waits for an approval.
        AnotherQuestion: The services would run something else.
        RunBusy: Another process is at work on it.
        TradingAgentsError: As `analyze` and `scan` raise.
    """
    began, home = time.perf_counter(), services.settings.home_dir
    question = read_question(home, run_id)
    question.assert_asked_of(services)
    status = status_of(home, run_id)
    if status in FINISHED:
        raise NoSuchRun(f"Run {run_id} has ended ({status}); `tradingagents runs show {run_id}` shows what came of it.")
    if approval is not None and status != WAITING:
        raise NoSuchRun(f"Run {run_id} does not wait for an approval; `tradingagents runs resume {run_id}` goes on.")
    symbol = question.subject or MARKET
    data = _market(services, symbol, question.trade_date, question.opened)
    if question.kind == "scan":
        with _surroundings(services, data, question, subscribers, meter, again=True) as (folder, common, past):
            return await _scan_recorder(services, data, question, folder, common, past, began).record_scan()
    prices = await _waiting(services, data, lambda: look_up(data, symbol))
    with _surroundings(services, data, question, subscribers, meter, again=True) as (folder, common, past):
        recorder = _trading_recorder(services, data, prices, question, folder, common, past, began)
        return await recorder.record_run(approval)


def status_of(home: Path, run_id: str) -> str | None:
    """Return how a run ended; None for one that left no card: it was killed, or is under way.

    Raises:
        UnreadableFile: The card is damaged.
    """
    card = read_object(home / "runs" / checked_component(run_id) / "run.json", way_out="delete the run")
    return None if card is None else str(card.get("status"))


async def analyze_many(
    services: Services,
    tickers: Sequence[str],
    trade_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    go_on: bool = False,
) -> AsyncGenerator[tuple[str, Run | TradingAgentsError], None]:
    """Run several tickers, at most `max_concurrent_pipelines` at a time; yield each as it ends, failures included.

    One ticker's failure does not stop the others. When the caller is cancelled, so are the runs, and each has left its
    record before this returns.
    """

    async def one(ticker: str) -> tuple[str, Run | TradingAgentsError]:
        try:
            return ticker, await analyze(services, ticker, trade_date, subscribers=subscribers, go_on=go_on)
        except TradingAgentsError as error:
            return ticker, error

    jobs = [partial(one, ticker) for ticker in tickers]
    async with aclosing(as_they_end(jobs, services.settings.max_concurrent_pipelines)) as ended:
        async for outcome in ended:
            yield outcome


def _market(services: Services, symbol: str, day: str | date | None, opened: datetime) -> MarketData:
    """Bind the market to a day; None: the last session that has closed on the symbol's exchange.

    Raises:
        Interrupted: The runs are to stop.
        UsageError: The services were made in another process.
    """
    services.assert_own_process()
    if services.stops.requested:
        raise Interrupted("Interrupted before the run began; nothing was written.")
    return MarketData(
        services.settings,
        last_session(symbol) if day is None else parse_day(day),
        exchange=exchange_of(symbol),
        vendors=services.vendors,
        cache=services.cache,
        memo=services.memo,
        opened=opened,
    )


def _question(
    services: Services, kind: Kind, subject: str | None, data: MarketData, opened: datetime, brief: str = ""
) -> Question:
    run_id = new_run_id(subject or kind, data.as_of.isoformat())
    return Question.of(services, run_id, kind, subject, data.cutoff, opened, brief)


def _trading_recorder(
    services: Services,
    data: MarketData,
    prices: Prices,
    question: Question,
    folder: RunFolder,
    common: Mapping[str, Any],
    past: Sequence[Event],
    began: float,
) -> TradingRecorder:
    instrument, last_close = data.instrument(question.subject or ""), float(prices.close[-1])
    preamble = desk_preamble(services.settings, instrument, data.cutoff, last_close)
    context = TradingContext(
        **common, preamble=preamble, instrument=instrument, last_close=last_close, daily_range=daily_range(prices)
    )
    return TradingRecorder(services, context, folder, prices, began, question, past)


def _scan_recorder(
    services: Services,
    data: MarketData,
    question: Question,
    folder: RunFolder,
    common: Mapping[str, Any],
    past: Sequence[Event],
    began: float,
) -> ScanRecorder:
    context = RunContext(**common, preamble=scan_preamble(services.settings, exchange_of(MARKET), data.cutoff))
    return ScanRecorder(services, context, folder, began, question, past)


@contextmanager
def _surroundings(
    services: Services,
    data: MarketData,
    question: Question,
    subscribers: Sequence[Subscriber],
    whole: UsageMeter | None,
    *,
    again: bool = False,
) -> Iterator[tuple[RunFolder, dict[str, Any], Sequence[Event]]]:
    """Make the folder of a run, or take it up again; yield it, what the run's context holds, and its earlier events."""
    run_id, settings = question.run_id, services.settings
    running = Running(run_id, question.kind, question.subject, question.trade_date.isoformat(), settings.log_file)
    folder = RunFolder(services.settings.home_dir, run_id, again=again)
    try:
        past = folder.events() if again else []
        if again:
            restore_sheet(data.sheet, folder)
        else:
            folder.write_json(FILE, question.to_record())
        keep_sheet(data.sheet, folder)
        usage = UsageMeter(services.settings, within=whole)
        for event in past:
            if event.type == "usage" and (used := Used.of(event.data)) is not None:
                usage.recall(event.node or "", used)
        first = max((event.seq for event in past), default=-1) + 1
        with rarer_collections(), watched(running, settings) as watchers:
            yield (
                folder,
                {
                    "run_id": run_id,
                    "settings": services.settings,
                    "data": data,
                    "events": EventStream(run_id, (folder.append, *watchers, *subscribers), first=first),
                    "meter": usage,
                    "labels": {tier: services.models.label(tier) for tier in TIERS},
                    "fallbacks": services.models.fallbacks,
                    "breakers": services.breakers,
                    "replay": Replay(
                        services.settings, services.replies, services.writer, _run_replies(services, folder, past)
                    ),
                    "secrets": services.secrets,
                    "executor": services.executor,
                },
                past,
            )
    finally:
        folder.close()


def _run_replies(services: Services, folder: RunFolder, past: Sequence[Event]) -> RunReplies | None:
    """Return the replies of a run over all its starts; None where its steps are not kept either."""
    if not services.checkpoints.enabled:
        return None
    logged = (used for event in past if event.type == "usage" and (used := Used.of(event.data)) is not None)
    return RunReplies(folder.append_reply, folder.replies() if past else (), logged)


async def _waiting(services: Services, data: MarketData, look: Callable[[], T]) -> T:
    """Look something up, in a thread where that waits for a network."""
    if data.is_local("get_stock_data"):
        return look()
    return await asyncio.get_running_loop().run_in_executor(services.executor, look)


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
