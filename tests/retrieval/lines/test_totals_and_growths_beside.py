"""What is asked beside a figure is answered too: the total of several periods, the growth of one; else it is named."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import asked
from tests.retrieval.lines.test_listed_parts import REVENUES, velq

EARLIER = """\
Sales of therapies
(in millions)
Year Ended December 31,                        2021     2020
Aurexa                                    $  500    $  450
Other                                        100        90
"""


@pytest.mark.parametrize(
    "words",
    ["total of the two", "total of both", "plus 2y sum", "and the sum", "2 year total", "total of these two years"],
)
def test_a_total_of_the_periods_is_given_beside_them(words: str) -> None:
    answer = asked(f"VELQ Orbital revenue 2024 and 2025, {words}", velq(REVENUES))
    assert answer is not None
    assert [value.value for value in answer.values] == [700e6, 800e6]
    assert [result.value for result in answer.results if "otal" in result.name or "um" in result.name] == [1500e6]


def test_a_total_line_is_no_sum_of_periods() -> None:
    answer = asked("VELQ total revenue 2024 and 2025", velq(REVENUES))
    assert answer is not None
    assert [value.value for value in answer.values] == [1320e6, 1452e6]
    assert not answer.results


USERS = """\
Average subscribers by park were as follows (in millions):
Year Ended December 31,                        2025     2024
North                                           120      110
South                                            80       70
Total                                           200      180
"""


@pytest.mark.parametrize(
    ("words", "values"), [("total average subscribers", [180e6, 200e6]), ("average subscribers", [])]
)
def test_a_total_that_its_table_alone_names_is_given_where_a_total_is_asked(words: str, values: list[float]) -> None:
    answer = asked(f"VELQ {words} 2024 and 2025", velq(USERS))
    given = [] if answer is None else [value.value for value in answer.values if value.value is not None]
    assert given == values


@pytest.mark.parametrize("words", ["and its growth", "and its percent change", "plus their growth"])
def test_a_growth_beside_a_figure_leaves_the_figure(words: str) -> None:
    answer = asked(f"VELQ Orbital revenue in 2025 {words}", velq(REVENUES))
    assert answer is not None
    assert 800e6 in [value.value for value in answer.values]
    assert pytest.approx(100 * (800 / 700 - 1)) in [result.value for result in answer.results]


def test_a_refusal_says_that_the_row_is_there() -> None:
    answer = asked("VELQ Aurexa sales in 2025", velq(EARLIER))
    assert answer is not None
    assert "'Aurexa' stands in the filings" in answer.refusal


MARKED = """\
Net revenues by channel
(in millions)
Year Ended December 31,                        2025     2024     Change  % Change
Digital channels (1)                         $ 4,932  $ 5,786    $ (854)    (15)%
Other channels (2)                               648      607        41      7
(1) Net revenues from downloads.
(2) Net revenues from events.
"""


def test_the_mark_of_a_footnote_is_no_figure() -> None:
    answer = asked("VELQ digital channels revenue in 2025", velq(MARKED))
    assert answer is not None
    assert -1e6 not in [value.value for value in answer.values]
