"""Start runs of the kinds there are: `analyze`, `scan`, `resume`, `analyze_many`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from tradingagents.agents.managers.approval import Approval
from tradingagents.dataflows.cutoff import parse_day, utc_now
from tradingagents.errors import TradingAgentsError
from tradingagents.events import Subscriber
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime import executor
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.executor import RunHandle, RunOptions, last_session, manifest_of, open_market, start
from tradingagents.runtime.manifest import RunManifest, finished_run, read_manifest, unfinished_run
from tradingagents.runtime.services import Services
from tradingagents.runtime.workflow import FINISHED, WAITING, Persist, RequestT, ResultT, Workflow
from tradingagents.store.atomic import read_object
from tradingagents.store.run_folder import CARD, NoSuchRun, checked_component
from tradingagents.workflows.registry import workflow_of
from tradingagents.workflows.scan import MARKET, SCAN, ScanRequest, ScanRun
from tradingagents.workflows.trading import TRADING, Run, TradingRequest

__all__ = [
    "MARKET",
    "Run",
    "RunHandle",
    "RunOptions",
    "ScanRequest",
    "ScanRun",
    "TradingRequest",
    "analyze",
    "analyze_many",
    "begin",
    "finished_scan",
    "last_session",
    "parse_day",
    "resume",
    "scan",
    "start",
    "status_of",
]


def begin(
    workflow: Workflow[RequestT, ResultT],
    request: RequestT,
    services: Services,
    options: RunOptions | None = None,
    *,
    go_on: bool = False,
) -> RunHandle[ResultT]:
    """Start a run, or go on with the newest one that was asked the same and has not ended.

    Args:
        workflow: The kind of run.
        request: What is asked.
        services: What runs share.
        options: How it is watched, and what it leaves.
        go_on: Whether to look for an unfinished run; only one with `persist="all"` can be found.

    Raises:
        TradingAgentsError: As `runtime.executor.start` raises.
    """
    if go_on:
        opened = utc_now()
        data = open_market(services, workflow.calendar_symbol(request), request.day, opened)
        asked = manifest_of(workflow, request, services, data, opened)
        if unfinished := unfinished_run(services.settings.home_dir, asked):
            return executor.resume(workflow, _unfinished_manifest(services, unfinished), services, options)
    return start(workflow, request, services, options)


async def analyze(
    services: Services,
    ticker: str,
    trade_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    brief: str = "",
    go_on: bool = False,
    persist: Persist = "all",
) -> Run:
    """Run the trading graph for one ticker and day, and leave its record on disk.

    Args:
        services: What runs share.
        ticker: Any spelling of the symbol.
        trade_date: The day the run pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this run is part of: its limits hold instead of the run's own.
        brief: What a market scan hands over, as Markdown; empty for none.
        go_on: Whether to go on with the newest run that was asked the same and has not ended, where there is one.
        persist: What the run leaves on disk, see `runtime.workflow.Persist`.

    Returns:
        The run; its decision may be NO_DECISION.

    Raises:
        UsageError: The symbol or date is wrong; nothing was written.
        DataError: There are no prices; nothing was written.
        HomeNotWritable: The run folder cannot be made.
        ModelFailure: No model answered; the record says how far it came.
        BudgetReached: The budget is used up; the record holds what there is.
    """
    request = TradingRequest(ticker=ticker, day=trade_date, brief=brief)
    options = RunOptions(subscribers=subscribers, meter=meter, persist=persist)
    return await begin(TRADING, request, services, options, go_on=go_on).result()


async def scan(
    services: Services,
    scan_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    go_on: bool = False,
    persist: Persist = "all",
) -> ScanRun:
    """Run the scanner graph for one day, and leave its record on disk.

    Args:
        services: What runs share.
        scan_date: The day the scan pretends it is; None: the last session that has closed.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this scan is part of: its limits hold instead of the scan's own.
        go_on: Whether to go on with the newest scan that was asked the same and has not ended, where there is one.
        persist: What the scan leaves on disk, see `runtime.workflow.Persist`.

    Raises:
        UsageError: The date is wrong; nothing was written.
        DataError: There are neither sector funds nor indices for that day, and nothing was written; or nothing that
            was read names a stock.
        HomeNotWritable: The run folder cannot be made.
        ModelFailure: No model answered, or none gave a summary; the record says how far it came.
        BudgetReached: The budget is used up; the record holds what there is.
    """
    options = RunOptions(subscribers=subscribers, meter=meter, persist=persist)
    return await begin(SCAN, ScanRequest(day=scan_date), services, options, go_on=go_on).result()


def finished_scan(services: Services, scan_date: str | date | None) -> str | None:
    """Return the id of a finished scan that was asked what `scan` would ask now; None where there is none.

    Raises:
        UsageError: The date is wrong.
    """
    opened, request = utc_now(), ScanRequest(day=scan_date)
    data = open_market(services, MARKET, scan_date, opened)
    asked = manifest_of(SCAN, request, services, data, opened)
    return finished_run(services.settings.home_dir, asked, data.cutoff.session)


async def resume(
    services: Services,
    run_id: str,
    *,
    subscribers: Sequence[Subscriber] = (),
    meter: UsageMeter | None = None,
    approval: Approval | None = None,
) -> Any:
    """Go on with a run that was killed, stopped, or failed: what it has finished is not done again.

    Args:
        services: Services with the same settings; `RunManifest.resumed_settings` gives the settings.
        run_id: The run.
        subscribers: Who sees the events as they happen.
        meter: Of a whole that this run is part of; it has counted what earlier starts used.
        approval: What a person says of the proposed decision, for a run that waits for that.

    Returns:
        What a run of its kind returns: `Run`, `ScanRun`.

    Raises:
        NoSuchRun: There is no such run, it has ended, or nobody waits for an approval.
        NoSuchWorkflow: Its kind is not installed.
        ManifestMismatch: The services would run something else.
        RunBusy: Another process is at work on it.
        TradingAgentsError: As `analyze` and `scan` raise.
    """
    manifest = _unfinished_manifest(services, run_id, approval=approval is not None)
    answer = approval.model_dump(mode="json") if approval else None
    options = RunOptions(subscribers=subscribers, meter=meter)
    return await executor.resume(workflow_of(manifest.kind), manifest, services, options, answer=answer).result()


def _unfinished_manifest(services: Services, run_id: str, *, approval: bool = False) -> RunManifest:
    """Return the manifest of a run that can go on. Raises as `resume` does."""
    manifest = read_manifest(services.settings.home_dir, run_id)
    manifest.assert_matches(services)
    status = status_of(services.settings.home_dir, run_id)
    if status in FINISHED:
        raise NoSuchRun(f"Run {run_id} has ended ({status}); `tradingagents runs show {run_id}` shows what came of it.")
    if approval and status != WAITING:
        raise NoSuchRun(f"Run {run_id} does not wait for an approval; `tradingagents runs resume {run_id}` goes on.")
    return manifest


def status_of(home: Path, run_id: str) -> str | None:
    """Return how a run ended; None for one that left no card: it was killed, or is under way.

    Raises:
        UnreadableFile: The card is damaged.
    """
    card = read_object(home / "runs" / checked_component(run_id) / CARD, way_out="delete the run")
    return None if card is None else str(card.get("status"))


async def analyze_many(
    services: Services,
    tickers: Sequence[str],
    trade_date: str | date | None,
    *,
    subscribers: Sequence[Subscriber] = (),
    go_on: bool = False,
    persist: Persist = "all",
) -> AsyncGenerator[tuple[str, Run | TradingAgentsError], None]:
    """Run several tickers, at most `max_concurrent_pipelines` at a time; yield each as it ends, failures included.

    One ticker's failure does not stop the others. When the caller is cancelled, so are the runs, and each has left its
    record before this returns.
    """

    async def one(ticker: str) -> tuple[str, Run | TradingAgentsError]:
        try:
            return ticker, await analyze(
                services, ticker, trade_date, subscribers=subscribers, go_on=go_on, persist=persist
            )
        except TradingAgentsError as error:
            return ticker, error

    jobs = [partial(one, ticker) for ticker in tickers]
    async with aclosing(as_they_end(jobs, services.settings.max_concurrent_pipelines)) as ended:
        async for outcome in ended:
            yield outcome
