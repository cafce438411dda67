"""The simulated vendor as a whole: who is in it, what it refuses, who trades inside, and its place behind the door."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime, time, timedelta

import numpy as np
import pytest

from tests.support.tiers import sampled
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF, SECTORS
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS, SYMBOLS, SimulatedVendor
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

pytestmark = pytest.mark.own_market

VENDOR = SimulatedVendor()
CALENDAR = sessions("XNYS")
DAY, INSTANT = date(2024, 5, 10), datetime(2024, 5, 10, tzinfo=UTC)
INDICES = ("^GSPC", "^DJI", "^IXIC", "^NDX", "^RUT", "^VIX")
ASKED_FOR_BY_NAME = (
    *INDICES,
    *("SPY", "QQQ", "IWM", "DIA", "RSP"),
    *("HYG", "LQD", "TLT", "SHY", "IEF", "GLD"),
    *SECTOR_ETF.values(),
)


def test_sixty_companies_spread_over_the_eleven_sectors():
    assert len(COMPANIES) == 60
    per_sector = Counter(company.sector for company in COMPANIES.values())
    assert set(per_sector) == set(SECTORS)
    assert set(per_sector.values()) <= {5, 6}
    assert (
        len({company.name for company in COMPANIES.values()})
        == len({one.short_name for one in COMPANIES.values()})
        == 60
    )


def test_symbols_are_spelt_as_they_arrive():
    assert all(normalise(symbol) == symbol for symbol in SYMBOLS)
    assert all(2 <= len(symbol) <= 5 and symbol[-1] in "QZ" for symbol in COMPANIES)
    assert len(set(SYMBOLS)) == len(SYMBOLS)


def test_the_tools_find_every_index_and_fund_they_ask_for_by_name():
    assert set(ASKED_FOR_BY_NAME) == set(SYMBOLS) - set(COMPANIES)
    for symbol in ASKED_FOR_BY_NAME:
        profile = VENDOR.get_profile(symbol)
        assert profile.kind == ("index" if symbol in INDICES else "etf")
        assert profile.name.endswith("(simulated)")
        assert len(VENDOR.get_stock_data(symbol, date(2024, 5, 1), DAY)) == 8
    assert VENDOR.get_profile("XLRE").sector == "real-estate"
    assert VENDOR.get_profile("SPY").sector is None


def test_a_company_says_who_it_is():
    profile = VENDOR.get_profile("VELQ")
    assert (profile.name, profile.kind, profile.sector) == ("Veltrane Systems", "stock", "technology")
    assert (profile.industry, profile.exchange, profile.currency) == ("Semiconductors", "XNYS", "USD")


@pytest.mark.parametrize(
    "ask",
    [
        lambda symbol: VENDOR.get_stock_data(symbol, DAY, DAY),
        VENDOR.get_profile,
        lambda symbol: VENDOR.get_statements(symbol, "income", "annual"),
        lambda symbol: VENDOR.get_news(symbol, INSTANT, INSTANT),
        VENDOR.get_insider_transactions,
        VENDOR.earnings_truth,
    ],
)
def test_an_unknown_symbol_is_refused_with_the_nearest_known_ones(ask):
    with pytest.raises(
        NoData, match=r"^VELX does not exist in the simulated market, .*; try VELQ, .* or SPY, or choose"
    ):
        ask("VELX")


def test_live_ratios_are_not_answered():
    with pytest.raises(NoData, match="simulated has no get_fundamentals for VELQ"):
        VENDOR.get_fundamentals("VELQ")


def test_peers_are_of_the_sector_the_same_industry_first():
    assert VENDOR.get_peers("VELQ", "technology") == ("PIXZ", "OMBZ", "TAQZ", "CIRQZ", "NODQ")
    for symbol, company in COMPANIES.items():
        found = VENDOR.get_peers(symbol, company.sector)
        assert symbol not in found
        assert {COMPANIES[peer].sector for peer in found} == {company.sector}
        assert 4 <= len(found) <= 10


def test_an_unknown_sector_is_refused():
    with pytest.raises(NoData, match="no sector 'tech'; it has technology"):
        VENDOR.get_peers("VELQ", "tech")


def test_the_gaps_are_the_documented_ones():
    assert NO_NEWS == ("KLNQ", "STOZ")
    assert NO_STATEMENTS == ("CPLZ", "PLYZ")
    assert all(VENDOR.get_profile(symbol).kind == "stock" for symbol in (*NO_NEWS, *NO_STATEMENTS))


@pytest.mark.parametrize("symbol", sampled(COMPANIES, every=3))
def test_insiders_file_within_two_sessions_of_the_trade(symbol):
    trades = VENDOR.get_insider_transactions(symbol)
    assert list(trades) == sorted(trades, key=lambda row: row.known_at, reverse=True)
    for row in trades:
        assert CALENDAR.is_session(row.transaction_date)
        assert len(CALENDAR.between(row.transaction_date, row.known_at.date())) in {2, 3}  # both days included
        assert time(20, 5) <= row.known_at.time() <= time(22, 0)
        assert row.known_by == "accepted"


def test_insiders_trade_at_the_price_of_the_day_as_traded():
    bars = VENDOR.get_stock_data("VELQ", date(2018, 1, 2), date(2026, 6, 30))
    for row in VENDOR.get_insider_transactions("VELQ"):
        if row.transaction_date > date(2026, 6, 30):
            continue
        close = bars.as_traded(row.transaction_date).upto(row.transaction_date).close[-1]
        if row.kind == "grant":
            assert row.value is None
        else:
            assert row.value == pytest.approx(row.shares * close, abs=0.01)
            assert f"at {close:.2f} USD" in row.text


def test_insiders_buy_more_after_falls():
    days = {True: 0, False: 0}
    bought = {True: 0, False: 0}
    for symbol in COMPANIES:
        bars = VENDOR.get_stock_data(symbol, date(2018, 1, 2), date(2026, 6, 30))
        fell = dict(zip(bars.days[60:].tolist(), (bars.close[60:] / bars.close[:-60] < 0.8).tolist(), strict=True))
        for after_a_fall in fell.values():
            days[after_a_fall] += 1
        for row in VENDOR.get_insider_transactions(symbol):
            if row.kind == "buy" and row.transaction_date in fell:
                bought[fell[row.transaction_date]] += 1
    assert bought[True] / days[True] > 2.0 * bought[False] / days[False]


def test_insiders_sell_more_often_than_they_buy_and_are_granted_shares_yearly():
    kinds = Counter(row.kind for symbol in COMPANIES for row in VENDOR.get_insider_transactions(symbol))
    assert set(kinds) == {"buy", "sell", "grant"}
    assert kinds["sell"] > kinds["buy"] > 100
    grants = [row for row in VENDOR.get_insider_transactions("OMBZ") if row.kind == "grant"]
    assert Counter(row.transaction_date.year for row in grants)[2024] == 5


def test_funds_have_no_insiders():
    assert VENDOR.get_insider_transactions("SPY") == ()


def test_threads_that_ask_first_together_get_one_market():
    vendor = SimulatedVendor()
    with ThreadPoolExecutor(8) as pool:
        bars = list(pool.map(lambda _: vendor.get_stock_data("SPY", date(2024, 1, 2), DAY), range(16)))
        statements = list(pool.map(lambda _: vendor.get_statements("VELQ", "income", "annual"), range(16)))
    assert all(np.shares_memory(one.close, bars[0].close) for one in bars)
    assert all(one is statements[0] for one in statements)


def test_behind_the_door_only_the_past_is_seen():
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    now = datetime(2026, 1, 5, tzinfo=UTC)
    market = MarketData(settings, DAY, vendors=Vendors(settings), now=lambda: now)
    close = datetime(2024, 5, 10, 20, 0, tzinfo=UTC)
    assert market.prices("velq").days[-1].item() == DAY
    newest = market.statements("VELQ", "income")[0]
    assert newest.period_end == date(2024, 1, 31)
    later = [one for one in VENDOR.get_statements("VELQ", "income", "quarterly") if one.known_at > close]
    assert min(one.period_end for one in later) == date(2024, 4, 30)
    assert all(item.known_at <= close for item in market.news("VELQ", DAY - timedelta(days=7), DAY + timedelta(days=7)))
    assert all(row.known_at <= close for row in market.insider_transactions("VELQ"))
    assert market.instrument("VELQ").sector_etf == "XLK"
