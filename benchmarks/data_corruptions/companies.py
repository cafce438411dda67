"""The recorded companies, a vendor that answers with a changed company, and the draw of a company and a day."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeVar

import numpy as np

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.models import (
    InsiderTransaction,
    NewsItem,
    Prices,
    Profile,
    Statement,
)
from tradingagents.dataflows.vendors.snapshot.folder import Once
from tradingagents.dataflows.vendors.snapshot.news import in_window
from tradingagents.dataflows.vendors.snapshot.vendor import SnapshotVendor
from tradingagents.dataflows.vendors.universe import QuarterlyResults
from tradingagents.errors import NoData

Pool = Literal["prices", "dividends", "statements", "insiders", "news"]
"""Which companies and days a kind draws from."""

T = TypeVar("T")

BEFORE = 300
"""Sessions with prices before the day of a case, so that every figure of a year has its bars."""
DEEP = (
    *("AAPL", "AMGN", "AMZN", "AXP", "BA", "CAT", "CRM", "GS", "HD", "HON", "IBM", "JNJ", "JPM", "MCD", "MSFT"),
    *("PG", "SHW", "TRV", "UNH", "V"),
)
"""Companies with dated statements of every quarter, and with news of 2025."""
INSIDERS = ("AAPL", "ABBV", "AMZN", "CRM", "GOOG")
"""Companies with prices and insider trades."""
STATEMENTS_FROM, STATEMENTS_TO = date(2023, 7, 3), date(2025, 7, 18)
NEWS_FROM, NEWS_TO = date(2025, 1, 15), date(2025, 7, 18)
INSIDERS_FROM, INSIDERS_TO = date(2024, 6, 3), date(2025, 3, 31)


@dataclass(frozen=True)
class Company:
    """Everything the vendor has about one company, after parsing."""

    symbol: str
    prices: Prices
    statements: tuple[Statement, ...]
    """Newest period first."""
    insiders: tuple[InsiderTransaction, ...]
    """Newest first."""
    news: tuple[NewsItem, ...]
    """Newest first."""
    profile: Profile

    @property
    def days(self) -> list[date]:
        """The days of the bars, in their order."""
        return [day.item() for day in self.prices.days]

    def last(self, day: date) -> int:
        """Return the position of the newest bar of a day or before."""
        return int(np.searchsorted(self.prices.days, np.datetime64(day, "D"), side="right")) - 1


class ChangedVendor(SnapshotVendor):
    """The recorded market in which one company has other data; what was read is shared with the recorded one."""

    def __init__(self, recorded: SnapshotVendor, company: Company) -> None:
        """Put a company's data in the place of the recorded ones."""
        self.__dict__.update(vars(recorded))
        self._company = company
        self._changes = Memo(8)
        self._working_out = threading.Lock()
        symbol = company.symbol
        self._statements = Once(lambda: _Overlay(recorded._statements(), symbol, company.statements))
        self._profiles = Once(lambda: _Overlay(recorded._profiles(), symbol, company.profile))
        self._insiders = Once(lambda: _Overlay(recorded._insiders(), symbol, company.insiders))
        # What others reported is judged once for all changed markets: that is most of the work of a question.
        own = QuarterlyResults(company.statements, company.profile)
        self._earnings = Once(lambda: _Overlay(recorded._earnings(), symbol, own))

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        """Return the company's bars as they were changed, in the order they have; others as recorded."""
        if symbol != self._company.symbol:
            return super().get_stock_data(symbol, start, end)
        found = self._company.prices
        inside = (found.days >= np.datetime64(start, "D")) & (found.days <= np.datetime64(end, "D"))
        if not inside.any():
            raise NoData(f"The source has no prices of {symbol} from {start} to {end}; name another date.")
        return picked(found, np.flatnonzero(inside))

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles as they were changed; others as recorded."""
        if symbol != self._company.symbol or not self._company.news:
            return super().get_news(symbol, start, end)
        return in_window(self._company.news, start, end)

    def was_listed(self, symbol: str, day: date) -> bool:
        """Return whether a symbol's prices begin by a day."""
        if symbol != self._company.symbol:
            return super().was_listed(symbol, day)
        return bool(self._company.prices.days.min() <= np.datetime64(day, "D"))

    def place_of(self, fault: Fault) -> str:  # noqa: ARG002
        """Return nothing: the changed rows stand in no file."""
        return ""


