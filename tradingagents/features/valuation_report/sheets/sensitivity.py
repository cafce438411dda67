"""The sheet of sensitivity: value per share over cost of capital and terminal growth, every cell a formula.

A spreadsheet's own data tables are not written by libraries and not computed by all programs, so that the steps are
laid out: discount factors for each shift of the cost of capital, cash flows for each shift of the terminal growth, and
one formula for each pair.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.sheets.forecast import Forecast
from tradingagents.features.valuation_report.sheets.value import bridge_formula, option_formulas
from tradingagents.reports.workbook import Cell, Sheet, column_letters
from tradingagents.valuation import ValuationInputs, grid
from tradingagents.valuation.inputs import LEAST_SPREAD, LONGEST_LAG
from tradingagents.valuation.sensitivity import DEFAULT_SHIFTS
from tradingagents.valuation.stack import option_value

ROW_SHIFTS = DEFAULT_SHIFTS["wacc"]
COLUMN_SHIFTS = DEFAULT_SHIFTS["stable_growth"]
GRID_ROW, GRID_COLUMN = 5, 2
"""Where the first cell of the grid stands."""
_NO_VALUE = "n/a"


@dataclass
class _Work:
    """The steps behind the grid, by shift."""

    rates: str
    """Range of the costs of capital."""
    factors: list[str] = field(default_factory=list)
    """Ranges of discount factors."""
    factor_values: list[list[float]] = field(default_factory=list)
    last_factors: list[str] = field(default_factory=list)
    flows: list[str] = field(default_factory=list)
    """Ranges of cash flows."""
    flow_values: list[list[float]] = field(default_factory=list)
    terminal: list[str] = field(default_factory=list)
    terminal_values: list[float] = field(default_factory=list)


def sensitivity_sheet(report: ValuationReport, forecast: Forecast, names: dict[str, str]) -> Sheet:
    """Return the grid with the steps it is computed in; the shifts are inputs."""
    sheet = Sheet("Sensitivity", widths=(40, 12, *(13,) * (report.inputs.years + 1 + LONGEST_LAG)))
    sheet.text(0, 0, f"Value per share of {report.name}", "title")
    sheet.text(1, 0, "Rows shift the cost of capital of all years, columns the terminal growth. All is live.", "note")
    _axes(report.inputs, sheet)
    work = _Work(forecast.row("wacc", 1, forecast.years))
    row = _factors(report, forecast, sheet, work, GRID_ROW + len(ROW_SHIFTS) + 4)
    row = _flows(report, forecast, sheet, work, row + 1)
    row = _grid(report, sheet, work, row + 1)
    centre = (GRID_ROW + ROW_SHIFTS.index(0.0), GRID_COLUMN + COLUMN_SHIFTS.index(0.0))
    names["grid_base"] = sheet.address(*centre)
    below = GRID_ROW + len(ROW_SHIFTS) + 1
    sheet.text(below, 0, "Middle of the grid less the value per share")
    sheet.put(below, 1, Cell(0.0, formula="grid_base-MAX(value_per_share,0)", format="factor"))
    return sheet


def _axes(inputs: ValuationInputs, sheet: Sheet) -> None:
    sheet.text(GRID_ROW - 2, 0, "Shift of the terminal growth")
    sheet.text(GRID_ROW - 1, 0, "Cost of capital, year 1 (shift in column B)", "head")
    sheet.text(GRID_ROW - 1, 1, "Shift", "head")
    for at, shift in enumerate(COLUMN_SHIFTS):
        column = GRID_COLUMN + at
        sheet.put(GRID_ROW - 2, column, Cell(shift, look="input", format="percent"))
        level = f"stable_growth+{column_letters(column)}{GRID_ROW - 1}"
        found = inputs.stable_growth + shift
        sheet.put(GRID_ROW - 1, column, Cell(found, formula=level, look="head", format="percent"))
    for at, shift in enumerate(ROW_SHIFTS):
        row = GRID_ROW + at
        sheet.put(row, 1, Cell(shift, look="input", format="percent"))


def _row_shift(at: int) -> str:
    return f"$B${GRID_ROW + at + 1}"


def _column_shift(at: int) -> str:
    return f"{column_letters(GRID_COLUMN + at)}${GRID_ROW - 1}"


def _factors(report: ValuationReport, forecast: Forecast, sheet: Sheet, work: _Work, row: int) -> int:
    """Place discount factors for each shift of the cost of capital, and return the next free row."""
    given = report.inputs
    sheet.text(row, 0, "Discount factors, at year end and as applied", "group")
    for at, shift in enumerate(ROW_SHIFTS):
        end, applied = row + 1 + 2 * at, row + 2 + 2 * at
        sheet.text(end, 0, f"Shift {shift:+.1%} as written: at year end")
        sheet.text(applied, 0, f"Shift {shift:+.1%} as written: as applied")
        level = f"{forecast.inputs.path_cell('wacc', 1)}+{_row_shift(at)}"
        found = given.wacc[0] + shift
        sheet.put(GRID_ROW + at, 0, Cell(found, formula=level, look="head", format="percent"))
        factor, factors = 1.0, []
        for year, rate in enumerate(given.wacc, start=1):
            letters = column_letters(1 + year)
            rate_cell = f"{forecast.inputs.path_cell('wacc', year)}+{_row_shift(at)}"
            before = f"{column_letters(year)}{end + 1}" if year > 1 else "1"
            factor = factor / (1 + rate + shift)
            factors.append(factor * math.sqrt(1 + rate + shift) if given.discounting == "midyear" else factor)
            sheet.put(end, 1 + year, Cell(factor, formula=f"{before}/(1+{rate_cell})", format="factor"))
            here = f"{letters}{end + 1}"
            midyear = f'IF(discounting="midyear",{here}*(1+{rate_cell})^0.5,{here})'
            sheet.put(applied, 1 + year, Cell(factors[-1], formula=midyear, format="factor"))
        last = 1 + given.years
        work.factors.append(f"$C${applied + 1}:${column_letters(last)}${applied + 1}")
        work.last_factors.append(f"${column_letters(last)}${applied + 1}")
        work.factor_values.append(factors)
    return row + 1 + 2 * len(ROW_SHIFTS)


def _flows(report: ValuationReport, forecast: Forecast, sheet: Sheet, work: _Work, row: int) -> int:
    """Place revenue and cash flows for each shift of the terminal growth, and return the next free row."""
    sheet.text(row, 0, "Revenue and free cash flow, the last number that of the terminal year", "group")
    for at, shift in enumerate(COLUMN_SHIFTS):
        revenue_row, flow_row = row + 1 + 2 * at, row + 2 + 2 * at
        sheet.text(revenue_row, 0, f"Shift {shift:+.1%} as written: revenue from year 0")
        sheet.text(flow_row, 0, f"Shift {shift:+.1%} as written: free cash flow from year 1")
        revenue = _revenue(report, forecast, sheet, revenue_row, at)
        work.flow_values.append(_cash(report, forecast, sheet, (revenue_row, flow_row), revenue))
        last = 1 + report.inputs.years
        work.flows.append(f"$C${flow_row + 1}:${column_letters(last)}${flow_row + 1}")
        formula, value = _terminal(report.inputs, (revenue_row, at), revenue[report.inputs.years])
        sheet.put(flow_row, last + 1, Cell(value, formula=formula, look="total", format="money"))
        work.terminal.append(f"${column_letters(last + 1)}${flow_row + 1}")
        work.terminal_values.append(value)
    return row + 1 + 2 * len(COLUMN_SHIFTS)


def _revenue(report: ValuationReport, forecast: Forecast, sheet: Sheet, row: int, at: int) -> list[float]:
    found: list[float] = []
    for year in range(report.inputs.years + 1 + LONGEST_LAG):
        if year <= report.inputs.years:
            found.append(forecast.value("revenue", year))
            formula = forecast.cell("revenue", year)
        else:
            found.append(found[-1] * (1 + report.inputs.stable_growth + COLUMN_SHIFTS[at]))
            formula = f"{column_letters(year)}{row + 1}*(1+stable_growth+{_column_shift(at)})"
        sheet.put(row, 1 + year, Cell(found[-1], formula=formula, format="money"))
    return found


def _cash(
    report: ValuationReport, forecast: Forecast, sheet: Sheet, rows: tuple[int, int], revenue: list[float]
) -> list[float]:
    given, found = report.inputs, []
    ends = f"$B${rows[0] + 1}:${column_letters(1 + given.years + LONGEST_LAG)}${rows[0] + 1}"
    lag = given.reinvestment_lag
    for year, earned in enumerate(report.projection.years, start=1):
        turnover = given.sales_to_capital[year - 1]
        found.append(earned.nopat - (revenue[year + lag] - revenue[year + lag - 1]) / turnover)
        later = f"{year}+reinvestment_lag"
        spent = f"(INDEX({ends},1,{later}+1)-INDEX({ends},1,{later}))"
        formula = f"{forecast.cell('nopat', year)}-{spent}/{forecast.cell('sales_to_capital', year)}"
        sheet.put(rows[1], 1 + year, Cell(found[-1], formula=formula, format="money"))
    return found


def _terminal(given: ValuationInputs, place: tuple[int, int], last: float) -> tuple[str, float]:
    """Return the cash flow of the terminal year at a shift, as a formula and as a number."""
    row, at = place
    growth = given.stable_growth + COLUMN_SHIFTS[at]
    after, before = (f"{column_letters(given.years + step)}{row + 1}" for step in (2, 1))
    earned = last * (1 + growth) * given.stable_margin * (1 - given.stable_tax)
    nopat = f"{after}*stable_margin*(1-stable_tax)"
    if given.stable_roic is not None:
        spent = f"MAX(stable_growth+{_column_shift(at)},0)/stable_roic*{nopat}"
        return f"{nopat}-{spent}", earned - max(growth, 0.0) / given.stable_roic * earned
    turnover = given.stable_sales_to_capital or math.nan
    return f"{nopat}-({after}-{before})/stable_sales_to_capital", earned - last * growth / turnover


def _grid(report: ValuationReport, sheet: Sheet, work: _Work, row: int) -> int:
    """Place the grid, and below the steps the blocks of equity and options it reads."""
    given = report.inputs
    values = grid(given, "wacc", "stable_growth").values
    blocks = ("Value of operations", "Value of the equity", "Share with the options exercised", "Employee options")
    wanted = blocks if given.options is not None else blocks[:2]
    tops = [row + number * (len(ROW_SHIFTS) + 2) for number in range(len(wanted))]
    for top, title in zip(tops, wanted, strict=True):
        sheet.text(top, 0, f"{title} at each pair of shifts", "group")
    for down in range(len(ROW_SHIFTS)):
        for right in range(len(COLUMN_SHIFTS)):
            steps = _cell_steps(given, work, (down, right))
            cells = [f"{column_letters(GRID_COLUMN + right)}{top + down + 2}" for top in tops]
            formulas = _chain(given, work, cells, (down, right))
            for top, value, formula in zip(tops, steps, formulas, strict=True):
                shown: float | str = value if math.isfinite(value) else _NO_VALUE
                _place(sheet, (top + 1 + down, GRID_COLUMN + right), shown, formula)
            found = float(values[down, right])
            result: float | str = found if math.isfinite(found) else _NO_VALUE
            options = cells[3] if given.options is not None else "option_value"
            formula = f'IF({cells[0]}="{_NO_VALUE}","{_NO_VALUE}",MAX(({cells[1]}-{options})/shares_out,0))'
            _place(sheet, (GRID_ROW + down, GRID_COLUMN + right), result, formula)
    return tops[-1] + len(ROW_SHIFTS) + 2


def _place(sheet: Sheet, at: tuple[int, int], value: float | str, formula: str) -> None:
    sheet.put(*at, Cell(value, formula=formula, format="money"))


def _chain(given: ValuationInputs, work: _Work, cells: list[str], at: tuple[int, int]) -> list[str]:
    """Return the formulas of one pair of shifts, from operations to employee options."""
    down, right = at
    cost, growth = f"stable_wacc+{_row_shift(down)}", f"stable_growth+{_column_shift(right)}"
    explicit = f"SUMPRODUCT({work.flows[right]},{work.factors[down]})"
    terminal = f"{work.terminal[right]}/({cost}-({growth}))*{work.last_factors[down]}"
    formula = f"{explicit}+{terminal}"
    for wrong in (
        f"{growth}>={cost}-{LEAST_SPREAD}",
        f"{growth}<=-1",
        f"MIN({work.rates},stable_wacc)+{_row_shift(down)}<=0",
        'problem<>""',
    ):
        formula = f'IF({wrong},"{_NO_VALUE}",{formula})'
    equity = _guarded(cells[0], bridge_formula(cells[0], given))
    if given.options is None:
        return [formula, equity]
    share, total = option_formulas(cells[2], cells[1])
    return [formula, equity, _guarded(cells[0], share), _guarded(cells[0], total)]


def _guarded(operating: str, formula: str) -> str:
    return f'IF({operating}="{_NO_VALUE}","{_NO_VALUE}",{formula})'


def _cell_steps(given: ValuationInputs, work: _Work, at: tuple[int, int]) -> list[float]:
    """Return the numbers of one pair of shifts; not a number where it cannot be valued."""
    down, right = at
    cost, growth = given.stable_wacc + ROW_SHIFTS[down], given.stable_growth + COLUMN_SHIFTS[right]
    rates = (*given.wacc, given.stable_wacc)
    admissible = -1 < growth < cost - LEAST_SPREAD and min(rates) + ROW_SHIFTS[down] > 0
    if not admissible:
        return [math.nan] * (4 if given.options is not None else 2)
    factors = work.factor_values[down]
    operating = sum(flow * factor for flow, factor in zip(work.flow_values[right], factors, strict=True))
    operating += work.terminal_values[right] / (cost - growth) * factors[-1]
    recovered = given.book_capital or 0.0 if given.distress_basis == "book" else operating
    chance = given.failure_probability
    equity = operating * (1 - chance) + chance * given.distress_proceeds * recovered
    equity += given.cash + given.non_operating_assets - given.debt - given.minority_interest - (given.net_debt or 0.0)
    if given.options is None:
        return [operating, equity]
    options = option_value(np.asarray(equity), given.shares_out, given.options)
    return [operating, equity, equity / (given.shares_out + given.options.count), float(options)]
