from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.retrieval.builders import filing
from tests.retrieval.filing_pages import ANNUAL_REPORT, BALANCE, CASH, DISCUSSION, INCOME
from tradingagents.retrieval.index.companies import Companies
from tradingagents.retrieval.index.document_index import DocumentIndex, index_document
from tradingagents.retrieval.index.passages import cut, passages_of
from tradingagents.retrieval.index.question import RULES, QuestionPeriod, clean_question, read_search_question
from tradingagents.retrieval.index.ranking import Wanted, page_and_passage_scores, wanted_numbers


def page_scores(index: DocumentIndex, wanted: Wanted) -> NDArray[np.float32]:
    return page_and_passage_scores(index, wanted)[0]


@pytest.mark.parametrize(
    ("question", "cleaned"),
    [
        (
            (
                "Assume that you are an analyst. Answer by using information shown in the balance sheet: what is the "
                "year end FY2018 net PPNE for Acme? Answer in USD billions."
            ),
            "what is the year end FY2018 net PPNE for Acme?",
        ),
        (
            "What drove revenue change? If revenue is not a useful metric for this company, then please state that.",
            "What drove revenue change?",
        ),
        ("Answer in USD millions.", "Answer in USD millions."),
        ("capex guidance 2025 AI allocation", "capex guidance 2025 AI allocation"),
    ],
)
def test_instructions_are_left_out(question: str, cleaned: str):
    assert clean_question(question) == cleaned


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("net income in FY2018", [QuestionPeriod(2018)]),
        ("average from FY2017 - FY2019", [QuestionPeriod(2017), QuestionPeriod(2019)]),
        ("as of Q2 2023", [QuestionPeriod(2023, 2)]),
        ("in 2021 Q1", [QuestionPeriod(2021, 1)]),
        ("As of FY2023Q1", [QuestionPeriod(2023, 1)]),
        ("Q2'2023 and Q4 of FY2022", [QuestionPeriod(2023, 2), QuestionPeriod(2022, 4)]),
        ("the second fiscal quarter of 2023", [QuestionPeriod(2023, 2)]),
        ("FY22 against fiscal 21", [QuestionPeriod(2022), QuestionPeriod(2021)]),
        ("dated 1st July 2022", []),
        ("$2,018 million of 20185 shares", []),
    ],
)
def test_periods_are_read(question: str, periods: list[QuestionPeriod]):
    assert list(read_search_question(question).periods) == periods


def test_dates_and_forms_are_read():
    question = read_search_question(
        "The 8k filing dated 1st July 2022, or the 10-K/A of May 26, 2023? Not 31st June 2022."
    )
    assert question.dates == (date(2022, 7, 1), date(2023, 5, 26))
    assert question.forms == ("8-K", "10-K/A")
    assert read_search_question("in the last three quarters").latest == 3
    assert read_search_question("in its latest 10-K").latest == 1
    assert read_search_question("net income in 2023").latest == 0


def test_measures_want_the_line_items_and_statements_of_their_formula():
    quick = read_search_question("Has the quick ratio improved in FY2023?")
    assert {"current_assets", "inventory", "current_liabilities"} <= set(quick.items)
    assert set(quick.statements) == {"balance"}
    flow = read_search_question("What is the operating cash flow ratio?")
    assert set(flow.items) == {"operating_cash_flow", "current_liabilities"}
    assert set(flow.statements) == {"balance", "cashflow"}
    defined = read_search_question("What is the ABC ratio? ABC is defined as: inventory / cost of goods sold.")
    assert set(defined.items) == {"inventory", "cost_of_sales"}


def test_statements_that_the_question_names_are_wanted_even_in_its_instructions():
    question = read_search_question("Using the cash flow statement and the P&L, what is the EBITDA margin?")
    assert question.statements == {"cashflow": "named", "income": "named"}


def test_companies_are_named_in_many_ways():
    companies = Companies(
        [("KHC", "The Kraft Heinz Company"), ("JPM", "JPMorgan Chase & Co."), ("JNJ", "Johnson & Johnson"),
         ("AXP", "American Express"), ("AAL", "American Airlines Group Inc."), ("FL", "Foot Locker, Inc."),
         ("T", "AT&T Inc."), ("", "Square")]
    )  # fmt: skip
    named = companies.named
    assert named("What is Kraft Heinz's margin?") == {"KHC"}
    assert named("How did JPM do?") == {"JPM"}
    assert named("JPMorgan's VaR") == {"JPM"}
    assert named("JnJ or J&J?") == {"JNJ"}
    assert named("AMEX") == {"AXP"}
    assert named("Footlocker's CEO") == {"FL"}
    assert named("compare $T and Square") == {"T", "square"}
    assert named("T is a letter; the best american express train") == frozenset()
    assert named("American Airlines") == {"AAL"}


