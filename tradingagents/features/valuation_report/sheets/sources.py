"""The sheet of sources: where every number comes from, what the data say, and what to look at."""

from __future__ import annotations

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.reports.workbook import Cell, Sheet


def sources_sheet(report: ValuationReport) -> Sheet:
    """Return the numbers as they were when the workbook was written, each with its source."""
    sheet = Sheet("Sources", widths=(40, 30, 18, 12, 80), frozen=(4, 0))
    inputs = report.inputs
    facts = (
        ("Company", report.name),
        ("Ticker", inputs.ticker),
        ("Valued as of", str(inputs.as_of or "")),
        ("Price of", str(report.price_day or "")),
        ("Kernel version", report.valuation.kernel_version),
    )
    sheet.text(0, 0, f"Sources: {report.name}", "title")
    sheet.text(1, 0, "; ".join(f"{name} {value}" for name, value in facts if value), "note")
    sheet.text(2, 0, "Numbers as written: a change on the sheet Inputs does not change them here.", "note")
    for column, title in enumerate(("Number", "Name", "Value", "Kind", "Source")):
        sheet.text(3, column, title, "head")
    row = 4
    for number in report.sourced:
        sheet.text(row, 0, label(number.name))
        sheet.text(row, 1, number.name, "note")
        sheet.put(row, 2, Cell(float(number.value), format="factor"))
        sheet.text(row, 3, number.kind)
        sheet.text(row, 4, number.source)
        row += 1
    for title, lines in (("Warnings and notes", report.warnings), ("Not available", report.refusals)):
        if lines:
            row += 1
            sheet.text(row, 0, title, "group")
            for line in lines:
                row += 1
                sheet.text(row, 0, line)
            row += 1
    return sheet
