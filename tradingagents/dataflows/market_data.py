"""`MarketData`: the only door to the vendors. Bound to one day, it lets nothing through that was known only later."""

from __future__ import annotations

import copy
import threading
from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Protocol, TypeVar

from tradingagents.dataflows.cache import DiskCache, cache_key
from tradingagents.dataflows.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.cutoff import cutoff_for, utc_now
from tradingagents.dataflows.data_sheet import DataSheet, DataSheetRow
from tradingagents.dataflows.instrument import BENCHMARKS, Instrument
from tradingagents.dataflows.interface import METHOD_CATEGORY, VENDOR_METHOD, Vendors, route_to_vendor
from tradingagents.dataflows.memo import Memo
from tradingagents.dataflows.rows import (
    Frequency,
    InsiderTransaction,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.sectors import SECTOR_ETF
from tradingagents.dataflows.symbols import normalise
from tradingagents.errors import NoData, NotForPastDate
from tradingagents.settings import Settings

STALE_AFTER = timedelta(days=10)
"""Prices whose last bar is older than this before the session are no prices of that session. The longest closure of
the exchanges served (Shanghai's new-year and golden weeks) stays below it."""

STATEMENT_METHOD = {"income": "get_income_statement", "balance": "get_balance_sheet", "cashflow": "get_cashflow"}
T = TypeVar("T")


class Known(Protocol):
    """A row that knows when it became known."""

    @property
    def known_at(self) -> datetime:
        """Instant, UTC."""


K = TypeVar("K", bound=Known)


class MarketData:
    """The market as it was known at one cut-off. One per run; safe to use from several threads.

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

        Raises:
            BadDate: See `cutoff_for`.
        """
        self.settings = settings
        self.cutoff = cutoff_for(as_of, exchange=exchange, now=now())
        self.asked_at = now()
        """When this market was opened: what stands as `fetched_at` where a vendor gives none, UTC."""
        self._exchange = exchange
        self.sheet = DataSheet()
        self._vendors = vendors or Vendors(settings)
        self._cache = cache
        self.memo = memo
        self._now = now
        self._answers: dict[tuple[object, ...], tuple[Any, str] | Exception] = {}
        self._locks: dict[tuple[object, ...], threading.Lock] = {}
        self._lock = threading.Lock()

    @property
    def as_of(self) -> date:
        """The day the run pretends it is."""
        return self.cutoff.as_of

    def clamp(self, day: date | None) -> date:
        """Return the day, or the day of the cut-off where it lies beyond (or is None)."""
        return self.as_of if day is None else min(day, self.as_of)

    def at(self, day: date | None) -> MarketData:
        """Return the market as it was known at `day`: never later than this one. Both enter one data sheet."""
        day = self.clamp(day)
        if day == self.as_of:
            return self
        earlier = MarketData(
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

    def apart(self) -> MarketData:
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

    def prices(self, symbol: str, *, method: str = "get_stock_data", days: int | None = None) -> Prices:
        """Return the daily bars known at the cut-off, as traded then, oldest first.

        Args:
            symbol: Any spelling.
            method: The tool method whose vendor is asked.
            days: Calendar days back from the cut-off; None: `price_history_days`.

        Raises:
            NoData: No bars, or the last one is more than ten days older than the session.
        """
        symbol = normalise(symbol)
        last = self._calendar(symbol).last_closed(self.cutoff.instant)
        first = last - timedelta(days=days or self.settings.price_history_days)
        bars, vendor = self._ask(method, symbol, first, last)
        known: Prices = bars.upto(last).since(first).as_traded(last)
        if not len(known):
            raise NoData(f"{vendor} has no prices of {symbol} up to {last}; check the symbol and the date.")
        newest = known.days[-1].item()
        if last - newest > STALE_AFTER:
            raise NoData(
                f"{vendor}'s prices of {symbol} end on {newest}, too old for {last}; "
                f"name an earlier date or another vendor."
            )
        self._record(
            method,
            symbol,
            vendor,
            rows=len(known),
            fetched_at=known.fetched_at,
            start=known.days[0].item(),
            end=newest,
            known_at=self.known_at_of(symbol, newest),
        )
        return known

    def profile(self, symbol: str) -> Profile:
        """Return who the symbol is.

        Raises:
            NoData: The vendor does not know the symbol.
        """
        profile, _ = self._ask("get_profile", normalise(symbol))
        return profile  # type: ignore[no-any-return]

    def instrument(self, symbol: str) -> Instrument:
        """Resolve who a ticker is; where no profile is to be had, the symbol stands for the name."""
        symbol = normalise(symbol)
        try:
            profile = self.profile(symbol)
        except NoData:
            profile = Profile(symbol=symbol, name=symbol, kind="stock")
        exchange = profile.exchange or exchange_of(symbol)
        benchmark = self.settings.benchmark_ticker or BENCHMARKS.get(exchange, "SPY")
        return Instrument(
            symbol=symbol,
            name=profile.name,
            kind=profile.kind,
            sector=profile.sector,
            industry=profile.industry,
            exchange=exchange,
            currency=profile.currency,
            benchmark=None if benchmark == symbol else benchmark,
            sector_etf=SECTOR_ETF.get(profile.sector) if profile.sector else None,
        )

    def peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        """Return comparable companies, most comparable first."""
        found, _ = self._ask("get_peers", normalise(symbol), sector)
        return tuple(found)

    def statements(self, symbol: str, kind: StatementKind, freq: Frequency = "quarterly") -> tuple[Statement, ...]:
        """Return the statements filed by the cut-off, newest period first; of one period, the latest version filed.

        Raises:
            NoData: The vendor has none of this symbol, or none had been filed.
        """
        symbol, method = normalise(symbol), STATEMENT_METHOD[kind]
        found, vendor = self._ask(method, symbol, kind, freq)
        by_period: dict[date, Statement] = {}
        for statement in sorted(self._known(found), key=lambda row: row.known_at):
            by_period[statement.period_end] = statement
        known = tuple(sorted(by_period.values(), key=lambda row: row.period_end, reverse=True))
        if not known:
            raise NoData(
                f"{vendor} has no {freq} {kind} statement of {symbol} filed by {self.cutoff.session}; "
                f"go on without, or choose another vendor."
            )
        self._record(
            method,
            symbol,
            vendor,
            rows=len(known),
            start=known[-1].period_end,
            end=known[0].period_end,
            known_at=max(row.known_at for row in known),
        )
        return known

    def ratios(self, symbol: str) -> Ratios:
        """Return the vendor's own ratios of today.

        Raises:
            NotForPastDate: The cut-off is a past day, of which the source knows nothing.
        """
        if not self.cutoff.live:
            raise NotForPastDate(
                f"A vendor's ratios exist for today only, not for {self.as_of}; compute them from statements."
            )
        ratios, _ = self._ask("get_fundamentals", normalise(symbol))
        return ratios  # type: ignore[no-any-return]

    def news(self, symbol: str, start: date, end: date) -> tuple[NewsItem, ...]:
        """Return a company's articles of the days [start, end] known at the cut-off, newest first; () for none.

        Raises:
            NoData: The vendor has no news of this symbol at all.
            NotForPastDate: The vendor's feed does not reach back to the window.
        """
        symbol = normalise(symbol)
        return self._articles("get_news", (symbol,), symbol, start, end)

    def global_news(self, start: date, end: date) -> tuple[NewsItem, ...]:
        """Return market articles of the days [start, end] known at the cut-off, newest first; () for none."""
        return self._articles("get_global_news", (), None, start, end)

    def insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return insider trades reported by the cut-off, newest first; () for none.

        Raises:
            NoData: The vendor does not cover the symbol.
        """
        symbol = normalise(symbol)
        found, vendor = self._ask("get_insider_transactions", symbol)
        known = tuple(
            sorted(self._known(found), key=lambda row: (row.transaction_date, row.known_at, row.insider), reverse=True)
        )
        self._record(
            "get_insider_transactions",
            symbol,
            vendor,
            rows=len(known),
            start=known[-1].transaction_date if known else None,
            end=known[0].transaction_date if known else None,
            known_at=max((row.known_at for row in known), default=None),
        )
        return known

    def vendor_of(self, method: str) -> str:
        """Return the vendor that is asked first for a method: the only one, unless the method may fall back."""
        return self.settings.vendors_for(method, METHOD_CATEGORY[method])[0]

    def is_local(self, method: str) -> bool:
        """Tell whether the method's vendor answers without a network."""
        return self._vendors.get(self.vendor_of(method)).local

    def _articles(
        self, method: str, subject: tuple[str, ...], symbol: str | None, start: date, end: date
    ) -> tuple[NewsItem, ...]:
        end = self.clamp(end)
        since = datetime.combine(min(start, end), time.min, tzinfo=UTC)
        until = min(datetime.combine(end, time.max, tzinfo=UTC), self.cutoff.instant)
        found, vendor = self._ask(method, *subject, since, until)
        known = tuple(row for row in self._known(found) if since <= row.published_at <= until)
        known = tuple(sorted(known, key=lambda row: (row.published_at, row.title), reverse=True))
        self._record(
            method,
            symbol,
            vendor,
            rows=len(known),
            start=since.date(),
            end=until.date(),
            known_at=max((row.known_at for row in known), default=None),
        )
        return known

    def _known(self, rows: Iterable[K]) -> list[K]:
        """Keep what was known at the cut-off: the one place where later rows are dropped."""
        return [row for row in rows if row.known_at <= self.cutoff.instant]

    def _calendar(self, symbol: str) -> Sessions:
        return sessions(exchange_of(symbol))

    def _ask(self, method: str, *args: Any) -> tuple[Any, str]:
        """Ask a vendor, once per run for the same question; a second asker of an open question waits for the first."""
        key = (method, *args)
        with self._lock:
            lock = self._locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self._answers:
                try:
                    self._answers[key] = self._ask_vendor(method, *args)
                except (NoData, NotForPastDate) as error:
                    self._answers[key] = error
            answer = self._answers[key]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ask_vendor(self, method: str, *args: Any) -> tuple[Any, str]:
        name = self.vendor_of(method)
        if self.memo is not None and VENDOR_METHOD.get(method, method) == "get_stock_data" and self.is_local(method):
            kept = self.memo.get((name, method, *args))
            if kept is None:
                kept = route_to_vendor(method, *args, settings=self.settings, vendors=self._vendors)
                self.memo.put((name, method, *args), kept)
            return kept
        if self._cache is None or method == "get_peers" or self.is_local(method):
            return route_to_vendor(method, *args, settings=self.settings, vendors=self._vendors)
        now, live = self._now(), self.cutoff.live
        asked = tuple("cut-off" if arg == self.cutoff.instant and live else arg for arg in args)
        key = cache_key(name, method, asked, self.cutoff.instant, live=live)
        stored = self._cache.get(key, method, live=live, now=now)
        if stored is not None:
            return stored, name
        answer, vendor = route_to_vendor(method, *args, settings=self.settings, vendors=self._vendors)
        if vendor == name:
            self._cache.put(key, method, answer, now=now)
        return answer, vendor

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
            )
        )
