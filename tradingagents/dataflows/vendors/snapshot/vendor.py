"""`SnapshotVendor`: answers from a folder of recorded data, each file read when first needed."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path
from typing import ClassVar

from tradingagents.dataflows.rows import (
    Frequency,
    InsiderTransaction,
    NewsItem,
    Prices,
    Profile,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.sectors import PEERS
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot.folder import Once, open_folder
from tradingagents.dataflows.vendors.snapshot.insiders import load_insiders
from tradingagents.dataflows.vendors.snapshot.news import in_window, load_news
from tradingagents.dataflows.vendors.snapshot.prices import Actions, load_actions, load_prices
from tradingagents.dataflows.vendors.snapshot.profiles import bare_profile, load_profiles
from tradingagents.dataflows.vendors.snapshot.statements import load_statements
from tradingagents.errors import NoData

PEER_COUNT = 10
_ELSEWHERE = "choose another vendor in tool_vendors."


class SnapshotVendor(Vendor):
    """Recorded data, point in time, offline. Answers depend on the folder alone: no clock, no file dates.

    Raises:
        VendorDown: From any method: a file it needs is truncated or corrupt; the message names it.
    """

    name: ClassVar[str] = "snapshot"
    local: ClassVar[bool] = True

    def __init__(self, folder: Path) -> None:
        """Open a snapshot folder; only its manifest is read yet.

        Raises:
            VendorNotConfigured: There is no such folder, it is no snapshot, or its format number is unknown.
            VendorDown: The manifest is corrupt.
        """
        self._folder = opened = open_folder(folder)
        self._prices = Once(lambda: load_prices(folder / "prices.parquet"))
        self._actions = Once(lambda: load_actions(folder / "actions.csv"))
        self._profiles = Once(lambda: load_profiles(folder / "profiles.json"))
        self._statements = Once(lambda: load_statements(folder / "statements.jsonl.gz"))
        self._news = Once(lambda: load_news(folder / "news.jsonl.gz", self._profiles(), opened.exchange))
        self._insiders = Once(lambda: load_insiders(folder / "insider.jsonl.gz"))
        self._recorded_at = Once(lambda: opened.recorded_at)

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the bars of the sessions in [start, end].

        Raises:
            NoData: The folder lacks the symbol, or has no bar of it in the window.
        """
        table = self._prices()
        if symbol not in table:
            raise self._unknown(symbol)
        found = table.bars(symbol, start, end)
        if not len(found.days):
            raise NoData(
                f"The snapshot has no prices of {symbol} from {start} to {end}: it covers {self._folder.window}; "
                f"name a date within."
            )
        actions = self._actions().get(symbol, Actions())
        return Prices(
            symbol=symbol,
            days=found.days,
            **found.columns,
            currency=self.get_profile(symbol).currency,
            vendor=self.name,
            fetched_at=self._recorded_at(),
            splits=actions.splits,
            dividends=actions.dividends,
            basis=found.basis,
        )

    def get_profile(self, symbol: str) -> Profile:
        """Return who the symbol is; a symbol with prices and no profile goes by its own name.

        Raises:
            NoData: The folder has neither.
        """
        profile = self._profiles().get(symbol)
        if profile is not None:
            return profile
        if symbol in self._prices():
            return bare_profile(symbol)
        raise self._unknown(symbol)

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the statements of one kind and frequency, newest period first.

        Raises:
            NoData: The folder has none.
        """
        every = self._statements().get(symbol, ())
        found = tuple(row for row in every if row.kind == kind and row.frequency == freq)
        if found:
            return found
        other = {row.frequency for row in every if row.kind == kind}
        hint = f"ask for {other.pop()} ones, or {_ELSEWHERE}" if other else _ELSEWHERE
        raise NoData(f"The snapshot has no {freq} {kind} statements of {symbol}; {hint}")

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end], newest first; () where there were none.

        Raises:
            NoData: The folder has no news of this symbol up to `end`: its silence would say nothing.
        """
        every = self._news().by_symbol.get(symbol, ())
        if not in_window(every[-1:], datetime.min.replace(tzinfo=end.tzinfo), end):
            raise NoData(f"The snapshot has no news for {symbol} up to {end:%Y-%m-%d}; {_ELSEWHERE}")
        return in_window(every, start, end)

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return market articles published in [start, end], newest first; () where there were none.

        These are the headlines filed under an index and, since a folder may have none for some years, the articles
        filed under two or more companies at once, which are about more than one of them: an article is taken as it
        is, never made up.
        """
        return in_window(self._news().market, start, end)

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return recorded insider trades, newest first.

        Raises:
            NoData: The folder does not cover the symbol.
        """
        found = self._insiders().get(symbol)
        if not found:
            raise NoData(f"The snapshot has no insider trades of {symbol}; {_ELSEWHERE}")
        return found

    def get_peers(self, symbol: str, sector: str) -> Sequence[str]:
        """Return up to ten stocks of a sector with prices: the usual ones, then its industry, then by symbol."""
        prices, profiles = self._prices(), self._profiles()
        usual = [peer for peer in PEERS.get(sector, ()) if peer in prices and peer != symbol]
        own = profiles.get(symbol, bare_profile(symbol)).industry
        others = sorted(
            (
                profile
                for name, profile in profiles.items()
                if profile.sector == sector and name in prices and name not in (symbol, *usual)
            ),
            key=lambda profile: (own is None or profile.industry != own, profile.symbol),
        )
        return tuple([*usual, *(profile.symbol for profile in others)][:PEER_COUNT])

    def _unknown(self, symbol: str) -> NoData:
        close = difflib.get_close_matches(symbol, self._prices().symbols, n=3, cutoff=0.5)
        hint = f"close to it are {', '.join(close)}" if close else "check the symbol"
        return NoData(f"The snapshot ({self._folder.window}) has no {symbol}; {hint}, or {_ELSEWHERE}")
