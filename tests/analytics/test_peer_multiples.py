"""Peers' multiples are the ones that `get_fundamentals` gives for each, as known on the day."""

from __future__ import annotations

from datetime import date
from statistics import median

import pytest

from tests.desk import COMPANY, DAY
from tradingagents.analytics.earnings_calendar import EarningsCalendar
from tradingagents.analytics.peer_multiples import MULTIPLES, PeerMultiples
from tradingagents.capabilities.company import PEERS_VALUED, get_fundamentals, get_peer_multiples
from tradingagents.capabilities.scanner import get_earnings_calendar
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.vendors.simulated import NO_STATEMENTS
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

AS_OF = date.fromisoformat(DAY)


def market() -> MarketData:
    return MarketData(load_settings({"data_vendor": "simulated"}, environ={}), AS_OF)


def peers_of(data: MarketData, symbol: str, day: str = DAY) -> PeerMultiples:
    return get_peer_multiples.ask(data, ticker=symbol, curr_date=day)  # type: ignore[return-value]


def calendar(**more: str) -> EarningsCalendar:
    asked = {"from_date": DAY, "to_date": "2025-05-13", **more}
    return get_earnings_calendar.ask(market(), **asked)  # type: ignore[return-value]


def test_each_peer_s_multiples_are_its_own():
    data = market()
    result = peers_of(data, COMPANY)
    assert [row.role for row in result.companies] == ["target", *["peer"] * (len(result.companies) - 1)]
    assert 2 <= len(result.companies) <= 1 + PEERS_VALUED
    for row in result.companies:
        own = get_fundamentals.ask(data, ticker=row.symbol, curr_date=DAY)
        assert row.values == {name: getattr(own, name) for name in MULTIPLES}
    known = [row.values["pe_ttm"] for row in result.companies[1:] if row.values["pe_ttm"] is not None]
    assert result.medians["pe_ttm"] == median(known)
    assert f"| {COMPANY} | target |" in result.to_markdown()


def test_a_company_without_statements_is_no_error_but_has_no_multiples():
    result = peers_of(market(), NO_STATEMENTS[0])
    assert set(result.companies[0].values.values()) == {None}


def test_an_earlier_day_knows_earlier_books():
    earlier = peers_of(market(), COMPANY, "2024-06-14")
    assert earlier.as_of == date(2024, 6, 14)
    assert earlier.companies[0].values != peers_of(market(), COMPANY).companies[0].values


def test_the_earnings_calendar_of_one_company():
    whole = calendar()
    own = calendar(symbol=COMPANY.lower())
    symbols = {line.split("|")[2].strip() for line in own.to_markdown().splitlines() if line.startswith("| 2025")}
    assert symbols <= {COMPANY}
    assert 0 < own.rows < whole.rows
    with pytest.raises(NoData, match="no earnings date of NONESUCH"):
        calendar(symbol="NONESUCH")
