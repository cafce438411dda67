"""The workbook of a grid: the grid with figures as numbers, and a row for each cell with its citation."""

from __future__ import annotations

from datetime import date

from tradingagents.features.filings_grid.report import passage_address, shown_answer
from tradingagents.features.filings_grid.schemas import FilingsCell, GridRecord
from tradingagents.files.plain_text import one_line
from tradingagents.reports.workbook import Cell, Sheet, Workbook

HEAD = (
    "Document",
    "Company",
    "Question",
    "Status",
    "Value",
    "Unit",
    "Answer",
    "Why not",
    "Pages",
    "Passage",
    "Address",
)


def grid_workbook(record: GridRecord, title: str) -> Workbook:
    """Return the workbook of a grid."""
    return Workbook(
        title=title, as_of=date.fromisoformat(record.as_of[:10]), sheets=[_grid(record), _cells(record)], names={}
    )


def _grid(record: GridRecord) -> Sheet:
    sheet = Sheet("Grid", widths=(28, *[24] * len(record.questions)), frozen=(1, 1))
    sheet.text(0, 0, "Document", "head")
    for column, question in enumerate(record.questions, start=1):
        sheet.text(0, column, one_line(question), "head")
    for row, document in enumerate(record.documents, start=1):
        sheet.text(row, 0, one_line(document.name))
    for cell in record.cells:
        sheet.put(cell.row + 1, cell.column + 1, _shown(cell))
    return sheet


def _shown(cell: FilingsCell) -> Cell:
    """Return a figure as a number where it is one, else the words of the cell."""
    if cell.status == "value" and cell.value is not None:
        return Cell(cell.value, format="number")
    return Cell(shown_answer(cell), look="wrapped", format="text")


def _cells(record: GridRecord) -> Sheet:
    sheet = Sheet("Cells", widths=(28, 10, 40, 10, 16, 14, 40, 30, 10, 60, 40), frozen=(1, 0))
    for column, name in enumerate(HEAD):
        sheet.text(0, column, name, "head")
    for row, cell in enumerate(record.cells, start=1):
        document = record.documents[cell.row]
        texts = {
            0: document.name,
            1: document.symbol,
            2: record.questions[cell.column],
            3: cell.status,
            5: cell.unit,
            6: "; ".join([cell.answer, *(other.shown for other in cell.others)]),
            7: cell.reason,
            8: ", ".join(str(page) for page in dict.fromkeys(passage.page + 1 for passage in cell.passages)),
            9: " / ".join(passage.text for passage in cell.passages),
            10: next((passage_address(document, passage) for passage in cell.passages), ""),
        }
        for column, text in texts.items():
            sheet.text(row, column, one_line(text), "wrapped" if column in (6, 7, 9) else "label")
        if cell.value is not None:
            sheet.put(row, 4, Cell(cell.value, format="number"))
    return sheet
