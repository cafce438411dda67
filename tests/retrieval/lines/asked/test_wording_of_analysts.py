"""What analysts write beside the words of a line: remarks on the fiscal year, totals, rates per annum, buybacks."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, LineQuestion


def read(question: str) -> LineQuestion:
    return read_line_question(question.replace("@", chr(COMPANY_MARK)))


@pytest.mark.parametrize(
    "remark", ["(ends jan 2023)", "(both ended 28 January 2023)", "(fiscal year ending Jan. 2023)"]
)
def test_a_remark_on_when_a_year_ends_is_no_further_period(remark: str) -> None:
    asked = read(f"@ comparable sales fy2020, fy2021, fy2022 {remark}")
    assert [period.label for period in asked.span.periods] == ["FY2020", "FY2021", "FY2022"]
    assert (asked.unread, asked.labels) == ((), ("comparable sales",))
    assert read(f"@ comparable sales {remark}").span.periods  # where it is all that tells the period


@pytest.mark.parametrize("said", ["growth rate per annum", "the two-year growth rate per annum", "growth rate p.a."])
def test_a_rate_per_annum_is_compound_growth(said: str) -> None:
    asked = read(f"@ Greater China EBIT FY17-FY19, with {said}")
    assert (asked.functions, asked.labels) == (("cagr",), ("greater china",))


@pytest.mark.parametrize(
    "said",
    ["and the three-year total please", "- total too", ", and the total as well", "plus the total", ", total also"],
)
def test_a_total_may_be_asked_for_at_the_end(said: str) -> None:
    asked = read(f"@ free cash flow 2015, 2016, 2017 {said}")
    assert (asked.functions, asked.labels) == (("sum",), ())


@pytest.mark.parametrize("said", ["bought back more stock", "bought back more of its shares", "buys back more stock"])
def test_what_was_bought_back_is_share_repurchases(said: str) -> None:
    asked = read(f"Who {said} in FY2024, @?")
    assert [measure.item for measure in asked.measures] == ["share_repurchases"]
    assert asked.labels == ()


def test_the_whole_group_is_no_part() -> None:
    assert read("@ adjusted EBIT FY23 whole group").labels == ()
    assert read("@ adjusted EBIT FY23 consumer group").labels == ("consumer group",)


def test_a_date_in_figures_is_a_day() -> None:
    asked = read("@ total internet connections at 12/31/21")
    assert asked.labels == ("internet connections",)
    assert {period.year for period in asked.span.periods} == {2021}


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("@ free cash flow 2024 (as each company defines it)", ()),
        ("@ free cash flow 2024, as defined by the company", ()),
        ("@ return on invested capital per their latest 10-K", ("return invested capital",)),
        ("R&D spend three-way for 2024: @", ()),
        ("How many people did @ employ in 2024?", ("employees",)),
        ("How many planes did @ deliver in 2024?", ("deliveries",)),
        ("@ Lunar against Orbital, 2024 total net revenues", ("lunar", "orbital")),
        ("@ capital expenditures 2022, 2023 and 2024, averaged", ()),
        ("@ common equity tier 1 ratio 2024", ("common equity tier 1 ratio",)),
        ("@ Lunar vs Orbital revenue growth 2023, computed from the product revenue table", ("lunar", "orbital")),
        ("@ 2019 - what grew faster, Lunar or Orbital? rates pls", ("lunar", "orbital")),
        ("@ backlog, 2018 to 2022, w/ CAGR", ("backlog",)),
        ("@ quarterly backlog, 2Q22 through 2Q23 (five quarters, firmwide)", ("backlog",)),
        ("@ tech & development spend 2015, 16 and 17. growth in 17?", ("technology & development",)),
    ],
)
def test_words_of_asking_name_no_row(question: str, labels: tuple[str, ...]) -> None:
    assert read(question).labels == labels


def test_how_many_were_added_is_a_change_of_what_stands_before() -> None:
    asked = read("@ paid memberships Lunar 2024 versus 2023, how many added")
    assert (asked.functions, asked.labels) == (("growth",), ("paid members lunar",))


@pytest.mark.parametrize(("years", "count"), [("2016 17 18 19 20", 5), ("2016 30 40", 1)])
def test_years_in_a_row_need_nothing_between_them(years: str, count: int) -> None:
    assert len(read(f"@ adjusted ebitda {years}").span.periods) == count


@pytest.mark.parametrize("which", ["biggest", "smallest", "fastest-growing"])
def test_a_superlative_asks_for_one_of_a_group(which: str) -> None:
    asked = read(f"@ {which} segment by sales in 2024")
    assert (asked.group, bool(asked.direction)) == ("segment", True)


@pytest.mark.parametrize(
    ("question", "expressions"),
    [
        ("@ Lunar operating income and margin, 2024", ["operating_income", "operating_income / revenue"]),
        ("@ Lunar: 2024 segment net income, as % of the segment's sales", ["net_income", "net_income / revenue"]),
        ("Cash buybacks in 2024: @", ["share_repurchases"]),
    ],
)
def test_a_margin_may_be_asked_for_beside_its_amount(question: str, expressions: list[str]) -> None:
    assert [measure.expression for measure in read(question).measures] == expressions


@pytest.mark.parametrize("asked", ["and growth excluding", "and the growth rate excluding", "and its growth excluding"])
def test_a_growth_on_another_basis_stands_beside_its_figure(asked: str) -> None:
    assert read(f"@ Lunar sales 2024 {asked} currency changes").and_growth


@pytest.mark.parametrize(
    ("question", "functions", "labels"),
    [
        ("@ cloud revenue 2022-2024, 3y sum and is it trending down", ("sum",), ("cloud",)),
        ("@ cloud revenue FY22-FY24, three-year sum and which year was best", ("sum",), ("cloud",)),
        ("@ cloud revenue 2020 to 2022 and 3yr total then average", ("average", "sum"), ("cloud",)),
        ("@ freight costs 2015 thru 2019, five yr series with CAGR", ("cagr",), ("freight costs",)),
        ("@ sales to customers in China, 2013 to 2015", (), ("china",)),
        ("@ headcount by quarter, 2Q22 to 2Q23, and net adds over the year", ("growth",), ("employees",)),
        ("@ net adds by quarter, 2Q22 to 2Q23", (), ("net additions",)),
    ],
)
def test_what_is_computed_is_no_part_of_a_name(
    question: str, functions: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    asked = read(question)
    assert (asked.functions, asked.labels) == (functions, labels)


def test_a_figure_per_quarter_of_a_year_is_one_of_each() -> None:
    asked = read("@ average users per quarter of 2019")
    assert [period.label for period in asked.span.periods] == [f"Q{number} FY2019" for number in range(1, 5)]


@pytest.mark.parametrize(
    ("question", "by_size"),
    [
        ("Which has the better margin in 2024, @ or the rest? also change on 2023 in pp", True),
        ("Who had the higher gross margin in 2024, and the change on 2023", True),
        ("Who had the higher growth of gross margin in 2024", False),
        ("Whose margin grew more in 2024, and by how much", False),
    ],
)
def test_figures_are_compared_where_their_change_is_asked_for_besides(question: str, by_size: bool) -> None:
    assert read(question).by_size == by_size


def test_a_name_with_commas_of_one_of_two_companies_is_one() -> None:
    other = chr(COMPANY_MARK + 1)
    asked = read(f"Was @ Aeronautics larger than {other} Defense, Space & Security by 2022 sales?")
    assert asked.own_labels == ((0, "aeronautics"), (1, "defense space & security"))
    assert read("In which market did @ revenue grow in 2024, the United States or China?").labels == (
        "united states",
        "china",
    )
