"""Small filings of a made-up company as files: its statements in HTML, with inline XBRL or without a tag."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime

from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.reading.info import Hints

COMPANY = "ACMQ"
Flow = tuple[date, date]
_SPAN = {3: "Three Months Ended", 6: "Six Months Ended", 9: "Nine Months Ended", 12: "Year Ended"}
_ROWS = {
    "CONSOLIDATED STATEMENTS OF OPERATIONS": (
        ("Total revenues", "Revenues", 1.0),
        ("Cost of revenues", "CostOfRevenue", 0.6),
        ("Gross profit", "GrossProfit", 0.4),
        ("Operating income", "OperatingIncomeLoss", 0.2),
        ("Income before income taxes", "IncomeLossFromContinuingOperationsBeforeIncomeTaxes", 0.15),
        ("Provision for income taxes", "IncomeTaxExpenseBenefit", 0.05),
        ("Net income", "NetIncomeLoss", 0.1),
    ),
    "CONSOLIDATED STATEMENTS OF CASH FLOWS": (
        ("Net income", "NetIncomeLoss", 0.1),
        ("Net cash provided by operating activities", "NetCashProvidedByUsedInOperatingActivities", 0.2),
        ("Purchases of property and equipment", "PaymentsToAcquirePropertyPlantAndEquipment", -0.05),
        ("Net cash used in investing activities", "NetCashProvidedByUsedInInvestingActivities", -0.06),
        ("Net cash used in financing activities", "NetCashProvidedByUsedInFinancingActivities", -0.1),
    ),
}
_PAID = "PaymentsToAcquirePropertyPlantAndEquipment"
_SHEET = (
    ("Cash and cash equivalents", "CashAndCashEquivalentsAtCarryingValue", 0.3),
    ("Total current assets", "AssetsCurrent", 0.8),
    ("Total assets", "Assets", 2.0),
    ("Total current liabilities", "LiabilitiesCurrent", 0.5),
    ("Total liabilities", "Liabilities", 1.0),
    ("Total stockholders' equity", "StockholdersEquity", 1.0),
)


def days(number: int, first: int, last: int) -> Flow:
    """Return the first and last day of the quarters of a fiscal year that ends in September: 1 to 4 is the year."""
    ends = (date(number - 1, 12, 31), date(number, 3, 31), date(number, 6, 30), date(number, 9, 30))
    starts = (date(number - 1, 10, 1), date(number, 1, 1), date(number, 4, 1), date(number, 7, 1))
    return starts[first - 1], ends[last - 1]


def filing(
    form: str,
    filed: date,
    revenue: Mapping[Flow, float],
    *,
    tagged: bool = True,
    note: str = "",
    company: str = COMPANY,
    sheet_rows: Sequence[tuple[str, str, float]] = (),
) -> SourceDocument:
    """Return a filing whose own period is the first of those it states.

    Args:
        form: Such as 10-K or 10-K/A.
        filed: Its day; it is known at 21:00 UTC.
        revenue: In millions by first and last day; all else of a period is a share of it.
        tagged: Whether its figures are tagged in inline XBRL.
        note: More text, so that a filing is another document.
        company: Ticker.
        sheet_rows: More rows of its balance sheet: label, tag, and share of revenue.
    """
    start, end = next(iter(revenue))
    annual = form.startswith("10-K")
    contexts = "".join(
        f'<xbrli:context id="d{number}"><xbrli:entity/><xbrli:period><xbrli:startDate>{first}</xbrli:startDate>'
        f"<xbrli:endDate>{last}</xbrli:endDate></xbrli:period></xbrli:context>"
        f'<xbrli:context id="i{number}"><xbrli:entity/><xbrli:period><xbrli:instant>{last}</xbrli:instant>'
        f"</xbrli:period></xbrli:context>"
        for number, (first, last) in enumerate(revenue)
    )
    header = (
        f'<div style="display:none"><ix:header><ix:resources>{contexts}<xbrli:unit id="usd"><xbrli:measure>iso4217:USD'
        "</xbrli:measure></xbrli:unit></ix:resources></ix:header></div>"
    )
    parts = ["<html><body>", header if tagged else "", f"<div>Acme Q Works Inc.</div><p>Form {form}. {note}</p>"]
    for title, rows in _ROWS.items():
        parts += [f"<div><b>{title}</b></div><div>(In millions)</div><table>", _head(revenue, instant=False)]
        parts += [_row(label, tag, share, revenue, "d", tagged=tagged) for label, tag, share in rows]
        parts.append("</table>")
    sheet = {flow: value for flow, value in revenue.items() if flow == (start, end) or annual}
    parts += [
        "<div><b>CONSOLIDATED BALANCE SHEETS</b></div><div>(In millions)</div><table>",
        _head(sheet, instant=True),
    ]
    parts += [
        _row(label, tag, share, sheet, "i", tagged=tagged)
        for label, tag, share in (*_SHEET[:3], *sheet_rows, *_SHEET[3:])
    ]
    parts.append("</table></body></html>")
    quarter = None if annual else (4 if start.month == 10 and end.month == 9 else {12: 1, 3: 2, 6: 3}[end.month])
    hints = Hints(
        symbol=company, company="Acme Q Works Inc.", form=form, fiscal_year=end.year + (end.month == 12),
        fiscal_quarter=quarter, period_end=end,
    )  # fmt: skip
    known_at = datetime(filed.year, filed.month, filed.day, 21, tzinfo=UTC)
    return read_document("".join(parts).encode(), known_at=known_at, hints=hints)


def yearly() -> Iterator[SourceDocument]:
    """Yield the annual reports of 2023 back to 2016, the revenue of each as many millions as the number of its year."""
    for number in range(2023, 2015, -1):
        yield filing("10-K", date(number, 11, 9), {days(number, 1, 4): number, days(number - 1, 1, 4): number - 1})


def _head(periods: Mapping[Flow, float], *, instant: bool) -> str:
    cells = ""
    for start, end in periods:
        months = round((end - start).days / 30.4)
        words = f"{end:%B} {end.day}, {end.year}"
        cells += f"<td></td><td>{words if instant else f'{_SPAN[months]} {words}'}</td>"
    return f"<tr><td></td>{cells}</tr>"


def _row(label: str, tag: str, share: float, revenue: Mapping[Flow, float], context: str, *, tagged: bool) -> str:
    concept = tag if ":" in tag else f"us-gaap:{tag}"
    cells = ""
    for number, value in enumerate(revenue.values()):
        amount = round(share * value)
        digits = f"{abs(amount):,}"
        # What is paid out is printed in brackets and tagged as a positive payment.
        minus = ' sign="-"' if amount < 0 and tag != _PAID else ""
        figure = (
            f'<ix:nonFraction name="{concept}" contextRef="{context}{number}" unitRef="usd" scale="6" decimals="-6"'
            f'{minus} format="ixt:num-dot-decimal">{digits}</ix:nonFraction>'
            if tagged
            else digits
        )
        cells += f"<td>$</td><td>{f'({figure})' if amount < 0 else figure}</td>"
    return f"<tr><td>{label}</td>{cells}</tr>"
