"""The estimate against what the real graph is metered at on a real server, and what it promises not to do."""

from __future__ import annotations

import json
import socket
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import OpenAIServer
from tests.graph.estimates.conftest import PRICES, Given
from tests.support.graph_factory import COMPANY, DAY, DECIDERS
from tests.support.offline_server import OfflineServer
from tests.support.served_runs import server_config
from tests.support.tiers import sampled
from tradingagents.agents.builders.subject_question import READER
from tradingagents.errors import BudgetReached, NoData, UsageError
from tradingagents.graph.estimates.estimate import (
    EstimateRecord,
    estimate_analyze,
    estimate_auto,
    estimate_scan,
)
from tradingagents.graph.start import analyze, scan
from tradingagents.runtime.services import open_services
from tradingagents.schemas.records import UsageRecord
from tradingagents.settings import Settings, load_settings

AS_OF = date.fromisoformat(DAY)
WITHIN = 0.25
QUESTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "as set": ("trading", {}),
    "one debate round": ("trading", {"max_debate_rounds": 1}),
    "two analysts": ("trading", {"analysts": ("market", "news")}),
    "scan": ("scan", {}),
}


SMALL: dict[str, Any] = {"analysts": ("market",), "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
"""A run of nine calls."""


async def metered(kind: str, settings: Settings) -> UsageRecord:
    services = open_services(settings, {})
    try:
        run = await (scan(services, AS_OF) if kind == "scan" else analyze(services, COMPANY, AS_OF))
    finally:
        await services.models.aclose()
    return run.record["usage"]


async def estimated(kind: str, settings: Settings) -> EstimateRecord:
    if kind == "scan":
        return await estimate_scan(settings, AS_OF)
    return await estimate_analyze(settings, [COMPANY], AS_OF)


# How near it comes


@pytest.mark.parametrize("question", sampled(QUESTIONS, every=3))
async def test_without_past_runs_it_is_near_what_is_metered(given: Given, server: OpenAIServer, question: str):
    kind, changes = QUESTIONS[question]
    settings = given(**changes)
    total = (await estimated(kind, settings))["total"]
    assert server.calls == 0
    usage = await metered(kind, settings)
    assert usage["cost_usd"]
    assert total["cost_usd"] == pytest.approx(usage["cost_usd"], rel=WITHIN)
    assert total["low_usd"] < usage["cost_usd"] < total["high_usd"]  # type: ignore[operator]
    assert total["llm_calls"] == usage["llm_calls"]


async def test_repeated_asks_are_part_of_it_at_least_as_expected_and_at_most(given: Given):
    once = await estimated("trading", given(**SMALL))
    record = await estimated("trading", given(**SMALL, settle=True, settle_max_asks=20))
    usage = await metered("trading", given(**SMALL, settle=True))
    assert record["total"]["llm_calls"] == usage["llm_calls"] == once["total"]["llm_calls"] + 3 * 5
    before, after = ({one["agent"]: one for one in each["parts"][0]["agents"]} for each in (once, record))
    for place, role in enumerate(DECIDERS):
        assert after[role]["llm_calls"] == 6
        assert after[role]["cost_usd"] == pytest.approx(6 * before[role]["cost_usd"])  # type: ignore[operator]
        assert after[role]["high_usd"] == pytest.approx(20 * before[role]["high_usd"])  # type: ignore[operator]
        least = 3 if place == 0 else 1  # three answers that all differ end the asks, and those of later agents
        assert after[role]["low_usd"] <= least * before[role]["low_usd"]  # type: ignore[operator]
    assert "asked 6 times if their answers are alike, at most 20" in record["parts"][0]["basis"]


async def test_rules_are_not_asked_again_by_an_estimate(tmp_path: Path):
    settings = load_settings({"llm_provider": "offline", "data_vendor": "simulated", "home": str(tmp_path)}, environ={})
    once = await estimated("trading", settings)
    settled = await estimated("trading", settings.model_copy(update={"settle": True}))
    assert settled["total"] == once["total"]
    assert settled["parts"][0]["basis"] == once["parts"][0]["basis"]


@pytest.mark.parametrize("question", sampled(["scan", "as set"], every=2))
async def test_after_some_runs_of_the_same_question_it_is_their_mean(given: Given, question: str):
    kind, changes = QUESTIONS[question]
    settings = given(**changes)
    costs = [(await metered(kind, settings))["cost_usd"] for _ in range(3)]
    record = await estimated(kind, settings)
    assert record["parts"][0]["past_runs"] == 3
    assert "3 past runs with the same models and settings" in record["parts"][0]["basis"]
    assert record["total"]["cost_usd"] == pytest.approx(sum(costs) / 3)  # type: ignore[arg-type]
    assert record["total"]["low_usd"] == pytest.approx(min(costs))  # type: ignore[type-var]
    assert record["total"]["high_usd"] == pytest.approx(max(costs))  # type: ignore[type-var]


@pytest.mark.parametrize("reply_tokens", sampled([2400, 150], every=2))
async def test_it_learns_how_long_replies_are_from_runs_of_another_question(
    given: Given, server: OpenAIServer, reply_tokens: int
):
    server.reply_tokens = reply_tokens
    await metered("trading", given(max_debate_rounds=1, analysts=("market", "news")))
    settings = given(max_debate_rounds=2, analysts=("market", "news"))
    record = await estimated("trading", settings)
    assert "replies as long as in 1 past runs" in record["parts"][0]["basis"]
    usage = await metered("trading", settings)
    assert record["total"]["cost_usd"] == pytest.approx(usage["cost_usd"], rel=WITHIN)


async def test_the_question_which_company_a_report_is_about_is_counted_once_a_report(tmp_path: Path):
    changes = {"analysts": ("market", "news"), "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
    with OfflineServer() as server:  # the words of its reports leave open which company they are about
        config = server_config(server, tmp_path, model_prices=PRICES, **changes)
        asking, silent = (load_settings({**config, "ask_report_company": asks}, environ={}) for asks in (True, False))
        with_it, without = [(await estimated("trading", one))["parts"][0]["agents"] for one in (asking, silent)]
        usage = await metered("trading", asking)
    by_agent = {one["agent"]: one for one in with_it}
    for before in without:
        more = by_agent[before["agent"]]["llm_calls"] - before["llm_calls"]
        assert more == (before["agent"] in ("Market Analyst", "News Analyst"))
        assert (by_agent[before["agent"]]["cost_usd"] > before["cost_usd"]) == bool(more)  # type: ignore[operator]
    (market,) = (one for one in without if one["agent"] == "Market Analyst")
    # The question (336 tokens), the report that it shows (600) and the answer (40), at 1 and 8 USD a million.
    more_usd = (336 + 600) * 1e-6 + 40 * 8e-6
    assert by_agent["Market Analyst"]["cost_usd"] == pytest.approx(market["cost_usd"] + more_usd)  # type: ignore[operator]
    assert sum(one["role"] == READER for one in server.requests) == 2
    assert usage["llm_calls"] == server.calls


async def test_offline_analysts_and_scans_are_not_asked_about_their_reports(given: Given):
    asking, silent = given(ask_report_company=True), given()
    assert (await estimated("scan", asking))["total"] == (await estimated("scan", silent))["total"]
    offline = load_settings({"llm_provider": "offline", "data_vendor": "simulated"}, environ={})
    assert (await estimated("trading", offline))["total"]["llm_calls"] == 17


# What it adds up


async def test_the_total_is_the_sum_of_agents_and_of_tiers_times_the_runs(given: Given):
    record = await estimate_analyze(given(), [COMPANY, "VELQ", "OMBZ"], AS_OF)
    (part,) = record["parts"]
    assert part["runs"] == {"expected": 3, "low": 3, "high": 3}
    for key in ("llm_calls", "input_tokens", "output_tokens", "cost_usd", "low_usd", "high_usd"):
        by_agent = 3 * sum(agent[key] for agent in part["agents"])  # type: ignore[literal-required]
        by_tier = sum(tier[key] for tier in record["by_tier"].values())  # type: ignore[literal-required]
        assert record["total"][key] == pytest.approx(by_agent)  # type: ignore[literal-required]
        assert record["total"][key] == pytest.approx(by_tier)  # type: ignore[literal-required]
    assert record["total"]["llm_calls"] == 3 * 17


async def test_auto_is_a_scan_and_a_study_of_each_pick_and_holding(given: Given):
    settings = given(**SMALL)
    record = await estimate_auto(settings, AS_OF, ["VELQ", "OMBZ"], all_picks=True)
    scanned, studied = record["parts"]
    assert (scanned["kind"], studied["kind"]) == ("scan", "trading")
    assert studied["runs"] == {"expected": 12, "low": 8, "high": 12}
    assert record["total"]["llm_calls"] == 5 + 12 * 9
    alone = (await estimate_analyze(settings, ["VELQ"], AS_OF))["parts"][0]["agents"]
    # What the scan hands over stands in the prompts of all who read reports, not in the analyst's.
    assert studied["agents"][0]["input_tokens"] == pytest.approx(alone[0]["input_tokens"], rel=0.05)
    assert studied["agents"][1]["input_tokens"] > 1.2 * alone[1]["input_tokens"]
    three = await estimate_auto(given(max_auto_tickers=3), AS_OF, [], all_picks=False)
    assert three["parts"][1]["runs"] == {"expected": 3, "low": 0, "high": 3}


async def test_caching_is_counted_on_where_a_provider_does_it_unasked(tmp_path: Path):
    config = {"data_vendor": "simulated", "home": tmp_path}
    openai = (await estimate_analyze(load_settings(config, environ={}), [COMPANY], AS_OF))["total"]
    assert 0.3 < openai["cached_tokens"] / openai["input_tokens"] < 0.8
    prices = dict.fromkeys(("gpt-5-mini", "gpt-5.2"), (1.0, 0.1, 8.0))
    other = {**config, "llm_provider": "openai_compatible", "backend_url": "http://127.0.0.1:1/v1"}
    local = await estimate_analyze(load_settings({**other, "model_prices": prices}, environ={}), [COMPANY], AS_OF)
    assert local["total"]["cached_tokens"] == 0
    assert local["total"]["input_tokens"] == openai["input_tokens"]


# What it promises


async def test_it_needs_no_key_asks_no_model_writes_nothing_and_opens_no_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: Any) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    home = tmp_path / "new home"
    settings = load_settings({"home": home}, environ={})  # OpenAI's models, live vendors
    for record in (
        await estimate_analyze(settings, ["NVDA"], None),
        await estimate_scan(settings, None),
        await estimate_auto(settings, None, ["AAPL"], all_picks=True),
    ):
        assert record["total"]["cost_usd"]
        assert EstimateRecord.model_validate(json.loads(json.dumps(record.as_json()))) == record
    assert not home.exists()


async def test_a_wrong_question_is_refused(given: Given):
    with pytest.raises(UsageError):
        await estimate_analyze(given(), ["../x"], AS_OF)
    with pytest.raises(UsageError):
        await estimate_analyze(given(), [COMPANY], date(2999, 1, 1))
    with pytest.raises(NoData):
        await estimate_analyze(given(), ["NOSUCHQ"], AS_OF)


async def test_a_price_that_is_not_known_is_none_and_says_how_to_set_it(given: Given):
    record = await estimate_analyze(given(deep_think_llm="dear-model"), [COMPANY], AS_OF)
    assert record["total"]["cost_usd"] is record["total"]["low_usd"] is record["total"]["high_usd"] is None
    assert record["by_tier"]["quick"]["cost_usd"]
    (warning,) = record["warnings"]
    assert "dear-model" in warning
    assert "TRADINGAGENTS_MODEL_PRICES" in warning


async def test_limits_that_will_not_do_are_told(given: Given):
    expected = (await estimate_analyze(given(**SMALL), [COMPANY], AS_OF))["total"]
    assert expected["cost_usd"]
    for changes, words in (
        ({"budget_usd": expected["cost_usd"] / 2}, "less than is expected"),
        ({"budget_usd": expected["cost_usd"] * 1.1}, "may not be enough"),
        ({"max_llm_calls": 5}, "fewer than is expected"),
    ):
        (warning,) = (await estimate_analyze(given(**SMALL, **changes), [COMPANY], AS_OF))["warnings"]
        assert words in warning
    enough = given(**SMALL, budget_usd=expected["cost_usd"] * 10, max_llm_calls=9)
    assert (await estimate_analyze(enough, [COMPANY], AS_OF))["warnings"] == []


async def test_offline_costs_nothing():
    settings = load_settings({"llm_provider": "offline", "data_vendor": "simulated"}, environ={})
    total = (await estimate_analyze(settings, [COMPANY], AS_OF))["total"]
    assert (total["llm_calls"], total["cost_usd"], total["high_usd"]) == (17, 0.0, 0.0)


# A budget


@pytest.mark.parametrize("reply_tokens", sampled([600, 300], every=2))
async def test_a_budget_of_half_the_estimate_ends_the_run_without_going_beyond_it(
    given: Given, server: OpenAIServer, tmp_path: Path, reply_tokens: int
):
    server.reply_tokens = reply_tokens
    expected = (await estimate_analyze(given(), [COMPANY], AS_OF))["total"]["cost_usd"]
    assert expected
    budget = expected / 2
    with pytest.raises(BudgetReached, match="raise budget_usd"):
        await metered("trading", given(budget_usd=budget))
    (card,) = (tmp_path / "home").glob("runs/*/run.json")
    record = json.loads(card.read_text("utf-8"))
    assert record["status"] == "budget"
    assert {"market_report", "news_report", "fundamentals_report"} <= set(record["reports"])
    assert record["debates"]["research"]
    # Beyond it only by what the last reply was longer than those of its model before it.
    assert 0.8 * budget < record["usage"]["cost_usd"] <= 1.01 * budget
