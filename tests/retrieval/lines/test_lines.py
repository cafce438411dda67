"""Questions over years, companies and qualifiers, answered from the filings of invented companies."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from tests.retrieval.builders import filing
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_text import text_of
from tradingagents.retrieval.lines.store_lines import lines_asked
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.text_tables import with_text_tables

INCOME = """\
{company}
Consolidated Statements of Operations
(in millions)
Year Ended December 31,              {year}     {before}
Revenue                          $  {revenue}  $  {revenue_before}
Cost of revenue                         400         380
Gross profit                            300         280
Operating expenses                      100          90
Operating income                      {income}      {income_before}
Income taxes                             20          18
Net income                       $       90  $       80
"""
CASH = """\
{company}
Consolidated Statements of Cash Flows
(in millions)
Year Ended December 31,                    {year}     {before}
Net income                                $  90      $  80
Depreciation and amortization                50         45
Net cash provided by operating activities    {cash}        {cash_before}
Purchases of property and equipment         ({capex})     ({capex_before})
"""
CURRENCY = """\
Effect of foreign exchange rates
(in millions)
Year Ended December 31,                        2025     2024
Constant currency effect on revenue        $      12  $      8
Revenue in constant currency                   1,464     1,328
"""
PARTS = """\
Revenue by segment
(in millions)
Year Ended December 31,    2025     2024
Cloud Nine             $  900    $  700
Devices                   552      620
Total revenue          $  1,452  $  1,320
"""


def annual(symbol: str, company: str, year: int, figures: tuple[int, ...], *more: str) -> SourceDocument:
    """A 10-K with this year's and the year before's revenue, operating income, cash from operations and capex."""
    revenue, revenue_before, income, income_before, capex, capex_before = figures
    words = {
        "company": company, "year": year, "before": year - 1, "cash": 300, "cash_before": 280,
        "revenue": f"{revenue:,}", "revenue_before": f"{revenue_before:,}", "income": income,
        "income_before": income_before, "capex": capex, "capex_before": capex_before,
    }  # fmt: skip
    pages = [page.format(**words) for page in (INCOME, CASH)]
    known_at = datetime(year + 1, 2, 14, 21, tzinfo=UTC)
    return with_text_tables(filing([*pages, *more], company=company, symbol=symbol, year=year, known_at=known_at))


VELQ_2024 = annual("VELQ", "Velquor Systems", 2024, (1320, 1200, 198, 156, 120, 110))
VELQ_2025 = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), CURRENCY, PARTS)
MODZ_2025 = annual("MODZ", "Modista Lane", 2025, (800, 700, 40, 70, 90, 80))
FIGURES = (1452, 1320, 232, 198, 150, 120)
GOWNS = """\
Revenue by product
(in millions)
Year Ended December 31,    2025     2024
Ballgowns              $  410    $  380
Hats                      390      320
Total revenue          $  800    $  700
"""
ORBITAL = """\
Cloud Nine revenue by product
(in millions)
Year Ended December 31,    2025     2024
Orbital                $   90    $   35
"""
SELECTED = """\
Selected Financial Data
(in millions)
Year Ended December 31,    2025     2024     2023     2022     2021
Revenue                $  1,452  $  1,320  $  1,200  $  1,004  $  901
"""
WITH_ORBITAL = annual("VELQ", "Velquor Systems", 2025, FIGURES, PARTS, ORBITAL)
STORED = (VELQ_2024, VELQ_2025, MODZ_2025)


def asked(question: str, *documents: SourceDocument, as_of: datetime | None = None) -> LineAnswer | None:
    """The answer from these filings, all of the store unless told; those known later are not in it."""
    known = [each for each in documents or STORED if as_of is None or each.info.known_at <= as_of]
    by_key = {each.info.key: each for each in known}
    return lines_asked(question, [each.info for each in known], by_key.__getitem__, as_of=as_of)


def answered(question: str, *documents: SourceDocument, as_of: datetime | None = None) -> LineAnswer:
    """The same, of a question that is one for lines."""
    answer = asked(question, *documents, as_of=as_of)
    assert answer is not None
    return answer


def figures(answer: LineAnswer) -> dict[tuple[str, str], float | None]:
    """By company and period, in millions of money, else in their unit."""
    return {
        (each.company, each.period): each.value if each.value is None or each.unit == "percent" else each.value / 1e6
        for each in answer.values
    }


def test_years_are_answered_from_several_filings_and_a_missing_one_is_named() -> None:
    answer = answered("What was VELQ's revenue in fiscal 2022, 2023, 2024 and 2025?")
    assert figures(answer) == {
        ("VELQ", "FY2022"): None, ("VELQ", "FY2023"): 1200, ("VELQ", "FY2024"): 1320, ("VELQ", "FY2025"): 1452,
    }  # fmt: skip
    assert {each.period: each.gap for each in answer.values if each.gap}.keys() == {"FY2022"}
    assert all(operand.place for each in answer.values if each.value for operand in each.operands)


def test_compound_growth_shows_its_formula_and_inputs() -> None:
    (result,) = answered("CAGR of VELQ revenue from 2023 to 2025").results
    assert result.value == pytest.approx(10.0)  # 1,452 = 1,200 * 1.1²
    assert {operand.text for operand in result.operands} >= {"1,200", "1,452"} or "1,200" in result.formula


def test_a_margin_over_years_is_one_of_each_year() -> None:
    answer = answered("Trend of VELQ's operating margin 2023 to 2025")
    assert figures(answer) == pytest.approx(
        {("VELQ", "FY2023"): 13.0, ("VELQ", "FY2024"): 15.0, ("VELQ", "FY2025"): 100 * 232 / 1452}
    )


def test_a_comparison_names_its_winner_with_both_figures() -> None:
    answer = answered("Who spent the most on capex in 2025, VELQ or MODZ?")
    assert (answer.winner, figures(answer)) == ("VELQ", {("VELQ", "FY2025"): 150, ("MODZ", "FY2025"): 90})
    assert "150" in answer.verdict
    assert "90" in answer.verdict


def test_no_winner_is_named_where_a_company_is_missing() -> None:
    answer = answered("Who spent the most on capex in 2024, VELQ, MODZ or Amazon?", VELQ_2024, MODZ_2025)
    assert answer.winner == ""
    assert "missing" in answer.verdict
    assert "AMZN" in answer.verdict


def test_what_is_to_be_left_out_is_never_dropped_in_silence() -> None:
    answer = answered("What was VELQ's revenue in 2025 excluding Orbital Notes?")
    assert answer.refusal
    assert "does not exclude orbital notes" in answer.refusal
    assert all(each.value is None for each in answer.values)


def test_years_after_what_is_left_out_are_still_years() -> None:
    answer = answered("VELQ revenue excluding Orbital Notes 2024 and 2025")
    assert [each.period for each in answer.values] == ["FY2024", "FY2025"]
    assert all(each.value is None for each in answer.values)


def test_constant_currency_is_the_row_of_that_name_and_not_the_effect() -> None:
    answer = answered("VELQ revenue in 2025 in constant currency")
    assert figures(answer) == {("VELQ", "FY2025"): 1464}


def test_a_brand_is_a_part_of_its_company() -> None:
    """`AWS` names Amazon, and asks for no figure of all of Amazon."""
    amazon = annual("AMZN", "Amazon.com, Inc.", 2024, (5000, 4500, 400, 300, 800, 500))
    answer = asked("How did AWS revenue in 2024 stack up against VELQ's?", amazon, VELQ_2024)
    assert answer is not None
    assert figures(answer) == {("AMZN", "FY2024"): None, ("VELQ", "FY2024"): 1320}
    assert answer.winner == ""


def test_a_title_before_a_colon_is_no_further_figure() -> None:
    answer = answered("Capital intensity: capex over revenue for VELQ (2025) and MODZ (2025). Who is heaviest?")
    assert figures(answer) == pytest.approx({("VELQ", "FY2025"): 100 * 150 / 1452, ("MODZ", "FY2025"): 11.25})
    assert answer.winner == "MODZ"


def test_a_segment_is_the_row_of_its_name() -> None:
    answer = answered("VELQ revenue of Devices in 2024 and 2025")
    assert figures(answer) == {("VELQ", "FY2024"): 620, ("VELQ", "FY2025"): 552}
    assert {each.row for each in answer.values} == {"Devices"}


@pytest.mark.parametrize(
    ("question", "part"),
    [
        ("What was VELQ's advertising revenue in 2025?", "advertising"),
        ("What was VELQ's revenue from advertising in 2025?", "advertising"),
        ("VELQ orbital capex in 2025", "orbital"),
    ],
)
def test_a_part_that_no_row_names_never_gets_the_whole(question: str, part: str) -> None:
    answer = answered(question)
    assert f"no row of its filings gives it for '{part}'" in answer.refusal
    assert [each.value for each in answer.values] == [None]


def test_words_that_name_no_part_leave_the_question_to_the_reader_of_single_figures() -> None:
    assert asked("Does VELQ have an improving operating margin in 2025?") is None
    assert asked("What is VELQ's revenue in 2025, by relying on the income statement?") is None


def test_the_share_of_a_part_is_the_part_over_the_whole() -> None:
    answer = answered("What share of VELQ's revenue came from Cloud Nine in 2024 and 2025?")
    assert figures(answer) == pytest.approx(
        {("VELQ", "FY2024"): 100 * 700 / 1320, ("VELQ", "FY2025"): 100 * 900 / 1452}
    )
    assert {each.unit for each in answer.values} == {"percent"}
    assert answer.values[1].formula == "900 USD millions / 1,452 USD millions = 61.98 %"
    missing = answered("What percentage of VELQ's revenue came from advertising in 2025?")
    assert "'advertising'" in missing.refusal


KEY_FIGURES = """\
Key figures
(in millions, except per share data)
Year Ended December 31,            2025     2024
Orbital transactions              1,450    1,320
Orbital cash dividends          $   410  $   380
Lunar dividends declared        $  1.12  $  1.04
"""


def test_what_is_counted_is_no_money() -> None:
    document = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), KEY_FIGURES)
    answer = answered("VELQ orbital transactions in 2024 and 2025", document)
    assert [(each.value, each.unit) for each in answer.values] == [(1320e6, "count"), (1450e6, "count")]
    assert "1,450,000,000" in text_of(answer)


def test_a_remark_in_brackets_on_what_a_figure_is_based_is_not_dropped_in_silence() -> None:
    answer = answered("Compare gross margins of VELQ and MODZ in 2025 (on net sales)")
    assert [note for note in answer.notes if "'on net sales', is not read" in note]
    plain = answered("Compare gross margins of VELQ and MODZ in 2025 (gross profit over revenue)")
    assert not any("brackets" in note for note in plain.notes)


SHARES = """\
Revenue by region as a percentage of revenue
Year Ended December 31,       2025     2024
Lunar Americas                  6 %      5 %
Orbital Europe                 94 %     95 %
"""


def test_a_share_of_the_whole_is_no_growth() -> None:
    question = "VELQ revenue growth in Lunar Americas for 2025 in constant currency, and as reported?"
    figures_2025 = (1452, 1320, 232, 198, 150, 120)
    shares = asked(question, annual("VELQ", "Velquor Systems", 2025, figures_2025, SHARES))
    assert shares is None or all(value is None for value in figures(shares).values())


def test_a_company_that_is_known_by_its_ticker_alone_is_named_by_it_in_any_letters() -> None:
    document = annual("ACMQ", "", 2025, (1452, 1320, 232, 198, 150, 120))
    answer = answered("What was Acmq's revenue in 2024 and 2025?", document)
    assert figures(answer) == {("ACMQ", "FY2024"): 1320, ("ACMQ", "FY2025"): 1452}
    assert asked("What was Acmq's gross margin in 2025?", document) is None, "the reader of single figures answers it"


def test_parts_joined_by_and_may_be_one_row() -> None:
    page = PARTS.replace("Cloud Nine  ", "Power and Storage").replace("Devices   ", "Devices")
    document = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), page)
    assert figures(answered("What was VELQ's power and storage revenue in 2025?", document)) == {
        ("VELQ", "FY2025"): 900
    }


def test_what_a_line_did_is_no_part_of_its_name() -> None:
    answer = answered("How did Cloud Nine revenue of VELQ develop in 2024 and 2025?")
    assert figures(answer) == {("VELQ", "FY2024"): 700, ("VELQ", "FY2025"): 900}


def test_a_brand_of_another_company_is_no_part_of_the_one_that_is_named() -> None:
    amzn = annual("AMZN", "Amazon.com", 2025, (1452, 1320, 232, 198, 150, 120))
    meta = annual("META", "Meta Platforms", 2025, (800, 700, 40, 70, 90, 80))
    answer = answered("What was Amazon's Reality Labs revenue in 2025?", amzn, meta)
    assert (answer.refusal, answer.values) == ("reality labs is a part of META, and not of AMZN", ())


def test_a_question_of_a_past_day_meets_no_later_filing() -> None:
    restated = annual("VELQ", "Velquor Systems", 2025, (1452, 1299, 232, 190, 150, 120))
    question = "VELQ revenue in 2023 and 2024"
    past = answered(question, VELQ_2024, restated, as_of=datetime(2025, 6, 1, tzinfo=UTC))
    today = answered(question, VELQ_2024, restated, as_of=datetime(2026, 6, 1, tzinfo=UTC))
    assert figures(past) == {("VELQ", "FY2023"): 1200, ("VELQ", "FY2024"): 1320}
    assert figures(today) == {("VELQ", "FY2023"): 1200, ("VELQ", "FY2024"): 1299}
    assert {operand.document_name for operand in past.operands} == {"VELQ 10-K 2024"}


@pytest.mark.parametrize(
    "question",
    [
        "What was VELQ's revenue in 2025?",
        "Why did VELQ's revenue rise from 2023 to 2025?",
        "What does VELQ say about risks in 2024 and 2025?",
        "Who audits VELQ?",
    ],
)
def test_other_questions_are_left_to_others(question: str) -> None:
    assert asked(question) is None


def test_companies_side_by_side_name_the_highest_even_where_nobody_asks() -> None:
    answer = answered("Operating margin in 2025: VELQ, MODZ")
    assert (answer.winner, figures(answer)[("MODZ", "FY2025")]) == ("VELQ", 5.0)


def test_growth_side_by_side_names_the_fastest() -> None:
    answer = answered("Revenue growth in 2025: VELQ vs MODZ")  # 1,452 / 1,320 and 800 / 700
    assert answer.winner == "MODZ"
    assert [each.value for each in answer.results] == pytest.approx([10.0, 100 * 100 / 700])


def test_a_year_may_be_told_by_the_month_in_which_it_ends() -> None:
    answer = answered("Is VELQ bigger than MODZ by revenue? Use VELQ's year to December 2025 and MODZ's 2025.")
    assert (answer.winner, figures(answer)) == ("VELQ", {("VELQ", "FY2025"): 1452, ("MODZ", "FY2025"): 800})


def test_parts_are_compared_where_a_table_states_each_item_of_a_ratio() -> None:
    earnings = """\
