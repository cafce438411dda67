"""The law of splits, for every vendor with statements: over a split day nothing moves but by the price.

A made-up company splits its shares on one morning, four for one or one for ten. Each vendor delivers its statements and
prices through its own code from a local server, in its own shape: as filed or restated, as traded or adjusted. What
`get_fundamentals` says on the eve and on the morning is worked out by hand below.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.contracts.sources import alpha_vantage, financial_datasets, finnhub, sec_edgar
from tests.dataflows.vendors import alpha_vantage_payloads as av
from tests.dataflows.vendors import financial_datasets_payloads as fd
from tests.dataflows.vendors import finnhub_payloads as fh
from tests.dataflows.vendors import sec_payloads as sec
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer, yahoo_server
from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.capabilities.company import get_fundamentals, get_peer_multiples
from tradingagents.dataflows.interface import VENDOR_METHODS, Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

SYMBOL = "ACMQ"
EVE, MORNING = date(2024, 6, 7), date(2024, 6, 10)
"""The Friday before, and the Monday on which shares trade split."""
REPORTED = date(2024, 8, 30)
"""A day after the first statements in the new shares."""
FETCHED = datetime(2025, 9, 30, 22, tzinfo=UTC)
RATIOS = (Fraction(4), Fraction(1, 10))
OLD_PRICE, RISE = 120.0, 1.02
"""Close of the eve, in its shares, and what the price gains until the morning; it stays there."""
SHARES = 100e6
"""In the shares of the eve."""
DIVIDENDS = ("2023-08-15", "2023-11-15", "2024-02-15", "2024-05-15")
DIVIDEND = 0.30
REVENUE, FREE_CASH, EQUITY, DEBT, CASH = 1e9, 150e6, 3e9, 2e9, 1e9
QUARTERS = (
    ("2022-03-31", "2022-05-02", 0.50),
    ("2022-06-30", "2022-08-01", 0.75),
    ("2022-09-30", "2022-11-01", 1.00),
    ("2022-12-31", "2023-02-10", 1.25),
    ("2023-03-31", "2023-05-01", 1.00),
    ("2023-06-30", "2023-08-01", 1.00),
    ("2023-09-30", "2023-11-01", 1.25),
    ("2023-12-31", "2024-02-09", 1.50),
    ("2024-03-31", "2024-05-01", 1.25),
    ("2024-06-30", "2024-08-01", 1.50),
)
"""Last day, day of filing, and earnings per share of the eve. The last one is filed after the split, in new shares."""
EPS_TTM, EPS_REPORTED = 5.00, 5.50
"""1.00 + 1.25 + 1.50 + 1.25; and a quarter later 1.25 + 1.50 + 1.25 + 1.50."""

Opened = dict[str, Vendor]


def filed_in(filed: str, ratio: Fraction) -> float:
    """Return how many shares of the day of filing stand for one of the eve."""
    return float(ratio) if filed >= MORNING.isoformat() else 1.0


def close_on(day: date) -> float:
    """Return the close in shares of the eve."""
    return OLD_PRICE * (RISE if day >= MORNING else 1.0)


def bars(last: date) -> list[tuple[date, float]]:
    return [(day, close_on(day)) for day in sessions().between(date(2021, 6, 1), last)]


# Prices, as each vendor delivers them


def kept_after(day: date) -> float:
    """Return what is left of a close without the dividends paid since; those were paid on closes of the eve's price."""
    return (1 - DIVIDEND / OLD_PRICE) ** sum(day.isoformat() < paid for paid in DIVIDENDS)


