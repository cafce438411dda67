"""Point-in-time access to vendors for one day: one request each, cut at the cut-off, recorded in the data sheet."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from tradingagents.dataflows.cutoff import USUAL_MOMENT, Moment, cutoff_for, utc_now
from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.gateway.cache import DiskCache, Question
from tradingagents.dataflows.gateway.faults import Fault, summarised
from tradingagents.dataflows.gateway.lru import Memo
from tradingagents.dataflows.gateway.router import Vendors, ask_vendors, candidates, nobody_named
from tradingagents.dataflows.gateway.validation import (
    Validated,
    another_company,
    is_series,
    newest_known,
    validate,
)
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import (
    DataError,
    NoData,
    NotForPastDate,
    NotInPlan,
    VendorDown,
    VendorNotConfigured,
    VendorUnavailable,
)
from tradingagents.settings import Settings


class Known(Protocol):
    """A row with the instant from which it was known."""

    @property
    def known_at(self) -> datetime:
        """Instant, UTC."""


K = TypeVar("K", bound=Known)
P = ParamSpec("P")
R = TypeVar("R")
AnyMethod = VendorMethod[..., Any]
MAX_PLACED = 5
"""Maximum number of invalid rows per answer to locate in the vendor's files."""
UNPLACED = ("no-trade", "stale-end", "short-history")
"""Kinds that are no error of a row, so that nobody has to find one."""
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


