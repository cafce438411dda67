"""Recording: send the requests of a plan to vendors, store each answer at once, and write the folder."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from tradingagents.dataflows.cutoff import USUAL_MOMENT, Cutoff, Moment, cutoff_for, utc_now
from tradingagents.dataflows.instrument import kind_of
from tradingagents.dataflows.interface import METHOD_CATEGORY, Vendors, candidates, route_to_vendor
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile
from tradingagents.dataflows.reference.sectors import PEERS, PEERS_VALUED, heaviest
from tradingagents.dataflows.snapshots.check_prices import doubts_in
from tradingagents.dataflows.snapshots.check_statements import statement_doubts
from tradingagents.dataflows.snapshots.journal import (
    Journal,
    Outcome,
    Settled,
    alone,
    open_journal,
    outcome_of,
)
from tradingagents.dataflows.snapshots.plan import BIG_DAY, MAX_MOVERS, Plan, Question, Request
from tradingagents.dataflows.snapshots.writing import write_folder
from tradingagents.errors import AllVendorsFailed, NoData, NotForPastDate, TradingAgentsError, VendorNotConfigured
from tradingagents.settings import Settings

AT_ONCE = 4
"""Concurrent requests; each vendor's own rate limits apply too."""
_REFUSALS: Mapping[Outcome, type[TradingAgentsError]] = {
    "nothing": NoData,
    "today_only": NotForPastDate,
    "not_configured": VendorNotConfigured,
    "failed": AllVendorsFailed,
}


