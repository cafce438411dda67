"""Small filings made for tests: an annual report with inline XBRL, a table of contents, items and statements."""

from __future__ import annotations

from datetime import UTC, datetime

from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.reading import read_document

KNOWN_AT = datetime(2025, 2, 14, 21, 5, tzinfo=UTC)
BREAK = '<hr style="page-break-after:always"/>'

HEADER = """<div style="display:none"><ix:header><ix:hidden>
<ix:nonNumeric name="dei:DocumentType" contextRef="fy">10-K</ix:nonNumeric>
<ix:nonNumeric name="dei:EntityRegistrantName" contextRef="fy">Small Works Inc.</ix:nonNumeric>
<ix:nonNumeric name="dei:TradingSymbol" contextRef="fy">SMLW</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentFiscalYearFocus" contextRef="fy">2024</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentFiscalPeriodFocus" contextRef="fy">FY</ix:nonNumeric>
<ix:nonNumeric name="dei:DocumentPeriodEndDate" contextRef="fy">2024-12-31</ix:nonNumeric>
<ix:nonNumeric name="dei:CurrentFiscalYearEndDate" contextRef="fy">--12-31</ix:nonNumeric></ix:hidden>
<ix:resources>
<xbrli:context id="fy"><xbrli:entity><xbrli:identifier scheme="s">1</xbrli:identifier></xbrli:entity>
<xbrli:period><xbrli:startDate>2024-01-01</xbrli:startDate><xbrli:endDate>2024-12-31</xbrli:endDate></xbrli:period>
</xbrli:context>
<xbrli:context id="py"><xbrli:entity/><xbrli:period><xbrli:startDate>2023-01-01</xbrli:startDate>
<xbrli:endDate>2023-12-31</xbrli:endDate></xbrli:period></xbrli:context>
<xbrli:context id="seg"><xbrli:entity><xbrli:segment><xbrldi:explicitMember dimension="us-gaap:Axis">a:OneMember
</xbrldi:explicitMember></xbrli:segment></xbrli:entity><xbrli:period><xbrli:instant>2024-12-31</xbrli:instant>
</xbrli:period></xbrli:context>
<xbrli:unit id="usd"><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unit>
<xbrli:unit id="eps"><xbrli:divide><xbrli:unitNumerator><xbrli:measure>iso4217:USD</xbrli:measure></xbrli:unitNumerator>
<xbrli:unitDenominator><xbrli:measure>xbrli:shares</xbrli:measure></xbrli:unitDenominator></xbrli:divide></xbrli:unit>
</ix:resources></ix:header></div>"""


def figure(name: str, text: str, *, context: str = "fy", unit: str = "usd", scale: int = 6, sign: str = "") -> str:
    """Return a tagged figure."""
    minus = f' sign="{sign}"' if sign else ""
    return (
        f'<ix:nonFraction name="us-gaap:{name}" contextRef="{context}" unitRef="{unit}" scale="{scale}" decimals="-6"'
        f'{minus} format="ixt:num-dot-decimal">{text}</ix:nonFraction>'
    )


def row(label: str, *figures: str) -> str:
    """Return a row as filing software writes it: a spacer, a currency sign and a bracket have cells of their own."""
    cells = ""
    for text in figures:
        closing = ")" if text.startswith("(") else ""
        cells += f'<td colspan="3"></td><td>$</td><td>{text}</td><td>{closing}</td>'
    return f'<tr><td colspan="3">{label}</td>{cells}</tr>'


def heading_row(*headers: str) -> str:
    """Return a row of column headers."""
    cells = "".join(f'<td colspan="3"></td><td colspan="3">{header}</td>' for header in headers)
    return f'<tr><td colspan="3"></td>{cells}</tr>'


