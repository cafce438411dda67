"""What models recall without data, and the command that assesses it all."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from tests.backtest.contamination.models import reader
from tests.backtest.contamination.test_input_dependency import TICKERS, services_with
from tradingagents.backtest.contamination.assess import assess_contamination
from tradingagents.backtest.contamination.recall import recall
from tradingagents.backtest.market import read_market
from tradingagents.backtest.request import BacktestRequest
from tradingagents.errors import UsageError
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


def test_rules_are_asked_for_no_memories(tmp_path: Path):
    services = services_with(tmp_path, reader())
    assert asyncio.run(recall(services, read_market(services, ASKED), CASES)) == ()


def test_one_ticker_is_too_few(tmp_path: Path):
    alone = BacktestRequest(tickers=("VELQ",), start=ASKED.start, end=ASKED.end)
    with pytest.raises(UsageError, match="two tickers"):
        asyncio.run(assess_contamination(services_with(tmp_path), alone))
