"""`ask("watchlist")`: the stored list, and the decisions of stored runs that count on the day."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

import tradingagents
from tests.support.run_store import card_of, keep_run, run_id
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.errors import UsageError
from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.json_file import JsonFile
from tradingagents.runtime.runs.watch_list import WatchList
from tradingagents.service.kernel.home_steps import HOME_STEPS
from tradingagents.service.kernel.watch_list import last_decisions
from tradingagents.settings import Settings, load_settings

DAY = date(2025, 3, 14)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings({"data_vendor": "simulated", "home": tmp_path / "home"}, environ={})


@pytest.fixture(scope="module")
def vendors() -> Vendors:
    return Vendors(load_settings({"data_vendor": "simulated"}, environ={}))


def decided(
    settings: Settings,
    number: int,
    action: str = "BUY",
    *,
    symbol: str = "VELQ",
    day: str = "2025-03-13",
    began: str = "20250317",
    given: dict[str, Any] | None = None,
) -> str:
    """Leave a run's folder with a decision on the market of the settings given."""
    name = run_id(number, symbol, day, began)
    run = keep_run(settings.home_dir, name, ticker=symbol, decision={"action": action, "confidence": 0.7})
    card = {**card_of(run), "settings": given or {"data_vendor": "simulated", "simulated_seed": 7}}
    JsonFile(settings.home_dir, run.path / "run.json", way_out="").write(card)
    return name


def asked(settings: Settings, vendors: Vendors, **arguments: Any):
    return tradingagents.ask("watchlist", as_of=DAY, settings=settings, vendors=vendors, **arguments)


def test_the_stored_list_is_shown_in_its_order_with_the_last_decision(settings: Settings, vendors: Vendors):
    WatchList(settings.home_dir).add(["TWRZ", "VELQ", "SPY"])
    name = decided(settings, 1)
    found = asked(settings, vendors)
    assert [row.symbol for row in found.symbols] == ["TWRZ", "VELQ", "SPY"]
    assert [row.decision.run_id if row.decision else None for row in found.symbols] == [None, name, None]
    assert "| BUY 0.70 on 2025-03-13 |" in found.to_markdown()


def test_named_symbols_take_the_place_of_the_list(settings: Settings, vendors: Vendors):
    WatchList(settings.home_dir).add(["TWRZ"])
    found = asked(settings, vendors, symbols="velq, SPY,VELQ")
    assert [row.symbol for row in found.symbols] == ["VELQ", "SPY"]
    assert found.runs_read


def test_symbols_without_prices_are_named(settings: Settings, vendors: Vendors):
    found = asked(settings, vendors, symbols="VELQ,NOPE")
    assert found.missing == ("NOPE",)
    assert "No prices on this day: NOPE." in found.to_markdown()


def test_an_empty_list_says_how_to_fill_it_and_a_damaged_one_is_no_empty_one(settings: Settings, vendors: Vendors):
    with pytest.raises(UsageError, match="tradingagents watch add AAPL"):
        asked(settings, vendors)
    path = settings.home_dir / "watch" / "list.json"
    path.parent.mkdir(parents=True)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(UnreadableFile):
        asked(settings, vendors)


def test_the_last_decision_is_that_for_the_latest_day_not_after_the_question(settings: Settings):
    decided(settings, 1, "SELL", day="2025-03-14", began="20250314")
    wanted = decided(settings, 2, "HOLD", day="2025-03-14", began="20250601")  # repeated later, for the same day
    decided(settings, 3, "BUY", day="2025-03-13", began="20250701")
    decided(settings, 4, "BUY", day="2025-03-17", began="20250317")  # for a later day: hindsight
    found = last_decisions(settings, ["VELQ"], DAY)
    assert (found["VELQ"].run_id, found["VELQ"].action) == (wanted, "HOLD")
    assert last_decisions(settings, ["VELQ"], date(2025, 3, 12)) == {}


def test_decisions_of_another_market_symbol_or_without_an_action_do_not_count(settings: Settings):
    wanted = decided(settings, 1, day="2025-03-10")
    decided(settings, 2, day="2025-03-11", given={"data_vendor": "yfinance"})
    decided(settings, 3, day="2025-03-12", given={"data_vendor": "simulated", "simulated_seed": 8})
    decided(settings, 4, "NO_DECISION", day="2025-03-13")
    keep_run(settings.home_dir, run_id(5, day="2025-03-14"), status=None)
    decided(settings, 6, symbol="TWRZ", day="2025-03-14")
    assert last_decisions(settings, ["VELQ"], DAY)["VELQ"].run_id == wanted


def test_the_capability_itself_reads_no_home_folder(settings: Settings, vendors: Vendors):
    from tradingagents.capabilities.prices_risk_charts import watchlist
    from tradingagents.dataflows.market_data import MarketData

    WatchList(settings.home_dir).add(["TWRZ"])
    decided(settings, 1)
    market = MarketData(settings, DAY, vendors=vendors)
    with pytest.raises(UsageError, match="name them"):
        watchlist.ask(market)
    found = watchlist.ask(market, symbols="VELQ")
    assert not found.runs_read
    assert "decision" not in found.to_markdown().lower()


def test_steps_belong_to_capabilities_that_exist():
    from tradingagents.capabilities.registry import built_in

    assert set(HOME_STEPS) <= set(built_in())


def test_a_book_shows_the_last_decision_on_each_holding(settings: Settings, vendors: Vendors):
    name = decided(settings, 1)
    found = tradingagents.ask("book", as_of=DAY, settings=settings, vendors=vendors, holdings="10 VELQ, 5 TWRZ")
    decisions = {holding.symbol: holding.decision for holding in found.holdings}
    assert decisions["TWRZ"] is None
    assert decisions["VELQ"] is not None
    assert decisions["VELQ"].run_id == name
    assert "| BUY 0.70 on 2025-03-13 |" in found.to_markdown()
