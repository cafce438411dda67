"""Constants, random deciders and memorisers are not acquitted, readers are not convicted; what the verdict rests on."""

from __future__ import annotations

import time
from collections import Counter

import numpy as np
import pytest

from tests.features.backtest.contamination.known_deciders import MEMORISER, READER, Decider, simulated
from tradingagents.features.backtest.contamination.case_plan import plan_cases, power, smoothed
from tradingagents.features.backtest.contamination.input_dependency import InputDependency, verdict_words
from tradingagents.features.backtest.contamination.verdict import (
    DecidedCase,
    NameExchange,
    agreement,
    chance_of_signs,
    judge,
    unlike_pairs,
)

THIRDS, ONE_SIDED = (0.34, 0.33, 0.33), (0.85, 0.1, 0.05)
BUY_ONLY = (1.0, 0.0, 0.0)
TRIALS = 100
SHAPE = (12, 4)


def verdicts(decider: Decider, mix: tuple[float, ...], shape: tuple[int, int] = SHAPE) -> Counter[str]:
    rng = np.random.default_rng(53)
    return Counter(simulated(decider, shape, mix, rng, draws=99).follows for _ in range(TRIALS))


@pytest.mark.parametrize("mix", [BUY_ONLY, (0.95, 0.03, 0.02), ONE_SIDED, THIRDS])
def test_who_reads_nothing_and_remembers_nothing_is_neither_acquitted_nor_convicted(mix: tuple[float, ...]):
    said = verdicts(Decider(), mix)
    assert said["data"] + said["name"] <= 0.05 * TRIALS


@pytest.mark.parametrize("mix", [ONE_SIDED, THIRDS])
@pytest.mark.parametrize(
    "decider",
    [
        Decider(0.6),
        Decider(0.6, reads=True),
        Decider(0.6, reads=True, whole_names=True, stable=True),
        Decider(0.8, stable=True),
        Decider(1.0),
    ],
)
def test_a_memoriser_is_not_acquitted(decider: Decider, mix: tuple[float, ...]):
    assert verdicts(decider, mix)["data"] <= 0.05 * TRIALS


@pytest.mark.parametrize("mix", [ONE_SIDED, THIRDS])
@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("reads_prices", [True, False])
def test_a_reader_is_not_convicted(noise: float, reads_prices: bool, mix: tuple[float, ...]):
    said = verdicts(Decider(reads=True, noise=noise, reads_prices=reads_prices), mix)
    assert said["name"] <= 0.05 * TRIALS
    if mix == THIRDS:
        assert said["data"] >= 0.8 * TRIALS


