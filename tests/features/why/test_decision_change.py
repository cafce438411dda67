"""Decisions of two days compared, on the simulated market."""

from __future__ import annotations

import asyncio
from datetime import date
from pathlib import Path

import pytest

from tradingagents.errors import UsageError
from tradingagents.features.why.decision_change import explain_change
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.settings import Settings, load_settings

FIRST, SECOND = date(2025, 2, 28), date(2025, 3, 14)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return load_settings(
        {"data_vendor": "simulated", "llm_provider": "offline", "home": str(tmp_path / "own")}, environ={}
    )


def test_the_decisions_are_those_of_runs_and_nothing_is_written(settings: Settings, tmp_path: Path):
    found = asyncio.run(explain_change("VELQ", FIRST, SECOND, settings, {})).change
    assert not (tmp_path / "own").exists()
    with TradingAgentsGraph(config=settings) as graph:
        actions = [str(graph.propagate("VELQ", day.isoformat())[1]) for day in (FIRST, SECOND)]
    assert [found.before, found.after] == actions
    assert found.differs
    assert found.deciding
    assert found.turned != found.after
    assert found.smallest
    rest = found.net_after - found.net_before - sum(one.effect for one in found.changes)
    assert abs(rest) < 0.1  # weights change where a reading appears or is gone


def test_days_must_be_in_order(settings: Settings):
    with pytest.raises(UsageError, match="comes first"):
        asyncio.run(explain_change("VELQ", SECOND, FIRST, settings, {}))
