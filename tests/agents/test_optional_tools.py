"""Tools that depend on a vendor: offered where one can be asked, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.messages import ToolMessage

from tests.retrieval.guidance.calls import call as call_of
from tests.support.graph_factory import COMPANY, DAY, calls_tool, role_of, scripted, trading_graph
from tradingagents.agents.analysts.fundamentals_analyst import SPEC as FUNDAMENTALS
from tradingagents.agents.analysts.news_analyst import SPEC, TOOLS
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

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


@pytest.mark.parametrize("is_stored", [False, True])
def test_guidance_is_offered_where_a_call_of_the_company_is_stored(tmp_path: Path, is_stored: bool):
    if is_stored:
        with open_store(load_settings({"data_vendor": "simulated", "home": str(tmp_path)}, environ={})) as store:
            sentence = "For fiscal 2024, we expect revenue of $1.30 billion to $1.40 billion."
            store.add(call_of(2024, 1, "2024-01-30", sentence, company=COMPANY))
    model = scripted({FUNDAMENTALS.name: [calls_tool("guidance", ticker=COMPANY), "It guides to 1.30B USD."]})
    trading_graph(model, home=tmp_path).propagate(COMPANY, DAY)
    calls = [call for call in model.calls if role_of(call.messages) == FUNDAMENTALS.name]
    assert {"guidance", "guidance_record"} <= set(calls[0].tools) if is_stored else "guidance" not in calls[0].tools
    answers = [message.text for call in calls for message in call.messages if isinstance(message, ToolMessage)]
    assert any("1.30B USD to 1.40B USD" in answer for answer in answers) == is_stored


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
