"""The assistant by fixed rules: what is asked of days behind or ahead is answered of these days, or not at all."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench

FORMS = (
    "How did Veltrane do {}?",
    "How volatile was Veltrane {}?",
    "What was Veltrane's beta {}?",
    "What was Veltrane's deepest fall {}?",
    "What was Veltrane's high {}?",
    "What was Veltrane's low {}?",
    "What was Veltrane's best day {}?",
    "How often did Veltrane fall more than 2% {}?",
    "What was Veltrane's volume {}?",
    "What dividends did Ombrix pay {}?",
    "What was Veltrane's P/E {}?",
    "What was Veltrane's revenue {}?",
    "What was Veltrane's net margin {}?",
    "How much did Veltrane's revenue grow {}?",
    "How much debt did Veltrane have {}?",
    "How much cash did Veltrane have {}?",
    "Who sold Veltrane shares {}?",
    "Did insiders sell Veltrane shares {}?",
    "Any news on Veltrane {}?",
    "What did Veltrane file {}?",
    "Did Veltrane beat estimates {}?",
    "Why did Veltrane fall {}?",
    "Was Veltrane expensive {}?",
    "Did Veltrane buy back shares {}?",
    "What was Veltrane's RSI {}?",
    "Compare Veltrane and Ombrix {}.",
    "How correlated were Veltrane and Ombrix {}?",
    "How did the market do {}?",
    "How did the S&P 500 do {}?",
    "How high was the VIX {}?",
    "Which sectors did best {}?",
    "Which stocks rose most {}?",
    "How did tech do {}?",
    "What was inflation {}?",
    "What was the unemployment rate {}?",
    "Was the yield curve inverted {}?",
    "What was the 10 year yield {}?",
    "How did oil do {}?",
    "Did Veltrane rise {}?",
    "How many stocks rose {}?",
    "When did Veltrane report {}?",
    "Which companies reported {}?",
    "What was Veltrane's market cap {}?",
    "Did Veltrane close above 100 {}?",
    "Wie lief Veltrane {}?",
)
HELD = (
    ("in 2021", ("2020-12-31", "2021")),
    ("in March 2023", ("2023-02-28", "2023-03")),
    ("since 2022", ("2021-12", "2025")),
)
"""Days of which the simulated market knows prices, and the first and the last day that an answer may be of."""
BEFORE = ("in 1974", "in 2012", "im Jahr 1995")
DECLINED = re.compile(
    r"give no answer|gebe deshalb keine|Questions here are answered|[Nn]ot in these data|[Ss]teht nicht in"
    r"|steht nichts in|steht kein |stehen nicht|no close on|no answer\.|is not (?:known|told)|is in these data"
    r"|are in these data|at most|No (?:article|filing|results|close)|another span is not|ist kein |keine Zahlen bekannt"
    r"|ist zu .* bekannt|Fragen werden hier nur|No figure of"
)
"""What is said where nothing is told of the days."""
_DAY = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?:-\d\d)?(?:-\d\d)?(?![\d.,]\d)")


def told_days(reply: str) -> list[str]:
    """Return the days, months and years that a reply names."""
    return _DAY.findall(re.sub(r"FY(?=\d{4})", "", reply))


async def replies(home: Path, span: str) -> list[tuple[str, str]]:
    """Return each form of question asked of some days, each in a conversation of its own, with its reply."""
    found: list[tuple[str, str]] = []
    async with AssistantBench(home) as bench:
        for form in FORMS:
            bench.session_id = bench.store.create("assistant", "", bench.session.defaults).session_id
            found.append((form, await bench.say(form.format(span))))
    return found


@pytest.mark.parametrize(("span", "ends"), HELD, ids=[span for span, _ in HELD])
async def test_what_is_told_of_days_behind_is_of_these_days(tmp_path: Path, span: str, ends: tuple[str, str]):
    first, last = ends

    def is_of_them(reply: str) -> bool:
        days = told_days(" ".join(reply.split("\n\n")[:2]))
        return any(first <= day.ljust(10, "9") and day[: len(last)] <= last for day in days)

    asked = await replies(tmp_path, span)
    assert not [(form, reply) for form, reply in asked if not (is_of_them(reply) or DECLINED.search(reply))]


@pytest.mark.parametrize("span", BEFORE)
async def test_of_days_before_the_data_no_figure_is_told(tmp_path: Path, span: str):
    asked = await replies(tmp_path, span)
    assert not [pair for pair in asked if not DECLINED.search(pair[1]) or re.search(r"\d ?%|\d USD", pair[1])]


@pytest.mark.parametrize("span", ["in 2026", "on April 1, 2025", "in June 2025"])
async def test_of_days_ahead_nothing_is_told_but_what_a_calendar_knows(tmp_path: Path, span: str):
    def is_open(form: str, reply: str) -> bool:
        ahead = "No rule says what lies ahead" in reply or "Was kommt, sagt keine Regel" in reply
        return ahead or ("report" in form and "expected" in reply) or bool(DECLINED.search(reply))

    asked = await replies(tmp_path, span)
    assert not [(form, reply) for form, reply in asked if not is_open(form, reply)]


async def test_a_greeting_in_the_morning_asks_nothing_of_tomorrow(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        reply = await bench.say("Guten Morgen, wie ist der Kurs von Veltrane?")
    assert "96.58 USD" in reply


async def test_a_curve_that_was_inverted_then_is_not_told_by_its_value_of_today(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        reply = await bench.say("Was the yield curve inverted in 2022?")
    assert reply.startswith("Not inverted on any day from 2021-12-31 to 2022-12-31: ")
    assert "0.04% at the lowest (2022-07-19)" in reply


async def test_a_fall_of_a_past_year_is_not_denied_by_the_last_twelve_months(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        reply = await bench.say("Why did Veltrane fall in 2021?")
    assert "did not fall" not in reply
    assert "-15.52%" in reply


async def test_holidays_are_those_of_the_year_that_is_named(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        coming = await bench.say("When is the market closed in 2026?")
        past = await bench.say("When was the market closed in 2019?")
    assert "2026-04-03 (Friday, Good Friday)" in coming
    assert "2019-04-19 (Friday, Good Friday)" in past
    assert "2025" not in coming + past
