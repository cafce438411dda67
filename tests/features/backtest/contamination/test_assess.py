"""What models recall without data, and the command that assesses it all."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from langchain_core.messages import AIMessage, BaseMessage

from tests.features.backtest.contamination.models import reader
from tests.features.backtest.contamination.test_input_dependency import TICKERS, services_with
from tradingagents.errors import UsageError
from tradingagents.features.backtest.contamination.assess import assess_contamination
from tradingagents.features.backtest.contamination.recall import RecallCase, Recollection, judged_directions, recall
from tradingagents.features.backtest.market import read_market
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.llm_clients.scripted import Reply, ScriptedChatModel
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.runtime.services import Services

ASKED = BacktestRequest(tickers=TICKERS[:8], start=date(2025, 1, 3), end=date(2025, 6, 30), every=40)
CASES = [(ticker, day) for ticker in TICKERS[:8] for day in (date(2025, 1, 10), date(2025, 3, 14))]


def labelled(home: Path, model: ScriptedChatModel, label: str) -> Services:
    services = services_with(home, model)
    names = {"quick": label, "mid": label, "deep": label}
    tiers = TierModels(model, model, model, names=names)  # type: ignore[arg-type]
    return Services(**{**vars(services), "models": tiers})


def answers(by_case: dict[tuple[str, str], dict[str, object]]) -> ScriptedChatModel:
    def script(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        found = re.search(r"\((\w+)\)\nDay: (\S+)", messages[-1].text)
        assert found is not None
        given = by_case[found[1], found[2]]
        return AIMessage("", tool_calls=[{"name": "Recollection", "args": given, "id": "r", "type": "tool_call"}])

    return ScriptedChatModel(script)


def test_a_model_that_knows_the_prices_is_told_from_one_that_does_not(tmp_path: Path):
    market = read_market(services_with(tmp_path), ASKED)
    truth = {}
    for ticker, day in CASES:
        prices = market.prices[ticker]
        place = [one.item() for one in prices.days].index(day)
        rose = prices.adj_close[place + 21] > prices.adj_close[place]
        truth[ticker, str(day)] = {"direction": "higher" if rose else "lower", "close": float(prices.close[place])}
    label = "openai_compatible/own"
    (knows,) = asyncio.run(recall(labelled(tmp_path, answers(truth), label), market, CASES))
    assert (knows.directions.count, knows.directions.of, knows.closes.count) == (16, 16, 16)
    assert knows.remembers
    wrong = {
        case: {"direction": "lower" if one["direction"] == "higher" else "higher", "close": 1.07 * float(one["close"])}
        for case, one in truth.items()
    }
    (guesses,) = asyncio.run(recall(labelled(tmp_path, answers(wrong), label), market, CASES))
    assert (guesses.directions.count, guesses.closes.count, guesses.remembers) == (0, 0, False)
    silent = {case: {"direction": "unknown"} for case in truth}
    (says_nothing,) = asyncio.run(recall(labelled(tmp_path, answers(silent), label), market, CASES))
    assert (says_nothing.directions.of, says_nothing.closes.of, says_nothing.remembers) == (0, 0, False)


def recollections(rose: np.ndarray, said: np.ndarray) -> dict[RecallCase, Recollection]:
    """Return answers of shape (days, companies): 1 for higher, -1 for lower, 0 for not known."""
    words = {1: "higher", -1: "lower", 0: "unknown"}
    return {
        RecallCase(f"T{column}", date(2025, 1, 1) + timedelta(row), bool(rose[row, column] > 0), 10.0):
        Recollection.model_validate({"direction": words[int(said[row, column])], "close": None})
        for row, column in np.ndindex(*rose.shape)
    }  # fmt: skip


def sides(*shape: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).choice([-1, 1], shape)


def test_knowing_two_days_of_the_market_is_no_memory_and_knowing_forty_is():
    """Sixteen of sixteen are two flips of a coin where all companies move together."""
    for days, remembered in ((2, False), (40, True)):
        rose = np.repeat(sides(days, 1), 8, axis=1)
        share, by_chance, p_value = judged_directions(recollections(rose, rose))
        assert (share.value, (p_value or 0) <= 0.05) == (1.0, remembered)
        assert by_chance == pytest.approx(0.5, abs=0.03)


def test_answers_of_one_company_count_once():
    """One direction a company throughout, of windows that overlap: 30 days with four companies tell four things."""
    rose = np.tile([1, 1, -1, -1], (30, 1))
    share, by_chance, p_value = judged_directions(recollections(rose, rose))
    assert share.value == 1.0
    assert by_chance == pytest.approx(0.5, abs=0.03)
    assert p_value == pytest.approx(1 / 6, abs=0.03)  # of six ways to choose the two that rise


def test_one_direction_throughout_gains_nothing():
    rose = np.where(np.random.default_rng(3).random((30, 8)) < 0.8, 1, -1)
    share, by_chance, p_value = judged_directions(recollections(rose, np.ones_like(rose)))
    assert (share.value, p_value) == (by_chance, 1.0)


def test_answers_by_chance_are_seldom_taken_for_memory():
    """Companies that move together for some days, and answers that do so too, but know nothing."""
    taken = 0
    for seed in range(100):
        rose, said = (
            np.sign(
                np.repeat(sides(4, 6, seed=2 * seed + part), 5, axis=0) + 0.5 * sides(20, 1, seed=900 + seed + part)
            )
            for part in (0, 1)
        )
        p_value = judged_directions(recollections(rose, said))[2]
        taken += p_value is not None and p_value <= 0.05
    assert taken <= 11  # 5 are expected; more than 11 come once in 300 times


def test_rules_are_asked_for_no_memories(tmp_path: Path):
    services = services_with(tmp_path, reader())
    assert asyncio.run(recall(services, read_market(services, ASKED), CASES)) == ()


def test_one_ticker_is_too_few(tmp_path: Path):
    alone = BacktestRequest(tickers=("VELQ",), start=ASKED.start, end=ASKED.end)
    with pytest.raises(UsageError, match="two tickers"):
        asyncio.run(assess_contamination(services_with(tmp_path), alone))
