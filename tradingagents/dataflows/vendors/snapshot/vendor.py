"""`SnapshotVendor`: answers from a folder of recorded data; each file is read on first use."""

from __future__ import annotations

import difflib
import threading
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    Filing,
    Frequency,
    InsiderTransaction,
    MacroSeries,
    Mover,
    MoverCategory,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    SectorMember,
    SocialPost,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import NEVER, sessions
from tradingagents.dataflows.reference.macro_series import series_id
from tradingagents.dataflows.reference.sectors import PEERS
from tradingagents.dataflows.reference.symbols import change_hint
from tradingagents.dataflows.reference.topics import matching
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.dataflows.vendors.snapshot.answers import FILE as ANSWERS
from tradingagents.dataflows.vendors.snapshot.answers import kept, load_answers
from tradingagents.dataflows.vendors.snapshot.filings import FILE as FILINGS
from tradingagents.dataflows.vendors.snapshot.filings import load_filings
from tradingagents.dataflows.vendors.snapshot.folder import MadeWhenAsked, Once, Unreadable, fingerprint, open_folder
from tradingagents.dataflows.vendors.snapshot.insiders import load_insiders
from tradingagents.dataflows.vendors.snapshot.macro import load_macro
from tradingagents.dataflows.vendors.snapshot.macro_series import load_series
from tradingagents.dataflows.vendors.snapshot.news import best_of_each, in_window, load_news
from tradingagents.dataflows.vendors.snapshot.places import place_of
from tradingagents.dataflows.vendors.snapshot.prices import Actions, load_actions, load_prices
from tradingagents.dataflows.vendors.snapshot.profiles import bare_profile, load_profiles
from tradingagents.dataflows.vendors.snapshot.social import FILE as SOCIAL
from tradingagents.dataflows.vendors.snapshot.social import load_social
from tradingagents.dataflows.vendors.snapshot.statements import load_statements
from tradingagents.dataflows.vendors.snapshot.vintages import FILE as VINTAGES
from tradingagents.dataflows.vendors.snapshot.vintages import load_vintages
from tradingagents.dataflows.vendors.universe import QuarterlyResults, SessionChanges, ranked, session_changes, shared
from tradingagents.errors import NoData, VendorNotConfigured

SESSIONS_KEPT = 8
"""Number of sessions whose price changes are cached."""
MACRO = "macro.parquet"
ACTIONS = "actions.csv"
STATEMENTS, NEWS, INSIDERS = "statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz"
FILES_OF: Mapping[str, tuple[str, ...]] = {
    "get_stock_data": (ACTIONS,),
    "get_profile": ("profiles.json",),
    "get_statements": (STATEMENTS,),
    "get_fundamentals": (ANSWERS,),
    "get_news": (NEWS,),
    "get_global_news": (NEWS,),
    "get_insider_transactions": (INSIDERS,),
    "get_peers": ("profiles.json", ANSWERS),
    "get_market_movers": ("profiles.json", ACTIONS, ANSWERS),
    "get_industry_performance": ("profiles.json", ANSWERS),
    "get_topic_news": (NEWS, ANSWERS),
    "get_earnings_calendar": (STATEMENTS, ANSWERS),
    "get_economic_calendar": (ANSWERS,),
    "get_social_posts": (SOCIAL,),
    "get_macro_indicators": (VINTAGES,),
    "get_filings": (FILINGS,),
}
"""Line-based files that each method reads."""
_ELSEWHERE = "choose another vendor in tool_vendors."


