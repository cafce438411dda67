"""Parts of a company in a list: a figure that is named once, before or after them, is wanted of each."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import FIGURES, annual, asked
from tradingagents.retrieval.models import SourceDocument

REVENUES = """\
Revenue by segment
(in millions)
Year Ended December 31,                        2025     2024
Orbital                                   $  800    $  700
Lunar                                        652       620
Total                                     $  1,452  $  1,320
"""
PROFIT_OF_ONE = """\
Segment profit
(in millions)
Year Ended December 31,                        2025     2024
Orbital                                   $  160    $  105
"""
PROFITS = PROFIT_OF_ONE + "Lunar                                         72        93\n"


def velq(*pages: str) -> SourceDocument:
    return annual("VELQ", "Velquor Systems", 2025, FIGURES, *pages)


QUESTIONS = [
    "VELQ segment profit of Orbital and of Lunar in 2025",
    "VELQ segment profit of Orbital and Lunar in 2025",
    "VELQ Orbital and Lunar segment profit in 2025",
    "VELQ segment profits: Orbital, Lunar 2025",
    "VELQ Orbital vs Lunar profit 2025",
    "VELQ profit 2025, Orbital vs Lunar",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_figure_named_once_is_wanted_of_each_part(question: str) -> None:
    answer = asked(question, velq(REVENUES, PROFITS))
    assert answer is not None
    assert [value.value for value in answer.values] == [160e6, 72e6]


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("pages", [(REVENUES, PROFIT_OF_ONE), (REVENUES,)])
def test_a_part_without_the_figure_of_the_others_never_gets_its_revenue(question: str, pages: tuple[str, ...]) -> None:
    answer = asked(question, velq(*pages))
    given = [] if answer is None else [value.value for value in answer.values if value.value is not None]
    assert given in ([], [160e6])
    assert answer is None or not answer.complete


def test_a_word_for_a_figure_is_never_left_out_as_a_word_that_no_table_has() -> None:
    answer = asked("VELQ segment earnings of Lunar in 2024 and 2025", velq(REVENUES))
    assert answer is None or answer.refusal


def test_parts_beside_figures_of_their_own_keep_them() -> None:
    answer = asked("VELQ Orbital and Lunar 2025", velq(REVENUES, PROFITS))
    assert answer is not None
    assert [value.value for value in answer.values] == [800e6, 652e6]


LEASING = """\
Segment results
(in millions)
Year Ended December 31,                        2025     2024
Segment revenue
Orbital leasing                           $  800    $  700
Other                                        652       620
Total                                     $  1,452  $  1,320
Segment costs
Orbital leasing                           $  300    $  200
Other                                        100       180
Total                                     $  400    $  380
Including fuel
Operating income                             232       198
"""


def test_a_bare_figure_beside_a_measure_is_another_figure_of_the_same_part() -> None:
    answer = asked("VELQ Orbital leasing revenue and cost in 2025", velq(LEASING))
    assert answer is not None
    assert [(value.line, value.value) for value in answer.values] == [
        ("orbital leasing revenue", 800e6), ("orbital leasing cost", 300e6)
    ]  # fmt: skip


def test_a_whole_that_includes_something_is_no_figure_of_it() -> None:
    answer = asked("VELQ fuel operating income in 2024 and 2025", velq(LEASING))
    assert answer is None or answer.refusal


WITHIN = """\
Revenue by market
(in millions)
Year Ended December 31,                        2025     2024
Orbital                                   $  800    $  700
Ferry                                        600       560
Probe                                        200       140
Lunar                                        652       620
"""


@pytest.mark.parametrize(
    "question",
    ["VELQ 2025: Orbital Ferry or Probe, whose revenue grew more?", "VELQ Orbital in 2025: growth of Ferry vs Probe"],
)
def test_parts_that_add_up_to_a_named_whole_are_its_parts(question: str) -> None:
    answer = asked(question, velq(WITHIN))
    assert answer is not None
    assert answer.winner == "probe"
    other = asked(question.replace("Probe", "Lunar"), velq(WITHIN))  # Ferry and Lunar do not add up to Orbital
    assert other is None or not other.complete


MEMBERS = """\
Members by segment
(in thousands)
Year Ended December 31,                        2025     2024
Paid net additions                             12       10
Paid Orbital members                           80       70
Paid Lunar members                             65       62
"""


@pytest.mark.parametrize(
    "question", ["paid net additions 2025, Orbital vs Lunar", "2025: paid net adds, Orbital or Lunar more?"]
)
def test_members_of_a_part_are_not_the_additions_that_are_named_before(question: str) -> None:
    answer = asked(f"VELQ {question}", velq(MEMBERS))
    given = [] if answer is None else [value.value for value in answer.values]
    assert not {80e3, 65e3} & set(given)
    assert answer is None or not answer.complete


STATISTICS = """\
Orbital statistics
(in millions)
Year Ended December 31,                        2025     2024
Launch fees won                           $   20    $   10
"""


def test_the_revenue_of_a_part_is_not_set_against_another_figure_of_another_part() -> None:
    answer = asked(
        "VELQ 2025: launch fees won at Orbital compared to Lunar. Which one bigger?", velq(REVENUES, STATISTICS)
    )
    assert answer is None or not answer.complete


def test_a_share_that_is_asked_for_beside_a_figure_is_given_or_refused() -> None:
    of_last = asked("VELQ Orbital revenue in 2025, share of total revenue", velq(REVENUES))
    assert of_last is not None
    assert pytest.approx(100 * 800 / 1452) in [value.value for value in of_last.values]
    beside = asked("VELQ Orbital revenue 2025 and percent located in Lunar", velq(REVENUES))
    assert beside is None or beside.refusal


VOLUMES = """\
Volumes by place
(in billions)
Year Ended December 31,                        2025     2024
Launch volume
Orbital                                   $   60    $   50
Total launch volume                       $   90    $   80
Return volume                             $   30    $   20
"""


@pytest.mark.parametrize(
    "question",
    [
        "VELQ launch volume of Orbital vs Lunar in 2025",
        "VELQ launch volume Orbital vs Lunar 2025, which grew faster?",
        "VELQ volume and price of Orbital in 2025",
        "VELQ cargo launches vs crew launches of Lunar 2025",
    ],
)
def test_parts_are_not_told_by_figures_of_another_kind_or_by_one_and_the_same_cell(question: str) -> None:
    answer = asked(question, velq(REVENUES, VOLUMES))
    assert answer is None or not answer.complete


def test_plus_adds_parts_up() -> None:
    answer = asked("VELQ revenue of Orbital plus Lunar in 2024 and 2025", velq(REVENUES))
    assert answer is not None
    assert [value.value for value in answer.values][:2] == [1320e6, 1452e6]
    answer = asked("VELQ 2025: Orbital and Lunar combined, against Orbital", velq(REVENUES))
    assert answer is not None
    assert not any(value.gap for value in answer.values)


def test_a_share_by_itself_is_of_the_whole() -> None:
    shares = [100 * 700 / 1320, 100 * 800 / 1452]
    answer = asked("VELQ Orbital revenue share 2024 and 2025", velq(REVENUES))
    assert answer is not None
    assert [value.value for value in answer.values] == [pytest.approx(share) for share in shares]
    answer = asked("VELQ Orbital as % of revenue, 2024 vs 2025", velq(REVENUES))
    assert answer is not None
    assert [result.value for result in answer.results] == [pytest.approx(shares[1] - shares[0])]


OF_ONE_BRAND = """\
Meridian brand
(in millions)
Year Ended December 31,                        2025     2024
Net sales
Sales to wholesale customers              $  130    $  120
Sales through own shops                       97        93
Total net sales                           $  227    $  213
"""
OF_THE_WHOLE = """\
Net sales by channel
(in millions)
Year Ended December 31,                        2025     2024
Sales to wholesale customers              $  900    $  850
Sales through Velquor direct                 552       470
Total net sales                           $  1,452  $  1,320
"""


def test_parts_of_two_wholes_are_not_set_against_each_other() -> None:
    answer = asked("VELQ net sales to wholesale customers vs own shops, 2025", velq(OF_THE_WHOLE, OF_ONE_BRAND))
    assert answer is None or not answer.complete


@pytest.mark.parametrize(
    "question",
    [
        "Did Orbital outsell Lunar at VELQ in 2025? revenues of both",
        "VELQ segment profit 2025: Orbital vs Lunar, which earned more and how did each change yoy?",
    ],
)
def test_the_larger_of_two_parts_is_named_by_its_amount(question: str) -> None:
    answer = asked(question, velq(REVENUES, PROFITS))
    assert answer is not None
    assert answer.winner == "orbital"
    assert answer.verdict.startswith("Highest: orbital with ")
    assert "%" not in answer.verdict
