"""Figures, comparisons, refusals and quotations from small filings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.retrieval.builders import filing
from tests.retrieval.figures.filings import ACME_BALANCE, ACME_INCOME, acme, bank, changed, without_balance
from tests.retrieval.figures.filings import filing as report
from tradingagents.retrieval.figures.answers import answer_from_documents
from tradingagents.retrieval.figures.extractive_answer import ExtractiveAnswer
from tradingagents.retrieval.figures.statements import FilingStatements
from tradingagents.retrieval.models import Fact, SourceDocument
from tradingagents.retrieval.text_sentences import split_sentences
from tradingagents.retrieval.text_tables import with_text_tables


def ask(question: str, *documents: SourceDocument) -> ExtractiveAnswer:
    return answer_from_documents(question, documents or [acme()])


@pytest.mark.parametrize(
    ("question", "value", "unit"),
    [
        ("What is the FY2023 capital expenditure amount (in USD millions)?", 84.0, "USD millions"),
        ("What is the year end FY2022 net PP&E? Answer in USD billions.", 0.48, "USD billions"),
        ("What is the FY2023 net income attributable to shareholders (in USD millions)?", 200.0, "USD millions"),
        ("What is the FY2021 - FY2023 3 year average of capex as a % of revenue?", 7.0, "percent"),
        ("What is the FY2023 D&A (from cash flow statement) in USD millions?", 70.0, "USD millions"),
        ("What is the FY2023 EBITDA margin?", 100 * 370 / 1200, "percent"),
        ("What is the FY2023 quick ratio?", 400 / 300, ""),
        ("What is the FY2023 inventory turnover ratio?", 700 / 170, ""),
        ("What is the FY2023 dividend payout ratio?", 0.5, ""),
        ("What is the FY2023 retention ratio?", 0.5, ""),
        ("What is the FY2023 free cash flow in USD millions?", 176.0, "USD millions"),
        ("What is the growth of revenue from FY2022 to FY2023?", 100 / 11, "percent"),
        ("What is the 2 year revenue CAGR from FY2021 to FY2023?", 100 * (1.2**0.5 - 1), "percent"),
        ("What is the FY2022 - FY2023 change in operating margin?", 25 - 100 * 250 / 1100, "percent"),
        ("What is the FY2023 net debt in USD millions?", 190.0, "USD millions"),
        ("What is the FY2023 return on assets?", 200 / 1175, ""),
        ("What was the effective tax rate in FY2023?", 25.0, "percent"),
        ("What is the diluted EPS for FY2022?", 1.60, "USD/share"),
        ("What is the FY2023 interest coverage ratio?", 15.0, ""),
    ],
)
def test_figures(question: str, value: float, unit: str) -> None:
    answer = ask(question)
    assert answer.refusal == ""
    assert answer.value == pytest.approx(value)
    assert answer.unit == unit


def test_every_operand_is_cited_to_its_page_row_and_column() -> None:
    document = acme()
    answer = ask("What is the FY2023 operating cash flow ratio?", document)
    assert [(each.label, each.text, each.place.page) for each in answer.operands] == [
        ("Net cash provided by operating activities", "260", 3),
        ("Total current liabilities", "300", 2),
    ]
    assert all("2023" in each.column for each in answer.operands)
    for each in answer.operands:
        assert each.place is not None
        assert document.text(each.place) == each.text
    assert answer.formula.endswith("= 260 / 300 = 0.8667x")


def test_gross_property_is_not_taken_for_net() -> None:
    (operand,) = ask("What is the FY2023 net PP&E in USD millions?").operands
    assert operand.text == "500"


def test_dividends_to_minorities_are_left_out() -> None:
    (operand,) = ask("How much were dividends paid in FY2023, in USD millions?").operands
    assert (operand.label, operand.value) == ("Dividends paid to shareholders", 100e6)


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("Does Acme have an improving gross margin profile as of FY2023?", "Yes. "),
        ("Has Acme increased its total debt between FY2022 and FY2023?", "No. "),
        ("Does Acme have positive working capital based on FY2022 data?", "Yes. "),
        ("Has the quick ratio improved or declined between FY2023 and FY2022?", "Quick ratio in fiscal 2022: 1.30"),
    ],
)
def test_comparisons(question: str, begins: str) -> None:
    answer = ask(question)
    assert answer.kind == "comparison"
    assert answer.text.startswith(begins)


@pytest.mark.parametrize(
    ("question", "document", "reason"),
    [
        ("What is the FY2019 revenue?", acme(), "No column of the income statement is for fiscal 2019"),
        ("What is the FY2021 quick ratio?", acme(), "fiscal 2021"),
        ("What is the FY2023 research and development expense?", acme(), "No row of the income statement"),
        ("What is the FY2023 quick ratio?", without_balance(), "no balance sheet"),
        ("What is the FY2023 quick ratio?", bank(), "not split its balance sheet"),
        ("Does Beta have an improving operating margin as of FY2023?", bank(), "no operating income"),
        ("What was the adjusted EBITDA for FY2023?", acme(), "no known figure"),
        ("What is the net income for Q2 of FY2023?", acme(), "no filing for Q2"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_words(question: str, document: SourceDocument, reason: str) -> None:
    answer = ask(question, document)
    assert answer.value is None
    assert reason in answer.refusal + answer.text


def test_the_filing_of_the_company_named_is_used() -> None:
    both = (bank(), acme())
    answer = ask("What is Acme's FY2023 net income in USD millions?", *both)
    assert {each.document_name for each in answer.operands} == {"Acme 10-K 2023"}
    assert answer.value == 200.0
    for question in ("What is the FY2023 net income?", "What is the FY2023 net income of Acme and Beta?"):
        assert "one company at a time" in ask(question, *both).refusal


def test_a_loss_without_a_sign_is_negative_and_a_tax_printed_as_a_deduction_is_positive() -> None:
    unsigned = changed(bank(), 0, "Net loss (150) (142) (135)", "Net loss 150 142 135")
    assert ask("What is the FY2023 net income in USD thousands?", unsigned).value == -150.0
    deducted = changed(acme(), 1, "Provision for income taxes 70 57 46", "Provision for income taxes (70) (57) (46)")
    assert ask("What was the effective tax rate in FY2023?", deducted).value == pytest.approx(25.0)
    benefit = changed(deducted, 1, "Provision for income taxes (70)", "Provision for income taxes 70")
    benefit = changed(benefit, 1, "noncontrolling interest 210", "noncontrolling interest 350")
    benefit = changed(benefit, 1, "Net income attributable to Acme $ 200", "Net income attributable to Acme $ 340")
    assert ask("What was the effective tax rate in FY2023?", benefit).value == pytest.approx(-25.0)


def test_what_no_row_gives_counts_as_nothing_only_where_the_year_is_there() -> None:
    bare = changed(acme(), 2, "Marketable securities — current 50 60\n", "")
    assert ask("What is the FY2023 quick ratio?", bare).value == pytest.approx(350 / 300)
    assert ask("What is the FY2021 quick ratio?", bare).refusal


def test_two_columns_of_one_year_are_not_guessed_between() -> None:
    doubled = changed(acme(), 1, "2023 2022 2021", "2023 2023 2021")
    refusal = ask("What is the FY2023 revenue?", doubled).refusal
    assert "has 2 columns for fiscal 2023" in refusal
    assert "nothing tells which" in refusal


def test_a_question_without_a_figure_gets_quotations_with_their_places() -> None:
    document = acme()
    answer = ask("Where did demand for anvils rise?", document)
    assert answer.kind == "sentences"
    assert "passages" in answer.text
    (sentence,) = answer.sentences
    assert sentence.text == "Demand for anvils rose strongly in Europe during fiscal 2023."
    assert document.text(sentence.place) == sentence.text


def test_an_answer_goes_through_json() -> None:
    answer = ask("What is the FY2023 gross margin?")
    assert ExtractiveAnswer.model_validate_json(answer.model_dump_json()) == answer


GROWTH = "growth(revenue@2022, revenue@2023) = growth(1,100; 1,200)"


@pytest.mark.parametrize(
    ("question", "formula"),
    [
        ("What is the growth of revenue from FY2022 to FY2023?", GROWTH),
        ("By how much did revenue grow from FY2022 to FY2023?", GROWTH),
        ("What is the FY2023 revenue?", "revenue@2023 = 1,200 million USD"),
        ("What is the FY2023 net income as a % of revenue?", "net_income@2023 / revenue@2023 = 200 / 1,200 = 16.67 %"),
    ],
)  # fmt: skip
def test_a_formula_has_no_needless_brackets(question: str, formula: str) -> None:
    assert ask(question).formula.startswith(formula)


def test_a_comparison_shows_its_formulas() -> None:
    answer = ask("Did the operating margin improve in FY2023?")
    assert "operating income 2023 / revenue 2023 = 300 / 1,200 = 25 %" in answer.text
    assert "operating income 2022 / revenue 2022 = 250 / 1,100 = 22.73 %" in answer.text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is the FY2023 interest coverage ratio?", "Interest coverage ratio: 15.00x. "),
        ("What is the FY2023 inventory turnover ratio?", "Inventory turnover ratio: 4.12x. "),
        ("What is the FY2023 return on assets?", "Return on assets: 0.17. "),  # of which nobody says times
        ("What is the FY2023 dividend payout ratio?", "Dividend payout ratio: 0.50. "),
    ],
)
def test_what_is_called_times_is_shown_as_such(question: str, text: str) -> None:
    answer = ask(question)
    assert answer.text.startswith(text)
    assert answer.unit == ""
    assert answer.text.removeprefix(text).endswith("x.") == ("x." in text)
    assert "@" not in answer.text


def test_what_is_done_with_a_figure_and_its_abbreviation_are_told() -> None:
    assert ask("What is the growth of revenue from FY2022 to FY2023?").text.startswith("Growth of revenue: 9.09 %")
    assert ask("What is the FY2023 ebitda margin?").text.startswith("EBITDA margin")


def test_an_insurer_that_sells_goods_too_has_no_gross_profit() -> None:
    page = """\
