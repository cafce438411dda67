"""Look-ahead: none. Whatever becomes known after the cut-off, every capability of every vendor answers as before.

Each vendor's source exists twice: as it is, and with poison that was known only after the cut-off: wild bars, a split
and dividends, statements restated and new, articles, insider trades, movers, results and economic releases. What an
agent reads as of the cut-off, and the figures in the data sheet, must not change by a letter.
That the poison would show is proved by asking three months later, where it must. A source that knows today only
refuses both days, and the poison with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from tests.contracts.yahoo_market import fill_yahoo
from tests.support.snapshot_folder import write_snapshot
from tests.support.yahoo_server import LocalSession, yahoo_server
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import CapabilityRegistry, built_in
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import (
    EarningsEvent,
    EconomicEvent,
    Filing,
    FilingDocument,
    Holding,
    HoldingsReport,
    InsiderTransaction,
    MacroObservation,
    MacroSeries,
    Mover,
    MoverCategory,
    NewsItem,
    Prices,
    SocialPost,
    Statement,
)
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import METHODS, Vendor
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS, SimulatedVendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import load_settings

AS_OF = date(2025, 3, 14)
CUTOFF = sessions().close_of(AS_OF)
LATER = date(2025, 6, 13)
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
FAR = LATER.isoformat()
"""A date beyond the cut-off, as a model might write it."""

Questions = dict[str, tuple[Capability, Callable[[str, date], dict[str, Any]]]]
"""By name; the arguments are of a symbol and the day on which is asked."""
WIDER: dict[str, dict[str, Any]] = {
    "get_stock_data": {"start_date": "2024-09-16"},
    "get_indicators": {"indicator": "close_50_sma,rsi,macdh,boll_ub,atr,vwma,mfi,obv"},
    "get_financials": {"period": "quarterly"},
    "get_news": {"start_date": "2025-03-07"},
    "get_global_news": {"look_back_days": 120, "limit": 10},
    "get_filings": {"start_date": "2024-09-16"},
    "get_topic_news": {"topic": "oil"},
    "series": {"span": "last 4 quarters"},
    "portfolio": {"investor": "9900000001"},
    "sec_filing_document": {"form": "10-Q"},
    "sec_filing_section": {"form": "10-Q", "item": "I-2"},
    "get_earnings_calendar": {"from_date": "2025-03-01", "to_date": FAR},
    "get_economic_calendar": {"from_date": "2025-03-01", "to_date": FAR},
}
"""Arguments that show more of an answer than the capability's own example does, or that made-up markets know."""

OLDER_FIGURES = {"ACMQ": {"assumptions": "base_period=2024-09-30"}}
"""Of the company of the snapshot: its report for the year is due by the cut-off, and is filed later."""


OF_DOCUMENTS = frozenset({"guidance_record"})
"""Questions that ask vendors only of what stored documents say: none is stored here; their own tests store some."""


def questions(known: CapabilityRegistry) -> Questions:
    """Return every capability with what it is asked about a symbol on a day; dates are far beyond the cut-off."""

    def arguments(one: Capability) -> Callable[[str, date], dict[str, Any]]:
        old = OLDER_FIGURES if one.name in ("valuation", "sensitivity") else {}
        return lambda symbol, day: {
            **one.example_arguments(symbol, LATER),
            **WIDER.get(one.name, {}),
            **(old.get(symbol, {}) if day == AS_OF else {}),
        }

    return {name: (one, arguments(one)) for name, one in known.items()}


QUESTIONS = questions(built_in())
DATED = [
    name
    for name, (capability, _) in QUESTIONS.items()
    if any("date" in one for one in capability.arguments.model_fields)
]
"""Questions in which a model writes a date."""
CALENDARS = ("get_earnings_calendar", "get_economic_calendar")


def is_unanswered(kind: type[Vendor], name: str) -> bool:
    """Tell whether a vendor has nothing for a question."""
    required = (METHODS[method] for method in QUESTIONS[name][0].requires)
    return not all(kind.implements(one) or one.default_answer for one in required)


