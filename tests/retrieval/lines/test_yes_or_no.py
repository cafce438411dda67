"""Whether, which and who: an answer says yes or no, or names the winner, with the figures, or that it does not."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, GOWNS, PARTS, annual, answered
from tradingagents.retrieval.lines.answers.set_bounds import without_bound
from tradingagents.retrieval.lines.answers.yes_or_no import asks_yes_or_no

LOSSES = """\
Result by segment
(in millions)
Year Ended December 31,                   2025     2024
Operating income of Cloud Nine         $   (60)  $  (40)
Operating income of Devices                 30      (10)
Purchases of marketable securities        (220)    (200)
Client incentives                         (137)    (122)
"""
VELQ = annual("VELQ", "Velquor Systems", 2025, FIGURES, PARTS, LOSSES)
MODZ = annual("MODZ", "Modista Lane", 2025, (800, 700, 40, 70, 90, 80), GOWNS)


@pytest.mark.parametrize(
    ("question", "winner", "said"),
    [
        ("Did Velquor's revenue rise from 2024 to 2025?", "Yes", "Yes: 1,320 USD millions in FY2024; 1,452 USD"),
        ("Did Devices sales at Velquor grow from 2024 to 2025?", "No", "No: 620 USD millions in FY2024; 552 USD"),
        ("Tell me whether the revenue of Velquor fell between 2024 and 2025", "No", "No: 1,320 USD millions"),
        ("Was Velquor's revenue higher in 2024 than in 2025?", "FY2025", "No: 1,452 USD millions in FY2025; 1,320"),
        ("Did Velquor's revenue exceed Modista's in 2025?", "VELQ", "The answer is yes."),
        ("Was Velquor's revenue lower than Modista's in 2025?", "MODZ", "The answer is no."),
        ("Velquor 2025: Cloud Nine vs Devices revenue. Is Devices bigger yet?", "cloud", "The answer is no."),
        ("In 2025, did Velquor's revenue exceed Modista's?", "VELQ", "The answer is yes."),
        ("Did Velquor's operating income exceed $200 million in 2025?", "Yes", "Yes, 232 USD millions in FY2025"),
        ("Was Velquor's operating margin below 15% in 2025?", "No", "No, 15.98 % in FY2025"),
        ("Did Velquor's revenue top 1.4 billion in 2024 and 2025?", "", "No, 1,320 USD millions in FY2024; yes, 1,452"),
    ],
)
def test_yes_or_no_is_said_with_both_figures(question: str, winner: str, said: str) -> None:
    answer = answered(question, VELQ, MODZ)
    assert answer.complete
    assert answer.winner == winner
    assert said in answer.verdict


def test_what_is_taken_off_rises_where_it_is_larger() -> None:
    assert answered("Did client incentives of Velquor rise from 2024 to 2025?", VELQ).winner == "Yes"
    assert answered("Did operating income of Cloud Nine of Velquor rise from 2024 to 2025?", VELQ).winner == "No"
    larger = answered("Client incentives or purchases of marketable securities of VELQ in 2025: which is higher?", VELQ)
    assert larger.winner == "purchases of marketable securities"
    loss = answered("Did the operating loss of Cloud Nine of Velquor rise from 2024 to 2025?", VELQ)
    assert (loss.winner, loss.complete) == ("", False)


def test_in_each_year_every_step_counts() -> None:
    earlier = annual("VELQ", "Velquor Systems", 2024, (1320, 1400, 198, 156, 120, 110))
    fell = answered("Has Velquor's revenue grown every year from 2023 to 2025?", earlier, VELQ)
    assert fell.winner == "No"
    assert "not in FY2024: 1,400 USD millions in FY2023" in fell.verdict


def test_ever_is_answered_by_the_steps_in_which_it_was_so() -> None:
    earlier = annual("VELQ", "Velquor Systems", 2024, (1320, 1400, 198, 156, 120, 110))
    both = answered("In which year was Velquor's revenue highest, 2023 to 2025, and did it ever fall?", earlier, VELQ)
    assert both.winner == "FY2025"
    assert "Yes, in FY2024: 1,400 USD millions in FY2023, 1,320 USD millions in FY2024." in both.verdict
    never = answered("Did Velquor's revenue ever fall from 2024 to 2025?", earlier, VELQ)
    assert (never.winner, "No: 1,320" in never.verdict) == ("No", True)


def test_how_far_above_an_earlier_year_is_the_growth_from_it() -> None:
    answer = answered("What was Velquor's revenue in 2025, and how far above 2024 was it, in percent?", VELQ)
    assert answer.complete
    assert [(result.value, result.unit) for result in answer.results] == [(pytest.approx(10.0), "percent")]


def test_a_percentage_that_is_asked_for_and_not_worked_out_is_missing() -> None:
    answer = answered("Velquor 2025 revenue: by what percent is that above its costs?", VELQ)
    assert not answer.complete
    assert [(result.name, result.value) for result in answer.results] == [("Difference", None)]


@pytest.mark.parametrize(
    "question",
    [
        "Which was higher, A or B?",
        "By how much did sales rise?",
        "Did sales or costs rise faster?",
        "Sales in 2025: did the U.S. or the other part fall more?",
        "What did sales come to?",
        "How fast did sales grow if hats are left out?",
        "Has it risen, and by how much?",
    ],
)
def test_other_words_than_yes_or_no_are_asked_for(question: str) -> None:
    assert asks_yes_or_no(question) == question.startswith("Has")


def test_a_year_and_a_period_are_no_bounds() -> None:
    for question in ("Were sales above 2024?", "Has revenue grown over 5 years?", "Sales above $5 million in 2024"):
        assert without_bound(question) == (question, None)


def test_a_bound_of_another_kind_is_refused() -> None:
    answer = answered("Was Velquor's operating margin above $15 million in 2025?", VELQ)
    assert "is not understood" in answer.refusal


def test_a_winner_that_is_asked_for_and_not_found_leaves_the_answer_incomplete() -> None:
    answer = answered("Which was highest: revenue of Velquor in 2025?", VELQ)
    assert not answer.complete


def test_no_percentage_is_worked_out_from_a_negative_figure() -> None:
    answer = answered("How much did operating income of Cloud Nine of Velquor grow from 2024 to 2025?", VELQ)
    (result,) = answer.results
    assert (result.unit, (result.value or 0.0) / 1e6) == ("USD", -20)
    assert "FY2024 is negative" in result.name


def test_payments_in_brackets_grow_in_size() -> None:
    answer = answered("How much did purchases of marketable securities of Velquor grow from 2024 to 2025?", VELQ)
    growth = next(result for result in answer.results if result.unit == "percent")
    assert growth.value == pytest.approx(10.0)
    assert growth.name.startswith("Growth in size")
