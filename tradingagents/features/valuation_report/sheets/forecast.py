"""The sheet of the forecast: a column a year, from the year before the first to the terminal one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.sheets.inputs import InputsSheet
from tradingagents.reports.workbook import Cell, Format, Look, Sheet, column_letters
from tradingagents.valuation.inputs import LONGEST_LAG

BASE_COLUMN = 1
"""Column of year 0; year t stands t columns further."""
HEAD_ROW = 2
ROWS = (
    *("revenue", "growth", "margin", "ebit", "tax_rate", "nol_start", "shield", "tax", "nopat", "nol_end"),
    *("sales_to_capital", "reinvestment", "fcff", "wacc", "compounded", "discount_factor", "pv"),
    *("invested_capital", "roic"),
)
_TITLES = {
    "revenue": "Revenue",
    "growth": "Growth",
    "margin": "Operating margin",
    "ebit": "Operating income",
    "tax_rate": "Tax rate",
    "nol_start": "Losses carried forward, start",
    "shield": "Losses used",
    "tax": "Tax",
    "nopat": "Operating income after tax",
    "nol_end": "Losses carried forward, end",
    "sales_to_capital": "Sales to capital",
    "reinvestment": "Reinvestment",
    "fcff": "Free cash flow of the firm",
    "wacc": "Cost of capital",
    "compounded": "Discount factor at year end",
    "discount_factor": "Discount factor as applied",
    "pv": "Present value",
    "invested_capital": "Invested capital, end",
    "roic": "Return on capital at the start",
}
_FORMATS: dict[str, Format] = {
    **dict.fromkeys(ROWS, "money"),
    **dict.fromkeys(("growth", "margin", "tax_rate", "wacc", "roic"), "percent"),
    **dict.fromkeys(("compounded", "discount_factor"), "factor"),
    "sales_to_capital": "ratio",
}
_TOTALS = ("fcff", "pv")


@dataclass(frozen=True)
class Forecast:
    """The sheet, and where its numbers stand."""

    sheet: Sheet
    inputs: InputsSheet
    years: int

    def cell(self, row: str, year: int) -> str:
        """Return the address of a row's year."""
        return self.sheet.address(row_number(row), BASE_COLUMN + year)

    def row(self, row: str, first: int, last: int) -> str:
        """Return the address of a row from one year to another."""
        return self.sheet.row_address(row_number(row), BASE_COLUMN + first, BASE_COLUMN + last)

    def value(self, row: str, year: int) -> float:
        """Return the number of a row's year."""
        return self.sheet.value(row_number(row), BASE_COLUMN + year)


def row_number(row: str) -> int:
    """Return where a row stands."""
    return HEAD_ROW + 1 + ROWS.index(row)


def forecast_sheet(report: ValuationReport, inputs: InputsSheet) -> Forecast:
    """Return the forecast as formulas over the inputs."""
    years = report.inputs.years
    sheet = Sheet("Forecast", widths=(34, *(14,) * (years + 2)), frozen=(HEAD_ROW + 1, 1))
    forecast = Forecast(sheet, inputs, years)
    money = report.inputs.currency or "the unit of the inputs"
    sheet.text(0, 0, f"Forecast of {report.name}", "title")
    sheet.text(1, 0, f"Money in {money}. The year after the last is the terminal one.", "note")
    sheet.text(HEAD_ROW, 0, "Year", "head")
    for year in range(years + 1 + LONGEST_LAG):
        sheet.put(HEAD_ROW, BASE_COLUMN + year, Cell(year, look="head", format="whole"))
    for name in ROWS:
        sheet.text(row_number(name), 0, _TITLES[name], "total" if name in _TOTALS else "label")
    _start(report, forecast)
    for year in range(1, years + 1):
        _year(report, forecast, year)
    _terminal(report, forecast)
    return forecast


def _placer(forecast: Forecast, year: int) -> Callable[[str, float | str, str], None]:
    def place(row: str, value: float | str, formula: str) -> None:
        look: Look = "total" if row in _TOTALS else "result"
        cell = Cell(value, formula=formula, look=look, format=_FORMATS[row])
        forecast.sheet.put(row_number(row), BASE_COLUMN + year, cell)

    return place


def _here(year: int) -> Callable[[str], str]:
    """Return how formulas of this sheet name the rows of a year."""
    letters = column_letters(BASE_COLUMN + year)
    return lambda row: f"{letters}{row_number(row) + 1}"