def _first_page(question: str, *without: str) -> int:
    index = index_document(ANNUAL_REPORT, passages_of(filing(ANNUAL_REPORT)))
    wanted = wanted_numbers(read_search_question(question, without=without), without=without)
    return int(page_scores(index, wanted).argmax())


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("What is the FY2023 capex?", CASH),
        ("What was the working capital ratio at the end of 2023?", BALANCE),
        ("What is the FY2023 operating margin in the P&L statement?", INCOME),
        ("What drove the gross margin change in FY2023?", DISCUSSION),
    ],
)
def test_the_page_that_answers_comes_first(question: str, page: str):
    assert ANNUAL_REPORT[_first_page(question)] == page


def test_each_rule_can_be_left_out():
    question = "Assume that you are an analyst. What drove gross margin of the pumps segment of Example Corp in FY2023?"
    for rule in RULES:
        assert 0 <= _first_page(question, rule) < len(ANNUAL_REPORT)
    assert ANNUAL_REPORT[_first_page("What is the FY2023 capex?", "line_items", "statements")] != CASH


def test_an_index_is_the_same_after_being_stored():
    index = index_document(ANNUAL_REPORT, passages_of(filing(ANNUAL_REPORT)))
    again = DocumentIndex.from_bytes(index.to_bytes())
    wanted = wanted_numbers(read_search_question("What is the FY2023 capex?"))
    assert (page_scores(again, wanted) == page_scores(index, wanted)).all()
    assert [again.passage(n) for n in range(len(again.bounds))] == passages_of(filing(ANNUAL_REPORT))


def test_documents_without_words_have_no_hits():
    for pages in ([], [""], ["123 456"]):
        index = index_document(pages, passages_of(filing(pages)))
        assert len(page_scores(index, wanted_numbers(read_search_question("net income")))) == len(pages)
        assert DocumentIndex.from_bytes(index.to_bytes()).pages == len(pages)


def test_passages_cover_a_text_without_gaps():
    text = "A sentence of some words. " * 200 + "x" * 2500 + "\nlast line"
    bounds = list(cut(text))
    assert "".join(text[start:end] for start, end in bounds) == text
    assert all(end - start <= 1000 for start, end in bounds)
    assert list(cut("")) == []


@pytest.mark.parametrize(
    ("text", "period"),
    [
        ("revenue in 2Q23", (2023, 2)),
        ("revenue in 1Q 2023", (2023, 1)),
        ("sales in Q2'23", (2023, 2)),
        ("sales in Q3 of FY24", (2024, 3)),
        ("sales in Q4 of 2021", (2021, 4)),
        ("sales in FY23", (2023, None)),
    ],
)
def test_quarters_are_read_as_analysts_write_them(text: str, period: tuple[int, int | None]):
    assert [(each.year, each.quarter) for each in read_search_question(f"What were {text}?").periods] == [period]


def test_a_measure_in_an_instruction_is_asked_for():
    question = read_search_question("How often was stock sold in FY2022? Calculate the inventory turnover ratio.")
    assert {"inventory", "cost_of_sales"} <= set(question.items)


def test_words_of_a_company_name_mean_nothing_else():
    best_buy = Companies([("BBY", "Best Buy"), ("AWK", "American Water Works")])
    named, plain = best_buy.read("Why did Best Buy's sales fall?")
    assert named == {"BBY"}
    assert plain == "Why did sales fall?"
    assert "acquisitions" not in read_search_question(plain).topics
    assert best_buy.named("What is American Water's capex?") == {"AWK"}
    assert best_buy.named("What is American capex?") == frozenset()


def test_reasons_stand_elsewhere_than_in_the_statements():
    question = read_search_question("Why did the gross margin fall in FY2022?")
    assert not question.statements


def test_ordinary_words_mean_a_subject_and_make_no_question_one_of_finance():
    question = read_search_question("Did they buy it because of tailwinds?")
    assert set(question.topics) == {"drivers", "acquisitions"}
    assert question.named_topics == ()
