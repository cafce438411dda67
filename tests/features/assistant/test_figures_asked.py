"""The assistant by fixed rules: figures of periods, of several companies, and what a question takes for granted."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.companies import Instruments
from tradingagents.retrieval.questions.spans import next_days

DAY = date(2025, 3, 14)
KNOWN = Instruments([("AAPL", ["Apple"]), ("MSFT", ["Microsoft"]), ("JPM", ["JPMorgan"])])
ASKED = (
    ("Gross margin last quarter: Ombrix or Taquill?", ("gross margin: TAQZ is ahead", "in Q4 of fiscal 2024")),
    ("Net margin of Ombrix and Taquill", ("net margin: OMBZ is ahead", "Twelve months to: OMBZ 2024-12-31")),
    ("return on equity of Ombrix", ("return on equity",)),
    ("how big is Gridmarch's debt", ("GRIQ, balance sheet to 2024-12-31",)),
    ("explain EPS and what was Broquay's", ("net income of a period divided", "1.34 USD a share, 1.36 USD expected")),
    ("Can you place an order for me?", ("No order is sent from here",)),
    ("Energy was the worst sector this week, why?", ("Energy: -0.43% a week, number 9 of 11 sectors",)),
    ("Health care led this week, right?", ("Healthcare: -0.63% a week, number 11 of 11 sectors",)),
    ("Did the Nasdaq beat the Dow this week?", ("price change: Dow Jones is ahead",)),
    ("how much did Tobermont raise its dividend", ("TOBQ", "against the same one a year before")),
    ("Warum ist Sanoquel so schwach?", ("schloss am 2025-03-14 bei 50.90 USD",)),
    ("Was wären 2500 Dollar in Aerolith von vor einem Jahr heute wert?", ("Aus 2,500.00 USD wären",)),
    ("The Fed cut rates this month, right?", ("the policy rate did not change: 2.75%",)),
    ("How bad was the fall of Vitalune within a year?", ("-45.46%", "from 2024-04-10 to 2024-11-13")),
    ("best and worst sectors on friday", ("Sectors over the day to 2025-03-14",)),
    ("How did Seequest do this week and why the drop on friday?", ("+13.22%", "-3.02%")),
)
"""Questions, with what the answer must say."""


async def test_figures_are_those_that_are_asked_for_and_premises_are_checked(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for question, parts in ASKED:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            reply = await bench.say(question)
            assert all(part in reply for part in parts), (question, reply)
            assert "estimates" not in reply or "beat" not in question, reply


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("Apple's return on assets", ()),
        ("does JPMorgan burn cash", ("cash",)),
        ("how many shares outstanding does Apple have", ("profile",)),
        ("did the Apple stock beat Microsoft on dividends", ("dividend",)),
        ("did Apple beat estimates", ("results",)),
    ],
)
def test_a_figure_of_its_own_name_is_told_by_no_other(said, parts):
    assert read(said).parts == parts


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("earnings calendar for april and may", date(2025, 4, 1), date(2025, 5, 13)),
        ("who reports in april", date(2025, 4, 1), date(2025, 4, 30)),
        ("may I see who reports this week", date(2025, 3, 14), date(2025, 3, 16)),
    ],
)
def test_coming_months_are_named_by_their_names(said, start, end):
    found = next_days(said, DAY)
    assert (found.start, found.end) == (start, end)


def read(said: str):
    return read_request(ConversationBrief(now=AskedQuestion(question=said), day=DAY, instruments=KNOWN))