@dataclass(frozen=True, slots=True)
class Step:
    """Progress of a recording."""

    done: int
    total: int
    """Requests known so far: answers lead to more."""
    what: str
    """The request just answered."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """The result of a recording."""

    folder: Path
    outcomes: Mapping[Outcome, int]
    """Requests by outcome."""
    asked: int
    """Requests sent to vendors by this start."""
    missing: tuple[Settled, ...]
    """Requests without an answer, by method and subject."""
    doubts: tuple[str, ...] = ()
    """Why runs withhold figures on the recorded prices, as the gate says it."""

    @property
    def failed(self) -> tuple[Settled, ...]:
        """Requests that the next start should try again."""
        return tuple(entry for entry in self.missing if entry.outcome == "failed")


def record(
    request: Request,
    folder: Path,
    settings: Settings,
    *,
    vendors: Vendors | None = None,
    now: Callable[[], datetime] = utc_now,
    tell: Callable[[Step], None] = lambda _: None,
) -> Recorded:
    """Record the data that runs on the requested days need, and write it as a snapshot folder.

    Every answer is stored before the next is awaited: after a kill the next start continues, and repeats only what
    failed.

    Args:
        folder: A new or empty folder, or one with an incomplete recording of the same request.
        settings: Choose the vendors, as for runs.
        vendors: The vendors; None creates them.
        tell: Called with the progress after every answer, from multiple threads.

    Raises:
        BadDate: The last day is in the future.
        NoData: A ticker has no prices in the window; NotForPastDate, VendorNotConfigured, AllVendorsFailed likewise.
        OtherRecording: The folder contains something else.
        FolderNotWritable: It can't be written, or another process is recording into it.
    """
    cutoff = cutoff_for(request.last, exchange="XNYS", now=now())
    with alone(folder):
        journal = open_journal(folder, _described(request, settings), cutoff.instant)
        recorder = _Recorder(request, settings, vendors or Vendors(settings), journal, cutoff, now, tell)
        try:
            recorder.ask_everything()
        except (NoData, NotForPastDate, VendorNotConfigured):
            if recorder.fresh:  # a mistyped ticker or vendor must not create the folder
                journal.path.unlink()
            raise
        finally:
            journal.close()
        write_folder(folder, journal, request)
        return recorder.outcome(folder)


def _described(request: Request, settings: Settings) -> dict[str, Any]:
    """Return the values that identify a recording."""
    vendors = {method: ",".join(settings.vendors_for(method, category)) for method, category in METHOD_CATEGORY.items()}
    return {
        "tickers": list(request.tickers),
        "from": request.first.isoformat(),
        "to": request.last.isoformat(),
        "universe": request.universe,
        "vendors": vendors,
        "price_history_days": settings.price_history_days,
        "global_news_lookback_days": settings.global_news_lookback_days,
        "benchmark_ticker": settings.benchmark_ticker,
        "simulated_seed": settings.simulated_seed,
    }


class _Recorder:
    """One start of a recording."""

    def __init__(
        self,
        request: Request,
        settings: Settings,
        vendors: Vendors,
        journal: Journal,
        cutoff: Cutoff,
        now: Callable[[], datetime],
        tell: Callable[[Step], None],
    ) -> None:
        self._request = request
        self._settings = settings
        self._vendors = vendors
        self._journal = journal
        self._now = now
        began = datetime.fromisoformat(journal.header["cutoff"])
        moment = Moment(opened=began) if cutoff.is_now else USUAL_MOMENT
        self._market = MarketData(settings, request.last, vendors=vendors, now=now, moment=moment)
        """Dates the rows of vendors that do not, as it does for runs."""
        self._tell = tell
        self._live = cutoff.live
        self._past: date | None = None if cutoff.live else request.last
        self._plan = Plan(request, settings, datetime.fromisoformat(journal.header["cutoff"]))
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._planned: set[Question] = set()
        self._done = self._asked = 0
        self.fresh = not any(True for _ in journal)

    def ask_everything(self) -> None:
        """Execute the whole plan, starting with requests that lead to more."""
        plan, request = self._plan, self._request
        self._ask(plan.prices(ticker) for ticker in request.tickers)
        for ticker in request.tickers:
            self._need_prices(ticker)
        self._ask(plan.profile(ticker) for ticker in request.tickers)
        profiles = [self._profile(ticker) for ticker in request.tickers]
        self._ask(question for ticker in request.tickers for question in plan.company(ticker))
        self._ask(question for profile in profiles for question in plan.peers(profile))
        valued = dict.fromkeys(peer for profile in profiles for peer in self._peers(profile)[:PEERS_VALUED])
        self._ask(question for peer in valued for question in plan.statements(peer))
        around = [symbol for profile in profiles for symbol in (*plan.around(profile), *self._peers(profile))]
        self._ask_prices(around)
        self._ask_news(profiles)
        self._ask(plan.economy())
        if self._live:
            self._ask(Question("get_fundamentals", (ticker,)) for ticker in request.tickers)
        if self._live or request.universe:
            self._ask(plan.screens())
            self._ask_prices(self._scanned())
            self._in_turn([tuple(plan.news("get_news", symbol)) for symbol in self._movers()])
            self._ask(plan.topics())
            self._ask(plan.calendars())

    def outcome(self, folder: Path) -> Recorded:
        """Return the result."""
        settled = [entry for entry in self._journal if entry.question in self._planned]
        missing = sorted(
            (entry for entry in settled if entry.outcome != "answered"),
            key=lambda entry: (entry.question.method, entry.question.subject, str(entry.question.args)),
        )
        doubts = (*doubts_in(folder), *statement_doubts(folder))
        return Recorded(folder, Counter(entry.outcome for entry in settled), self._asked, tuple(missing), doubts)

    def _need_prices(self, ticker: str) -> None:
        found = self._journal.get(self._plan.prices(ticker))
        if found is not None and found.outcome in _REFUSALS:
            raise _REFUSALS[found.outcome](f"{ticker} cannot be recorded: {found.message}")

    def _profile(self, ticker: str) -> Profile:
        """Return a ticker's profile; an unknown one is treated as a stock of an unknown sector, as in a run."""
        found = self._answer(self._plan.profile(ticker))
        return found if isinstance(found, Profile) else Profile(ticker, ticker, kind_of(ticker))

    def _peers(self, profile: Profile) -> Sequence[str]:
        return [peer for question in self._plan.peers(profile) for peer in self._answer(question) or ()]

    def _ask_prices(self, symbols: Iterable[str]) -> None:
        """Request prices and profiles: a folder distinguishes stocks from funds by their profiles."""
        wanted = tuple(dict.fromkeys(symbols))
        self._ask(question for symbol in wanted for question in (self._plan.prices(symbol), self._plan.profile(symbol)))

    def _ask_news(self, profiles: Iterable[Profile]) -> None:
        plan = self._plan
        sources, _ = candidates("get_social_posts", settings=self._settings, vendors=self._vendors, past=self._past)
        runs = [tuple(plan.news("get_global_news"))]
        runs += [tuple(plan.news("get_news", profile.symbol)) for profile in profiles]
        self._in_turn(runs)
        self._ask(question for profile in profiles for question in plan.posts(profile.symbol, sources))

    def _scanned(self) -> list[str]:
        """Return the symbols whose prices a scan reads: movers, and the companies it would consider in each sector."""
        found: list[str] = []
        for question in self._plan.screens():
            rows = self._answer(question) or ()
            if question.method == "get_industry_performance" and not self._request.universe:
                rows = heaviest(rows) or rows
            found += [row.symbol for row in rows] or PEERS.get(question.subject, ())
        return found

    def _movers(self) -> list[str]:
        """Return the symbols that moved most on the last day, up or down."""
        rows = [
            row
            for question in self._plan.screens()
            if question.method == "get_market_movers"
            for row in self._answer(question) or ()
        ]
        moved = sorted((row for row in rows if abs(row.change_pct) >= BIG_DAY), key=lambda row: -abs(row.change_pct))
        return list(dict.fromkeys(row.symbol for row in moved))[:MAX_MOVERS]

    def _answer(self, question: Question) -> Any:
        settled = self._journal.get(question)
        return settled.answer if settled else None

    def _ask(self, questions: Iterable[Question]) -> None:
        self._in_turn([(question,) for question in questions])

    def _in_turn(self, runs: Sequence[Sequence[Question]]) -> None:
        """Execute sequences of requests in parallel, each sequence in order until its source answers for today only."""
        new = [tuple(one for one in run if one not in self._planned) for run in runs]
        self._planned.update(question for run in new for question in run)
        pool = ThreadPoolExecutor(AT_ONCE)
        try:
            for _ in pool.map(self._one_run, dict.fromkeys(new)):
                pass
        except BaseException:
            self._stopped.set()
            raise
        finally:
            pool.shutdown(wait=not self._stopped.is_set(), cancel_futures=True)

    def _one_run(self, run: Sequence[Question]) -> None:
        for number, question in enumerate(run):
            if self._stopped.is_set():
                return
            settled = self._journal.get(question)
            if settled is None or not settled.final:
                settled = self._put(question)
                self._journal.add(settled)
            if settled.outcome == "today_only":
                with self._lock:
                    self._planned.difference_update(run[number + 1 :])
                self._count(question)
                return
            self._count(question)

    def _count(self, question: Question) -> None:
        with self._lock:
            self._done += 1
            step = Step(self._done, len(self._planned), f"{question.method} {question.subject}".strip())
        self._tell(step)

    def _put(self, question: Question) -> Settled:
        with self._lock:
            self._asked += 1
        try:
            if question.vendor is not None:
                answer, vendor = self._vendors.answer(question.vendor, question.method, *question.args), question.vendor
            else:
                answer, vendor = route_to_vendor(
                    question.method, *question.args, settings=self._settings, vendors=self._vendors, past=self._past
                )
        except TradingAgentsError as error:
            return Settled(question, outcome_of(error), self._now(), message=str(error))
        answer = self._market.as_known(vendor, answer, question.subject or None)
        return Settled(question, "answered", self._now(), vendor, answer=answer)
