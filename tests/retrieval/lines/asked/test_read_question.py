"""What is read in questions: every word that nothing else answers for is a label."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.lines.asked.asked_labels import is_filler
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, LineQuestion

ONE, TWO = chr(COMPANY_MARK), chr(COMPANY_MARK + 1)


def read(question: str) -> LineQuestion:
    return read_line_question(question)


@pytest.mark.parametrize("word", ["comparable", "earnings", "bookings", "remaining", "paid", "deferred", "improvement"])
def test_a_word_that_tells_one_line_from_another_is_no_filler(word: str) -> None:
    assert not is_filler(word)


@pytest.mark.parametrize("word", ["please", "showing", "compared", "spent", "ranked", "figures"])
def test_a_word_that_names_no_row_is_a_filler(word: str) -> None:
    assert is_filler(word)


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        (f"{ONE} comps fy2023", ("comparable sales",)),
        (f"Please show me {ONE}'s same-store sales in 2023", ("comparable sales",)),
        (f"{ONE} consumer net adds 2021", ("consumer net additions",)),
        (f"How many 737s did {ONE} hand over in 2022?", ("737 deliveries",)),
        (f"{ONE} US net sales 2022", ("united states",)),
        (f"what did {ONE} tell us about Cloud revenue in 2022", ("cloud",)),
        (f"Which {ONE} region had the best margin in 2022, Greater China or Europe?", ("greater china", "europe")),
    ],
)
def test_words_come_as_tables_say_them(question: str, labels: tuple[str, ...]) -> None:
    assert read(question).labels[-len(labels) :] == labels


def test_comparable_sales_are_no_sales() -> None:
    assert read(f"{ONE} comparable sales 2023").measures == ()


def test_labels_between_two_companies_are_of_the_one_beside_them() -> None:
    asked = read(f"2022 sales: {ONE} defense versus {TWO} as a whole")
    assert (asked.own_labels, asked.labels) == (((0, "defense"),), ())


def test_a_label_is_of_both_companies_where_the_second_stands_bare() -> None:
    asked = read(f"Is {ONE}'s services revenue above {TWO}'s in 2022?")
    assert (asked.own_labels, asked.labels) == ((), ("services",))


def test_a_ratio_may_be_told_apart_from_its_numerator() -> None:
    (measure,) = read(f"Relative to sales, whose 2024 R&D bill was larger, {ONE}'s or {TWO}'s?").measures
    assert measure.expression == "(research_and_development) / (revenue)"
    assert measure.output == "percent"


def test_each_company_has_its_period_where_as_many_are_listed_and_one_stands_twice() -> None:
    asked = read(f"Which of {ONE} and {TWO} and {chr(COMPANY_MARK + 2)} grew most (FY2025, 2024, FY2025)?")
    assert [period.year for _, _, period in asked.of_companies] == [2025, 2024, 2025]


def test_what_is_taken_out_is_left_out() -> None:
    asked = read(f"How fast did {ONE} grow in 2024 if you take Lunar out of both years?")
    assert (asked.excluded, [measure.item for measure in asked.measures]) == ("lunar", ["revenue"])


def test_ranked_segments_are_a_group_and_listed_ones_are_labels() -> None:
    assert read(f"{ONE} segments ranked by 2024 operating margin").group == "segment"
    asked = read(f"Which {ONE} segment had the best operating margin in 2024, Optical or Display?")
    assert asked.alternatives == ("optical", "display")


def test_a_judgement_is_not_a_row() -> None:
    assert read(f"How profitable was {ONE} in 2024?").unread


@pytest.mark.parametrize(
    ("question", "function"),
    [
        (f"{ONE}: total cash spent on buybacks FY23-FY25", "sum"),
        (f"Add up {ONE}'s operating cash flow for 2022 through 2024", "sum"),
        (f"How much Umbra revenue has {ONE} lost between 2022 and 2024?", "growth"),
        (f"By how much has {ONE}'s revenue fallen from 2022 to 2024?", "growth"),
        (f"{ONE} medical care ratio 2022-2024, how many points did it worsen?", "growth"),
        (f"{ONE} revenue 2022 to 2024 and growth per annum", "cagr"),
        (f"{ONE} stock comp expense, 3 yr average (fy23-fy25)", "average"),
        (f"{ONE} umbra ebit fy21 fy22 fy23, sum it up", "sum"),
        (f"{ONE} net sales 2022, 2023 and 2024 - total and compound change please", "sum"),
        (f"What did {ONE} spend on buybacks in 2023 and 2024, and what does that add up to?", "sum"),
        (f"{ONE} gross margin 2022 to 2024, how many points lost over the 2 years", "growth"),
        (f"How many members did {ONE} have at the end of 2024 and how many more than a year before?", "growth"),
    ],
)
def test_what_is_computed_is_read_in_many_words(question: str, function: str) -> None:
    assert function in read(question).functions


@pytest.mark.parametrize("written", ["fiscal 23, 24, 25", "fiscal 2023, 24 and 25", "fy23-fy25"])
def test_years_in_short_are_all_read(written: str) -> None:
    asked = read(f"{ONE} gross margin progression {written}")
    assert ([period.year for period in asked.span.periods], asked.labels) == ([2023, 2024, 2025], ())


def test_the_latest_year_may_be_written_fy() -> None:
    asked = read(f"{ONE} vs {TWO} operating margin most recent FY on file")
    assert (asked.span.last, asked.labels) == (1, ())


def test_who_grew_and_who_shrank_are_both_asked() -> None:
    assert read(f"{ONE} revenue in 2024 by region, which grew fastest and which shrank").direction == "both"


@pytest.mark.parametrize(
    "verb", ["shrink", "shrank", "climb", "slipped", "surged", "plunge", "tumbled", "increase", "expanded"]
)
def test_every_verb_of_change_asks_for_growth(verb: str) -> None:
    asked = read(f"How much did {ONE} sales {verb} organically in 2019")
    assert (asked.functions, asked.labels) == (("growth",), ())


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        (f"{ONE} upstream earnings 2Q25 v 2Q24: did US or Canada fall harder in % terms", "lowest"),
        (f"{ONE} q2 fy24 revenue decline domestic vs international, which was worse", "lowest"),
        (f"Which grew faster at {ONE} in 2024, Cloud or Devices?", "highest"),
        (f"{ONE} fiscal 2023 comps: Domestic vs International, which fell less?", "highest"),
        (f"{ONE} fiscal 2023 comps: Domestic vs International, which fell harder?", "lowest"),
    ],
)
def test_what_fell_most_changed_least_and_the_worst_is_the_lowest(question: str, direction: str) -> None:
    assert read(question).direction == direction


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        (f"I'm writing about {ONE}'s China story: give me Greater China revenue for 2022 and 2023", ("greater china",)),
        (f"How has {ONE}'s base of paid members developed 2019-2021?", ("paid members",)),
        (f"{ONE} US store count 2021 and 2022", ("united states stores",)),
        (f"How many paid members did {ONE} add in 2022 and 2023?", ("paid members net additions",)),
        (f"Payments volume in 2023: was {ONE} or {TWO} ahead, and what were the two volumes?", ("payments volume",)),
        (f"{ONE} defence sales 2022 and 2023", ("defense",)),
        (f"When was {ONE}'s Moonlit at its weakest between FY17 and FY23, revenue-wise?", ("moonlit",)),
        (f"Which {ONE} segment saw the steepest fall in earnings in 2024? who won?", ("earnings",)),
        (f"{ONE} FY2025: Sales Cloud or Service Cloud the larger revenue line?", ("sales cloud", "service cloud")),
        (f"{ONE} revenue 2024, autos vs energy", ("automotive", "energy")),
        (f"Which retailer stepped up capex more in 2024, {ONE} or {TWO}?", ()),
        (f"R&D as a % of revenue in 2024 - {ONE} vs {TWO}, who is more R&D heavy?", ()),
        (f"{ONE} Umbra organic sales growth 2024 (ex FX and M&A)", ("umbra",)),
        (f"{ONE} gross margin 2022 to 2024, how many points lost over the 2 years", ()),
        (f"{ONE} treasury stock purchases 2023 and 2024", ()),
        (f"{ONE} Q2 2025 y/y: Umbra revenue against Lunar", ("umbra", "lunar")),
        (f"Which {ONE} drug grew faster in 2025, Umbra or Lunar?", ("umbra", "lunar")),
        (f"What gross margin did {ONE} earn on Umbra alone in 2025 (mln)?", ("umbra",)),
        (f"{ONE} purchases of P&E 2023 and 2024", ()),
        (f"{ONE} capex incl. capitalized software 2023 and 2024", ("includes capitalized software",)),
    ],
)
def test_words_of_talk_name_no_row_and_others_come_as_tables_say_them(question: str, labels: tuple[str, ...]) -> None:
    assert read(question).labels == labels


def test_one_thing_that_passes_another_is_compared_with_it() -> None:
    asked = read(f"has Norland passed Sudland for {ONE}? fy25 sales of each")
    assert asked.alternatives == ("norland", "sudland")


@pytest.mark.parametrize("words", ["trailing twelve month", "last twelve months", "TTM", "LTM"])
def test_twelve_months_up_to_a_quarter_are_a_sum(words: str) -> None:
    asked = read(f"{ONE} {words} revenue q1 2026")
    assert (asked.trailing, asked.functions, asked.unread, asked.is_plain) == (True, ("sum",), (), False)


def test_what_is_combined_of_one_line_are_its_periods() -> None:
    asked = read(f"{ONE} Q1+Q2 FY26 data center revenue combined")
    assert (asked.functions, asked.combined, asked.labels) == (("sum",), (), ("data center",))


def test_when_something_was_best_asks_for_a_period() -> None:
    assert read(f"When was {ONE}'s revenue highest, 2021 to 2024?").over_periods


@pytest.mark.parametrize(
    "question",
    [f"{ONE} RPO, FY21 \u2192 FY23", f"{ONE} RPO 2021->2023", f"{ONE} RPO 2021\u20262023", f"{ONE} RPO 2021..23"],
)
def test_an_arrow_between_years_is_a_range(question: str) -> None:
    asked = read(question)
    assert [period.year for period in asked.span.periods] == [2021, 2022, 2023]
    assert asked.labels == ("remaining performance obligation",)


@pytest.mark.parametrize(
    ("question", "labels", "without"),
    [
        (f"{ONE} total members 2022 (not just paid)", ("members",), {"paid"}),
        (
            f"{ONE} Medicare Advantage members 2022, not med supp or PDP",
            ("medicare advantage members",),
            {"med", "supp", "pdp"},
        ),
        (f"{ONE} sales not in Europe 2022", ("not europe",), set()),
    ],
)
def test_what_is_said_not_to_be_meant_is_kept_out_of_rows(
    question: str, labels: tuple[str, ...], without: set[str]
) -> None:
    asked = read(question)
    assert (asked.labels, asked.without) == (labels, without)


@pytest.mark.parametrize(
    ("question", "in_points", "functions"),
    [
        (f"{ONE} medical care ratio 2022 2023 2024 and pp move over the two years", True, ("growth",)),
        (f"{ONE} gross margin 2022 and 2024, change in bps", True, ("growth",)),
        (f"how many basis points did {ONE}'s gross margin move from 2022 to 2024?", True, ("growth",)),
        (f"{ONE} tax rate 2022 2023 and percentage-point difference", True, ("growth",)),
        (f"{ONE} op margin FY22, FY24, pp expansion", True, ("growth",)),
        (f"{ONE} gross margin 2021-2023 and the delta", False, ("growth",)),
        (f"by how many points was {ONE}'s operating margin above {TWO}'s in 2024", True, ()),
        (f"{ONE} net interest margin 2023 in bps", False, ()),
        (f"{ONE} loyalty points liability 2022 2023", False, ()),
    ],
)
def test_a_change_in_points_is_read_in_any_wording(question: str, in_points: bool, functions: tuple[str, ...]) -> None:
    asked = read(question)
    assert (asked.in_points, asked.functions) == (in_points, functions)


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        (f"{ONE} total backlog at YE 2019, 2020, 2021 + tell me the low", "lowest"),
        (f"{ONE} backlog 2019 to 2021, the high and the low", "both"),
        (f"{ONE} backlog 2019 to 2021 and the high point", "highest"),
        (f"{ONE} revenue at the low end 2019 to 2021", ""),
    ],
)
def test_the_low_of_several_periods(question: str, direction: str) -> None:
    assert read(question).direction == direction


def test_a_noun_for_what_is_listed_names_no_row() -> None:
    assert read(f"{ONE} 2Q23: eliquis, comirnaty, prevnar - biggest product of the three?").labels == (
        "eliquis", "comirnaty", "prevnar",
    )  # fmt: skip
    assert read(f"{ONE} biggest product of the three 2022").labels == ("product",)


def test_a_basis_that_is_denied_is_not_asked_for() -> None:
    asked = read(f"{ONE} 2019 Europe organic net sales, $ and % chg (not reported)")
    assert (asked.qualifiers, asked.functions, asked.and_amount) == (("organic",), ("growth",), True)


def test_what_is_not_adjusted_is_as_reported() -> None:
    assert read(f"{ONE} 2022 operating income, not adjusted").qualifiers == ("GAAP",)


def test_a_product_may_be_called_document() -> None:
    assert read(f"{ONE} document cloud ARR exiting FY2022").labels == ("document cloud annualized recurring revenue",)


def test_what_is_added_up_may_stand_without_blanks() -> None:
    assert read(f"{ONE} 2024: skyrizi+rinvoq combined versus humira").combined == ("skyrizi", "rinvoq")