Operating income by segment
(in millions)
Year Ended December 31,        2025     2024
Cloud Nine                 $    90  $    70
Devices                        138      130
Total operating income     $   228  $   200
"""
    velq = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), PARTS, earnings)
    answer = answered("Which VELQ segment had the highest operating margin in 2025?", velq)
    assert answer.winner == "devices"  # 138 / 552 = 25 %, 90 / 900 = 10 %
    assert {each.line: each.value for each in answer.values} == pytest.approx(
        {"cloud nine operating margin": 10.0, "devices operating margin": 25.0}
    )


def test_a_year_that_was_restated_since_is_not_compared_with_one_that_was_not() -> None:
    """FY2024 lost a business in the filing of 2025; FY2023 stands in the filing of 2024 alone, with that business."""
    restated = annual("VELQ", "Velquor Systems", 2025, (1452, 1100, 232, 190, 150, 120))
    answer = answered("VELQ revenue growth from 2023 to 2025, by year", VELQ_2024, restated)
    assert figures(answer)[("VELQ", "FY2024")] == 1100
    (note,) = [note for note in answer.notes if "restated" in note]
    assert "VELQ 10-K 2024, which gives FY2023, has 1,320 USD millions for FY2024, not 1,100 USD millions" in note
    by_name = {result.name: result for result in answer.results}
    assert [result.value for result in by_name.values() if "FY2023" in result.name] == [None, None]
    assert all("on different bases" in result.refusal for result in by_name.values() if "FY2023" in result.name)
    (after,) = [result for result in by_name.values() if "FY2024 to FY2025" in result.name]
    assert after.value == pytest.approx(32.0)  # 1,452 / 1,100
    assert not answer.complete
    compound = answered("CAGR of VELQ revenue from 2023 to 2025", VELQ_2024, restated)
    assert compound.results[0].value is None
    unchanged = answered("CAGR of VELQ revenue from 2023 to 2025")
    assert not [note for note in unchanged.notes if "restated" in note]


@pytest.mark.parametrize(("lost", "told"), [("", 3), ("(20)%", 0)])
def test_parts_that_do_not_add_up_to_the_total_of_their_table_are_not_all_of_them(lost: str, told: int) -> None:
    table = """\
