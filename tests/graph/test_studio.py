"""`langgraph.json` names a graph that exists, needs no checkpointer, and runs from JSON input."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


async def test_the_graph_of_langgraph_json_runs_from_a_ticker_and_a_date(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TRADINGAGENTS_LLM_PROVIDER", "offline")
    monkeypatch.setenv("TRADINGAGENTS_DATA_VENDOR", "simulated")
    declared = json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"]["trading"]["path"]
    path, _, name = declared.partition(":")
    spec = importlib.util.spec_from_file_location("studio", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graph = getattr(module, name)()
    assert graph.checkpointer is None
    ((_, inside),) = graph.get_subgraphs()
    assert {"Market Analyst", "Risk Manager"} <= set(inside.nodes)
    state = await graph.ainvoke({"company_of_interest": "VELQ", "trade_date": "2025-03-14"})
    assert state["decisions"]["final_trade_decision"]["action"] in {"BUY", "SELL", "HOLD"}
