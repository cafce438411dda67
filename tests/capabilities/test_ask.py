"""`ask`: any capability by name as of a day, from Python; every result can be written as JSON."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import tradingagents
from tests.contracts.test_look_ahead import SIMULATED, WIDER
from tradingagents.analytics.company.fundamentals import Fundamentals
from tradingagents.capabilities.ask import describe, listed, read_arguments, takes, vendors_of
from tradingagents.capabilities.capability import Capability, capability
from tradingagents.capabilities.company import get_fundamentals
from tradingagents.capabilities.registry import CapabilityRegistry, built_in, by_name
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.results import Result
from tradingagents.errors import BadDate, UsageError
from tradingagents.settings import Settings, load_settings

DAY = date(2025, 3, 14)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_vendor": "simulated", "home": str(tmp_path / "home")}, environ={})


def test_ask_answers_as_of_the_day_with_a_typed_result(settings: Settings):
    result = tradingagents.ask("get_fundamentals", ticker=SIMULATED, as_of="2025-03-14", settings=settings)
    assert isinstance(result, Fundamentals)
    assert result.as_of == DAY
    assert result.to_markdown().startswith(f"## Fundamentals: {result.name} ({SIMULATED})")
    asked = get_fundamentals.ask(MarketData(settings, DAY), ticker=SIMULATED, curr_date=DAY)
    assert result.model_dump(exclude={"fetched_at"}) == asked.model_dump(exclude={"fetched_at"})


def test_a_later_date_among_the_arguments_is_read_as_the_day(settings: Settings):
    result = tradingagents.ask(
        "get_fundamentals", ticker=SIMULATED, curr_date="2025-06-13", as_of=DAY, settings=settings
    )
    assert result.as_of == DAY
    assert "2025-06-13 lies after 2025-03-14" in result.notes[-1]


def test_an_alias_answers_as_the_name_does(settings: Settings):
    one, other = (
        tradingagents.ask(name, as_of=DAY, settings=settings) for name in ("market_regime", "get_macro_regime")
    )
    assert one.to_markdown() == other.to_markdown()
    assert by_name("economic") is by_name("get_macro_indicators")


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("get_fundamentals", {"tickr": "X"}, "Did you mean ticker? get_fundamentals takes ticker, curr_date."),
        ("get_stock_data", {"symbol": "X"}, "get_stock_data needs start_date. get_stock_data takes symbol, start_date"),
        ("get_market_movers", {"category": "risers"}, "'day_gainers', 'day_losers' or 'most_actives'"),
        ("get_macro_regime", {"curr_date": "March"}, "get_macro_regime cannot be asked like that (curr_date:"),
        ("get_fundamental", {"ticker": "X"}, "did you mean get_fundamentals?"),
    ],
)
def test_wrong_arguments_are_refused_with_the_right_ones(
    settings: Settings, name: str, arguments: dict[str, Any], message: str
):
    with pytest.raises(UsageError) as refused:
        tradingagents.ask(name, as_of=DAY, settings=settings, **arguments)
    assert message in str(refused.value)


def test_a_day_that_is_none_or_lies_ahead_is_refused(settings: Settings):
    with pytest.raises(BadDate, match="is not a date"):
        tradingagents.ask("get_macro_regime", as_of="soon", settings=settings)
    with pytest.raises(BadDate, match="is in the future"):
        tradingagents.ask("get_macro_regime", as_of="2199-01-04", settings=settings)


def test_words_become_arguments():
    assert read_arguments(get_fundamentals, ["ticker=AAPL", "curr_date=2025-03-14"]) == {
        "ticker": "AAPL",
        "curr_date": "2025-03-14",
    }
    assert read_arguments(get_fundamentals, ['ticker={"a": [1]}']) == {"ticker": {"a": [1]}}
    assert read_arguments(get_fundamentals, ["ticker={a"]) == {"ticker": "{a"}
    for words, message in ((["AAPL"], "write NAME=VALUE"), (["ticker=A", "ticker=B"], "given twice"), (["=A"], "NAME")):
        with pytest.raises(UsageError, match=message):
            read_arguments(get_fundamentals, words)


def test_a_registry_refuses_an_alias_that_is_taken():
    with pytest.raises(ValueError, match="two capabilities are called get_fundamentals"):
        CapabilityRegistry([get_fundamentals, _renamed()])


def _renamed() -> Capability:
    @capability(returns=Fundamentals, requires={"get_profile"}, aliases=("get_fundamentals",))
    def other(data: MarketData) -> Fundamentals:
        """Get something."""
        raise AssertionError

    return other


@pytest.mark.parametrize("one", built_in().values(), ids=lambda one: one.name)
def test_the_help_is_made_from_the_declaration(one: Capability):
    text = describe(one)
    assert text.startswith(one.name)
    assert one.summary in text
    assert all(f"  {name} (" in text for name in one.arguments.model_fields)
    assert all(name in takes(one) for name in one.arguments.model_fields)
    assert set(vendors_of(one)) == one.methods
    assert "simulated" in text or "snapshot" in text or "get_fundamentals" in one.uses or not one.methods
    assert one in listed()


@pytest.fixture(scope="module")
def market() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


@pytest.mark.parametrize("one", built_in().values(), ids=lambda one: one.name)
def test_every_result_can_be_written_as_json(one: Capability, market: Vendors):
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    arguments = {**one.example_arguments(SIMULATED, DAY), **WIDER.get(one.name, {})}
    result: Result = one.ask(MarketData(settings, DAY, vendors=market), **arguments)
    assert json.loads(json.dumps(result.model_dump(mode="json"), allow_nan=False))["as_of"] == "2025-03-14"