def knows_today_only(kind: type[Vendor], name: str) -> bool:
    """Tell whether a vendor answers a question about the current day only."""
    return bool(kind.live_only & {name, *QUESTIONS[name][0].requires})


def is_undated(name: str) -> bool:
    """Tell whether all that a question asks carries no date, so that nothing can become known later."""
    return all(METHODS[method].point_in_time == "undated" for method in QUESTIONS[name][0].methods)


SIMULATED = next(symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS))


class PoisonedSimulation(SimulatedVendor):
    """The simulated market with a source that goes wild after the cut-off."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        prices = super().get_stock_data(symbol, start, LATER + timedelta(days=14))
        wild = np.where(prices.days > np.datetime64(AS_OF), 9.0 + np.arange(len(prices)) % 2, 1.0)
        names = ("open", "high", "low", "close", "adj_close", "volume")
        return replace(prices, **{name: getattr(prices, name) * wild for name in names})

    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        known = super().get_statements(symbol, kind, freq)
        after = CUTOFF + timedelta(seconds=1)
        restated = [
            replace(row, known_at=after, items=dict.fromkeys(row.items, 9.99e14))
            for row in known
            if row.known_at <= CUTOFF
        ]
        return (*restated, *known)

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        return (*_poisoned_articles(symbol), *super().get_news(symbol, start, end))

    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        return (*_poisoned_articles(None), *super().get_global_news(start, end))

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        late = InsiderTransaction(
            symbol, "POISON", "CEO", "buy", 9e6, 9.99e14, AS_OF, known_at=CUTOFF + timedelta(seconds=1)
        )
        return (late, *super().get_insider_transactions(symbol))

    def get_social_posts(self, symbol: str, start: datetime, end: datetime) -> tuple[SocialPost, ...]:
        second, known = CUTOFF + timedelta(seconds=1), super().get_social_posts(symbol, start, end)
        recounted = [replace(post, known_at=second, score=9999) for post in known]
        times = (second, datetime(2025, 6, 12, tzinfo=UTC))
        late = [SocialPost(symbol, "POISON", when, when, "tapechatter", sentiment="bearish") for when in times]
        return (*late, *recounted, *known)

    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        after = CUTOFF + timedelta(seconds=1)
        late = Filing(symbol, "8-K", after, AS_OF, "POISON-1", "https://POISON.invalid", "POISON")
        report = replace(late, form="10-Q", accession="POISON-2")
        return (late, report, *super().get_filings(symbol, start, end))

    def get_filing_document(self, symbol: str, accession: str) -> tuple[FilingDocument, ...]:
        after, known = CUTOFF + timedelta(seconds=1), super().get_filing_document(symbol, accession)
        page = b"<p>FORM 10-Q</p><p><b>PART I</b></p><p><b>Item 2. Management's Discussion</b></p><p>POISON</p>"
        late = FilingDocument(symbol, "10-Q", after, AS_OF, accession, "https://POISON.invalid", "text/html", page)
        return (late, *known)

    def get_holdings(self, investor: str, start: date, end: date) -> tuple[HoldingsReport, ...]:
        known, after = super().get_holdings(investor, start, end), CUTOFF + timedelta(seconds=1)
        wild = (Holding("POISON", "COM", "POISON000", "shares", 9.99e14, 9e6),)
        restated = [
            replace(row, known_at=after, form="13F-HR/A", holdings=wild, amendment="restatement") for row in known
        ]
        added = [replace(row, amendment="new_holdings") for row in restated]
        return (*restated, *known, *added)

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        known, after = super().get_macro_indicators(series, start, end), CUTOFF + timedelta(seconds=1)
        revised = [replace(row, known_at=after, value=9.99e14) for row in known.observations]
        late = MacroObservation(date(2025, 3, 13), 9.99e14, after)
        return replace(known, observations=(late, *known.observations, *revised))

    def get_market_movers(self, category: MoverCategory, session: date) -> tuple[Mover, ...]:
        late = Mover("POISON", "POISON", 9.0, 99.0, 9.99e14, known_at=CUTOFF + timedelta(seconds=1))
        return (late, *super().get_market_movers(category, session))

    def get_topic_news(self, topic: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        return (*_poisoned_articles(SIMULATED), *super().get_topic_news(topic, start, end))

    def get_earnings_calendar(self, start: date, end: date, symbol: str = "") -> tuple[EarningsEvent, ...]:
        known, after = super().get_earnings_calendar(start, end, symbol), CUTOFF + timedelta(seconds=1)
        restated = [replace(row, known_at=after, eps=9.99e14) for row in known]
        return (EarningsEvent("POISON", "POISON", AS_OF, after, eps=9.99e14), *known, *restated)

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        known, after = super().get_economic_calendar(start, end), CUTOFF + timedelta(seconds=1)
        revised = [replace(row, known_at=after, value=9.99e14) for row in known]
        return (EconomicEvent("POISON", AS_OF, after, value=9.99e14), *known, *revised)


def _poisoned_articles(symbol: str | None) -> list[NewsItem]:
    return [
        NewsItem("POISON: record", when, when, "The Fictional Post", "POISON", None, symbol)
        for when in (CUTOFF + timedelta(seconds=1), datetime(2025, 6, 12, tzinfo=UTC))
    ] + [
        NewsItem(
            "POISON of the day",
            CUTOFF - timedelta(hours=20),
            CUTOFF + timedelta(hours=60),
            symbol=symbol,
            day_only=True,
        )
    ]


@contextmanager
def snapshot(tmp_path: Path, poisoned: bool) -> Iterator[tuple[Vendor, str]]:
    folder = write_snapshot(tmp_path / f"market-{poisoned}", poisoned_after=CUTOFF if poisoned else None)
    yield SnapshotVendor(folder), "ACMQ"


@contextmanager
def simulated(tmp_path: Path, poisoned: bool) -> Iterator[tuple[Vendor, str]]:
    yield (PoisonedSimulation() if poisoned else SimulatedVendor()), SIMULATED


@contextmanager
def yfinance(tmp_path: Path, poisoned: bool) -> Iterator[tuple[Vendor, str]]:
    with yahoo_server() as server:
        fill_yahoo(server, "ZYXO", poisoned_after=AS_OF if poisoned else None)
        yield YFinanceVendor(cache_dir=tmp_path, session=LocalSession(server.address), now=lambda: NOW), "ZYXO"


SOURCES = {SnapshotVendor: snapshot, SimulatedVendor: simulated, YFinanceVendor: yfinance}


@pytest.fixture(scope="module", params=SOURCES, ids=lambda kind: kind.name)
def kind(request: pytest.FixtureRequest) -> type[Vendor]:
    return request.param


@pytest.fixture(scope="module")
def answers(kind: type[Vendor], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answers]:
    """Every capability's answer at the cut-off and later, from the clean and from the poisoned source."""

    def source(poisoned: bool) -> AbstractContextManager[tuple[Vendor, str]]:
        return SOURCES[kind](tmp_path_factory.mktemp("source"), poisoned)

    with ExitStack() as opened:
        yield Answers(source, QUESTIONS, opened)


