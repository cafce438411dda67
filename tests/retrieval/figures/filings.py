"""Small filings for tests of the rules: companies that print their statements, currencies and columns differently."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime

from tradingagents.retrieval.models import DocumentInfo, Page, SourceDocument
from tradingagents.retrieval.reading.html import read_html
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.text_tables import with_text_tables

ACME_INCOME = """Acme Corporation and Subsidiaries
Consolidated Statements of Income
Years ended December 31
(Millions, except per share amounts) 2023 2022 2021
Net sales $ 1,200 $ 1,100 $ 1,000
Cost of sales 700 660 610
Gross profit 500 440 390
Selling, general and administrative expenses 200 190 180
Operating income 300 250 210
Interest expense 20 22 24
Income before income taxes 280 228 186
Provision for income taxes 70 57 46
Net income including noncontrolling interest 210 171 140
Less: Net income attributable to noncontrolling interest 10 9 8
Net income attributable to Acme $ 200 $ 162 $ 132
Earnings per common share
Basic $ 2.00 $ 1.62 $ 1.32
Diluted $ 1.98 $ 1.60 $ 1.31
The accompanying notes are an integral part of these statements.
41"""
ACME_BALANCE = """Acme Corporation and Subsidiaries
Consolidated Balance Sheets
At December 31
(Millions) 2023 2022
Assets
Current assets
Cash and cash equivalents $ 150 $ 140
Marketable securities — current 50 60
Accounts receivable — net of allowances of $9 and $8 200 190
Total inventories 180 160
Total current assets 580 550
Property, plant and equipment 900 850
Less: Accumulated depreciation (400) (370)
Property, plant and equipment — net 500 480
Goodwill 120 120
Total assets $ 1,200 $ 1,150
Liabilities
Current liabilities
Short-term borrowings and current portion of long-term debt $ 40 $ 50
Accounts payable 160 150
Accrued payroll 100 100
Total current liabilities 300 300
Long-term debt 300 320
Total liabilities $ 600 $ 620
Total Acme shareholders’ equity 570 505
Noncontrolling interest 30 25
Total equity $ 600 $ 530
Total liabilities and equity $ 1,200 $ 1,150"""  # noqa: RUF001
ACME_CASH = """Acme Corporation and Subsidiaries
Consolidated Statements of Cash Flows
Years ended December 31
(Millions) 2023 2022 2021
Cash Flows from Operating Activities
Net income including noncontrolling interest $ 210 $ 171 $ 140
Depreciation 60 58 55
Amortization of acquired intangible assets 10 10 9
Inventories (20) (12) 5
Net cash provided by operating activities 260 230 215
Cash Flows from Investing Activities
Purchases of property, plant and equipment (PP&E) (84) (77) (70)
Proceeds from sale of PP&E 4 6 2
Net cash used in investing activities (80) (71) (68)
Cash Flows from Financing Activities
Dividends paid to shareholders (100) (95) (90)
Dividends paid to noncontrolling interests (5) (5) (5)
Net cash used in financing activities (170) (150) (140)
Net increase in cash and cash equivalents 10 9 7
Cash and cash equivalents at end of period $ 150 $ 140 $ 131"""

BANK_INCOME = """Beta Bancorp
Consolidated Statements of Income
(in thousands, except per share data)
Year ended December 31, 2023 2022 2021
Interest income $ 900 $ 800 $ 700
Interest expense 300 200 100
Total revenues net of interest expense 600 600 600
Provision for credit losses 40 30 20
Income before income taxes 200 190 180
Income tax provision 50 48 45
Net loss (150) (142) (135)
Diluted loss per share (1.50) (1.42) (1.35)"""
BANK_BALANCE = """Beta Bancorp
Consolidated Balance Sheets
(in thousands)
December 31, 2023 2022
Cash and due from banks $ 500 $ 450
Loans, net 9,000 8,500
Total assets 10,000 9,400
Deposits 8,000 7,600
Total liabilities 9,000 8,500
Total stockholders' equity 1,000 900
Total liabilities and stockholders' equity 10,000 9,400"""