INCOME = (
    "<div><b>CONSOLIDATED STATEMENTS OF INCOME</b></div><div>(In millions, except per share data)</div><table>"
    '<tr><td colspan="3"></td><td colspan="3"></td><td colspan="9">Year Ended December 31,</td></tr>'
    + heading_row("2024", "2023")
    + '<tr><td colspan="15">Revenues:</td></tr>'
    + row("Goods", figure("Goods", "1,200"), figure("Goods", "1,000", context="py"))
    + row("Total revenues", figure("Revenues", "1,577"), figure("Revenues", "1,300", context="py"))
    + row("Cost of revenues", figure("CostOfRevenue", "700"), figure("CostOfRevenue", "600", context="py"))
    + row(
        "Income (loss) before income taxes", "(" + figure("Pretax", "12", sign="-"), figure("Pretax", "9", context="py")
    )
    + row(
        "Net income (loss)", "(" + figure("NetIncomeLoss", "15", sign="-"), figure("NetIncomeLoss", "7", context="py")
    )
    + '<tr><td colspan="15">Earnings (loss) per share:</td></tr>'
    + row(
        "Basic",
        "(" + figure("EPS", "0.15", unit="eps", scale=0, sign="-"),
        figure("EPS", "0.07", context="py", unit="eps", scale=0),
    )
    + "</table>"
)

TITLES = {
    "1": "Business", "1A": "Risk Factors", "1B": "Unresolved Staff Comments", "1C": "Cybersecurity", "2": "Properties",
    "3": "Legal Proceedings", "4": "Mine Safety Disclosures", "5": "Market for Registrant's Common Equity", "6": "[Reserved]",
    "7": "Management's Discussion and Analysis", "7A": "Quantitative and Qualitative Disclosures About Market Risk",
    "8": "Financial Statements and Supplementary Data", "9": "Changes in and Disagreements with Accountants",
    "9A": "Controls and Procedures", "9B": "Other Information", "10": "Directors, Executive Officers and Corporate Governance",
    "11": "Executive Compensation", "12": "Security Ownership", "13": "Certain Relationships", "14": "Principal Accountant Fees",
    "15": "Exhibits",
}  # fmt: skip
LONG = "<p>The company makes small works for builders. See Item 7 of this report for results.</p>" * 40


def item_text(item: str) -> str:
    """Return the text of an item."""
    if item == "8":
        return INCOME + LONG
    return LONG if item in ("1", "1A", "7") else "<p>None.</p>"


def annual_report(
    *, texts: dict[str, str] | None = None, leave_out: tuple[str, ...] = (), contents: bool = True, header: str = HEADER
) -> bytes:
    """Return an annual report as filed.

    Args:
        texts: Texts of items, in place of the usual ones.
        leave_out: Items without a heading.
        contents: Whether it has a table of contents.
        header: The hidden header.
    """
    parts = ["<html><body>", header, "<div>Small Works Inc.</div><div>Form 10-K</div>", BREAK]
    if contents:
        rows = (
            f'<tr><td>Item {item}.</td><td><a href="#i{item}">{title}</a></td><td>{number + 3}</td></tr>'
            for number, (item, title) in enumerate(TITLES.items())
        )
        parts += ["<div>TABLE OF CONTENTS</div><table>", *rows, "</table>", BREAK]
    for item, title in TITLES.items():
        if item in ("1", "5", "10", "15"):
            parts.append(f"<div><b>PART {({'1': 'I', '5': 'II', '10': 'III', '15': 'IV'})[item]}</b></div>")
        if item not in leave_out:
            parts.append(f'<div id="i{item}"></div><div><b>Item {item}. {title}</b></div>')
        parts.append((texts or {}).get(item, item_text(item)))
        if item in ("1", "1A", "7", "8"):
            parts.append(BREAK)
    parts.append("<div><b>SIGNATURES</b></div><p>Signed by the officers.</p></body></html>")
    return "".join(parts).encode()


def read(content: bytes) -> SourceDocument:
    """Read a document of which nothing but its content is known."""
    return read_document(content, known_at=KNOWN_AT)
