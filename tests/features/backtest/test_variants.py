"""Variants of a backtest: repeats of models that differ, ablations, other weights, and what may be ranked."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.messages import BaseMessage

from tests.support.graph_factory import scripted, sound_verdict
from tradingagents.agents.schemas import Decision
from tradingagents.errors import UsageError
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import Backtest, backtest, decide_backtest, score_backtest
from tradingagents.features.backtest.statistics.repeats import noise_floor, ranked, repeated
from tradingagents.features.backtest.statistics.selection import cost_of_choice
from tradingagents.features.backtest.variants.ablations import ablated, decider_of
from tradingagents.graph.estimates.estimate import estimate_run
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

TICKERS = ("VELQ", "OMBZ")
ASKED = BacktestRequest(
    tickers=TICKERS, start=date(2024, 9, 3), end=date(2024, 11, 20), every=20,
    schemes=("equal",), ablations=("no_debate",), repeats=2, trials=12,
)  # fmt: skip


def moody_model(seed: int) -> ScriptedChatModel:
    """Return a model whose last decider answers by the dice."""
    dice = random.Random(seed)  # noqa: S311

    def decided(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        return sound_verdict(messages, action=dice.choice(["BUY", "SELL", "HOLD"]), confidence=dice.uniform(0.5, 0.9))

    return scripted({"Risk Manager": decided, "Sole Decider": decided})


def services_of(home: Path, model: ScriptedChatModel, **more: Any) -> Services:
    config = {"data_vendor": "simulated", "home": str(home), "max_debate_rounds": 1, "max_risk_discuss_rounds": 1}
    settings = load_settings({**config, "analysts": ("market",), **more}, environ={})
    return open_services(settings, {}, models=TierModels.same(model))


async def test_models_are_repeated_ablated_and_ranked_above_their_noise(tmp_path: Path):
    model = moody_model(3)
    services = services_of(tmp_path, model)
    coverage = await decide_backtest(services, ASKED)
    each = len(TICKERS) * 3
    assert (coverage.wanted, coverage.made) == (each * 5, each * 5)  # twice with, twice without debates, once offline
    asked = len(model.calls)
    found = score_backtest(services, ASKED)
    assert len(model.calls) == asked  # scoring asks no model
    result = found.result
    assert list(result.strategies)[:4] == ["decisions", "no_debate", "offline", "weights_equal"]
    assert {name: one.repeats for name, one in result.variants.items()} == {
        "decisions": 2, "no_debate": 2, "offline": 1
    }  # fmt: skip
    assert set(result.variants["offline"].models.values()) == {"offline/rules"}
    speakers = [one for one in model.calls if "# Debate so far" in one.messages[-1].text]
    assert 0 < len(speakers) < asked / 2
    repeats = result.repeats
    assert (repeats.repeats, repeats.compared) == (2, each)
    assert repeats.flip_rate is not None
    assert 0 < repeats.flip_rate < 1
    assert repeats.agreement == pytest.approx(1 - repeats.flip_rate)  # of two repeats
    assert repeats.noise_floor == pytest.approx(noise_floor(repeats.differences))
    assert repeats.noise_floor > abs(repeats.differences[0] - repeats.differences[1])
    assert {one.rank for one in result.ranking} == {1}  # nothing exceeds this noise
    assert (result.choice.trials, result.choice.declared) == (12, 12)
    assert result.choice.variants == ("decisions", "no_debate", "weights_equal")
    assert result.choice.edge is not None
    assert result.choice.edge.deflated < result.choice.edge.probabilistic
    again = await backtest(services, ASKED)
    assert len(model.calls) == asked
    assert again.result == result
    assert "Without debates" in backtest_report(found.record)
    await _once(services)


async def _once(services: Services) -> Backtest:
    """Models that decided once: the repeats share their first decisions, and nothing is ranked."""
    once = await backtest(services, BacktestRequest(**{**vars(ASKED), "repeats": 1}))
    assert once.result.repeats.flip_rate is None
    assert {one.rank for one in once.result.ranking} == {None}
    return once


async def test_one_call_decides_on_the_evidence_of_the_team_and_is_a_trial(tmp_path: Path):
    model = moody_model(5)
    analysts = ("market", "news", "fundamentals")
    services = services_of(tmp_path, model, analysts=analysts)
    asked = BacktestRequest(**{**vars(ASKED), "ablations": ("one_call",), "repeats": 1, "schemes": (), "trials": None})
    found = await backtest(services, asked)
    alone = [one for one in model.calls if "Your role: Sole Decider" in one.messages[-1].text]
    assert len(alone) == len(TICKERS) * 3, "one call a decision"
    for call in alone:
        text = call.messages[-1].text
        for tool in ("## Macro regime", "## Stock data", "## Indicators", "## News", "## TTM analysis"):
            assert tool in text, tool
        assert text.count("<report name=") == len(analysts)
    decided = found.record["variants"]["one_call"]
    assert decided["models"] == found.record["variants"]["decisions"]["models"]
    assert found.result.choice.variants == ("decisions", "one_call")
    assert "One call of the deep model" in backtest_report(found.record)

    own, team = ablated(services, "one_call"), DecisionStore(services)
    day = date(2024, 9, 3)
    stored = DecisionStore(own).get("VELQ", day)
    assert stored is not None
    assert stored.llm_calls == 1
    assert stored.key != team.key("VELQ", day)
    before = len(model.calls)
    assert (await backtest(services, asked)).result.strategies == found.result.strategies
    assert len(model.calls) == before, "what is stored is not asked again"


async def test_one_call_is_estimated_as_one_and_refused_where_rules_decide(tmp_path: Path):
    services = services_of(tmp_path, moody_model(1))
    asked = TradingRequest(ticker="VELQ", day=date(2024, 9, 3))
    settings = load_settings({**dict(services.settings), "llm_provider": "openai_compatible"}, environ={})
    once = await estimate_run(settings, decider_of(ablated(services, "one_call")), asked)
    assert once["total"]["llm_calls"] == 1
    assert decider_of(services) is TRADING
    offline = load_settings({"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path}, environ={})
    with pytest.raises(UsageError, match="rules decide here; choose a model"):
        ablated(open_services(offline, {}), "one_call")


async def test_what_cannot_be_tried_is_refused_before_anything_is_decided(tmp_path: Path):
    model = moody_model(1)
    services = services_of(tmp_path, model)
    for wrong, why in (
        ({"ablations": ("no_memory",)}, "without memory"),
        ({"ablations": ("one_analyst",)}, "change nothing"),
        ({"ablations": ("no_hope",)}, "there are no_debate"),
        ({"repeats": 0}, "repeated 1 to"),
        ({"start": date(2024, 10, 5), "end": date(2024, 10, 6)}, "to 2024-10-06 there are 0 sessions"),
        ({"start": date(2024, 10, 7), "end": date(2024, 10, 6)}, "does not come after 2024-10-07"),
        ({"every": 0}, "every is 1 at least"),
        ({"trials": 0}, "this backtest is one"),
    ):
        with pytest.raises(UsageError, match=why):
            await backtest(services, BacktestRequest(**{**vars(ASKED), **wrong}))
    with pytest.raises(UsageError, match="new replies"):
        await backtest(services_of(tmp_path, model, replay="only"), ASKED)
    assert not model.calls


def call(action: str, confidence: float = 0.5) -> Decision:
    return Decision.model_validate({"action": action, "confidence": confidence, "rationale": "made"})


def test_flips_and_agreement_by_hand():
    days = [date(2024, 1, 2), date(2024, 1, 3)]
    runs = [
        {("A", days[0]): call("BUY", 0.5), ("A", days[1]): call("SELL")},
        {("A", days[0]): call("BUY", 0.7), ("A", days[1]): call("HOLD")},
        {("A", days[0]): call("BUY", 0.6), ("A", days[1]): call("SELL"), ("B", days[1]): call("SELL")},
    ]
    gaps = [np.full(30, value / 252) for value in (0.01, 0.03, 0.02)]
    found = repeated(runs, gaps, rules=False)
    assert (found.compared, found.flip_rate) == (2, 0.5)
    assert found.agreement == pytest.approx((3 + 1) / 6)
    assert found.confidence_deviation == pytest.approx(0.05)
    assert found.differences == pytest.approx((0.01, 0.03, 0.02))
    assert found.noise_floor == pytest.approx(4.30265 * 0.01 * np.sqrt(2 / 3), rel=1e-6)
    rules = repeated(runs[:1], gaps[:1], rules=True)
    assert (rules.flip_rate, rules.agreement, rules.noise_floor) == (0.0, 1.0, 0.0)
    assert "rules" in rules.note


def test_ranks_need_more_than_noise_and_more_than_chance():
    dice = np.random.default_rng(1)
    base = dice.normal(0, 0.003, 500)
    gaps = {"low": base - 0.002, "high": base + 0.002 + dice.normal(0, 0.0005, 500), "near": base + 0.0019}
    assert [(one.name, one.rank) for one in ranked(gaps, 0.1)] == [("high", 1), ("near", 1), ("low", 3)]
    assert {one.rank for one in ranked(gaps, 2.0)} == {1}
    assert {one.rank for one in ranked(gaps, None)} == {None}
    noisy = {"one": dice.normal(0.0005, 0.03, 60), "other": dice.normal(-0.0005, 0.03, 60)}
    assert {one.rank for one in ranked(noisy, 0.0)} == {1}  # beyond the floor, not beyond chance


def test_the_best_of_many_trials_without_skill_is_no_skill():
    dice, caught, fooled = np.random.default_rng(4), 0, 0
    for _ in range(25):
        trials = {str(number): dice.normal(0, 0.01, 252) for number in range(20)}
        best = max(trials, key=lambda name: trials[name].mean())
        ordered = {best: trials[best], **trials}
        found = cost_of_choice({name: (one, one) for name, one in ordered.items()}, {}, {}, None)
        assert found.sharpe is not None
        fooled += found.sharpe.probabilistic > 0.95
        caught += found.sharpe.deflated <= 0.95
    assert fooled > 10  # taken alone, the best of twenty looks good
    assert caught >= 24


def test_declared_trials_discount_a_result_that_stands_alone():
    own = np.random.default_rng(2).normal(0.0008, 0.01, 252)
    alone, many = (cost_of_choice({"decisions": (own, own)}, {}, {}, declared) for declared in (None, 50))
    assert alone.sharpe is not None
    assert many.sharpe is not None
    assert (alone.trials, many.trials) == (1, 50)
    assert alone.sharpe.deflated == alone.sharpe.probabilistic > many.sharpe.deflated
    # The best of 50 with a standard error of one over the root of 251 sessions, a year.
    assert many.sharpe.best_of_chance == pytest.approx(2.277 / np.sqrt(251) * np.sqrt(252), rel=1e-3)
