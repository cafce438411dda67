"""The workbook of a bank or insurer: inputs that can be changed, and the formulas of the excess-return model."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.reports.workbook import Cell, Format, Look, Sheet, Workbook, column_letters
from tradingagents.valuation import EquityValuation, ExcessReturnInputs, fading_path
from tradingagents.valuation.company.capital_cost import BELOW_RISK_FREE
from tradingagents.valuation.company.results import CompanyValuation
from tradingagents.valuation.inputs import LEAST_SPREAD
from tradingagents.valuation.paths import HIGH_YEARS

FIRST_YEAR = 2
"""Column of year 1 in the forecast."""
_SAME = 1e-12
_DERIVED: Mapping[str, str] = {
    "stable_growth": f"risk_free-{BELOW_RISK_FREE}",
    "stable_cost_of_equity": "risk_free+equity_premium",
    "stable_return_on_equity": "stable_cost_of_equity",
    "payout": "MIN(MAX(1-stable_growth/return_on_equity,0),1)",
}
"""What a default is by convention, as a formula over other inputs."""
_FORMATS: Mapping[str, Format] = {"book_equity": "money", "shares_out": "number", "beta": "ratio", "price": "money"}
_TITLES = {"problem": "Why the inputs cannot be valued", "upside": "Value over price, less 1"}
_NEEDED = ("book_equity", "shares_out", "stable_growth", "stable_return_on_equity", "stable_cost_of_equity")


def excess_returns_workbook(found: CompanyValuation) -> Workbook:
    """Return the workbook of a company that is valued by its excess returns: inputs, forecast, value.

    Raises:
        TypeError: It is valued by another model.
    """
    inputs, value = found.kernel_inputs, found.valuation
    if not isinstance(inputs, ExcessReturnInputs) or not isinstance(value, EquityValuation):
        raise TypeError(f"{found.symbol} is valued by {found.model}, not by its excess returns.")
    names: dict[str, str] = {}
    sheets = (
        _inputs_sheet(found, inputs, names),
        _forecast_sheet(found, inputs, value, names),
        _value_sheet(found, value, names),
    )
    return Workbook(title=f"Valuation of {found.name}", as_of=found.as_of, sheets=sheets, names=names)


def _inputs_sheet(found: CompanyValuation, inputs: ExcessReturnInputs, names: dict[str, str]) -> Sheet:
    """Place a named cell for each assumption, and for each input that is not among them."""
    sheet = Sheet("Inputs", widths=(44, 26, 20, 12, 80), frozen=(4, 0))
    sheet.text(0, 0, f"Inputs: {found.name}", "title")
    sheet.text(1, 0, f"Money in {found.currency or 'the currency of the statements'}.", "note")
    sheet.text(2, 0, "Shaded numbers may be changed; the other sheets follow.", "note")
    for column, title in enumerate(("Input", "Name", "Value", "Kind", "Source")):
        sheet.text(3, column, title, "head")
    rows = [(assumption.name, assumption.value, assumption.kind, assumption.source) for assumption in found.assumptions]
    stated = {name for name, *_ in rows}
    rows += [(name, getattr(inputs, name), "given", "as valued") for name in _NEEDED if name not in stated]
    rows.append(("price", found.price, "data", f"get_stock_data: close of {found.price_day}"))
    numbers = {name: float(value) for name, value, *_ in rows}
    for row, (name, value, kind, source) in enumerate(rows, start=4):
        formula = _DERIVED.get(name, "") if kind == "default" and _follows(name, numbers) else ""
        look: Look = "result" if formula else "input"
        sheet.text(row, 0, label(name))
        sheet.text(row, 1, name, "note")
        cell = Cell(float(value), formula=formula, look=look, format=_FORMATS.get(name, "percent"))
        names[name] = sheet.put(row, 2, cell)
        sheet.text(row, 3, kind)
        sheet.text(row, 4, source)
    return sheet


def _follows(name: str, numbers: Mapping[str, float]) -> bool:
    """Return whether a default is the number that its formula gives."""
    get = {key: numbers.get(key, math.nan) for key in ("risk_free", "equity_premium", "stable_cost_of_equity")}
    growth, earned = numbers.get("stable_growth", math.nan), numbers.get("return_on_equity", math.nan)
    expected = {
        "stable_growth": get["risk_free"] - BELOW_RISK_FREE,
        "stable_cost_of_equity": get["risk_free"] + get["equity_premium"],
        "stable_return_on_equity": get["stable_cost_of_equity"],
        "payout": min(max(1 - growth / earned, 0.0), 1.0) if earned > 0 else math.nan,
    }
    return abs(expected.get(name, math.nan) - numbers[name]) <= _SAME


def _forecast_sheet(
    found: CompanyValuation, inputs: ExcessReturnInputs, value: EquityValuation, names: dict[str, str]
) -> Sheet:
    """Place the forecast year by year; each row is named as the kernel names it, with `_path`."""
    sheet = Sheet("Forecast", widths=(44, 26), frozen=(2, 2))
    sheet.text(0, 0, f"Forecast: {found.name}", "title")
    sheet.text(1, 0, "Year", "head")
    last = FIRST_YEAR + len(value.years) - 1
    for year in value.years:
        sheet.put(1, FIRST_YEAR + year.t - 1, Cell(float(year.t), look="head", format="whole"))
    numbers = {assumption.name: float(assumption.value) for assumption in found.assumptions}
    cost = numbers.get("risk_free", math.nan) + numbers.get("beta", math.nan) * numbers.get("equity_premium", math.nan)
    first_cost = "(risk_free+beta*equity_premium)"
    fades = (
        ("return_on_equity", numbers.get("return_on_equity", math.nan), "return_on_equity", "stable_return_on_equity"),
        ("cost_of_equity", cost, first_cost, "stable_cost_of_equity"),
    )
    for row, (name, first, start, end) in enumerate(fades, start=2):
        path = getattr(inputs, name)
        formulas = _fade(path, first, start, getattr(inputs, end), end)
        _row(sheet, row, name, path, formulas, "percent")
    flat = "payout" in names and all(abs(one - numbers["payout"]) <= _SAME for one in inputs.payout)
    _row(sheet, 4, "payout", inputs.payout, ["payout"] * len(inputs.payout) if flat else None, "percent")
    _money_rows(sheet, inputs, value)
    names.update({f"{name}_path": sheet.row_address(row, FIRST_YEAR, last) for name, row in _ROWS.items()})
    return sheet


_ROWS: Mapping[str, int] = {
    name: row
    for row, name in enumerate(
        (
            *("return_on_equity", "cost_of_equity", "payout", "opening_equity", "net_income", "dividend"),
            *("book_equity", "excess_return", "discount_factor", "pv"),
        ),
        start=2,
    )
}


def _money_rows(sheet: Sheet, inputs: ExcessReturnInputs, value: EquityValuation) -> None:
    """Place what follows from the rates, as the kernel computes it."""
    opening = [inputs.book_equity, *(float(year.book_equity or 0.0) for year in value.years[:-1])]
    series: dict[str, tuple[Sequence[float], Format]] = {
        "opening_equity": (opening, "money"),
        "net_income": ([float(year.net_income or 0.0) for year in value.years], "money"),
        "dividend": ([year.dividend for year in value.years], "money"),
        "book_equity": ([float(year.book_equity or 0.0) for year in value.years], "money"),
        "excess_return": ([float(year.excess_return or 0.0) for year in value.years], "money"),
        "discount_factor": ([year.discount_factor for year in value.years], "factor"),
        "pv": ([year.pv for year in value.years], "money"),
    }
    for name, (values, kind) in series.items():
        formulas = [_formula(sheet, name, at) for at in range(len(values))]
        _row(sheet, _ROWS[name], name, values, formulas, kind)


def _formula(sheet: Sheet, name: str, at: int) -> str:
    def cell(row: str, back: int = 0) -> str:
        return sheet.address(_ROWS[row], FIRST_YEAR + at - back)

    return {
        "opening_equity": "book_equity" if at == 0 else cell("book_equity", 1),
        "net_income": f"{cell('return_on_equity')}*{cell('opening_equity')}",
        "dividend": f"{cell('net_income')}*{cell('payout')}",
        "book_equity": f"{cell('opening_equity')}+{cell('net_income')}-{cell('dividend')}",
        "excess_return": f"({cell('return_on_equity')}-{cell('cost_of_equity')})*{cell('opening_equity')}",
        "discount_factor": f"{'1' if at == 0 else cell('discount_factor', 1)}/(1+{cell('cost_of_equity')})",
        "pv": f"{cell('excess_return')}*{cell('discount_factor')}",
    }[name]


def _fade(path: Sequence[float], first: float, start: str, last: float, end: str) -> list[str] | None:
    """Return the formulas of a path that holds for five years and fades; None for any other path."""
    built = fading_path(first, last, len(path))
    if not all(abs(one - other) <= _SAME for one, other in zip(built, path, strict=True)):
        return None
    fade = len(path) - HIGH_YEARS
    between = [f"{start}+({end}-{start})*{year}/{fade}" for year in range(1, fade)]
    return [*[start] * min(HIGH_YEARS, len(path)), *between, *([end] if fade > 0 else [])]


def _row(
    sheet: Sheet,
    row: int,
    name: str,
    values: Sequence[float],
    formulas: Sequence[str] | None,
    kind: Format,
) -> None:
    sheet.text(row, 0, label(name))
    sheet.text(row, 1, f"{name}_path", "note")
    for at, number in enumerate(values):
        formula = formulas[at] if formulas else ""
        cell = Cell(number, formula=formula, look="result" if formula else "input", format=kind)
        sheet.put(row, FIRST_YEAR + at, cell)


def _value_sheet(found: CompanyValuation, value: EquityValuation, names: dict[str, str]) -> Sheet:
    """Place the value: book equity, present values, value of the equity and of a share."""
    sheet = Sheet("Value", widths=(44, 20, 26))
    sheet.text(0, 0, f"Value of {found.name}", "title")
    last = f"Forecast!${column_letters(FIRST_YEAR + len(value.years) - 1)}$"
    closing, factor = f"{last}{_ROWS['book_equity'] + 1}", f"{last}{_ROWS['discount_factor'] + 1}"
    spread = "(stable_return_on_equity-stable_cost_of_equity)"
    upside = value.value_per_share / found.price - 1
    lines: list[tuple[str, float | str, str, Format]] = [
        ("pv_explicit", value.pv_explicit, "SUM(pv_path)", "money"),
        (
            "pv_terminal",
            value.pv_terminal,
            f"{spread}*{closing}/(stable_cost_of_equity-stable_growth)*{factor}",
            "money",
        ),
        ("equity_value", value.equity_value, "book_equity+pv_explicit+pv_terminal", "money"),
        ("problem", "", _problem(), "text"),
        ("value_per_share", value.value_per_share, 'IF(problem="",equity_value/shares_out,NA())', "money"),
        ("upside", upside, 'IF(value_per_share>0,value_per_share/price-1,"no value")', "percent"),
    ]
    for row, (name, number, formula, kind) in enumerate(lines, start=2):
        title = _TITLES.get(name) or label(name)
        sheet.text(row, 0, title, "total" if name == "value_per_share" else "label")
        look: Look = "total" if name == "value_per_share" else "result"
        names[name] = sheet.put(row, 1, Cell(number, formula=formula, look=look, format=kind))
        sheet.text(row, 2, name, "note")
    note = f"Value per share as written, by the kernel, version {value.kernel_version}"
    row = len(lines) + 3
    sheet.text(row, 0, note)
    sheet.put(row, 1, Cell(value.value_per_share, format="money"))
    return sheet


def _problem() -> str:
    """Return the formula of the first reason why the inputs cannot be valued; an empty text where they can."""
    rules = [
        ("book_equity<=0", "book_equity must be greater than 0"),
        ("shares_out<=0", "shares_out must be greater than 0"),
        ("MIN(return_on_equity_path)<=-1", "return_on_equity must be greater than -1"),
        ("MIN(cost_of_equity_path)<=0", "cost_of_equity must be greater than 0"),
        ("stable_growth<=-1", "stable_growth must be greater than -1"),
        (
            f"stable_growth>=stable_cost_of_equity-{LEAST_SPREAD}",
            f"stable_growth must stay at least {LEAST_SPREAD} below stable_cost_of_equity",
        ),
        (
            "MIN(stable_growth,stable_growth-stable_return_on_equity)>0",
            "stable_return_on_equity must not be below stable_growth",
        ),
    ]
    formula = '""'
    for condition, reason in reversed(rules):
        formula = f'IF({condition},"{reason}",{formula})'
    return formula