class SnapshotVendor(Vendor):
    """Recorded data, point in time, offline. Answers depend on the folder alone: no clock, no file dates.

    Raises:
        VendorDown: From any method: a file it needs is truncated or corrupt; the message names it.
    """

    name: ClassVar[str] = "snapshot"
    local: ClassVar[bool] = True

    def __init__(self, folder: Path) -> None:
        """Open a snapshot folder and read its manifest.

        Raises:
            VendorNotConfigured: The folder doesn't exist, isn't a snapshot, or has an unknown format number.
            VendorDown: The manifest is corrupt.
        """
        self._folder = opened = open_folder(folder)
        self._unreadable: dict[str, Unreadable] = defaultdict(Unreadable)
        gaps = self._unreadable
        self._prices = Once(lambda: load_prices(folder / "prices.parquet"))
        self._actions = Once(lambda: load_actions(folder / ACTIONS, gaps[ACTIONS]))
        self._profiles = Once(lambda: load_profiles(folder / "profiles.json", gaps["profiles.json"]))
        self._statements = Once(
            lambda: load_statements(folder / STATEMENTS, gaps[STATEMENTS], recorded_at=self._splits_applied_by)
        )
        self._news = Once(lambda: load_news(folder / NEWS, self._profiles(), opened.exchange, gaps[NEWS]))
        self._insiders = Once(lambda: load_insiders(folder / INSIDERS, gaps[INSIDERS]))
        self._macro = Once(lambda: load_macro(folder / MACRO, opened.exchange, opened.recorded or NEVER))
        self._series = Once(lambda: load_series(folder / MACRO, opened.exchange, opened.recorded or NEVER))
        self._social = Once(lambda: load_social(folder / SOCIAL, gaps[SOCIAL]))
        self._filings = Once(lambda: load_filings(folder / FILINGS, gaps[FILINGS]))
        self._vintages = Once(lambda: load_vintages(folder / VINTAGES, gaps[VINTAGES]))
        self._lists_splits = Once((folder / ACTIONS).is_file)
        self._answers = Once(lambda: load_answers(folder / ANSWERS, opened.exchange, gaps[ANSWERS]))
        self._earnings = Once(lambda: MadeWhenAsked(self._statements(), self._quarterly_results))
        self._has_results = Once(lambda: any(len(results) for results in self._earnings().values()))
        self._recorded_at = Once(lambda: opened.recorded_at)
        self._changes = Memo(SESSIONS_KEPT)
        self._working_out = threading.Lock()

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
            currency=found.currency or self.get_profile(symbol).currency,
            vendor=self.name,
            fetched_at=self._recorded_at(),
            splits=actions.splits,
            dividends=actions.dividends,
            ended=actions.ended,
            basis=found.basis,
            splits_listed=self._lists_splits(),
            splits_since=None,
            withheld=None,
            gate_notes=(),
            untraded=(),
            lost=(),
        )

    def get_profile(self, symbol: str) -> Profile:
        """Return the symbol's profile; a symbol with prices only uses the symbol as its name.

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

    def get_fundamentals(self, symbol: str) -> Ratios:
        """Return the source's ratios at the recording; `fetched_at` is its instant.

        Raises:
            NoData: The folder has none of this symbol.
        """
        found = self._answers().ratios(symbol)
        if found is None:
            raise NoData(f"The snapshot has no recorded ratios of {symbol}; compute them from its statements.")
        return found

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the company's articles published in [start, end], newest first; () for none.

        Raises:
            NoData: The folder has no news of this symbol up to `end`, so it is unknown whether there was any.
        """
        every = self._news().by_symbol.get(symbol, ())
        known = in_window(every[-1:], datetime.min.replace(tzinfo=end.tzinfo), end)
        if not known and not self._folder.covers("get_news", symbol, end.date()):
            raise NoData(f"The snapshot has no news for {symbol} up to {end:%Y-%m-%d}; {_ELSEWHERE}")
        return in_window(every, start, end)

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the articles published in [start, end] as candidates for market news, newest first.

        These are all articles of the folder without duplicates; the ranking selects those about the market
        (`analytics.company.news_ranking`). Headlines filed under an index have no symbol. A folder recorded from a
        vendor has that vendor's market news instead, with the recorded days.

        Raises:
            NoData: The market news of that day was not recorded.
        """
        news, folder = self._news(), self._folder
        if folder.recorded is not None and not folder.covers("get_global_news", "", end.date()):
            raise NoData(f"The snapshot was recorded without market news of {end:%Y-%m-%d}; {_ELSEWHERE}")
        return in_window(news.market, start, end) if folder.recorded is None or news.as_recorded else ()

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return recorded insider trades, newest first.

        Raises:
            NoData: The folder does not cover the symbol.
        """
        found = self._insiders().get(symbol, ())
        if not found and not self.covers("get_insider_transactions", symbol):
            raise NoData(f"{self.name} has no insider trades of {symbol}; {_ELSEWHERE}")
        return found

    def get_peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        """Return the stocks of a sector with prices: the listed companies, then its industry, then by symbol.

        All of them: whether each was listed by a day is checked later (`was_listed`). If the source's own answer was
        recorded, return that.
        """
        recorded = self._answers().peers(symbol, sector)
        if recorded is not None:
            return recorded
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
        return (*usual, *(profile.symbol for profile in others))

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        """Return the movers among the recorded stocks; the market value isn't recorded.

        Stocks with fully adjusted prices have too low a price, and on an ex-date a change that includes the dividend.
        If the source's own screen of that session was recorded, return that.

        Raises:
            NoData: No stock has bars of this session and one before.
        """
        recorded = self._answers().movers(category, session)
        if recorded is not None:
            return recorded
        changes = self._changes_of(session).movers
        if not changes:
            raise NoData(
                f"The snapshot has no movers of {session}: it covers {self._folder.window}; name a session within."
            )
        return ranked(category, changes)

    def get_industry_performance(self, sector: str) -> tuple[SectorMember, ...]:
        """Return the sector's stocks with prices: the listed large companies first, the rest by symbol.

        If the source's own list was recorded, return that.

        Raises:
            NoData: The folder has none.
        """
        recorded = self._answers().members(sector)
        if recorded is not None:
            return recorded
        usual = PEERS.get(sector, ())
        found = [row for name, row in self._profiles().items() if row.sector == sector and name in self._prices()]
        if not found:
            raise NoData(f"The snapshot has no stocks with prices in {sector}; {_ELSEWHERE}")
        found.sort(key=lambda row: (usual.index(row.symbol) if row.symbol in usual else len(usual), row.symbol))
        return tuple(SectorMember(symbol=row.symbol, name=row.name, industry=row.industry) for row in found)

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return candidate articles for a topic, published in [start, end], newest first.

        Company and market news alike, without duplicates: each under the company closest to the topic
        (`dataflows.reference.topics`). If the source's own search of that topic and day was recorded, return its
        results.

        Raises:
            NoData: The folder has no news up to `end`, so it is unknown whether there was any.
        """
        recorded = self._answers().topic(topic, start, end)
        if recorded is not None:
            return recorded
        everything, profiles = self._news().everything, self._profiles()
        if not any(item.published_at <= end for item in everything):
            raise NoData(f"The snapshot has no news up to {end:%Y-%m-%d}; {_ELSEWHERE}")
        found = in_window(everything, start, end)
        return best_of_each(matching(topic, found, about=lambda item: profiles.get(item.symbol or "")))

    def get_earnings_calendar(self, start: date, end: date, symbol: str = "") -> tuple[EarningsEvent, ...]:
        """Return the quarterly results filed on the days [start, end], by day; () for none.

        For days with a recorded calendar of the source, return that.

        Raises:
            NoData: The folder has no statement with a filing date.
        """
        recorded, answers = self._answers().earnings(start, end)
        if not answers and not self._has_results():
            raise NoData(f"The snapshot has no filing dates of quarterly results; {_ELSEWHERE}")
        results = self._earnings()
        filed = [event for name in results if symbol in ("", name) for event in results[name].between(start, end)]
        filed.sort(key=lambda event: (event.day, event.symbol, event.known_at))
        return kept(tuple(row for row in recorded if symbol in ("", row.symbol)), answers, tuple(filed))

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return the economic releases assumed for the days [start, end], by day; () for none.

        The day is the figure's latest usual one, and the value the revision of the recording, marked by
        `EconomicEvent.read_at`: see `snapshot.macro`. For days with a recorded calendar of the source, return that.

        Raises:
            NoData: The folder has no economic figures.
        """
        recorded, answers = self._answers().economy(start, end)
        every = self._macro()
        if not every and not answers:
            raise NoData(
                f"The snapshot has no economic figures: it lacks macro.parquet, or no series in it is a release; "
                f"{_ELSEWHERE}"
            )
        return kept(recorded, answers, tuple(event for event in every if start <= event.day <= end))

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        """Return the recorded posts about a company made in [start, end], newest first; () for none.

        Raises:
            NoData: The folder has no posts of this symbol up to `end`, so it is unknown whether there were any.
        """
        every = self._social().get(symbol, ())
        silent = not any(post.posted_at <= end for post in every)
        if silent and not self._folder.covers("get_social_posts", symbol, end.date()):
            raise NoData(f"The snapshot has no social posts about {symbol} up to {end:%Y-%m-%d}; {_ELSEWHERE}")
        return tuple(post for post in every if start <= post.posted_at <= end)

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        """Return the recorded values of an economic series for [start, end]: the latest revision, see `macro_series`.

        A series recorded with its vintages is returned with all of them.

        Raises:
            NoData: The folder has no such series, or no values in the window; or the name is unknown.
        """
        name = series_id(series)
        found = self._vintages().get(name) or self._series().get(name)
        if found is None:
            known = ", ".join(dict.fromkeys((*self._vintages(), *self._series()))) or "none, it lacks macro.parquet"
            raise NoData(f"The snapshot has no economic series {name}; it has {known}. Ask for one of those.")
        within = tuple(row for row in found.observations if start <= row.day <= end)
        if not within:
            raise NoData(f"The snapshot has no {name} from {start} to {end}; {_ELSEWHERE}")
        return replace(found, observations=within)

    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        """Return the company's filings on the days [start, end], newest first; () for none.

        Raises:
            NoData: The folder has no filing of this symbol up to `end`, so it is unknown whether there were any.
        """
        every = self._filings().get(symbol, ())
        silent = not any(filing.filed_on <= end for filing in every)
        if silent and not self._folder.covers("get_filings", symbol, end):
            raise NoData(f"The snapshot has no filings of {symbol} up to {end}; {_ELSEWHERE}")
        return tuple(filing for filing in every if start <= filing.filed_on <= end)

    @classmethod
    def open(cls, access: Access) -> Self:
        """Open the configured folder, or return it if a graph of this process has it open and unchanged.

        Raises:
            VendorNotConfigured: No folder is configured, or it is unreadable.
        """
        if access.settings.data_dir is None:
            raise VendorNotConfigured(
                "The snapshot vendor needs a folder; name it with data_dir or TRADINGAGENTS_DATA_DIR."
            )
        folder = access.settings.data_dir
        return shared((cls, folder.resolve(), fingerprint(folder)), lambda: cls(folder))

    def supports(self, method: VendorMethod[..., Any]) -> bool:
        """Return whether the folder can answer a method at all: some files are rarely recorded."""
        rare = {
            "get_social_posts": (SOCIAL,),
            "get_filings": (FILINGS,),
            "get_macro_indicators": (MACRO, VINTAGES),
            "get_fundamentals": (ANSWERS,),
        }
        needed = rare.get(method.vendor_name)
        return super().supports(method) and (
            needed is None or any((self._folder.path / name).is_file() for name in needed)
        )

    def _splits_applied_by(self, symbol: str) -> datetime:
        """Return the share basis of restated figures: the recording, or the last listed split if that is later."""
        splits = self._actions().get(symbol, Actions()).splits
        listed = [datetime.combine(split.day, time(20), tzinfo=UTC) for split in splits[-1:]]
        return max([self._recorded_at(), *listed])

    def unconfirmed_of(self, method: str) -> str | None:
        """Return what nothing confirms of the recorded rows, as the vendor said that they were recorded from."""
        return self._folder.unconfirmed.get(method)

    def covers(self, method: str, symbol: str) -> bool:
        """Return whether an answer about the symbol was recorded; only then do no rows mean that there was nothing."""
        return self._folder.covers(method, symbol, self._folder.last)

    def was_listed(self, symbol: str, day: date) -> bool:
        """Return whether the folder's prices of a symbol begin by a day; True also for a symbol without prices."""
        begins = self._prices().begins(symbol)
        return begins is None or bool(begins <= np.datetime64(day, "D"))

    def unreadable(self, method: VendorMethod[..., Any], *args: Any) -> tuple[str, ...]:
        """Return a sentence for each line that was skipped in the files this method reads, and each stock not ranked.

        Invalid rows of other symbols aren't gaps in an answer about one symbol.
        """
        about_one = method.is_about_symbol and method.vendor_name != Vendor.get_peers.name
        symbol = str(args[0]) if args and about_one else None
        found = [gap for file in FILES_OF.get(method.vendor_name, ()) for gap in self._unreadable[file].of(symbol)]
        if method.answer_type is Prices and symbol and symbol in (mixed := self._prices().mixed):
            found.append(
                f"prices.parquet has bars of {symbol} with more than one basis ({', '.join(mixed[symbol])}); "
                f"all are read as {mixed[symbol][0]}."
            )
        if method.vendor_name == Vendor.get_market_movers.name and self._answers().movers(*args) is None:
            found += self._changes_of(args[1]).left_out
        return tuple(found)

    def place_of(self, fault: Fault) -> str:
        """Return file and line, or row, of an invalid row."""
        return place_of(self._folder.path, fault)

    def _changes_of(self, session: date) -> SessionChanges:
        with self._working_out:  # the three categories are requested together
            found: SessionChanges | None = self._changes.get(session)
            if found is None:
                calendar = sessions(self._folder.exchange)
                companies = [self.get_profile(symbol) for symbol in self._prices().symbols]
                known_at = calendar.close_of(calendar.on_or_before(session))
                found = session_changes(session, companies, self.get_stock_data, known_at)
                self._changes.put(session, found)
            return found

    def _quarterly_results(self, symbol: str) -> QuarterlyResults:
        return QuarterlyResults(self._statements()[symbol], self._profiles().get(symbol) or bare_profile(symbol))

    def _unknown(self, symbol: str) -> NoData:
        changed = change_hint(symbol)
        if changed is not None:
            return NoData(f"The snapshot ({self._folder.window}) has no {symbol}. {changed}")
        close = difflib.get_close_matches(symbol, self._prices().symbols, n=3, cutoff=0.5)
        hint = f"close to it are {', '.join(close)}" if close else "check the symbol"
        return NoData(f"The snapshot ({self._folder.window}) has no {symbol}; {hint}, or {_ELSEWHERE}")
