"""Questions with independently computed answers: a sample of the benchmark, offline; all of it with --all."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.research.cases import INTENTS, ExpectedValue, ResearchCase, read_cases
from benchmarks.research.filing_questions import FilingQuestions
from benchmarks.research.generator import QuestionGenerator
from benchmarks.research.news_questions import news_questions, recorded_count, simulated_count
from benchmarks.research.raw_data import RecordedRaw, SimulatedRaw
from benchmarks.research.running import Asked, ask_all, research, summary
from benchmarks.research.scoring import score
from benchmarks.research.valuation_questions import valuation_questions
from tests.support.research import DAY, research_services
from tradingagents.features.research.verify import verify_research
from tradingagents.retrieval.store import store_of
from tradingagents.runtime.services import open_services
from tradingagents.settings import load_settings

HELD_OUT = 2
"""Seed of the questions that the rules were not developed with."""
SAMPLE, REPORTS = 12, 3
DRAWN = 40
"""Questions that are made for the sample to be drawn from; 300 with `--all`."""


def sampled(cases: list[ResearchCase], count: int) -> list[ResearchCase]:
    return random.Random(count).sample(cases, min(count, len(cases)))  # noqa: S311 - a sample, no secret


def misses(results: list[Asked]) -> list[tuple[str, str, str]]:
    return [(one.verdict, one.case.question, one.answer[:200]) for one in results if one.verdict != "right"]


def check(results: list[Asked], least: float) -> None:
    found = summary(results)
    assert found["wrong"] == 0, misses(results)
    assert found["right"] >= least, misses(results)
    assert found["sourced"] == 1
    for one in results:
        if one.record:
            assert verify_research(one.record).problems == (), one.case.question


async def test_generated_questions_are_answered(tmp_path: Path, request: pytest.FixtureRequest):
    whole = request.config.getoption("--all", default=False)
    cases = QuestionGenerator(SimulatedRaw(), HELD_OUT).questions(300 if whole else DRAWN)
    asked = cases if whole else sampled(cases, SAMPLE)
    check(await ask_all(asked, research(research_services(tmp_path))), 0.95)


async def test_questions_by_hand_are_answered(tmp_path: Path):
    cases = [one for one in read_cases() if not one.real_data]
    check(await ask_all(cases, research(research_services(tmp_path))), 0.8)


@pytest.mark.real_data
async def test_questions_over_recorded_data_are_answered(
    test_data: Path, tmp_path: Path, request: pytest.FixtureRequest
):
    folder = test_data / "snapshot"
    given = {"data_vendor": "snapshot", "data_dir": str(folder), "llm_provider": "offline", "home": tmp_path}
    services = open_services(load_settings(given, environ={}), {})
    whole = request.config.getoption("--all", default=False)
    cases = QuestionGenerator(RecordedRaw(folder), HELD_OUT).questions(300 if whole else DRAWN)
    by_hand = [one for one in read_cases() if one.real_data]
    chosen, by_hand = (cases, by_hand) if whole else (sampled(cases, SAMPLE // 2), sampled(by_hand, SAMPLE // 2))
    check(await ask_all([*chosen, *by_hand], research(services)), 0.95)
    services.close()


async def test_values_of_shares_and_numbers_of_articles_are_answered(tmp_path: Path):
    """The value is worked out in plain loops from listed inputs; the articles are counted off the source's rows."""
    services, market = research_services(tmp_path), SimulatedRaw()
    valued = valuation_questions(services, market, HELD_OUT, 4)
    counted = news_questions(market.companies(), simulated_count(), HELD_OUT, 6)
    assert (len(valued), len(counted)) == (4, 6)
    check(await ask_all([*valued, *counted], research(services)), 1.0)
    services.close()


@pytest.mark.real_data
async def test_questions_over_recorded_reports_values_and_articles_are_answered(
    test_data: Path, tmp_path: Path, request: pytest.FixtureRequest
):
    """Figures of annual reports are read off the text of the pages; the sources must name such a page."""
    folder = test_data / "snapshot"
    given = {"data_vendor": "snapshot", "data_dir": str(folder), "llm_provider": "offline", "home": tmp_path}
    services = open_services(load_settings(given, environ={}), {})
    reports = FilingQuestions(test_data / "financebench", HELD_OUT, only=("NKE", "MSFT", "VZ"))
    count = REPORTS if request.config.getoption("--all", default=False) else 1
    store = store_of(services.settings)
    for one in reports.documents[:count]:
        store.add(one)
    store.close()
    named = {one.info.name for one in reports.documents[:count]}
    asked = [one for one in reports.questions(100) if any(page.partition(",")[0] in named for page in one.pages)]
    market = RecordedRaw(folder)
    more = [
        *valuation_questions(services, market, HELD_OUT, count),
        *news_questions(market.companies(), recorded_count(folder), HELD_OUT, 2 * count - 1),
    ]
    assert len(asked) >= 2 * count
    check(await ask_all([*asked, *more], research(services)), 0.95)
    services.close()


def test_the_questions_by_hand_are_five_of_each_intent():
    assert [sum(one.intent == intent for one in read_cases()) for intent in INTENTS] == [5] * 6


def test_the_same_seed_gives_the_same_questions():
    first, again, other = (QuestionGenerator(SimulatedRaw(), seed).questions(30) for seed in (5, 5, 6))
    assert first == again
    assert [one.question for one in first] != [one.question for one in other]


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("Operating margin of VELQ, fiscal year 2024 (to 2024-01-31): 51.12%.", "right"),
        ("The operating margin in fiscal 2024 was 51.1%.", "right"),
        ("The operating margin in fiscal 2024 was 52.1%.", "wrong"),
        ("In fiscal 2024 it was 48.9%, after 51.12% before.", "wrong"),
        ("Revenue was 51.12B USD.", "wrong"),
        ("The operating margin is not known.", "gap"),
        ("An overview.\n\nThe operating margin was 51.12%.", "wrong"),
    ],
)
def test_scoring_is_strict(answer: str, verdict: str):
    day = read_cases()[0].as_of
    assert day.isoformat() == DAY
    case = ResearchCase("x", "quick_lookup", "?", day, (ExpectedValue(51.121, "%"),))
    assert score(case, answer) == verdict


def test_a_winner_and_a_bound_are_scored():
    day = read_cases()[0].as_of
    values = (ExpectedValue(51.1, "%", "VELQ"), ExpectedValue(4.4, "%", "MODZ"))
    told = "Net margin: VELQ 51.1%, MODZ 4.4%; {} has the highest."
    case = ResearchCase("x", "comparison", "?", day, values, winner="VELQ", subjects=("VELQ", "MODZ"))
    assert [score(case, told.format(one)) for one in ("VELQ", "MODZ")] == ["right", "wrong"]
    bound = ResearchCase("x", "screen", "?", day, values, met=("VELQ",), subjects=("VELQ", "MODZ"))
    answers = ("VELQ", "VELQ, MODZ", "none")
    assert [score(bound, f"Net margin: VELQ 51.1%, MODZ 4.4%; above 10%: {one}.") for one in answers] == [
        "right",
        "wrong",
        "wrong",
    ]
