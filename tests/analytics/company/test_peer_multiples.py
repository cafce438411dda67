"""Peers' multiples are the ones that `get_fundamentals` gives for each, as known on the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from statistics import median

import pytest

from tests.support.builders import statement
from tests.support.fakes import RowsVendor, clock, make_prices
from tests.support.graph_factory import COMPANY, DAY
from tradingagents.analytics.company.peers import MULTIPLES, PeerMultiples, peer_multiples
from tradingagents.analytics.market.earnings_calendar import EarningsCalendar
from tradingagents.capabilities.company import get_fundamentals, get_peer_multiples
from tradingagents.capabilities.scanner import get_earnings_calendar
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Profile, Statement
from tradingagents.dataflows.reference.sectors import PEERS_VALUED
from tradingagents.dataflows.vendors.simulated import NO_STATEMENTS
from tradingagents.errors import NoData
from tradingagents.settings import load_settings

AS_OF = date.fromisoformat(DAY)
ENDS = (date(2024, 12, 31), date(2024, 9, 30), date(2024, 6, 30), date(2024, 3, 31))


@dataclass
class WithPeers(RowsVendor):
    """Rows, and the companies they are compared with."""

    names: tuple[str, ...] = ()

    def get_peers(self, symbol: str, sector: str) -> tuple[str, ...]:
        return self.names


def quarters(symbol: str, items: Sequence[Mapping[str, float]], *, skip: int = 0) -> list[Statement]:
    """Income statements of the newest quarters, as filed 30 days after their end."""
    return [replace(statement(end, given), symbol=symbol) for end, given in zip(ENDS[skip:], items, strict=False)]


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


def test_the_reason_is_told_for_each_company_without_multiples():
    """Nothing is said of a source that is not so: no statements, no prices, no share count, a doubt, an outage."""
    prices = {symbol: make_prices(symbol) for symbol in ("ACME", "NOBK", "NOSH", "JUMP", "HALF")}
    profiles = {symbol: Profile(symbol, symbol, "stock", sector="technology") for symbol in prices}
    books = {"revenue": 400.0, "net_income": 40.0}
    statements = [
        *quarters("ACME", [{**books, "eps_diluted": 4.0, "shares_diluted": 10.0}] * 4),
        *quarters("NOSH", [books] * 4),
        *quarters("JUMP", [{**books, "eps_diluted": 2.0, "shares_diluted": 20.0}] * 1),
        *quarters("JUMP", [{**books, "eps_diluted": 4.0, "shares_diluted": 10.0}] * 3, skip=1),
        *quarters("HALF", [{**books, "eps_diluted": 4.0, "shares_diluted": 10.0}] * 3),
        *quarters("HALF", [{**books, "eps_diluted": 8.0, "shares_diluted": 5.0}] * 1, skip=3),
    ]
    vendor = WithPeers(prices=prices, profiles=profiles, statements=statements)
    read = load_settings({"data_vendor": "rows"}, environ={})
    shown: list[str] = []
    for names in (("NOBK", "NOPR"), ("NOSH", "JUMP", "HALF")):
        vendor.names = names
        data = MarketData(read, AS_OF, vendors=Vendors(read, {"rows": vendor}), now=clock)
        shown += peers_of(data, "ACME").notes
    jumped = "shares rose by a factor of 2.00, from 10.00 (period to 2024-09-30) to 20.00 (period to 2024-12-31)"
    assert shown[:3] == [
        "No multiples of NOBK: the source has no twelve months of its statements filed by then.",
        "No multiples of NOPR: the source has no prices or profile of it.",
        "No multiples of NOSH: its statements give no usable share count.",
    ]
    assert shown[3].startswith(f"No multiples of JUMP: JUMP 2024-12-31: {jumped}")
    assert shown[4].startswith("HALF: HALF 2024-06-30: shares rose by a factor of 2.00, from 5.00 ")
    assert all("data-faults.md#share-basis" in note for note in shown[5:])  # of the statements, as the gate says it


def test_an_earlier_day_knows_earlier_books():
    earlier = peers_of(market(), COMPANY, "2024-06-14")
    assert earlier.as_of == date(2024, 6, 14)
    assert earlier.companies[0].values != peers_of(market(), COMPANY).companies[0].values


@pytest.mark.real_data
def test_multiples_of_another_time_stay_out_of_the_medians(test_data: Path):
    """In March 2025 the folder knows Apple's December quarter, and of Nvidia the fiscal year to January 2024."""
    given = {"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}
    data = MarketData(load_settings(given, environ={}), AS_OF)
    found = peers_of(data, "AAPL")
    periods = {row.symbol: row.period for row in found.companies}
    assert periods["AAPL"] == "12 months to 2024-12-28"
    assert "NVDA" not in periods, "408 days: its multiples are not those of the day"
    assert any(
        note.startswith("No multiples of NVDA: The newest twelve months known are the fiscal year to 2024-01-31")
        for note in found.notes
    )
    assert max((AS_OF - row.end).days for row in found.companies if row.end) <= 200
    peers = [row.values["pe_ttm"] for row in found.companies if row.role == "peer"]
    assert found.medians["pe_ttm"] == pytest.approx(median(value for value in peers if value is not None))


def test_multiples_of_different_times_say_so():
    """Ends of twelve months a third of a year apart are both current, and not the same."""
    own = get_fundamentals.ask(market(), ticker=COMPANY, curr_date=AS_OF)
    newer, older = AS_OF - timedelta(days=40), AS_OF - timedelta(days=190)
    target = own.model_copy(update={"periods": (newer,)})
    peer = own.model_copy(update={"symbol": "PEER", "periods": (older,)})
    found = peer_multiples(target, [peer], as_of=AS_OF, sector="technology", known_at=own.known_at)
    assert any(f"those of PEER end on {older}, those of {COMPANY} on {newer}" in note for note in found.notes)


def test_fiscal_quarters_a_month_or_two_apart_need_no_note():
    found = peers_of(market(), COMPANY)
    assert {row.period for row in found.companies} == {"12 months to 2024-10-31", "12 months to 2024-12-31"}
    assert not any("different times" in note for note in found.notes)


def test_the_earnings_calendar_of_one_company():
    whole = calendar()
    own = calendar(symbol=COMPANY.lower())
    symbols = {line.split("|")[2].strip() for line in own.to_markdown().splitlines() if line.startswith("| 2025")}
    assert symbols <= {COMPANY}
    assert 0 < own.rows < whole.rows
    with pytest.raises(NoData, match="no earnings date of NONESUCH"):
        calendar(symbol="NONESUCH")
