"""Look-ahead by fetching or by assumption: none. What a live source serves now reaches no past day.

Yahoo gives no filing dates. The poison here are rows that a live run of that very evening did know, or that an
assumption holds known at the cut-off: a quarter served before its report, and with EDGAR, which has accepted none of
them by the cut-off, a quarter whose report and a trade whose form were filed late. The live run comes first and fills
the disk cache, the memory and the vendors that the past runs then use, the first of them on the next trading day.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from tests.contracts.sources.sec_edgar import SOURCE as EDGAR
from tests.contracts.test_look_ahead import AS_OF, CUTOFF, LATER, NOW, OF_DOCUMENTS, QUESTIONS
from tests.contracts.yahoo_market import QUARTERS, fill_yahoo, series, trade
from tests.dataflows.vendors.sec_payloads import CIK, SUBMISSIONS, entry, submissions, tickers
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import VendorServer, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer, yahoo_server
from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.fiscal_periods import assumed_known_at, assumed_reported_at
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import TradingAgentsError
from tradingagents.settings import load_settings

SYMBOL = "ZYXO"
MONDAY = datetime(2025, 3, 17, 22, tzinfo=UTC)
EVENING = CUTOFF + timedelta(minutes=30)
LATE_QUARTER, NEW_QUARTER = date(2024, 9, 30), date(2024, 12, 31)
LATE_TRADE, NEW_TRADE = date(2025, 3, 4), date(2025, 3, 13)
WILD = 9.99e6
UNDATED = {"get_income_statement", "get_balance_sheet", "get_cashflow", "get_financials", "get_insider_transactions"}
ASKED = [name for name, (capability, _) in QUESTIONS.items() if UNDATED & set(capability.methods)]
"""Capabilities that read rows whose dates Yahoo does not give."""
EARLIER = [end for end in QUARTERS if end < LATE_QUARTER]


@dataclass
class Source:
    """Yahoo and EDGAR, each with the same clock."""

    vendors: Vendors
    now: datetime = NOW


@contextmanager
def source(folder: Path, poisoned: bool, *, edgar: bool) -> Iterator[Source]:
    with yahoo_server() as yahoos, vendor_server() as edgars:
        _fill_yahoo(yahoos, poisoned, late=edgar)
        _fill_edgar(edgars, poisoned)
        found = Source(None)  # type: ignore[arg-type]
        session = LocalSession(yahoos.address)
        made = {
            "yfinance": YFinanceVendor(cache_dir=folder, session=session, now=lambda: found.now),
        }
        if edgar:
            made["sec_edgar"] = EDGAR.open(edgars, folder, now=lambda: found.now)
        found.vendors = Vendors(load_settings({"data_vendor": "yfinance"}, environ={}), made, environ={})
        yield found


def _fill_yahoo(server: YahooServer, poisoned: bool, *, late: bool) -> None:
    fill_yahoo(server, SYMBOL, poisoned_after=None)
    known = series(EARLIER)
    trades = [trade("2025-02-10", 1000), trade("2025-01-20", -500)]
    if poisoned:
        trades.append(trade((LATE_TRADE if late else NEW_TRADE).isoformat(), 9_000_000))
        quarters = (LATE_QUARTER, NEW_QUARTER) if late else (NEW_QUARTER,)
        for name, values in known.items():
            if name.startswith("quarterly"):
                values.update({end.isoformat(): WILD for end in quarters})
    server.answer("timeseries", known, SYMBOL)
    modules = {
        "quoteType": {"quoteType": "EQUITY", "longName": "Zyxolar Instruments, Inc."},
        "assetProfile": {"sector": "Technology", "industry": "Instruments"},
        "summaryDetail": {"currency": "USD"},
        "financialData": {"financialCurrency": "USD"},
        "defaultKeyStatistics": {"lastFiscalYearEnd": 1703980800},
    }
    insiders = yahoo.insiders(*trades)["quoteSummary"]["result"][0]
    server.answer("quoteSummary", yahoo.quote_summary(**modules, **insiders), SYMBOL)


def _fill_edgar(server: VendorServer, poisoned: bool) -> None:
    filed = [
        entry(
            number,
            "10-K" if end.month == 12 else "10-Q",
            f"{end + timedelta(days=35)}T21:05:00.000Z",
            reportDate=f"{end}",
        )
        for number, end in enumerate(EARLIER, start=1)
    ]
    filed += [entry(20, "4", "2025-02-11T22:00:00.000Z", reportDate="2025-02-10")]
    filed += [entry(21, "4", "2025-01-21T22:00:00.000Z", reportDate="2025-01-20")]
    if poisoned:
        late = (("10-Q", LATE_QUARTER), ("10-K", NEW_QUARTER), ("4", LATE_TRADE))
        for number, (form, end) in enumerate(late, start=30):
            filed.append(entry(number, form, "2025-03-14T20:00:01.000Z", reportDate=end.isoformat()))
    server.answer("/files/company_tickers.json", tickers(**{SYMBOL: CIK}))
    server.answer(SUBMISSIONS, submissions(*filed[::-1]))


def _answer(source: Source, now: datetime, day: date, name: str, memo: Memo, cache: DiskCache) -> str:
    source.now = now
    settings = load_settings({"data_vendor": "yfinance"}, environ={})
    data = MarketData(settings, day, vendors=source.vendors, memo=memo, cache=cache, now=lambda: now)
    capability, arguments = QUESTIONS[name]
    try:
        result = capability.ask(data, **arguments(SYMBOL, day))
    except TradingAgentsError as error:
        return f"{type(error).__name__}: {error}"
    assert all(row.known_at is None or row.known_at <= data.cutoff.instant for row in data.sheet.rows)
    figures = {figure.name: figure.rounded for figure in result.figures()}
    return f"{figures}\n{result.to_markdown()}"


@pytest.fixture(scope="module", params=[True, False], ids=["dated by EDGAR", "assumed"])
def answers(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, bool, str], str]:
    """Every answer live on the evening, then of that day and of a later one, from a clean and a poisoned source."""
    found: dict[tuple[str, bool, str], str] = {}
    for poisoned in (False, True):
        folder = tmp_path_factory.mktemp("served")
        memo, cache = Memo(512), DiskCache(folder / CACHE_FILE)
        asked = (("live", EVENING, AS_OF), ("soon", MONDAY, AS_OF), ("later", NOW, LATER), ("past", NOW, AS_OF))
        with source(folder, poisoned, edgar=request.param) as both:
            for when, now, day in asked:
                for name in ASKED:
                    found[name, poisoned, when] = _answer(both, now, day, name, memo, cache)
    return found


def test_the_assumptions_would_let_the_poison_pass():
    assert assumed_known_at(LATE_QUARTER, annual=False) < CUTOFF
    assert assumed_reported_at(LATE_TRADE) < CUTOFF
    assert assumed_known_at(NEW_QUARTER, annual=True) > MONDAY  # on which a run that fetched it would know it
    assert assumed_reported_at(NEW_TRADE) > MONDAY


@pytest.mark.parametrize("name", ASKED)
def test_what_was_filed_after_the_cut_off_changes_no_answer_of_that_day(answers, name: str):
    for when in ("soon", "past"):
        assert answers[name, True, when] == answers[name, False, when]


@pytest.mark.parametrize("name", ASKED)
def test_and_it_would_show(answers, name: str):
    clean, poisoned = answers[name, False, "later"], answers[name, True, "later"]
    assert clean != poisoned or name in OF_DOCUMENTS or clean.startswith(("NoData", "NotForPastDate"))


def test_the_live_run_of_that_evening_did_know_it(answers):
    shown = [name for name in ASKED if answers[name, True, "live"] != answers[name, False, "live"]]
    assert {"get_income_statement", "get_balance_sheet", "get_cashflow", "get_insider_transactions"} <= set(shown)