@pytest.mark.parametrize(("tickers", "mix"), [(12, ONE_SIDED), (12, THIRDS), (5, THIRDS), (20, (0.1, 0.1, 0.8))])
def test_the_plan_asks_for_as_many_cases_as_find_a_memoriser_and_a_reader(tickers: int, mix: tuple[float, ...]):
    plan = plan_cases(tickers, mix)
    assert plan.cases is not None
    assert plan.decisions is not None
    assert 3 * plan.cases < plan.decisions <= 4 * plan.cases
    assert min(plan.memoriser_found, plan.reader_found) >= 0.8
    shape = (tickers, plan.cases // tickers)
    assert (plan.memoriser_found, plan.reader_found) == power(*shape, mix)
    assert min(power(shape[0], shape[1] - 1, mix)) < 0.8
    assert verdicts(MEMORISER, mix, shape)["name"] >= 0.8 * TRIALS
    assert verdicts(READER, mix, shape)["data"] >= 0.8 * TRIALS


def test_a_one_sided_mix_takes_more_cases_and_few_companies_never_suffice_for_data():
    one_sided, balanced = plan_cases(12, ONE_SIDED).cases, plan_cases(12, THIRDS).cases
    assert one_sided is not None
    assert balanced is not None
    assert balanced < one_sided
    three = plan_cases(3, THIRDS)
    assert (three.cases, three.reader_found) == (None, 0.0)
    assert three.memoriser_found > 0.9


def test_the_plan_takes_no_time():
    began = time.process_time()
    for companies in (4, 12, 50):
        plan_cases(companies, (0.97, 0.02, 0.01))
    assert time.process_time() - began < 1.0


def test_a_mix_of_one_action_never_has_enough_cases():
    plan = plan_cases(12, BUY_ONLY)
    assert (plan.cases, plan.decisions) == (None, None)
    assert (plan.memoriser_found, plan.reader_found) == (0.0, 0.0)


def test_signs_by_hand():
    assert chance_of_signs([1, 1, 1, 1, 1]) == 1 / 32
    assert chance_of_signs([2, -1]) == 0.5  # of 3, 1, -1, -3 two are at least 1
    assert chance_of_signs([0, 0]) == chance_of_signs([]) == 1.0


def test_agreement_by_hand():
    both = [("1", "BUY", "BUY"), ("1", "BUY", "BUY"), ("1", "SELL", "SELL"), ("2", "BUY", "BUY"), ("2", "BUY", None)]
    found = agreement(both)
    assert (found.same, found.of) == (4, 4)
    assert found.by_chance == pytest.approx(5 / 3 + 1)  # day 1: (2*2 + 1*1) / 3, day 2: 1
    assert found.p_value == pytest.approx(1 / 3, abs=0.05)  # the SELL stays in its place in one of three permutations
    assert agreement([("1", "BUY", None)]).p_value == 1.0


def test_a_mood_of_the_day_is_no_agreement():
    moods = [(str(day), "BUY" if day % 2 else "SELL", "BUY" if day % 2 else "SELL") for day in range(8) for _ in "abc"]
    found = agreement(moods)
    assert (found.same, found.by_chance, found.p_value) == (24, 24.0, 1.0)


def test_pairs_are_as_many_as_there_can_be():
    assert unlike_pairs({}) == []
    assert unlike_pairs({"A": "BUY", "B": "BUY"}) == []
    assert unlike_pairs({"A": "BUY", "B": "SELL", "C": "BUY"}) == [("A", "B")]
    actions = dict(zip("ABCDEF", ["BUY", "BUY", "SELL", "SELL", "HOLD", "HOLD"], strict=True))
    pairs = unlike_pairs(actions)
    assert sorted(name for pair in pairs for name in pair) == list("ABCDEF")
    assert all(actions[first] != actions[second] for first, second in pairs)


def exchange(renamed: tuple[str, str], pair: tuple[str, str] = ("A", "B"), day: str = "1") -> NameExchange:
    return NameExchange(pair, day, ("BUY", "SELL"), renamed)


def test_an_exchange_counts_decisions_of_the_data_and_of_the_name():
    assert (exchange(("BUY", "SELL")).data, exchange(("BUY", "SELL")).name) == (2, 0)
    assert (exchange(("SELL", "BUY")).data, exchange(("SELL", "BUY")).name) == (0, 2)
    assert (exchange(("BUY", "BUY")).data, exchange(("BUY", "BUY")).name) == (1, 1)
    assert (exchange(("HOLD", "HOLD")).data, exchange(("HOLD", "HOLD")).name) == (0, 0)


def test_why_it_is_undecided_is_said():
    constant = [DecidedCase(str(place), "1", "BUY", "BUY", "BUY") for place in range(24)]
    assert judge([], []).why == "too few cases"
    assert judge(constant[:4], []).why == "too few cases"
    assert judge(constant, []).why == "one-sided mix"
    days = [str(day) for day in range(12)]
    two = [DecidedCase(name, day, said, said, "HOLD") for day in days for name, said in (("A", "BUY"), ("B", "SELL"))]
    again = [exchange(("BUY", "SELL"), day=day) for day in days]
    assert judge(two, again).why == "too few companies"
    either = [exchange(("BUY", "BUY"), (f"A{day}", f"B{day}"), day) for day in days]
    assert judge(two, either).why == "noise"


def test_the_words_say_why_and_how_many_cases_it_takes():
    constant = tuple(DecidedCase(str(place), "1", "BUY", "BUY", "BUY") for place in range(24))
    found = InputDependency(constant, (), 0.0, 0).to_json()
    assert found["follows"] == "undecided"
    assert found["mix"] == {"BUY": 24, "SELL": 0, "HOLD": 0}
    words = verdict_words(found)
    assert "nearly all decisions are the same" in words
    assert "of those that read" in words
    assert "more" in words
    assert sum(smoothed(found["mix"])) == pytest.approx(1.0)
