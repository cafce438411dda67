"""`ShareGateway`: converts share counts and per-share figures of every vendor to the share basis of the prices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from tradingagents.dataflows.gateway.checks.share_jumps import BasisGap, basis_gap, newest_count_jump
from tradingagents.dataflows.gateway.checks.trade_checks import possible_trades
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.run_market import RunMarket
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
"""How far before the old list's fetch time a newer list of splits starts; the range contains at least one session."""


SPLIT_HISTORY = timedelta(days=3653)
"""How far back splits are requested if statements as filed are older than the prices; tables show at most eight years.
"""


_BASIS = "The share basis of"


class _EndsTooEarly(Exception):
    """The list of splits is older than the rows it is needed for, and no newer one is available."""


@dataclass(frozen=True, slots=True)
class _KnownSplits:
    """The known splits of a symbol."""

    splits: tuple[Split, ...]
    since: date | None
    """First day from which the list is complete; None: from the beginning."""
    gap: BasisGap | None = None
    """Days of which the list does not tell the share basis; None where it tells that of all."""

    def cover(self, counted: date) -> bool:
        """Return whether the list is complete after a day."""
        return self.since is None or self.since <= counted


class ShareGateway(RunMarket):
    """The gateway for rows with share counts: the only place that converts them to one basis.

    Prices are as traded at the cut-off, so shares are counted as of the cut-off's session. The splits come from the
    vendor of the prices. Splits after the cut-off only undo a source's restatement and are never shown, so that an
    answer doesn't depend on whether they have happened yet.
    """

    def _statements_in_shares_of_the_day(
        self, symbol: str, rows: Sequence[Statement]
    ) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
        """Return statements on the session's share basis, and the faults of those whose basis is in doubt.

        They are unchanged if no list of splits is available.

        Rows that the source restated after the cut-off are never returned unchanged, since they would reveal later
        splits.

        If the list ends before the source restated its rows, or begins after a row's basis, the row loses its share
        figures: an unlisted split would make them wrong by its ratio. So it does, with a reason, where closes or counts
        jump like a split that is not listed.
        """
        if not any(map(has_share_figures, rows)):
            return tuple(rows), ()
        restated = max((row.shares_as_of for row in rows if row.shares_as_of is not None), default=None)
        oldest = min(map(counted_on, filter(has_share_figures, rows)))
        try:
            known = self._splits_of(symbol, since=oldest, until=restated)
        except _EndsTooEarly as error:
            why = f"{_BASIS} {symbol} is not known at this day: {error}"
            return tuple(row if row.shares_as_of is None else without_share_figures(row, why) for row in rows), ()
        if known is None:
            return of_one_basis(tuple(rows))
        day, cutoff = self._session_of(symbol), self.cutoff.instant
        converted = tuple(
            statement_in_shares_of(day, row, known.splits, cutoff=cutoff)
            if known.cover(counted_on(row))
            else without_share_figures(row, _known_since(symbol, known))
            for row in rows
        )
        sound, doubted = (converted, ()) if known.gap is None else _without_gap(rows, converted, known.gap)
        sound, jumped = of_one_basis(sound)
        return sound, (*doubted, *jumped)

    def _trades_in_shares_of_the_day(
        self, symbol: str, rows: Sequence[InsiderTransaction]
    ) -> tuple[tuple[InsiderTransaction, ...], tuple[Fault, ...]]:
        """Return insider trades on the session's share basis, and the faults of those whose price or basis is in doubt.

        They are unchanged if no list of splits is available.
        """
        oldest = min((row.transaction_date for row in rows), default=None)
        known = self._splits_of(symbol, since=oldest) if oldest else None
        if known is None:
            return tuple(rows), ()
        day = self._session_of(symbol)
        trades = tuple(trade_in_shares_of(day, row, known.splits) for row in rows)
        trades, doubted = (trades, ()) if known.gap is None else _trades_without_gap(rows, trades, known.gap)
        prices = self._prices_since(symbol, day - timedelta(days=self.settings.price_history_days), day)
        if prices is None:
            return trades, doubted
        possible, faults = possible_trades(trades, prices.upto(day).as_traded(day))
        return possible, (*doubted, *faults)

    def _events_in_shares_of_the_day(
        self, rows: Iterable[EarningsEvent], start: date, end: date
    ) -> tuple[EarningsEvent, ...]:
        """Return earnings events with the figures of [start, end] on the session's share basis.

        Prices are requested only if that costs no request. Figures are left out where they cannot be used, or a split
        since then is not listed. Without prices, those that the source may have restated for splits after the cut-off
        are left out; published figures stay.
        """
        local, live = self.is_local(PRICES), self.cutoff.live

        def one(event: EarningsEvent) -> EarningsEvent:
            if (event.eps is None and event.eps_estimate is None) or not start <= event.day <= end:
                return event
            known = self._splits_of(event.symbol) if local else None
            if known is not None:
                if known.gap is not None and known.gap.covers(_counted(event)):
                    reason = _gap_fault(event.symbol, known.gap).reason
                    return replace(event, eps=None, eps_estimate=None, withheld=event.withheld or reason)
                return event_in_shares_of(self._session_of(event.symbol), event, known.splits)
            restated_later = event.shares_as_of is not None and event.shares_as_of > self.cutoff.instant
            return replace(event, eps=None, eps_estimate=None) if restated_later and not live else event

        return tuple(map(one, rows))

    def _splits_of(
        self, symbol: str, *, since: date | None = None, until: datetime | None = None
    ) -> _KnownSplits | None:
        """Return the splits listed by the prices' vendor; None if it lists none or isn't available.

        Args:
            since: Day after which the list should be complete; the result states from when it is.
            until: Instant that the list must reach if a source restated its rows for the splits by then.

        Raises:
            _EndsTooEarly: It doesn't, and no newer list is available; or restated rows have no list.
        """
        last = self._session_of(symbol)
        try:
            prices = self.source.answer(PRICES, symbol, last - timedelta(days=self.settings.price_history_days), last)[
                0
            ]
        except (DataError, VendorNotConfigured) as error:
            doubted = self.source.unusable_prices.get(symbol)
            if doubted is None:
                if until is not None and until > self.cutoff.instant and not self.cutoff.live:
                    raise _EndsTooEarly(f"the prices that list its splits are not there. {error}") from error
                return None
            prices = doubted
        if not prices.splits_listed:
            return None
        found, reach = list(prices.splits), prices.splits_since
        if until is not None and self._is_older(prices, until):
            found += self._splits_read_since(prices, until)
        if since is not None and reach is not None and since < reach:
            earlier = self._prices_since(symbol, last - SPLIT_HISTORY, last)
            if earlier is not None:
                found, reach = [*earlier.splits, *found], earlier.splits_since
        splits = tuple({split.day: split for split in found}.values())
        return _KnownSplits(splits, reach, basis_gap(prices.upto(last).as_traded(last)))

    def _prices_since(self, symbol: str, first: date, last: date) -> Prices | None:
        """Return the prices from a day on, requested once per run; None if they aren't available."""
        try:
            prices = self.source.answer(PRICES, symbol, first, last)[0]
        except (DataError, VendorNotConfigured):
            return None
        return prices

    def _splits_read_since(self, prices: Prices, until: datetime) -> tuple[Split, ...]:
        """Request prices again for the splits between an older fetch and an instant."""
        symbol = prices.symbol
        read, wanted = (local_day(instant, symbol) for instant in (prices.fetched_at, until))
        try:
            newer = self.source.answer(PRICES, symbol, read - SPLIT_SEARCH, wanted)[0]
        except (DataError, VendorNotConfigured) as error:
            raise _EndsTooEarly(f"the list of splits ends on {read}, before {wanted}. {error}") from error
        return newer.splits

    def _is_older(self, prices: Prices, until: datetime) -> bool:
        """Return whether a list of splits was fetched before the instant it must reach; recorded lists are complete."""
        if self.is_local(PRICES):
            return False
        return local_day(prices.fetched_at, prices.symbol) < local_day(until, prices.symbol)

    def _session_of(self, symbol: str) -> date:
        """Return the session whose close is the last price at the cut-off."""
        return self._calendar(symbol).last_closed(self.cutoff.instant)


