"""Tools that depend on a vendor: offered where one can be asked, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.messages import ToolMessage

from tests.support.graph_factory import COMPANY, DAY, calls_tool, role_of, scripted, trading_graph
from tradingagents.agents.analysts.news_analyst import SPEC, TOOLS

ALWAYS = ("get_news", "get_global_news", "get_insider_transactions")


@pytest.mark.parametrize(
    ("vendors", "offered"), [({}, (*ALWAYS, "get_macro_indicators")), ({"get_macro_indicators": "fred"}, ALWAYS)]
)
def test_economic_series_are_offered_where_a_vendor_can_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, vendors: dict[str, str], offered: tuple[str, ...]
):
    """The simulated market can; FRED cannot without its key."""
    monkeypatch.delenv("FRED_API_KEY", raising=False)
    assert {tool.name for tool in TOOLS} == {*ALWAYS, "get_macro_indicators"}
    model = scripted()
    trading_graph(model, home=tmp_path, tool_vendors=vendors).propagate(COMPANY, DAY)
    (call,) = [call for call in model.calls if role_of(call.messages) == SPEC.name]
    assert call.tools == offered


def test_a_series_asked_for_is_answered(tmp_path: Path):
    model = scripted(
        {
            SPEC.name: [
                calls_tool("get_macro_indicators", indicator="unemployment rate"),
                "It closed at 96.58.",
            ]
        }
    )
    trading_graph(model, home=tmp_path).propagate(COMPANY, DAY)
    last = [call for call in model.calls if role_of(call.messages) == SPEC.name][-1]
    answer = last.messages[-1]
    assert isinstance(answer, ToolMessage)
    assert (answer.name, answer.status) == ("get_macro_indicators", "success")
    assert "| unrate | " in answer.text
