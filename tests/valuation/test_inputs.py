"""Inadmissible inputs are refused by name."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from tests.valuation.cases import FULL, SMALL
from tradingagents.errors import UsageError
from tradingagents.valuation import (
    EmployeeOptions,
    InadmissibleInput,
    ValuationInputs,
    canonical_json,
    read_inputs,
    value_company,
)

REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("sales_growth", {"sales_growth": (0.1,) * 7}),
    ("sales_growth", {"sales_growth": ()}),
    ("sales_growth", {"sales_growth": 0.1}),
    ("sales_growth", {"sales_growth": (0.1, 0.1, -1.0, 0.1, 0.1)}),
    ("sales_growth[3]", {"sales_growth": (0.1, 0.1, math.nan, 0.1, 0.1)}),
    ("oper_margin", {"oper_margin": (0.2,) * 4}),
    ("oper_margin[1]", {"oper_margin": (math.inf,) * 5}),
    ("tax_rate", {"tax_rate": 1.2}),
    ("tax_rate", {"tax_rate": -0.1}),
    ("sales_to_capital", {"sales_to_capital": 0.0}),
    ("sales_to_capital", {"sales_to_capital": -1.0}),
    ("wacc", {"wacc": 0.0}),
    ("wacc[1]", {"wacc": "ten"}),
    ("wacc[1]", {"wacc": True}),
    ("revenue_t0", {"revenue_t0": -1}),
    ("revenue_t0", {"revenue_t0": math.nan}),
    ("shares_out", {"shares_out": 0}),
    ("stable_growth", {"stable_growth": 0.095}),
    ("stable_growth", {"stable_growth": math.nan}),
    ("stable_margin", {"stable_margin": math.nan}),
    ("stable_wacc", {"stable_wacc": math.nan}),
    ("stable_wacc", {"stable_wacc": -0.1}),
    ("stable_tax", {"stable_tax": 2.0}),
    ("stable_roic", {"stable_roic": 0.1}),
    ("stable_roic", {"stable_sales_to_capital": None}),
    ("stable_sales_to_capital", {"stable_sales_to_capital": 0.0}),
    ("discounting", {"discounting": "start"}),
    ("reinvestment_lag", {"reinvestment_lag": 4}),
    ("reinvestment_lag", {"reinvestment_lag": 1.5}),
    ("nol_t0", {"nol_t0": -5}),
    ("failure_probability", {"failure_probability": 1.01}),
    ("distress_proceeds", {"distress_proceeds": -0.01}),
    ("distress_basis", {"distress_basis": "market"}),
    ("book_capital", {"distress_basis": "book"}),
    ("net_debt", {"net_debt": 100, "cash": 50}),
    ("net_debt", {"net_debt": 100, "debt": 50}),
    ("debt", {"debt": math.inf}),
    ("cash", {"cash": -1}),
    ("company", {"company": 7}),
    ("as_of", {"as_of": "soon"}),
    ("option_value", {"option_value": 3, "options": EmployeeOptions(5, 10, 3, 0.3, 0.04)}),
]


@pytest.mark.parametrize(("name", "changes"), REFUSED, ids=lambda value: str(value)[:60])
def test_inadmissible_inputs_are_refused_by_name(name: str, changes: dict[str, Any]) -> None:
    with pytest.raises(InadmissibleInput) as refused:
        SMALL.with_values(**changes)
    assert refused.value.name == name
    assert str(refused.value).startswith(f"{name}: ")
    assert isinstance(refused.value, UsageError)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("name", ["revenue_t0", "shares_out", "sales_growth", "wacc", "stable_growth"])
def test_a_missing_input_is_named(name: str) -> None:
    given = FULL.to_dict()
    del given[name]
    with pytest.raises(InadmissibleInput, match=f"^{name}: is missing"):
        ValuationInputs.from_dict(given)


def test_an_unknown_input_is_named() -> None:
    with pytest.raises(InadmissibleInput, match=r"^waccc: there is no such input; known are .*wacc"):
        ValuationInputs.from_dict({**FULL.to_dict(), "waccc": 0.1})


@pytest.mark.parametrize("text", ["", "[1]", "{", '"wacc"', "{}"])
def test_what_is_no_json_of_inputs_is_refused(text: str) -> None:
    with pytest.raises(InadmissibleInput):
        read_inputs(text)


def test_json_not_a_number_is_refused() -> None:
    with pytest.raises(InadmissibleInput, match=r"^stable_margin: must be a finite number"):
        read_inputs(json.dumps({**FULL.to_dict(), "stable_margin": math.nan}))


@pytest.mark.parametrize("field", ["strike", "years", "volatility"])
def test_options_without_a_positive_number_are_refused(field: str) -> None:
    good = {"count": 5.0, "strike": 10.0, "years": 3.0, "volatility": 0.3, "risk_free": 0.04}
    with pytest.raises(InadmissibleInput, match=rf"options\.{field}"):
        EmployeeOptions(**{**good, field: 0.0})


def test_terminal_rates_default_to_the_last_year() -> None:
    assert (SMALL.stable_wacc, SMALL.stable_tax) == (0.10, 0.25)


def test_a_value_that_is_not_finite_is_refused() -> None:
    with pytest.raises(InadmissibleInput, match="not finite"):
        value_company(SMALL.with_values(revenue_t0=1.7e308, sales_growth=(1.0,) * 5))


def test_canonical_json_round_trip() -> None:
    text = canonical_json(FULL)
    assert canonical_json(read_inputs(text)) == text
    assert text.startswith('{"cash":150.0,"company":"Full Case"')