Healix Group
Consolidated Statements of Operations
(in millions)
Year Ended December 31,         2025      2024
Premiums                    $  3,000  $  2,800
Products                         500       450
Total revenues                 3,500     3,250
Medical costs                  2,400     2,250
Cost of products sold            450       400
Total operating costs          2,850     2,650
Earnings from operations         650       600
Provision for income taxes       150       140
Net earnings                $    500  $    460
"""
    insurer = with_text_tables(filing([page], company="Healix Group", symbol="HLXQ", year=2025))
    found = answer_from_documents("What was Healix Group's gross profit in 2025?", [insurer])
    assert (found.kind, found.value) == ("refusal", None)
    plain = page.replace("Medical costs     ", "Marketing         ")
    shop = with_text_tables(filing([plain], company="Healix Group", symbol="HLXQ", year=2025))
    assert answer_from_documents("What was Healix Group's gross profit in 2025?", [shop]).value == 3050


def test_debt_that_only_the_notes_tell_is_no_zero() -> None:
    accrued = ACME_BALANCE.replace("Short-term borrowings and current portion of long-term debt", "Accrued liabilities")
    sheet = with_text_tables(report("Acme 10-K 2023", ACME_INCOME, accrued))
    question = "What was total debt in fiscal 2023?"
    assert ask(question, sheet).value == 300.0
    columns = FilingStatements(sheet).columns("balance").columns
    (end,) = (column.period_end for column in columns if column.fiscal_year == 2023)
    assert end is not None
    due = Fact("us-gaap:LongTermDebtCurrent", 25e6, "USD", None, end)
    told = ask(question, replace(sheet, facts=(due,)))
    assert told.value is None
    assert "the notes tell 25,000,000 USD of it (LongTermDebtCurrent)" in told.refusal
    of_notes = replace(due, dimensions={"us-gaap:DebtInstrumentAxis": "acme:NotesMember"})
    assert ask(question, replace(sheet, facts=(of_notes,))).value == 300.0


@pytest.mark.parametrize("label", ["Notes and loans payable", "Debt, current", "Borrowings, short-term"])
def test_rows_of_short_term_debt(label: str) -> None:
    named = ACME_BALANCE.replace("Short-term borrowings and current portion of long-term debt", label)
    assert ask("What was total debt in fiscal 2023?", report("Acme 10-K 2023", ACME_INCOME, named)).value == 340.0


def test_a_caption_in_brackets_is_no_sentence() -> None:
    text = "(In millions, except per share amounts)\nFreight costs fell (see Note 4). (The rest is in Note 5.)\n"
    assert [sentence.text for sentence in split_sentences(text)] == [
        "Freight costs fell (see Note 4).",
        "(The rest is in Note 5.)",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "Which of Acme's business segments had the lowest net revenue in FY2023?",
        "In FY2023, which of Acme's business segments had the highest net income?",
    ],
)
def test_the_whole_is_no_answer_to_which_part(question: str) -> None:
    answer = ask(question)
    assert (answer.kind, answer.value) == ("refusal", None)
    assert "which part" in answer.refusal
