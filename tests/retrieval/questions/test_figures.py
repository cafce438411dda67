# ruff: noqa: E501
"""Questions about figures, read by rule."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.questions.figures import defined_expression, read_figure_question


@pytest.mark.parametrize(
    ("text", "expression", "operation", "years", "unit"),
    [
        ("What is the FY2020 capital expenditure (in USD millions) for Acme?", "capital_expenditure", "value", (2020,), "USD millions"),
        ("What was Acme's net PP&E at the end of fiscal 2021? Answer in USD billions.", "fixed_assets", "value", (2021,), "USD billions"),
        ("What is the FY2018 - FY2020 3 year average of capex as a % of revenue?", "capital_expenditure / revenue", "average", (2018, 2019, 2020), "percent"),
        ("What is the three year average gross margin as of FY2020, in percents?", "gross_profit / revenue", "average", (2018, 2019, 2020), "percent"),
        ("What is the year-over-year change in operating income from FY2015 to FY2016?", "operating_income", "growth", (2015, 2016), "percent"),
        ("What is the FY2018 - FY2019 change in unadjusted operating income % margin?", "operating_income / revenue", "difference", (2018, 2019), "percent"),
        ("What is Acme's 2 year total revenue CAGR from FY2020 to FY2022?", "revenue", "cagr", (2020, 2021, 2022), "percent"),
        ("Has Acme's quick ratio improved between FY2023 and FY2022?", "(cash + short_term_investments + receivables) / current_liabilities", "compare", (2022, 2023), ""),
        ("What is the FY2015 depreciation and amortization (D&A from cash flow statement) % margin?", "depreciation_and_amortization / revenue", "value", (2015,), "percent"),
        ("How much cash did Acme generate in cash flow from operating activities in FY'21?", "operating_cash_flow", "value", (2021,), ""),
    ],
)  # fmt: skip
def test_metric_periods_and_unit(text: str, expression: str, operation: str, years: tuple[int, ...], unit: str) -> None:
    asked = read_figure_question(text)
    assert (asked.expression, asked.operation, asked.years, asked.unit) == (expression, operation, years, unit)
    assert asked.asks_figure


def test_a_formula_of_the_question_is_used() -> None:
    asked = read_figure_question(
        "What is the FY2019 CCC? CCC is defined as: DIO + DSO. DIO is defined as: 365 * (average inventory between FY2018 "
        "and FY2019) / (FY2019 COGS). DSO is defined as: 365 * (average accounts receivable between FY2018 and FY2019) / "
        "(FY2019 Revenue). Round your answer to two decimal places."
    )
    assert asked.expression == (
        "(365 * ( average(inventories@2018, inventories@2019) ) / ( cost_of_revenue@2019 )) + "
        "(365 * ( average(receivables@2018, receivables@2019) ) / ( revenue@2019 ))"
    )
    assert asked.decimals == 2


def test_a_definition_in_words() -> None:
    assert defined_expression("total current assets divided by total current liabilities") == (
        "current_assets / current_liabilities"
    )
    assert defined_expression("cash flow per employee of the northern division") == ""


@pytest.mark.parametrize(
    ("text", "expression", "output"),
    [
        ("What is the FY2021 unadjusted EBITDA less capital expenditures?", "operating_income + depreciation_and_amortization - capital_expenditure", "money"),
        ("What is the FY2021 capex to revenue ratio?", "capital_expenditure / revenue", "times"),
        ("What is the FY2021 inventory as a percent of total assets?", "inventories / total_assets", "percent"),
    ],
)  # fmt: skip
def test_two_names_that_a_word_joins(text: str, expression: str, output: str) -> None:
    asked = read_figure_question(text)
    assert (asked.expression, asked.output) == (expression, output)


def test_an_average_of_a_total_in_a_definition() -> None:
    assert defined_expression("fy2017 net income / (average total assets between fy2016 and fy2017)") == (
        "net_income@2017 / ( average(total_assets@2016, total_assets@2017) )"
    )


def test_the_name_of_a_statement_or_a_profession_is_no_metric() -> None:
    asked = read_figure_question(
        "Answer as an equity research analyst. According to the cash flow statement and the income statement, what is the "
        "FY2015 net income?"
    )
    assert asked.expression == "net_income"


@pytest.mark.parametrize(
    "text",
    [
        "What was Acme's adjusted EBITDA for FY2023?",
        "What are the major acquisitions of Acme in FY2023?",
        "Which region had the worst topline performance?",
        "Which segment had the lowest net revenue?",
    ],
)
def test_what_no_statement_gives_is_not_computed(text: str) -> None:
    asked = read_figure_question(text)
    assert not asked.asks_figure


def test_the_claim_of_a_yes_or_no_question() -> None:
    assert read_figure_question("Does Acme have an improving gross margin profile as of FY2023?").claim == "improved"
    assert read_figure_question("Has Acme's quick ratio improved or declined between FY2023 and FY2022?").claim == ""
    assert read_figure_question("Has Acme increased its debt between 2022 and 2021?").claim == "rose"


def test_a_quarter_is_read() -> None:
    for text in (
        "quick ratio for Q2 of FY2023",
        "quick ratio in FY2023 Q2",
        "quick ratio for the second quarter of 2023",
    ):
        asked = read_figure_question(f"What is the {text}?")
        assert (asked.quarter, asked.years) == (2, (2023,))
