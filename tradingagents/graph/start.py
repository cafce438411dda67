"""Start runs of any kind: `analyze`, `scan`, `resume`, `analyze_many`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping, Sequence
from contextlib import aclosing
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from tradingagents.agents.managers.approval import Approval
from tradingagents.dataflows.cutoff import parse_day, utc_now
from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.errors import TradingAgentsError
from tradingagents.events import Subscriber
from tradingagents.files.atomic import read_object
from tradingagents.graph.scan.kind import SCAN, ScanRequest
from tradingagents.graph.scan.run import ScanRun
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.graph.trading.run import Run
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.runtime import executor
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.executor import RunHandle, RunOptions, manifest_of, open_market, start
from tradingagents.runtime.kind import FINISHED, WAITING, Persist, ResultT, RunKind
from tradingagents.runtime.manifest import RunManifest, finished_run, read_manifest, unfinished_run
from tradingagents.runtime.registry import kind_of
from tradingagents.runtime.request import RunRequestT
from tradingagents.runtime.runs.run_folder import CARD, NoSuchRun, checked_component
from tradingagents.runtime.services import Services

SubjectT = TypeVar("SubjectT", str, str | None)
__all__ = [
    "Run",
    "RunHandle",
    "RunOptions",
    "ScanRequest",
    "ScanRun",
    "TradingRequest",
    "analyze",
    "analyze_many",
    "begin",
    "begin_many",
    "finished_scan",
    "parse_day",
    "resume",
    "scan",
    "start",
    "status_of",
]


def begin(
    kind: RunKind[RunRequestT, Any, ResultT],
    request: RunRequestT,
    services: Services,
    options: RunOptions | None = None,
    *,
    go_on: bool = False,
) -> RunHandle[ResultT]:
    """Start a run, or resume the newest unfinished one with the same request.

    Args:
        kind: The kind of run.
        request: The request.
        services: What runs share.
        options: Subscribers, and what the run writes.
        go_on: Whether to look for an unfinished run; only one with `persist="all"` can be found.

    Raises:
        TradingAgentsError: As `runtime.executor.start` raises.
    """
    if go_on:
        opened = utc_now()
        data = open_market(services, kind.calendar_symbol(request), request.day, opened)
        request = kind.completed(request, services.settings.home_dir, data.as_of)
        asked = manifest_of(kind, request, services, data, opened)
        if unfinished := unfinished_run(services.settings.home_dir, asked):
            return executor.resume(kind, _unfinished_manifest(services, unfinished), services, options)
    return start(kind, request, services, options)


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
    """Run the trading graph for one ticker and day, and write its record to disk.

    Args:
        services: What runs share.
        ticker: Any spelling of the symbol.
        trade_date: The simulated current day; None: today.
        subscribers: Receive the events as they happen.
        meter: Meter of a batch that this run belongs to: its limits replace the run's own.
        brief: Context from a market scan, as Markdown; empty for none.
        go_on: Whether to resume the newest unfinished run with the same request, if there is one.
        persist: What the run writes to disk, see `runtime.kind.Persist`.

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
    """Run the scanner graph for one day, and write its record to disk.

    Args:
        services: What runs share.
        scan_date: The simulated current day; None: today.
        subscribers: Receive the events as they happen.
        meter: Meter of a batch that this scan belongs to: its limits replace the scan's own.
        go_on: Whether to resume the newest unfinished scan with the same request, if there is one.
        persist: What the scan writes to disk, see `runtime.kind.Persist`.

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
    """Return the id of a finished scan with the same request as `scan` would make now; None for none.

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
    """Resume a run that was killed, stopped, or failed, without repeating finished steps.

    Args:
        services: Services with the same settings; `RunManifest.resumed_settings` gives the settings.
        run_id: The run.
        subscribers: Receive the events as they happen.
        meter: Meter of a batch that this run belongs to; it has counted the usage of earlier starts.
        approval: A person's verdict on the proposed decision, for a run that awaits approval.

    Returns:
        What a run of its kind returns: `Run`, `ScanRun`.

    Raises:
        NoSuchRun: There is no such run, it has ended, or nobody waits for an approval.
        NoSuchKind: Its kind is not installed.
        ManifestMismatch: The services would run something else.
        RunBusy: Another process is executing it.
        TradingAgentsError: As `analyze` and `scan` raise.
    """
    manifest = _unfinished_manifest(services, run_id, approval=approval is not None)
    answer = approval.model_dump(mode="json") if approval else None
    options = RunOptions(subscribers=subscribers, meter=meter)
    return await executor.resume(kind_of(manifest.kind), manifest, services, options, answer=answer).result()


def _unfinished_manifest(services: Services, run_id: str, *, approval: bool = False) -> RunManifest:
    """Return the manifest of a resumable run. Raises as `resume` does."""
    manifest = read_manifest(services.settings.home_dir, run_id)
    manifest.assert_matches(services, kind_of(manifest.kind).prompts())
    status = status_of(services.settings.home_dir, run_id)
    if status in FINISHED:
        raise NoSuchRun(f"Run {run_id} has ended ({status}); `tradingagents runs show {run_id}` shows its result.")
    if approval and status != WAITING:
        raise NoSuchRun(
            f"Run {run_id} does not wait for an approval; `tradingagents runs resume {run_id}` continues it."
        )
    return manifest


def status_of(home: Path, run_id: str) -> str | None:
    """Return how a run ended; None if it has no card because it was killed or is still running.

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
    """Run multiple tickers, at most `max_concurrent_pipelines` at a time; yield each as it ends, failures included.

    One ticker's failure does not stop the others. When the caller is cancelled, so are the runs, and each has left its
    record before this returns.
    """

    def run(ticker: str) -> Coroutine[Any, Any, Run]:
        return analyze(services, ticker, trade_date, subscribers=subscribers, go_on=go_on, persist=persist)

    async with aclosing(_outcomes({ticker: partial(run, ticker) for ticker in tickers}, services)) as ended:
        async for outcome in ended:
            yield outcome


async def begin_many(
    kind: RunKind[RunRequestT, Any, ResultT],
    requests: Sequence[RunRequestT],
    services: Services,
    options: RunOptions | None = None,
    *,
    go_on: bool = False,
) -> AsyncGenerator[tuple[str | None, ResultT | TradingAgentsError], None]:
    """Run what is asked of a kind as `analyze_many` does; yield each outcome with its subject, None for none."""

    def run(request: RunRequestT) -> Coroutine[Any, Any, ResultT]:
        return begin(kind, request, services, options, go_on=go_on).result()

    work = {kind.subject(request): partial(run, request) for request in requests}
    async with aclosing(_outcomes(work, services)) as ended:
        async for outcome in ended:
            yield outcome


async def _outcomes(
    work: Mapping[SubjectT, Callable[[], Coroutine[Any, Any, ResultT]]], services: Services
) -> AsyncGenerator[tuple[SubjectT, ResultT | TradingAgentsError], None]:
    async def ended(subject: SubjectT) -> tuple[SubjectT, ResultT | TradingAgentsError]:
        try:
            return subject, await work[subject]()
        except TradingAgentsError as error:
            return subject, error

    jobs = [partial(ended, subject) for subject in work]
    async with aclosing(as_they_end(jobs, services.settings.max_concurrent_pipelines)) as outcomes:
        async for outcome in outcomes:
            yield outcome
