"""Asks vendors on behalf of one day: each question once, cut at the cut-off, and recorded in the data sheet."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from typing import Any, ParamSpec, Protocol, Self, TypeVar

from tradingagents.dataflows.cutoff import cutoff_for, utc_now
from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.gateway.cache import DiskCache, Question
from tradingagents.dataflows.gateway.faults import summarised
from tradingagents.dataflows.gateway.lru import Memo
from tradingagents.dataflows.gateway.router import Vendors, ask_vendors, candidates, nobody_named
from tradingagents.dataflows.gateway.validation import Validated, validate
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
    """A row that knows when it became known."""

    @property
    def known_at(self) -> datetime:
        """Instant, UTC."""


K = TypeVar("K", bound=Known)
P = ParamSpec("P")
R = TypeVar("R")
AnyMethod = VendorMethod[..., Any]
MOST_PLACED = 5
"""Most faulty rows of one answer that are looked for in the vendor's files."""
END_OF_TIME = datetime.max.replace(tzinfo=UTC)


class PointInTimeGateway:
    """The vendors, seen from one cut-off. Safe to use from several threads.

    Every question is put to the chosen vendor once per run; the answer is cut at the cut-off and recorded in `sheet`.
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

    def as_of_date(self, day: date | None) -> Self:
        """Return the market as it was known at `day`, never later than this one. Both share one data sheet."""
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

    def with_new_sheet(self) -> Self:
        """Return the same market with an empty data sheet, which then shows what a single answer is based on."""
        view = copy.copy(self)
        view.sheet = DataSheet()
        return view

    def is_final(self, methods: Iterable[AnyMethod | str] = (Vendor.get_stock_data,)) -> bool:
        """Tell whether answers as of the cut-off no longer change: the day is past, or their data are local."""
        return not self.cutoff.live or all(map(self.is_local, methods))

    def known_at_of(self, symbol: str, session: date) -> datetime:
        """Return when a daily bar became known: at its session's close."""
        calendar = self._calendar(symbol)
        return min(calendar.close_of(calendar.on_or_before(session)), self.cutoff.instant)

    def vendor_of(self, method: AnyMethod | str) -> str:
        """Return the vendor that answered a method; where it has not been asked, the first that can be asked.

        They differ where the first one's plan does not include the question (`NotInPlan`).

        Raises:
            NotForPastDate, VendorNotConfigured: None can.
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
        """Tell whether some vendor can be asked a question at all, for this day."""
        asked = self._vendors.method(method)
        return any(self._vendors.get(name).supports(asked) for name in self._candidates(asked)[0])

    def is_local(self, method: AnyMethod | str) -> bool:
        """Tell whether the question's vendor answers without a network; False where none can be asked."""
        able, _ = self._candidates(method)
        return bool(able) and self._vendors.get(able[0]).local

    def may_block(self, methods: Iterable[AnyMethod | str]) -> bool:
        """Tell whether any vendor that settings choose for one of these questions would be asked over a network."""
        return any(not self._vendors.get(name).local for method in methods for name in self._candidates(method)[0])

    @cached_property
    def all_local(self) -> bool:
        """Whether no question can reach a network: every vendor that settings choose for any of them is local."""
        return not self.may_block(self._vendors.methods.values())

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

    def _candidates(self, method: AnyMethod | str) -> tuple[tuple[str, ...], Exception | None]:
        """Return the vendors that can be asked a question for this day, and why the first of the others cannot."""
        return candidates(method, settings=self.settings, vendors=self._vendors, past=self._past)

    def _ask(self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, str]:
        """Ask the vendor that settings choose, once per run for the same question; return who answered too."""
        key = (method.name, *args, *kwargs.items())
        return self._once(key, lambda: self._ask_vendor(method, *args, **kwargs))

    def _once(self, key: tuple[object, ...], ask: Callable[[], R]) -> R:
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
        return answer  # type: ignore[no-any-return]

    def _ask_at(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Ask one vendor by name, once per run: for questions that more than one source answers together."""
        key = (name, method.name, *args, *kwargs.items())
        return self._once(key, lambda: self._sound_answer(name, method, *args, **kwargs))

    def _ask_all(
        self, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> dict[str, R | DataError | VendorNotConfigured]:
        """Ask every vendor that can be asked, side by side, and return by name what each answered, or why it did not.

        Raises:
            NotForPastDate, VendorNotConfigured: None can be asked.
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

        answer, vendor = ask_vendors(method, ask, settings=self.settings, vendors=self._vendors, past=self._past)
        if unavailable:
            self._stood_in[method.name, vendor] = tuple(unavailable)
        return answer, vendor

    def _sound_answer(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return one vendor's answer without impossible rows; the data sheet says which were left out.

        Raises:
            VendorDown: Prices that cannot be used as a whole.
        """
        answer, vendor = self._answer(name, method, *args, **kwargs), self._vendors.get(name)
        asked = (*args, *kwargs.values())
        checked = self._checked(name, method, asked, answer)
        gaps = list(vendor.unreadable(method, *asked))
        if checked.faults:
            placed = [(fault, vendor.place_of(fault)) for fault in checked.faults[:MOST_PLACED]]
            placed += [(fault, "") for fault in checked.faults[MOST_PLACED:]]
            gaps += summarised(placed)
        if gaps:
            self._record_gaps(method.name, asked, name, gaps)
        if checked.unusable is not None:
            symbol = answer.symbol if isinstance(answer, Prices) else ""
            raise VendorDown(
                f"{name}'s prices of {symbol} cannot be used, {checked.unusable}: {gaps[-1]} "
                f"Mend the row, name an earlier date, or choose another vendor."
            )
        return checked.answer  # type: ignore[no-any-return]

    def _checked(self, name: str, method: AnyMethod, args: tuple[object, ...], answer: Any) -> Validated:
        """Validate an answer; one of a local vendor that is sound to its last row is looked through only once."""
        kept = self._vendors.get(name).local and method.complete
        if self.memo is None or not kept or isinstance(answer, Prices):
            return self._validated(answer)
        key = ("sound", name, method.name, *args)
        if self.memo.get(key) is answer:
            return Validated(answer)
        if not validate(answer, instant=END_OF_TIME, last=self.as_of).faults:
            self.memo.put(key, answer)
            return Validated(answer)
        return self._validated(answer)

    def _validated(self, answer: Any) -> Validated:
        calendar = self._calendar(answer.symbol) if isinstance(answer, Prices) else self._market
        return validate(answer, instant=self.cutoff.instant, last=calendar.last_closed(self.cutoff.instant))

    def _record_gaps(self, method: str, args: tuple[object, ...], vendor: str, gaps: list[str]) -> None:
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

    def _answer(self, name: str, method: VendorMethod[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Return one vendor's answer: from memory or disk, or asked, by one asker at a time."""
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
        # A vendor without the method says so itself: that is no answer to look for, and no miss.
        if cache is None or not method.cached or not vendor.supports(method):
            return vendors.flights.once(key, ask)
        live = self.cutoff.live
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
