"""Runs beside the graph: for random tickers, days and settings they are what the graph makes of them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tiers import examples
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.errors import NoData
from tradingagents.features.backtest.decisions.offline_run import NeedsGraph, OfflineRuns
from tradingagents.graph.start import analyze
from tradingagents.graph.trading.run import FINAL, Run
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"debate_mode": "simultaneous", "max_debate_rounds": 2},
    {"max_tool_rounds": 0, "max_risk_discuss_rounds": 3},
    {"max_debate_rounds": 0, "max_risk_discuss_rounds": 0},
    {"analysts": ["market", "news"], "sell_means": "close"},
    {"decide_at": "open"},
    {"analysts": ["fundamentals", "social"], "max_position_size": 0.03, "fetch_valuation": True},
)
DAYS = sessions().between(date(2022, 3, 1), date(2025, 7, 18))


@lru_cache(maxsize=32)
def services(number: int, home: Path, data: Path | None, *, _side: str) -> Services:
    """Return services of one side, so that neither side reads what the other has worked out."""
    config = {"llm_provider": "offline", "home": str(home), "auto_settle": False, **source(data), **SETTINGS[number]}
    return open_services(load_settings(config, environ={}), {}, vendors=vendors(data))


def source(data: Path | None) -> dict[str, str]:
    return {"data_vendor": "simulated"} if data is None else {"data_vendor": "snapshot", "data_dir": str(data)}


@lru_cache(maxsize=2)
def vendors(data: Path | None) -> Vendors:
    """Return the vendors that all share: what they have read, and nothing that was worked out from it."""
    return Vendors(load_settings(source(data), environ={}), environ={})


PARTS = (
    *("ticker", "trade_date", "session", "cutoff", "status", "instrument", "decision", "decisions", "reports"),
    *("debates", "usage", "data_sheet", "models", "prompts"),
)
"""What a run by the rules alone has of a record; it has no folder, no settings and no warnings."""


def told(run: Run) -> dict[str, Any]:
    """Return what the record of both has, without the instants at which answers were read."""
    card = run.record.as_json()
    record: dict[str, Any] = json.loads(json.dumps({name: card[name] for name in PARTS}))
    for row in record["data_sheet"]:
        del row["fetched_at"]
    for key, decision in record[
        "decisions"
    ].items():  # beside the graph the last decider alone says what would change it
        if key != FINAL:
            del decision["would_change"], record["reports"][key]
    record["usage"] = {name: record["usage"][name] for name in ("llm_calls", "cost_usd")}
    return record


def outcome(run: Coroutine[Any, Any, Run]) -> Run | NoData | NeedsGraph:
    try:
        return asyncio.run(run)
    except (NoData, NeedsGraph) as error:
        return error


def assert_same(number: int, ticker: str, day: date, home: Path, data: Path | None) -> None:
    graph, beside = (services(number, home, data, _side=side) for side in ("graph", "beside"))
    expected = outcome(analyze(graph, ticker, day, persist="none"))
    found = outcome(OfflineRuns(beside).run(ticker, day))
    if isinstance(expected, NoData):
        assert str(found) == str(expected)
        return
    assert isinstance(expected, Run)
    if expected.decision.action == "NO_DECISION":  # nothing that the rules could weigh: the graph says so
        assert isinstance(found, NeedsGraph)
        return
    assert isinstance(found, Run)
    assert told(found) == told(expected)
    assert (found.readings, found.decision) == (expected.readings, expected.decision)
    assert list(found.readings) == list(expected.readings)


@settings(max_examples=examples(100, fast=8))
@given(
    number=st.sampled_from(range(len(SETTINGS))), ticker=st.sampled_from(sorted(COMPANIES)), day=st.sampled_from(DAYS)
)
def test_on_the_simulated_market(number: int, ticker: str, day: date, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert_same(number, ticker, day, tmp_path_factory.getbasetemp() / "simulated", None)


@pytest.mark.real_data
@settings(max_examples=examples(8, fast=4))
@given(number=st.sampled_from(range(len(SETTINGS))), ticker=st.integers(0, 10**6), day=st.sampled_from(DAYS))
def test_on_recorded_data(
    number: int, ticker: int, day: date, test_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    symbols = sorted(json.loads((test_data / "snapshot" / "profiles.json").read_text("utf-8")))
    home = tmp_path_factory.getbasetemp() / "recorded"
    assert_same(number, symbols[ticker % len(symbols)], day, home, test_data / "snapshot")


@pytest.mark.parametrize("asked", [{"max_llm_calls": 3}, {"approve": True}, {"log_file": "run.log"}])
def test_what_only_the_graph_handles_is_left_to_it(asked: dict[str, Any], tmp_path: Path) -> None:
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path), **asked}
    with pytest.raises(NeedsGraph):
        OfflineRuns(open_services(load_settings(config, environ={}), {}))
    models = TierModels.same(ScriptedChatModel([]))
    with pytest.raises(NeedsGraph, match="a language model"):
        OfflineRuns(open_services(load_settings(config, environ={}), {}, models=models))
