"""The assistant by fixed rules: questions on the economy, its releases, credit, and how many stocks take part."""

# ruff: noqa: RUF001

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.names import in_english
from tradingagents.retrieval.questions.spans import completed

DAY = date(2025, 3, 14)
KNOWN = Instruments([("AAPL", ["Apple"])])
ASKED = (
    ("Purchasing managers' index latest", ("2025-02: 50.50 points, 50.40 points expected", "on 2025-04-01")),
    ("PMI?", ("50.50 points",)),
    ("unemployment in january", ("Unemployment rate for 2025-01: 3.90%, 3.90% expected; published 2025-02-07",)),
    ("Why did the central bank hike rates in January?", ("did not change: 2.75%", "2.75% (2025-01-15)", "for 2025-01")),
    ("Die Fed hat im Januar den Leitzins gesenkt, oder?", ("blieb der Leitzins gleich: 2.75%", "2025-01-15")),
    ("how many jobs were added in january", ("Nonfarm payrolls for 2025-01: 118.00 thousand",)),
    ("how much have consumer prices risen over two years", ("give no answer",)),
    ("ten year yield highest this year", ("give no answer",)),
    ("when is the next CPI?", ("on 2025-04-09",)),
    ("下一次CPI什么时候公布？上一次是多少？", ("2.30%", "2025-04-09")),
    ("Wie hoch ist die Arbeitslosenquote in den USA?", ("4.00%", "2025-04-04")),
    ("Wasn't inflation at 4% in February?", ("is 2.30%, not 4%",)),
    ("2 year vs 10 year treasury, spread?", ("+0.71%", "2.28%", "2.99%")),
    ("两年期和十年期国债利差是多少", ("+0.71%",)),
    ("is GDP growing?", ("Real growth, annualised",)),
    ("how many stocks rose today?", ("On 2025-03-14, 3 of the 60 stocks at hand rose and 57 fell",)),
    ("what share of stocks is above its 200 day line", ("Above their 200-day average: 62.71%",)),
    ("多少股票高于200日均线？", ("高于200日均线：62.71%",)),
)
"""Questions, with what the answer must say."""


async def test_questions_on_the_economy_are_answered_with_its_releases(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, parts in ASKED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("high yield credit spreads: widening?", "credit"),
        ("how are junk bond spreads", "credit"),
        ("高收益债利差现在多少", "credit"),
        ("what's the 10y 2y spread", "curve"),
        ("jobless claims this week?", "claims"),
        ("最新的初请失业金人数是多少？", "claims"),
        ("retail sales numbers", "retail"),
        ("Wie viele Aktien sind heute gestiegen?", "breadth"),
    ],
)
def test_what_is_asked_of_the_economy_is_told_by_its_name(said, part):
    assert read(said).parts == (part,)


def test_a_share_of_stocks_over_other_days_than_the_last_is_not_answered_with_its_own():
    assert read("how many stocks rose this week?").parts != ("breadth",)


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("the 10-year treasury", "the 10y treasury"),
        ("两年期国债", "2y 国债"),
        ("up over the last 2 years", "up over the last 2 years"),
        ("bond yields 2 years ago", "bond yields 2 years ago"),
    ],
)
def test_the_term_of_a_bond_is_no_window_of_days(said, written):
    assert in_english(said) == written


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("down on the week", "down this week"),
        ("on the week of", "on the week of"),
        ("weekly losers", "this week's losers"),
    ],
)
def test_the_present_week_is_named_in_several_ways(said, written):
    assert completed(said, DAY) == written


def read(said: str):
    return read_request(ConversationBrief(now=AskedQuestion(question=said), day=DAY, instruments=KNOWN))