def of_one_basis(rows: tuple[Statement, ...]) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    """Return statements without the share figures from before a jump like an unlisted split, and the fault.

    Where only the newest count is on its other side, which of them the prices are of cannot be told: all are left out.
    """
    jump = newest_count_jump(rows)
    if jump is None:
        return rows, ()
    after = {row.period_end for row in rows if row.period_end >= jump.to_day and has_share_figures(row)}
    sound = after if len(after) > 1 else set()
    done = f"share counts and EPS {f'of {jump.from_day} and before ' if sound else ''}are withheld"
    fault = _basis_fault(rows[0].symbol, jump.to_day, jump.text, done)
    one_basis = tuple(
        without_share_figures(row, fault.reason) if row.period_end not in sound and has_share_figures(row) else row
        for row in rows
    )
    return one_basis, (fault,)


def _without_gap(
    given: Sequence[Statement], converted: Sequence[Statement], gap: BasisGap
) -> tuple[tuple[Statement, ...], tuple[Fault, ...]]:
    """Return converted statements without share figures counted on days whose basis is not known, and the fault."""
    fault = _gap_fault(given[0].symbol, gap)
    found = []
    for row, sound in zip(given, converted, strict=True):
        doubted = has_share_figures(sound) and gap.covers(counted_on(row))
        found.append(without_share_figures(sound, fault.reason) if doubted else sound)
    changed = any(one is not row for one, row in zip(found, converted, strict=True))
    return tuple(found), (fault,) if changed else ()


def _trades_without_gap(
    given: Sequence[InsiderTransaction], converted: Sequence[InsiderTransaction], gap: BasisGap
) -> tuple[tuple[InsiderTransaction, ...], tuple[Fault, ...]]:
    """Return converted trades, those counted on days whose basis is not known withheld from sums, and the fault."""
    doubted = [gap.covers(row.shares_as_of or row.transaction_date) for row in given]
    if not any(doubted):
        return tuple(converted), ()
    fault = _basis_fault(given[0].symbol, gap.day, gap.what, f"trades made before {gap.end} are in no sum")
    found = (
        replace(trade, withheld=fault.reason) if doubt else trade
        for trade, doubt in zip(converted, doubted, strict=True)
    )
    return tuple(found), (fault,)


def _known_since(symbol: str, known: _KnownSplits) -> str:
    return f"{_BASIS} {symbol} is known since {known.since} only."


def _gap_fault(symbol: str, gap: BasisGap) -> Fault:
    since = "" if gap.first == date.min else f"on {gap.first} or later and "
    done = f"share counts and EPS of statements counted {since}before {gap.end} are withheld"
    return _basis_fault(symbol, gap.day, gap.what, done)


def _basis_fault(symbol: str, day: date, what: str, done: str) -> Fault:
    return Fault(symbol, day, what, done, kind="share-basis", withholds=True)


def _counted(event: EarningsEvent) -> date:
    return local_day(event.shares_as_of or event.known_at, event.symbol)
