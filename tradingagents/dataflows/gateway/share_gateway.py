"""`ShareGateway`: brings share counts and per-share figures of every vendor to the shares of the cut-off's prices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from tradingagents.dataflows.gateway.point_in_time import PointInTimeGateway
from tradingagents.dataflows.gateway.share_basis import (
    counted_on,
    event_in_shares_of,
    has_share_figures,
    local_day,
    statement_in_shares_of,
    trade_in_shares_of,
    without_share_figures,
)
from tradingagents.dataflows.models import EarningsEvent, InsiderTransaction, Prices, Split, Statement
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, VendorNotConfigured

PRICES = Vendor.get_stock_data
SPLIT_SEARCH = timedelta(days=10)
"""How far before the reading of an older list of splits a newer one is asked for: some session lies within."""


SPLIT_HISTORY = timedelta(days=3653)
"""How far back splits are asked for where statements as filed are older than the prices read: tables show at most eight
years."""


class _EndsTooEarly(Exception):
    """The list of splits was read before the rows it is wanted for, and no newer one can be had."""


@dataclass(frozen=True, slots=True)
class _KnownSplits:
    """The splits that are known of a symbol."""

    splits: tuple[Split, ...]
    since: date | None
    """First day from which none is missing; None: from the first there was."""

    def cover(self, counted: date) -> bool:
        """Tell whether no split after a day is missing."""
        return self.since is None or self.since <= counted


class ShareGateway(PointInTimeGateway):
    """The gateway for rows that count shares: the one place where they are brought to one basis.

    Prices are as traded at the cut-off, so shares are counted as of the cut-off's session. The splits are those that
    the vendor of the prices lists. Splits after the cut-off only undo what a source restated for them; they are never
    shown, so that an answer is the same whether or not they have happened yet.
    """

    def _statements_in_shares_of_the_day(self, symbol: str, rows: Sequence[Statement]) -> tuple[Statement, ...]:
        """Return statements in the shares of the session; as they came where no list of splits can be had.

        Rows that the source restated after the cut-off do not come as they are: they would tell of later splits.

        Where the list ends before the source restated its rows, or begins after a row's shares were counted, the row
        loses its share figures: a split that is not listed would make them wrong by its ratio.
        """
        if not any(map(has_share_figures, rows)):
            return tuple(rows)
        restated = max((row.shares_as_of for row in rows if row.shares_as_of is not None), default=None)
        oldest = min(map(counted_on, filter(has_share_figures, rows)))
        try:
            known = self._splits_of(symbol, since=oldest, until=restated)
        except _EndsTooEarly:
            return tuple(row if row.shares_as_of is None else without_share_figures(row) for row in rows)
        if known is None:
            return tuple(rows)
        day, cutoff = self._session_of(symbol), self.cutoff.instant
        return tuple(
            statement_in_shares_of(day, row, known.splits, cutoff=cutoff)
            if known.cover(counted_on(row))
            else without_share_figures(row)
            for row in rows
        )

    def _trades_in_shares_of_the_day(
        self, symbol: str, rows: Sequence[InsiderTransaction]
    ) -> tuple[InsiderTransaction, ...]:
        """Return insiders' trades in the shares of the session; as they came where no list of splits can be had."""
        oldest = min((row.transaction_date for row in rows), default=None)
        known = self._splits_of(symbol, since=oldest) if oldest else None
        if known is None:
            return tuple(rows)
        day = self._session_of(symbol)
        return tuple(trade_in_shares_of(day, row, known.splits) for row in rows)

    def _events_in_shares_of_the_day(
        self, rows: Iterable[EarningsEvent], start: date, end: date
    ) -> tuple[EarningsEvent, ...]:
        """Return earnings events with the figures of [start, end] in the shares of the session.

        Prices are asked for only where that costs no request. Elsewhere a figure that the source may have restated for
        splits after the cut-off is left out; one as published stays.
        """
        local, live = self.is_local(PRICES), self.cutoff.live

        def one(event: EarningsEvent) -> EarningsEvent:
            if (event.eps is None and event.eps_estimate is None) or not start <= event.day <= end:
                return event
            known = self._splits_of(event.symbol) if local else None
            if known is not None:
                return event_in_shares_of(self._session_of(event.symbol), event, known.splits)
            restated_later = event.shares_as_of is not None and event.shares_as_of > self.cutoff.instant
            return replace(event, eps=None, eps_estimate=None) if restated_later and not live else event

        return tuple(map(one, rows))

    def _splits_of(
        self, symbol: str, *, since: date | None = None, until: datetime | None = None
    ) -> _KnownSplits | None:
        """Return the splits that the prices' vendor lists; None where it lists none or cannot be asked.

        Args:
            symbol: Whose.
            since: Day after which no split may be missing; what cannot be had of it is told by the answer.
            until: The list must reach this instant where a source restated its rows for the splits by then.

        Raises:
            _EndsTooEarly: It does not, and no newer one can be had; or rows restated after the cut-off have none.
        """
        last = self._session_of(symbol)
        try:
            prices = self._ask(PRICES, symbol, last - timedelta(days=self.settings.price_history_days), last)[0]
        except (DataError, VendorNotConfigured) as error:
            if until is not None and until > self.cutoff.instant and not self.cutoff.live:
                raise _EndsTooEarly from error
            return None
        if not prices.splits_listed:
            return None
        found, reach = list(prices.splits), prices.splits_since
        if until is not None and self._is_older(prices, until):
            found += self._splits_read_since(prices, until)
        if since is not None and reach is not None and since < reach:
            earlier = self._prices_since(symbol, last - SPLIT_HISTORY, last)
            if earlier is not None:
                found, reach = [*earlier.splits, *found], earlier.splits_since
        return _KnownSplits(tuple({split.day: split for split in found}.values()), reach)

    def _prices_since(self, symbol: str, first: date, last: date) -> Prices | None:
        """Ask for prices of many years, for their splits; None where they cannot be had."""
        try:
            prices = self._ask(PRICES, symbol, first, last)[0]
        except (DataError, VendorNotConfigured):
            return None
        return prices

    def _splits_read_since(self, prices: Prices, until: datetime) -> tuple[Split, ...]:
        """Ask for prices once more, for the splits between an older reading and an instant."""
        symbol = prices.symbol
        read, wanted = (local_day(instant, symbol) for instant in (prices.fetched_at, until))
        try:
            newer = self._ask(PRICES, symbol, read - SPLIT_SEARCH, wanted)[0]
        except (DataError, VendorNotConfigured) as error:
            raise _EndsTooEarly from error
        return newer.splits

    def _is_older(self, prices: Prices, until: datetime) -> bool:
        """Tell whether a list of splits was read on a day before the instant it must reach; recorded ones are whole."""
        if self.is_local(PRICES):
            return False
        return local_day(prices.fetched_at, prices.symbol) < local_day(until, prices.symbol)

    def _session_of(self, symbol: str) -> date:
        """Return the session whose close is the last price at the cut-off."""
        return self._calendar(symbol).last_closed(self.cutoff.instant)