def serve_yahoo(server: YahooServer, ratio: Fraction, now: datetime) -> None:
    """Yahoo adjusts prices and dividends for every split until now, and restates every share figure."""
    split_since = now.date() >= MORNING
    new = float(ratio) if split_since else 1.0
    chart = {
        day.isoformat(): (*(close / new,) * 4, close * kept_after(day) / new, 1e6 * new)
        for day, close in bars(now.date())
    }
    splits = {MORNING.isoformat(): (ratio.numerator, ratio.denominator)} if split_since else None
    paid = dict.fromkeys(DIVIDENDS, DIVIDEND / new)
    server.answer("chart", yahoo.chart(SYMBOL, chart, splits=splits, dividends=paid), SYMBOL)
    facts = {
        "quoteType": {"quoteType": "EQUITY", "longName": "Acme Quark Devices"},
        "summaryDetail": {"currency": "USD"},
        "financialData": {"financialCurrency": "USD"},
        "defaultKeyStatistics": {"lastFiscalYearEnd": 1703980800},
    }
    trades = yahoo.insiders(
        {
            "day": "2024-05-20",
            "filerName": "A. Person",
            "filerRelation": "Officer",
            "transactionText": "Sale at price 120.00 per share.",
            "shares": 1000,
            "value": 120_000,
        }
    )["quoteSummary"]["result"][0]
    server.answer("quoteSummary", yahoo.quote_summary(**facts, **trades), SYMBOL)
    server.answer("quote", yahoo.quote(symbol=SYMBOL), SYMBOL)
    known = [(end, eps) for end, _, eps in QUARTERS if end < now.date().isoformat()]
    series = {
        "TotalRevenue": lambda eps: REVENUE,
        "NetIncome": lambda eps: eps * SHARES,
        "DilutedEPS": lambda eps: eps / new,
        "DilutedAverageShares": lambda eps: SHARES * new,
        "OperatingCashFlow": lambda eps: FREE_CASH,
        "FreeCashFlow": lambda eps: FREE_CASH,
        "StockholdersEquity": lambda eps: EQUITY,
        "TotalAssets": lambda eps: 2 * EQUITY,
        "TotalDebt": lambda eps: DEBT,
        "CashAndCashEquivalents": lambda eps: CASH,
    }
    server.answer(
        "timeseries", {f"quarterly{name}": {end: of(eps) for end, eps in known} for name, of in series.items()}, SYMBOL
    )


def serve_alpha_vantage(server: VendorServer, ratio: Fraction, now: datetime) -> None:
    """Alpha Vantage has bars and dividends as they were, with a list of splits; its statements count no shares."""
    traded = {
        day.isoformat(): av.bar(*(close / (float(ratio) if day >= MORNING else 1.0),) * 4, 1e6)
        for day, close in bars(now.date())
    }
    split_since = now.date() >= MORNING
    reports = [
        av.report(
            end,
            totalRevenue=str(REVENUE),
            netIncome=str(eps * SHARES),
            operatingCashflow=str(FREE_CASH),
            totalShareholderEquity=str(EQUITY),
            commonStockSharesOutstanding=str(SHARES),
        )
        for end, _, eps in reversed(QUARTERS)
    ]
    published = {f"Q{end.replace('-', '_')}": filed for end, filed, _ in QUARTERS}
    av.fill(
        server,
        TIME_SERIES_DAILY=av.daily(traded),
        SPLITS=av.events(*([av.split(MORNING.isoformat(), f"{float(ratio):.4f}")] if split_since else [])),
        DIVIDENDS=av.events(*(av.dividend(day, str(DIVIDEND)) for day in DIVIDENDS)),
        INCOME_STATEMENT=av.reports(*reports),
        BALANCE_SHEET=av.reports(*reports),
        CASH_FLOW=av.reports(*reports),
        EARNINGS=av.earnings(**published),
        INSIDER_TRANSACTIONS={"data": [av.trade("2024-05-20", "D", "1000.0", "120.0")]},
    )


# Statements as filed


def serve_sec(server: VendorServer, ratio: Fraction, now: datetime) -> None:
    """EDGAR has each filing's own figures: later ones repeat the year before, in the shares of their day."""
    facts, entries = sec.Facts(), []
    by_end = {end: eps for end, _, eps in QUARTERS}
    for number, (end, filed, _) in enumerate(QUARTERS, start=1):
        form = "10-K" if end.endswith("12-31") else "10-Q"
        entries.append(sec.entry(number, form, f"{filed}T21:05:00.000Z", reportDate=end))
        for year in (int(end[:4]), int(end[:4]) - 1):
            _sec_year(facts, number, form, filed, f"{year}{end[4:]}", by_end, filed_in(filed, ratio))
        day = {"StockholdersEquity": EQUITY, "Assets": 2 * EQUITY, "CashAndCashEquivalentsAtCarryingValue": CASH}
        facts.add(number, form, filed, end, **day, DebtLongtermAndShorttermCombinedAmount=DEBT)
    sale = sec.form4(sec.transaction("S", "2024-05-20", 1000, 120, side="D"))
    entries.append(sec.entry(50, "4", "2024-05-21T22:00:00.000Z", document="xslF345X05/form4.xml"))
    server.answer(f"{sec.folder(50)}form4.xml", Reply(sale, content_type="text/xml"))
    server.answer("/files/company_tickers.json", sec.tickers(**{SYMBOL: sec.CIK}))
    server.answer(sec.SUBMISSIONS, sec.submissions(*entries[::-1]))
    server.answer(sec.FACTS, facts.page())


