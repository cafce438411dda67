"""What past runs teach: whose they are, which are the same question, and which tell nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.run_store import Call, card_of, keep_run, run_id
from tradingagents.graph.estimates.history import LEAST_RUNS, MOST_RUNS, learnt_replies, past_runs
from tradingagents.settings import Settings, load_settings

LABEL = "openai_compatible/mine"
TIERS: Any = {"Trader": "mid", "News Analyst": "quick", "Bull Researcher": "mid"}


def settings_in(home: Path, **changes: Any) -> Settings:
    given = {
        "llm_provider": "openai_compatible",
        "backend_url": "http://127.0.0.1:1/v1",
        "quick_think_llm": "mine",
        "deep_think_llm": "mine",
        "home": home,
    }
    return load_settings({**given, **changes}, environ={})


def keep(home: Path, number: int, settings: Settings, *, status: str = "done", output_tokens: int = 100) -> Path:
    """Leave a run whose news analyst wrote 200 tokens and whose bull wrote 50 and 150."""
    calls = [
        Call("News Analyst", output_tokens=output_tokens),
        Call("Bull Researcher", "mid", output_tokens=output_tokens),
        Call("Bull Researcher", "mid", output_tokens=3 * output_tokens),
    ]
    run = keep_run(home, run_id(number), calls, status=status)
    turns = [{"speaker": "Bull Researcher", "text": "x" * length} for length in (200, 600)]
    card = {
        **card_of(run),
        "settings": settings.model_dump(mode="json"),
        "reports": {"news_report": "x" * 800, "macro_regime_report": "x" * 9000, "investment_plan": "x" * 9000},
        "debates": {"research": turns, "risk": []},
    }
    (run.path / "run.json").write_text(json.dumps(card), "utf-8")
    return run.path


def test_replies_are_as_long_as_the_model_s_were_on_average(tmp_path: Path):
    settings = settings_in(tmp_path)
    keep(tmp_path, 1, settings, output_tokens=100)
    keep(tmp_path, 2, settings, output_tokens=300)
    replies = learnt_replies(past_runs(tmp_path, "trading", settings), settings, TIERS)[LABEL]
    assert replies.text == {"News Analyst": 200, "Bull Researcher": 100}
    # The bull was billed (100 + 300) / 2 a call, and (300 + 900) / 2.
    assert replies.billed == {"News Analyst": 200, "Bull Researcher": 400}
    assert (replies.thinking, replies.scale) == (0, 1.0)


def test_other_models_teach_nothing_of_this_one(tmp_path: Path):
    keep(tmp_path, 1, settings_in(tmp_path, quick_think_llm="other"))
    settings = settings_in(tmp_path)
    replies = learnt_replies(past_runs(tmp_path, "trading", settings), settings, TIERS)[LABEL]
    assert (replies.text, replies.billed) == ({}, {})


def test_enough_runs_of_the_same_question_stand_for_themselves(tmp_path: Path):
    settings = settings_in(tmp_path)
    other = settings_in(tmp_path, max_debate_rounds=1)
    for number in range(LEAST_RUNS):
        keep(tmp_path, number, settings)
        keep(tmp_path, 20 + number, other)
    assert [run.same for run in past_runs(tmp_path, "trading", settings)] == [True] * LEAST_RUNS
    assert {run.same for run in past_runs(tmp_path, "trading", settings_in(tmp_path, max_debate_rounds=3))} == {False}
    assert len(past_runs(tmp_path, "trading", settings_in(tmp_path, budget_usd=3))) == LEAST_RUNS
    for number in range(40, 40 + MOST_RUNS + 2):
        keep(tmp_path, number, settings)
    assert len(past_runs(tmp_path, "trading", settings)) == MOST_RUNS
    assert past_runs(tmp_path, "scan", settings) == []


@pytest.mark.parametrize("damage", ["failed", "not json", "no usage", "other settings", "no card", "unmetered"])
def test_runs_that_tell_nothing_are_passed_over(tmp_path: Path, damage: str):
    settings = settings_in(tmp_path)
    path = keep(tmp_path, 1, settings, status="failed" if damage == "failed" else "done") / "run.json"
    card = json.loads(path.read_text("utf-8"))
    if damage == "not json":
        path.write_text("{ half", "utf-8")
    elif damage == "no usage":
        path.write_text(json.dumps({**card, "usage": None}), "utf-8")
    elif damage == "other settings":
        path.write_text(json.dumps({**card, "settings": {"max_debate_rounds": "many"}}), "utf-8")
    elif damage == "no card":
        path.unlink()
    elif damage == "unmetered":
        for used in card["usage"]["by_agent"].values():
            used["unmetered_calls"] = used["llm_calls"]
        path.write_text(json.dumps(card), "utf-8")
    past = past_runs(tmp_path, "trading", settings)
    assert [run.same for run in past] == ([False] if damage == "unmetered" else [])
    assert learnt_replies(past, settings, TIERS)[LABEL].billed == {}


def test_settings_that_a_newer_version_no_longer_knows_do_not_matter(tmp_path: Path):
    settings = settings_in(tmp_path)
    path = keep(tmp_path, 1, settings) / "run.json"
    card = json.loads(path.read_text("utf-8"))
    card["settings"]["a_setting_of_old"] = 3
    path.write_text(json.dumps(card), "utf-8")
    (run,) = past_runs(tmp_path, "trading", settings)
    assert run.same


@pytest.mark.parametrize(
    "other",
    [
        {"llm_provider": "offline"},
        {"data_vendor": "simulated"},
        {"quick_think_llm": "other", "deep_think_llm": "other"},
    ],
)
def test_runs_of_another_market_or_of_other_models_are_no_past_of_this_one(tmp_path: Path, other: dict[str, str]):
    keep(tmp_path, 1, settings_in(tmp_path, **other))
    assert past_runs(tmp_path, "trading", settings_in(tmp_path, data_vendor="snapshot")) == []
