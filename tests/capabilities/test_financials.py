"""`get_financials` through three local servers at once: Financial Datasets, EDGAR and Yahoo, of the same company."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.contracts.sources.financial_datasets import SOURCE as FINANCIAL_DATASETS
from tests.contracts.sources.sec_edgar import SOURCE as SEC_EDGAR
from tests.dataflows.vendors.financial_datasets_payloads import serve_statements, statement
from tests.dataflows.vendors.sec_payloads import CIK, FACTS, SUBMISSIONS, Facts, entry, submissions, tickers
from tests.support import yahoo_server as yahoo
from tests.support.vendor_server import Reply, VendorServer, vendor_server
from tests.support.yahoo_server import LocalSession, YahooServer, yahoo_server
from tradingagents.analytics.company.financials import Financials
from tradingagents.capabilities.filings import get_financials
from tradingagents.dataflows.gateway.source import FILING_DATES
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import AllVendorsFailed, NoData, VendorNotConfigured
from tradingagents.settings import load_settings

AS_OF = date(2025, 4, 30)
"""After the years of all three are known: EDGAR's of 2024 since February, the others' since the first of April."""
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
NAMES = ("financial_datasets", "sec_edgar", "yfinance")
BY = {2022: 10.0, 2023: 11.0, 2024: 12.0}
"""How many times the payloads' figures each year has: 2024 has a revenue of 10.8, a net income of 1.68, assets of 48
and an operating cash flow of 2.52 billion."""
OWN = {"financial_datasets": 400e6, "sec_edgar": 410e6, "yfinance": 420e6}
"""The gross profit each source gives, before `BY`: it is not compared, and tells whose statements they are."""


@dataclass
class Market:
    """Three servers and the vendors that talk to them."""

    servers: Mapping[str, VendorServer | YahooServer]
    vendors: Mapping[str, Vendor]

    def fails(self, name: str, answer: Reply) -> None:
        """Have a source answer every question for statements so."""
        server = self.servers[name]
        if isinstance(server, VendorServer):
            server.failing = answer
        else:
            server.answer("timeseries", yahoo.Reply(answer.body, answer.status), "ACMQ")

    def asked(self, name: str) -> int:
        return len(self.servers[name].asked)

    def data(self, as_of: date = AS_OF, **settings: Any) -> MarketData:
        given = load_settings(settings, environ={})
        vendors = Vendors(given, self.vendors, environ={}, sleep=lambda _: None)
        return MarketData(given, as_of, vendors=vendors, now=lambda: NOW)

    def ask(self, **arguments: Any) -> Financials:
        result = get_financials.ask(self.data(), ticker="acmq", **arguments)
        assert isinstance(result, Financials)
        return result


@pytest.fixture
def market(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Market]:
    # yfinance keeps its cache open for as long as the process runs: two tests must not have theirs at one place.
    yahoo_cache = tmp_path_factory.mktemp("yahoo")
    with vendor_server() as datasets, vendor_server() as edgar, yahoo_server() as yahoos:
        fill_datasets(datasets)
        fill_edgar(edgar)
        fill_yahoo(yahoos)
        yield Market(
            dict(zip(NAMES, (datasets, edgar, yahoos), strict=True)),
            {
                "financial_datasets": FINANCIAL_DATASETS.open(datasets, tmp_path),
                "sec_edgar": SEC_EDGAR.open(edgar, tmp_path),
                "yfinance": YFinanceVendor(
                    cache_dir=yahoo_cache, session=LocalSession(yahoos.address), now=lambda: NOW, timeout=5.0
                ),
            },
        )


NOTHING = Reply({"error": "not found"}, status=404)
DOWN = Reply("<html>later</html>", status=500)


def gross_profits(result: Financials) -> list[float]:
    return [one.items["gross_profit"] for one in result.statements["income"]]


# Who answers


def test_the_first_source_answers_and_agrees_with_the_others(market: Market):
    data = market.data()
    result = get_financials.ask(data, ticker="acmq")
    assert isinstance(result, Financials)
    assert (result.symbol, result.source, result.currency, result.rows) == ("ACMQ", "financial_datasets", "USD", 9)
    assert {figure.name: figure.value for figure in result.figures()} == pytest.approx(
        {
            "revenue": 10.8e9,
            "gross_profit": 4.8e9,
            "operating_income": 2.16e9,
            "net_income": 1.68e9,
            "total_assets": 48e9,
            "total_liabilities": 28.8e9,
            "shareholders_equity": 19.2e9,
            "cash_and_equivalents": 8.4e9,
            "operating_cash_flow": 2.52e9,
            "investing_cash_flow": -0.9e9,
            "financing_cash_flow": -1.08e9,
            "free_cash_flow": 1.8e9,
            "roa": 3.5,
            "roe": 8.75,
            "current_ratio": 1.5,
            "debt_to_equity": 0.5,
        }
    )
    assert [check.agreed for check in result.checks] == [3, 3]
    assert result.notes[:2] == (
        "financial_datasets agrees with sec_edgar for 3 periods.",
        "financial_datasets agrees with yfinance for 3 periods.",
    )
    assert result.notes[2].startswith("Filing date assumed")
    others = [row for row in data.sheet.rows if not row.figures and row.method != FILING_DATES]
    assert [(row.vendor, row.rows, row.start, row.end) for row in others] == [
        (name, 9, date(2022, 12, 31), date(2024, 12, 31)) for name in NAMES[1:]
    ]
    (own,) = [row for row in data.sheet.rows if row.figures]
    assert (own.method, own.vendor, own.figures["revenue"]) == ("get_financials", "financial_datasets", 10.8e9)


@pytest.mark.parametrize(
    ("failing", "answers"), [((), NAMES[0]), (NAMES[:1], NAMES[1]), (NAMES[:2], NAMES[2]), (NAMES[1:], NAMES[0])]
)
@pytest.mark.parametrize("how", [NOTHING, DOWN], ids=["nothing", "down"])
def test_the_first_that_has_statements_gives_all_of_them(market: Market, failing, answers: str, how: Reply):
    for name in failing:
        market.fails(name, how)
    result = market.ask()
    assert result.source == answers
    assert gross_profits(result) == pytest.approx([OWN[answers] * by for by in (12, 11, 10)])
    assert (result.revenue, result.total_assets, result.operating_cash_flow) == pytest.approx((10.8e9, 48e9, 2.52e9))
    asked_first = [name for name in failing if NAMES.index(name) < NAMES.index(answers)]
    assert [note.split()[0] for note in result.notes if "asked first and gave nothing" in note] == asked_first


@pytest.mark.parametrize("order", list(permutations(NAMES)), ids=" ".join)
def test_the_order_is_that_of_the_settings(market: Market, order: tuple[str, ...]):
    market.fails(order[0], NOTHING)
    data = market.data(tool_vendors={"get_financials": ",".join(order)})
    result = get_financials.ask(data, ticker="ACMQ")
    assert result.source == order[1]
    assert [row.vendor for row in data.sheet.rows if row.rows == 0] == [order[0]]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Reply({"error": "pay"}, status=402), "wants payment"),
        (Reply({"error": "key"}, status=401), "check the value of FINANCIAL_DATASETS_API_KEY"),
        (Reply({"error": "slow"}, status=429), "limits the rate"),
        (DOWN, "HTTP 500"),
        (NOTHING, "has no annual income statements of ACMQ"),
        (Reply({"income_statements": [], "balance_sheets": [], "cash_flow_statements": []}), "has no annual income"),
        (Reply("<html>later</html>"), "cannot be read"),
    ],
)
def test_why_a_source_was_passed_over_is_told(market: Market, answer: Reply, reason: str):
    market.fails("financial_datasets", answer)
    data = market.data()
    result = get_financials.ask(data, ticker="ACMQ")
    assert result.source == "sec_edgar"
    assert result.notes[0].startswith("financial_datasets was asked first and gave nothing: financial_datasets")
    assert reason in result.notes[0]
    (passed,) = [row for row in data.sheet.rows if row.vendor == "financial_datasets"]
    assert (passed.method, passed.symbol, passed.rows, passed.known_at) == ("get_financials", "ACMQ", 0, None)
    assert reason in passed.notes[0]
    for value in (*FINANCIAL_DATASETS.environ.values(), *SEC_EDGAR.environ.values()):
        assert value not in result.to_markdown() + repr(data.sheet.rows)


def test_a_source_that_fails_halfway_gives_nothing_at_all(market: Market):
    datasets = market.servers["financial_datasets"]
    assert isinstance(datasets, VendorServer)
    datasets.answer("/financials/cash-flow-statements", DOWN)
    result = market.ask()
    assert (result.source, result.operating_cash_flow) == ("sec_edgar", pytest.approx(2.52e9))


def test_a_source_that_lacks_one_statement_answers_with_the_others_and_says_so(market: Market):
    datasets = market.servers["financial_datasets"]
    assert isinstance(datasets, VendorServer)
    datasets.answer("/financials/cash-flow-statements", NOTHING)
    result = market.ask()
    assert (result.source, result.revenue, result.operating_cash_flow) == ("financial_datasets", 10.8e9, None)
    assert "financial_datasets gives no cash-flow statement." in result.notes


def test_where_each_has_nothing_that_is_no_data_and_names_each(market: Market):
    for name in NAMES:
        market.fails(name, NOTHING)
    with pytest.raises(NoData, match=r"financial_datasets has no .* sec_edgar has no .* Yahoo has no .*\.$"):
        market.ask()


def test_where_all_fail_differently_each_reason_is_told(market: Market):
    market.fails("financial_datasets", Reply({}, status=402))
    market.fails("sec_edgar", DOWN)
    market.fails("yfinance", NOTHING)
    words = (
        r"get_financials of ACMQ failed at financial_datasets, sec_edgar, yfinance: .*payment.*HTTP 500.*Yahoo has no"
    )
    with pytest.raises(AllVendorsFailed, match=words) as caught:
        market.ask()
    assert isinstance(caught.value.__cause__, VendorNotConfigured)
    assert str(caught.value).endswith(".")


def test_without_keys_those_that_need_one_are_not_asked(market: Market, tmp_path: Path):
    settings = load_settings({"home": tmp_path}, environ={})
    vendors = Vendors(settings, {"yfinance": market.vendors["yfinance"]}, environ={})
    data = MarketData(settings, AS_OF, vendors=vendors, now=lambda: NOW)
    result = get_financials.ask(data, ticker="ACMQ")
    assert result.source == "yfinance"
    assert {row.vendor for row in data.sheet.rows if row.method != FILING_DATES} == {"yfinance"}
    assert "Not checked against another source: none was asked." in result.notes
    only = load_settings({"home": tmp_path, "tool_vendors": {"get_financials": "financial_datasets"}}, environ={})
    data = MarketData(only, AS_OF, vendors=Vendors(only, environ={}), now=lambda: NOW)
    with pytest.raises(VendorNotConfigured, match="needs FINANCIAL_DATASETS_API_KEY"):
        get_financials.ask(data, ticker="ACMQ")


def test_one_vendor_for_everything_replaces_the_list(market: Market):
    result = get_financials.ask(market.data(data_vendor="yfinance"), ticker="ACMQ")
    assert result.source == "yfinance"
    assert market.asked("financial_datasets") == market.servers["sec_edgar"].count("/api") == 0
    assert market.servers["sec_edgar"].count("/submissions") == 1  # for the dates of filing


# Checked against the others


def test_another_revenue_is_a_warning(market: Market):
    fill_edgar(market.servers["sec_edgar"], revenue={2023: 10.0e9})
    result = market.ask()
    assert result.source == "financial_datasets"
    warning, *agreed = result.notes[:3]
    assert warning == (
        "Warning: revenue of the period to 2023-12-31 is 9.90B USD at financial_datasets and 10.00B USD at sec_edgar; "
        "look into the filing."
    )
    assert agreed == [
        "financial_datasets agrees with sec_edgar for 2 of 3 periods.",
        "financial_datasets agrees with yfinance for 3 periods.",
    ]
    assert [(one.item, one.value, one.other) for one in result.checks[0].differences] == [("revenue", 9.9e9, 10.0e9)]


def test_rounding_is_none(market: Market):
    fill_edgar(market.servers["sec_edgar"], revenue={2023: 9.9e9 + 49e6})  # 0.49 %
    assert [check.differences for check in market.ask().checks] == [(), ()]


@pytest.mark.parametrize("how", [NOTHING, DOWN, Reply("<html>later</html>")])
def test_one_that_cannot_be_asked_to_check_is_named_and_no_more(market: Market, how: Reply):
    market.fails("sec_edgar", how)
    result = market.ask()
    assert (result.source, result.revenue) == ("financial_datasets", 10.8e9)
    assert [check.source for check in result.checks] == ["yfinance"]
    assert any(note.startswith("Not checked against sec_edgar: sec_edgar") for note in result.notes)


def test_without_the_check_only_one_is_asked(market: Market):
    result = market.ask(cross_check=False)
    assert result.checks == ()
    assert "Not checked against another source: none was asked." in result.notes
    assert (market.asked("financial_datasets"), market.servers["sec_edgar"].count("/api")) == (3, 0)
    assert [kind for kind in market.servers["yfinance"].asked if "TotalRevenue" in str(kind)] == []  # its prices only


def test_a_question_asked_twice_is_asked_of_each_once(market: Market):
    data = market.data()
    first = get_financials.ask(data, ticker="ACMQ")
    asked = [market.asked(name) for name in NAMES]
    assert get_financials.ask(data, ticker="acmq", years=1).revenue == first.revenue
    assert [market.asked(name) for name in NAMES] == asked


# As of a day


def test_what_had_not_been_filed_is_not_there(market: Market):
    """EDGAR accepted the year 2024 on the 10th of February; the others are assumed to know it on the first of April."""
    market.vendors.pop("sec_edgar")
    assumed = get_financials.ask(market.data(date(2025, 3, 14)), ticker="ACMQ")
    assert (assumed.source, assumed.period_end, assumed.revenue) == ("financial_datasets", date(2023, 12, 31), 9.9e9)


def test_edgar_dates_the_others_statements_too(market: Market):
    result = get_financials.ask(market.data(date(2025, 3, 14)), ticker="ACMQ")
    assert (result.source, result.period_end, result.revenue) == ("financial_datasets", date(2024, 12, 31), 10.8e9)
    assert [check.periods for check in result.checks] == [3, 3]
    market.fails("financial_datasets", DOWN)
    filed = get_financials.ask(market.data(date(2025, 3, 14)), ticker="ACMQ")
    assert (filed.source, filed.period_end, filed.revenue) == ("sec_edgar", date(2024, 12, 31), pytest.approx(10.8e9))
    assert filed.known_at == result.known_at == datetime(2025, 2, 10, 21, 5, tzinfo=UTC)
    before = get_financials.ask(market.data(), ticker="ACMQ", curr_date="2025-02-10")
    assert before.period_end == date(2023, 12, 31)


def test_a_day_before_the_first_filing_has_no_statements(market: Market):
    with pytest.raises(NoData, match="filed by 2022-06-30"):
        get_financials.ask(market.data(date(2022, 6, 30)), ticker="ACMQ")


# What is asked for


def test_one_statement_is_asked_for_alone(market: Market):
    result = market.ask(statement_type="balance", years=2)
    assert [request.path for request in market.servers["financial_datasets"].asked] == ["/financials/balance-sheets"]
    assert [one.end.year for one in result.statements["balance"]] == [2024, 2023]
    assert (result.revenue, result.roa, result.total_assets) == (None, None, 48e9)
    assert result.notes[0] == "financial_datasets agrees with sec_edgar for 2 periods."


@pytest.mark.parametrize("more", [{"years": 0}, {"years": 11}, {"period": "ttm"}, {"statement_type": "cash"}])
def test_what_cannot_be_asked_for_is_refused(market: Market, more: dict[str, Any]):
    with pytest.raises(ValidationError):
        market.ask(**more)
    assert market.asked("financial_datasets") == 0


# The three sources


def fill_datasets(server: VendorServer) -> None:
    kinds = ("income", "balance", "cashflow")
    serve_statements(
        server,
        [
            (kind, statement(kind, f"{year}-12-31", f"{year}-FY", period="annual", by=by))
            for kind in kinds
            for year, by in BY.items()
        ],
    )


def fill_edgar(server: Any, revenue: Mapping[int, float] | None = None) -> None:
    facts, entries = Facts(), []
    for number, (year, by) in enumerate(BY.items(), start=1):
        filed, span = f"{year + 1}-02-10", (f"{year}-01-01", f"{year}-12-31")
        facts.add(
            *(number, "10-K", filed, span),
            Revenues=(revenue or {}).get(year, 900e6 * by),
            GrossProfit=OWN["sec_edgar"] * by,
            OperatingIncomeLoss=180e6 * by,
            NetIncomeLoss=140e6 * by,
            NetCashProvidedByUsedInOperatingActivities=210e6 * by,
            NetCashProvidedByUsedInInvestingActivities=-75e6 * by,
        )
        facts.add(
            *(number, "10-K", filed, span[1]),
            Assets=4000e6 * by,
            Liabilities=2400e6 * by,
            StockholdersEquity=1600e6 * by,
        )
        entries.append(entry(number, "10-K", f"{filed}T21:05:00.000Z", reportDate=span[1]))
    server.answer("/files/company_tickers.json", tickers(ACMQ=CIK))
    server.answer(SUBMISSIONS, submissions(*entries[::-1]))
    server.answer(FACTS, facts.page())


def fill_yahoo(server: YahooServer) -> None:
    figures = {
        "TotalRevenue": 900e6,
        "GrossProfit": OWN["yfinance"],
        "NetIncome": 140e6,
        "TotalAssets": 4000e6,
        "OperatingCashFlow": 210e6,
    }
    modules = {
        "quoteType": {"quoteType": "EQUITY", "longName": "Acme Quark Devices, Inc."},
        "summaryDetail": {"currency": "USD"},
        "financialData": {"financialCurrency": "USD"},
        "defaultKeyStatistics": {"lastFiscalYearEnd": 1735603200},
    }
    server.answer("quoteSummary", yahoo.quote_summary(**modules), "ACMQ")
    server.answer("quote", yahoo.quote(symbol="ACMQ"), "ACMQ")
    server.answer(
        "timeseries",
        {f"annual{name}": {f"{year}-12-31": value * by for year, by in BY.items()} for name, value in figures.items()},
        "ACMQ",
    )