def _sec_year(
    facts: sec.Facts, number: int, form: str, filed: str, end: str, by_end: dict[str, float], new: float
) -> None:
    """Add a quarter and the year to date, or a year: income per period, cash flows of the year to date."""
    year = [one for one in by_end if end[:4] == one[:4] and one <= end]
    if end not in by_end:
        return
    starts = {"03-31": "01-01", "06-30": "04-01", "09-30": "07-01", "12-31": "10-01"}
    spans = [(f"{end[:4]}-01-01", year)]
    if len(year) in (2, 3):
        spans.append((f"{end[:4]}-{starts[end[5:]]}", [end]))
    for first, quarters in spans:
        earned = sum(by_end[one] for one in quarters)
        facts.add(number, form, filed, (first, end), Revenues=REVENUE * len(quarters), NetIncomeLoss=earned * SHARES)
        facts.add(number, form, filed, (first, end), "USD/shares", EarningsPerShareDiluted=earned / new)
        facts.add(
            number, form, filed, (first, end), "shares", WeightedAverageNumberOfDilutedSharesOutstanding=SHARES * new
        )
    facts.add(
        number,
        form,
        filed,
        (f"{end[:4]}-01-01", end),
        NetCashProvidedByUsedInOperatingActivities=FREE_CASH * len(year),
        NetCashProvidedByUsedInInvestingActivities=0.0,
        PaymentsToAcquirePropertyPlantAndEquipment=0.0,
    )


def serve_financial_datasets(server: VendorServer, ratio: Fraction, now: datetime) -> None:
    """Financial Datasets has each statement as filed."""
    rows: list[tuple[str, dict[str, Any]]] = []
    for end, filed, eps in QUARTERS:
        new, fiscal = filed_in(filed, ratio), f"{end[:4]}-Q{int(end[5:7]) // 3}"
        income = {
            "revenue": REVENUE,
            "net_income": eps * SHARES,
            "earnings_per_share": eps / new,
            "earnings_per_share_diluted": eps / new,
            "weighted_average_shares": SHARES * new,
            "weighted_average_shares_diluted": SHARES * new,
        }
        sheet = {
            "shareholders_equity": EQUITY,
            "total_assets": EQUITY + fd.ITEMS["balance"]["total_liabilities"],
            "total_debt": DEBT,
            "cash_and_equivalents": CASH,
        }
        flows = {"net_cash_flow_from_operations": FREE_CASH, "capital_expenditure": 0.0, "free_cash_flow": FREE_CASH}
        given = {"income": income, "balance": sheet, "cashflow": flows}
        rows += [(kind, fd.statement(kind, end, fiscal, filing_date=filed, **given[kind])) for kind in given]
    fd.serve_statements(server, rows)
    trade = fd.trade("2024-05-20", "2024-05-21", transaction_price_per_share=120.0, transaction_value=-120_000.0)
    server.answer("/insider-trades", {"insider_trades": [trade]})
    server.answer("/company/facts", {"company_facts": fd.FACTS})


def serve_finnhub(server: VendorServer, ratio: Fraction, now: datetime) -> None:
    """Finnhub has insiders' trades as reported."""
    sale = fh.trade("A Person", -1000, "2024-05-20", "2024-05-21", "S", transactionPrice=120.0)
    fh.fill(server, stock_insider_transactions={"data": [sale], "symbol": SYMBOL})


@dataclass(frozen=True)
class Served:
    """How a vendor is served, and made."""

    serve: Callable[[VendorServer, Fraction, datetime], None]
    source: Any