class Answers:
    """Each capability's answer by name, source (poisoned or clean) and day; asked when a test first wants it."""

    def __init__(
        self, source: Callable[[bool], AbstractContextManager[tuple[Vendor, str]]], asked: Questions, opened: ExitStack
    ) -> None:
        self._source, self._asked, self._opened = source, asked, opened
        self._markets: dict[bool, Callable[[str, date], str]] = {}
        self._found: dict[tuple[str, bool, date], str] = {}

    def __getitem__(self, question: tuple[str, bool, date]) -> str:
        name, poisoned, _ = question
        if question not in self._found:
            if poisoned not in self._markets:
                self._markets[poisoned] = self._opened_market(poisoned)
            for day in (LATER, AS_OF):  # the later day first: what is remembered of it must not leak either
                self._found[name, poisoned, day] = self._markets[poisoned](name, day)
        return self._found[question]

    def _opened_market(self, poisoned: bool) -> Callable[[str, date], str]:
        vendor, symbol = self._opened.enter_context(self._source(poisoned))
        memo = Memo(4096)  # three capabilities ask for three statements of a hundred companies on two days
        # Of this source and day alone: each is asked every question once.
        caches = {day: self._opened.enter_context(_kept_answers()) for day in (LATER, AS_OF)}

        def ask(name: str, day: date) -> str:
            capability, arguments = self._asked[name]
            return _answer(_market(vendor, day, memo, caches[day]), capability, arguments(symbol, day))

        return ask


