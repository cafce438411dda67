"""Decisions that follow the data are told from decisions that follow the name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from tests.features.backtest.contamination.models import calls_of, memoriser, reader
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS
from tradingagents.features.backtest.contamination.disguises import disguised, under_name_of, upside_down
from tradingagents.features.backtest.contamination.input_dependency import (
    InputDependency,
    input_dependency,
    verdict_words,
)
from tradingagents.features.backtest.decisions.decide import decide
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.graph.start import analyze
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
MIXED_DAY = date(2023, 9, 15)
"""The reader says BUY of five companies, SELL of five and HOLD of two."""
TICKERS = tuple(one for one in COMPANIES if one not in (*NO_NEWS, *NO_STATEMENTS))[:12]


def services_with(home: Path, model: ScriptedChatModel | None = None, **settings: object) -> Services:
    config = {"data_vendor": "simulated", "home": str(home), "analysts": ["market"], **settings}
    if model is None:
        return open_services(load_settings({**config, "llm_provider": "offline"}, environ={}), {})
    quick = {"max_debate_rounds": 1, "max_risk_discuss_rounds": 1, "keep_replies": False}
    return open_services(load_settings({**config, **quick}, environ={}), {}, models=TierModels.same(model))


def found_out(home: Path, model: ScriptedChatModel, day: date = DAY) -> InputDependency:
    return asyncio.run(input_dependency(services_with(home, model), TICKERS, [day]))


def test_every_decision_of_a_reader_follows_the_data_and_few_pairs_settle_nothing(tmp_path: Path):
    found = found_out(tmp_path, reader())
    said = found.to_json()
    assert said["cases"] == len(TICKERS)
    assert found.missing == 0
    assert (said["disguised"]["same"], said["disguised"]["of"]) == (12, 12)
    assert said["disguised"]["beyond_chance"]
    assert found.swapped_data.count == found.swapped_data.of == 2 * said["pairs"] == 6
    assert found.swapped_name.count == 0
    assert said["mirrored"]["same"] <= 4
    assert (said["follows"], said["why"]) == (
        "undecided",
        "one-sided mix",
    )  # three pairs are too few for any verdict
    assert "more" in verdict_words(said)
    assert found.llm_usd == 0.0


def test_a_reader_follows_the_data(tmp_path: Path):
    found = found_out(tmp_path, reader(), MIXED_DAY)
    said = found.to_json()
    assert found.mix == {"BUY": 5, "SELL": 5, "HOLD": 2}
    assert (said["follows"], said["why"], said["needed"]) == ("data", None, None)
    assert (said["pairs"], said["companies_paired"], said["p_data"]) == (6, 6, 1 / 64)
    assert found.swapped_data.count == found.swapped_data.of == 12
    assert said["disguised"]["beyond_chance"]
    assert not said["mirrored"]["beyond_chance"]
    assert "of 24 to 384 cases this verdict was wrong in 7.0 % at most" in verdict_words(said)


def test_a_memoriser_follows_the_name(tmp_path: Path):
    found = found_out(tmp_path, memoriser())
    said = found.to_json()
    assert said["follows"] == "name"
    assert found.swapped_name.count == found.swapped_name.of >= 10
    assert said["mirrored"]["same"] == 12
    assert not said["disguised"]["beyond_chance"]


def test_a_disguised_prompt_names_neither_company_nor_year_and_the_reply_is_turned_back(tmp_path: Path):
    model = reader()
    services = services_with(tmp_path, model, analysts=["market", "news", "fundamentals", "social"])
    run = asyncio.run(analyze(disguised(services, ["VELQ"], DAY), "VELQ", DAY, persist="none"))
    sent = calls_of(model)
    name = COMPANIES["VELQ"].name.split()[0]
    for hidden in ("VELQ", name, name.upper(), "2025-", "2024-", " 2025 "):
        assert hidden not in sent
    assert "Trade date: 1997-03-14" in sent
    text = " ".join(f"{run.record['reports']}")
    assert "1997" not in text
    assert run.record["ticker"] == "VELQ"


def test_levels_are_altered_and_nothing_that_follows_from_ratios(tmp_path: Path):
    services = services_with(tmp_path, analysts=["market", "fundamentals"])
    for ticker in TICKERS[:2]:
        plain = asyncio.run(analyze(services, ticker, DAY, persist="none"))
        other = asyncio.run(analyze(disguised(services, [ticker], DAY), ticker, DAY, persist="none"))
        assert other.decision.action == plain.decision.action
        assert other.decision.strength == pytest.approx(plain.decision.strength, abs=0.02)
        if plain.decision.entry is not None:
            assert abs(other.decision.entry / plain.decision.entry - 1) > 0.02


def test_an_experiment_shares_no_stored_decision_with_the_market_as_it_is(tmp_path: Path):
    services = services_with(tmp_path)
    variants: list[Callable[[], Services]] = [
        lambda: services,
        lambda: disguised(services, ["VELQ"], DAY),
        lambda: disguised(services, ["VELQ"], DAY, seed="other"),
        lambda: upside_down(services, DAY),
        lambda: under_name_of(services, "VELQ", "OMBZ", DAY),
    ]
    keys = {DecisionStore(one()).key("VELQ", DAY) for one in variants}
    assert len(keys) == len(variants)
    first = asyncio.run(decide(upside_down(services, DAY), ["VELQ"], [DAY]))
    again = asyncio.run(decide(upside_down(services, DAY), ["VELQ"], [DAY]))
    assert (first.decided, again.decided) == (1, 0)
    assert first.found == again.found