REMOTE = {
    "alpha_vantage": Served(serve_alpha_vantage, alpha_vantage.SOURCE),
    "sec_edgar": Served(serve_sec, sec_edgar.SOURCE),
    "financial_datasets": Served(serve_financial_datasets, financial_datasets.SOURCE),
    "finnhub": Served(serve_finnhub, finnhub.SOURCE),
}
LOCAL = {"snapshot", "simulated"}
"""Their laws are in `tests.analytics.test_audit_splits` and `tests.dataflows.gateway.test_share_basis`."""
PRICES = ("yfinance", "alpha_vantage")
STATEMENTS = ("yfinance", "sec_edgar", "financial_datasets")
INSIDERS = ("yfinance", "alpha_vantage", "sec_edgar", "financial_datasets", "finnhub")
Open = Callable[..., MarketData]


@pytest.fixture
def servers() -> list[VendorServer]:
    """The servers that a test has opened."""
    return []


@pytest.fixture
def opened(tmp_path: Path, servers: list[VendorServer]) -> Iterator[Open]:
    """Open the market of a day: statements and insiders of one vendor, prices of another, as both were on `now`."""
    with ExitStack() as stack:

        def open_one(name: str, ratio: Fraction, now: datetime) -> Vendor:
            if name == "yfinance":
                there = stack.enter_context(yahoo_server())
                serve_yahoo(there, ratio, now)
                return YFinanceVendor(cache_dir=tmp_path, session=LocalSession(there.address), now=lambda: now)
            server = stack.enter_context(vendor_server())
            servers.append(server)
            REMOTE[name].serve(server, ratio, now)
            return REMOTE[name].source.open(server, tmp_path, now=lambda: now)

        def market(
            day: date, books: str, prices: str, ratio: Fraction, now: datetime = FETCHED, **more: object
        ) -> MarketData:
            chosen = {"get_stock_data": prices, "get_profile": prices}
            settings = load_settings({"data_vendor": books, "tool_vendors": chosen, **more}, environ={})
            made = {name: open_one(name, ratio, now) for name in {books, prices}}
            return MarketData(settings, day, vendors=Vendors(settings, made), now=lambda: now)

        yield market


def ratios_on(market: MarketData) -> Fundamentals:
    return get_fundamentals.ask(market, ticker=SYMBOL, curr_date=market.as_of)  # type: ignore[return-value]


def by_hand(day: date, ratio: Fraction) -> dict[str, float]:
    """Return what a person works out, everything in shares of the eve but what is per share."""
    price, new = close_on(day), float(ratio) if day >= MORNING else 1.0
    eps = EPS_REPORTED if day >= REPORTED else EPS_TTM
    cap = price * SHARES
    return {
        "price": price / new,
        "shares": SHARES * new,
        "market_cap": cap,
        "eps_ttm": eps / new,
        "pe_ttm": price / eps,
        "ps_ttm": cap / (4 * REVENUE),
        "pb": cap / EQUITY,
        "fcf_yield": 100 * 4 * FREE_CASH / cap,
    }


def test_every_vendor_with_statements_is_held_to_the_law():
    assert {*STATEMENTS, "alpha_vantage", *LOCAL} == set(VENDOR_METHODS["get_income_statement"])
    assert {*INSIDERS, *LOCAL} == set(VENDOR_METHODS["get_insider_transactions"])


@pytest.mark.parametrize("ratio", RATIOS, ids=["4-for-1", "1-for-10"])
@pytest.mark.parametrize("prices", PRICES)
@pytest.mark.parametrize("books", STATEMENTS)
def test_over_a_split_day_only_the_price_moves_a_multiple(opened: Open, books: str, prices: str, ratio: Fraction):
    eve, morning = (ratios_on(opened(day, books, prices, ratio)) for day in (EVE, MORNING))
    for found, day in ((eve, EVE), (morning, MORNING)):
        assert found.withheld == ()
        for name, value in by_hand(day, ratio).items():
            assert getattr(found, name) == pytest.approx(value, rel=1e-9), (name, day)
    # 4 x 0.30 over 120.00, and over the price a hundredth and two higher.
    assert eve.dividend_yield == pytest.approx(1.0)
    assert morning.dividend_yield == pytest.approx(1.0 / RISE)
    for name in ("market_cap", "pe_ttm", "ps_ttm", "pb", "peg"):
        assert getattr(morning, name) / getattr(eve, name) == pytest.approx(RISE), name
    assert eve.peg == pytest.approx(120 / 5 / 25)  # 5.00 after 4.00 a share


