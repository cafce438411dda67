"""The recorded answers of the vendors at the addresses they came from, read by the real client libraries.

Each figure that a vendor class gives is compared with the recorded one, as this file reads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.contracts.sources.all import every_source
from tests.dataflows.vendors import alpha_vantage_payloads as alpha_vantage
from tests.dataflows.vendors.sec_payloads import tickers
from tests.support.outside_server import OutsideServer, outside_server
from tests.support.recorded_answers import RecordedAnswer, recorded_answers, serve
from tests.support.vendor_server import Reply
from tests.support.yahoo_server import CRUMB, quote, quote_summary
from tradingagents.dataflows.gateway.registry import BUILT_IN
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.models import Frequency, StatementKind
from tradingagents.dataflows.responses.lost_rows import noting_lost_rows
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.client import YahooSession
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.real_data
Opened = Callable[[str, datetime], Vendor]
AUTUMN = datetime(2025, 11, 30, 22, tzinfo=UTC)
"""After the last of Yahoo's and Alpha Vantage's recordings."""


@pytest.fixture(scope="module")
def answers(test_data: Path) -> tuple[RecordedAnswer, ...]:
    return recorded_answers(test_data)


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OutsideServer]:
    with pytest.MonkeyPatch.context() as patch, outside_server(tmp_path_factory.mktemp("outside"), patch) as running:
        yield running


@pytest.fixture
def opened(outside: OutsideServer, tmp_path: Path) -> Iterator[Opened]:
    """Make a vendor as a run does, but for the clock."""
    sources = {source.name: source for source in every_source()}
    quick = {name: "1000/second" for name, known in BUILT_IN.items() if known.rates}
    settings = load_settings({"home": tmp_path, "vendor_rates": quick}, environ={})

    def make(name: str, now: datetime) -> Vendor:
        if name == "yfinance":
            return YFinanceVendor(timeout=5.0, cache_dir=tmp_path / "yahoo", session=YahooSession(), now=lambda: now)
        source = sources[name]
        access = Vendors(settings, environ=source.environ).access(name)
        return source.kind(access, now=lambda: now)  # type: ignore[call-arg]

    outside.reset()
    yield make
    outside.reset()


def test_every_recorded_address_of_our_vendors_answers_as_it_did(
    outside: OutsideServer, answers: tuple[RecordedAnswer, ...]
):
    served = serve(outside, answers)
    assert len(served) > 900
    with httpx.Client(headers={"cookie": "A3=d=fictional"}, timeout=10) as client:
        for one in served:
            reply = client.get(one.url.replace("crumb=REDACTED", f"crumb={CRUMB}"))
            assert (reply.status_code, reply.content) == (one.status, one.body), one.url
        of_companies = [one for one in served if "/quoteSummary/" in one.url]
        assert client.get(of_companies[0].url).status_code == 401, "without its crumb"


def of_folder(answers: tuple[RecordedAnswer, ...], folder: str) -> list[RecordedAnswer]:
    return [one for one in answers if f"/{folder}/" in one.file.as_posix()]


def closes_of(chart: Any) -> dict[date, float]:
    """Return the closes of a recorded chart by the exchange's day, in the unit that Yahoo names."""
    (result,) = chart["chart"]["result"]
    zone = timedelta(seconds=result["meta"].get("gmtoffset", 0))
    closes = result["indicators"]["quote"][0].get("close", [])
    found = zip(result.get("timestamp", []), closes, strict=True)
    return {(datetime.fromtimestamp(stamp, UTC) + zone).date(): close for stamp, close in found if close is not None}


def test_every_recorded_chart_of_days(outside: OutsideServer, opened: Opened, answers: tuple[RecordedAnswer, ...]):
    compared = 0
    for one in of_folder(answers, "yahoo/chart"):
        meta = (one.payload["chart"]["result"] or [{}])[0].get("meta", {})
        if meta.get("dataGranularity") != "1d":
            continue
        closes, symbol = closes_of(one.payload), meta["symbol"]
        outside.yahoo.answer("chart", one.payload, symbol)
        last = max(closes, default=date(2020, 1, 3))
        vendor = opened("yfinance", datetime.combine(last + timedelta(days=1), time(22), UTC))
        bars = vendor.get_stock_data(symbol, min(closes, default=last), last)
        scale = 100 if meta["currency"] == "GBp" else 1
        assert set(bars.days.tolist()) == set(closes), one.file.name
        for day, close in zip(bars.days.tolist(), bars.close.tolist(), strict=True):
            assert close * scale == pytest.approx(closes[day], rel=1e-6), (one.file.name, day)
            compared += 1
    assert compared > 600


FREQUENCIES: dict[Frequency, str] = {"annual": "annual", "quarterly": "quarterly"}
LINES: dict[str, tuple[StatementKind, str]] = {
    "TotalRevenue": ("income", "revenue"),
    "TotalAssets": ("balance", "total_assets"),
    "OperatingCashFlow": ("cashflow", "operating_cash_flow"),
}


def reported(series: Any, of: str) -> dict[date, float]:
    """Return the figures of a type of a recorded answer by the end of their period."""
    rows = [row for result in series["timeseries"]["result"] or [] for row in result.get(of, []) if row]
    return {date.fromisoformat(row["asOfDate"]): row["reportedValue"]["raw"] for row in rows}


