"""The last twelve months, worked out by hand; and what is no twelve months."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.builders import AS_OF, QUARTER_ENDS, quarters, statement
from tests.support.figures import parse_figures
from tradingagents.analytics.company.trailing import trailing
from tradingagents.analytics.company.ttm import TTMAnalysis, margin_trend, ttm
from tradingagents.errors import NoData

INCOME = [
    {"revenue": 110.0, "gross_profit": 55.0, "operating_income": 33.0, "ebitda": 40.0, "net_income": 22.0},
    {"revenue": 100.0, "gross_profit": 48.0, "operating_income": 28.0, "ebitda": 35.0, "net_income": 18.0},
    {"revenue": 90.0, "gross_profit": 43.0, "operating_income": 24.0, "ebitda": 30.0, "net_income": 15.0},
    {"revenue": 100.0, "gross_profit": 46.0, "operating_income": 25.0, "ebitda": 31.0, "net_income": 17.0},
    {"revenue": 88.0, "gross_profit": 40.0, "operating_income": 20.0, "ebitda": 26.0, "net_income": 12.0},
    {"revenue": 80.0, "gross_profit": 36.0, "operating_income": 16.0, "ebitda": 22.0, "net_income": 10.0},
    {"revenue": 75.0, "gross_profit": 34.0, "operating_income": 15.0, "ebitda": 20.0, "net_income": 9.0},
    {"revenue": 82.0, "gross_profit": 37.0, "operating_income": 17.0, "ebitda": 23.0, "net_income": 11.0},
]
CASH = [{"operating_cash_flow": flow, "capital_expenditure": -5.0} for flow in (30.0, 25.0, 20.0, 21.0, 18.0)]
SHEET = {"total_assets": 500.0, "total_debt": 90.0, "equity": 180.0}


def made(items, kind="income", frequency="quarterly", ends=QUARTER_ENDS):
    return [statement(end, one, kind, frequency) for end, one in zip(ends, items, strict=False)]


def asked(income=None, balance=None, cashflow=None) -> TTMAnalysis:
    """Analyse the books above, or what is given in their place."""
    return ttm(
        made(INCOME) if income is None else income,
        [statement(QUARTER_ENDS[0], SHEET, "balance")] if balance is None else balance,
        made(CASH, "cashflow") if cashflow is None else cashflow,
        as_of=AS_OF,
    )


def test_four_quarters_are_summed():
    result = asked()
    assert result.basis == "ttm"
    assert result.periods == QUARTER_ENDS[:4]
    assert result.ttm_revenue == 400
    assert result.ttm_gross_profit == 192
    assert result.ttm_operating_income == 110
    assert result.ttm_ebitda == 136
    assert result.ttm_net_income == 72
    assert result.ttm_operating_cash_flow == 96
    assert result.ttm_free_cash_flow == 76  # 96 less four times 5


def test_margins_returns_and_leverage():
    result = asked()
    assert result.gross_margin == pytest.approx(48.0)
    assert result.operating_margin == pytest.approx(27.5)
    assert result.net_margin == pytest.approx(18.0)
    assert result.roe == pytest.approx(40.0)
    assert result.debt_to_equity == pytest.approx(0.5)
    assert (result.total_assets, result.total_debt, result.equity) == (500, 90, 180)


def test_growth_against_the_quarter_and_the_year_before():
    result = asked()
    assert result.revenue_qoq == pytest.approx(10.0)
    assert result.revenue_yoy == pytest.approx(25.0)


def test_five_quarters_give_a_year_on_year_and_four_do_not():
    assert asked(income=made(INCOME[:5])).revenue_yoy == pytest.approx(25.0)
    assert asked(income=made(INCOME[:4])).revenue_yoy is None
    assert asked(income=made(INCOME[:4])).ttm_revenue == 400


def test_a_missing_quarter_of_the_year_before_is_named():
    rows = made(INCOME)
    del rows[4]
    notes = asked(income=rows).notes
    said = [note for note in notes if note.startswith("No year-on-year growth of revenue")]
    assert len(said) == 1
    assert f"a year before {QUARTER_ENDS[0]} is missing" in said[0]
    assert not any("No year-on-year" in note for note in asked().notes)


def test_year_on_year_goes_by_date_not_by_position():
    income = made(INCOME)
    del income[2]  # the fourth before the newest by position is now 2022-12-31
    assert asked(income=income).revenue_yoy == pytest.approx(25.0)


def test_three_quarters_are_not_twelve_months():
    result = asked(income=made(INCOME[:3]))
    assert result.basis == "none"
    assert (result.ttm_revenue, result.net_margin, result.roe) == (None, None, None)
    assert result.equity == 180
    assert result.revenue_qoq == pytest.approx(10.0)
    assert (
        "Only 3 of four quarters are known, and no recent fiscal year: there is no sum over twelve months."
        in result.notes
    )


def test_a_gap_is_not_bridged():
    income = made(INCOME)
    del income[1]
    result = asked(income=income)
    assert result.basis == "none"
    assert result.ttm_revenue is None
    assert result.revenue_qoq is None
    assert any(note.startswith("A quarter is missing before 2024-03-31") for note in result.notes)


def test_where_quarters_are_missing_the_fiscal_year_stands_in_and_is_labelled():
    ends = (date(2023, 12, 31), date(2022, 12, 31))
    years = made(
        [{"revenue": 378.0, "net_income": 62.0}, {"revenue": 315.0, "net_income": 40.0}], "income", "annual", ends
    )
    result = asked(income=made(INCOME[:2]) + years)
    assert result.basis == "annual"
    assert result.periods == ends[:1]
    assert (result.ttm_revenue, result.ttm_net_income) == (378, 62)
    assert result.revenue_yoy == pytest.approx(20.0)
    assert "last fiscal year" in result.title
    assert any("figures are of the fiscal year to 2023-12-31, not of the last twelve months" in n for n in result.notes)


def test_years_do_not_enter_where_quarters_suffice():
    years = made([{"revenue": 999.0}], frequency="annual", ends=(date(2023, 12, 31),))
    assert asked(income=made(INCOME) + years).ttm_revenue == 400


def test_statements_are_matched_by_the_day_the_period_ended():
    cash = made(CASH[:4], "cashflow")[1:]  # the newest cash flow is missing; by position others would fill in
    result = asked(cashflow=cash)
    assert result.ttm_operating_cash_flow is None
    assert result.quarters[0].operating_cash_flow is None
    assert result.quarters[1].operating_cash_flow == 25
    assert (
        "Not given for every period: operating_cash_flow (not to 2024-03-31), free_cash_flow (not to 2024-03-31)."
        in result.notes
    )


def test_zero_is_a_value():
    income = made([{**one, "net_income": 0.0} for one in INCOME])
    result = asked(income=income)
    assert result.ttm_net_income == 0
    assert result.net_margin == 0
    assert parse_figures(result.to_markdown())["ttm_net_income"].value == 0


def test_a_missing_item_makes_its_sum_unknown_and_only_that():
    income = made([INCOME[0], {name: INCOME[1][name] for name in INCOME[1] if name != "net_income"}, *INCOME[2:]])
    result = asked(income=income)
    assert result.ttm_net_income is None
    assert result.roe is None
    assert result.ttm_revenue == 400
    assert "ttm_net_income" not in parse_figures(result.to_markdown())


def test_what_a_source_leaves_out_is_derived_from_its_parts():
    parts = {"revenue": 100.0, "cost_of_revenue": 60.0, "operating_income": 20.0, "depreciation_and_amortization": 4.0}
    result = asked(income=made([parts] * 4))
    assert result.ttm_gross_profit == 160
    assert result.ttm_ebitda == 96


def test_debt_is_what_is_given_and_half_of_it_is_said():
    both = statement(QUARTER_ENDS[0], {"short_term_debt": 10.0, "long_term_debt": 80.0, "equity": 180.0}, "balance")
    long = statement(QUARTER_ENDS[0], {"long_term_debt": 80.0, "equity": 160.0}, "balance")
    assert asked(balance=[both]).total_debt == 90
    assert asked(balance=[long]).debt_to_equity == pytest.approx(0.5)
    assert any("long-term debt only" in note for note in asked(balance=[long]).notes)
    assert asked(balance=[statement(QUARTER_ENDS[0], {"equity": 1.0}, "balance")]).total_debt is None


def test_the_newest_balance_sheet_counts_whatever_its_frequency():
    sheets = [
        statement(QUARTER_ENDS[1], {"equity": 1.0}, "balance"),
        statement(QUARTER_ENDS[0], {"equity": 2.0}, "balance", "annual"),
    ]
    assert asked(balance=sheets).equity == 2


def test_equity_below_zero_gives_no_return_and_no_leverage():
    result = asked(balance=[statement(QUARTER_ENDS[0], {**SHEET, "equity": -10.0}, "balance")])
    assert (result.equity, result.roe, result.debt_to_equity) == (-10, None, None)
    assert any("Equity is not positive" in note for note in result.notes)


def test_without_a_balance_sheet_there_is_still_a_sum():
    result = asked(balance=[])
    assert (result.ttm_revenue, result.equity, result.roe) == (400, None, None)
    assert "No balance sheet is known." in result.notes


def test_nothing_filed_is_no_data_with_the_way_out():
    with pytest.raises(NoData, match="another vendor"):
        ttm([], [], [], as_of=AS_OF)


@pytest.mark.parametrize(
    ("newest", "trend"),
    [(20.6, "expanding"), (20.5, "stable"), (20.0, "stable"), (19.5, "stable"), (19.4, "contracting")],
)
def test_a_margin_goes_somewhere_when_it_moves_over_half_a_point_in_three_quarters(newest: float, trend: str):
    income = made([{"revenue": 100.0, "operating_income": value} for value in (newest, 35.0, 20.0, 50.0)])
    assert margin_trend(trailing(income, [], [], as_of=AS_OF).quarters, "operating_income") == trend


def test_a_margin_of_two_quarters_or_with_a_gap_has_no_direction():
    assert margin_trend(trailing(made(INCOME[:2]), [], [], as_of=AS_OF).quarters, "net_income") == "insufficient"
    income = made(INCOME)
    del income[1]
    assert margin_trend(trailing(income, [], [], as_of=AS_OF).quarters, "net_income") == "insufficient"


def test_the_body_opens_with_the_trend_and_shows_eight_quarters():
    body = asked().body()
    assert body.startswith(
        "Margin trend: operating expanding, gross expanding, net expanding"
    )  # 30, 50, 20 % from 26.7, 47.8, 16.7
    assert body.count("\n| 202") == 8
    assert "| 2024-03-31 | 110.00 | 55.00 | 33.00 | 22.00 | 30.00 | 25.00 | 30.00% |" in body
    assert "| 2022-06-30 | 82.00 | 37.00 | 17.00 | 11.00 | n/a | n/a | 20.73% |" in body


def test_figures_read_back():
    result = asked()
    read = parse_figures(result.to_markdown())
    names = [one.name for one in result.figures()]
    assert names == [
        "ttm_revenue",
        "ttm_gross_profit",
        "ttm_operating_income",
        "ttm_ebitda",
        "ttm_net_income",
        "ttm_operating_cash_flow",
        "ttm_free_cash_flow",
        "gross_margin",
        "operating_margin",
        "net_margin",
        "roe",
        "revenue_qoq",
        "revenue_yoy",
        "debt_to_equity",
        "total_assets",
        "total_debt",
        "equity",
    ]
    assert {name: read[name].value for name in names} == {one.name: one.rounded for one in result.figures()}
    assert (read["ttm_revenue"].unit, read["roe"].unit, read["debt_to_equity"].unit) == ("USD", "%", "x")


def test_books_that_are_long_past_are_doubted():
    late = ttm(made(INCOME), [], [], as_of=date(2025, 6, 30))
    (reason,) = late.withheld
    assert reason.startswith("The newest quarter known is of 2024-03-31, 456 days before 2025-06-30: sums of twelve")
    assert set(late.withheld) <= set(late.notes)
    assert late.warnings == (f"MADE: {reason}",)
    assert (late.basis, late.periods, late.ttm_revenue) == ("none", (), None)
    assert (late.revenue_yoy, late.revenue_qoq, late.operating_margin) == (None, None, None)
    assert set(late.margin_trend.values()) == {"insufficient"}
    assert len(late.quarters) == 8, "what was reported stays in the table"
    assert asked().withheld == ()


@given(st.permutations(range(8)), st.permutations(range(5)))
def test_the_order_statements_come_in_does_not_matter(income: list[int], cash: list[int]):
    shuffled = asked(
        income=[made(INCOME)[index] for index in income], cashflow=[made(CASH, "cashflow")[index] for index in cash]
    )
    assert shuffled == asked()


@given(st.lists(st.floats(-1e12, 1e12), min_size=4, max_size=8))
def test_the_sum_is_that_of_the_four_newest(values: list[float]):
    assert ttm(quarters("revenue", values), [], [], as_of=AS_OF).ttm_revenue == pytest.approx(sum(values[:4]))