@contextmanager
def _kept_answers() -> Iterator[DiskCache]:
    with TemporaryDirectory() as folder:
        yield DiskCache(Path(folder) / CACHE_FILE)


def _market(vendor: Vendor, day: date, memo: Memo, cache: DiskCache) -> MarketData:
    settings = load_settings({"data_vendor": vendor.name}, environ={})
    vendors = Vendors(settings, {vendor.name: vendor})
    return MarketData(settings, day, vendors=vendors, memo=memo, cache=cache, now=lambda: NOW)


def _answer(data: MarketData, capability: Capability, arguments: dict[str, Any]) -> str:
    try:
        result = capability.ask(data, **arguments)
    except TradingAgentsError as error:
        return f"{type(error).__name__}: {error}"
    assert result.known_at is None or result.known_at <= data.cutoff.instant
    assert all(row.known_at is None or row.known_at <= data.cutoff.instant for row in data.sheet.rows)
    figures = {figure.name: figure.rounded for figure in result.figures()}
    return f"{figures}\n{result.to_markdown()}"


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_comes_after_the_cut_off_changes_nothing(answers, name: str):
    clean, poisoned = answers[name, False, AS_OF], answers[name, True, AS_OF]
    assert poisoned == clean
    assert "POISON" not in poisoned


@pytest.mark.parametrize("name", QUESTIONS)
def test_and_the_poison_would_show(answers, kind: type[Vendor], name: str):
    shown = name not in OF_DOCUMENTS and not is_undated(name)
    if shown and not knows_today_only(kind, name) and not is_unanswered(kind, name):
        assert answers[name, True, LATER] != answers[name, False, LATER]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_capability_has_an_answer_to_leak_from(answers, kind: type[Vendor], name: str):
    if is_unanswered(kind, name):
        assert answers[name, False, AS_OF].startswith("NoData")
        return
    assert answers[name, False, AS_OF].startswith("NotForPastDate") == knows_today_only(kind, name)
    assert not answers[name, False, AS_OF].startswith(("NoData", "AllVendorsFailed", "VendorDown")), answers[
        name, False, AS_OF
    ]


@pytest.mark.parametrize("name", [name for name in DATED if name not in CALENDARS])
def test_a_date_beyond_the_cut_off_is_read_as_the_day_of_the_study_and_the_answer_says_so(
    answers, kind: type[Vendor], name: str
):
    if is_unanswered(kind, name):
        return
    assert f"{FAR} lies after {AS_OF}" in answers[name, False, AS_OF]


@pytest.mark.parametrize("name", CALENDARS)
def test_a_calendar_looks_ahead_sixty_days_and_no_further(answers, kind: type[Vendor], name: str):
    if name not in kind.live_only:
        note = f"{FAR} lies more than 60 days after {AS_OF}, the day of this study, and was read as 2025-05-13."
        assert note in answers[name, False, AS_OF]
        shown = [
            date.fromisoformat(day)
            for day in re.findall(r"^\| (\d{4}-\d\d-\d\d)", answers[name, False, AS_OF], re.MULTILINE)
        ]
        assert AS_OF < max(shown) <= date(2025, 5, 13)
