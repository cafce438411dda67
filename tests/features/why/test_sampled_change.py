"""Decisions of models on two days: the fewest reports that turn them, told from noise, within a number of decisions."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path

import pytest
from langchain_core.messages import BaseMessage

from tests.support.graph_factory import DECIDERS, report_of, role_of, sound_verdict
from tradingagents.errors import BudgetReached, UsageError
from tradingagents.features.why.sampled_change import SampledChange, fisher, sample_change
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

FIRST, SECOND = date(2025, 2, 28), date(2025, 3, 14)
_DAY = re.compile(r"^Trade date: (\S+)$", re.MULTILINE)
Rule = Callable[[str], str]


def model(decide: Rule) -> ScriptedChatModel:
    """A model whose analysts name themselves and their day, and whose deciders follow a rule on what they read."""

    def script(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        role, text = role_of(messages), "\n".join(message.text for message in messages)
        if role in DECIDERS:
            return sound_verdict(messages, action=decide(text))
        found = _DAY.search(text)
        if "Analyst" not in role:
            return "Agreed."
        return f"REPORT {role.split()[0].upper()} {found[1] if found else ''}\n{report_of(messages)}"

    return ScriptedChatModel(script)


def services_of(home: Path, decide: Rule, **settings: object) -> Services:
    analysts = ["market", "news", "fundamentals"]
    config = {"data_vendor": "simulated", "home": str(home), "llm_provider": "openai", "analysts": analysts, **settings}
    scripted = model(decide)
    tiers = TierModels(scripted, scripted, scripted, names=dict.fromkeys(("quick", "mid", "deep"), "scripted/model"))
    return open_services(load_settings(config, environ={}), {}, models=tiers)


def read(text: str, who: str, day: date) -> bool:
    return f"REPORT {who} {day}" in text


async def sampled(tmp_path: Path, decide: Rule, **more: int) -> SampledChange:
    services = services_of(tmp_path, decide)
    try:
        return await sample_change("VELQ", FIRST, SECOND, services, **more)
    finally:
        services.close()


async def test_one_report_that_turns_the_decision_is_found(tmp_path: Path):
    found = await sampled(tmp_path, lambda text: "BUY" if read(text, "NEWS", FIRST) else "SELL")
    assert (found.before, found.after, found.stopped) == ("BUY", "SELL", "found")
    assert found.deciding == ("news_report",)
    assert (found.turned, found.noise) == ("BUY", 0.0)
    assert found.p_value == pytest.approx(1 / 35)
    assert found.decisions <= found.most
    assert "sample of" in found.sentence()
    assert found.to_json()["sampled"] is True
    assert not (tmp_path / "runs").exists()


async def test_two_reports_that_only_turn_it_together_are_found(tmp_path: Path):
    def decide(text: str) -> str:
        return "BUY" if read(text, "NEWS", FIRST) and read(text, "MARKET", FIRST) else "SELL"

    found = await sampled(tmp_path, decide)
    assert found.deciding == ("market_report", "news_report")
    single = {one.reports[0]: one.turned for one in found.tried if len(one.reports) == 1}
    assert single == dict.fromkeys(("market_report", "news_report", "fundamentals_report", "macro_regime_report"), 0)
    few = await sampled(tmp_path, decide, decisions=9)
    assert (few.stopped, few.deciding) == ("decisions", ())
    assert few.decisions <= 9


async def test_noise_is_told_from_a_cause(tmp_path: Path):
    drawn = random.Random(3)  # noqa: S311 - no secret depends on it
    noisy = await sampled(tmp_path, lambda _text: drawn.choice(["BUY", "SELL", "HOLD"]), repeats=6)
    assert noisy.stopped in ("unstable", "same", "none", "decisions", "not_by_reports")
    assert noisy.deciding == ()
    assert noisy.noise > 0

    def by_day(text: str) -> str:  # it knows the day, and reads nothing
        found = _DAY.search(text)
        return "BUY" if found and found[1] == str(FIRST) else "SELL"

    blind = await sampled(tmp_path, by_day)
    assert (blind.before, blind.after, blind.stopped, blind.deciding) == ("BUY", "SELL", "not_by_reports", ())
    same = await sampled(tmp_path, lambda _text: "HOLD")
    assert (same.stopped, same.decisions) == ("same", 5)


async def test_what_cannot_be_sampled_is_refused_and_a_budget_ends_it(tmp_path: Path):
    services = services_of(tmp_path, lambda _text: "HOLD")
    for wrong in ({"first": SECOND}, {"decisions": 3}, {"repeats": 0}):
        given = {"first": FIRST, "decisions": 20, "repeats": 3, **wrong}
        with pytest.raises(UsageError):
            await sample_change("VELQ", given.pop("first"), SECOND, services, **given)  # type: ignore[arg-type]
    services.close()
    poor = services_of(tmp_path, lambda text: "BUY" if read(text, "NEWS", FIRST) else "SELL", max_llm_calls=40)
    found = await sample_change("VELQ", FIRST, SECOND, poor)
    assert found.stopped == "budget"
    assert found.llm_calls <= 40
    poor.close()
    none = services_of(tmp_path, lambda _text: "HOLD", max_llm_calls=3)
    with pytest.raises(BudgetReached):
        await sample_change("VELQ", FIRST, SECOND, none)
    none.close()


def test_fisher_by_hand():
    assert fisher(3, 3, 0, 4) == pytest.approx(1 / 35)
    assert fisher(3, 3, 1, 4) == pytest.approx(4 / 35)
    assert fisher(0, 3, 0, 4) == 1.0
    assert fisher(1, 1, 0, 4) == pytest.approx(0.2)