def _start(report: ValuationReport, forecast: Forecast) -> None:
    place, given, start = _placer(forecast, 0), report.inputs, report.projection.start_capital
    place("revenue", given.revenue_t0, "revenue_t0")
    place("nol_end", given.nol_t0, "nol_t0")
    forecast.sheet.put(row_number("compounded"), BASE_COLUMN, Cell(1.0, format="factor"))
    turnover = forecast.inputs.path_cell("sales_to_capital", 1)
    place("invested_capital", start, "book_capital" if given.book_capital is not None else f"revenue_t0/{turnover}")


def _year(report: ValuationReport, forecast: Forecast, year: int) -> None:
    place, here, before = _placer(forecast, year), _here(year), _here(year - 1)
    row, given = report.projection.years[year - 1], report.inputs
    for name, path in (
        *(("growth", "sales_growth"), ("margin", "oper_margin"), ("tax_rate", "tax_rate")),
        *(("sales_to_capital", "sales_to_capital"), ("wacc", "wacc")),
    ):
        place(name, getattr(given, path)[year - 1], forecast.inputs.path_cell(path, year))
    place("revenue", row.revenue, f"{before('revenue')}*(1+{here('growth')})")
    place("ebit", row.ebit, f"{here('margin')}*{here('revenue')}")
    carried = forecast.value("nol_end", year - 1)
    place("nol_start", carried, before("nol_end"))
    place("shield", min(carried, max(row.ebit, 0.0)), f"MIN({here('nol_start')},MAX({here('ebit')},0))")
    place("tax", row.tax, f"{here('tax_rate')}*(MAX({here('ebit')},0)-{here('shield')})")
    place("nopat", row.nopat, f"{here('ebit')}-{here('tax')}")
    place("nol_end", row.nol, f"{here('nol_start')}-{here('shield')}-MIN({here('ebit')},0)")
    revenues = f"$B${row_number('revenue') + 1}:${column_letters(BASE_COLUMN + forecast.years + LONGEST_LAG)}"
    revenues += f"${row_number('revenue') + 1}"
    later = f"{column_letters(BASE_COLUMN + year)}${HEAD_ROW + 1}+reinvestment_lag"
    spent = f"(INDEX({revenues},1,{later}+1)-INDEX({revenues},1,{later}))/{here('sales_to_capital')}"
    place("reinvestment", row.reinvestment, spent)
    place("fcff", row.fcff, f"{here('nopat')}-{here('reinvestment')}")
    factor = forecast.value("compounded", year - 1) / (1 + row.wacc)
    place("compounded", factor, f"{before('compounded')}/(1+{here('wacc')})")
    midyear = f'IF(discounting="midyear",{here("compounded")}*(1+{here("wacc")})^0.5,{here("compounded")})'
    place("discount_factor", row.discount_factor, midyear)
    place("pv", row.pv, f"{here('fcff')}*{here('discount_factor')}")
    place("invested_capital", row.invested_capital, f"{before('invested_capital')}+{here('reinvestment')}")
    _return(forecast, year, row.roic)


def _terminal(report: ValuationReport, forecast: Forecast) -> None:
    last, year = forecast.years, forecast.years + 1
    place, here, before = _placer(forecast, year), _here(year), _here(last)
    row, given = report.projection.terminal, report.inputs
    place("growth", given.stable_growth, "stable_growth")
    place("margin", given.stable_margin, "stable_margin")
    place("tax_rate", given.stable_tax, "stable_tax")
    place("wacc", given.stable_wacc, "stable_wacc")
    place("revenue", row.revenue, f"{before('revenue')}*(1+{here('growth')})")
    place("ebit", row.ebit, f"{here('revenue')}*{here('margin')}")
    place("tax", row.tax, f"{here('ebit')}*{here('tax_rate')}")
    place("nopat", row.nopat, f"{here('ebit')}-{here('tax')}")
    if given.stable_roic is not None:
        spent = f"MAX({here('growth')},0)/stable_roic*{here('nopat')}"
    else:
        spent = f"({here('revenue')}-{before('revenue')})/stable_sales_to_capital"
    place("reinvestment", row.reinvestment, spent)
    place("fcff", row.fcff, f"{here('nopat')}-{here('reinvestment')}")
    place("invested_capital", row.invested_capital, f"{before('invested_capital')}+{here('reinvestment')}")
    _return(forecast, year, row.roic)
    revenue = row.revenue
    for later in range(year + 1, last + 1 + LONGEST_LAG):
        revenue *= 1 + given.stable_growth
        _placer(forecast, later)("revenue", revenue, f"{_here(later - 1)('revenue')}*(1+stable_growth)")


def _return(forecast: Forecast, year: int, found: float | None) -> None:
    capital = _here(year - 1)("invested_capital")
    formula = f'IF({capital}>0,{_here(year)("nopat")}/{capital},"n/a")'
    _placer(forecast, year)("roic", "n/a" if found is None else found, formula)