def test_every_recorded_series_of_statements(
    outside: OutsideServer, opened: Opened, answers: tuple[RecordedAnswer, ...]
):
    compared = 0
    for one in of_folder(answers, "yahoo/fundamentals-timeseries"):
        series = one.payload
        (symbol, *_) = {name for result in series["timeseries"]["result"] for name in result["meta"]["symbol"]}
        outside.yahoo.answer("timeseries", series, symbol)
        outside.yahoo.answer("quoteSummary", quote_summary(quoteType={"quoteType": "EQUITY"}), symbol)
        outside.yahoo.answer("quote", quote(symbol=symbol), symbol)
        for theirs, (kind, ours) in LINES.items():
            for freq, prefix in FREQUENCIES.items():
                expected = reported(series, f"{prefix}{theirs}")
                if not expected:
                    continue
                rows = opened("yfinance", AUTUMN).get_statements(symbol, kind, freq)
                given = {row.period_end: row.items[ours] for row in rows if ours in row.items}
                assert given == expected, one.file.name
                compared += len(given)
    assert compared > 80


def test_every_recorded_company_and_its_insiders(
    outside: OutsideServer, opened: Opened, answers: tuple[RecordedAnswer, ...]
):
    compared = 0
    quoted = {one.file.name: one.payload for one in of_folder(answers, "yahoo/quote")}
    for one in of_folder(answers, "yahoo/quoteSummary"):
        if not one.file.name.startswith("quoteSummary-all-"):
            continue
        (modules,) = one.payload["quoteSummary"]["result"]
        outside.yahoo.answer("quoteSummary", one.payload, one.symbol)
        outside.yahoo.answer("quote", quoted.get(f"quote-{one.symbol}.json", quote(symbol=one.symbol)), one.symbol)
        vendor = opened("yfinance", AUTUMN)
        names = {modules["quoteType"].get("longName"), modules["quoteType"].get("shortName")}
        assert vendor.get_profile(one.symbol).name in names, one.symbol
        trades = modules.get("insiderTransactions", {}).get("transactions", [])
        with noting_lost_rows() as noted:
            found = vendor.get_insider_transactions(one.symbol)
        shares = Counter(float(trade["shares"]["raw"]) for trade in trades)
        given = Counter(trade.shares for trade in found)
        assert given <= shares, one.symbol
        assert (shares - given).total() == noted.total(), (one.symbol, noted)
        compared += len(found)
    assert compared > 700


def test_what_yahoo_did_not_know_is_said(outside: OutsideServer, opened: Opened, answers: tuple[RecordedAnswer, ...]):
    unknown = [one for one in of_folder(answers, "yahoo/quoteSummary") if one.status == 404]
    assert len(unknown) > 200
    for symbol in {one.symbol for one in unknown if "insiderTransactions" in one.url}:
        missing = next(one for one in unknown if one.symbol == symbol and "insiderTransactions" in one.url)
        outside.yahoo.answer("quoteSummary", Reply(missing.payload, status=404), symbol)
        with pytest.raises(NoData):
            opened("yfinance", AUTUMN).get_insider_transactions(symbol)


def test_every_recorded_day_of_alpha_vantage(
    outside: OutsideServer, opened: Opened, answers: tuple[RecordedAnswer, ...]
):
    compared = 0
    for one in of_folder(answers, "alpha_vantage/TIME_SERIES_DAILY"):
        days, symbol = one.payload.get("Time Series (Daily)", {}), one.file.stem
        none = alpha_vantage.events()
        site = outside.sites["alpha_vantage"]
        alpha_vantage.fill(site, TIME_SERIES_DAILY=one.payload, SPLITS=none, DIVIDENDS=none)
        first, last = (date.fromisoformat(pick(days)) for pick in (min, max)) if days else (AUTUMN.date(),) * 2
        bars = opened("alpha_vantage", AUTUMN).get_stock_data(symbol, first, last)
        given = dict(zip(bars.days.tolist(), bars.close.tolist(), strict=True))
        assert given == {date.fromisoformat(day): float(row["4. close"]) for day, row in days.items()}, symbol
        compared += len(given)
    assert compared > 9000


def test_every_recorded_company_of_edgar(outside: OutsideServer, opened: Opened, answers: tuple[RecordedAnswer, ...]):
    indices = of_folder(answers, "sec/submissions")
    assert len(indices) == 6
    numbers = {one.payload["tickers"][0]: int(one.payload["cik"]) for one in indices if one.payload["tickers"]}
    outside.sites["sec_edgar"].answer("/files/company_tickers.json", tickers(**numbers))
    serve(outside, answers)
    vendor = opened("sec_edgar", datetime(2026, 7, 10, tzinfo=UTC))
    for one in indices:
        recent = one.payload["filings"]["recent"]
        for symbol in one.payload["tickers"][:1]:
            days = [date.fromisoformat(day) for day in recent["filingDate"]]
            found = vendor.get_filings(symbol, min(days), max(days))
            assert {filing.accession for filing in found} == set(recent["accessionNumber"]), symbol