class _Overlay(Mapping[str, T]):
    """A mapping with another value of one key."""

    def __init__(self, below: Mapping[str, T], key: str, value: T) -> None:
        self._below = below
        self._key = key
        self._value = value

    def __getitem__(self, key: str) -> T:
        return self._value if key == self._key else self._below[key]

    def __iter__(self) -> Iterator[str]:
        yield from (key for key in self._below if key != self._key)
        yield self._key

    def __len__(self) -> int:
        return len(set(self._below) | {self._key})


class Recorded:
    """The recorded companies."""

    def __init__(self, folder: Path) -> None:
        """Open the folder."""
        self.vendor = SnapshotVendor(folder)
        self._companies: dict[str, Company] = {}

    def company(self, symbol: str) -> Company:
        """Return a company as recorded."""
        if symbol not in self._companies:
            vendor = self.vendor
            self._companies[symbol] = Company(
                symbol=symbol,
                prices=vendor.get_stock_data(symbol, date(1990, 1, 1), date(2100, 1, 1)),
                statements=tuple(vendor._statements().get(symbol, ())),
                insiders=tuple(vendor._insiders().get(symbol, ())),
                news=tuple(vendor._news().by_symbol.get(symbol, ())),
                profile=vendor.get_profile(symbol),
            )
        return self._companies[symbol]

    @cached_property
    def stocks(self) -> tuple[str, ...]:
        """Every stock with prices long enough to draw a day from."""
        found = []
        for symbol in self.vendor._prices().symbols:
            if self.vendor.get_profile(symbol).kind != "stock":
                continue
            bars = self.vendor.get_stock_data(symbol, date(1990, 1, 1), date(2100, 1, 1))
            if len(bars) > BEFORE + 20:
                found.append(symbol)
        return tuple(found)

    @cached_property
    def with_statements(self) -> tuple[str, ...]:
        """The stocks with statements beyond the deep ones."""
        return tuple(one for one in self.stocks if one in self.vendor._statements() and one not in DEEP)

    @cached_property
    def with_dividends(self) -> tuple[str, ...]:
        """The stocks whose dividends are listed beside prices that are not adjusted for them."""
        found = []
        for symbol in self.stocks:
            prices = self.company(symbol).prices
            if prices.basis == "split_adjusted" and len(prices.dividends) >= 8:
                found.append(symbol)
        return tuple(found)

    def draw(self, pool: Pool, random: Random) -> tuple[Company, date]:
        """Draw a company and a session."""
        since, until = date(2000, 1, 1), date(2100, 1, 1)
        if pool == "prices":
            some: Sequence[str] = self.stocks
            if random.random() < 0.6:
                some = (*DEEP, *DEEP, *self.with_statements)
        elif pool == "dividends":
            some = self.with_dividends
        elif pool == "statements":
            some = DEEP if random.random() < 0.8 else self.with_statements
            since, until = STATEMENTS_FROM, STATEMENTS_TO
        elif pool == "insiders":
            some, since, until = INSIDERS, INSIDERS_FROM, INSIDERS_TO
        else:
            some, since, until = DEEP, NEWS_FROM, NEWS_TO
        company = self.company(random.choice(some))
        days = [day for day in company.days[BEFORE:-12] if since <= day <= until]
        if not days:
            return self.draw(pool, random)
        return company, random.choice(days)


def picked(prices: Prices, rows: Any) -> Prices:
    """Return the bars at the given positions, in their order."""
    return replace(
        prices,
        days=prices.days[rows],
        open=prices.open[rows],
        high=prices.high[rows],
        low=prices.low[rows],
        close=prices.close[rows],
        adj_close=prices.adj_close[rows],
        volume=prices.volume[rows],
    )


def known_by(statement: Statement, day: date) -> bool:
    """Tell whether a statement was known on the evening of a day; those of the day itself do not count."""
    return statement.known_at < datetime(day.year, day.month, day.day, tzinfo=UTC)
