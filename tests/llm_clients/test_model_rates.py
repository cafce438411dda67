"""Model requests wait for their turn: one count for each provider and key, whatever process asks."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from tests.features.backtest.contamination.models import reader
from tests.features.backtest.contamination.test_input_dependency import DAY, services_with
from tradingagents.dataflows.gateway.limits import LIMITS_FILE
from tradingagents.errors import ModelUnreachable, SettingsError
from tradingagents.graph.start import analyze
from tradingagents.llm_clients import pacing
from tradingagents.llm_clients.pacing import ModelRates
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.settings import load_settings


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What requests would have waited."""
    found: list[float] = []

    async def pause(seconds: float) -> None:
        found.append(seconds)

    monkeypatch.setattr(pacing, "PAUSE", pause)
    return found


def rates_in(home: Path, **rates: str) -> ModelRates:
    return ModelRates(load_settings({"home": str(home), "model_rates": rates}, environ={}))


def test_requests_beyond_the_rate_wait_for_their_turn(tmp_path: Path, pauses: list[float]):
    model = ScriptedChatModel([])
    rates = rates_in(tmp_path, scripted="2/minute")

    async def five() -> None:
        for _ in range(5):
            await rates.turn(model)

    asyncio.run(five())
    assert [round(one / 60) for one in pauses] == [1, 1, 2]
    other = rates_in(tmp_path, scripted="2/minute")  # as another process sees it
    asyncio.run(other.turn(model))
    assert round(pauses[-1] / 60) == 2


def test_a_turn_that_is_too_far_away_ends_in_words(tmp_path: Path, pauses: list[float]):
    rates, model = rates_in(tmp_path, scripted="1/hour"), ScriptedChatModel([])
    asyncio.run(rates.turn(model))
    with pytest.raises(ModelUnreachable, match=r"scripted may be asked 1/hour by model_rates"):
        asyncio.run(rates.turn(model))
    assert pauses == []


def test_other_providers_do_not_wait_and_no_file_is_made_without_rates(tmp_path: Path, pauses: list[float]):
    model = ScriptedChatModel([])
    asyncio.run(rates_in(tmp_path).turn(model))
    asyncio.run(rates_in(tmp_path, openai="1/hour").turn(model))
    assert not (tmp_path / LIMITS_FILE).exists()
    assert pauses == []


@pytest.mark.parametrize(
    ("name", "rate", "words"), [("opnai", "1/hour", "did you mean openai"), ("openai", "x", "5/second")]
)
def test_a_rate_that_cannot_be_read_is_refused(tmp_path: Path, name: str, rate: str, words: str):
    with pytest.raises(SettingsError, match=words):
        rates_in(tmp_path, **{name: rate})


def test_every_request_of_a_run_takes_a_turn(tmp_path: Path, pauses: list[float]):
    model = reader()
    services = services_with(tmp_path, model, model_rates={"scripted": "1000/day"})
    asyncio.run(analyze(services, "VELQ", DAY, persist="none"))
    with sqlite3.connect(tmp_path / LIMITS_FILE) as connection:
        rows = connection.execute("SELECT bucket, COUNT(*) FROM turn GROUP BY bucket").fetchall()
    assert [count for _, count in rows] == [len(model.calls)]
    assert rows[0][0].startswith("model scripted:")
    assert pauses == []