@pytest.mark.parametrize("ratio", RATIOS, ids=["4-for-1", "1-for-10"])
@pytest.mark.parametrize("books", STATEMENTS)
def test_the_first_statement_in_new_shares_is_put_together_with_the_old_ones(opened: Open, books: str, ratio: Fraction):
    found = ratios_on(opened(REPORTED, books, "yfinance", ratio))
    assert found.withheld == ()
    for name, value in by_hand(REPORTED, ratio).items():
        assert getattr(found, name) == pytest.approx(value, rel=1e-9), name


@pytest.mark.parametrize("prices", PRICES)
@pytest.mark.parametrize("books", STATEMENTS)
def test_on_the_eve_itself_the_answer_was_the_same(opened: Open, books: str, prices: str):
    """Asked live on that evening, when no source had heard of the split, and a year later."""
    then = datetime(2024, 6, 7, 22, tzinfo=UTC)
    live, past = (ratios_on(opened(EVE, books, prices, RATIOS[0], now)) for now in (then, FETCHED))
    assert {figure.name: figure.rounded for figure in live.figures()} == {
        figure.name: figure.rounded for figure in past.figures()
    }


@pytest.mark.parametrize("ratio", RATIOS, ids=["4-for-1", "1-for-10"])
def test_a_source_without_share_counts_gives_no_multiple_on_either_day(opened: Open, ratio: Fraction):
    """Alpha Vantage's counts are of an undocumented basis: none is taken, and the answer says that there is none."""
    for day in (EVE, MORNING):
        found = ratios_on(opened(day, "alpha_vantage", "alpha_vantage", ratio))
        assert {found.market_cap, found.pe_ttm, found.ps_ttm, found.pb, found.eps_ttm, found.fcf_yield} == {None}
        assert any(note.startswith("No usable share count: the income statement of") for note in found.notes)
        assert found.price == pytest.approx(by_hand(day, ratio)["price"])
        assert found.dividend_yield == pytest.approx(100 * 4 * DIVIDEND / close_on(day))


def test_peers_of_a_source_without_share_counts_are_not_asked_for(opened: Open, servers: list[VendorServer]):
    """A free key of Alpha Vantage has 25 requests a day; four peers would take more than that."""
    market = opened(EVE, "alpha_vantage", "alpha_vantage", RATIOS[0])
    with pytest.raises(NoData, match="alpha_vantage give no share count"):
        get_peer_multiples.ask(market, ticker=SYMBOL, curr_date=EVE)
    of = {
        request.query.get("symbol") for request in servers[0].asked if request.query["function"] == "INCOME_STATEMENT"
    }
    assert of == {SYMBOL}


@pytest.mark.parametrize("ratio", RATIOS, ids=["4-for-1", "1-for-10"])
@pytest.mark.parametrize("vendor", INSIDERS)
def test_an_insider_s_shares_follow_the_split_and_the_money_stays(opened: Open, vendor: str, ratio: Fraction):
    """A sale of 1,000 shares at 120.00, reported weeks before."""
    # Yahoo's trades reach back two years, so that a day of last year is within.
    for day, shares in ((EVE, 1000.0), (MORNING, 1000.0 * float(ratio))):
        sale = opened(day, vendor, "yfinance", ratio).insider_transactions(SYMBOL)[0]
        assert (sale.kind, sale.shares, sale.value) == ("sell", pytest.approx(shares), 120_000.0)


@pytest.mark.parametrize("books", ["sec_edgar", "financial_datasets"])
@pytest.mark.parametrize("prices", PRICES)
def test_a_split_older_than_the_price_history_still_counts(opened: Open, books: str, prices: str):
    """Statements as filed long ago are in shares of the day, however few days of prices a run reads."""
    market = opened(date(2025, 9, 26), books, prices, Fraction(4), price_history_days=800)
    assert market.cutoff.session - timedelta(days=400) > MORNING
    rows = market.statements(SYMBOL, "income", "quarterly")
    shown = {row.period_end.isoformat(): row.items.get("eps_diluted") for row in rows}
    # EDGAR's fourth quarters are a year less nine months of it.
    assert shown == {end: pytest.approx(eps / 4) for end, _, eps in QUARTERS}
