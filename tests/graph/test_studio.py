"""`langgraph.json` names graphs that exist, need no checkpointer, and run from JSON input."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from tradingagents.errors import BadDate

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TRADINGAGENTS_LLM_PROVIDER", "offline")
    monkeypatch.setenv("TRADINGAGENTS_DATA_VENDOR", "simulated")
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(tmp_path))


async def declared(name: str) -> Any:
    """Make a graph as LangGraph's server does: from the file and function that `langgraph.json` names."""
    path, _, function = json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"][name]["path"].partition(":")
    spec = importlib.util.spec_from_file_location("studio", ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    graph = await getattr(module, function)()
    assert graph.checkpointer is None
    return graph


async def test_the_trading_graph_runs_from_a_ticker_and_a_date():
    graph = await declared("trading")
    ((_, inside),) = graph.get_subgraphs()
    assert {"Market Analyst", "Risk Manager"} <= set(inside.nodes)
    state = await graph.ainvoke({"company_of_interest": "VELQ", "trade_date": "2025-03-14"})
    assert state["decisions"]["final_trade_decision"]["action"] in {"BUY", "SELL", "HOLD"}


async def test_the_scanner_graph_runs_from_a_date():
    graph = await declared("scanner")
    ((_, inside),) = graph.get_subgraphs()
    assert {"Sector Scanner", "Industry Deep Dive", "Macro Synthesis"} <= set(inside.nodes)
    state = await graph.ainvoke({"scan_date": "2025-03-14"})
    assert json.loads(state["macro_scan_summary"])["stocks_to_investigate"]
    assert state["geopolitical_report"]


async def test_a_run_tells_the_custom_stream_what_happens_in_it():
    graph = await declared("trading")
    asked = {"company_of_interest": "VELQ", "trade_date": "2025-03-14"}
    told = [part async for part in graph.astream(asked, stream_mode="custom")]
    assert {"Market Analyst", "Risk Manager"} <= {part["node"] for part in told if part["type"] == "node_end"}


@pytest.mark.parametrize(("name", "required"), [("trading", ["company_of_interest"]), ("scanner", [])])
async def test_a_form_can_be_made_of_what_a_graph_asks_for(name: str, required: list[str]):
    schema = (await declared(name)).get_input_jsonschema()
    day = "trade_date" if name == "trading" else "scan_date"
    assert set(schema["properties"]) == {*required, day}
    assert schema.get("required", []) == required


async def test_a_refused_run_tells_the_custom_stream_why():
    told: list[dict[str, Any]] = []
    with pytest.raises(BadDate):
        await listen(await declared("trading"), {"company_of_interest": "VELQ", "trade_date": "yesterday"}, told)
    assert [part["type"] for part in told] == ["error"]
    assert "write it as YYYY-MM-DD" in told[0]["message"]


async def listen(graph: Any, asked: dict[str, str], told: list[dict[str, Any]]) -> None:
    """Collect what a run tells the custom stream, also where it ends with an error."""
    async for part in graph.astream(asked, stream_mode="custom"):
        told.append(part)  # noqa: PERF401 - the parts before an error count