Operating income by segment
(in millions)
Year Ended December 31,    2025     2024
Cloud Nine             $  100    $   90
Devices                    72        68
{rest}
Total                  $  232    $  198
"""
    rest = "Services                   60        40" if not lost else "Services\n60\n40"
    velq = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), table.format(rest=rest))
    answer = answered("Which VELQ segment had the highest operating income in 2025?", velq)
    assert len(answer.values) == told
    assert answer.winner == ("cloud nine" if told else "")


def test_a_qualifier_of_bare_growth_is_a_qualifier_of_revenue() -> None:
    answer = answered("VELQ organic growth in 2025")
    assert answer.values == () or all(each.value is None for each in answer.values)
    assert "organic" in answer.refusal
    plain = answered("VELQ growth in 2024 and 2025").results
    assert [each.value for each in plain] == [pytest.approx(10.0), pytest.approx(10.0)]  # of each year


def test_a_total_over_years_is_added_up_and_a_total_of_a_statement_is_not() -> None:
    (total,) = answered("Total VELQ capex over 2023 to 2025").results
    assert total.value == pytest.approx((110 + 120 + 150) * 1e6)
    assert answered("VELQ total revenue over 2023 to 2025").results == ()


def test_a_filing_of_a_year_beside_years_of_figures_is_not_read_as_a_year() -> None:
    question = "VELQ revenue of 2024: what did the 2024 annual report show, and what does the 2025 10-K show?"
    assert asked(question) is None


def test_a_part_of_each_region_that_no_table_states_is_not_told_of_the_whole() -> None:
    usage = "Usage\nYear Ended December 31,    2025     2024\nAverage paying members    12    10\n"
    velq = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), PARTS, usage)
    answer = asked("In which region are average paying members of VELQ highest in 2025?", velq)
    assert answer is None or answer.refusal
    assert answered("VELQ average paying members in 2024 and 2025", velq).values


def test_an_amount_for_one_of_something_is_not_scaled() -> None:
    usage = """\
