"""A backtest's results before and after the knowledge cut-off of its models, and under a disguise."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from tests.features.backtest.contamination.models import memoriser, reader
from tests.features.backtest.contamination.test_assess import labelled
from tests.features.backtest.contamination.test_input_dependency import services_with
from tradingagents.features.backtest.contamination.backtest_split import (
    contamination_section,
    knowledge_split,
    knowledge_warning,
)
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import Backtest, backtest, score_backtest
from tradingagents.features.backtest.score import by_day
from tradingagents.llm_clients.known_models import knowledge_of
from tradingagents.llm_clients.scripted import ScriptedChatModel

CUTOFF = date(2024, 9, 30)
ASKED = BacktestRequest(
    tickers=("VELQ", "OMBZ", "TAQZ"), start=date(2024, 7, 1), end=date(2024, 12, 31), every=21, disguise=True
)
SHORT = replace(ASKED, tickers=ASKED.tickers[:2], end=date(2024, 11, 20))


def backtest_of(home: Path, model: ScriptedChatModel, asked: BacktestRequest = ASKED) -> Backtest:
    return asyncio.run(backtest(labelled(home, model, "openai/gpt-5"), asked))


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Backtest:
    return backtest_of(tmp_path_factory.mktemp("reader"), reader())


def test_sessions_and_decisions_are_split_at_the_cut_off(followed: Backtest):
    split = followed.record["contamination"]
    before, after = split["before"], split["after"]
    days = followed.accounts["decisions"].days
    assert split["cutoff"] == str(CUTOFF)
    assert (before["first_session"], before["last_session"]) == ("2024-07-01", "2024-09-30")
    assert (after["first_session"], after["last_session"]) == ("2024-10-01", "2024-12-31")
    assert before["sessions"] == sum(day <= CUTOFF for day in days)
    assert before["sessions"] + after["sessions"] == len(days) == followed.record["sessions"]
    calls = [before["decisions"]["calls"], after["decisions"]["calls"]]
    assert min(calls) > 0
    assert sum(calls) == followed.record["decisions"]["calls"]
    both = (1 + before["performance"]["total_return"]) * (1 + after["performance"]["total_return"])
    assert both == pytest.approx(1 + followed.record["strategies"]["decisions"]["total_return"])
    gaps = [one["ci_equal_exposure"]["difference"] for one in (before, after)]
    assert split["edge_lost"] == pytest.approx(gaps[0] - gaps[1])
    json.dumps(followed.record)


def test_the_report_says_what_may_be_remembered_and_what_is_left_under_the_disguise(followed: Backtest):
    text = backtest_report(followed.record)
    assert "Trained until: openai/gpt-5: 2024-09-30." in text
    assert "| Up to the cut-off | 2024-07-01 | 2024-09-30 |" in text
    same = followed.record["disguise"]["same"]
    assert same["count"] == same["of"] == 3 * followed.record["decision_days"]
    assert f"{same['of']} of {same['of']} decisions were the same" in text
    assert f"by chance {followed.record['disguise']['by_chance']:.1f} would be" in text
    earlier = {key: value for key, value in followed.record["disguise"].items() if "chance" not in key}
    assert "would be" not in contamination_section({**followed.record, "disguise": earlier})
    assert any("64 of 128 sessions lie on or before 2024-09-30" in one for one in followed.record["warnings"])
    strategies = followed.record["strategies"]
    assert strategies["disguised"]["total_return"] == strategies["decisions"]["total_return"]
    assert followed.record["choice"]["trials"] == 1


def test_a_memoriser_decides_otherwise_under_the_disguise(tmp_path: Path):
    found = backtest_of(tmp_path, memoriser(), SHORT)
    same = found.record["disguise"]["same"]
    assert same["count"] < same["of"] / 2
    services = labelled(tmp_path, memoriser(), "openai/gpt-5")
    assert score_backtest(services, SHORT).record["disguise"] == found.record["disguise"]


def test_an_unknown_cut_off_leaves_every_session_in_doubt_and_rules_none(followed: Backtest):
    tested_account, held = (followed.accounts[name] for name in ("decisions", "buy_and_hold"))
    decisions = by_day({one: stored.decision for one, stored in followed.decided.items()})

    def split(label: str, **own: date):
        return knowledge_split(knowledge_of([label], own), tested_account, held, decisions, followed.table)

    unknown = split("ollama/llama3")
    assert unknown is not None
    assert unknown.after is None
    assert "not known until when ollama/llama3 was trained" in knowledge_warning(unknown)
    late = split("ollama/llama3", llama3=date(2024, 1, 31))
    assert late is not None
    assert late.before is None
    assert np.isclose(late.after.performance.total_return, tested_account.equity[-1] / tested_account.equity[0] - 1)  # type: ignore[union-attr]
    assert "All 128 sessions lie after 2024-01-31" in knowledge_warning(late)
    assert split("offline/rules") is None


@pytest.mark.nightly
def test_offline_analysts_decide_alike_under_the_disguise(tmp_path: Path):
    found = asyncio.run(backtest(services_with(tmp_path), SHORT))
    same = found.record["disguise"]["same"]
    assert found.record["contamination"] is None
    assert same["count"] >= same["of"] - 1


def test_a_part_that_is_too_short_for_a_test_says_so(followed: Backtest):
    """Twelve sessions after the cut-off are twelve returns; the first session of all is none."""
    split = followed.record["contamination"]
    few = {**split["after"], "sessions": 12, "ci_equal_exposure": None}
    record = {**followed.record, "contamination": {**split, "after": few, "edge_lost": None}}
    assert "No gap is tested after it: too few sessions: 12 of the 20 that a test needs." in contamination_section(
        record
    )
    alone = {**record, "contamination": {**split, "before": None, "after": few, "edge_lost": None}}
    assert "too few sessions: 11 of the 20" in contamination_section(alone)
    assert "No gap is tested" not in contamination_section(followed.record)
