"""The workbook of a valuation: inputs that can be changed, and formulas that compute the value from them.

Each formula is that of the kernel, and holds the kernel's number as its result. The years of a path follow from the
assumptions they were built from wherever a formula gives the same path; otherwise each year is an input.
"""

from __future__ import annotations

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.sheets.forecast import forecast_sheet
from tradingagents.features.valuation_report.sheets.inputs import InputsSheet
from tradingagents.features.valuation_report.sheets.sensitivity import sensitivity_sheet
from tradingagents.features.valuation_report.sheets.sources import sources_sheet
from tradingagents.features.valuation_report.sheets.value import value_sheet
from tradingagents.reports.workbook import Workbook


def valuation_workbook(report: ValuationReport) -> Workbook:
    """Return the workbook of a valuation: inputs, forecast, value, sensitivity and sources."""
    names: dict[str, str] = {}
    inputs = InputsSheet(report, names)
    forecast = forecast_sheet(report, inputs)
    value = value_sheet(report, forecast, names)
    return Workbook(
        title=f"Valuation of {report.name}",
        as_of=report.inputs.as_of,
        sheets=(inputs.sheet, forecast.sheet, value, sensitivity_sheet(report, forecast, names), sources_sheet(report)),
        names=names,
    )
