"""A second turn that names only what differs: by fixed rules on the simulated market."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench
from tradingagents.retrieval.questions.turns.ellipsis import in_full_words

TODAY = date(2025, 3, 14)


@pytest.mark.parametrize(
    ("before", "text", "full"),
    [
        ("how did apple do in 2024?", "same for 2023", "how did apple do in 2023?"),
        ("how did apple do in 2024?", "and the year before?", "how did apple do in 2023?"),
        ("how did apple do this year", "what about last year?", "how did apple do in 2024"),
        ("revenue of walmart in fiscal 2024", "and the year before?", "revenue of walmart in fiscal 2023"),
        ("how was the market today", "and yesterday?", "how was the market yesterday"),
        ("how was the market today", "and the day before?", "how was the market on 2025-03-13"),
        ("which sectors did best today", "and this month?", "which sectors did best this month"),
        ("hows the s&p this year", "and the nasdaq?", "hows the nasdaq this year"),
        ("how did apple do this year", "and the s&p 500?", "how did s&p 500 do this year"),
        ("how is apple doing", "and in 2023?", "how is apple doing in 2023"),
        ("英伟达2024年涨了多少?", "那前一年呢?", "英伟达 2023 涨了多少?"),
    ],
)
def test_what_is_named_takes_the_place_of_its_kind(before: str, text: str, full: str):
    assert in_full_words(text, before, TODAY, None) == full


@pytest.mark.parametrize(
    ("before", "text"),
    [
        ("how did apple do in 2024?", "and its debt?"),
        ("how did apple do in 2024?", "and microsoft in 2023?"),
        ("how did apple do in 2024?", "what was the market like in 2023?"),
        ("compare 2023 with 2024 for apple", "and the year before?"),
        ("how did apple do this week", "and the year before?"),
        ("compare apple and microsoft", "and the nasdaq?"),
    ],
)
def test_what_is_no_such_message_stays_as_it_is(before: str, text: str):
    assert in_full_words(text, before, TODAY, None) == text


TURNS = [
    ("What did VELQ earn in 2024?", "growth?", ("VELQ: revenue of 27.12B USD", "+20.7% on the year before")),
    ("How did Veltrane do in 2024?", "and the year before?", ("2022-12-30", "2023-12-29")),
    ("how was the market today", "and yesterday?", ("2025-03-12 to 2025-03-13",)),
    ("Which stocks rose most today?", "why did the second one go up?", ("Digmoor Machinery (DIGZ)", "2025-03-13")),
    ("How has Railhaven done lately?", "why?", ("Railhaven Lines (RAIQ)", "rules name no cause")),
    ("Is Veltrane up this year?", "by how much?", ("close of 2024-12-31",)),
    ("Is Veltrane up this year?", "in dollars?", ("That is ", " USD.")),
    ("What was Veltrane's highest close in 2024?", "which day was that?", ("from 2024-01-01 to 2024-12-31",)),
    (
        "Which sector is doing best this year?",
        "And the worst?",
        ("weakest first", "discretionary: -17.47%"),
    ),
    ("which stock was up the most today?", "ok but why?", ("Covenhall Insurance (COVZ) went", "name no cause")),
    ("Why did Streamorrow drop today?", "what would puts on it cost me now?", ("Options", "not in these data")),
    ("why did Marketarch drop today?", "how far is it down since new year?", ("2024-12-31", "-24.85%")),
    ("worst day for the S&P this year?", "and the best?", ("best day",)),
    ("Wie lief Veltrane dieses Jahr?", "warum?", ("Veltrane Systems (VELQ) ging von",)),
    ("compare VELQ and OMBZ over the last year", "and if you count the dividends?", ("total return:", "price change")),
    ("compare VELQ and OMBZ", "and if you count the dividends?", ("may mean the dividend yield",)),
    ("compare VELQ and GRIQ", "which of them pays more", ("dividend yield: GRIQ is ahead",)),
    ("how risky is VELQ", "and in 2023?", ("volatility of 32.19% a year over the 250 sessions from 2023-01-03",)),
    ("dividend of GRIQ", "and in 2023?", ("give no answer", "in 2023")),
    ("I own 40 velq, what is it worth", "and ombrix?", ("594.11 USD",)),
    ("I own 40 velq, what is it worth", "is it risky?", ("Risk of your book", "VELQ")),
]


async def test_second_turns_take_the_rest_from_the_first(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        for before, text, parts in TURNS:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            await bench.say(before)
            reply = await bench.say(text)
            assert all(part in reply for part in parts), (before, text, reply)