(in thousands, except revenue per member and percentages)
Year Ended December 31,                        2025     2024
Paid members at end of period                12,000   10,000
Average monthly revenue per paying member    $ 11.70  $ 11.64
"""
    velq = annual("VELQ", "Velquor Systems", 2025, (1452, 1320, 232, 198, 150, 120), usage)
    answer = answered("VELQ monthly revenue per paying member in 2024 and 2025", velq)
    assert [each.value for each in answer.values] == pytest.approx([11.64, 11.70])


def test_a_change_that_is_asked_in_money_is_given_so_beside_the_percentage() -> None:
    results = {
        result.name.split()[0]: result.value
        for result in answered("How much did VELQ revenue rise 2023 to 2025?").results
    }
    assert results == pytest.approx({"Growth": 21.0, "Difference": 252e6})


@pytest.mark.parametrize("question", ["VELQ revenue CAGR 2025 and MODZ's", "cumulative VELQ and MODZ revenue 2025"])
def test_what_needs_several_periods_is_named_where_one_is_given(question: str) -> None:
    answer = answered(question)
    assert not answer.complete
    assert all(
        "several periods" in result.refusal
        for result in answer.results
        if "less" not in result.name and "over" not in result.name
    )


def test_a_word_that_no_table_has_is_named_and_stands_in_no_name() -> None:
    answer = answered("What was VELQ's Cloud Nine revenue in 2024 and 2025 - for a pitchbook")
    assert answer.not_honoured == ("pitchbook",)
    assert figures(answer) == {("VELQ", "FY2024"): 700, ("VELQ", "FY2025"): 900}
    assert "Not honoured: no table of the filings has 'pitchbook'." in text_of(answer)
    assert not answer.complete


@pytest.mark.parametrize("part", ["Cloud Nine biosimilar", "robotaxi", "Cloud Nine Junior"])
def test_a_strange_word_beside_a_name_is_a_part_of_it(part: str) -> None:
    assert answered(f"VELQ {part} revenue 2024 and 2025").refusal


def test_a_word_for_the_whole_names_no_part() -> None:
    answer = answered("VELQ Cloud Nine global revenue 2024 and 2025")
    assert (answer.complete, figures(answer)[("VELQ", "FY2025")]) == (True, 900)


def test_a_share_is_of_what_is_named_as_its_whole() -> None:
    answer = answered(
        "What share of VELQ's Cloud Nine revenue came from Orbital in 2025 and 2024?", *STORED, WITH_ORBITAL
    )
    assert [round(each.value or 0, 2) for each in answer.values if each.period == "FY2025"] == [10.0]


@pytest.mark.parametrize("name", ["velqs", "velq's", "VELQ's"])
def test_a_company_in_small_letters_may_own_a_figure(name: str) -> None:
    assert figures(answered(f"{name} revenue 2024 and 2025"))[("VELQ", "FY2025")] == 1452


def test_products_of_several_companies_are_compared_without_their_names() -> None:
    documents = (VELQ_2025, annual("MODZ", "Modista Lane", 2025, (800, 700, 40, 70, 90, 80), GOWNS))
    by_key = {each.info.key: each for each in documents}

    def holding(word: str) -> list[str]:
        return [key for key, each in by_key.items() if word in " ".join(page.text for page in each.pages).lower()]

    answer = lines_asked(
        "Devices or Ballgowns: which had more revenue in 2025?",
        [each.info for each in documents], by_key.__getitem__, holding=holding,
    )  # fmt: skip
    assert answer is not None
    assert (answer.winner, figures(answer)) == ("VELQ", {("VELQ", "FY2025"): 552, ("MODZ", "FY2025"): 410})


def test_a_year_that_only_a_table_over_many_years_shows_is_given() -> None:
    answer = answered(
        "VELQ revenue 2021 to 2025", VELQ_2024, annual("VELQ", "Velquor Systems", 2025, FIGURES, SELECTED)
    )
    assert figures(answer)[("VELQ", "FY2021")] == 901
