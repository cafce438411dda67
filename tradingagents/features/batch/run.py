"""A batch: many tickers for one day under one budget, resumable from its folder, with a ranked record."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, aclosing, contextmanager
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path
from typing import Protocol

from tradingagents.analytics.text import one_line
from tradingagents.dataflows.cutoff import Cutoff, Moment, cutoff_for, utc_now
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.symbols import MARKET
from tradingagents.errors import BudgetReached, ConfigurationError, Interrupted, TradingAgentsError
from tradingagents.events import Event
from tradingagents.features.batch.orders import ORDERS, OrderPlan, orders_csv, orders_of
from tradingagents.features.batch.progress import BatchRuns
from tradingagents.features.batch.summary import BatchCandidate, exit_code, ranked, row_of, status_of
from tradingagents.files.atomic import as_json, write_whole, writing
from tradingagents.files.lock import Locked, locked
from tradingagents.files.plain_text import clean
from tradingagents.graph.start import RunOptions, TradingRequest, begin, finished_scan, parse_day, scan
from tradingagents.graph.trading.kind import TRADING
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.memory.cohort import cohort_of
from tradingagents.reports.batch import batch_document
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.runtime.concurrency import as_they_end
from tradingagents.runtime.fingerprint import fingerprint
from tradingagents.runtime.runs.ledger import Ledger
from tradingagents.runtime.services import Services
from tradingagents.schemas.batches import BatchRecord, BatchRow
from tradingagents.schemas.cards import ScanRecord
from tradingagents.schemas.portfolio import OrderListRecord, Portfolio
from tradingagents.schemas.records import TimingRecord

__all__ = ["Batch", "BatchBusy", "BatchCandidate", "BatchWatcher", "card_path", "exit_code", "run_batch"]

log = logging.getLogger(__name__)
log.addHandler(logging.NullHandler())  # tracebacks go only to a configured log, not to the terminal


class BatchBusy(ConfigurationError):
    """Another process is working on the same batch."""


class TickerFailure(TradingAgentsError):
    """A bug ended the run of one ticker; the other runs continued."""


class BatchWatcher(Protocol):
    """Receives the progress of a batch. Methods must be quick and must not raise: they are called inside the runs."""

    def on_event(self, event: Event) -> None:
        """Receive an event of the scan or of a run."""

    def planned(self, tickers: Sequence[str]) -> None:
        """Receive the tickers of the batch, in order, including those finished by an earlier start."""

    def ended(self, row: BatchRow) -> None:
        """Receive the row of a ticker that has ended, now or in an earlier start."""


class SilentWatcher:
    """A watcher that ignores everything."""

    def on_event(self, event: Event) -> None:
        """Ignore an event."""

    def planned(self, tickers: Sequence[str]) -> None:
        """Ignore the tickers."""

    def ended(self, row: BatchRow) -> None:
        """Ignore a row."""


async def run_batch(
    services: Services,
    day: str | date | None,
    work: Callable[[Batch], Awaitable[None]],
    *,
    kind: str,
    card: str,
    watcher: BatchWatcher | None = None,
    book: Portfolio | None = None,
) -> BatchRecord:
    """Run a batch in its folder and write its record, however the work ends.

    Args:
        day: The trading day of every run; `None` means today.
        work: The work to do on the batch.
        kind: Folder of such batches under `home`.
        card: File name of the record.
        watcher: Receives progress.
        book: What is held, for which every run decides; None: not known. Another book is another batch.

    Raises:
        BadDate: The day is invalid; nothing was written.
        BatchBusy: Another process is working on the same batch.
        UnreadableFile: A file of an earlier start is damaged.
        TradingAgentsError: Raised by `work`, after the record was written.
    """
    cutoff = _cutoff(services, day)
    folder = _folder(services, cutoff, kind, book)
    with _held(services.settings.home_dir, folder):
        batch = Batch(services, cutoff, folder, card, watcher or SilentWatcher(), book)
        try:
            await work(batch)
        except asyncio.CancelledError:
            await asyncio.shield(batch.leave("interrupted"))
            raise
        except BudgetReached as error:
            await batch.leave("budget", error)
            raise
        except Interrupted:
            await batch.leave("interrupted")
            raise
        except Exception as error:
            await batch.leave("failed", error)
            raise
        return await batch.leave()


class Batch:
    """One start of a batch: the results of earlier starts, the runs of this one, and the record of both."""

    def __init__(
        self,
        services: Services,
        cutoff: Cutoff,
        folder: Path,
        card: str,
        watcher: BatchWatcher,
        book: Portfolio | None = None,
    ) -> None:
        """Load the results of earlier starts; the caller holds the folder's lock.

        Raises:
            UnreadableFile: The ledger or a card is damaged.
        """
        self._began, self._started_at = time.perf_counter(), datetime.now(UTC)
        self._services, self._cutoff, self._watcher = services, cutoff, watcher
        self._folder, self._card = folder, folder / card
        with writing(services.settings.home_dir):
            ledger = Ledger(folder / "ledger.jsonl")
        self._runs = BatchRuns(services.settings.home_dir, ledger)
        self._meter = UsageMeter(services.settings, self._runs.usage)
        self._candidates: tuple[BatchCandidate, ...] = ()
        self._errors: dict[str, TradingAgentsError] = {}
        self._spent: BudgetReached | None = None
        self._stopped: Interrupted | None = None
        self._has_scan = False
        self._warnings: list[str] = []
        self._book = book
        self._orders: OrderListRecord | None = None

    def warn(self, sentence: str) -> None:
        """Add a warning to the record."""
        self._warnings.append(sentence)

    async def scan(self) -> ScanRecord:
        """Return the day's scan: one of an earlier start, one made outside the batch, or a new one.

        Raises as `graph.start.scan` does.
        """
        self._has_scan = True
        found = self._runs.scan()
        if found is None and (earlier := finished_scan(self._services, self._cutoff.as_of)):
            self._runs.adopt_scan(earlier)
            found = self._runs.scan()
        if earlier_scan := self._runs.adopted:
            self.warn(f"The scan is run {earlier_scan}, finished before; it was not made again and costs nothing here.")
        if found is not None and found["status"] == "done":
            return found
        subscribers = (self._runs.noting(None), self._watcher.on_event)
        day = self._cutoff.as_of
        return (await scan(self._services, day, subscribers=subscribers, meter=self._meter, go_on=True)).record

    async def study(self, candidates: Sequence[BatchCandidate]) -> None:
        """Run every candidate that no earlier start finished; the failure of one does not stop the others."""
        self._candidates = tuple(candidates)
        self._watcher.planned([candidate.ticker for candidate in candidates])
        due = [candidate for candidate in candidates if not self._runs.finished(candidate.ticker)]
        for candidate in candidates:
            if candidate not in due:
                self._watcher.ended(self._row(candidate))
        jobs = [partial(self._study_one, candidate) for candidate in due]
        async with aclosing(as_they_end(jobs, self._services.settings.max_concurrent_pipelines)) as ended:
            async for candidate in ended:
                self._watcher.ended(self._row(candidate))
        if self._stopped is not None:
            raise self._stopped

    async def order(self, plan: OrderPlan) -> None:
        """Work out one list of orders from all decisions, for the book of the batch."""
        if self._book is not None:
            rows = [self._row(candidate) for candidate in self._candidates]
            list_orders = partial(orders_of, self._services, self._cutoff, self._book, rows, plan)
            self._orders = await asyncio.get_running_loop().run_in_executor(self._services.executor, list_orders)

    async def leave(self, status: str | None = None, error: Exception | None = None) -> BatchRecord:
        """Write the summary, the page and the record; the record is written last.

        Args:
            status: How the batch ended; `None` derives it from the rows.
            error: The error that ended the batch early; `None` if there was none.
        """
        record = self._record(status, error)
        await asyncio.get_running_loop().run_in_executor(self._services.writer, self._write, record)
        return record

    async def _study_one(self, candidate: BatchCandidate) -> BatchCandidate:
        ticker = candidate.ticker
        if self._spent is not None or self._stopped is not None:
            return candidate  # ended calls may have freed some budget, but too little for a run
        try:
            self._meter.check()
            subscribers = (self._runs.noting(ticker), self._watcher.on_event)
            request = TradingRequest(ticker=ticker, day=self._cutoff.as_of, brief=candidate.brief, book=self._book)
            options = RunOptions(subscribers=subscribers, meter=self._meter)
            await begin(TRADING, request, self._services, options, go_on=True).result()
        except Interrupted as error:
            self._errors[ticker] = self._stopped = error
        except TradingAgentsError as error:
            self._errors[ticker] = error
            self._spent = error if isinstance(error, BudgetReached) else self._spent
        except Exception as error:
            log.exception("the run of %s ended unexpectedly", ticker)
            name = type(error).__name__
            self._errors[ticker] = TickerFailure(
                f"An unexpected {name} ended the run; run it alone with debug=True and please report what that shows."
            )
        return candidate

    def _row(self, candidate: BatchCandidate) -> BatchRow:
        error, run = self._errors.get(candidate.ticker), self._runs.last(candidate.ticker)
        is_own = run is not None and run.run_id == self._runs.begun(candidate.ticker)
        if error is not None and not is_own:
            run = None  # the card of an earlier start does not explain this failure
        return row_of(candidate, run, error)

    def _record(self, status: str | None, error: Exception | None) -> BatchRecord:
        rows = ranked(self._row(candidate) for candidate in self._candidates)
        scanned = self._runs.scan() if self._has_scan else None
        unsaid = [one_line(str(error))] if isinstance(error, TradingAgentsError) and scanned is None else []
        return BatchRecord(
            batch_id=self._folder.name,
            status=status or ("budget" if self._spent else status_of(rows)),
            trade_date=self._cutoff.as_of.isoformat(),
            session=self._cutoff.session.isoformat(),
            market=cohort_of(self._services.settings).market,
            scan=scanned,
            rows=rows,
            usage=self._meter.totals(),
            timing=TimingRecord(
                wall_s=round(time.perf_counter() - self._began, 3),
                started_at=self._started_at.isoformat(timespec="milliseconds"),
                finished_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            ),
            warnings=[*unsaid, *self._cutoff.warnings, *self._warnings, *self._meter.warnings],
            paths={
                "folder": str(self._folder),
                "card": str(self._card),
                "report": str(self._folder / "summary.md"),
                "html": str(self._folder / "index.html"),
                **({"orders": str(self._folder / ORDERS)} if self._orders is not None else {}),
            },
            orders=self._orders,
        )

    def _write(self, record: BatchRecord) -> None:
        document = batch_document(record)
        with writing(self._services.settings.home_dir):
            write_whole(self._folder / "summary.md", harmless_markdown(to_markdown(document)))
            write_whole(self._folder / "index.html", clean(to_html(document)))
            if record.orders is not None:
                write_whole(self._folder / ORDERS, orders_csv(record.orders))
            write_whole(self._card, as_json(record.as_json()))


def card_path(
    services: Services, day: str | date | None, *, kind: str, card: str, book: Portfolio | None = None
) -> Path:
    """Return the path of a batch's record, however the batch ends; the arguments are those of `run_batch`.

    Raises:
        BadDate: The day is invalid.
    """
    return _folder(services, _cutoff(services, day), kind, book) / card


def _cutoff(services: Services, day: str | date | None) -> Cutoff:
    as_of = default_day(services.settings) if day is None else parse_day(day)
    moment = Moment(at=services.settings.decide_at)
    return cutoff_for(as_of, exchange=exchange_of(MARKET), now=utc_now(), moment=moment)


def _folder(services: Services, cutoff: Cutoff, kind: str, book: Portfolio | None) -> Path:
    held = "" if book is None else f"-{book.digest[:12]}"
    return services.settings.home_dir / kind / f"{cutoff.as_of}-{fingerprint(services, cutoff.session)}{held}"


@contextmanager
def _held(home: Path, folder: Path) -> Iterator[None]:
    """Lock a batch's folder; a second process with the same request gets BatchBusy."""
    with ExitStack() as stack:
        try:
            with writing(home):
                stack.enter_context(locked(folder / "lock"))
        except Locked:
            raise BatchBusy(
                f"Another process is working on {folder}; wait until it has ended, then run again to see its result."
            ) from None
        yield
