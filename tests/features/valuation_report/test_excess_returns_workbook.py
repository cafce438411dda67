"""The workbook of a bank computes what the kernel computes, before and after an input is changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tradingagents
from tests.reports.spreadsheet import NotAvailable, Spreadsheet
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.features.valuation_report.sheets.excess_returns import excess_returns_workbook
from tradingagents.reports.render.xlsx import to_xlsx
from tradingagents.settings import load_settings
from tradingagents.valuation import ExcessReturnInputs, fading_path, value_by_excess_returns
from tradingagents.valuation.company.results import CompanyValuation

CLOSE = 1e-6
BANKS = ("LEDQ", "COVZ", "TRUZ")


@pytest.fixture(scope="module")
def banks() -> dict[str, CompanyValuation]:
    settings = load_settings({"data_vendor": "simulated"}, environ={})
    vendors = Vendors(settings)
    return {
        symbol: tradingagents.ask("valuation", ticker=symbol, as_of="2025-03-14", settings=settings, vendors=vendors)
        for symbol in BANKS
    }


def opened(found: CompanyValuation) -> Spreadsheet:
    return Spreadsheet(to_xlsx(excess_returns_workbook(found)))


def kernel(book: Spreadsheet) -> float:
    """Return the value of the inputs that the workbook now stands for."""
    scalars = ("book_equity", "shares_out", "stable_growth", "stable_return_on_equity", "stable_cost_of_equity")
    paths = ("return_on_equity", "cost_of_equity", "payout")
    inputs = ExcessReturnInputs(
        **{name: book.get(name) for name in scalars}, **{name: tuple(book.get(f"{name}_path")) for name in paths}
    )
    return value_by_excess_returns(inputs).value_per_share


@pytest.mark.parametrize("symbol", BANKS)
def test_every_formula_computed_anew_gives_the_number_written_beside_it(banks, symbol: str):
    book = opened(banks[symbol])
    for key in book.formulas():
        computed, written = book.cell(key), book.shown[key]
        assert (computed == (written or "")) if isinstance(computed, str) else computed == pytest.approx(written), key
    assert len(book.formulas()) > 90
    assert book.get("value_per_share") == pytest.approx(banks[symbol].value_per_share, abs=CLOSE)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("book_equity", 9e10),
        ("shares_out", 2e9),
        ("return_on_equity", 0.2),
        ("risk_free", 0.035),
        ("equity_premium", 0.06),
        ("beta", 1.3),
    ],
)
def test_a_changed_input_moves_the_value_as_the_kernel_does(banks, name: str, value: float):
    book = opened(banks["LEDQ"])
    before = book.get("value_per_share")
    book.set(name, value)
    assert book.get("value_per_share") == pytest.approx(kernel(book), abs=CLOSE)
    assert book.get("value_per_share") != pytest.approx(before, abs=1e-3)


def test_a_changed_rate_is_what_the_builder_would_have_made_of_it(banks):
    book = opened(banks["LEDQ"])
    book.set("risk_free", 0.035)
    stable = 0.035 + book.get("equity_premium")
    assert book.get("stable_growth") == pytest.approx(0.03)
    assert book.get("cost_of_equity_path") == pytest.approx(
        fading_path(0.035 + book.get("beta") * book.get("equity_premium"), stable)
    )
    assert book.get("payout") == pytest.approx(1 - 0.03 / book.get("return_on_equity"))


def test_paths_that_follow_from_nothing_are_inputs(banks):
    found = banks["LEDQ"]
    inputs = replace(found.kernel_inputs, payout=(0.5, 0.6, 0.7, 0.5, 0.6, 0.7, 0.5, 0.6, 0.7, 0.8))
    value = value_by_excess_returns(inputs)
    changed = found.model_copy(
        update={"kernel_inputs": inputs, "valuation": value, "value_per_share": value.value_per_share}
    )
    book = opened(changed)
    assert book.get("value_per_share") == pytest.approx(value.value_per_share, abs=CLOSE)
    book.set("payout_path", 0.1, 3)
    assert book.get("value_per_share") == pytest.approx(kernel(book), abs=CLOSE)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("book_equity", -1.0, "book_equity must be greater than 0"),
        ("shares_out", 0.0, "shares_out must be greater than 0"),
        ("return_on_equity", -1.5, "return_on_equity must be greater than -1"),
        ("equity_premium", 0.0, "stable_growth must stay at least"),
    ],
)
def test_inputs_that_cannot_be_valued_give_a_reason_and_no_number(banks, name: str, value: float, reason: str):
    book = opened(banks["LEDQ"])
    book.set(name, value)
    assert book.get("problem").startswith(reason)
    with pytest.raises(NotAvailable):
        book.get("value_per_share")


def test_the_same_valuation_is_the_same_bytes_and_another_model_is_refused(banks):
    one = banks["LEDQ"]
    assert to_xlsx(excess_returns_workbook(one)) == to_xlsx(excess_returns_workbook(one))
    with pytest.raises(TypeError, match="not by its excess returns"):
        excess_returns_workbook(one.model_copy(update={"kernel_inputs": None}))