class PointInTimeGateway:
    """The vendors as seen from one cut-off. Thread-safe.

    Each request is sent to the chosen vendor once per run; the answer is cut at the cut-off and recorded in `sheet`.
    """

    def __init__(
        self,
        settings: Settings,
        as_of: date,
        *,
        exchange: str = "XNYS",
        vendors: Vendors | None = None,
        cache: DiskCache | None = None,
        memo: Memo | None = None,
        now: Callable[[], datetime] = utc_now,
        moment: Moment = USUAL_MOMENT,
    ) -> None:
        """Create a market for a day.

        Args:
            settings: Chooses the vendors.
            as_of: The simulated current day of the run.
            exchange: MIC of the calendar whose sessions count.
            vendors: Shared vendors; None creates them for this run.
            cache: Disk cache for answers of remote vendors; None: no disk cache.
            memo: Memory cache for final answers, shared with other runs; None: not shared.
            moment: Start of the first attempt of a resumed run, and when a past day is decided on.

        Raises:
            BadDate: See `cutoff_for`.
        """
        self.settings = settings
        self.cutoff = cutoff_for(as_of, exchange=exchange, now=now(), moment=moment)
        self.asked_at = now()
        """Creation time (UTC): used as `fetched_at` if a vendor gives none."""
        self._exchange = exchange
        self.sheet = DataSheet()
        self._vendors = vendors or Vendors(settings)
        self._cache = cache
        self.memo = memo
        self._now = now
        self._stood_in: dict[tuple[str, str], tuple[str, ...]] = {}
        """Unavailable vendors, by method and the vendor that answered instead."""
        self._able: dict[str, tuple[tuple[str, ...], Exception | None]] = {}
        self._regulator_silent = threading.Event()
        """Set once the list of filings that dates other vendors' rows can't be asked."""
        self._unusable_prices: dict[str, Prices] = {}
        """Prices that were refused as a whole, by symbol: their splits may be listed all the same."""
        self._answers: dict[tuple[object, ...], Any] = {}
        self._known_answers: dict[tuple[object, ...], tuple[Any, DataSheetRow]] = {}
        self._locks: dict[tuple[object, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def as_of(self) -> date:
        """The simulated current day of the run."""
        return self.cutoff.as_of

    def clamp(self, day: date | None) -> date:
        """Return the day, limited to the cut-off's day; that day if None."""
        return self.as_of if day is None else min(day, self.as_of)

    def end_of(self, day: date) -> datetime:
        """Return until when a window reaches that ends on `day`: midnight UTC; for the day asked for, the cut-off."""
        last = self.cutoff.instant
        return last if day >= self.as_of else min(datetime.combine(day, time.max, tzinfo=UTC), last)

    def as_of_date(self, day: date | None) -> Self:
        """Return the market as known on `day`, never later than this one. Both share one data sheet."""
        day = self.clamp(day)
        if day == self.as_of:
            return self
        earlier = type(self)(
            self.settings,
            day,
            exchange=self._exchange,
            vendors=self._vendors,
            cache=self._cache,
            memo=self.memo,
            now=self._now,
        )
        earlier.sheet, earlier._regulator_silent = self.sheet, self._regulator_silent
        return earlier

    def with_new_sheet(self) -> Self:
        """Return the same market with an empty data sheet, to record the basis of a single answer."""
        view = object.__new__(type(self))  # copy.copy takes five times as long, and a run asks for dozens
        vars(view).update(vars(self), sheet=DataSheet())
        return view

    def is_final(self, methods: Iterable[AnyMethod | str] = (Vendor.get_stock_data,)) -> bool:
        """Return whether answers can no longer change: the day is past, or their data are local."""
        return not self.cutoff.live or all(map(self.is_local, methods))

    def known_at_of(self, symbol: str, session: date) -> datetime:
        """Return when a daily bar was known: at its session's close."""
        calendar = self._calendar(symbol)
        return min(calendar.close_of(calendar.on_or_before(session)), self.cutoff.instant)

    def vendor_of(self, method: AnyMethod | str) -> str:
        """Return the vendor that answered a method; if not requested yet, the first available one.

        They differ if the first one's plan excludes the request (`NotInPlan`).

        Raises:
            VendorNotConfigured: No vendor is available.
        """
        name = self._vendors.method(method).name
        answered = next((row.vendor for row in self.sheet.rows if row.method == name), None)
        if answered is not None:
            return answered
        able, passed_over = self._candidates(method)
        if able:
            return able[0]
        raise passed_over or nobody_named(self._vendors.method(method))

    def supports(self, method: AnyMethod | str) -> bool:
        """Return whether any vendor can answer a method for this day."""
        asked = self._vendors.method(method)
        return any(self._vendors.get(name).supports(asked) for name in self._candidates(asked)[0])

    def is_local(self, method: AnyMethod | str) -> bool:
        """Return whether the method's vendor needs no network; False if no vendor is available."""
        able, _ = self._candidates(method)
        return bool(able) and self._vendors.get(able[0]).local

    def may_block(self, methods: Iterable[AnyMethod | str]) -> bool:
        """Return whether any configured vendor of these methods would be queried over a network."""
        return any(not self._vendors.get(name).local for method in methods for name in self._candidates(method)[0])

    @cached_property
    def all_local(self) -> bool:
        """Whether no method can reach a network: every configured vendor of any of them is local."""
        return not self.may_block(self._vendors.methods.values())

    def insiders_reach(self, vendor: str) -> timedelta | None:
        """Return how many days back from today a vendor's insider trades reach; None: no limit."""
        return self._vendors.get(vendor).insiders_reach

    @property
    def serves_now(self) -> bool:
        """Whether a vendor's answer was known when the run was asked for: the run is live, and its cut-off was now."""
        return self.cutoff.live and self.cutoff.is_now

    def _known(self, rows: Iterable[K]) -> list[K]:
        """Return the rows known at the cut-off: the only place where later rows are dropped."""
        return [row for row in rows if row.known_at <= self.cutoff.instant]

    @property
    def _market(self) -> Sessions:
        """The sessions whose close is the cut-off."""
        return sessions(self._exchange)

    def _calendar(self, symbol: str) -> Sessions:
        return sessions(exchange_of(symbol))

    def _candidates(self, method: AnyMethod | str) -> tuple[tuple[str, ...], Exception | None]:
        """Return the vendors available for this day, and the reason why the first of the others isn't."""
        name = method if isinstance(method, str) else method.name
        if name not in self._able:
            self._able[name] = candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)
        return self._able[name]

    def _ask(self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, str]:
        """Query the configured vendor, once per run for the same request; return the answer and the vendor."""
        key = (method.name, *args, *kwargs.items())
        return self._once(key, lambda: self._ask_vendor(method, *args, **kwargs))

    def _once(self, key: tuple[object, ...], ask: Callable[[], R]) -> R:
        """Answer a request once per run; a second concurrent caller waits for the first."""
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._answers:
                try:
                    self._answers[key] = ask()
                except (NoData, NotForPastDate) as error:
                    self._answers[key] = error
            answer = self._answers[key]
        if isinstance(answer, Exception):
            raise answer
        return answer  # type: ignore[no-any-return]

    def _ask_at(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Query one vendor by name, once per run, for requests that more than one source answers."""
        key = (name, method.name, *args, *kwargs.items())
        return self._once(key, lambda: self._sound_answer(name, method, *args, **kwargs))

    def _ask_all(
        self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> dict[str, R | DataError | VendorNotConfigured]:
        """Query every available vendor in parallel; return each one's answer or error by name.

        Raises:
            VendorNotConfigured: No vendor is available.
        """
        able, passed_over = self._candidates(method)
        if not able:
            raise passed_over or nobody_named(method)

        def one(name: str) -> R | DataError | VendorNotConfigured:
            try:
                return self._ask_at(name, method, *args, **kwargs)
            except (DataError, VendorNotConfigured) as error:
                return error

        if len(able) == 1:
            return {able[0]: one(able[0])}
        with ThreadPoolExecutor(max_workers=len(able)) as pool:
            return dict(zip(able, pool.map(one, able), strict=True))

    @property
    def _past(self) -> date | None:
        return None if self.cutoff.live else self.as_of

    def _ask_vendor(self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, str]:
        unavailable: list[str] = []

        def ask(name: str) -> R:
            try:
                return self._sound_answer(name, method, *args, **kwargs)
            except NotInPlan:
                raise
            except (VendorUnavailable, VendorNotConfigured):
                unavailable.append(name)
                raise

        answer, vendor = ask_vendors(
            method, ask, settings=self.settings, vendors=self._vendors, past=self._past, able=self._candidates(method)
        )
        if unavailable:
            self._stood_in[method.name, vendor] = tuple(unavailable)
        return answer, vendor

    def _sound_answer(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return one vendor's answer without invalid rows; the data sheet lists the removed ones.

        Raises:
            VendorDown: The prices are unusable as a whole.
        """
        vendor = self._vendors.get(name)
        asked = (*args, *kwargs.values())
        answer = self._vendors.as_altered(method, self._answer(name, method, *args, **kwargs))
        self._refuse_another_company(name, method, asked, answer)
        checked = self._checked(name, method, asked, answer)
        gaps = list(vendor.unreadable(method, *asked))
        if checked.faults:
            placed = [
                (fault, "" if fault.kind in UNPLACED else vendor.place_of(fault))
                for fault in checked.faults[:MAX_PLACED]
            ]
            placed += [(fault, "") for fault in checked.faults[MAX_PLACED:]]
            gaps += summarised(placed)
        if gaps:
            self._record_gaps(method.name, asked, name, gaps, checked.faults)
        if checked.unusable is not None:
            symbol = answer.symbol if isinstance(answer, Prices) else ""
            self._unusable_prices[symbol] = checked.answer
            raise VendorDown(
                f"{name}'s prices of {symbol} cannot be used, {checked.unusable}: {gaps[-1]} "
                f"Fix the row, name an earlier date, or choose another vendor."
            )
        return checked.answer  # type: ignore[no-any-return]

    def _refuse_another_company(self, name: str, method: AnyMethod, asked: tuple[object, ...], answer: Any) -> None:
        """Refuse an answer about another symbol than the one asked for.

        Raises:
            VendorDown: It is.
        """
        fault = another_company(answer, asked[0] if asked and isinstance(asked[0], str) else None)
        if fault is None:
            return
        self._record_gaps(method.name, asked, name, summarised([(fault, "")]), (fault,))
        raise VendorDown(f"{name}: {fault.reason} Check the symbol, or choose another vendor.")

    def _checked(self, name: str, method: AnyMethod, args: tuple[object, ...], answer: Any) -> Validated:
        """Validate an answer; one of a local vendor is checked once for all runs that know the same of it.

        A series is checked anew where a cut-off knows another bar or row of it. Rows that are each judged alone and
        valid, also those known later, are checked only once.
        """
        if self.memo is None or not (self._vendors.get(name).local and method.complete):
            return self._validated(answer)
        alone = not is_series(answer)
        known_until = () if alone else (newest_known(answer, instant=self.cutoff.instant, last=self._last(answer)),)
        key = ("sound", name, method.name, *args, *known_until)
        known: tuple[Any, Validated] | None = self.memo.get(key)
        if known is not None and known[0] is answer:
            return known[1]
        if alone and validate(answer, instant=END_OF_TIME, last=self.as_of).faults:
            return self._validated(answer)
        checked = Validated(answer) if alone else self._validated(answer)
        self.memo.put(key, (answer, checked))
        return checked

    def _validated(self, answer: Any) -> Validated:
        return validate(answer, instant=self.cutoff.instant, last=self._last(answer))

    def _last(self, answer: Any) -> date:
        """Return the last session of an answer's symbol, or else of the market, that had closed by the cut-off."""
        calendar = self._calendar(answer.symbol) if isinstance(answer, Prices) else self._market
        return calendar.last_closed(self.cutoff.instant)

    def _record_gaps(
        self, method: str, args: tuple[object, ...], vendor: str, gaps: list[str], faults: Iterable[Fault]
    ) -> None:
        symbol = next((arg for arg in args[:1] if isinstance(arg, str)), None)
        self.sheet.add(
            DataSheetRow(
                method,
                symbol,
                vendor,
                rows=0,
                fetched_at=self.asked_at,
                warnings=tuple(f"{vendor}: {gap}" for gap in gaps),
                faults=tuple(replace(fault, row=None) for fault in faults),
            )
        )

    def _answer(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return one vendor's answer, from memory, from disk or from a request; concurrent callers share it."""
        vendors, cache, values = self._vendors, self._cache, (*args, *kwargs.items())
        key = (name, method.name, *values)

        def ask() -> R:
            return vendors.ask(name, method, *args, **kwargs)

        vendor = vendors.get(name)
        if vendor.local:
            if self.memo is None or not method.complete:
                return ask()
            kept: R | None = self.memo.get(key)
            if kept is None:
                kept = ask()
                self.memo.put(key, kept)
            return kept
        # A vendor without the method raises by itself; that isn't a cache miss.
        if cache is None or not method.cached or not vendor.supports(method):
            return vendors.flights.once(key, ask)
        live = self.serves_now
        asked = tuple("cut-off" if value == self.cutoff.instant and live else value for value in values)
        question = Question(name, method, asked, self.cutoff.instant, live, self.settings.vendor_urls.get(name, ""))

        def answer() -> R:
            stored: R | None = cache.get(question, now=self._now())
            if stored is None:
                stored = ask()
                if self._validated(stored).unusable is None:  # the vendor may correct it soon
                    cache.put(question, stored, now=self._now())
            return stored

        return vendors.flights.once(question.key, answer)

    def _record_stand_in(self, method: str, subject: str, vendor: str, *, rows: int) -> None:
        """Record the answer of a substitute vendor, which otherwise enters the sheet only as part of a result."""
        if (method, vendor) in self._stood_in:
            self._record(method, subject, vendor, rows=rows, start=None, end=None, known_at=None)

    def _known_once(self, key: tuple[object, ...], method: str, work: Callable[[Self], tuple[R, DataSheetRow]]) -> R:
        """Return what was worked out for a question, once per run; of a local vendor once for all runs.

        The data sheet has its row each time it is asked: sheets of single answers have to name everything that the
        answer rests on. An error, and an answer with gaps or of a substitute vendor, is worked out anew by each run.

        Args:
            key: The question.
            method: The vendor method that answers it.
            work: Works it out from the market that it is given.
        """
        known: tuple[R, DataSheetRow] | None = self._known_answers.get(key)
        if known is None:
            memo, shared = self.memo if self.is_local(method) else None, (*key, self.cutoff)
            known = memo.get(shared) if memo is not None else None
            if known is None:
                known, sound = self._worked_out(work)
                if memo is not None and sound and not known[1].instead_of:
                    memo.put(shared, known)
            self._known_answers[key] = known
        self.sheet.add(known[1])
        return known[0]

    def _worked_out(self, work: Callable[[Self], tuple[R, DataSheetRow]]) -> tuple[tuple[R, DataSheetRow], bool]:
        """Return what work gives, and whether it met no gaps; the data sheet lists those it met."""
        view = self.with_new_sheet()
        try:
            return work(view), not view.sheet.rows
        finally:
            for row in view.sheet.rows:
                self.sheet.add(row)

    def _record(self, *args: Any, **kwargs: Any) -> None:
        """Add a row to the data sheet; arguments as for `_row`."""
        self.sheet.add(self._row(*args, **kwargs))

    def _row(
        self,
        method: str,
        symbol: str | None,
        vendor: str,
        *,
        rows: int,
        start: date | None,
        end: date | None,
        known_at: datetime | None,
        fetched_at: datetime | None = None,
    ) -> DataSheetRow:
        return DataSheetRow(
            method=method,
            symbol=symbol,
            vendor=vendor,
            rows=rows,
            fetched_at=fetched_at or self.asked_at,
            start=start,
            end=end,
            known_at=known_at,
            instead_of=self._stood_in.get((method, vendor), ()),
        )