def filing(name: str, *pages: str, form: str = "10-K", fiscal_year: int | None = None) -> SourceDocument:
    info = DocumentInfo(
        name.lower().replace(" ", "-"),
        name,
        "filing",
        name.split()[0],
        "",
        form,
        datetime(2024, 2, 1, tzinfo=UTC),
        fiscal_year=fiscal_year,
    )
    return with_text_tables(SourceDocument(info, tuple(Page(number, text) for number, text in enumerate(pages))))


def acme() -> SourceDocument:
    cover = (
        "Acme Corporation\nAnnual report\nWe make anvils. Demand for anvils rose strongly in Europe during fiscal 2023."
    )
    return filing("Acme 10-K 2023", cover, ACME_INCOME, ACME_BALANCE, ACME_CASH)


def bank() -> SourceDocument:
    return filing("Beta 10-K 2023", BANK_INCOME, BANK_BALANCE)


def without_balance() -> SourceDocument:
    return filing("Acme 10-K 2023", ACME_INCOME)


def changed(document: SourceDocument, page: int, old: str, new: str) -> SourceDocument:
    """Return a filing with a text of one page replaced."""
    pages = tuple(
        replace(each, text=each.text.replace(old, new)) if each.number == page else each for each in document.pages
    )
    return with_text_tables(replace(document, pages=pages))


ROWS = (
    ("Revenue", "4,400", "4,700"),
    ("Cost of sales", "2,500", "2,700"),
    ("Gross profit", "1,900", "2,000"),
    ("Operating income", "800", "900"),
    ("Income before income taxes", "760", "850"),
    ("Income tax expense", "140", "150"),
    ("Net income", "620", "700"),
    ("Diluted earnings per share", "1.22", "1.38"),
)
"""An income statement of two years, the earlier first."""
CONVENIENT = tuple(
    (*row, dollars) for row, dollars in zip(ROWS, ("650", "373", "277", "124", "118", "21", "97", "0.19"), strict=True)
)
"""The same with a translation of the second year into dollars."""
TWO_YEARS = ("Year ended December 31,", "2023 2024")


def statement(caption: str, head: tuple[str, ...] = TWO_YEARS, rows: Sequence[tuple[str, ...]] = ROWS) -> str:
    """Return an income statement as a reader of PDF lays it out."""
    lines = ("Gamma Group", "Consolidated Statements of Income", caption, *head, *(" ".join(row) for row in rows))
    return "\n".join(line for line in lines if line)


def html_statement(
    caption: str, heads: tuple[tuple[str, ...], ...] = (("2023", "2024"),), rows: Sequence[tuple[str, ...]] = ROWS
) -> str:
    """Return the same in HTML; `heads` are rows of column heads."""
    width = len(rows[0]) - 1
    lines = [f"<tr><td></td><td colspan={width}>Year ended December 31,</td></tr>"]
    lines += ["<tr><td></td>" + "".join(f"<td>{head}</td>" for head in row) + "</tr>" for row in heads]
    lines += ["<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows]
    title = "<div><b>Consolidated Statements of Income</b></div>"
    return f"<div>Gamma Group</div>{title}<div>{caption}</div><table>{''.join(lines)}</table>"


def report(*pages: str, form: str = "20-F", quarter: int | None = None) -> SourceDocument:
    """Return the report of Gamma for 2024, its pages laid out as text."""
    info = DocumentInfo(
        "gamma",
        f"Gamma {form} 2024",
        "filing",
        "Gamma",
        "",
        form,
        datetime(2025, 3, 1, tzinfo=UTC),
        fiscal_year=2024,
        fiscal_quarter=quarter,
        period_end=date(2024, 12, 31),
    )
    return with_text_tables(SourceDocument(info, tuple(Page(number, text) for number, text in enumerate(pages))))


def html_report(*parts: str, form: str = "20-F") -> SourceDocument:
    """Return the same report read from HTML."""
    content = f"<html><body>{''.join(parts)}</body></html>".encode()
    known_at = datetime(2025, 3, 1, tzinfo=UTC)
    told = Hints(company="Gamma", form=form, fiscal_year=2024, period_end=date(2024, 12, 31))
    return read_html(content, known_at=known_at, name=f"Gamma {form} 2024", hints=told)
