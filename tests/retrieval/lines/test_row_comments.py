"""Rows whose label holds two columns of text, and comments that stand among rows."""

from __future__ import annotations

import pytest

from tests.retrieval.lines.test_lines import answered, asked, figures
from tests.retrieval.lines.test_worded_heads import velq
from tradingagents.retrieval.lines.heads.row_comments import without_comments
from tradingagents.retrieval.models import Row

PRODUCTS = """\
Significant Product Revenues
The following provides detailed revenue information for several of our major products:
(in millions) Year Ended December 31,
PRODUCT PRIMARY INDICATION OR CLASS
                                               2025     2024
Total revenues                            $   1,452   $ 1,320
Velanib direct sales and alliance revenues
Active immunization to prevent a cold           488       448
Orbicept A cold in certain high-risk patients   143       215
Lunarib/Lunamax Amyloid heart disease           120       110
"""


@pytest.mark.parametrize(
    ("product", "values"),
    [("Velanib", (448, 488)), ("Orbicept", (215, 143)), ("Lunarib/Lunamax", (110, 120))],
)
def test_a_name_goes_on_with_what_describes_it(product: str, values: tuple[float, float]) -> None:
    answer = answered(f"VELQ {product} revenue 2024 and 2025", velq(PRODUCTS))
    assert figures(answer) == {("VELQ", "FY2024"): values[0], ("VELQ", "FY2025"): values[1]}


def test_a_word_of_the_description_names_no_product() -> None:
    answer = asked("VELQ immunization revenue 2024 and 2025", velq(PRODUCTS))
    assert answer is None or answer.refusal


@pytest.mark.parametrize("product", ["Lunarib/Lunamax", "Vegacept"])
def test_a_label_with_the_figures_of_other_rows_in_it_is_of_none(product: str) -> None:
    page = PRODUCTS.replace("disease           120       110", "disease 73 81 96 Vegacept Anemia 12 13 Xalo Flu 20 30")
    answer = asked(f"VELQ {product} revenue 2024 and 2025", velq(page))
    assert answer is None or answer.refusal


def test_a_comment_among_rows_is_no_heading_of_them() -> None:
    comment = "Performance primarily driven by, among other things, the timing of supply of Velanib to partners abroad"
    (row,) = without_comments([Row("Worldwide", (), headings=("Lunarib", comment))])
    assert row.headings == ("Lunarib", "\u2013")
