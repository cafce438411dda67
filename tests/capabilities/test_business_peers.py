"""Peers by business: industry, then sector; banks apart; one share class of a company."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tradingagents.capabilities.business_peers import by_business
from tradingagents.capabilities.valuation import build_valuation_inputs, relative_valuation
from tradingagents.dataflows.market_data import MarketData
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)


def simulated() -> MarketData:
    return MarketData(load_settings({"data_vendor": "simulated"}, environ={}), DAY)


@pytest.fixture
def recorded(test_data: Path) -> MarketData:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    return MarketData(settings, DAY)


def test_the_industry_comes_before_the_rest_of_the_sector() -> None:
    market = simulated()
    own = market.profile("VELQ")
    peers = by_business(market, own)
    flags = [peer.same_industry for peer in peers]
    assert flags == sorted(flags, reverse=True)
    assert own.symbol not in {peer.symbol for peer in peers}
    for peer in peers:
        profile = market.profile(peer.symbol)
        assert profile.sector == own.sector
        assert peer.same_industry == (profile.industry == own.industry)


def test_without_a_sector_there_are_no_peers() -> None:
    market = simulated()
    assert by_business(market, market.profile("SPY")) == ()


@pytest.mark.real_data
def test_a_chip_maker_is_compared_with_chip_makers(recorded: MarketData) -> None:
    beta = build_valuation_inputs.ask(recorded, ticker="NVDA").beta
    assert beta.peers_of == "the industry Semiconductors"
    assert len(beta.peers) == 10
    assert [peer.symbol for peer in beta.peers[:2]] == ["AVGO", "MU"]  # the nearest in market value that is known
    assert beta.regression == pytest.approx(2.472, abs=0.001)
    assert beta.standard_error == pytest.approx(0.190, abs=0.001)
    assert beta.used == pytest.approx(2.2)


@pytest.mark.real_data
def test_amazon_is_not_a_home_improvement_chain(recorded: MarketData) -> None:
    beta = build_valuation_inputs.ask(recorded, ticker="AMZN").beta
    assert beta.peers_of == "the sector consumer-discretionary, as the industry Broadline Retail has 1 other"
    assert beta.weight is not None
    assert beta.weight > 0.95
    assert beta.used == pytest.approx(1.46, abs=0.01)


@pytest.mark.real_data
def test_classes_of_one_share_are_no_peers_of_each_other(recorded: MarketData) -> None:
    own = recorded.profile("GOOGL")
    assert not {"GOOG", "GOOGL"} & {peer.symbol for peer in by_business(recorded, own)}


@pytest.mark.real_data
def test_multiples_come_from_the_nearest_business_with_statements(recorded: MarketData) -> None:
    found = relative_valuation.ask(recorded, ticker="MSFT").inputs
    assert found[:1] == ("AAPL",)  # no company of its industry, Systems Software, has recorded statements
    assert "AMZN" not in found
