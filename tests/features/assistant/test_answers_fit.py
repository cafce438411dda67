"""What an answer says is what was asked: of these days, by this measure, in this form, with what is excepted."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.assistant_bench import AssistantBench

NOTHING = "The fixed rules give no answer to that question"


@pytest.mark.parametrize(
    "question",
    [
        "Has Copperidge recovered since the Fed cut rates?",
        "What did Ombrix do after the market fell on Friday?",
        "How did Seequest do before earnings?",
        "Enterprise value of Ombrix",
        "Market value rather than enterprise value of Ombrix",
        "Is there news on Ombrix other than the earnings?",
        "Is Ombrix's P/E higher than last month?",
        "which is the biggest sector?",
    ],
)
async def test_what_no_answer_holds_is_declined(tmp_path: Path, question: str):
    async with AssistantBench(tmp_path) as bench:
        assert NOTHING in await bench.say(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How has Seequest done since its last earnings?", "close of 2025-03-06 to 158.09 USD at that of 2025-03-14"),
        ("Has Seequest been above 100 since it reported?", "closed above 100 in these days"),
        ("What's the largest bank?", "1. Ledgermont Bancorp (LEDQ): 333.44B USD"),
        ("Which energy company is the second biggest?", "Number 2 in that order: Petrazone Exploration (PETQZ)."),
        ("What's the difference in yield between Tobermont and Colavine?", "dividend yield is 4.05 percentage points"),
        ("How much more debt has Wattbourne than Gridmarch?", "The difference in total debt is 96.27B USD."),
        ("How far is Veltrane from its low of this year?", "8.0% above that low"),
        ("How many dollars is Veltrane off its high?", "That is -12.57 USD."),
        ("trailing EPS of Cirquell", "12-month EPS: 15.25 USD"),
        ("Were there more winners than losers today?", "3 of the 60 stocks at hand rose and 57 fell"),
    ],
)
async def test_the_figure_that_was_asked_for_is_told(tmp_path: Path, question: str, told: str):
    async with AssistantBench(tmp_path) as bench:
        assert told in await bench.say(question)


async def test_a_move_that_is_taken_for_granted_is_still_checked(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        assert "It did not fall" in await bench.say("Since Auroque crashed in March, should I be worried about it?")


async def test_by_how_much_is_asked_of_what_was_compared_before(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        await bench.say("Who has the higher net margin, Ombrix or Taquill?")
        assert "net margin is 6.99 percentage points" in await bench.say("by how much?")


async def test_of_two_companies_neither_is_said_to_have_fallen_where_one_beats_the_other(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        said = await bench.say("By how much did Railhaven outperform Parcelon this year?")
    assert "It did not" not in said
    assert "The difference in price change is" in said
