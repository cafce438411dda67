"""`Door`: how the vendors are asked on behalf of one day: once, cut at the cut-off, entered in the data sheet."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any, Protocol, Self, TypeVar

from tradingagents.dataflows.cutoff import cutoff_for, utc_now
from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.gateway.cache import DiskCache, Question
from tradingagents.dataflows.gateway.faults import summarised
from tradingagents.dataflows.gateway.lru import Memo
from tradingagents.dataflows.gateway.validation import Validated, validate
from tradingagents.dataflows.interface import METHOD_CATEGORY, Vendors, ask_vendors, candidates, vendor_method
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
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
    """A row that knows when it became known."""

    @property
    def known_at(self) -> datetime:
        """Instant, UTC."""


K = TypeVar("K", bound=Known)
MOST_PLACED = 5
"""Most faulty rows of one answer that are looked for in the vendor's files."""
KEPT_OF_LOCAL_VENDORS = frozenset({"get_stock_data", "get_statements", "get_insider_transactions"})
"""Methods of which a vendor on this machine gives all it has, whatever the day: the answer holds for every run."""
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


class Door:
    """The vendors, seen from one cut-off. Safe to use from several threads.

    Every answer is asked of the chosen vendor once per run, cut at the cut-off, and entered in `sheet`.
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
        opened: datetime | None = None,
    ) -> None:
        """Bind the market to a day.

        Args:
            settings: Chooses the vendors.
            as_of: The day the run pretends it is.
            exchange: MIC of the calendar whose close is the cut-off.
            vendors: Shared vendors; None makes this run's own.
            cache: Where answers of remote vendors are kept; None keeps none beyond the run.
            memo: Where answers that cannot change are shared with other runs; None shares none.
            now: The clock.
            opened: When a run that goes on was first asked for; see `cutoff_for`.

        Raises:
            BadDate: See `cutoff_for`.
        """
        self.settings = settings
        self.cutoff = cutoff_for(as_of, exchange=exchange, now=now(), opened=opened)
        self.asked_at = now()
        """When this market was opened: what stands as `fetched_at` where a vendor gives none, UTC."""
        self._exchange = exchange
        self.sheet = DataSheet()
        self._vendors = vendors or Vendors(settings)
        self._cache = cache
        self.memo = memo
        self._now = now
        self._stood_in: dict[tuple[str, str], tuple[str, ...]] = {}
        """Who was unavailable, by method and the vendor that answered instead."""
        self._answers: dict[tuple[object, ...], Any] = {}
        self._locks: dict[tuple[object, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def as_of(self) -> date:
        """The day the run pretends it is."""
        return self.cutoff.as_of

    def clamp(self, day: date | None) -> date:
        """Return the day, or the day of the cut-off where it lies beyond (or is None)."""
        return self.as_of if day is None else min(day, self.as_of)

    def at(self, day: date | None) -> Self:
        """Return the market as it was known at `day`: never later than this one. Both enter one data sheet."""
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
        earlier.sheet = self.sheet
        return earlier

    def apart(self) -> Self:
        """Return the same market with a data sheet of its own, so that what one answer stands on can be told."""
        view = copy.copy(self)
        view.sheet = DataSheet()
        return view

    @property
    def settled(self) -> bool:
        """Whether an answer as of the cut-off stays the same: the day is past, or the data are local."""
        return not self.cutoff.live or self.is_local("get_stock_data")

    def known_at_of(self, symbol: str, session: date) -> datetime:
        """Return when a daily bar became known: at its session's close."""
        calendar = self._calendar(symbol)
        return min(calendar.close_of(calendar.on_or_before(session)), self.cutoff.instant)

    def vendor_of(self, method: str) -> str:
        """Return the vendor that answered a method; where it has not been asked, the first that can be asked.

        They differ where the first one's plan does not include the question (`NotInPlan`).

        Raises:
            NotForPastDate, VendorNotConfigured: None can.
        """
        answered = next((row.vendor for row in self.sheet.rows if row.method == method), None)
        if answered is not None:
            return answered
        able, passed_over = candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)
        if able:
            return able[0]
        raise passed_over or VendorNotConfigured(f"No vendor is named for {method}; choose one in tool_vendors.")

    def can(self, method: str) -> bool:
        """Tell whether some vendor can be asked a method at all, for this day."""
        able, _ = candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)
        return any(self._vendors.get(name).can(vendor_method(method)) for name in able)

    def is_local(self, method: str) -> bool:
        """Tell whether the method's vendor answers without a network; where none can be asked, it does not."""
        able, _ = candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)
        return bool(able) and self._vendors.get(able[0]).local

    @cached_property
    def all_local(self) -> bool:
        """Whether no question can reach a network: every vendor that settings choose for any of them is local."""
        return all(
            self._vendors.get(name).local
            for method in METHOD_CATEGORY
            for name in candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)[0]
        )

    def insiders_reach(self, vendor: str) -> timedelta | None:
        """Return how far back from today a vendor's insider trades go; None: as far as there are any."""
        return self._vendors.get(vendor).insiders_reach

    def _known(self, rows: Iterable[K]) -> list[K]:
        """Keep what was known at the cut-off: the one place where later rows are dropped."""
        return [row for row in rows if row.known_at <= self.cutoff.instant]

    @property
    def _market(self) -> Sessions:
        """The sessions whose close is the cut-off."""
        return sessions(self._exchange)

    def _calendar(self, symbol: str) -> Sessions:
        return sessions(exchange_of(symbol))

    def _ask(self, method: str, *args: Any) -> tuple[Any, str]:
        """Ask the vendor that settings choose, once per run for the same question."""
        return self._once((method, *args), lambda: self._ask_vendor(method, *args))  # type: ignore[no-any-return]

    def _once(self, key: tuple[object, ...], ask: Callable[[], Any]) -> Any:
        """Answer a question once per run; a second asker of an open question waits for the first."""
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
        return answer

    def _ask_at(self, name: str, method: str, *args: Any) -> Any:
        """Ask one vendor by name, once per run: for questions that more than one source answers together."""
        return self._once((name, method, *args), lambda: self._sound_answer(name, method, *args))

    def _ask_all(self, method: str, *args: Any) -> dict[str, Any]:
        """Ask every vendor that can be asked, side by side, and return by name what each answered, or why it did not.

        Raises:
            NotForPastDate, VendorNotConfigured: None can be asked.
        """
        able, passed_over = candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)
        if not able:
            raise passed_over or VendorNotConfigured(f"No vendor is named for {method}; choose one in tool_vendors.")

        def one(name: str) -> Any:
            try:
                return self._ask_at(name, method, *args)
            except (DataError, VendorNotConfigured) as error:
                return error

        if len(able) == 1:
            return {able[0]: one(able[0])}
        with ThreadPoolExecutor(max_workers=len(able)) as pool:
            return dict(zip(able, pool.map(one, able), strict=True))

    @property
    def _past(self) -> date | None:
        return None if self.cutoff.live else self.as_of

    def _ask_vendor(self, method: str, *args: Any) -> tuple[Any, str]:
        unavailable: list[str] = []

        def ask(name: str, *question: Any) -> Any:
            try:
                return self._sound_answer(name, *question)
            except NotInPlan:
                raise
            except (VendorUnavailable, VendorNotConfigured):
                unavailable.append(name)
                raise

        answer, vendor = ask_vendors(
            method, *args, settings=self.settings, vendors=self._vendors, past=self._past, ask=ask
        )
        if unavailable:
            self._stood_in[method, vendor] = tuple(unavailable)
        return answer, vendor

    def _sound_answer(self, name: str, method: str, *args: Any) -> Any:
        """Return one vendor's answer without the rows that cannot be; the data sheet says which were left out.

        Raises:
            VendorDown: Prices that cannot be used as a whole.
        """
        answer, vendor = self._answer(name, method, *args), self._vendors.get(name)
        checked = self._checked(name, method, args, answer)
        gaps = list(vendor.unreadable(vendor_method(method), *args))
        if checked.faults:
            placed = [(fault, vendor.place_of(fault)) for fault in checked.faults[:MOST_PLACED]]
            placed += [(fault, "") for fault in checked.faults[MOST_PLACED:]]
            gaps += summarised(placed)
        if gaps:
            self._record_gaps(method, args, name, gaps)
        if checked.unusable is not None:
            raise VendorDown(
                f"{name}'s prices of {answer.symbol} cannot be used, {checked.unusable}: {gaps[-1]} "
                f"Mend the row, name an earlier date, or choose another vendor."
            )
        return checked.answer

    def _checked(self, name: str, method: str, args: tuple[Any, ...], answer: Any) -> Validated:
        """Validate an answer; one of a local vendor that is sound to its last row is looked through only once."""
        kept = self._vendors.get(name).local and vendor_method(method) in KEPT_OF_LOCAL_VENDORS
        if self.memo is None or not kept or isinstance(answer, Prices):
            return self._validated(answer)
        key = ("sound", name, method, *args)
        if self.memo.get(key) is answer:
            return Validated(answer)
        if not validate(answer, instant=END_OF_TIME, last=self.as_of).faults:
            self.memo.put(key, answer)
            return Validated(answer)
        return self._validated(answer)

    def _validated(self, answer: Any) -> Validated:
        calendar = self._calendar(answer.symbol) if isinstance(answer, Prices) else self._market
        return validate(answer, instant=self.cutoff.instant, last=calendar.last_closed(self.cutoff.instant))

    def _record_gaps(self, method: str, args: tuple[Any, ...], vendor: str, gaps: list[str]) -> None:
        symbol = next((arg for arg in args[:1] if isinstance(arg, str)), None)
        self.sheet.add(
            DataSheetRow(
                method,
                symbol,
                vendor,
                rows=0,
                fetched_at=self.asked_at,
                warnings=tuple(f"{vendor}: {gap}" for gap in gaps),
            )
        )

    def _answer(self, name: str, method: str, *args: Any) -> Any:
        """Return one vendor's answer: from memory or disk, or asked, by one asker at a time."""
        vendors, cache = self._vendors, self._cache
        if vendors.get(name).local:
            if self.memo is None or vendor_method(method) not in KEPT_OF_LOCAL_VENDORS:
                return vendors.ask(name, method, *args)
            kept = self.memo.get((name, method, *args))
            if kept is None:
                kept = vendors.ask(name, method, *args)
                self.memo.put((name, method, *args), kept)
            return kept
        # A vendor without the method says so itself: that is no answer to look for, and no miss.
        if cache is None or method == "get_peers" or not vendors.get(name).can(vendor_method(method)):
            return vendors.flights.once((name, method, *args), lambda: vendors.ask(name, method, *args))
        live = self.cutoff.live
        asked = tuple("cut-off" if arg == self.cutoff.instant and live else arg for arg in args)
        question = Question(name, method, asked, self.cutoff.instant, live, self.settings.vendor_urls.get(name, ""))

        def answer() -> Any:
            stored = cache.get(question, now=self._now())
            if stored is None:
                stored = vendors.ask(name, method, *args)
                if self._validated(stored).unusable is None:  # the vendor may mend it soon
                    cache.put(question, stored, now=self._now())
            return stored

        return vendors.flights.once(question.key, answer)

    def _record_stand_in(self, method: str, subject: str, vendor: str, *, rows: int) -> None:
        """Enter an answer that otherwise enters the sheet as part of a result only, where a stand-in gave it."""
        if (method, vendor) in self._stood_in:
            self._record(method, subject, vendor, rows=rows, start=None, end=None, known_at=None)

    def _record(
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
    ) -> None:
        self.sheet.add(
            DataSheetRow(
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
        )
