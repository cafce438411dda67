"""A change that is wanted in percentage points is given so, or named as not given."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, GOWNS, annual, answered
from tradingagents.retrieval.lines.line_text import text_of

MODISTA = annual("MODZ", "Modista Lane", 2025, (800, 700, 40, 70, 90, 80), GOWNS)
RATIOS = """\
Selected Operating Statistics
Year Ended December 31,    2025     2024     2023
Medical care ratio        85.5%    83.2%    82.0%
"""
RETURNS = """\
Selected Operating Statistics
Year Ended December 31,       2025     2024
Gowns return rate             4.1%     3.8%
Hats return rate              5.2%     5.5%
Occupancy rate               52.0%    51.0%
"""
RETURNED = annual("MODZ", "Modista Lane", 2025, (800, 700, 40, 70, 90, 80), RETURNS)
CARE = annual("VELQ", "Velquor Systems", 2025, FIGURES, RATIOS)


@pytest.mark.parametrize(
    "question",
    [
        "Velquor medical care ratio 2023 2024 2025 and pp move over the two years",
        "Velquor medical care ratio 2023, 2024, 2025, change in bps",
        "By how many points did Velquor's medical care ratio move from 2023 to 2025?",
        "Velquor medical care ratio 2023 → 2025 and the delta",
        "Velquor medical care ratio trend 2023-25",
        "Velquor medical care ratio in 2023, 2024 and 2025",
    ],
)
def test_the_change_of_a_percentage_is_given_in_points(question: str) -> None:
    answer = answered(question, CARE)
    whole = next(each for each in answer.results if each.name.endswith("FY2023 to FY2025"))
    assert whole.name.startswith("Change in percentage points")
    assert whole.value == pytest.approx(3.5)
    assert answer.complete


def test_a_trend_of_amounts_is_given_with_its_change() -> None:
    answer = answered("Velquor revenue trend 2024-2025", CARE)
    assert [(each.unit, each.value) for each in answer.results][:1] == [("USD", 132e6)]


def test_points_of_amounts_are_named_as_not_given() -> None:
    answer = answered("Velquor revenue 2024 and 2025, change in percentage points", CARE)
    assert not answer.complete
    assert "percentage points" in text_of(answer)


def test_points_between_companies_are_given() -> None:
    answer = answered("By how many points was Velquor's operating margin above Modista's in 2025?", CARE, MODISTA)
    assert any(each.name.endswith("in percentage points") for each in answer.results)
    assert answer.complete


def test_what_is_asked_of_two_may_stand_before_them() -> None:
    answer = answered("Modista: return rate 2025, gowns vs hats", RETURNED)
    assert [each.value for each in answer.values] == [4.1, 5.2]


def test_the_sum_of_two_wins_under_its_own_name() -> None:
    answer = answered("Modista 2025 revenue: ballgowns+hats combined versus hats, which is larger?", MODISTA)
    assert answer.winner == "ballgowns + hats"
