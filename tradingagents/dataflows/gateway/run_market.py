"""`RunMarket`: what a run is bound to and asks through: a moment, the source of its data, and the data sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from tradingagents.dataflows.cutoff import USUAL_MOMENT, Moment, cutoff_for, utc_now
from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.gateway.cache import DiskCache, Memo
from tradingagents.dataflows.gateway.router import Vendors, nobody_named
from tradingagents.dataflows.gateway.source import REGULATOR, RunSource, dated
from tradingagents.dataflows.gateway.wrappers import PointInTime
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.settings import Settings

P = ParamSpec("P")
R = TypeVar("R")
K = TypeVar("K")
M = TypeVar("M", bound="RunMarket")
AnyMethod = VendorMethod[..., Any]
MOST_AT_ONCE = 16
"""Most questions put to a remote vendor at the same time; its own limits hold beneath."""


class RunMarket:
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
            now: The clock, UTC.
            moment: Start of the first attempt of a resumed run, and when a past day is decided on.

        Raises:
            BadDate: See `cutoff_for`.
        """
        self.settings = settings
        self.cutoff = cutoff_for(as_of, exchange=exchange, now=now(), moment=moment)
        self.at = PointInTime(self.cutoff, exchange, now)
        self.asked_at = now()
        """Creation time (UTC): used as `fetched_at` if a vendor gives none."""
        self.memo = memo
        self.sheet = DataSheet()
        self._vendors = vendors or Vendors(settings)
        self.source = RunSource(
            settings,
            self.at,
            vendors=self._vendors,
            cache=cache,
            memo=memo,
            sheet=self.sheet,
            asked_at=self.asked_at,
        )
        self.worked_out: dict[tuple[object, ...], tuple[Any, DataSheetRow]] = {}
        """Results of `worked_out_once` with their rows of the data sheet, by question."""
        self.gaps_of: dict[tuple[object, ...], tuple[DataSheetRow, ...]] = {}
        """What else the data sheet says of them: what was wrong with a vendor's answer."""

    @property
    def as_of(self) -> date:
        """The simulated current day of the run."""
        return self.cutoff.as_of

    @property
    def serves_now(self) -> bool:
        """Whether a vendor's answer was known when the run was asked for: the run is live, and its cut-off was now."""
        return self.at.serves_now

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
            exchange=self.at.exchange,
            vendors=self._vendors,
            cache=self.source.cache,
            memo=self.memo,
            now=self.at.now,
        )
        earlier.sheet = earlier.source.sheet = self.sheet
        earlier.source.regulator_silent = self.source.regulator_silent
        return earlier

    def with_new_sheet(self) -> Self:
        """Return the same market with an empty data sheet, to record the basis of a single answer."""
        view, sheet = object.__new__(type(self)), DataSheet()  # as `RunSource.with_sheet`
        vars(view).update(vars(self), sheet=sheet, source=self.source.with_sheet(sheet))
        return view

    def is_final(self, methods: Iterable[AnyMethod | str] = (Vendor.get_stock_data,)) -> bool:
        """Return whether answers can no longer change: the day is past, or their data are local."""
        return not self.cutoff.live or all(map(self.is_local, methods))

    def known_at_of(self, symbol: str, session: date) -> datetime:
        """Return when a daily bar was known: at its session's close."""
        calendar = self._calendar(symbol)
        return min(calendar.close_of(calendar.on_or_before(session)), self.cutoff.instant)

    def as_known(self, vendor: str, answer: R, symbol: str | None) -> R:
        """Return a vendor's own answer, dated; those of a local vendor and of EDGAR as they are.

        Args:
            vendor: Its name.
            answer: What it gave.
            symbol: What the answer is about; None for anything but a symbol.
        """
        if self._vendors.get(vendor).local or vendor == REGULATOR:
            return answer
        return dated(self.source, answer, symbol)

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
        able, passed_over = self.source.candidates(method)
        if able:
            return able[0]
        raise passed_over or nobody_named(self._vendors.method(method))

    def supports(self, method: AnyMethod | str) -> bool:
        """Return whether any vendor can answer a method for this day."""
        wanted = self._vendors.method(method)
        return any(self._vendors.get(name).supports(wanted) for name in self.source.candidates(wanted)[0])

    def is_local(self, method: AnyMethod | str) -> bool:
        """Return whether the method's vendor needs no network; False if no vendor is available."""
        able, _ = self.source.candidates(method)
        return bool(able) and self._vendors.get(able[0]).local

    def is_free_beside(self, method: AnyMethod | str) -> bool:
        """Return whether one kind of statements costs nothing once another is known."""
        able, _ = self.source.candidates(method)
        if not able:
            return False
        vendor = self._vendors.get(able[0])
        return vendor.local or vendor.statements_together

    def of_each(self, keys: Sequence[K], ask: Callable[[K], R], method: AnyMethod | str) -> dict[K, R]:
        """Return an answer for each key, in their order; a remote vendor is asked for several at a time.

        Args:
            keys: Such as symbols, each once.
            ask: Gives the answer for one; called in threads where the vendor is remote.
            method: The method that it asks.
        """
        if len(keys) < 2 or self.is_local(method):
            return {key: ask(key) for key in keys}
        with ThreadPoolExecutor(max_workers=min(len(keys), MOST_AT_ONCE)) as pool:
            return dict(zip(keys, pool.map(ask, keys), strict=True))

    def may_block(self, methods: Iterable[AnyMethod | str]) -> bool:
        """Return whether any configured vendor of these methods would be queried over a network."""
        return any(
            not self._vendors.get(name).local for method in methods for name in self.source.candidates(method)[0]
        )

    @cached_property
    def all_local(self) -> bool:
        """Whether no method can reach a network: every configured vendor of any of them is local."""
        return not self.may_block(self._vendors.methods.values())

    def insiders_reach(self, vendor: str) -> timedelta | None:
        """Return how many days back from today a vendor's insider trades reach; None: no limit."""
        return self._vendors.get(vendor).insiders_reach

    def _calendar(self, symbol: str) -> Sessions:
        return sessions(exchange_of(symbol))

    def _record_stand_in(self, method: str, subject: str, vendor: str, *, rows: int) -> None:
        """Record the answer of a substitute vendor, which otherwise enters the sheet only as part of a result."""
        if (method, vendor) in self.source.stood_in:
            self._record(method, subject, vendor, rows=rows, start=None, end=None, known_at=None)

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
            instead_of=self.source.stood_in.get((method, vendor), ()),
        )


