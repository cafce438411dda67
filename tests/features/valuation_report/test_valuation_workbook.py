"""The workbook of a valuation computes what the kernel computes, before and after an input is changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from tests.reports.spreadsheet import NotAvailable, Spreadsheet
from tests.support.tiers import sampled
from tests.valuation.cases import FULL, LOSSES, SMALL
from tests.valuation.random_inputs import OPTIONS, admissible
from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.workbook import valuation_workbook
from tradingagents.reports.render.xlsx import to_xlsx
from tradingagents.valuation import (
    CapitalStructure,
    EmployeeOptions,
    ValuationInputs,
    converging_path,
    cost_of_capital,
    fading_path,
    flat_path,
    grid,
    value_company,
)
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.inputs import PATHS

CLOSE = 1e-6
GIVEN_OPTIONS = EmployeeOptions(count=8, strike=20, years=4, volatility=0.35, risk_free=0.04, dividend_yield=0.01)
CASES = {
    "small": SMALL,
    "full": FULL,
    "losses": LOSSES,
    "midyear": FULL.with_values(discounting="midyear"),
    "lag": FULL.with_values(reinvestment_lag=3),
    "options": FULL.with_values(option_value=0.0, options=GIVEN_OPTIONS),
    "book": FULL.with_values(distress_basis="book", book_capital=900.0),
    "net debt": FULL.with_values(debt=0.0, cash=0.0, net_debt=150.0),
}
REVENUE, SHARES, PRICE = 1000.0, 100.0, 30.0
CAPITAL = cost_of_capital(
    CapitalStructure(
        risk_free=0.04, equity_premium=0.05, unlevered_beta=1.1, tax_rate=0.21, equity=PRICE * SHARES, debt=300,
        interest=18, debt_spread=0.015,
    )
)  # fmt: skip


def built_report(**changes: float) -> ValuationReport:
    """A report whose inputs follow from assumptions, as those built from data do."""
    stated = {
        "risk_free": 0.04, "equity_premium": 0.05, "unlevered_beta": 1.1, "effective_tax": 0.21, "debt_spread": 0.015,
        "marginal_tax": 0.25, "growth_years_1_to_5": 0.12, "margin_t0": 0.10, "target_margin": 0.18, "turnover": 1.8,
        "stable_wacc": 0.09, "stable_growth": 0.04, "stable_roic": 0.09, "revenue_t0": REVENUE, "shares_out": SHARES,
    } | changes  # fmt: skip
    inputs = ValuationInputs(
        company="Built Case",
        ticker="BLT",
        currency="USD",
        as_of=date(2025, 3, 14),
        revenue_t0=stated["revenue_t0"],
        shares_out=stated["shares_out"],
        sales_growth=fading_path(stated["growth_years_1_to_5"], stated["stable_growth"]),
        oper_margin=converging_path(stated["margin_t0"], stated["target_margin"], 5),
        tax_rate=fading_path(stated["effective_tax"], stated["marginal_tax"]),
        sales_to_capital=flat_path(stated["turnover"]),
        wacc=fading_path(CAPITAL.wacc, stated["stable_wacc"]),
        stable_growth=stated["stable_growth"],
        stable_margin=stated["target_margin"],
        stable_tax=stated["marginal_tax"],
        stable_wacc=stated["stable_wacc"],
        stable_roic=stated["stable_roic"],
        debt=300,
        cash=150,
    )
    defaults = ("stable_wacc", "stable_growth", "stable_roic", "marginal_tax", "equity_premium")
    rows = [
        ValuationAssumption(name, value, "default" if name in defaults else "data", f"cell {name.replace('_', ' ')}")
        for name, value in stated.items()
    ]
    return ValuationReport(
        inputs=inputs, price=PRICE, price_day=date(2025, 3, 14), assumptions=tuple(rows), capital=CAPITAL
    )


def opened(report: ValuationReport) -> Spreadsheet:
    return Spreadsheet(to_xlsx(valuation_workbook(report)))


def kernel_inputs(book: Spreadsheet, base: ValuationInputs) -> ValuationInputs:
    """Return the inputs that the workbook now stands for."""
    values: dict[str, Any] = {}
    for name in PATHS:
        values[name] = tuple(book.get(f"{name}_path" if f"{name}_path" in book.names else name))
    for name in ValuationInputs.__slots__:
        if name not in PATHS and name in book.names and name != "risk_free":
            values[name] = book.get(name)
    values["reinvestment_lag"] = int(values["reinvestment_lag"])
    return replace(base, **values)


def _equal(computed: Any, written: Any) -> bool:
    if isinstance(computed, str) or isinstance(written, str):
        return bool(computed == (written or ""))  # an empty text is read as nothing
    return bool(computed == pytest.approx(written, rel=1e-9, abs=1e-9))


@pytest.mark.parametrize("name", CASES)
def test_every_formula_computed_anew_gives_the_number_written_beside_it(name):
    book = opened(ValuationReport(inputs=CASES[name], price=25.0))

    wrong = [
        (key, book.cells[key], book.shown[key], book.cell(key))
        for key in book.formulas()
        if not _equal(book.cell(key), book.shown[key])
    ]

    assert not wrong
    assert len(book.formulas()) > 200
    assert book.get("value_per_share") == pytest.approx(value_company(CASES[name]).value_per_share, abs=CLOSE)


def test_the_worked_case_stands_in_the_sheets():
    book = opened(ValuationReport(inputs=FULL))

    assert book.get("pv_explicit") == pytest.approx(917.811, abs=5e-4)
    assert book.get("terminal_value") == pytest.approx(5052.65, abs=5e-3)
    assert book.get("pv_after_failure") == pytest.approx(3034.07, abs=5e-3)
    assert book.get("value_per_share") == pytest.approx(28.7907, abs=5e-5)
    assert "price" not in book.names


@pytest.mark.parametrize(
    ("name", "value", "year"),
    sampled(
        [
            ("revenue_t0", 1500.0, None),
            ("sales_growth", 0.25, 2),
            ("oper_margin", -0.20, 1),
            ("tax_rate", 0.35, 4),
            ("sales_to_capital", 3.0, 7),
            ("wacc", 0.15, 10),
            ("stable_growth", 0.01, None),
            ("stable_wacc", 0.1, None),
            ("stable_roic", 0.2, None),
            ("nol_t0", 0.0, None),
            ("failure_probability", 0.3, None),
            ("debt", 900.0, None),
            ("shares_out", 80.0, None),
            ("discounting", "midyear", None),
            ("reinvestment_lag", 2, None),
            ("option_value", 0.0, None),
        ],
        every=3,
    ),
)
def test_a_changed_input_moves_the_value_as_the_kernel_does(name, value, year):
    book = opened(ValuationReport(inputs=FULL))
    before = book.get("value_per_share")

    book.set(name, value, year)

    expected = kernel_inputs(book, FULL)
    assert expected != FULL
    assert book.get("value_per_share") == pytest.approx(value_company(expected).value_per_share, abs=CLOSE)
    assert book.get("value_per_share") != pytest.approx(before, abs=1e-3)
    assert book.get("grid_base") == pytest.approx(book.get("value_per_share"), abs=CLOSE)


@pytest.mark.parametrize("name", ["count", "strike", "years", "volatility", "risk_free", "dividend_yield"])
def test_a_changed_term_of_the_options_moves_the_value_as_the_kernel_does(name):
    base = CASES["options"]
    book = opened(ValuationReport(inputs=base))
    changed = replace(GIVEN_OPTIONS, **{name: 1.5 * getattr(GIVEN_OPTIONS, name)})

    book.set(f"options_{name}", getattr(changed, name))

    expected = value_company(base.with_values(options=changed)).value_per_share
    assert book.get("value_per_share") == pytest.approx(expected, abs=CLOSE)
    assert book.get("grid_base") == pytest.approx(expected, abs=CLOSE)


@pytest.mark.parametrize("name", sampled(CASES, every=3))
def test_the_grid_is_that_of_the_kernel_after_changes_too(name):
    book = opened(ValuationReport(inputs=CASES[name]))
    book.set("stable_growth", 0.015)
    book.set("revenue_t0", 1234.0)

    changed = kernel_inputs(book, CASES[name])
    expected = grid(changed, "wacc", "stable_growth").values

    for row in range(5):
        for column in range(5):
            found = book.cell(("Sensitivity", f"{'CDEFG'[column]}{6 + row}"))
            assert found == pytest.approx(expected[row, column], abs=CLOSE), (row, column)


def test_a_pair_of_shifts_that_cannot_be_valued_says_so():
    tight = FULL.with_values(stable_growth=0.06)

    book = opened(ValuationReport(inputs=tight))

    assert book.cell(("Sensitivity", "G6")) == "n/a"
    assert book.shown["Sensitivity", "G6"] == "n/a"
    assert book.get("grid_base") == pytest.approx(value_company(tight).value_per_share, abs=CLOSE)


def test_inputs_that_cannot_be_valued_are_named_and_give_no_number():
    book = opened(ValuationReport(inputs=FULL))

    book.set("stable_growth", 0.078)

    assert book.get("problem") == "stable_growth must stay at least 0.005 below stable_wacc"
    with pytest.raises(NotAvailable):
        book.get("value_per_share")
    assert book.get("grid_base") == "n/a"


def test_paths_follow_the_assumptions_they_were_built_from():
    report = built_report()
    book = opened(report)
    assert book.get("value_per_share") == pytest.approx(report.valuation.value_per_share, abs=CLOSE)

    for name, value in (("growth_years_1_to_5", 0.2), ("margin_t0", 0.05), ("target_margin", 0.22), ("turnover", 2.5)):
        book.set(name, value)
        expected = built_report(growth_years_1_to_5=book.get("growth_years_1_to_5"), margin_t0=book.get("margin_t0"),
                                target_margin=book.get("target_margin"), turnover=book.get("turnover"))  # fmt: skip
        assert book.get("value_per_share") == pytest.approx(expected.valuation.value_per_share, abs=CLOSE)


def test_the_cost_of_capital_follows_from_its_parts():
    book = opened(built_report())

    book.set("risk_free", 0.05)
    book.set("unlevered_beta", 0.8)

    equity, debt = PRICE * SHARES, CAPITAL.market_debt
    cost = 0.05 + 0.8 * (1 + 0.79 * debt / equity) * 0.05
    wacc = (equity * cost + debt * 0.065 * 0.79) / (equity + debt)
    assert book.get("wacc")[0] == pytest.approx(wacc)
    assert book.get("stable_growth") == pytest.approx(0.05)
    assert book.get("stable_wacc") == book.get("stable_roic") == pytest.approx(0.10)
    changed = kernel_inputs(book, built_report().inputs)
    assert book.get("value_per_share") == pytest.approx(value_company(changed).value_per_share, abs=CLOSE)


def test_every_input_cell_moves_something():
    """A number that nothing reads would be an input in name only."""
    book = opened(built_report())
    read = " ".join(str(book.cells[key]) for key in book.formulas())
    inputs = [
        (name, address)
        for name, address in book.names.items()
        if address.startswith("Inputs!") and not book.is_formula(("Inputs", book._first(address)[1]))
    ]

    assert len(inputs) > 15
    for name, address in inputs:
        cell = address.removeprefix("Inputs!").partition(":")[0]
        assert name in read or f"Inputs!{cell}" in read, name


def test_a_given_path_that_follows_no_rule_stays_a_row_of_inputs():
    report = replace(built_report(), inputs=built_report().inputs.with_values(sales_growth=(0.1, *(0.05,) * 9)))
    book = opened(report)

    assert "growth_years_1_to_5" not in book.names
    book.set("sales_growth", 0.2, 1)
    expected = report.inputs.with_values(sales_growth=(0.2, *(0.05,) * 9))
    assert book.get("value_per_share") == pytest.approx(value_company(expected).value_per_share, abs=CLOSE)


def test_a_path_given_as_one_number_is_one_input():
    inputs = FULL.with_values(wacc=(0.08,) * 10, stable_wacc=0.08)
    rows = (ValuationAssumption("wacc", 0.08, "given", "given"),)
    book = opened(ValuationReport(inputs=inputs, assumptions=rows))

    book.set("wacc", 0.09)

    expected = inputs.with_values(wacc=fading_path(0.09, 0.08))
    assert book.get("value_per_share") == pytest.approx(value_company(expected).value_per_share, abs=CLOSE)


def test_sources_name_every_number_and_what_to_look_at():
    report = replace(built_report(), notes=("Shares are of the last filing.",), refusals=("No peers are known.",))

    texts = {value for (sheet, _), value in opened(report).cells.items() if sheet == "Sources"}

    assert {one.source for one in report.assumptions} <= texts
    assert {"Shares are of the last filing.", "No peers are known."} <= texts


@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.generate))  # to shrink takes minutes
@given(inputs=admissible(), options=st.none() | OPTIONS)
def test_any_admissible_inputs_give_the_kernels_value(inputs, options):
    if options is not None:
        inputs = inputs.with_values(option_value=0.0, options=options)
    book = opened(ValuationReport(inputs=inputs))

    expected = value_company(inputs)

    scale = max(1.0, abs(expected.equity_value))
    assert book.get("equity_value") == pytest.approx(expected.equity_value, rel=1e-9, abs=1e-9 * scale)
    assert book.get("value_per_share") == pytest.approx(expected.value_per_share, rel=1e-7, abs=CLOSE)
    base = book.get("grid_base")
    assert base == "n/a" or base == pytest.approx(max(expected.value_per_share, 0.0), rel=1e-7, abs=CLOSE)
