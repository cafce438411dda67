"""Decisions that make no sense are refused with their reasons, repaired once, and never taken."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from tests.support.graph_factory import COMPANY, DAY, DECIDERS, VERDICT, role_of, scripted, trading_graph, verdict
from tests.support.tiers import sampled
from tests.support.trading_contexts import trading_context
from tradingagents.agents.builders.debate_state import order_of
from tradingagents.agents.debates import RISK
from tradingagents.agents.schemas import Decision, Verdict
from tradingagents.agents.verdict_check import rules_part, verdict_problems
from tradingagents.dataflows.vendors.simulated import COMPANIES
from tradingagents.graph.trading_graph import TradingAgentsGraph

CLOSE = 100.0
SOUND = {**VERDICT, "entry": 100.0, "stop": 95.0, "target": 112.0}
SHORT = {**SOUND, "action": "SELL", "stop": 105.0, "target": 88.0}
NO_LEVELS: dict[str, Any] = {"entry": None, "stop": None, "target": None}


def problems(given: dict[str, Any], **settings: Any) -> str | None:
    return verdict_problems(Verdict.model_validate(given), trading_context(CLOSE, 2.0, **settings))


@pytest.mark.parametrize(
    "given",
    [
        SOUND,
        SHORT,
        {**SOUND, **NO_LEVELS, "position_size": None, "horizon_days": None},
        {**SOUND, "entry": None},
        {**SOUND, "entry": 90.0, "stop": 80.0},  # five daily ranges below the close
        {**SOUND, "position_size": 0.15, "horizon_days": 5},
        {**SOUND, "horizon_days": 365},
        {**SOUND, **NO_LEVELS, "action": "HOLD", "position_size": 0.0},
    ],
)
def test_a_decision_that_makes_sense_is_taken(given: dict[str, Any]):
    assert problems(given) is None


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"stop": 150.0, "target": 120.0}, "stop 150.00 must lie below entry 100.00 for a BUY"),
        ({"stop": 100.0}, "stop 100.00 must lie below entry 100.00 for a BUY"),
        ({"target": 95.5}, "target 95.50 must lie above entry 100.00 for a BUY"),
        ({"entry": None, "stop": 101.0}, "stop 101.00 must lie below the last close 100.00 for a BUY"),
        ({"action": "SELL"}, "stop 95.00 must lie above entry 100.00 for a SELL"),
        ({"action": "SELL"}, "target 112.00 must lie below entry 100.00 for a SELL"),
        ({"entry": 10.0, "stop": 8.0}, "entry 10.00 must lie between 90.00 and 110.00: the last close is 100.00"),
        ({"entry": 1e308, "target": None}, "must lie between 90.00 and 110.00"),
        ({"target": 1e308}, "must lie between 20.00 and 500.00"),
        ({"stop": 0.01}, "stop 0.01 must lie between 20.00 and 500.00"),
        ({"position_size": 1.0}, "position_size 1 of a BUY must be above 0 and at most 0.15"),
        ({"position_size": 0.0}, "position_size 0 of a BUY must be above 0 and at most 0.15"),
        ({"horizon_days": 1}, "horizon_days 1 must be 5 to 365"),
        ({"horizon_days": 900}, "horizon_days 900 must be 5 to 365"),
        ({"action": "HOLD"}, "a HOLD has no entry: leave it null; a HOLD has no stop: leave it null"),
        ({"action": "HOLD", **NO_LEVELS}, "position_size 0.05 of a HOLD must be 0 or null"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_with_its_reason(changes: dict[str, Any], reason: str):
    assert reason in (problems({**SOUND, **changes}) or "")


def test_the_largest_position_is_a_setting():
    assert problems({**SOUND, "position_size": 0.3}, max_position_size=0.3) is None
    assert "at most 0.02" in (problems(SOUND, max_position_size=0.02) or "")


def test_a_sell_that_only_closes_has_a_price_and_nothing_else():
    close = {"sell_means": "close"}
    assert problems({**SHORT, **NO_LEVELS, "entry": 99.0, "position_size": 0.0}, **close) is None
    assert problems({**SHORT, **NO_LEVELS, "position_size": None}, **close) is None
    found = problems(SHORT, **close) or ""
    assert "a SELL has no stop: leave it null; a SELL has no target: leave it null" in found
    assert "position_size 0.05 of a SELL must be 0 or null" in found
    assert "entry 200.00 must lie between" in (problems({**SHORT, "entry": 200.0}, **close) or "")


@pytest.mark.parametrize("field", ["confidence", "horizon_days", "entry", "stop", "target", "position_size"])
def test_true_is_no_number(field: str):
    with pytest.raises(ValidationError, match="must be a number, not true or false"):
        Verdict.model_validate({**SOUND, field: True})


def test_the_deciders_are_told_the_rules_with_the_prices_of_the_run():
    told = rules_part(trading_context(CLOSE, 2.0))
    assert "SELL means: sell the stock short." in told
    assert "between 90.00 and 110.00, around the last close of 100.00" in told
    assert "at most 0.15 of equity; horizon_days is 5 to 365" in told
    assert "open no short position." in rules_part(trading_context(CLOSE, 2.0, sell_means="close"))


async def test_those_who_argue_about_a_size_are_told_the_largest_that_the_settings_allow():
    model = scripted(dict.fromkeys(DECIDERS, verdict(position_size=0.04)))
    await trading_graph(model, max_position_size=0.04).arun(COMPANY, DAY)
    told = {role_of(call.messages) for call in model.calls if "at most 0.04 of equity" in call.messages[-1].text}
    assert told == {*DECIDERS, *order_of(RISK)}


@pytest.mark.parametrize("role", DECIDERS)
async def test_a_decider_is_shown_what_is_wrong_once(role: str):
    model = scripted({role: [verdict(entry=9.7, stop=400.0, target=10.0, position_size=1.0), verdict(confidence=0.66)]})
    run = await trading_graph(model).arun(COMPANY, DAY)
    said = [call.messages[-1].text for call in model.calls if role_of(call.messages) == role]
    assert len(said) == 2
    assert "stop 400.00 must lie below entry 9.70 for a BUY" in said[1]
    assert "position_size 1 of a BUY" in said[1]
    assert run.record["status"] == "done"
    key = {"Research Manager": "investment_plan", "Trader": "trader_investment_plan"}.get(role, "final_trade_decision")
    assert run.record["decisions"][key]["confidence"] == 0.66


async def test_nonsense_twice_is_no_decision_with_the_reasons():
    model = scripted({"Risk Manager": verdict(entry=9.7, stop=400.0, target=10.0, position_size=1.0, horizon_days=1)})
    run = await trading_graph(model).arun(COMPANY, DAY)
    assert (run.record["status"], run.decision.action) == ("no_decision", "NO_DECISION")
    assert "entry 9.70 must lie between" in run.decision.rationale
    assert "horizon_days 1 must be 5 to 365" in run.decision.rationale
    assert run.record["degraded"][-1]["kind"] == "no_verdict"


async def test_a_sell_says_what_it_means_in_record_and_report():
    short = verdict(action="SELL", stop=104.0, target=88.0)
    run = await trading_graph(scripted(dict.fromkeys(DECIDERS, short))).arun(COMPANY, DAY)
    assert (run.decision.action, run.decision.sell_means) == ("SELL", "short")
    report = Path(run.record["paths"]["report"]).read_text("utf-8")
    assert "sell the stock short" in report
    assert "sell the stock short" in Path(run.record["paths"]["html"]).read_text("utf-8")
    assert "**SELL means:** sell the stock short" in run.record["reports"]["trader_investment_plan"]


def test_only_a_sell_carries_what_it_means():
    sell = Decision.from_verdict(Verdict.model_validate(SHORT), sell_means="close")
    assert sell.sell_means == "close"
    assert Decision.from_verdict(Verdict.model_validate(SOUND), sell_means="close").sell_means is None
    assert Decision.none("Nobody said.").sell_means is None


def shown(case: tuple[tuple[str, ...]]) -> str:
    return f"{len(case[0])} companies"


@pytest.mark.parametrize("sell_means", ["short", "close"])
@pytest.mark.parametrize("symbols", sampled([(("VELQ", "MODZ"),), (tuple(COMPANIES)[:12],)], every=2, name=shown))
def test_the_offline_deciders_keep_the_rules(sell_means: str, symbols: tuple[str, ...], tmp_path: Path):
    graph = TradingAgentsGraph(
        config={
            "llm_provider": "offline",
            "data_vendor": "simulated",
            "sell_means": sell_means,
            "home": str(tmp_path),
            "auto_settle": False,
        }
    )
    seen = set()
    for symbol in symbols:
        graph.propagate(symbol, DAY)
        card = json.loads(next(tmp_path.glob(f"runs/*{symbol}*/run.json")).read_text("utf-8"))
        assert card["status"] == "done"
        assert card["degraded"] == []
        assert set(card["usage"]["by_agent"]) >= set(DECIDERS)
        assert all(card["usage"]["by_agent"][role]["llm_calls"] == 1 for role in DECIDERS)
        seen.add(card["decision"]["action"])
        if card["decision"]["action"] == "SELL":
            levels = [card["decision"][name] is None for name in ("stop", "target")]
            assert levels == [sell_means == "close"] * 2
    assert "SELL" in seen


def test_the_offline_agents_propose_no_size_above_the_setting(tmp_path: Path):
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path), "auto_settle": False}
    record = TradingAgentsGraph(config={**config, "max_position_size": 0.015}).run(COMPANY, DAY).record
    assert (record["status"], record["degraded"]) == ("done", [])
    assert [
        record["decisions"][key]["position_size"] for key in ("trader_investment_plan", "final_trade_decision")
    ] == [
        0.015,
        0.0131,
    ]
    proposed = re.findall(r"Proposed position size \(derived\): ([\d.]+)", str(record["debates"]["risk"]))
    assert max(map(float, proposed)) == 0.015
