"""The calculator over cited cells."""

from __future__ import annotations

import pytest

from tradingagents.retrieval.calculation import (
    CalculationRequest,
    CitedOperand,
    Output,
    calculate,
    for_year,
    formula_in_words,
    operand_names,
)
from tradingagents.retrieval.models import TextPlace


def operand(name: str, value: float, unit: str = "USD", scale: float = 1e6) -> CitedOperand:
    return CitedOperand(
        name=name,
        label=name.title(),
        column="2023",
        text=f"{value / scale:,.0f}",
        value=value,
        unit=unit,
        scale=scale,
        document_name="ACME 10-K 2023",
        place=TextPlace("d", 3, 10, 15),
    )


def request(expression: str, output: Output = "number", **values: float) -> CalculationRequest:
    operands = tuple(operand(name, value) for name, value in values.items())
    return CalculationRequest(expression=expression, operands=operands, output=output)


def test_the_formula_is_shown_with_its_figures() -> None:
    result = calculate(request("capex / revenue", "percent", capex=1577e6, revenue=32765e6))
    assert result.value == pytest.approx(4.8131, abs=1e-4)
    assert result.formula == "capex / revenue = 1,577 / 32,765 = 4.81 %"
    assert [each.place.page for each in result.operands if each.place] == [3, 3]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("a - b * 2", 60e6),
        ("-(a - b)", -80e6),
        ("average(a, b)", 60e6),
        ("growth(b, a)", 4.0),
        ("cagr(b, a, 2)", 5**0.5 - 1),
        ("365 * b / a", 73.0),
        ("absolute(b - a)", 80e6),
        ("a / (b + 0)", 5.0),
    ],
)
def test_operations(expression: str, value: float) -> None:
    assert calculate(request(expression, a=100e6, b=20e6)).value == pytest.approx(value)


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("a / c", "`c` is missing"),
        ("a / (b - b)", "zero"),
        ("growth(b - b, a)", "not defined"),
        ("a * b", "multiply USD by USD"),
        ("a + 5", "different units"),
        ("a +", "lacks"),
        ("(a", "lacks `)`"),
        ("a b", "cannot be read"),
        ("__import__('os')", "cannot be read"),
        ("", "empty"),
        ("(" * 60 + "a" + ")" * 60, "nested too deeply"),
        ("cagr(b - a, a, 2)", "positive figures"),
    ],
)
def test_refusals_say_why(expression: str, reason: str) -> None:
    result = calculate(request(expression, a=100e6, b=20e6))
    assert result.value is None
    assert reason in result.refusal


def test_currencies_are_not_mixed() -> None:
    operands = (operand("a", 1e6, "USD"), operand("b", 1e6, "EUR"))
    for expression in ("a + b", "a / b", "average(a, b)"):
        result = calculate(CalculationRequest(expression=expression, operands=operands))
        assert result.value is None
        assert "EUR" in result.refusal


def test_the_kind_of_result_asked_for_is_kept_to() -> None:
    assert calculate(request("a", "percent", a=5e6)).refusal
    assert calculate(request("a / b", "money", a=5e6, b=1e6)).refusal
    assert calculate(request("a / b", "times", a=5e6, b=1e6)).unit == "times"


def test_a_request_goes_through_json() -> None:
    asked = request("a / b", "percent", a=1e6, b=4e6)
    assert calculate(CalculationRequest.model_validate_json(asked.model_dump_json())).value == 25.0


def test_names_are_put_to_a_year() -> None:
    assert for_year("revenue / average(cash, cash@-1) + debt@2019", 2023) == (
        "revenue@2023 / average(cash@2023, cash@2022) + debt@2019"
    )
    assert operand_names("average(a@2020, b) - a@2020 / 365") == ("a@2020", "b")


@pytest.mark.parametrize(
    ("formula", "words"),
    [
        ("net_income@2024 / revenue@2024 = 2 / 12 = 16.67 %", "net income 2024 / revenue 2024 = 2 / 12 = 16.67 %"),
        ("growth(long_term_debt@2022, long_term_debt@2023)", "growth(long-term debt 2022, long-term debt 2023)"),
        ("(short_term_debt_1@2024 + short_term_debt_2@2024)", "(short-term debt 2024 (1) + short-term debt 2024 (2))"),
        ("revenue@20241031 / 2", "revenue to 2024-10-31 / 2"),
        ("year - nine_months", "year - nine months"),
        ("", ""),
    ],
)
def test_a_formula_is_read_in_words(formula: str, words: str) -> None:
    assert formula_in_words(formula) == words