def worked_out_once(work: Callable[Concatenate[M, P], tuple[R, DataSheetRow]]) -> Callable[Concatenate[M, P], R]:
    """Make a method, which returns a result with its row of the data sheet, work out each question once per run.

    Of a local vendor, once for all runs. The data sheet has the row, and its gaps, each time: sheets of single answers
    have to name everything that the answer rests on. An error, and an answer with gaps or of a substitute vendor, is
    worked out anew by each run.
    """

    @wraps(work)
    def result(market: M, /, *args: P.args, **kwargs: P.kwargs) -> R:
        key, memo = (work.__name__, *args, *kwargs.items()), market.memo
        known: tuple[R, DataSheetRow] | None = market.worked_out.get(key)
        if known is None and memo is not None:
            known = memo.get((*key, market.cutoff))
        if known is None:
            view = market.with_new_sheet()
            try:
                known = work(view, *args, **kwargs)
            finally:
                market.gaps_of[key] = view.sheet.rows
                for gap in view.sheet.rows:
                    market.sheet.add(gap)
            lasting = not view.sheet.rows and not known[1].instead_of
            if memo is not None and lasting and market.is_local(known[1].method):
                memo.put((*key, market.cutoff), known)
        else:
            for gap in market.gaps_of.get(key, ()):
                market.sheet.add(gap)
        market.worked_out[key] = known
        market.sheet.add(known[1])
        return known[0]

    return result
